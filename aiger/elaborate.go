package aiger

import (
	"context"
	"math"
	"slices"
	"sort"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
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

	file   *syntax.File
	lits   []circuit.Lit  // by row of the file: the literal of the variable that it defines, or unset
	faults []syntax.Fault // by row: those of the file, and cycles
	cycles []*source.Diagnostic
	// structural is an error that makes every verdict meaningless, or nil.
	structural *source.Diagnostic
}

const unset = ^circuit.Lit(0)

// LineFromOrigin returns the line (from 0) of an element of an elaborated
// circuit, or -1 for an element that has no row.
func LineFromOrigin(o circuit.Origin) int { return int(o) - 1 }

func originOf(f *syntax.File, r int) circuit.Origin { return circuit.Origin(f.LineOf(r) + 1) }

// Elaborate builds the circuit. The result is not cached.
func Elaborate(f *syntax.File) *Elaboration {
	e, _ := ElaborateWithin(context.Background(), f) // which does not end
	return e
}

// ElaborateWithin is Elaborate as long as a context lives: the error is that of ctx.
func ElaborateWithin(ctx context.Context, f *syntax.File) (*Elaboration, error) {
	x := elaborator{
		ctx:  ctx,
		f:    f,
		b:    circuit.NewBuilder(min(sizeOf(f, syntax.SectionInputs)+sizeOf(f, syntax.SectionLatches)+sizeOf(f, syntax.SectionAnds), f.NumRows())),
		lits: make([]circuit.Lit, f.NumRows()),
	}
	for i := range x.lits {
		x.lits[i] = unset
	}
	for _, step := range []func(){x.state, x.gates, x.next, x.properties} {
		step()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	e := &Elaboration{Circuit: x.b.Build(), file: f, lits: x.lits}
	cycles, err := diagnose.FindCycles(ctx, f)
	if err != nil {
		return nil, err
	}
	e.cycles = cycles.Diagnostics
	e.faults = slices.Concat(f.Faults(), cycles.Faults)
	sortFaults(e.faults)
	e.structural = f.Structural()
	return e, nil
}

// elaborator builds a circuit from the rows of a file.
type elaborator struct {
	ctx   context.Context
	steps int  // rows looked at
	ended bool // ctx has, and whatever is built is dropped

	f    *syntax.File
	b    *circuit.Builder
	lits []circuit.Lit          // by row
	cuts map[uint32]circuit.Lit // undefined variables
	open []int                  // gates being built
	busy []bool                 // by row: waits for an operand; nil until a gate has to
}

// pollEvery is how many steps pass between two looks at a context, a power of 2.
const pollEvery = 4096

// hasEnded counts a step and reports whether the context has ended.
func (x *elaborator) hasEnded() bool {
	if x.steps++; x.steps%pollEvery == 0 {
		x.ended = x.ended || x.ctx.Err() != nil
	}
	return x.ended
}

// gates builds all ANDs.
func (x *elaborator) gates() {
	lo, hi := x.f.RowsOf(syntax.SectionAnds)
	for r := lo; r < hi && !x.hasEnded(); r++ {
		if x.lits[r] == unset {
			x.gate(r)
		}
	}
}

// state creates the inputs and latches, malformed ones too, so that positions
// stay those of the file.
func (x *elaborator) state() {
	lo, hi := x.f.RowsOf(syntax.SectionInputs)
	for r := lo; r < hi && !x.hasEnded(); r++ {
		x.lits[r] = x.b.Input(originOf(x.f, r))
	}
	lo, hi = x.f.RowsOf(syntax.SectionLatches)
	for r := lo; r < hi && !x.hasEnded(); r++ {
		x.lits[r] = x.b.Latch(originOf(x.f, r))
	}
}

// gate builds the AND of a row and of all that it depends on.
func (x *elaborator) gate(r int) {
	x.open = append(x.open[:0], r)
	for len(x.open) > 0 && !x.hasEnded() {
		r := x.open[len(x.open)-1]
		if x.lits[r] != unset {
			x.close(r)
			continue
		}
		row := x.f.Numbers(r)
		if !x.isSoundGate(r) {
			x.lits[r] = x.b.Input(originOf(x.f, r))
			x.close(r)
			continue
		}
		waiting := false
		for _, lit := range row.Num[1:] {
			if operand, ok := gateRow(x.f, lit>>1); ok && x.lits[operand] == unset {
				waiting = x.await(r, operand) || waiting
			}
		}
		if !waiting && x.lits[r] == unset {
			x.lits[r] = x.b.And(x.lit(row.Num[1]), x.lit(row.Num[2]))
			x.close(r)
		}
	}
}

// await puts an operand of gate r on the stack. When it is there already there
// is a cycle, which is cut at the operand.
func (x *elaborator) await(r, operand int) bool {
	if x.busy == nil {
		x.busy = make([]bool, len(x.lits))
	}
	x.busy[r] = true
	if x.busy[operand] {
		x.lits[operand] = x.b.Input(originOf(x.f, operand))
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
	if row.N != 3 || !row.IsSound() || row.Num[0]&1 == 1 || row.Num[0] == 0 {
		return false
	}
	first, _ := x.f.RowDefining(row.Num[0] >> 1)
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
	if int(row.N) <= i || !row.IsSound() && row.Num[i] == math.MaxUint32 {
		return x.b.Input(originOf(x.f, r))
	}
	return x.lit(row.Num[i])
}

// next completes the latches.
func (x *elaborator) next() {
	cut := map[int]bool{} // rows whose reset depends on itself
	cycles, err := diagnose.ResetCycles(x.ctx, x.f)
	if err != nil {
		return // as the context of x says
	}
	for _, c := range cycles {
		for _, r := range c.Latches {
			cut[r] = true
		}
	}
	lo, hi := x.f.RowsOf(syntax.SectionLatches)
	for r := lo; r < hi && !x.hasEnded(); r++ {
		latch := x.lits[r]
		row := x.f.Numbers(r)
		x.b.SetNext(latch, x.number(r, 1))
		switch {
		case row.N < 3:
		case cut[r] || row.N > 3 || !row.IsSound(): // no cycle is looked for after a malformed row
			x.b.SetReset(latch, x.b.Input(0))
		case row.Num[2] == row.Num[0]:
			x.b.SetReset(latch, latch)
		default:
			x.b.SetReset(latch, x.number(r, 2))
		}
	}
}

func (x *elaborator) properties() {
	for _, s := range []struct {
		kind syntax.SectionKind
		add  func(circuit.Lit, circuit.Origin)
	}{
		{syntax.SectionOutputs, x.b.Output}, {syntax.SectionBads, x.b.Bad},
		{syntax.SectionConstraints, x.b.Constraint}, {syntax.SectionFairness, x.b.Fairness},
	} {
		lo, hi := x.f.RowsOf(s.kind)
		for r := lo; r < hi && !x.hasEnded(); r++ {
			s.add(x.number(r, 0), originOf(x.f, r))
		}
	}
	sizes, _ := x.f.RowsOf(syntax.SectionJustice)
	lits, _ := x.f.RowsOf(syntax.SectionJusticeLits)
	for i := range sizeOf(x.f, syntax.SectionJustice) {
		var ls []circuit.Lit
		from, to := x.f.JusticeLiterals(i)
		for r := lits + from; r < lits+to && !x.hasEnded(); r++ {
			ls = append(ls, x.number(r, 0))
		}
		x.b.Justice(ls, originOf(x.f, sizes+i))
	}
	for _, a := range x.f.Asides() {
		addAside(x.b, a.Kind, x.lit(a.Lit), circuit.Origin(a.Line+1))
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

// Error returns the first error of the file, with its place, or nil: without one the circuit
// is that of the whole file.
func (e *Elaboration) Error() error { return errorIn(e.file, e.cycles) }

// gateRow returns the AND row that defines v; ok is false when v is defined by
// something else or not at all.
func gateRow(f *syntax.File, v uint32) (r int, ok bool) {
	r, ok = f.RowDefining(v)
	lo, hi := f.RowsOf(syntax.SectionAnds)
	return r, ok && lo <= r && r < hi && f.Numbers(r).N >= 3
}

func sortFaults(faults []syntax.Fault) {
	sort.SliceStable(faults, func(i, j int) bool {
		if faults[i].Row != faults[j].Row {
			return faults[i].Row < faults[j].Row
		}
		return faults[i].Diagnostic.Span.Start < faults[j].Diagnostic.Span.Start
	})
}

// sizeOf returns the number of rows of a section.
func sizeOf(f *syntax.File, k syntax.SectionKind) int {
	lo, hi := f.RowsOf(k)
	return hi - lo
}
