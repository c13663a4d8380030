package certify_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

// judge returns the obligations that fail, of the files as they are written.
func judge(t *testing.T, x *certify.Certificate) []string {
	t.Helper()
	model, witness := aiger.FromCertificate(x)
	pair, err := aiger.NewPair(reread(t, model), reread(t, witness))
	if err != nil {
		t.Fatal(err)
	}
	found, err := certify.Check(context.Background(), pair)
	if err != nil {
		t.Fatal(err)
	}
	return found.Failed()
}

func reread(t *testing.T, m *aiger.Model) *aiger.Model {
	t.Helper()
	in, err := aiger.Read("test.aag", m.AppendASCII(nil))
	if err != nil {
		t.Fatal(err)
	}
	again, err := aiger.ModelOf(in.File)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// random returns a circuit with a justice property, with reset functions for a share.
func random(seed uint64) *circuit.Circuit {
	return explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 5)), explicit.Shape{
		Inputs: 2, Latches: 3, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
		ResetFunctions: seed%3 == 0, Justice: 2, Fairness: 1,
	})
}

// bySignals returns a ranking whose later ranks are signals that become 1 for good, the
// last rank first.
func bySignals(r *cert.Ranking) *cert.Ranking {
	signals := &cert.Ranking{}
	for d := range r.Ranks {
		// Each clause excludes one state, so that of several sets it is in the union when all
		// have it.
		var union cert.Invariant
		for _, clause := range r.Ranks[d] {
			inAll := func(set cert.Invariant) bool {
				return slices.ContainsFunc(set, func(x []circuit.Lit) bool { return slices.Equal(x, clause) })
			}
			if !slices.ContainsFunc(r.Ranks[d:], func(set cert.Invariant) bool { return !inAll(set) }) {
				union = append(union, clause)
			}
		}
		if d == 0 {
			signals.Ranks = []cert.Invariant{union}
		} else {
			signals.Monotone = append([]cert.Invariant{union}, signals.Monotone...)
		}
	}
	return signals
}

// mutate changes a ranking.
func mutate(r *rand.Rand, from *cert.Ranking) *cert.Ranking {
	to := &cert.Ranking{Monotone: slices.Clone(from.Monotone)}
	for _, rank := range from.Ranks {
		to.Ranks = append(to.Ranks, slices.Clone(rank))
	}
	if len(to.Ranks) == 0 {
		return to
	}
	d := r.IntN(len(to.Ranks))
	rank := to.Ranks[d]
	switch r.IntN(5) {
	case 0:
		to.Ranks = slices.Delete(to.Ranks, d, d+1)
	case 1:
		e := r.IntN(len(to.Ranks))
		to.Ranks[d], to.Ranks[e] = to.Ranks[e], rank
	case 2:
		if n := len(to.Monotone); n > 0 {
			to.Monotone = slices.Delete(to.Monotone, n-1, n)
		}
	default:
		if n := len(rank); n > 0 {
			i := r.IntN(n)
			if r.IntN(2) == 0 {
				to.Ranks[d] = slices.Delete(rank, i, i+1)
			} else {
				rank[i] = slices.Clone(rank[i])
				j := r.IntN(len(rank[i]))
				rank[i][j] = rank[i][j].Not()
			}
		}
	}
	return to
}

// TestRankingsAsWitnesses makes witness circuits of rankings that a search of all states
// gives, and of changed ones: each that passes the check of rankings is valid, and one that is
// valid is about a property that is not violated.
func TestRankingsAsWitnesses(t *testing.T) {
	circuits := uint64(1200)
	if testing.Short() {
		circuits = 250
	}
	counts := map[string]int{}
	var last *cert.Ranking // of another circuit
	for seed := range circuits {
		c := random(seed)
		r := rand.New(rand.NewPCG(seed, 6))
		violated := explicit.Violated(c, justice0)
		var tries []*cert.Ranking
		if ranking := explicit.Ranking(c, justice0); ranking != nil {
			for _, x := range []*cert.Ranking{ranking, bySignals(ranking)} {
				checked, err := cert.Check(context.Background(), c, justice0, cert.Verdict{Outcome: cert.Proved, Ranking: x})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				made, err := certify.Of(c, checked)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if failed := judge(t, made); len(failed) > 0 {
					t.Fatalf("seed %d: %v fail of a ranking that is right: %+v\n%s", seed, failed, x, aiger.FromCircuit(c).AppendASCII(nil))
				}
				counts["right"]++
				tries = append(tries, mutate(r, x), mutate(r, mutate(r, x)))
			}
			last = ranking
		} else if last != nil {
			tries = append(tries, fitting(c, last), fitting(c, bySignals(last)))
		}
		for _, x := range tries {
			failed := judge(t, certify.OfRanking(c, x))
			_, err := cert.Check(context.Background(), c, justice0, cert.Verdict{Outcome: cert.Proved, Ranking: x})
			switch {
			case len(failed) == 0 && violated:
				t.Fatalf("seed %d: valid, and violated: %+v\n%s", seed, x, aiger.FromCircuit(c).AppendASCII(nil))
			case len(failed) > 0 && err == nil:
				t.Fatalf("seed %d: %v fail, and the ranking passes its check: %+v", seed, failed, x)
			case len(failed) == 0:
				counts["changed and valid"]++
			}
			for _, name := range failed {
				counts[name]++
			}
			if violated {
				counts["violated"]++
			}
		}
		if c.HasResetFunctions() {
			counts["reset functions"]++
		}
	}
	t.Log(counts)
	for _, name := range []string{"right", "changed and valid", "violated", "reset functions", "base", "step", "liveness", "decrease"} {
		if counts[name] < int(circuits)/50 {
			t.Errorf("only %d are %s", counts[name], name)
		}
	}
}

// fitting returns a ranking without the literals that a circuit does not have.
func fitting(c *circuit.Circuit, r *cert.Ranking) *cert.Ranking {
	repetition, err := c.Repetition(justice0)
	if err != nil {
		panic(err)
	}
	all := func(sets []cert.Invariant) (fit []cert.Invariant) {
		for _, set := range sets {
			set = slices.DeleteFunc(slices.Clone(set), func(clause []circuit.Lit) bool {
				return slices.ContainsFunc(clause, func(l circuit.Lit) bool {
					return int(l.Var()) >= repetition.Circuit.NumVars() || repetition.Circuit.Kind(l.Var()) != circuit.KindLatch
				})
			})
			fit = append(fit, set)
		}
		return fit
	}
	return &cert.Ranking{Ranks: all(r.Ranks), Monotone: all(r.Monotone)}
}

// TestProofsAsWitnesses makes witness circuits of what the engine proves, of bads and of
// justice properties.
func TestProofsAsWitnesses(t *testing.T) {
	proved := map[string]int{}
	for seed := range uint64(800) {
		shape := explicit.Shape{
			Inputs: 2, Latches: 5, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%3 == 0,
		}
		p := circuit.Property{Kind: circuit.PropertyBad}
		if seed%2 == 0 {
			p, shape.Justice, shape.Fairness = justice0, 2, 1
		}
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 7)), shape)
		checked := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto()}, nil).Checked
		made, err := certify.Of(c, checked)
		if checked.Outcome() != cert.Proved {
			if err == nil {
				t.Fatalf("seed %d: a certificate of what is not proved", seed)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if failed := judge(t, made); len(failed) > 0 {
			t.Fatalf("seed %d: %v fail\n%s", seed, failed, aiger.FromCircuit(c).AppendASCII(nil))
		}
		kind := p.Kind.String()
		if c.HasResetFunctions() {
			kind += " with reset functions"
		}
		proved[kind]++
	}
	for _, kind := range []string{"bad", "bad with reset functions", "justice", "justice with reset functions"} {
		if proved[kind] < 15 {
			t.Errorf("only %d proofs are about %s", proved[kind], kind)
		}
	}
}
