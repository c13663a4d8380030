package comparison_test

import (
	"fmt"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/comparison"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// TestResults: results are known by both texts and by how they were matched, unless they
// may become better.
func TestResults(t *testing.T) {
	doc := func(text string) *design.Design {
		return design.New("file:///a.aag", aigerdesign.Format, 1, source.NewText(text), design.Options{})
	}
	key := func(a, b string, o compare.Options) comparison.Key {
		k, ok := comparison.KeyOf(doc(a), doc(b), o)
		if !ok {
			t.Fatal("no key")
		}
		return k
	}
	d := new(comparison.Results)
	ab := key("a", "b", compare.Options{})
	d.Keep(ab, comparison.Answer{})
	if _, ok := d.Known(ab); ok {
		t.Error("what is unknown is kept")
	}
	d.Keep(ab, comparison.Answer{Verdict: equiv.Equal, Message: "ab"})
	if got, ok := d.Known(key("a", "b", compare.Options{})); !ok || got.Message != "ab" {
		t.Errorf("known: %+v, %v", got, ok)
	}
	for _, other := range []comparison.Key{key("b", "a", compare.Options{}), key("a", "bb", compare.Options{}), key("a", "b", compare.Options{Positions: true})} {
		if got, ok := d.Known(other); ok {
			t.Errorf("of another comparison is known: %+v", got)
		}
	}
	for i := range 100 {
		d.Known(ab)
		d.Keep(key("a", string(rune('c'+i)), compare.Options{}), comparison.Answer{Verdict: equiv.Equal})
	}
	if _, ok := d.Known(ab); !ok {
		t.Error("what is used is forgotten")
	}
	if _, ok := d.Known(key("a", "c", compare.Options{})); ok {
		t.Error("all is kept")
	}
	if _, ok := comparison.KeyOf(doc("a"), doc("b"), compare.Options{Map: [][2]string{{"a", "b"}}}); ok {
		t.Error("a comparison with a map has a key")
	}
}

// TestKeptRuns: runs that are kept keep their names, the last ones are kept, and none that is too large.
func TestKeptRuns(t *testing.T) {
	r := new(comparison.Results)
	run := func(name string) comparison.KeptRun {
		return comparison.KeptRun{Observed: name, Trace: cert.Trace{Inputs: [][]circuit.Value{{circuit.One}, {circuit.X}}}}
	}
	first := r.KeepRun(run("a"))
	if first == "" || r.KeepRun(run("a")) != first || r.KeepRun(run("b")) == first {
		t.Errorf("the name is %q", first)
	}
	for i := range 100 {
		if got := r.KeptRun(first); got == nil || got.Observed != "a" {
			t.Fatalf("what is asked about is forgotten: %+v", got)
		}
		r.KeepRun(run(fmt.Sprint(i)))
	}
	if r.KeptRun(r.KeepRun(run("b"))) == nil || r.KeptRun("") != nil {
		t.Error("a run that was kept is not there, or one that was not is")
	}
	early := r.KeepRun(run("early"))
	for i := range 100 {
		r.KeepRun(run(fmt.Sprint(i)))
	}
	if r.KeptRun(early) != nil {
		t.Error("all are kept")
	}
	large := comparison.KeptRun{Trace: cert.Trace{Inputs: [][]circuit.Value{make([]circuit.Value, 9<<20)}}}
	if id := r.KeepRun(large); id != "" {
		t.Errorf("a run of 9 million values is %q", id)
	}
	words := run("a")
	if words.StepWords(0) != "step 0 of 1" || words.StepWords(1) != "step 1 of 1: differs" {
		t.Errorf("%q, %q", words.StepWords(0), words.StepWords(1))
	}
}
