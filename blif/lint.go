package blif

import (
	"context"
	"slices"

	"aiglens/internal/source"
)

// Lint looks for what needs the whole file: combinational cycles, and what
// makes a circuit or its text worse but not wrong. The error is that of the
// context.
func (f *File) Lint(ctx context.Context) ([]source.Diagnostic, error) {
	c := f.newChecker()
	l := linter{checker: c, ctx: ctx}
	for _, step := range []func(){l.statements, l.unused, l.cycles, l.models} {
		step()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c.sorted(), nil
}

type linter struct {
	*checker
	ctx context.Context
}

// done reports whether the context has ended.
func (l *linter) done() bool { return l.ctx.Err() != nil }

// statements looks at each statement by itself.
func (l *linter) statements() {
	for k, c := range l.f.chunks {
		if l.done() {
			return
		}
		for i, st := range c.stmts {
			lo, hi := c.tokens(i)
			if st.flags&flagIndented != 0 {
				span := source.SpanFromTo(int(l.f.starts[k]+st.start), l.f.span(k, c.toks[lo]).Start)
				l.find(CodeIndentation, span, "Yosys wants the dot of a directive in the first column")
			}
			if st.flags&flagComment != 0 && st.kind != KindAnnotation && st.kind != KindSearch {
				if at, ok := l.f.trailingComment(k, i); ok {
					l.find(CodeComment, at, "Yosys reads a comment behind a directive as signals")
				}
			}
			switch st.kind {
			case KindNames:
				l.names(k, i, lo, hi)
			case KindLatch:
				if n := hi - lo - 1; n == 2 || n == 4 && st.flags&flagArguments == 0 {
					l.find(CodeLatchNoInit, source.Span{Start: l.f.span(k, c.toks[hi-1]).End()},
						"no initial value: the latch starts with 0 or 1; other readers may take 0")
				}
			}
		}
	}
}

// trailingComment returns the place of the comment behind the last word of a
// directive.
func (f *File) trailingComment(k, i int) (source.Span, bool) {
	c := f.chunks[k]
	_, hi := c.tokens(i)
	last := c.toks[hi-1]
	at := skipBlank(c.text, int(last.start+last.length))
	if at >= len(c.text) || c.text[at] != '#' {
		return source.Span{}, false
	}
	end := lineEnd(c.text, at)
	for end > at && (c.text[end-1] == '\n' || c.text[end-1] == '\r') {
		end--
	}
	return source.SpanFromTo(int(f.starts[k])+at, int(f.starts[k])+end), true
}

// maxPairs bounds the rows of a cover that are compared with each other.
const maxPairs = 200

// names looks at a cover.
func (l *linter) names(k, i int, lo, hi uint32) {
	c := l.f.chunks[k]
	for t := lo + 2; t+1 < hi; t++ {
		if hi-lo >= maxPairs {
			break
		}
		if at := slices.Index(c.ids[lo+1:t], c.ids[t]); at >= 0 {
			d := l.f.finding(CodeOperandTwice, l.f.span(k, c.toks[t]), l.f.words.text(c.ids[t])+" is twice an input of this function")
			d.Related = []source.Related{{Span: l.f.span(k, c.toks[lo+1+uint32(at)]), Message: "the first time"}}
			l.report(d)
		}
	}
	rows := c.rowsOf(i)
	if len(rows) == 0 && hi-lo > 2 {
		l.find(CodeCoverEmpty, l.f.span(k, c.toks[lo]), "a function without rows is the constant 0")
	}
	if len(rows) < 2 || len(rows) > maxPairs || c.stmts[i].flags&flagCover != 0 {
		return
	}
	cube := func(r row) string { return c.text[r.start:][:r.width()] }
	for b, small := range rows {
		for a, large := range rows {
			same := cube(small) == cube(large)
			if a == b || same && a > b || !covers(cube(large), cube(small)) {
				continue
			}
			message := "this cube lies in another one of the cover"
			if same {
				message = "this row stands twice in the cover"
			}
			d := l.f.finding(CodeCubeContained, l.f.rowAt(k, small).Span, message)
			d.Related = []source.Related{{Span: l.f.rowAt(k, large).Span, Message: "the other row"}}
			d.Unnecessary = true
			l.report(d)
			break
		}
	}
}

// covers reports whether every point of cube b lies in cube a.
func covers(a, b string) bool {
	for i := range len(a) {
		if a[i] != '-' && a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// helpers are the names of constants and open nets that writers put at the top
// of every model, used or not.
var helpers = map[string]bool{
	"$false": true, "$true": true, "$undef": true, "gnd": true, "vcc": true, "unconn": true, "unknown": true,
}

// unused reports what is driven and never read.
func (l *linter) unused() {
	f, r := l.f, l.r
	for _, m := range l.s.models {
		if m.blackbox || l.done() {
			continue
		}
		for _, p := range m.inputs {
			if s := r.lookup(m.Index, p.id); r.uses[s] == 0 && r.maybe[s] == 0 && len(m.tables) == 0 {
				d := f.finding(CodeModelInputUnused, f.refSpan(p.ref), "input "+f.words.text(p.id)+" is not used")
				d.Unnecessary = true
				l.report(d)
			}
		}
		for s := r.bases[m.Index]; s < r.bases[m.Index+1]; s++ {
			if r.uses[s] > 0 || r.driver[s] == 0 || r.maybe[s] != 0 || r.facts[s]&(factInput|factClock) != 0 || helpers[f.Name(s)] {
				continue
			}
			id := int(r.driver[s]) - 1
			if k, i := f.at(id); f.chunks[k].stmts[i].kind.isInstance() {
				continue // open outputs of instances are common
			}
			if l.counts[CodeSignalUnused] >= maxFindings {
				break
			}
			d := f.finding(CodeSignalUnused, f.drivenSpan(id, r.names[s]), f.Name(s)+" is not used")
			d.Unnecessary = true
			l.report(d)
		}
	}
}

// models looks at each model as a whole.
func (l *linter) models() {
	f := l.f
	for _, m := range l.s.models {
		if m.exdc >= 0 {
			l.find(CodeExdcIgnored, f.directiveSpan(m.exdc), "the don't-care network is ignored")
		}
		if !m.hasPortLines && !m.blackbox {
			l.find(CodeInferredPorts, m.NameSpan(), "without .inputs and .outputs what nothing drives is an input, what nothing reads an output: %s",
				count(len(m.Inputs()), "input")+", "+count(len(m.Outputs()), "output"))
		}
		for _, call := range l.r.calls[m.Index] {
			if top := f.Top(); m != top && call.block.model == top {
				l.find(CodeTopInstantiated, top.NameSpan(), "the first model is the one that is checked, and model %s holds an instance of it", m.Name)
				break
			}
		}
		for _, t := range m.tables {
			l.stateTable(m, t)
		}
	}
	if ps := f.Properties(); len(ps) > 0 && ps[0].Rule == RuleOutputs {
		span := f.Top().NameSpan()
		if ps[0].Span.Length > 0 {
			span = f.directiveSpan(f.StatementAt(ps[0].Span.Start).ID)
		}
		ps = slices.DeleteFunc(ps, func(p Property) bool { return p.Rule != RuleOutputs }) // lemmas
		l.find(CodeOutputsAreBad, span, "outputs are taken as bad-state properties (%d)", len(ps))
	}
}

// stateTable looks for transitions that contradict each other and for states
// that are never reached.
func (l *linter) stateTable(m *Model, t table) {
	k := l.f.readTable(t)
	reset := k.reset
	byState := map[string][]kissRow{}
	for _, r := range k.rows {
		if len(r.words) != 4 || badLiteral(r.words[0].text) >= 0 || badLiteral(r.words[3].text) >= 0 {
			return // reported with the diagnostics
		}
		if reset == "" {
			reset = r.words[1].text
		}
		for i, other := range byState[r.words[1].text] {
			if i == maxPairs {
				break
			}
			if meet(r.words[0].text, other.words[0].text) && (r.words[2].text != other.words[2].text || !meet(r.words[3].text, other.words[3].text)) {
				d := l.f.finding(CodeKissOverlap, r.span, "another transition of "+r.words[1].text+" applies to the same input and leads elsewhere")
				d.Related = []source.Related{{Span: other.span, Message: "the other transition"}}
				l.report(d)
				break
			}
		}
		byState[r.words[1].text] = append(byState[r.words[1].text], r)
	}
	reached := map[string]bool{reset: true}
	for todo := []string{reset}; len(todo) > 0; {
		state := todo[0]
		todo = todo[1:]
		for _, r := range byState[state] {
			if next := r.words[2].text; !reached[next] {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	for _, r := range k.rows {
		if state := r.words[1].text; !reached[state] {
			reached[state] = true
			l.find(CodeKissReach, source.Span{Start: r.words[1].at, Length: len(state)}, "state %s is never reached from %s", state, reset)
		}
	}
	if !slices.ContainsFunc(m.compile().drivers, func(d driver) bool { return d.kind == driverLatch || d.kind == driverNames }) {
		l.find(CodeKissNoLogic, l.f.directiveSpan(t.from), "the state table has no latches and logic: encode it before checking")
	}
}

// meet reports whether two cubes have a point in common.
func meet(a, b string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != '-' && b[i] != '-' {
			return false
		}
	}
	return true
}
