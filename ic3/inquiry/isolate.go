package inquiry

import (
	"context"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// FreedGroup is what came of leaving a group free.
type FreedGroup struct {
	Group []int // positions of latches
	// Freed is the answer about the circuit in which they are free. Only a proof says
	// something of the circuit.
	Freed verify.Result
	// Whole is the proof, checked against the circuit as it is; nil without one.
	Whole *verify.Result
}

// mostGroups bounds the groups that LatchGroups makes.
const mostGroups = 24

// LatchGroups divides the latches that a property depends on: by what their names have in common,
// and where that leaves too many groups, or there are no names, by how near they are to the
// property. The smaller groups come first. The error is that of ctx, or
// circuit.ErrNoProperty.
func LatchGroups(ctx context.Context, c *circuit.Circuit, p circuit.Property, names []string) ([][]int, error) {
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return nil, err
	}
	var groups [][]int
	at := map[string]int{}
	for _, i := range cone.Latches {
		stem := ""
		if i < len(names) {
			stem = stemOf(names[i])
		}
		g, known := at[stem]
		if stem == "" || !known {
			g = len(groups)
			groups = append(groups, nil)
			if stem != "" {
				at[stem] = g
			}
		}
		groups[g] = append(groups[g], i)
	}
	for len(groups) > mostGroups {
		var merged [][]int
		for pair := range slices.Chunk(groups, 2) {
			merged = append(merged, slices.Concat(pair...))
		}
		groups = merged
	}
	if len(groups) == 1 && len(groups[0]) > 1 {
		all := groups[0]
		groups = slices.Collect(slices.Chunk(all, (len(all)+mostGroups-1)/mostGroups))
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return len(a) - len(b) })
	return groups, nil
}

// stemOf returns what the names of the bits of a vector have in common.
func stemOf(name string) string {
	if open := strings.LastIndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		return name[:open]
	}
	return strings.TrimRight(name, "0123456789")
}

// Isolate finds out which part of a cone makes property p of c hard: it leaves groups of latches
// free, one group after another, and tries to prove the property. A free latch may have any value
// in any step, so that there are more runs: what is proved of them is proved of the circuit. This
// is localization: Kurshan, "Computer-Aided Verification of Coordinating Processes" (1994). A
// refutation says nothing. Each proof is checked against the circuit as it is.
//
// Each result is handed to tried as well as soon as it is there, in the order of the groups; tried
// may be nil. Isolate ends early with ctx; what was tried by then counts.
func Isolate(ctx context.Context, c *circuit.Circuit, p circuit.Property, groups [][]int, terms Terms, tried func(FreedGroup)) (tries []FreedGroup, err error) {
	if _, ok := c.Bad(p); !ok {
		return nil, circuit.ErrNoBad
	}
	for number, group := range groups {
		if ctx.Err() != nil {
			return tries, ctx.Err()
		}
		t, err := tryGroup(ctx, c, p, group, &terms, terms.reporting(number))
		if err != nil {
			return tries, err
		}
		if ctx.Err() != nil && t.Whole == nil {
			return tries, ctx.Err()
		}
		tries = append(tries, t)
		if tried != nil {
			tried(t)
		}
	}
	return tries, nil
}

// tryGroup leaves a group free.
func tryGroup(ctx context.Context, c *circuit.Circuit, p circuit.Property, group []int, terms *Terms, progress func(verify.Progress)) (t FreedGroup, err error) {
	freed, latches := freeLatches(c, p, group)
	t = FreedGroup{Group: group}
	t.Freed = terms.run(ctx, freed, progress)
	if t.Freed.Checked.Outcome() != cert.Proved {
		return t, nil
	}
	var inv cert.Invariant
	for _, clause := range t.Freed.Checked.Invariant() {
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			own[i] = c.Latches()[latches[freed.LatchIndex(l.Var())]].Lit.NotIf(l.IsNegated())
		}
		inv = append(inv, own)
	}
	whole, err := verify.ImportedProof(ctx, c, p, inv, t.Freed)
	if ctx.Err() != nil {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Whole = &whole
	return t, nil
}

// freeLatches returns c with the question of property p as bad 0 and with inputs in the places of some
// latches, and the positions in c of the latches that it has.
func freeLatches(c *circuit.Circuit, p circuit.Property, group []int) (freed *circuit.Circuit, latches []int) {
	b := circuit.NewBuilder(c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.Inputs() {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	isFree := make([]bool, len(c.Latches()))
	for _, i := range group {
		isFree[i] = true
	}
	for i, l := range c.Latches() {
		if isFree[i] {
			to[l.Lit.Var()] = b.Input(l.Origin)
			continue
		}
		to[l.Lit.Var()] = b.Latch(l.Origin)
		latches = append(latches, i)
	}
	for v := range to {
		if left, right, ok := c.Operands(circuit.Var(v)); ok {
			to[v] = b.And(lit(left), lit(right))
		}
	}
	for _, i := range latches {
		l := c.Latches()[i]
		b.SetNext(lit(l.Lit), lit(l.Next))
		b.SetReset(lit(l.Lit), lit(l.Reset))
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	bad, _ := c.Bad(p)
	b.Bad(lit(bad), 0)
	return b.Build(), latches
}
