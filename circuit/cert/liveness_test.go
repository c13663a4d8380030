package cert_test

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/shared"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

func checkJustice(c *circuit.Circuit, v cert.Verdict) error {
	_, err := cert.Check(context.Background(), c, justice0, v)
	return err
}

// wantObligation fails unless a verdict on justice 0 is rejected for that obligation, or
// accepted where it is "".
func wantObligation(t *testing.T, c *circuit.Circuit, v cert.Verdict, obligation string) {
	t.Helper()
	err := checkJustice(c, v)
	var rejected *cert.RejectedError
	if obligation == "" && err != nil || obligation != "" && (!errors.As(err, &rejected) || rejected.Obligation != obligation) {
		t.Errorf("got %v, want a rejection for %q", err, obligation)
	}
}

func ranked(ranks ...cert.Invariant) cert.Verdict {
	return cert.Verdict{Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: ranks}}
}

// values reads rows of 0, 1 and x.
func values(rows ...string) (read [][]circuit.Value) {
	for _, row := range rows {
		values := make([]circuit.Value, len(row))
		for i, b := range row {
			values[i] = map[rune]circuit.Value{'0': circuit.Zero, '1': circuit.One, 'x': circuit.X}[b]
		}
		read = append(read, values)
	}
	return read
}

func lasso(loop int, initial string, inputs ...string) cert.Verdict {
	return cert.Verdict{Outcome: cert.Refuted, Lasso: &cert.Lasso{
		Trace: cert.Trace{Initial: values(initial)[0], Inputs: values(inputs...)}, Loop: loop}}
}

// saturating returns a counter of two bits that adds its input, under the constraint that
// it does not when it is full; the question is whether it adds infinitely often. With a
// second goal, the input must also be 0 infinitely often.
func saturating(goals int) (c *circuit.Circuit, low, high circuit.Lit) {
	b := circuit.NewBuilder(0)
	add := b.Input(0)
	low, high = b.Latch(0), b.Latch(0)
	b.SetNext(low, b.Xor(low, add))
	b.SetNext(high, b.Xor(high, b.And(low, add)))
	b.Constraint(b.And(add, b.And(low, high)).Not(), 0)
	b.Justice([]circuit.Lit{add, add.Not()}[:goals], 0)
	return b.Build(), low, high
}

func TestRankings(t *testing.T) {
	c, low, high := saturating(1)
	counts := []cert.Invariant{
		{{low.Not()}, {high.Not()}}, {{low}, {high.Not()}}, {{low.Not()}, {high}}, {{low}, {high}},
	}
	for name, test := range map[string]struct {
		v          cert.Verdict
		obligation string
	}{
		"each value of the counter":       {ranked(counts...), ""},
		"the later ones hold the earlier": {ranked(cert.Invariant{}, cert.Invariant{{low, high}}, cert.Invariant{{high}}, cert.Invariant{{low}, {high}}), ""},
		"an initial state without rank":   {ranked(counts[1:]...), "start"},
		"no rank at all":                  {ranked(), "start"},
		"an empty rank alone":             {ranked(cert.Invariant{{}}), "start"},
		"an empty rank between":           {ranked(counts[0], counts[1], cert.Invariant{{}}, counts[2], counts[3]), ""},
		"the last value is missing":       {ranked(counts[:3]...), "decrease"},
		"a value between is missing":      {ranked(counts[0], counts[2], counts[3]), "decrease"},
		"two values in one rank":          {ranked(counts[0], cert.Invariant{{low, high}}), "decrease"},
		"the ranks in reverse":            {ranked(counts[3], counts[2], counts[1], counts[0]), "decrease"},
		"all states in one rank":          {ranked(cert.Invariant{}), "decrease"},
		"an input":                        {ranked(cert.Invariant{{c.Inputs()[0].Lit}}), "form"},
		"no such literal":                 {ranked(append(counts, cert.Invariant{{1000}})...), "form"},
		"no ranking":                      {cert.Verdict{Outcome: cert.Proved}, "form"},
		"an invariant":                    {cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{}}}, "form"},
		"a ranking and an invariant":      {cert.Verdict{Outcome: cert.Proved, Ranking: ranked(counts...).Ranking, Invariant: cert.Invariant{}}, "form"},
		"a ranking that refutes":          {cert.Verdict{Outcome: cert.Refuted, Ranking: ranked(counts...).Ranking}, "form"},
		"a ranking and a lasso":           {cert.Verdict{Outcome: cert.Proved, Ranking: ranked(counts...).Ranking, Lasso: lasso(0, "00", "0").Lasso}, "form"},
		"an outcome that is none":         {cert.Verdict{Outcome: 3, Ranking: ranked(counts...).Ranking}, "form"},
	} {
		t.Run(name, func(t *testing.T) { wantObligation(t, c, test.v, test.obligation) })
	}
}

// TestLivenessHeedsItsContext: the check of a ranking and of a lasso ends with its context,
// whenever that is.
func TestLivenessHeedsItsContext(t *testing.T) {
	c, low, high := saturating(1)
	counts := ranked(
		cert.Invariant{{low.Not()}, {high.Not()}}, cert.Invariant{{low}, {high.Not()}},
		cert.Invariant{{low.Not()}, {high}}, cert.Invariant{{low}, {high}})
	b := circuit.NewBuilder(0)
	b.Justice([]circuit.Lit{b.Input(0)}, 0)
	for name, test := range map[string]struct {
		c *circuit.Circuit
		v cert.Verdict
	}{
		"a ranking": {c, counts},
		"a lasso":   {b.Build(), lasso(2, "", "0", "1", "0", "1")},
	} {
		all := shared.NewPolls(0)
		if _, err := cert.Check(all, test.c, justice0, test.v); err != nil || all.Looks < 5 {
			t.Fatalf("%s: %d looks at the context, %v", name, all.Looks, err)
		}
		for end := range all.Looks {
			checked, err := cert.Check(shared.NewPolls(end+1), test.c, justice0, test.v)
			if !errors.Is(err, context.Canceled) || checked.Certified() {
				t.Errorf("%s, ended at look %d: %v", name, end+1, err)
			}
		}
	}
}

// TestClosure: ranks that a step without the end of a round leaves are none.
func TestClosure(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, gone, back := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetNext(gone, b.Or(gone, in))
	b.SetNext(back, b.And(gone, in))
	b.Justice([]circuit.Lit{back}, 0)
	c := b.Build()
	wantObligation(t, c, ranked(cert.Invariant{{gone.Not()}, {back.Not()}}), "closure")
	wantObligation(t, c, ranked(cert.Invariant{{gone.Not()}, {back.Not()}}, cert.Invariant{{gone}}), "decrease")
}

// TestMonotone: a signal that only ever becomes 1 allows a round with the step in which
// it does.
func TestMonotone(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, a, o := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetNext(a, b.Or(a, in))
	b.SetNext(o, b.And(a, in))
	rises := b.And(a.Not(), in) // once
	b.Justice([]circuit.Lit{rises}, 0)
	c := b.Build()
	with := func(ranks []cert.Invariant, signals ...cert.Invariant) cert.Verdict {
		return cert.Verdict{Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: ranks, Monotone: signals}}
	}
	all := []cert.Invariant{{}}
	wantObligation(t, c, with(all), "decrease")
	wantObligation(t, c, with(all, cert.Invariant{{a}}), "")
	wantObligation(t, c, with(all, cert.Invariant{{o}}, cert.Invariant{{a}}), "monotone")
	wantObligation(t, c, with(all, cert.Invariant{{a.Not()}}), "monotone")
	wantObligation(t, c, with(all, cert.Invariant{}), "decrease")
	wantObligation(t, c, with(all, cert.Invariant{{}}), "decrease")
	wantObligation(t, c, with(all, cert.Invariant{{a, o}, {a, o.Not()}}), "")
	wantObligation(t, c, with(all, cert.Invariant{{in}}), "form")
	wantObligation(t, c, with([]cert.Invariant{{{a.Not()}}}, cert.Invariant{{a}}), "closure")
	// The signal need be monotone in the states of the ranking only.
	unreached := []cert.Invariant{{{a, o.Not()}}}
	wantObligation(t, c, with(unreached, cert.Invariant{{a, o}}), "")
	wantObligation(t, c, with(all, cert.Invariant{{a, o}}), "monotone")
}

// TestMonotoneInOrder: a signal may become 0 again when one in front of it changes, as the
// bits of a counter do.
func TestMonotoneInOrder(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, low, high := b.Input(0), b.Latch(0), b.Latch(0)
	full := b.And(low, high)
	counts := b.And(in, full.Not())
	b.SetNext(low, b.Xor(low, counts))
	b.SetNext(high, b.Xor(high, b.And(low, counts)))
	b.Justice([]circuit.Lit{counts}, 0)
	c := b.Build()
	with := func(signals ...cert.Invariant) cert.Verdict {
		return cert.Verdict{Outcome: cert.Proved, Ranking: &cert.Ranking{Ranks: []cert.Invariant{{}}, Monotone: signals}}
	}
	wantObligation(t, c, with(cert.Invariant{{high}}, cert.Invariant{{low}}), "")
	wantObligation(t, c, with(cert.Invariant{{low}}, cert.Invariant{{high}}), "monotone")
	wantObligation(t, c, with(cert.Invariant{{low}}), "monotone")
	wantObligation(t, c, with(cert.Invariant{{high}}), "decrease")
}

// TestRanksOfSeenLatches: with two goals, a ranking may refer to the latches that note
// which of them were met.
func TestRanksOfSeenLatches(t *testing.T) {
	c, _, _ := saturating(2)
	rep, err := c.Repetition(justice0)
	if err != nil {
		t.Fatal(err)
	}
	l := rep.Circuit.Latches()
	low, high, seen := l[0].Lit, l[1].Lit, l[2].Lit
	if rep.Seen() != 2 {
		t.Fatal(rep.Seen())
	}
	// A round ends with the input at 0 after it was 1, and it was 1 at most thrice.
	var ranks []cert.Invariant
	for i := range 4 {
		value := cert.Invariant{{low.NotIf(i&1 == 0)}, {high.NotIf(i&2 == 0)}}
		if i > 0 {
			ranks = append(ranks, append(cert.Invariant{{seen}}, value...))
		}
		ranks = append(ranks, append(cert.Invariant{{seen.Not()}}, value...))
	}
	wantObligation(t, c, ranked(ranks...), "")
	wantObligation(t, c, ranked(ranks[:6]...), "decrease")
	wantObligation(t, c, ranked(append(ranks[:5:5], ranks[6])...), "closure")
}

// TestJusticeWithoutGoals: any infinite run violates a justice property that has no
// literal, when there is no fairness condition.
func TestJusticeWithoutGoals(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, circuit.True)
	b.Justice(nil, 0)
	free := b.Snapshot()
	b.Constraint(b.Or(l.Not(), in), 0)
	wantObligation(t, free, lasso(0, "0", "0"), "")
	wantObligation(t, free, lasso(0, "0", "x"), "")
	wantObligation(t, free, ranked(cert.Invariant{}), "decrease")
	c := b.Build()
	wantObligation(t, c, lasso(0, "0", "0"), "lasso")
	wantObligation(t, c, lasso(1, "0", "0", "1"), "")

	b = circuit.NewBuilder(0)
	l = b.Latch(0)
	b.SetNext(l, circuit.True)
	b.Constraint(l.Not(), 0) // so there are runs, and they end
	b.Justice(nil, 0)
	c = b.Build()
	wantObligation(t, c, ranked(cert.Invariant{{l.Not()}}, cert.Invariant{{l}}), "")
	wantObligation(t, c, ranked(), "start")
	wantObligation(t, c, lasso(0, "0", ""), "lasso")
}

// TestRankingWithoutRuns: where no initial state meets the constraints, nothing has to
// have a rank.
func TestRankingWithoutRuns(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Constraint(l, 0)
	b.Justice([]circuit.Lit{in}, 0)
	c := b.Build()
	wantObligation(t, c, ranked(), "")
	wantObligation(t, c, ranked(cert.Invariant{{}}, cert.Invariant{{l}, {l.Not()}}), "")
	wantObligation(t, c, ranked(cert.Invariant{{l}}), "decrease")
	wantObligation(t, c, lasso(0, "0", "1"), "lasso")
}

func TestLassos(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, other := b.Input(0), b.Input(0)
	was, free, counter := b.Latch(0), b.Latch(0), b.Latch(0)
	b.SetNext(was, in)
	b.SetReset(free, free)
	b.SetNext(counter, counter.Not()) // no gate reads it
	b.SetNext(free, free)
	b.Constraint(b.Or(other.Not(), free), 0) // other ⇒ free
	b.Justice([]circuit.Lit{was}, 0)
	b.Fairness(in.Not(), 0)
	c := b.Build()
	for name, test := range map[string]struct {
		v          cert.Verdict
		obligation string
	}{
		"two steps":                         {lasso(0, "000", "10", "00"), ""},
		"what does not matter is x":         {lasso(0, "xxx", "10", "00"), ""},
		"after a stem":                      {lasso(2, "000", "00", "00", "10", "00"), ""},
		"a latch need not come back":        {lasso(0, "000", "00", "10", "00"), ""},
		"an input that never is 1":          {lasso(0, "000", "00", "00"), "lasso"},
		"met in the stem only":              {lasso(2, "000", "10", "00", "00"), "lasso"},
		"a condition of fairness":           {lasso(1, "000", "10", "10"), "lasso"},
		"met at the end of the first round": {lasso(1, "000", "10", "00"), "lasso"},
		"an x where it matters":             {lasso(0, "000", "x0", "00"), "lasso"},
		"a constraint in the stem":          {lasso(1, "000", "01", "10", "00"), "lasso"},
		"a constraint in the loop":          {lasso(0, "000", "10", "01"), "lasso"},
		"a constraint on what is x":         {lasso(0, "0x0", "10", "01"), "lasso"},
		"a constraint that holds":           {lasso(0, "010", "10", "01"), ""},
		"against the reset":                 {lasso(0, "001", "10", "00"), "lasso"},
		"a loop after the end":              {lasso(2, "000", "10", "00"), "form"},
		"a loop from nowhere":               {lasso(-1, "000", "10", "00"), "form"},
		"no step":                           {lasso(0, "000"), "lasso"},
		"too few latches":                   {lasso(0, "00", "10", "00"), "form"},
		"too few inputs":                    {lasso(0, "000", "10", "0"), "form"},
		"no lasso":                          {cert.Verdict{Outcome: cert.Refuted}, "form"},
		"a trace":                           {cert.Verdict{Outcome: cert.Refuted, Trace: lasso(0, "000", "10", "00").Lasso.Trace}, "form"},
		"a lasso and a trace":               {cert.Verdict{Outcome: cert.Refuted, Lasso: lasso(0, "000", "10", "00").Lasso, Trace: lasso(0, "000", "10", "00").Lasso.Trace}, "form"},
		"a lasso that proves":               {cert.Verdict{Outcome: cert.Proved, Lasso: lasso(0, "000", "10", "00").Lasso}, "form"},
		"met from the second round on":      {lasso(0, "000", "00", "10"), "lasso"},
	} {
		t.Run(name, func(t *testing.T) { wantObligation(t, c, test.v, test.obligation) })
	}
}
