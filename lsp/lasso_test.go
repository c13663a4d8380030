package lsp

import (
	"strings"
	"testing"

	"aiglens/lsp/wire"
)

// starving is an arbiter that never serves its second requester as long as the first asks.
const starving = `aag 7 2 2 0 3 0 1 1 1
2
4
6 12
8 9
15
2
6
5
8
10 5 7
12 11 2
14 4 6
i0 r0
i1 r1
l0 wait
l1 tick
j0 starves
`

// lassoOfStarving is a witness for it: the last two of its three steps are the loop.
const lassoOfStarving = "1\nj0\n00\n11\n10\n10\n.\n"

// TestLasso imports the lasso of a justice property and follows its loop.
func TestLasso(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
	w := newBoard(b)
	b.open(doc, starving)
	w.expect(doc, "none stale")
	about := wire.PropertyParams{URI: doc, Property: "justice:0"}
	var imported wire.ImportedWitness
	b.MustCall("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: doc}, Text: lassoOfStarving}), &imported)
	if imported.Property != "justice:0" || imported.Steps != 3 || imported.Loop != 2 {
		t.Errorf("%+v", imported)
	}
	w.expect(doc, "refuted fresh")
	b.expectTitlesNow("refuted: the loop of steps 1 to 2")
	if a := b.step(wire.MoveNext, nil); a.Step != 3 || a.Steps != 3 || a.Loop != 2 || a.Words != "step 1 of round 2, loop of 1 to 2" {
		t.Errorf("%+v", a)
	}
	if a := b.step("1000", nil); a.Step != 1000 || a.Words != "step 2 of round 500, loop of 1 to 2" {
		t.Errorf("%+v", a)
	}
	if a := b.step(wire.MoveLast, nil); a.Step != 2 {
		t.Errorf("%+v", a)
	}
	var trace wire.Trace
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: about, Rounds: 3, Expressions: []string{"prev(r1)"}}), &trace)
	values := map[string]string{}
	for _, s := range trace.Signals {
		values[s.Name] = s.Values
	}
	if trace.Steps != 7 || trace.Loop != 2 || trace.Rounds != 3 || values["r1"] != "1000000" || values["wait"] != "0111111" || values["prev(r1)"] != "x100000" {
		t.Errorf("%+v", trace)
	}
	var why wire.Cause
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: about}), &why)
	if why.Name != "starves" || why.Value != "" || why.At != "" || len(why.Causes) != 3 || why.Causes[2].At != "step 1" {
		t.Errorf("%+v", why)
	}
	step := 3
	wait := why.Causes[0].Signal
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: about, Signal: &wait, Step: &step}), &why)
	if why.At != "step 1 of round 2" || len(why.Causes) != 1 || why.Causes[0].At != "step 2" || why.Causes[0].Step != 2 {
		t.Errorf("%+v", why)
	}
	for format, want := range map[wire.TraceFormat]string{
		wire.FormatWitness: "1\nj0\n00\n11\n10\n10\n.\n", wire.FormatVCD: "$comment steps 1 to 2 repeat for ever, 3 rounds are shown $end\n", wire.FormatJSON: `"rounds": 3`,
		wire.FormatMarkdown: "| signal | 0 | 1 ↻ |",
	} {
		var exported wire.ExportedTrace
		b.MustCall("workspace/executeCommand", command(wire.CommandExportTrace.Name, wire.ExportParams{PropertyParams: about, Format: format, Rounds: 3}), &exported)
		if !strings.Contains(exported.Text, want) {
			t.Errorf("%s: %s", format, exported.Text)
		}
	}
}
