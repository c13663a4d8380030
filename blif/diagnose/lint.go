package diagnose

import (
	"context"
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Lint looks for what needs the whole file: combinational cycles, and what
// makes a circuit or its text worse but not wrong. The error is that of the
// context.
func Lint(ctx context.Context, f *blif.File) ([]source.Diagnostic, error) {
	c := newChecker(f)
	if _, ok := otherText(f); ok {
		return nil, ctx.Err()
	}
	l := linter{checker: c, ctx: ctx}
	for _, step := range []func(){l.statements, l.unused, l.cycles, l.models, l.constants, l.words, l.starts} {
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
	for k, c := range l.f.Chunks {
		if l.done() {
			return
		}
		for i, st := range c.Stmts {
			lo, hi := c.TokensOf(i)
			if st.Flags&statement.FlagIndented != 0 {
				span := source.SpanFromTo(int(l.f.Starts[k]+st.Start), l.f.TokenSpan(k, c.Tokens[lo]).Start)
				l.find(codes.Indentation, span, "Yosys wants the dot of a directive in the first column")
			}
			if st.Flags&statement.FlagComment != 0 && st.Kind != statement.KindAnnotation && st.Kind != statement.KindSearch {
				if at, ok := l.f.TrailingComment(k, i); ok {
					l.find(codes.Comment, at, "Yosys reads a comment after a directive as signals")
				}
			}
			switch st.Kind {
			case statement.KindNames:
				l.names(k, i, lo, hi)
			case statement.KindLatch:
				if n := hi - lo - 1; n == 2 || n == 4 && st.Flags&statement.FlagArguments == 0 {
					l.find(codes.LatchNoInit, source.Span{Start: l.f.TokenSpan(k, c.Tokens[hi-1]).End()},
						"no initial value: the latch starts with 0 or 1; other readers may take 0")
				}
			}
		}
	}
}

// maxPairs bounds the rows of a cover that are compared with each other.
const maxPairs = 200

// names looks at a cover.
func (l *linter) names(k, i int, lo, hi uint32) {
	c := l.f.Chunks[k]
	for t := lo + 2; t+1 < hi; t++ {
		if hi-lo >= maxPairs {
			break
		}
		if at := slices.Index(c.Names[lo+1:t], c.Names[t]); at >= 0 {
			d := codes.Finding(codes.OperandTwice, l.f.TokenSpan(k, c.Tokens[t]), l.f.NameText(c.Names[t])+" is listed twice among the inputs of this function")
			d.Related = []source.Related{{Span: l.f.TokenSpan(k, c.Tokens[lo+1+uint32(at)]), Message: "the first time"}}
			l.report(d)
		}
	}
	rows := c.RowsOf(i)
	if len(rows) == 0 && hi-lo > 2 {
		l.find(codes.CoverEmpty, l.f.TokenSpan(k, c.Tokens[lo]), "a function without rows is the constant 0")
	}
	if len(rows) < 2 || len(rows) > maxPairs || c.Stmts[i].Flags&statement.FlagCover != 0 {
		return
	}
	cube := func(r statement.RawRow) string { return c.Text[r.Start:][:r.Width()] }
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
			d := codes.Finding(codes.CubeContained, l.f.RowAt(k, small).Span, message)
			d.Related = []source.Related{{Span: l.f.RowAt(k, large).Span, Message: "the other row"}}
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
	blif.FalseNet: true, blif.TrueNet: true, blif.UndefNet: true, "gnd": true, "vcc": true, "unconn": true, "unknown": true,
}

// unused reports what is driven and never read.
func (l *linter) unused() {
	f, r := l.f, l.r
	unclear := unclearUses(f)
	for _, m := range l.s.Models {
		if m.BlackBox || unclear[m] || l.done() {
			continue
		}
		for _, p := range m.InputList {
			if s := r.Lookup(m.Index, p.Name); r.Uses[s] == 0 && r.MaybeDriven[s] == 0 && len(m.Tables) == 0 {
				d := codes.Finding(codes.ModelInputUnused, f.RefSpan(p.Ref), "input "+f.NameText(p.Name)+" is not used")
				d.Unnecessary = true
				l.report(d)
			}
		}
		for s := r.Bases[m.Index]; s < r.Bases[m.Index+1]; s++ {
			if r.Uses[s] > 0 || r.Driver[s] == 0 || r.MaybeDriven[s] != 0 || r.Facts[s]&(blif.FactInput|blif.FactClock) != 0 || helpers[f.Name(s)] {
				continue
			}
			id := int(r.Driver[s]) - 1
			if k, i := f.Locate(id); f.Chunks[k].Stmts[i].Kind.IsInstance() {
				continue // open outputs of instances are common
			}
			if l.list.IsFull(codes.SignalUnused) {
				break
			}
			d := codes.Finding(codes.SignalUnused, f.DrivenSpan(id, r.Names[s]), f.Name(s)+" is not used")
			d.Unnecessary = true
			l.report(d)
		}
	}
}

// words looks at the comments that are to make words.
func (l *linter) words() {
	for _, m := range l.f.Models() {
		_, found := blif.WordsOf(l.f, m)
		for _, d := range found {
			l.report(d)
		}
	}
}

// models looks at each model as a whole.
func (l *linter) models() {
	f := l.f
	for _, d := range outputsThatAreInputs(f) {
		l.report(d)
	}
	for _, m := range l.s.Models {
		if m.Exdc >= 0 {
			l.find(codes.ExdcIgnored, f.DirectiveSpan(m.Exdc), "the don't-care network is ignored")
		}
		if !m.HasPortLines && !m.BlackBox && !l.misspellsPorts(m) {
			l.find(codes.InferredPorts, m.NameSpan(), "without .inputs and .outputs, undriven signals are inputs and unread signals are outputs: %s",
				findings.Count(len(m.Inputs()), "input", "inputs")+", "+findings.Count(len(m.Outputs()), "output", "outputs"))
		}
		for _, call := range l.r.Calls[m.Index] {
			if top := f.Top(); m != top && call.Block.Model == top {
				l.find(codes.TopInstantiated, top.NameSpan(), "the first model is the one that is checked, and model %s holds an instance of it", m.Name)
				break
			}
		}
		for _, t := range m.Tables {
			l.stateTable(m, t)
		}
	}
	if n, limit := f.OutputsBeyond(); n > 0 && (f.HasLatches() || f.Options().Properties.Combinational) {
		l.find(codes.OutputsBeyond, outputsPlace(f), "%d outputs are more than %d, the limit up to which every output is taken as a property (--output-limit, aiglens.blif.outputLimit): there is nothing to check", n, limit)
	}
	if ps := f.Properties(); len(ps) > 0 && ps[0].Rule == blif.RuleOutputs {
		span := f.Top().NameSpan()
		if ps[0].Span.Length > 0 {
			span = f.DirectiveSpan(f.StatementAt(ps[0].Span.Start).ID)
		}
		ps = slices.DeleteFunc(ps, func(p blif.Property) bool { return p.Rule != blif.RuleOutputs }) // lemmas
		l.find(codes.OutputsAreBad, span, "outputs are taken as bad-state properties (%d)", len(ps))
	}
}
