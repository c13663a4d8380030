// Package diagnose finds what only the whole circuit of an AIGER file shows:
// ANDs and resets that depend on each other in a cycle, which are errors, and what is
// constant, repeated, unused or without effect. It works on the rows and builds
// no circuit, so that every finding has its place.
package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// maxLint bounds the findings of Run for one file.
const maxLint = 1000

// Run returns what only the whole circuit shows, sorted by place: cycles of
// ANDs and of resets, which are errors; then constant, repeated and unused definitions, and
// properties and constraints that say nothing. There are at most a thousand,
// and one that says how many more. It looks at the context throughout and
// returns its error when that is done.
func Run(ctx context.Context, f *syntax.File) ([]source.Diagnostic, error) {
	if !f.HasBody() {
		return nil, ctx.Err()
	}
	l := linter{f: f, isAligned: f.IsAligned()}
	err := l.run(ctx)
	if err != nil {
		return nil, err
	}
	return l.list, nil
}

// linter collects what Run returns, the gravest first.
type linter struct {
	f         *syntax.File
	isAligned bool
	net       *net
	fold      *folding
	list      []source.Diagnostic
	more      int // findings beyond maxLint
}

func (l *linter) run(ctx context.Context) (err error) {
	if l.net, err = newNet(ctx, l.f); err != nil {
		return err
	}
	cycles, err := report(ctx, l.f, l.net)
	if err != nil {
		return err
	}
	for _, diag := range cycles.Diagnostics {
		l.keep(*diag)
	}
	if !l.isAligned { // a row may be missing or out of its section
		l.finish()
		return nil
	}
	l.fold = newFolding(l.net, nil)
	if err := l.fold.run(ctx); err != nil {
		return err
	}
	if err := l.constraints(ctx); err != nil {
		return err
	}
	l.properties()
	for _, d := range names(l.f) {
		l.keep(d)
	}
	for _, d := range l.f.Words().Diagnostics {
		l.keep(d)
	}
	l.checkMax()
	if err := l.gates(ctx); err != nil {
		return err
	}
	if err := l.unused(ctx); err != nil {
		return err
	}
	l.finish()
	return nil
}

// finish sorts, and says on the last finding how many are left out.
func (l *linter) finish() {
	slices.SortStableFunc(l.list, func(a, b source.Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	if l.more > 0 {
		l.list[len(l.list)-1].Message += fmt.Sprintf(" (and %d more findings about the circuit)", l.more)
	}
}

// keep adds a finding if there is still room.
func (l *linter) keep(diag source.Diagnostic) {
	if len(l.list) == maxLint {
		l.more++
		return
	}
	l.list = append(l.list, diag)
}

// add adds a finding on the i-th number of a row. The message is written, and
// the place looked for, only if the finding is kept.
func (l *linter) add(code source.Code, r, i int, complete func(d *source.Diagnostic)) {
	if len(l.list) == maxLint {
		l.more++
		return
	}
	d := syntax.Catalogue.Diagnostic(code, l.f.NumberSpan(r, i), "")
	complete(&d)
	l.keep(d)
}

// message returns a completion that just sets the message.
func message(format string, args ...any) func(*source.Diagnostic) {
	return func(d *source.Diagnostic) { d.Message = fmt.Sprintf(format, args...) }
}

// isReadable reports whether a row of one literal is what it should be.
func (l *linter) isReadable(r int) bool {
	row := l.f.Numbers(r)
	return row.IsSound() && row.N == 1
}

// constraints looks for constraints that are constant, or false in every
// initial state.
func (l *linter) constraints(ctx context.Context) error {
	lo, hi := l.f.RowsOf(syntax.SectionConstraints)
	if lo == hi {
		return nil
	}
	reset := newFolding(l.net, resets(l.f))
	if err := reset.run(ctx); err != nil {
		return err
	}
	for r := lo; r < hi; r++ {
		if !l.isReadable(r) {
			continue
		}
		lit := l.net.lit(l.f.Numbers(r).Num[0])
		switch value := l.fold.of(lit); {
		case value == 0:
			l.add(syntax.CodeConstantConstraint, r, 0, message("the constraint is constant 0: every property holds vacuously"))
		case value == 1:
			l.add(syntax.CodeConstantConstraint, r, 0, func(d *source.Diagnostic) {
				d.Severity = source.Hint
				d.Message = "the constraint is constant 1: it has no effect"
			})
		case reset.of(lit) == 0:
			l.add(syntax.CodeConstraintAtReset, r, 0, message("the constraint is false in every initial state: every property holds vacuously"))
		}
	}
	return nil
}

// resets returns the reset values of the latches, noLit for those that are not
// constant.
func resets(f *syntax.File) []nodeLit {
	lo, hi := f.RowsOf(syntax.SectionLatches)
	values := make([]nodeLit, 0, hi-lo)
	for r := lo; r < hi; r++ {
		row := f.Numbers(r)
		value := noLit
		if row.IsSound() && (row.N == 2 || row.N == 3 && row.Num[2] <= 1) {
			value = nodeLit(row.Num[2])
		}
		values = append(values, value)
	}
	return values
}

// properties looks for properties that are constant or repeat another.
func (l *linter) properties() {
	section := syntax.SectionBads
	if l.f.OutputsAreBads() {
		section = syntax.SectionOutputs
	}
	lo, hi := l.f.RowsOf(section)
	seen := make(map[nodeLit]int, hi-lo)
	for r := lo; r < hi; r++ {
		if !l.isReadable(r) {
			continue
		}
		value := l.fold.of(l.net.lit(l.f.Numbers(r).Num[0]))
		first, isRepeated := seen[value]
		switch {
		case value == noLit:
		case value == 0:
			l.add(syntax.CodeConstantProperty, r, 0, message("the property is constant 0: it always holds"))
		case value == 1:
			l.add(syntax.CodeConstantProperty, r, 0, message("the property is constant 1: it is violated as soon as the constraints allow a step"))
		case isRepeated:
			l.add(syntax.CodeDuplicateProperty, r, 0, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("the same as %s %d: both have the same verdict", section.One(), first-lo)
				d.Relate(l.f.NumberSpan(first, 0), "%s %d", section.One(), first-lo)
			})
		default:
			seen[value] = r
		}
	}
	l.asides()
}

// asides looks for lemmas and covers that are constant or repeat another.
func (l *linter) asides() {
	type question struct {
		kind  syntax.AsideKind
		value nodeLit
	}
	seen := map[question]syntax.Aside{}
	constant := [...][2]string{
		syntax.AsideLemma: {"the lemma is constant 0: it never holds", "the lemma is constant 1: it says nothing"},
		syntax.AsideCover: {"the cover is constant 0: no run reaches it", "the cover is constant 1: every step reaches it"},
	}
	for _, a := range l.f.Asides() {
		q := question{a.Kind, l.fold.of(l.net.lit(a.Lit))}
		first, isRepeated := seen[q]
		switch {
		case q.value == noLit:
		case q.value <= 1:
			l.keep(syntax.Catalogue.Diagnostic(syntax.CodeConstantProperty, a.Target, "%s", constant[a.Kind][q.value]))
		case isRepeated:
			d := syntax.Catalogue.Diagnostic(syntax.CodeDuplicateProperty, a.Target, "the same as %s %d: both have the same verdict", a.Kind, first.Index)
			d.Relate(first.Target, "%s %d", a.Kind, first.Index)
			l.keep(d)
		default:
			seen[q] = a
		}
	}
}

// checkMax looks whether M could be smaller.
func (l *linter) checkMax() {
	f := l.f
	limit := f.Header()[0]
	m, largest := limit.Value, f.LargestVar()
	if len(f.Faults()) > 0 || largest >= m {
		return
	}
	span := limit.Span
	diag := syntax.Catalogue.Diagnostic(syntax.CodeMaxTooLarge, span, "M is %d, the largest variable used is %d", m, largest)
	diag.AddFix(fmt.Sprintf("Set M to %d", largest), source.Edit{Span: span, NewText: fmt.Sprint(largest)})
	l.keep(diag)
}

// gates looks for gates that are constant or repeat another. What shows in the
// row alone is reported there.
func (l *linter) gates(ctx context.Context) error {
	f := l.f
	return l.net.gates(ctx, func(g int) {
		r := l.net.lo + g
		same, ok := l.fold.lit(g)
		switch {
		case !ok || f.Numbers(r).IsTrivial() || !f.IsFirst(f.Numbers(r).Num[0], r):
		case same <= 1:
			l.add(syntax.CodeAndConstant, r, 0, message(constantMessage, f.Numbers(r).Num[0], same))
		default:
			l.add(syntax.CodeAndDuplicate, r, 0, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf(sameMessage, f.Numbers(r).Num[0], same)
				definition, _ := f.RowDefining(same >> 1)
				d.Relate(f.NumberSpan(definition, 0), "definition of %d", same&^1)
			})
		}
	})
}

// unused looks for definitions on which nothing depends that can be seen from
// outside.
func (l *linter) unused(ctx context.Context) error {
	f := l.f
	if len(f.Faults()) > 0 { // what looks unused may be what a faulty row means
		return nil
	}
	used, err := l.net.cone(ctx)
	if err != nil || used == nil {
		return err
	}
	for _, s := range []struct {
		kind syntax.SectionKind
		code source.Code
	}{{syntax.SectionInputs, syntax.CodeInputUnused}, {syntax.SectionLatches, syntax.CodeLatchUnused}, {syntax.SectionAnds, syntax.CodeAndUnused}} {
		lo, hi := f.RowsOf(s.kind)
		for r := lo; r < hi; r++ {
			if used[r] || !f.IsFirst(f.Numbers(r).Num[0], r) {
				continue
			}
			l.add(s.code, r, 0, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("nothing depends on %s %d", s.kind.One(), f.Numbers(r).Num[0])
				d.Span = f.Text().LineSpan(f.LineOf(r))
				d.Unnecessary = true
			})
		}
	}
	return nil
}

// cone marks the rows on which an output, property, constraint or fairness
// constraint depends, lemmas and covers among the properties. It is nil when the file has none of these.
func (n *net) cone(ctx context.Context) (used []bool, err error) {
	used = make([]bool, n.f.NumRows())
	var open []int
	visit := func(l nodeLit) {
		if r := l.node() - 1; l != noLit && r >= 0 && !used[r] {
			used[r] = true
			open = append(open, r)
		}
	}
	roots := 0
	outputs, _ := n.f.RowsOf(syntax.SectionOutputs)
	for r := outputs; r < n.lo; r++ { // all sections between latches and ANDs but the sizes
		if k, _, ok := n.f.Place(r); ok && k != syntax.SectionJustice {
			visit(n.lit(n.f.Numbers(r).Num[0]))
			roots++
		}
	}
	for _, a := range n.f.Asides() {
		visit(n.lit(a.Lit))
		roots++
	}
	if roots == 0 {
		return nil, nil
	}
	firstLatch, endLatch := n.f.RowsOf(syntax.SectionLatches)
	for steps := 0; len(open) > 0; steps++ {
		if steps%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := open[len(open)-1]
		open = open[:len(open)-1]
		switch {
		case n.lo <= r && r < n.hi:
			visit(n.ops[r-n.lo][0])
			visit(n.ops[r-n.lo][1])
		case firstLatch <= r && r < endLatch:
			row := n.f.Numbers(r)
			visit(n.lit(row.Num[1]))
			if row.N == 3 {
				visit(n.lit(row.Num[2]))
			}
		}
	}
	return used, nil
}

// The messages of an AND that equals a literal.
const (
	constantMessage = "AND %d is constant %d"
	sameMessage     = "AND %d computes the same as %d"
)

// SameAs returns the literal that the AND of a finding equals by the structure of the circuit. It
// reads it there, for finding it again takes a look at the whole circuit.
func SameAs(d source.Diagnostic) (lit uint32, ok bool) {
	format := constantMessage
	if d.Code == syntax.CodeAndDuplicate {
		format = sameMessage
	}
	var gate uint32
	_, err := fmt.Sscanf(d.Message, format, &gate, &lit)
	return lit, err == nil
}
