package debug

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/google/go-dap"

	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/internal/source"
)

// sourceReference is that of a text that no file holds as it stands.
const sourceReference = 1

// source returns what the client calls a file; "" is that of the session.
func (s *session) source(path string) *dap.Source {
	if path != "" {
		return &dap.Source{Name: filepath.Base(path), Path: filepath.FromSlash(path)}
	}
	if s.t.decoded {
		return &dap.Source{Name: filepath.Base(s.t.path) + ".aag", SourceReference: sourceReference}
	}
	path = s.t.path
	if s.launch.args.Source == "" {
		path = filepath.FromSlash(path)
	}
	return &dap.Source{Name: filepath.Base(s.t.path), Path: path}
}

// pathFrom returns the file of a source of the client; ok is false for one that has no
// part in the session.
func (s *session) pathFrom(src dap.Source) (path string, ok bool) {
	if src.SourceReference == sourceReference && s.t.decoded || src.Path != "" && sameName(src.Path, s.source("").Path) {
		return "", true
	}
	if src.Path == "" {
		return "", false
	}
	asked := pathOf(src.Path)
	if samePath(asked, pathOf(s.launch.args.Program)) && !s.t.decoded {
		return "", true
	}
	for other := range s.t.others() {
		if samePath(asked, filepath.FromSlash(other)) {
			return other, true
		}
	}
	return "", false
}

// sameName compares names of sources, which are URIs for some: those may be written
// with more or fewer escapes.
func sameName(a, b string) bool {
	if a == b {
		return true
	}
	x, err := url.PathUnescape(a)
	if err != nil {
		return false
	}
	y, err := url.PathUnescape(b)
	return err == nil && x == y
}

func samePath(a, b string) bool {
	if a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b) {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// textOf returns the text of a file with definitions.
func (t *target) textOf(path string) (source.Text, bool) {
	if path == "" {
		return t.doc.Text, true
	}
	for _, signals := range t.others()[path] {
		if p, ok := t.placeOf(signals[0].lit); ok && p.path == path {
			return p.text, true
		}
	}
	return source.Text{}, false
}

func (s *session) handleBreakpoints(m dap.Message) (known bool, err error) {
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		r := &dap.SetBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = s.setLines(m.Arguments)
		s.client.send(r)
	case *dap.BreakpointLocationsRequest:
		return true, s.onBreakpointLocations(m)
	case *dap.SetFunctionBreakpointsRequest:
		r := &dap.SetFunctionBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = []dap.Breakpoint{}
		s.functions = nil
		for _, asked := range m.Arguments.Breakpoints {
			b, answer := s.overNames(asked.Name, true, conditions{asked.Condition, asked.HitCondition, ""})
			if b != nil {
				s.functions = append(s.functions, b)
			}
			r.Body.Breakpoints = append(r.Body.Breakpoints, answer)
		}
		s.client.send(r)
	case *dap.SetDataBreakpointsRequest:
		r := &dap.SetDataBreakpointsResponse{Response: response(&m.Request)}
		r.Body.Breakpoints = []dap.Breakpoint{}
		s.data = nil
		for _, asked := range m.Arguments.Breakpoints {
			b, answer := s.overNames(asked.DataId, false, conditions{asked.Condition, asked.HitCondition, ""})
			if b != nil {
				s.data = append(s.data, b)
			}
			r.Body.Breakpoints = append(r.Body.Breakpoints, answer)
		}
		s.client.send(r)
	case *dap.DataBreakpointInfoRequest:
		s.onDataBreakpointInfo(m)
	default:
		return false, nil
	}
	return true, nil
}

// overNames makes a breakpoint on an expression: where it becomes true, or changes.
func (s *session) overNames(text string, rising bool, c conditions) (*breakpoint, dap.Breakpoint) {
	s.lastID++
	answer := dap.Breakpoint{Id: s.lastID}
	vocabulary := s.t.vocabulary()
	e, err := vocabulary.Condition(text)
	var b *breakpoint
	if err == nil {
		b, err = newBreakpoint(vocabulary, []*expression.Expr{e}, c)
	}
	if err != nil {
		answer.Message = err.Error()
		return nil, answer
	}
	b.id, b.rising, answer.Verified = s.lastID, rising, true
	return b, answer
}

// setLines replaces the breakpoints of a file.
func (s *session) setLines(a dap.SetBreakpointsArguments) []dap.Breakpoint {
	all := []dap.Breakpoint{}
	path, ok := s.pathFrom(a.Source)
	if len(a.Breakpoints) == 0 {
		for _, line := range a.Lines { // of clients of old
			a.Breakpoints = append(a.Breakpoints, dap.SourceBreakpoint{Line: line})
		}
	}
	if s.lines == nil {
		s.lines = map[string][]*breakpoint{}
	}
	if ok {
		s.lines[path] = nil
	}
	for _, asked := range a.Breakpoints {
		s.lastID++
		answer := dap.Breakpoint{Id: s.lastID, Line: asked.Line}
		if !ok {
			answer.Message = "the counterexample is about another file"
		} else if b, err := s.onLine(path, asked, &answer); err != nil {
			answer.Message = err.Error()
		} else {
			b.id = s.lastID
			s.lines[path] = append(s.lines[path], b)
		}
		all = append(all, answer)
	}
	return all
}

// maxNames bounds the names in the message of a breakpoint.
const maxNames = 4

// onLine makes the breakpoint for a line, on what is defined there or next, and
// completes the answer.
func (s *session) onLine(path string, asked dap.SourceBreakpoint, answer *dap.Breakpoint) (*breakpoint, error) {
	signals, line := s.t.definitionsFrom(path, asked.Line-s.client.firstLine)
	if len(signals) == 0 {
		return nil, refuse("no signal is defined on this line or below")
	}
	text, _ := s.t.textOf(path)
	if asked.Column > 0 && line == asked.Line-s.client.firstLine {
		signals = s.atColumn(text, signals, asked.Column)
	}
	var watched []*expression.Expr
	var words []string
	for i, n := range signals {
		watched = append(watched, expression.Signal(n.lit, n.name))
		switch {
		case i < maxNames:
			words = append(words, n.name)
		case i == maxNames:
			words = append(words, "…")
		}
	}
	b, err := newBreakpoint(s.t.vocabulary(), watched, conditions{asked.Condition, asked.HitCondition, asked.LogMessage})
	if err != nil {
		return nil, err
	}
	b.at = &place{path, text, signals[0].span}
	answer.Verified, answer.Line, answer.Source = true, line+s.client.firstLine, s.source(path)
	answer.Message = "hits where " + strings.Join(words, ", ") + " changes"
	if asked.Column > 0 {
		answer.Column = s.client.column(text, signals[0].span.Start)
	}
	return b, nil
}

// atColumn returns the signals of the word at a column, or of the next one.
func (s *session) atColumn(text source.Text, signals []named, column int) []named {
	for i, n := range signals {
		end := s.client.column(text, n.span.End())
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

func (s *session) onBreakpointLocations(m *dap.BreakpointLocationsRequest) error {
	r := &dap.BreakpointLocationsResponse{Response: response(&m.Request)}
	r.Body.Breakpoints = []dap.BreakpointLocation{}
	if m.Arguments == nil {
		return refuse("breakpointLocations needs a source and a line")
	}
	path, ok := s.pathFrom(m.Arguments.Source)
	from := m.Arguments.Line - s.client.firstLine
	to := min(max(from, m.Arguments.EndLine-s.client.firstLine), from+maxLocations)
	for line := from; ok && line <= to; line++ {
		text, _ := s.t.textOf(path)
		before := source.Span{Start: -1}
		for _, n := range s.t.definitionsOn(path, line) {
			if n.span != before {
				r.Body.Breakpoints = append(r.Body.Breakpoints, dap.BreakpointLocation{Line: line + s.client.firstLine, Column: s.client.column(text, n.span.Start)})
			}
			before = n.span
		}
	}
	s.client.send(r)
	return nil
}

// onDataBreakpointInfo says whether a variable, or an expression, may have a breakpoint.
func (s *session) onDataBreakpointInfo(m *dap.DataBreakpointInfoRequest) {
	r := &dap.DataBreakpointInfoResponse{Response: response(&m.Request)}
	expression := m.Arguments.Name
	if m.Arguments.VariablesReference > 0 {
		expression = s.expressionOf(m.Arguments.VariablesReference, m.Arguments.Name)
	}
	if _, err := s.t.vocabulary().Condition(expression); err != nil {
		r.Body.Description = fmt.Sprintf("%s has no breakpoint: %v", m.Arguments.Name, err)
	} else {
		r.Body.DataId, r.Body.Description = expression, expression
		r.Body.AccessTypes, r.Body.CanPersist = []dap.DataBreakpointAccessType{"write"}, true
	}
	s.client.send(r)
}

// literalName is what an expression calls a signal without a name.
func literalName(l design.Lit) string { return fmt.Sprint(uint32(l)) }
