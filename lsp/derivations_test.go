package lsp

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design/horndesign"
	"aiglens/ic3/horn/auto"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// treeText derives sums of two sums, so that derivations are trees.
const treeText = `(set-logic HORN)
(declare-fun Sum (Int) Bool)
(declare-fun Other (Int) Bool)
(assert (Sum 1))
(assert (forall ((x Int) (y Int)) (=> (and (Sum x) (Sum y)) (Sum (+ x y)))))
(assert (forall ((z Int)) (=> (and (Other z) (Sum z)) (Other (+ z 1)))))
(assert (forall ((x Int)) (=> (and (Sum x) (= x 4)) false)))
(assert (forall ((z Int)) (=> (Other z) false)))
(check-sat)
`

// TestDerivations: a derivation is walked in the text, and shown as a tree.
func TestDerivations(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"tree.smt2": treeText})
	u := address("tree.smt2")
	w.openAs("smt2", u, treeText)
	w.save(u)
	w.expect(u, "refuted fresh", "proved fresh")
	about := wire.PropertyParams{URI: uri.URI(u)}
	call := func(name string, params, answer any) error {
		return w.Call("workspace/executeCommand", command(name, params), answer)
	}
	var root wire.Cause
	w.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: about, Depth: 20}), &root)
	if root.Name != "query 0" || len(root.Causes) != 1 || root.Causes[0].Name != "Sum(4)" || root.Location.Range.Start.Line != 6 {
		t.Errorf("%+v", root)
	}
	steps := root.Step

	// The lens leads to the last step.
	var lenses []struct{ Command protocol.Command }
	w.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": u}}, &lenses)
	var last wire.ShownStep
	w.MustCall("workspace/executeCommand", lenses[0].Command, &last)
	if len(lenses) != 2 || last.Step != steps {
		t.Errorf("%+v leads to %+v", lenses, last)
	}
	w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.MoveHide}), nil)

	// From the facts to the query, each step at its clause with its values.
	seen := map[string]bool{}
	for n := 1; n <= steps+1; n++ {
		var shown wire.ShownStep
		w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.MoveNext}), &shown)
		if n == 1 && shown.Step != 1 || shown.Step < 1 || shown.Steps != steps || shown.First != 1 || shown.Range == nil {
			t.Fatalf("%d: %+v", n, shown)
		}
		seen[shown.Words] = true
		var hints []struct {
			Label    string
			Position protocol.Position
		}
		w.MustCall("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": u}, "range": lsptest.Range{End: lsptest.Position{Line: 9}}}, &hints)
		last := hints[len(hints)-1]
		if !strings.HasPrefix(shown.Words, last.Label) || last.Position.Line != shown.Range.Start.Line {
			t.Errorf("%q at %v: %+v", shown.Words, shown.Range, hints)
		}
		if shown.Range.Start.Line == 4 && (len(hints) != 3 || !strings.HasPrefix(hints[0].Label, "= ")) {
			t.Errorf("the values of step %d: %+v", shown.Step, hints)
		}
	}
	if len(seen) != steps {
		t.Errorf("%d steps are seen of %d: %v", len(seen), steps, seen)
	}
	// Back to the step before of a clause, and of a predicate.
	for line, want := range map[int]string{3: "Sum(1)", 1: "Sum("} {
		var shown wire.ShownStep
		at := about
		at.Position = &protocol.Position{Line: uint32(line), Character: 13}
		w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: at, To: wire.MoveLast}), nil)
		w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: at, To: wire.MovePreviousChange}), &shown)
		if !strings.Contains(shown.Words, want) || shown.Step == steps {
			t.Errorf("line %d: %+v", line, shown)
		}
	}
	if err := call(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: "sideways"}, nil); err == nil {
		t.Error("a word that leads nowhere")
	}
	// The place says the same.
	var place wire.Place
	w.MustCall(wire.RequestAt.Name, wire.AtParams{URI: uri.URI(u), Position: protocol.Position{Line: 2, Character: 13}, Why: 20}, &place)
	if place.Now == nil || place.Now.Kind != wire.RunDerivation || place.Always == nil || len(place.Always.Properties) != 1 || len(place.Always.Facts) == 0 {
		t.Errorf("%+v", place)
	}
	w.MustCall(wire.RequestAt.Name, wire.AtParams{URI: uri.URI(u), Position: protocol.Position{Line: 6, Character: 3}, Why: 20}, &place)
	if p := place.Property; p == nil || p.Why == nil || p.Words != "reached in "+strings.TrimPrefix(root.At, "step ")+" steps" || p.Certificate == "" {
		t.Errorf("%+v", place.Property)
	}
	if slices.ContainsFunc(place.Property.Actions, func(a wire.PlaceAction) bool { return strings.Contains(a.Title, "tree") }) || !slices.Equal(place.Says, []string{"**clause** `Sum(x) ∧ x = 4 ⇒ false`"}) {
		t.Errorf("%+v", place)
	}
	// What leads to a clause, and what does not.
	var location protocol.Location
	w.MustCall("workspace/executeCommand", command(wire.CommandGoToCause.Name, wire.GoToCauseParams{PropertyParams: about, Step: 1}), &location)
	if location.Range.Start.Line != 3 {
		t.Errorf("%+v", location)
	}
	for name, params := range map[string]any{
		wire.CommandTrace.Name: wire.TraceParams{PropertyParams: about}, wire.CommandAnother.Name: about, wire.CommandProof.Name: wire.ProofParams{PropertyParams: about},
	} {
		if err := call(name, params, nil); err == nil || !strings.Contains(err.Error(), "Horn clauses") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The clauses of an edit have no derivation; after undoing it that is there again.
	w.replace(u, 2, strings.Replace(treeText, "(Sum 1)", "(Sum 5)", 1))
	w.expect(u, "none stale", "none stale")
	if err := call(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.MoveNext}, nil); err == nil || !strings.Contains(err.Error(), "no derivation") {
		t.Error(err)
	}
	w.replace(u, 3, treeText)
	w.expect(u, "refuted fresh", "proved fresh")
	if err := call(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: wire.MoveHide}, nil); err != nil {
		t.Error(err)
	}
}

// TestTreesOfDerivations: whatever the limits are, what is not in the tree is said to be left out or to stand above.
func TestTreesOfDerivations(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"tree.smt2": treeText})
	u := address("tree.smt2")
	w.openAs("smt2", u, treeText)
	w.save(u)
	w.expect(u, "refuted fresh", "proved fresh")
	x := w.server.session.snapshot.Load().views[uri.URI(u)].derivation(nil)
	for depth := range 6 {
		for most := range 12 {
			above := map[int]bool{}
			var visit func(c *horndesign.Cause)
			visit = func(c *horndesign.Cause) {
				if isWhole := len(c.Causes) > 0 || len(c.Step.From) == 0; isWhole == (c.Cut || c.Repeated) || c.Repeated && !above[c.Step.Number] {
					t.Errorf("depth %d, %d steps: %+v", depth, most, c)
				}
				above[c.Step.Number] = true
				for _, cause := range c.Causes {
					if cause.Step.Number >= c.Step.Number {
						t.Errorf("%+v uses %+v", c.Step, cause.Step)
					}
					visit(cause)
				}
			}
			visit(x.Why(len(x.Steps), depth, most))
		}
	}
}

// TestPlacesOfClauses: the shell says of each place what the server says.
func TestPlacesOfClauses(t *testing.T) {
	texts := map[string]string{"tree.smt2": treeText, "count.smt2": hornText}
	for _, name := range []string{"semaphore.smt2", "crossing.smt2"} {
		text, err := os.ReadFile("../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
		texts["reached-"+name] = strings.NewReplacer("(= waiting 0)", "(>= waiting 0)", "(< light 4.0)", "(<= light 4.0)").Replace(string(text))
	}
	w, address := inFolder(t, explicit, texts)
	places := 0
	for name, text := range texts {
		u := address(name)
		w.openAs("smt2", u, text)
		w.save(u)
		w.awaitTitles(u, "all verdicts", func(titles []string) bool {
			return !slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(title, "check") })
		})
		v := w.server.session.snapshot.Load().views[uri.URI(u)]
		known := map[horndesign.Fingerprint]map[circuit.Property]*hornverify.Result{}
		check := func(q horndesign.Query) hornverify.Result {
			if known[q.Fingerprint] == nil {
				known[q.Fingerprint] = map[circuit.Property]*hornverify.Result{}
			}
			if known[q.Fingerprint][q.Property] == nil {
				r := auto.Check(t.Context(), q.System(), hornverify.Options{})
				known[q.Fingerprint][q.Property] = &r
			}
			return *known[q.Fingerprint][q.Property]
		}
		for o := range v.doc.OccurrencesIn(source.Span{Length: len(text)}) {
			_, here, err := PlaceIn(t.Context(), uri.URI(u).FsPath(), v.doc, o.Span.Start, PlaceChecks{Clauses: check})
			if err != nil {
				t.Fatal(err)
			}
			var there wire.PlaceText
			w.MustCall("workspace/executeCommand", command(wire.CommandPlaceText.Name, wire.AtParams{URI: uri.URI(u), Position: v.mapper.OffsetPosition(o.Span.Start)}), &there)
			if here != there.Text {
				t.Errorf("%s at %d: the shell says\n%s\nthe server\n%s", name, o.Span.Start, here, there.Text)
			}
			places++
		}
		w.close(u)
	}
	if places < 200 {
		t.Errorf("%d places", places)
	}
}

// TestValuesOfStepFirst: values that stand at no variable come first in the hint of a step, which editors cut at its end;
// the hover of the clause has all.
func TestValuesOfStepFirst(t *testing.T) {
	const text = `(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 6) (P x))))
(assert (and (forall ((x Int)) (=> (and (P x) (> x 5)) false)) (forall ((x Int)) (=> (P x) (P x)))))
`
	w, address := inFolder(t, explicit, map[string]string{"twice.smt2": text})
	u := address("twice.smt2")
	w.openAs("smt2", u, text)
	w.save(u)
	w.expect(u, "refuted fresh")
	w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: uri.URI(u)}, To: wire.MoveLast}), nil)
	if hints := w.labels(u); !slices.Equal(hints, []string{"step 2 of 2 with x = 6: false"}) {
		t.Errorf("hints %q", hints)
	}
	if got := w.hoverAt(u, lsptest.Position{Line: 3, Character: 2}); !strings.Contains(got, "- step 2: false, from step 1, with x = 6") {
		t.Errorf("hover %q", got)
	}
}
