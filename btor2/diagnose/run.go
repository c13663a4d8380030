package diagnose

import (
	"context"
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Run returns what only the whole text shows, sorted by place. Of each code there are at most a thousand. The error is that
// of the context.
func Run(ctx context.Context, f *syntax.File) ([]source.Diagnostic, error) {
	if f.Structural() != nil {
		return nil, ctx.Err()
	}
	l := linter{f: f, m: f.Model(), list: findings.NewList(syntax.Catalogue), hints: map[source.Code]int{}}
	var err error
	if l.values, err = newValues(ctx, l.m, false); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{l.operators, l.constraints, l.properties, l.asides, l.unused} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return folded(findings.Values(l.list.Finish()), l.hints), nil
}

// Of one code a file has at most maxHints hints, and otherwise one that refers to maxPlaces more places: a program has
// written such a file.
const (
	maxHints  = 20
	maxPlaces = 50
)

// folded puts one hint in the place of many of a code, of which there are so many, also beyond those that were kept.
func folded(found []source.Diagnostic, count map[source.Code]int) (all []source.Diagnostic) {
	first := map[source.Code]int{}
	for _, d := range found {
		at, has := first[d.Code]
		switch n := count[d.Code]; {
		case n <= maxHints || d.Severity != source.Hint:
			all = append(all, d)
		case !has:
			first[d.Code] = len(all)
			d.Message += fmt.Sprintf("; the same kind at %d more places", n-1)
			all = append(all, d)
		case len(all[at].Related) < maxPlaces:
			all[at].Relate(d.Span, "%s", d.Message)
			if d.Code == syntax.CodeRowUnused && len(all[at].Fixes) == 0 { // what is offered at one is for all
				all[at].Fixes = d.Fixes
			}
		}
	}
	return all
}

// linter collects what Run returns.
type linter struct {
	f *syntax.File
	m *syntax.Model
	*values
	list  findings.List
	hints map[source.Code]int // by code, also those that the list does not keep
}

// idPlace is the place of the number of a row, before those of its operands.
const idPlace = -1

// add adds a finding at an operand of a row or at its number. The message is written, and the place looked for, only if the
// finding is kept.
func (l *linter) add(code source.Code, row, operand int, complete func(d *source.Diagnostic)) {
	l.addAs(syntax.Catalogue.Finding(code, source.Span{}, "").Severity, code, row, operand, complete)
}

// addAs is add with another severity than that of the code.
func (l *linter) addAs(severity source.Severity, code source.Code, row, operand int, complete func(d *source.Diagnostic)) {
	if severity == source.Hint {
		l.hints[code]++
	}
	if l.list.IsFull(code) {
		l.list.Add(code, source.Span{}, "")
		return
	}
	d := syntax.Catalogue.Finding(code, l.place(row, operand), "")
	d.Severity = severity
	complete(&d)
	l.list.Keep(d)
}

// place returns where an operand of a row stands, or its number.
func (l *linter) place(row, operand int) source.Span {
	words := l.f.LayoutOf(row).Words
	n := &l.m.Nodes[row]
	at := 0
	if operand != idPlace {
		at = 2 + operand // after number and tag
		if n.Op.HasSort() || n.Op == syntax.Justice {
			at++
		}
	}
	return words[at]
}

// relate adds the place of the row that an operand is.
func (l *linter) relate(d *source.Diagnostic, r syntax.Ref) {
	d.Relate(l.place(r.Node(), idPlace), "row %d", l.m.Nodes[r.Node()].ID)
}

// operators looks at each operator: for what is constant by the row itself, and for what repeats another row. What follows from
// an operand that is constant is said there.
func (l *linter) operators(ctx context.Context) error {
	for row := range l.m.Nodes {
		if row%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n := &l.m.Nodes[row]
		if !n.Sound || !n.Op.IsOperator() || n.IsAlias() || n.Op == syntax.Not || l.follows(n) {
			continue
		}
		value, isConstant := l.isConstant(syntax.Ref(2 * row))
		switch same := l.same[row]; {
		case l.dividesByZero(n):
			l.add(syntax.CodeDivisionByZero, row, 1, func(d *source.Diagnostic) {
				d.Message = "the divisor is always 0: " + byZero[n.Op]
			})
		case n.Op == syntax.Ite && l.decides(n):
			l.add(syntax.CodeConstantCondition, row, 0, func(d *source.Diagnostic) {
				c, _ := l.isConstant(n.Args[0])
				d.Message = fmt.Sprintf("the condition is always %d: the value is that of %s", c, l.m.Operand(n.Args[2-c]))
			})
		case isConstant && l.isOfConstants(n):
		case isConstant && n.Op >= syntax.Eq && n.Op <= syntax.Implies:
			l.add(syntax.CodeConstantComparison, row, idPlace, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("%s is always %d: %s", n.Op, value, l.reason(n))
			})
		case isConstant:
			l.add(syntax.CodeConstantRow, row, idPlace, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("the value is always %d", value)
			})
		case same.Node() != row && !same.IsNegated() && !l.isWiring(n):
			l.add(syntax.CodeRowRepeated, row, idPlace, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("the same value as %s", l.m.Operand(same))
				l.relate(d, same)
			})
		}
	}
	return nil
}

// byZero is what division by 0 gives.
var byZero = map[syntax.Op]string{
	syntax.Udiv: "the quotient has all bits 1", syntax.Sdiv: "the quotient is 1 of a negative number, else -1",
	syntax.Urem: "the remainder is the number itself", syntax.Srem: "the remainder is the number itself", syntax.Smod: "the remainder is the number itself",
}

func (l *linter) dividesByZero(n *syntax.Node) bool {
	if n.Op < syntax.Udiv || n.Op > syntax.Smod {
		return false
	}
	c, ok := l.isConstant(n.Args[1])
	return ok && c == 0
}

// decides reports whether the condition of a choice is constant.
func (l *linter) decides(n *syntax.Node) bool {
	_, ok := l.isConstant(n.Args[0])
	return ok
}

// follows reports whether an operand is an operator that is constant: what is constant because of it has been said.
func (l *linter) follows(n *syntax.Node) bool {
	for _, r := range n.Args {
		if _, ok := l.isConstant(r); ok && l.m.Nodes[r.Node()].Op.IsOperator() {
			return true
		}
	}
	return false
}

// isOfConstants reports whether all operands are rows of constants: writers extend and join them.
func (l *linter) isOfConstants(n *syntax.Node) bool {
	for _, r := range n.Args {
		if !l.m.Nodes[r.Node()].Op.IsConstant() {
			return false
		}
	}
	return true
}

// isWiring reports whether a row only takes bits, of which writers take the same ones again and again.
func (l *linter) isWiring(n *syntax.Node) bool {
	return n.Op == syntax.Slice || n.Op == syntax.Uext || n.Op == syntax.Sext || n.Op == syntax.Concat
}

// reason says why a comparison is decided.
func (l *linter) reason(n *syntax.Node) string {
	a, b := n.Args[0], n.Args[1]
	switch l.sameAs(a) {
	case l.sameAs(b):
		return "both sides are the same value"
	case l.sameAs(b) ^ 1:
		return "one side is the negation of the other"
	}
	sort := l.m.Nodes[a.Node()].Sort
	return fmt.Sprintf("the left side is %s, the right side %s", rangeText(l.of(a), sort), rangeText(l.of(b), sort))
}

func rangeText(s span, sort syntax.Sort) string {
	switch {
	case s.isPoint():
		return fmt.Sprint(s.low)
	case s.low == 0 && s.high == mask(sort.Width):
		return "any number of " + findings.Count(sort.Width, "bit", "bits")
	case s.low == 0:
		return fmt.Sprintf("at most %d", s.high)
	case s.high == mask(sort.Width):
		return fmt.Sprintf("at least %d", s.low)
	}
	return fmt.Sprintf("from %d to %d", s.low, s.high)
}

// constraints looks for constraints that are constant, or false in every start.
func (l *linter) constraints(ctx context.Context) error {
	if len(l.m.Constraints) == 0 {
		return nil
	}
	start, err := newValues(ctx, l.m, true)
	if err != nil {
		return err
	}
	for _, row := range l.m.Constraints {
		n := &l.m.Nodes[row]
		if !n.Sound {
			continue
		}
		value, isConstant := l.isConstant(n.Args[0])
		atStart, isDecided := start.isConstant(n.Args[0])
		switch {
		case isConstant && value == 0:
			l.say(syntax.CodeConstantConstraint, row, 0, "the constraint is never met: every property holds, and proofs mean nothing")
		case isConstant:
			l.addAs(source.Hint, syntax.CodeConstantConstraint, row, 0, func(d *source.Diagnostic) {
				d.Message = "the constraint is always met: it has no effect"
			})
		case isDecided && atStart == 0:
			l.say(syntax.CodeConstraintAtStart, row, 0, "no start meets the constraint: every property holds, and proofs mean nothing")
		}
	}
	return nil
}

func (l *linter) say(code source.Code, row, operand int, message string) {
	l.add(code, row, operand, func(d *source.Diagnostic) { d.Message = message })
}

// properties looks for bads and conditions of justice that are constant, and for bads that repeat another.
func (l *linter) properties(context.Context) error {
	seen := map[syntax.Ref]int{}
	for _, row := range l.m.Bads {
		n := &l.m.Nodes[row]
		if !n.Sound {
			continue
		}
		same := l.sameAs(n.Args[0])
		first, isRepeated := seen[same]
		switch value, isConstant := l.isConstant(n.Args[0]); {
		case isConstant && value == 0:
			l.say(syntax.CodeConstantProperty, row, 0, "the condition is always 0: the property holds")
		case isConstant:
			l.say(syntax.CodeConstantProperty, row, 0, "the condition is always 1: the property is violated as soon as the constraints allow a step")
		case isRepeated:
			l.add(syntax.CodeDuplicateProperty, row, 0, func(d *source.Diagnostic) {
				d.Message = fmt.Sprintf("the same condition as in row %d: both have the same verdict", l.m.Nodes[first].ID)
				l.relate(d, syntax.Ref(2*first))
			})
		default:
			seen[same] = row
		}
	}
	for _, row := range l.m.Justice {
		n := &l.m.Nodes[row]
		if !n.Sound {
			continue
		}
		for i, r := range n.Args {
			switch value, isConstant := l.isConstant(r); {
			case isConstant && value == 0:
				l.say(syntax.CodeConstantProperty, row, i, "the condition is always 0: the property holds")
			case isConstant:
				l.say(syntax.CodeConstantProperty, row, i, "the condition is always 1: it has no effect")
			}
		}
	}
	return nil
}

// asides looks for lemmas and covers that are constant or repeat another.
func (l *linter) asides(context.Context) error {
	constant := map[syntax.Op][2]string{
		syntax.Lemma: {"the lemma is always 0: it is never proved", "the lemma is always 1: it says nothing"},
		syntax.Cover: {"the cover is always 0: no run reaches it", "the cover is always 1: every run reaches it"},
	}
	for _, rows := range [][]int{l.m.Lemmas, l.m.Covers} {
		seen := map[syntax.Ref]int{}
		for i, row := range rows {
			n := &l.m.Nodes[row]
			if !n.Sound {
				continue
			}
			same := l.sameAs(n.Args[0])
			first, isRepeated := seen[same]
			value, isConstant := l.isConstant(n.Args[0])
			fix := source.Fix{Title: "Delete the line", Edits: []source.Edit{l.f.Deletion(row)}}
			switch {
			case isConstant:
				l.add(syntax.CodeConstantProperty, row, 0, func(d *source.Diagnostic) {
					d.Message, d.Fixes = constant[n.Op][value], []source.Fix{fix}
				})
			case isRepeated:
				l.add(syntax.CodeDuplicateProperty, row, 0, func(d *source.Diagnostic) {
					d.Message, d.Fixes = fmt.Sprintf("the same as %s %d: both have the same verdict", n.Op, first), []source.Fix{fix}
					d.Relate(l.place(rows[first], 0), "%s %d", n.Op, first)
				})
			default:
				seen[same] = i
			}
		}
	}
	return nil
}

// unused looks for rows on which nothing depends that is asked or shown, and for sorts that no row has. Rows that follow each
// other are one finding.
func (l *linter) unused(ctx context.Context) error {
	if l.hasErrors() { // what looks unused may be what a faulty row means
		return nil
	}
	u, err := findUses(ctx, l.m)
	if err != nil {
		return err
	}
	for row := 0; row < len(l.m.Nodes); {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n := &l.m.Nodes[row]
		if n.Op == syntax.SortRow && !u.used[row] {
			l.add(syntax.CodeSortUnused, row, idPlace, func(d *source.Diagnostic) {
				d.Message, d.Span, d.Unnecessary = "no row has this sort", l.rows(row, row), true
				d.Fixes = []source.Fix{{Title: "Delete the row", Edits: []source.Edit{l.f.Deletion(row)}}}
			})
		}
		end := row
		for end < len(l.m.Nodes) && u.isUnused(end) {
			end++
		}
		if end > row {
			l.unusedRows(u, row, end)
		}
		row = max(end, row+1)
	}
	return nil
}

// unusedRows adds the finding of rows from one up to another.
func (l *linter) unusedRows(u *uses, from, to int) {
	l.add(syntax.CodeRowUnused, from, idPlace, func(d *source.Diagnostic) {
		d.Span, d.Unnecessary = l.rows(from, to-1), true
		d.Message = "nothing that is asked or shown depends on this row"
		if to-from > 1 {
			d.Message = "nothing that is asked or shown depends on these " + findings.Count(to-from, "row", "rows")
		}
		for row := from; row < to; row++ {
			if u.canGo(row) {
				d.Fixes = []source.Fix{{Title: "Delete all operators and constants that no row needs", Later: func() []source.Edit { return l.deletions(u) }}}
				return
			}
		}
	})
}

// rows returns the span of rows without what stands around them.
func (l *linter) rows(first, last int) source.Span {
	words := l.f.LayoutOf(last).Words
	return source.SpanFromTo(l.place(first, idPlace).Start, words[len(words)-1].End())
}

func (l *linter) hasErrors() bool {
	for _, d := range l.f.Diagnostics() {
		if d.Severity == source.Error {
			return true
		}
	}
	return false
}

// deletions deletes the rows that can go.
func (l *linter) deletions(u *uses) (edits []source.Edit) {
	for row := range l.m.Nodes {
		if u.canGo(row) {
			edits = append(edits, l.f.Deletion(row))
		}
	}
	return edits
}
