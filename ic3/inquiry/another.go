package inquiry

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/bmc"
	"aiglens/ic3/verify"
)

// FindAnother returns a counterexample to property p of c, one of safety, that is none of those
// in known, which are checked ones. A run counts as known when it ends like a known one: the
// latches that matter there have the same values in its last steps, whatever came before.
//
// Where there is no other the result is proved: each run up to its first violation ends like a
// known one. Else it is unknown, and says why. The error is that of ctx, or circuit.ErrNoBad.
func FindAnother(ctx context.Context, c *circuit.Circuit, p circuit.Property, known []cert.Trace, terms Terms) (verify.Result, error) {
	bad, ok := c.Bad(p)
	if !ok {
		return verify.Result{}, circuit.ErrNoBad
	}
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	before := b.Latch(0) // a run ends with its first violation
	b.SetNext(before, b.Or(before, to(bad)))
	other := b.And(to(bad), before.Not())
	for _, t := range known {
		steps, err := mattering(ctx, c, bad, t)
		if err != nil {
			return verify.Result{}, err
		}
		other = b.And(other, endsLike(b, to, steps).Not())
	}
	b.Bad(other, 0)
	return askBad(ctx, c, p, b.Build(), terms)
}

// mattering returns, by step of a run to bad, the latches that have a part in it, as literals
// that are 1 there.
func mattering(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, t cert.Trace) ([][]circuit.Lit, error) {
	r, err := trace.New(ctx, c, t)
	if err != nil {
		return nil, err
	}
	support, err := r.Support(ctx, trace.Event{Lit: bad, Step: t.Steps() - 1})
	if err != nil {
		return nil, err
	}
	steps := make([][]circuit.Lit, t.Steps())
	for _, l := range support.Latches {
		lit := c.Latches()[l.Index].Lit
		for step := l.First; step <= l.Last; step++ {
			if v := r.Value(lit, step); v != circuit.X {
				steps[step] = append(steps[step], lit.NotIf(v == circuit.Zero))
			}
		}
	}
	return steps, nil
}

// endsLike returns a literal that is 1 where the last steps of a run were those given. It adds
// a latch for each of them but the last.
func endsLike(b *circuit.Builder, to func(circuit.Lit) circuit.Lit, steps [][]circuit.Lit) circuit.Lit {
	before := circuit.True // what came before does not matter
	for i, lits := range steps {
		now := before
		for _, l := range lits {
			now = b.And(now, to(l))
		}
		if i == len(steps)-1 {
			return now
		}
		before = b.Latch(0)
		b.SetNext(before, now)
	}
	return circuit.False
}

// askBad asks about bad 0 of a circuit that begins with the inputs and latches of c, and returns
// what it finds as a result about c.
func askBad(ctx context.Context, c *circuit.Circuit, p circuit.Property, asked *circuit.Circuit, terms Terms) (verify.Result, error) {
	r := terms.run(ctx, asked, terms.reporting(0))
	if ctx.Err() != nil || r.Checked.Outcome() != cert.Refuted {
		return r, ctx.Err()
	}
	t := r.Checked.Trace()
	t.Initial = t.Initial[:len(c.Latches())]
	return verify.ImportedAsIs(ctx, c, p, t)
}

// Shortest is what is known of the length of counterexamples.
type Shortest struct {
	// Result is the shortest counterexample that was found.
	Result verify.Result
	// Bound is the number of steps in which a bounded search has found no violation.
	Bound int
	// Proof says, with a certificate that was checked, that no counterexample has fewer steps;
	// nil as long as that is not proved.
	Proof *verify.Result
}

// IsShortest reports whether no counterexample has fewer steps, as far as the search is right.
func (s Shortest) IsShortest() bool {
	return s.Proof != nil || s.Bound >= s.Result.Checked.Trace().Steps()-1
}

// searchPortion is the effort of a bounded search between two looks at the clock of the caller.
const searchPortion = 2_000_000

// FindShortest looks for a counterexample to property p of c that is shorter than known, a
// checked one, and tries to prove that none is. The limits hold for the search and for the
// proof, each by itself. The error is that of ctx or verify's.
func FindShortest(ctx context.Context, c *circuit.Circuit, p circuit.Property, known verify.Result, terms Terms) (s Shortest, err error) {
	bad, ok := c.Bad(p)
	if !ok {
		return s, circuit.ErrNoBad
	}
	s.Result = known
	if err := s.search(ctx, c, p, bad, terms); err != nil {
		return s, err
	}
	for steps := s.Result.Checked.Trace().Steps(); ; {
		b := circuit.NewBuilder(c.NumVars())
		to := circuit.CopyConstrained(c, b)
		b.Bad(b.And(to(bad), earlier(b, steps-1)), 0)
		found, err := askBad(ctx, c, p, b.Build(), terms)
		switch {
		case err != nil:
			return s, err
		case found.Checked.Outcome() == cert.Proved:
			s.Proof = &found
			return s, nil
		case found.Checked.Outcome() != cert.Refuted || found.Checked.Trace().Steps() >= steps:
			return s, nil
		}
		s.Result, steps = found, found.Checked.Trace().Steps()
	}
}

// search has a bounded search go up to the length of what is known.
func (s *Shortest) search(ctx context.Context, c *circuit.Circuit, p circuit.Property, bad circuit.Lit, terms Terms) error {
	limited, stop := verify.WithLimits(ctx, terms.Limits)
	defer stop()
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	b.Bad(to(bad), 0)
	search := bmc.NewSearch(b.Build())
	for effort := int64(searchPortion); search.Depth() < s.Result.Checked.Trace().Steps()-1 && !search.Exhausted(); effort += searchPortion {
		t, err := search.Advance(limited, effort)
		s.Bound = search.Depth()
		if err != nil {
			return ctx.Err() // at a limit what is known stays
		}
		if report := terms.reporting(0); report != nil {
			report(verify.Progress{Bound: s.Bound})
		}
		if t != nil && t.Steps() < s.Result.Checked.Trace().Steps() {
			s.Result, err = verify.Imported(ctx, c, p, *t)
			return err
		}
	}
	return ctx.Err()
}

// earlier returns a literal that is 1 in the first steps of a run, so many: a counter of the
// steps, which stops after them.
func earlier(b *circuit.Builder, steps int) circuit.Lit {
	var bits []circuit.Lit
	for n := steps; n > 0; n >>= 1 {
		bits = append(bits, b.Latch(0))
	}
	at := circuit.True // the counter has come to steps
	for i, l := range bits {
		at = b.And(at, l.NotIf(steps>>i&1 == 0))
	}
	carry := at.Not()
	for _, l := range bits {
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
	}
	return at.Not()
}
