package aiger

import (
	"math"
	"slices"
	"sort"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Elaboration is the circuit of a File. Whatever is faulty in the file is cut:
// a variable without a sound definition becomes an additional input at the end
// of the circuit's inputs, so that there is always a circuit. Fault says which
// properties are affected by that.
type Elaboration struct {
	// Circuit has the inputs, latches and properties of the file at the same
	// positions; each element's Origin is 1 + the number of its line.
	Circuit *circuit.Circuit

	file   *File
	lits   []circuit.Lit // by row of the file: the literal of the variable that it defines, or unset
	faults []fault       // by row: those of the file, and circles
	// structural is an error that makes every verdict meaningless, or nil.
	structural *source.Diagnostic
}

const unset = ^circuit.Lit(0)

// LineFromOrigin returns the line (from 0) of an element of an elaborated
// circuit, or -1 for an element that has no row.
func LineFromOrigin(o circuit.Origin) int { return int(o) - 1 }

func (f *File) originOf(r int) circuit.Origin { return circuit.Origin(f.lineOf(r) + 1) }

// Elaborate builds the circuit. The result is not cached.
func (f *File) Elaborate() *Elaboration {
	x := elaborator{
		f:    f,
		b:    circuit.NewBuilder(min(f.sizeOf(SectionInputs)+f.sizeOf(SectionLatches)+f.sizeOf(SectionAnds), f.NumRows())),
		lits: make([]circuit.Lit, f.NumRows()),
	}
	for i := range x.lits {
		x.lits[i] = unset
	}
	x.state()
	lo, hi := f.rowsOf(SectionAnds)
	for r := lo; r < hi; r++ {
		if x.lits[r] == unset {
			x.gate(r)
		}
	}
	x.next()
	x.properties()
	e := &Elaboration{Circuit: x.b.Build(), file: f, lits: x.lits}
	e.faults = slices.Concat(f.Faults(), f.findCycles().faults)
	sortFaults(e.faults)
	e.structural = f.Structural()
	return e
}

// elaborator builds a circuit from the rows of a file.
type elaborator struct {
	f    *File
	b    *circuit.Builder
	lits []circuit.Lit          // by row
	cuts map[uint32]circuit.Lit // undefined variables
	open []int                  // gates being built
	busy []bool                 // by row: waits for an operand; nil until a gate has to
}

// state creates the inputs and latches, malformed ones too, so that positions
// stay those of the file.
func (x *elaborator) state() {
	lo, hi := x.f.rowsOf(SectionInputs)
	for r := lo; r < hi; r++ {
		x.lits[r] = x.b.Input(x.f.originOf(r))
	}
	lo, hi = x.f.rowsOf(SectionLatches)
	for r := lo; r < hi; r++ {
		x.lits[r] = x.b.Latch(x.f.originOf(r))
	}
}

// gate builds the AND of a row and of all that it depends on.
func (x *elaborator) gate(r int) {
	x.open = append(x.open[:0], r)
	for len(x.open) > 0 {
		r := x.open[len(x.open)-1]
		if x.lits[r] != unset {
			x.close(r)
			continue
		}
		row := x.f.Numbers(r)
		if !x.isSoundGate(r) {
			x.lits[r] = x.b.Input(x.f.originOf(r))
			x.close(r)
			continue
		}
		waiting := false
		for _, lit := range row.num[1:] {
			if operand, ok := x.f.gateRow(lit >> 1); ok && x.lits[operand] == unset {
				waiting = x.await(r, operand) || waiting
			}
		}
		if !waiting && x.lits[r] == unset {
			x.lits[r] = x.b.And(x.lit(row.num[1]), x.lit(row.num[2]))
			x.close(r)
		}
	}
}

// await puts an operand of gate r on the stack. When it is there already there
// is a circle, which is cut at the operand.
func (x *elaborator) await(r, operand int) bool {
	if x.busy == nil {
		x.busy = make([]bool, len(x.lits))
	}
	x.busy[r] = true
	if x.busy[operand] {
		x.lits[operand] = x.b.Input(x.f.originOf(operand))
		return false
	}
	x.open = append(x.open, operand)
	return true
}

func (x *elaborator) close(r int) {
	x.open = x.open[:len(x.open)-1]
	if x.busy != nil {
		x.busy[r] = false
	}
}

// isSoundGate reports whether an AND row defines its variable as it should.
func (x *elaborator) isSoundGate(r int) bool {
	row := x.f.Numbers(r)
	if row.n != 3 || !row.isSound() || row.num[0]&1 == 1 || row.num[0] == 0 {
		return false
	}
	first, _ := x.f.RowDefining(row.num[0] >> 1)
	return first == r
}

// lit returns the circuit's literal for a literal of the file, cutting what is
// not defined.
func (x *elaborator) lit(lit uint32) circuit.Lit {
	v := lit >> 1
	if v == 0 {
		return circuit.Lit(lit)
	}
	negated := lit&1 == 1
	if r, ok := x.f.RowDefining(v); ok && x.lits[r] != unset {
		return x.lits[r].NotIf(negated)
	}
	cut, ok := x.cuts[v]
	if !ok {
		if x.cuts == nil {
			x.cuts = map[uint32]circuit.Lit{}
		}
		cut = x.b.Input(0)
		x.cuts[v] = cut
	}
	return cut.NotIf(negated)
}

// number returns the literal that the i-th number of a row stands for; one
// that cannot be read is cut.
func (x *elaborator) number(r, i int) circuit.Lit {
	row := x.f.Numbers(r)
	if int(row.n) <= i || !row.isSound() && row.num[i] == math.MaxUint32 {
		return x.b.Input(x.f.originOf(r))
	}
	return x.lit(row.num[i])
}

// next completes the latches.
func (x *elaborator) next() {
	lo, hi := x.f.rowsOf(SectionLatches)
	for r := lo; r < hi; r++ {
		latch := x.lits[r]
		row := x.f.Numbers(r)
		x.b.SetNext(latch, x.number(r, 1))
		switch {
		case row.n < 3:
		case row.num[2] == row.num[0]:
			x.b.SetReset(latch, latch)
		default:
			x.b.SetReset(latch, x.number(r, 2))
		}
	}
}

func (x *elaborator) properties() {
	for _, s := range []struct {
		kind SectionKind
		add  func(circuit.Lit, circuit.Origin)
	}{
		{SectionOutputs, x.b.Output}, {SectionBads, x.b.Bad},
		{SectionConstraints, x.b.Constraint}, {SectionFairness, x.b.Fairness},
	} {
		lo, hi := x.f.rowsOf(s.kind)
		for r := lo; r < hi; r++ {
			s.add(x.number(r, 0), x.f.originOf(r))
		}
	}
	sizes, _ := x.f.rowsOf(SectionJustice)
	lits, _ := x.f.rowsOf(SectionJusticeLits)
	for i := range x.f.sizeOf(SectionJustice) {
		var ls []circuit.Lit
		from, to := x.f.JusticeLiterals(i)
		for r := lits + from; r < lits+to; r++ {
			ls = append(ls, x.number(r, 0))
		}
		x.b.Justice(ls, x.f.originOf(sizes+i))
	}
}

// LitOf returns the circuit's literal for a literal of the file. Structural
// hashing may give several of the file the same one. ok is false when the
// variable is not soundly defined.
func (e *Elaboration) LitOf(lit uint32) (l circuit.Lit, ok bool) {
	if lit <= 1 {
		return circuit.Lit(lit), true
	}
	r, ok := e.file.RowDefining(lit >> 1)
	if !ok || e.lits[r] == unset || e.faultOf(r) != nil {
		return 0, false
	}
	return e.lits[r].NotIf(lit&1 == 1), true
}

// gateRow returns the AND row that defines v; ok is false when v is defined by
// something else or not at all.
func (f *File) gateRow(v uint32) (r int, ok bool) {
	r, ok = f.RowDefining(v)
	lo, hi := f.rowsOf(SectionAnds)
	return r, ok && lo <= r && r < hi && f.Numbers(r).n >= 3
}

func sortFaults(faults []fault) {
	sort.SliceStable(faults, func(i, j int) bool {
		if faults[i].row != faults[j].row {
			return faults[i].row < faults[j].row
		}
		return faults[i].diag.Span.Start < faults[j].diag.Span.Start
	})
}

// sizeOf returns the number of rows of a section.
func (f *File) sizeOf(k SectionKind) int {
	lo, hi := f.rowsOf(k)
	return hi - lo
}
