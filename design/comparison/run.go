package comparison

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// maxRows bounds the rows of either side whose values are told, maxValues these values.
const (
	maxRows   = 2000
	maxValues = 1_000_000
)

// Run is a run of both sides that tells them apart in its last step.
type Run struct {
	Steps    int
	Observed Signal // the output or property that differs
	// Rows are those of the texts that the difference depends on, up to a bound, by side.
	Rows [2][]Row
	// Words are those of the rows, of which the signals of bits are positions, by side.
	Words [2][]runs.TraceWord
}

// Signal is what differs, on both sides.
type Signal struct {
	Name          string
	Values, Other string // 0, 1 or x for each step; of constraints 1 where a step is allowed
}

// Row is a signal of a text over the steps of a run.
type Row struct {
	Span    source.Span // where it is defined
	Name    string      // of one without a name its literal
	Kind    circuit.Kind
	Values  string // 0, 1 or x for each step
	Other   string // those of its partner on the other side: an input or latch as matched, a gate of the same name
	Differs *int   // the first step in which they differ; nil for none
}

// RunFrom returns the run in which a report's first difference shows, with the values of the rows
// of both texts that it depends on; nil when there is no difference. The error is that of ctx.
func RunFrom(ctx context.Context, docs [2]*design.Design, r *equiv.Report) (*Run, error) {
	d := FirstDifference(r)
	if d == nil {
		return nil, ctx.Err()
	}
	observed, err := observed(ctx, r.Matching, d)
	if err != nil {
		return nil, err
	}
	var sides [2][]signal
	for i, doc := range docs {
		if sides[i], err = signalsOf(ctx, doc, r.Matching, i, d); err != nil {
			return nil, err
		}
	}
	run := &Run{Steps: d.Step + 1, Observed: observed}
	for i := range docs {
		other := partners(r.Matching, 1-i, sides[1-i], sides[i])
		for _, s := range sides[i] {
			row := Row{Span: s.place.Span, Name: s.place.Name, Kind: r.Matching.Sides[i].Circuit.Kind(s.lit.Var()), Values: s.values}
			if o, ok := other(s); ok {
				row.Other = o.values
				row.Differs = firstDiffering(s.values, o.values)
			}
			run.Rows[i] = append(run.Rows[i], row)
		}
		if run.Words[i], err = wordsOf(ctx, docs[i], sides[i], run.Rows[i]); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// wordsOf returns the words of the rows of a side. The error is that of ctx.
func wordsOf(ctx context.Context, doc *design.Design, signals []signal, rows []Row) ([]runs.TraceWord, error) {
	groups := map[circuit.Kind]string{circuit.KindInput: runs.GroupInputs, circuit.KindLatch: runs.GroupLatches, circuit.KindAnd: runs.GroupGates}
	shown := make([]runs.TraceSignal, len(signals))
	for i, s := range signals {
		shown[i] = runs.TraceSignal{Group: groups[rows[i].Kind], Lit: s.lit.NotIf(s.place.Negated)}
	}
	return runs.TraceWords(ctx, doc, shown)
}

// observed returns what differs, over the steps of its run. The error is that of ctx.
func observed(ctx context.Context, m *compare.Matching, d *compare.Difference) (s Signal, err error) {
	s.Name = "constraints"
	values := [2]string{}
	for side := range values {
		c := m.Sides[side].Circuit
		var lits []circuit.Lit
		negated := false
		if d.Pair >= 0 {
			p := m.Observed[d.Pair]
			lits, negated = []circuit.Lit{m.Sides[side].Lit(p.On(side))}, p.Negated && side == 1
			s.Name = m.Sides[0].Label(p.A)
		} else {
			for _, one := range c.Constraints() {
				lits = append(lits, one.Lit)
			}
		}
		run, err := trace.New(ctx, c, d.Traces[side])
		if err != nil {
			return s, err
		}
		rows, err := run.Values(ctx, d.Step+1, lits...)
		if err != nil {
			return s, err
		}
		all := make([]circuit.Value, d.Step+1)
		for step := range all {
			all[step] = circuit.One
			for _, row := range rows {
				if v := row[step]; v == circuit.Zero || v == circuit.X && all[step] == circuit.One {
					all[step] = v
				}
			}
			all[step] = all[step].NotIf(negated)
		}
		values[side] = trace.Digits(all)
	}
	s.Values, s.Other = values[0], values[1]
	return s, nil
}

// signal is a row of a text over the steps of a run.
type signal struct {
	lit    circuit.Lit // of its side
	place  design.SourceSignal
	values string // 0, 1 or x for each step
}

// partners returns what finds the signal of a side that is to be the same as one of the other
// side, from which the other signals are: inputs and latches as the comparison has matched them,
// gates by a name that stands once on either side.
func partners(m *compare.Matching, side int, here, others []signal) func(signal) (signal, bool) {
	isGate := func(side int, s signal) bool {
		return m.Sides[side].Circuit.Kind(s.lit.Var()) == circuit.KindAnd
	}
	byVar, byName, count := map[circuit.Var]signal{}, map[string]signal{}, [2]map[string]int{{}, {}}
	for _, s := range here {
		byVar[s.lit.Var()], byName[s.place.Name] = s, s
		count[0][s.place.Name]++
	}
	for _, s := range others {
		count[1][s.place.Name]++
	}
	matched := map[circuit.Var]circuit.Var{}
	for _, p := range slices.Concat(m.Inputs, m.Latches) {
		matched[m.Sides[1-side].Lit(p.On(1-side)).Var()] = m.Sides[side].Lit(p.On(side)).Var()
	}
	return func(o signal) (s signal, ok bool) {
		if isGate(1-side, o) {
			s = byName[o.place.Name]
			ok = count[0][o.place.Name] == 1 && count[1][o.place.Name] == 1 && isGate(side, s)
		} else if v, has := matched[o.lit.Var()]; has {
			s, ok = byVar[v]
		}
		return s, ok && s.place.Negated == o.place.Negated
	}
}

// signalsOf returns the signals of a side that a difference depends on and that have a place in
// the text, in the order of the circuit.
func signalsOf(ctx context.Context, doc *design.Design, m *compare.Matching, side int, d *compare.Difference) (all []signal, err error) {
	c := m.Sides[side].Circuit
	run, err := trace.New(ctx, c, d.Traces[side])
	if err != nil {
		return nil, err
	}
	var lits []circuit.Lit
	inCone := m.Cone(side, d)
	most := min(maxRows, maxValues/(d.Step+1))
	for v := circuit.Var(1); int(v) < c.NumVars() && len(lits) < most; v++ {
		if !inCone[v] {
			continue
		}
		place, ok := doc.SourceOf(v.Lit())
		if !ok || place.Other != nil || place.Span.Length == 0 {
			continue
		}
		all = append(all, signal{lit: v.Lit(), place: place})
		lits = append(lits, v.Lit().NotIf(place.Negated))
	}
	values, err := run.Values(ctx, d.Step+1, lits...)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].values = trace.Digits(values[i])
	}
	return all, nil
}

// firstDiffering returns the first step in which two signals differ for sure; nil for none.
func firstDiffering(a, b string) *int {
	for step := range min(len(a), len(b)) {
		if a[step] != b[step] && a[step] != 'x' && b[step] != 'x' {
			return &step
		}
	}
	return nil
}
