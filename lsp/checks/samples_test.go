package checks

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// sample is a text and what there is to know of it.
type sample struct {
	doc   *design.Design
	all   []circuit.Property
	jobs  []Job
	known map[circuit.Property]Known // without those that have a fault
}

func (x *sample) fingerprint(p circuit.Property) (f circuit.Fingerprint, sound bool) {
	k, sound := x.known[p]
	if sound {
		f = k.Result.Fingerprint
	}
	return f, sound
}

// samples are texts of three latches with some properties, whose rows come, go and move
// from one to the other, and which seldom have a fault.
func samples(t *testing.T, n int) []*sample {
	t.Helper()
	r := rand.New(rand.NewSource(1))
	var all []*sample
	for range n {
		bads := r.Intn(5)
		var b strings.Builder
		fmt.Fprintf(&b, "aag 3 0 3 0 0 %d\n", bads)
		for i := 1; i <= 3; i++ {
			next := []int{2 * i, 2*i + 1, 2*(i%3) + 2, 0, 1}[r.Intn(5)]
			if r.Intn(20) == 0 {
				next = 99
			}
			fmt.Fprintf(&b, "%d %d\n", 2*i, next)
		}
		for range bads {
			fmt.Fprintf(&b, "%d\n", 2+r.Intn(6))
		}
		for i := range bads {
			if r.Intn(3) == 0 {
				fmt.Fprintf(&b, "b%d name%d\n", i, r.Intn(4))
			}
		}
		all = append(all, newSample(t, b.String()))
	}
	return all
}

func newSample(t *testing.T, text string) *sample {
	t.Helper()
	x := &sample{
		doc:   design.New("file:///w/a.aag", aigerdesign.Format, 1, source.NewText(text), design.Options{}),
		known: map[circuit.Property]Known{},
	}
	for _, p := range x.doc.Properties() {
		x.all = append(x.all, p.ID)
	}
	x.jobs = Prepare(t.Context(), x.doc, x.all)
	for _, j := range x.jobs {
		engine, err := engines.Default().New()
		if err != nil {
			t.Fatal(err)
		}
		j.Engine = engine
		r := verify.Run(t.Context(), j.Job, nil)
		k, ok := KnownFrom(t.Context(), x.doc, j.Property, r)
		if !ok || !r.Checked.Certified() || r.Fingerprint != j.Fingerprint {
			t.Fatalf("%s of %q: %v", j.Property, text, r)
		}
		x.known[j.Property] = k
	}
	return x
}
