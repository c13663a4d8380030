package lsp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// offeringClient is told the status of properties and runs all commands of its own.
func offeringClient() map[string]any {
	all := maps.Clone(capable)
	all["experimental"] = wire.ExperimentalCapabilities{Aiglens: wire.ExtendedClient{Status: true, Commands: []wire.ClientCommand{
		wire.ClientShowTrace, wire.ClientShowWhy, wire.ClientDebug, wire.ClientShowProof, wire.ClientExplainNone, wire.ClientVerifyEdit, wire.ClientShowObstacle,
	}}}
	return all
}

// drawn is a lens with what it runs.
func (b *bench) drawn(u string) (all []string) {
	b.t.Helper()
	for _, l := range b.lenses(u) {
		all = append(all, l.Command.Title+" → "+l.Command.Command+" "+l.property())
	}
	return all
}

// TestLensesOfAnOfferingClient: what a client announces stands after the verdicts, each
// for its property, and the proof can be read.
func TestLensesOfAnOfferingClient(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(offeringClient(), nil)
	b.open(doc, toggle)
	b.checkAll()
	got := b.drawn(doc)
	want := []string{
		"refuted at step 1 → aiglens.showTrace bad:0", "trace → aiglens.showTrace bad:0", "why → aiglens.whyFails bad:0",
		"debug → aiglens.debugCounterexample bad:0", "latches… → aiglens.goToLatch bad:0",
	}
	if len(got) != 6 || !slices.Equal(got[:5], want) || !strings.HasPrefix(got[5], "proved") || !strings.HasSuffix(got[5], "→ aiglens.showProof bad:1") {
		t.Errorf("lenses %q", got)
	}
	var proof wire.Answer
	b.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: doc, Property: "bad:1"}), &proof)
	if proof.Name != "bad 1" || !strings.HasPrefix(proof.Text, "bad 1 is proved: it never fails.\n") {
		t.Errorf("proof %+v", proof)
	}
	for _, property := range []wire.PropertyID{"bad:0", ""} {
		err := b.Call("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: doc, Property: property}), nil)
		if err == nil || !strings.Contains(err.Error(), "only a proved property has one") {
			t.Errorf("proof of %q: %v", property, err)
		}
	}
}

// TestProofOfLatches: a proof names its latches with their places, in its text and apart from
// it; then a hover over the property and one over a latch say the same.
func TestProofOfLatches(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(offeringClient(), nil)
	b.open(doc, "aag 4 1 2 0 1 1\n2\n4 8\n6 8\n8\n8 4 7\nl0 größe\nl1 y\n")
	b.checkAll()
	var proof wire.Answer
	b.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &proof)
	lines := strings.Split(proof.Text, "\n")
	if len(proof.Links) == 0 || len(proof.Topics) == 0 {
		t.Fatalf("%+v", proof)
	}
	for _, l := range proof.Links {
		line := []rune(lines[l.Range.Start.Line])
		named := string(line[l.Range.Start.Character:l.Range.End.Character])
		at := map[string]uint32{"größe": 2, "y": 3}[strings.TrimPrefix(named, "¬")]
		if l.Location.URI != doc || l.Location.Range.Start.Line != at {
			t.Errorf("%q leads to %+v", named, l.Location)
		}
	}
	fact := proof.Topics[0].Facts[0]
	if fact.Kind != wire.FactConstant || fact.Text != "größe is always 0" || fact.Latches[0].Name != "größe" || fact.Latches[0].Location.Range.Start.Line != 2 {
		t.Errorf("%+v", fact)
	}
	for line, want := range map[int]string{4: "It holds because of 1 fact:\n- `größe is always 0`", 2: "the proof of `bad 0` says:\n- `größe is always 0`"} {
		if text := b.hoverAt(doc, lsptest.Position{Line: line}); !strings.Contains(text, want) {
			t.Errorf("hover on line %d:\n%s", line, text)
		}
	}
}

// manyOutputs has four properties in one row, all of them refuted at once.
const manyOutputs = ".model top\n.inputs a\n.outputs bad_1 bad_2 bad_3 bad_4\n" +
	".names a bad_1\n1 1\n.names a bad_2\n1 1\n.names a bad_3\n1 1\n.names a bad_4\n1 1\n.end\n"

// TestLensOfManyProperties: one lens checks them all, and stops them.
func TestLensOfManyProperties(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(offeringClient(), nil)
	w := newBoard(b)
	const u = "file:///many.blif"
	b.openAs("blif", u, manyOutputs)
	w.expect(u, "none stale", "none stale", "none stale", "none stale")
	if got := b.titles(u); !slices.Equal(got, []string{"check 4 outputs"}) {
		t.Fatalf("lenses %q", got)
	}
	run := func() {
		t.Helper()
		var lenses []struct {
			Command struct {
				Command   string
				Arguments []json.RawMessage
			}
		}
		b.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": u}}, &lenses)
		c := lenses[0].Command
		b.MustCall("workspace/executeCommand", map[string]any{"command": c.Command, "arguments": c.Arguments}, nil)
	}
	run()
	<-g.started
	b.awaitTitles(u, "a stop", func(titles []string) bool { return strings.HasPrefix(titles[0], "4 outputs: ") })
	run()
	w.expect(u, "none stale", "none stale", "none stale", "none stale")
}

// TestCheckForLonger: a check may be given more time than is set, and the lens says which
// limit was hit.
func TestCheckForLonger(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(capable, map[string]any{"check": map[string]any{"timeout": 0.01}})
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles("unknown: timeout of 0.01 s, no violation in 7 steps", "unknown: timeout of 0.01 s, no violation in 7 steps")
	seconds := 0.02
	again := wire.CheckParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:0"}, Timeout: &seconds}
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, again), nil)
	b.expectTitles("unknown: timeout of 0.02 s, no violation in 7 steps", "unknown: timeout of 0.01 s, no violation in 7 steps")
	for len(g.started) > 0 {
		<-g.started
	}
	seconds = 0
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, again), nil)
	<-g.started
	// Other settings begin the run again, without a limit as before.
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"timeout": 0.03}}}})
	<-g.started
	g.open <- struct{}{}
	b.expectTitles("refuted at step 1", "unknown: timeout of 0.01 s, no violation in 7 steps")
	for _, seconds = range []float64{-1, 1e12} {
		err := b.Call("workspace/executeCommand", command(wire.CommandCheck.Name, again), nil)
		if err == nil || !strings.Contains(err.Error(), "seconds is not between 0 and") {
			t.Errorf("%g seconds: %v", seconds, err)
		}
	}
}

// TestNoProperties: a file without properties says why, and which setting could give it
// some; the first line does, too.
func TestNoProperties(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(offeringClient(), nil)
	const u = "file:///adder.blif"
	model := ".model top\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"
	mark := b.Mark()
	b.openAs("blif", u, model)
	without := func() (why *wire.NoProperties) {
		t.Helper()
		m, next := b.Await("a status", mark, func(m lsptest.Message) bool { return m.Method == wire.NotificationStatus.Name })
		mark = next
		var p wire.StatusParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		return p.Without
	}
	if got := without(); got == nil || got.Setting != "blif.combinationalOutputs" || !strings.Contains(got.Why, "without latches") {
		t.Errorf("without %v", got)
	}
	if got := b.titles(u); len(got) != 1 || !strings.HasPrefix(got[0], "no properties: outputs of a model without latches") {
		t.Errorf("lenses %q", got)
	}
	b.configureBLIF(map[string]any{"combinationalOutputs": true})
	if got := without(); got != nil {
		t.Errorf("with a property: %v", got)
	}
	if got := b.titles(u); !slices.Equal(got, []string{"check"}) {
		t.Errorf("lenses %q", got)
	}
}
