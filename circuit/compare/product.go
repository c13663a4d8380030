package compare

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Product is a circuit in which both sides run at once. Its bads are:
//
//   - one for each question, 1 in a step in which the answer is that they differ;
//   - one for each pair of latches that are one latch in it, 1 in a step after which they
//     would differ. As long as none of these has been 1, the product does what both sides
//     do: by induction over the steps each latch has the value of those it stands for.
//   - at last, the disjunction of all.
//
// So a question is answered with no when its bad and those of the pairs of latches are
// never 1, and a run to its bad is one of both sides when those of the latches are 0
// before.
type Product struct {
	Circuit *circuit.Circuit
	// Questions is their number. Those of a product of the observed signals are the pairs
	// of Matching.Observed that were asked for, in order; those of a product of the runs
	// are whether the first, and whether the second, allows a step that the other forbids.
	Questions int
	// Merged are the pairs of latches that are one latch, as positions in
	// Matching.Latches, in the order of their bads.
	Merged []int

	m *Matching
	// inputs and latches say, by element of B, which element of the product it is.
	inputs, latches []int
}

// Question returns the property that answers question k.
func (p *Product) Question(k int) circuit.Property {
	return circuit.Property{Kind: circuit.PropertyBad, Index: k}
}

// All returns the property that all questions are answered with no, and all merged
// latches stay equal.
func (p *Product) All() circuit.Property {
	return circuit.Property{Kind: circuit.PropertyBad, Index: p.Questions + len(p.Merged)}
}

// builder makes a product.
type builder struct {
	*circuit.Builder
	m  *Matching
	to [2][]circuit.Lit // by side and variable
	p  *Product
}

func (x *builder) lit(side int, l circuit.Lit) circuit.Lit {
	return x.to[side][l.Var()].NotIf(l.IsNegated())
}

// Differences returns the product that asks of some of the observed pairs whether they
// differ, in the runs that both sides allow. merged says which pairs of latches are one
// latch, where their resets allow that.
func (m *Matching) Differences(pairs []int, merged []bool) *Product {
	x := m.newBuilder(merged)
	for side := range m.Sides {
		for _, s := range m.Sides[side].Circuit.Constraints() {
			x.Constraint(x.lit(side, s.Lit), 0)
		}
	}
	var questions []circuit.Lit
	for _, i := range pairs {
		p := m.Observed[i]
		a, b := x.lit(0, m.Sides[0].Lit(p.A)), x.lit(1, m.Sides[1].Lit(p.B))
		questions = append(questions, x.Xor(a, b.NotIf(p.Negated)))
	}
	return x.finish(questions, circuit.True)
}

// Runs returns the product that asks whether the same runs are allowed. It has a latch
// more, the last one, which is 1 as long as both sides have allowed all steps before.
func (m *Matching) Runs(merged []bool) *Product {
	x := m.newBuilder(merged)
	both := x.Latch(0)
	x.SetReset(both, circuit.True)
	allowed := [2]circuit.Lit{circuit.True, circuit.True}
	for side := range allowed {
		for _, s := range m.Sides[side].Circuit.Constraints() {
			allowed[side] = x.And(allowed[side], x.lit(side, s.Lit))
		}
	}
	still := x.And(both, x.And(allowed[0], allowed[1]))
	x.SetNext(both, still)
	return x.finish([]circuit.Lit{
		x.And(both, x.And(allowed[0], allowed[1].Not())),
		x.And(both, x.And(allowed[1], allowed[0].Not())),
	}, still)
}

// newBuilder begins a product: inputs, latches and gates.
func (m *Matching) newBuilder(merged []bool) *builder {
	a, b := m.Sides[0].Circuit, m.Sides[1].Circuit
	x := &builder{Builder: circuit.NewBuilder(a.NumVars() + b.NumVars()), m: m, p: &Product{m: m}}
	x.to = [2][]circuit.Lit{make([]circuit.Lit, a.NumVars()), make([]circuit.Lit, b.NumVars())}
	x.inputs()
	x.latches(merged)
	for side := range m.Sides {
		c := m.Sides[side].Circuit
		for v := range circuit.Var(c.NumVars()) {
			if left, right, ok := c.Operands(v); ok {
				x.to[side][v] = x.And(x.lit(side, left), x.lit(side, right))
			}
		}
	}
	return x
}

// inputs adds those of A, and those of B that are not matched.
func (x *builder) inputs() {
	a, b := x.m.Sides[0].Circuit.Inputs(), x.m.Sides[1].Circuit.Inputs()
	for _, in := range a {
		x.to[0][in.Lit.Var()] = x.Input(0)
	}
	x.p.inputs = make([]int, len(b))
	partner := x.m.partners(x.m.Inputs, len(b))
	next := len(a)
	for i, in := range b {
		if partner[i] >= 0 {
			x.p.inputs[i] = x.m.Inputs[partner[i]].A.Index
			x.to[1][in.Lit.Var()] = x.to[0][a[x.p.inputs[i]].Lit.Var()]
			continue
		}
		x.to[1][in.Lit.Var()] = x.Input(0)
		x.p.inputs[i] = next
		next++
	}
}

// partners returns, by element of B, the pair that it is in, or −1.
func (m *Matching) partners(pairs []Pair, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = -1
	}
	for i, p := range pairs {
		at[p.B.Index] = i
	}
	return at
}

// Mergeable reports whether a pair of latches may be one latch: its resets are the same
// value, or both free.
func (m *Matching) Mergeable(pair int) bool {
	p := m.Latches[pair]
	x, y := m.Sides[0].Circuit.Latches()[p.A.Index], m.Sides[1].Circuit.Latches()[p.B.Index]
	return x.IsFree() && y.IsFree() || !x.HasFunction() && !x.IsFree() && x.Reset == y.Reset
}

// latches adds those of A, and those of B that are not merged with one of A.
func (x *builder) latches(merged []bool) {
	a, b := x.m.Sides[0].Circuit.Latches(), x.m.Sides[1].Circuit.Latches()
	for _, l := range a {
		x.to[0][l.Lit.Var()] = x.Latch(0)
	}
	x.p.latches = make([]int, len(b))
	partner := x.m.partners(x.m.Latches, len(b))
	next := len(a)
	for i, l := range b {
		if k := partner[i]; k >= 0 && merged[k] && x.m.Mergeable(k) {
			x.p.latches[i] = x.m.Latches[k].A.Index
			x.to[1][l.Lit.Var()] = x.to[0][a[x.p.latches[i]].Lit.Var()]
			x.p.Merged = append(x.p.Merged, k)
			continue
		}
		x.to[1][l.Lit.Var()] = x.Latch(0)
		x.p.latches[i] = next
		next++
	}
}

// finish completes the latches and adds the bads. while holds in the steps after which it
// matters what the latches are.
func (x *builder) finish(questions []circuit.Lit, while circuit.Lit) *Product {
	a, b := x.m.Sides[0].Circuit.Latches(), x.m.Sides[1].Circuit.Latches()
	for _, l := range a {
		own := x.lit(0, l.Lit)
		x.SetNext(own, x.lit(0, l.Next))
		x.SetReset(own, x.lit(0, l.Reset))
	}
	all := circuit.False
	bad := func(l circuit.Lit) {
		x.Bad(l, 0)
		all = x.Or(all, l)
	}
	for _, q := range questions {
		bad(q)
	}
	merged := make(map[int]bool, len(x.p.Merged)) // latches of B
	for _, k := range x.p.Merged {
		pair := x.m.Latches[k]
		merged[pair.B.Index] = true
		bad(x.And(while, x.Xor(x.lit(0, a[pair.A.Index].Next), x.lit(1, b[pair.B.Index].Next))))
	}
	partner := x.m.partners(x.m.Latches, len(b))
	for i, l := range b {
		if merged[i] {
			continue
		}
		own := x.lit(1, l.Lit)
		x.SetNext(own, x.lit(1, l.Next))
		x.SetReset(own, x.lit(1, l.Reset))
		if k := partner[i]; k >= 0 && l.IsFree() && a[x.m.Latches[k].A.Index].IsFree() {
			x.SetReset(own, x.lit(0, a[x.m.Latches[k].A.Index].Lit)) // they start equal
		}
	}
	bad(all)
	x.p.Questions = len(questions)
	x.p.Circuit = x.Build()
	return x.p
}

// Split returns what a run of the product is on each side.
func (p *Product) Split(t cert.Trace) (sides [2]cert.Trace) {
	a, b := p.m.Sides[0].Circuit, p.m.Sides[1].Circuit
	inputs, latches := make([]int, len(a.Inputs())), make([]int, len(a.Latches()))
	for i := range inputs {
		inputs[i] = i
	}
	for i := range latches {
		latches[i] = i
	}
	sides[0], sides[1] = t.Restrict(latches, inputs), t.Restrict(p.latches, p.inputs)
	for _, pair := range p.m.Latches {
		if x, y := a.Latches()[pair.A.Index], b.Latches()[pair.B.Index]; x.IsFree() && y.IsFree() {
			sides[1].Initial[pair.B.Index] = sides[0].Initial[pair.A.Index]
		}
	}
	return sides
}

// Steps returns a circuit whose bad 0 can be 1 iff both sides allow some step 0.
func (m *Matching) Steps() *circuit.Circuit {
	x := m.newBuilder(make([]bool, len(m.Latches)))
	for side := range m.Sides {
		for _, s := range m.Sides[side].Circuit.Constraints() {
			x.Constraint(x.lit(side, s.Lit), 0)
		}
	}
	return x.finish([]circuit.Lit{circuit.True}, circuit.True).Circuit
}

// With returns the product with another circuit in its place, of the same inputs, latches
// and bads at the same positions.
func (p *Product) With(c *circuit.Circuit) *Product {
	with := *p
	with.Circuit = c
	return &with
}
