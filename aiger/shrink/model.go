// Package shrink says what can be left out of an AIGER file, as passes of package minimize: properties, latches, gates, inputs,
// names.
//
// It knows no engine, runs no program and reads no file: the caller says what is interesting.
package shrink

import (
	"slices"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/internal/minimize"
)

// pass is a minimize.Pass over models whose change works in place, on a copy.
func pass(name string, units func(*aiger.Model) int, change func(m *aiger.Model, lo, hi int)) minimize.Pass[*aiger.Model] {
	return minimize.Pass[*aiger.Model]{Name: name, Units: units, Without: func(m *aiger.Model, lo, hi int) *aiger.Model {
		n := clone(m)
		change(n, lo, hi)
		return n
	}}
}

// Passes returns what can be left out of a file: properties, outputs, constraints; latches
// become constants or inputs, gates constants or one of their operands, inputs constants;
// resets that are free or functions become 0. A model that is a circuit stays one, and what
// is left keeps its names and numbers.
func Passes() []minimize.Pass[*aiger.Model] {
	all := []minimize.Pass[*aiger.Model]{
		list("outputs", syntax.SectionOutputs, func(m *aiger.Model) *[]uint32 { return &m.Outputs }),
		list("bads", syntax.SectionBads, func(m *aiger.Model) *[]uint32 { return &m.Bads }),
		pass("justice properties", func(m *aiger.Model) int { return len(m.Justice) }, func(m *aiger.Model, lo, hi int) {
			dropRange(m, syntax.SectionJustice, len(m.Justice), lo, hi)
			m.Justice = slices.Delete(m.Justice, lo, hi)
		}),
		pass("literals of justice properties", goals, withoutGoals),
		list("constraints", syntax.SectionConstraints, func(m *aiger.Model) *[]uint32 { return &m.Constraints }),
		pass("lemmas and covers", func(m *aiger.Model) int { return len(m.Asides()) }, withoutAsides),
		list("fairness conditions", syntax.SectionFairness, func(m *aiger.Model) *[]uint32 { return &m.Fairness }),
	}
	latches := func(m *aiger.Model) int { return len(m.Latches) }
	gates := func(m *aiger.Model) int { return len(m.Ands) }
	inputs := func(m *aiger.Model) int { return len(m.Inputs) }
	// Inputs first: they make properties easier to refute, and most others of no consequence.
	all = append(all, pass("latches", latches, latchesToInputs))
	for _, by := range []uint32{0, 1} {
		all = append(all, pass("latches", latches, func(m *aiger.Model, lo, hi int) { latchesTo(m, lo, hi, by) }))
	}
	for _, by := range []func(syntax.And) uint32{
		func(syntax.And) uint32 { return 0 }, func(syntax.And) uint32 { return 1 },
		func(g syntax.And) uint32 { return g.RHS0 }, func(g syntax.And) uint32 { return g.RHS1 },
	} {
		all = append(all, pass("gates", gates, func(m *aiger.Model, lo, hi int) { gatesTo(m, lo, hi, by) }))
	}
	for _, by := range []uint32{0, 1} {
		all = append(all, pass("inputs", inputs, func(m *aiger.Model, lo, hi int) { inputsTo(m, lo, hi, by) }))
	}
	return append(all, pass("resets", resets, withoutResets))
}

// Tidy returns what hardly ever matters: comments, gates that are constant or equal to an
// operand, and gates, latches and inputs that nothing depends on.
func Tidy() []minimize.Pass[*aiger.Model] {
	return []minimize.Pass[*aiger.Model]{
		pass("comment", func(m *aiger.Model) int {
			if m.HasComment {
				return 1
			}
			return 0
		}, func(m *aiger.Model, _, _ int) { m.Comment, m.HasComment = "", false }),
		pass("trivial gates", func(m *aiger.Model) int {
			if slices.ContainsFunc(m.Ands, func(g syntax.And) bool { _, ok := trivial(g); return ok }) {
				return 1
			}
			return 0
		}, func(m *aiger.Model, _, _ int) { fold(m) }),
		pass("unused elements", func(m *aiger.Model) int {
			used := usedVars(m)
			unused := func(lit uint32) bool { return !used[lit/2] }
			if slices.ContainsFunc(m.Ands, func(g syntax.And) bool { return unused(g.LHS) }) || slices.ContainsFunc(m.Inputs, unused) ||
				slices.ContainsFunc(m.Latches, func(l syntax.Latch) bool { return unused(l.Lit) }) {
				return 1
			}
			return 0
		}, func(m *aiger.Model, _, _ int) { dropUnused(m) }),
	}
}

// Names returns the pass that leaves out names.
func Names() minimize.Pass[*aiger.Model] {
	return pass("names", func(m *aiger.Model) int { return len(m.Symbols) }, func(m *aiger.Model, lo, hi int) {
		m.Symbols = slices.Delete(m.Symbols, lo, hi)
	})
}

// list is a pass over the rows of a section of one literal each.
func list(name string, kind syntax.SectionKind, of func(*aiger.Model) *[]uint32) minimize.Pass[*aiger.Model] {
	return pass(name, func(m *aiger.Model) int { return len(*of(m)) }, func(m *aiger.Model, lo, hi int) {
		dropRange(m, kind, len(*of(m)), lo, hi)
		*of(m) = slices.Delete(*of(m), lo, hi)
	})
}

// dropNames leaves out the names of elements of a section of size n that go; those of the
// elements after them move.
func dropNames(m *aiger.Model, kind syntax.SectionKind, n int, goes func(i int) bool) {
	to, next := make([]int, n), 0
	for i := range to {
		to[i] = next
		if goes(i) {
			to[i] = -1
			continue
		}
		next++
	}
	kept := m.Symbols[:0]
	for _, s := range m.Symbols {
		if s.Kind == kind && s.Index < n {
			s.Index = to[s.Index]
		}
		if s.Index >= 0 {
			kept = append(kept, s)
		}
	}
	m.Symbols = kept
}

// dropRange is dropNames of the elements from lo to hi.
func dropRange(m *aiger.Model, kind syntax.SectionKind, n, lo, hi int) {
	dropNames(m, kind, n, func(i int) bool { return lo <= i && i < hi })
}

func goals(m *aiger.Model) (n int) {
	for _, lits := range m.Justice {
		n += len(lits)
	}
	return n
}

func withoutGoals(m *aiger.Model, lo, hi int) {
	at := 0
	for i, lits := range m.Justice {
		m.Justice[i] = slices.DeleteFunc(lits, func(uint32) bool {
			at++
			return lo < at && at <= hi
		})
	}
}

// WithoutAsides returns the model without its lemmas and covers.
func WithoutAsides(m *aiger.Model) *aiger.Model {
	n := clone(m)
	withoutAsides(n, 0, len(n.Asides()))
	return n
}

func withoutAsides(m *aiger.Model, lo, hi int) {
	at := 0
	m.SubstituteAsides(func(a syntax.AsideEntry) (uint32, bool) {
		if a.IsDangling || a.Kind == syntax.AsideBit {
			return a.Lit, true
		}
		at++
		return a.Lit, at <= lo || hi < at
	})
}

func latchesTo(m *aiger.Model, lo, hi int, by uint32) {
	to := substitution{}
	for _, l := range m.Latches[lo:hi] {
		to[l.Lit/2] = by
	}
	dropRange(m, syntax.SectionLatches, len(m.Latches), lo, hi)
	m.Latches = slices.Delete(m.Latches, lo, hi)
	to.apply(m)
}

func latchesToInputs(m *aiger.Model, lo, hi int) {
	for i := range m.Symbols {
		if s := &m.Symbols[i]; s.Kind == syntax.SectionLatches && s.Index >= lo && s.Index < hi {
			s.Kind, s.Index = syntax.SectionInputs, len(m.Inputs)+s.Index-lo
		}
	}
	for _, l := range m.Latches[lo:hi] {
		m.Inputs = append(m.Inputs, l.Lit)
	}
	dropRange(m, syntax.SectionLatches, len(m.Latches), lo, hi)
	m.Latches = slices.Delete(m.Latches, lo, hi)
}

func gatesTo(m *aiger.Model, lo, hi int, by func(syntax.And) uint32) {
	to := substitution{}
	for _, g := range m.Ands[lo:hi] {
		to[g.LHS/2] = by(g)
	}
	m.Ands = slices.Delete(m.Ands, lo, hi)
	to.apply(m)
}

func inputsTo(m *aiger.Model, lo, hi int, by uint32) {
	to := substitution{}
	for _, lit := range m.Inputs[lo:hi] {
		to[lit/2] = by
	}
	dropRange(m, syntax.SectionInputs, len(m.Inputs), lo, hi)
	m.Inputs = slices.Delete(m.Inputs, lo, hi)
	to.apply(m)
}

// resets returns how many latches are free or start with a function.
func resets(m *aiger.Model) (n int) {
	for _, l := range m.Latches {
		if l.Reset > 1 {
			n++
		}
	}
	return n
}

func withoutResets(m *aiger.Model, lo, hi int) {
	at := 0
	for i := range m.Latches {
		if l := &m.Latches[i]; l.Reset > 1 {
			if lo <= at && at < hi {
				l.Reset = 0
			}
			at++
		}
	}
}

func clone(m *aiger.Model) *aiger.Model {
	n := *m
	n.Inputs, n.Latches, n.Ands = slices.Clone(m.Inputs), slices.Clone(m.Latches), slices.Clone(m.Ands)
	n.Outputs, n.Bads = slices.Clone(m.Outputs), slices.Clone(m.Bads)
	n.Constraints, n.Fairness = slices.Clone(m.Constraints), slices.Clone(m.Fairness)
	n.Symbols = slices.Clone(m.Symbols)
	n.Justice = nil
	for _, lits := range m.Justice {
		n.Justice = append(n.Justice, slices.Clone(lits))
	}
	// A name may go with its element while the literal goes on as another one, or come to
	// mean one when another element of the name goes.
	n.MarkUndefinedAsides()
	n.SubstituteAsides(func(a syntax.AsideEntry) (uint32, bool) { return a.Lit, true })
	return &n
}
