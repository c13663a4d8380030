package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// leaving has no answer until it begins with what it has left.
var leaving = verify.Engine{Name: "leaving", Safety: true, Liveness: true, TakesSeeds: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
	t.Progress(verify.Progress{Depth: 4, Lemmas: 1})
	if slices.ContainsFunc(t.Seeds.Clauses, func(clause []circuit.Lit) bool { return slices.Equal(clause, []circuit.Lit{3, 5}) }) {
		r.Verdict, r.Err = explicit(ctx, t.Problem.Circuit, t.Progress)
		return r
	}
	r.Unfinished = cert.Invariant{{3, 5}} // by the numbers of the cone, which is the circuit; see below
	r.Verdict, r.Err = cert.Verdict{Depth: 4}, errors.New("out of ideas")
	return r
}}

// TestObstacle: a check that ends without an answer says what stands in the way as long as
// the text is the one that was checked, and the next one begins with what it has left.
func TestObstacle(t *testing.T) {
	// Three latches in a ring, of which one is 1, and never all.
	const ring = "aag 5 0 3 0 2 1\n2 6 1\n4 2\n6 4\n10\n8 2 4\n10 8 6\nl0 first\nl1 second\nl2 third\nb0 all three\n"
	b := newBench(t, nil, func(o *Options) {
		o.Engine = func(engines.Spec) verify.Engine { return leaving }
	})
	b.Initialize(offeringClient(), nil)
	b.open(doc, ring)
	const unknown = "unknown: out of ideas, no violation in 4 steps"
	b.checkAll()
	want := []string{unknown + " → aiglens.check bad:0", "what stands in the way → aiglens.showObstacle bad:0"}
	if got := b.drawn(doc); !slices.Equal(got, want) {
		t.Fatalf("lenses %q, want %q", got, want)
	}
	ask := func() (p wire.Answer, err error) {
		err = b.Call("workspace/executeCommand", command("aiglens.obstacle", wire.PropertyParams{URI: doc, Property: "bad:0"}), &p)
		return p, err
	}
	told, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"all three is " + unknown, "  first   1       1      latch\n", "NOT KNOWN whether a run from reset gets there",
		"The lemma that fails after it: not both second and first", "The lemmas, which hold in the first steps and need not later\n",
		"\nGuesses of lemmas, which random runs", "\n  guess 1, which are inductive together\n    at most one of first, second, third\n",
		"The cone has 3 latches and 2 gates.",
	} {
		if !strings.Contains(told.Text, part) {
			t.Errorf("%q is missing in\n%s", part, told.Text)
		}
	}
	text := strings.Split(told.Text, "\n")
	for _, l := range told.Links {
		line := text[l.Range.Start.Line]
		if name := line[l.Range.Start.Character:l.Range.End.Character]; name != "first" && name != "second" && name != "third" {
			t.Errorf("a link at %q", name)
		}
	}
	if len(told.Links) < 5 {
		t.Errorf("links %+v", told.Links)
	}

	// Another function: nothing is said, and nothing is wrong.
	b.replace(doc, 2, strings.Replace(ring, "6 4\n10", "6 5\n10", 1))
	if told, err := ask(); err == nil {
		t.Errorf("of an earlier text: %s", told.Text)
	}
	b.replace(doc, 3, ring)
	b.checkAll()
	if got := b.drawn(doc); len(got) != 1 || !strings.HasPrefix(got[0], "proved") {
		t.Errorf("lenses %q of a check that begins with the clauses", got)
	}
	if _, err := ask(); err == nil {
		t.Error("a proof has something in its way")
	}
}
