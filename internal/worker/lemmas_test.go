package worker

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
)

// TestLemmas: what is written is read again, the newest when not all fit, and over the
// latches at the same positions of a circuit whose variables have other numbers.
func TestLemmas(t *testing.T) {
	c := ring(40)
	b := circuit.NewBuilder(0)
	for range 40 {
		l := b.Latch(0)
		b.SetNext(l, l)
	}
	other := b.Build()
	r := rand.New(rand.NewPCG(1, 2))
	var sent, want []ic3.Lemma
	for range 100_000 {
		l, there := ic3.Lemma{Level: r.IntN(1000)}, ic3.Lemma{}
		there.Level = l.Level
		for range r.IntN(40) {
			at, negated := r.IntN(40), r.IntN(2) == 0
			l.Clause = append(l.Clause, c.Latches()[at].Lit.NotIf(negated))
			there.Clause = append(there.Clause, other.Latches()[at].Lit.NotIf(negated))
		}
		sent, want = append(sent, l), append(want, there)
	}
	data := portfolio.EncodeLemmas(c, sent, maxShare)
	got, err := lemmasFrom(data, other)
	if err != nil || len(data) > maxShare || len(data) < maxShare-100 {
		t.Fatalf("%d bytes: %v", len(data), err)
	}
	if !reflect.DeepEqual(got, want[len(want)-len(got):]) {
		t.Error("other lemmas arrive than were sent")
	}
	if got, err := lemmasFrom(nil, c); len(got) > 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

// FuzzLemmas: bytes are lemmas over latches, or no message.
func FuzzLemmas(f *testing.F) {
	c := ring(5)
	f.Add(portfolio.EncodeLemmas(c, []ic3.Lemma{{Clause: []circuit.Lit{c.Latches()[4].Lit.Not()}, Level: 7}, {Level: 1 << 20}}, maxShare))
	f.Add([]byte{1, 1, 10})
	f.Add([]byte{1, 6, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		lemmas, err := lemmasFrom(data, c)
		if err != nil {
			if !errors.Is(err, errMessage) || lemmas != nil {
				t.Fatalf("%v, %v", lemmas, err)
			}
			return
		}
		for _, l := range lemmas {
			if l.Level < 0 {
				t.Fatalf("level %d", l.Level)
			}
			for _, lit := range l.Clause {
				if c.LatchIndex(lit.Var()) < 0 {
					t.Fatalf("%d is not a latch", lit)
				}
			}
		}
		again, err := lemmasFrom(portfolio.EncodeLemmas(c, lemmas, maxShare), c)
		if err != nil || !reflect.DeepEqual(again, lemmas) {
			t.Fatalf("%v was read as %v, %v", lemmas, again, err)
		}
	})
}
