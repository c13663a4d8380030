package debug

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/google/go-dap"

	"aiglens/design/expression"
	"aiglens/internal/source"
)

// breakpoints are those that the client has set.
type breakpoints struct {
	client    *connection
	lines     map[string][]*breakpoint // by the paths of their files as the client writes them
	functions []*breakpoint
	data      []*breakpoint
	lastID    int // of a breakpoint
}

// handle follows a request that sets breakpoints, or says where they may stand.
func (bs *breakpoints) handle(t *target, m dap.Message) (known bool, err error) {
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		r := &dap.SetBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = bs.setLines(t, m.Arguments)
		bs.client.send(r)
	case *dap.BreakpointLocationsRequest:
		return true, bs.onBreakpointLocations(t, m)
	case *dap.SetFunctionBreakpointsRequest:
		r := &dap.SetFunctionBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = []dap.Breakpoint{}
		bs.functions = nil
		for _, asked := range m.Arguments.Breakpoints {
			b, answer := bs.overNames(t, asked.Name, reasonFunction, conditions{asked.Condition, asked.HitCondition, ""})
			if b != nil {
				bs.functions = append(bs.functions, b)
			}
			r.Body.Breakpoints = append(r.Body.Breakpoints, answer)
		}
		bs.client.send(r)
	case *dap.SetDataBreakpointsRequest:
		r := &dap.SetDataBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = []dap.Breakpoint{}
		bs.data = nil
		for _, asked := range m.Arguments.Breakpoints {
			b, answer := bs.overNames(t, asked.DataId, reasonData, conditions{asked.Condition, asked.HitCondition, ""})
			if b != nil {
				bs.data = append(bs.data, b)
			}
			r.Body.Breakpoints = append(r.Body.Breakpoints, answer)
		}
		bs.client.send(r)
	default:
		return false, nil
	}
	return true, nil
}

// overNames makes a breakpoint on an expression: a function breakpoint where it becomes true, a
// data breakpoint where it changes. Both are where a word changes.
func (bs *breakpoints) overNames(t *target, text, reason string, c conditions) (*breakpoint, dap.Breakpoint) {
	bs.lastID++
	answer := dap.Breakpoint{Id: bs.lastID}
	vocabulary := t.vocabulary()
	watched, isWord, err := vocabulary.Watched(text)
	var b *breakpoint
	if err == nil {
		b, err = newBreakpoint(vocabulary, watched, c)
	}
	if err != nil {
		answer.Message = err.Error()
		return nil, answer
	}
	b.id, b.reason, answer.Verified = bs.lastID, reason, true
	b.rising = reason == reasonFunction && !isWord
	return b, answer
}

// setLines replaces the breakpoints of a file.
func (bs *breakpoints) setLines(t *target, args dap.SetBreakpointsArguments) []dap.Breakpoint {
	all := []dap.Breakpoint{}
	path, ok := t.pathFrom(args.Source)
	if len(args.Breakpoints) == 0 {
		for _, line := range args.Lines { // of clients of old
			args.Breakpoints = append(args.Breakpoints, dap.SourceBreakpoint{Line: line})
		}
	}
	if bs.lines == nil {
		bs.lines = map[string][]*breakpoint{}
	}
	if ok {
		bs.lines[path] = nil
	}
	for _, asked := range args.Breakpoints {
		bs.lastID++
		answer := dap.Breakpoint{Id: bs.lastID, Line: asked.Line}
		if !ok {
			answer.Message = "the counterexample is about another file"
		} else if b, err := bs.onLine(t, path, asked, &answer); err != nil {
			answer.Message = err.Error()
		} else {
			b.id = bs.lastID
			bs.lines[path] = append(bs.lines[path], b)
		}
		all = append(all, answer)
	}
	return all
}

// maxNames bounds the names in the message of a breakpoint.
const maxNames = 4

// onLine makes the breakpoint for a line, on what is defined there or next, and
// completes the answer.
func (bs *breakpoints) onLine(t *target, path string, asked dap.SourceBreakpoint, answer *dap.Breakpoint) (*breakpoint, error) {
	signals, line := t.rows.definitionsFrom(path, asked.Line-bs.client.firstLine)
	if len(signals) == 0 {
		return nil, refuse("no signal is defined on this line or below")
	}
	text, _ := t.textOf(path)
	if asked.Column > 0 && line == asked.Line-bs.client.firstLine {
		signals = bs.atColumn(text, signals, asked.Column)
	}
	var watched []*expression.Expr
	var words []string
	for _, n := range signals {
		watched = append(watched, n.watched()...)
		switch {
		case slices.Contains(words, n.name): // a line may assign one signal several times
		case len(words) < maxNames:
			words = append(words, n.name)
		case len(words) == maxNames:
			words = append(words, "…")
		}
	}
	b, err := newBreakpoint(t.vocabulary(), watched, conditions{asked.Condition, asked.HitCondition, asked.LogMessage})
	if err != nil {
		return nil, err
	}
	b.at, b.reason = &place{path, text, signals[0].span}, reasonBreakpoint
	answer.Verified, answer.Line, answer.Source = true, line+bs.client.firstLine, t.source(path)
	answer.Message = "hits where " + strings.Join(words, ", ") + " changes"
	if asked.Column > 0 {
		answer.Column = bs.client.column(text, signals[0].span.Start)
	}
	return b, nil
}

// atColumn returns the signals of the word at a column, or of the next one.
func (bs *breakpoints) atColumn(text source.Text, signals []named, column int) []named {
	for i, n := range signals {
		end := bs.client.column(text, n.span.End())
		if column > end {
			continue
		}
		last := i + 1
		for last < len(signals) && signals[last].span == n.span {
			last++
		}
		return signals[i:last]
	}
	return signals
}

// maxLocations bounds the lines that are looked at for places of breakpoints.
const maxLocations = 1000

func (bs *breakpoints) onBreakpointLocations(t *target, m *dap.BreakpointLocationsRequest) error {
	r := &dap.BreakpointLocationsResponse{Response: response(&m.Request)}
	r.Body.Breakpoints = []dap.BreakpointLocation{}
	if m.Arguments == nil {
		return refuse("breakpointLocations needs a source and a line")
	}
	path, ok := t.pathFrom(m.Arguments.Source)
	from := m.Arguments.Line - bs.client.firstLine
	to := min(max(from, m.Arguments.EndLine-bs.client.firstLine), from+maxLocations)
	for line := from; ok && line <= to; line++ {
		text, _ := t.textOf(path)
		before := source.Span{Start: -1}
		for _, n := range t.rows.definitionsOn(path, line) {
			if n.span != before {
				r.Body.Breakpoints = append(r.Body.Breakpoints, dap.BreakpointLocation{Line: line + bs.client.firstLine, Column: bs.client.column(text, n.span.Start)})
			}
			before = n.span
		}
	}
	bs.client.send(r)
	return nil
}

// inOrder returns all of them in the order of their numbers.
func (bs *breakpoints) inOrder() []*breakpoint {
	var all []*breakpoint
	for _, lines := range bs.lines {
		all = append(all, lines...)
	}
	all = append(append(all, bs.functions...), bs.data...)
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return all
}

// hits returns the breakpoints that stop a run at a step.
func (bs *breakpoints) hits(ctx context.Context, r expression.Run, step int) []*breakpoint {
	var hits []*breakpoint
	for _, b := range bs.inOrder() {
		if b.message == nil && b.hit(ctx, r, step) {
			hits = append(hits, b)
		}
	}
	return hits
}

// log writes the messages of the log points that a step of a run hits.
func (bs *breakpoints) log(ctx context.Context, t *target, r expression.Run, step int) {
	for _, b := range bs.inOrder() {
		if b.message == nil || !b.hit(ctx, r, step) {
			continue
		}
		m := &dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{
			Category: "console", Output: fmt.Sprintf("%s: %s\n", t.run.StepName(step), messageAt(b.message, r, step)),
		}}
		if b.at != nil {
			m.Body.Source, m.Body.Line = t.source(b.at.path), b.at.text.LineAt(b.at.span.Start)+bs.client.firstLine
		}
		bs.client.send(m)
	}
}

// runChanged forgets the hits that are counted on the run before.
func (bs *breakpoints) runChanged() {
	for _, b := range bs.inOrder() {
		b.counts = nil
	}
}
