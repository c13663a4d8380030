package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"aiglens/lsp/wire"
)

func (b *bench) draw(params wire.DrawParams) (a wire.Picture) {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", command(wire.CommandDraw.Name, params), &a)
	return a
}

// nodesOf says the nodes of a picture: kind, name, line and value of each, with an
// exclamation mark where it is a cause.
func nodesOf(a wire.Picture) (all []string) {
	for i, n := range a.Nodes {
		line, value := "-", ""
		if n.Location != nil {
			line = fmt.Sprint(n.Location.Range.Start.Line)
		}
		if a.Values != nil {
			value = "=" + a.Values.Values[i]
			if a.Values.Causes[i] {
				value += "!"
			}
		}
		all = append(all, strings.Join([]string{n.Kind, n.Name, line}, " ")+value)
	}
	return all
}

// TestDrawJustice: of a property with many literals the first are drawn, and its title says so.
func TestDrawJustice(t *testing.T) {
	const n = 22
	var inputs strings.Builder
	for i := range n {
		fmt.Fprintf(&inputs, "%d\n", 2*i+2)
	}
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, fmt.Sprintf("aag %d %d 0 0 0 0 0 1\n%s%d\n%s", n, n, &inputs, n, &inputs))
	a := b.draw(wire.DrawParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "justice:0"}})
	if len(a.Nodes) != 40 || !strings.HasSuffix(a.Title, ", the first 20 of 22 literals") {
		t.Errorf("%d nodes of %q", len(a.Nodes), a.Title)
	}
}

// TestDraw: a property and a signal as pictures of the text in the editor, with the values of
// the step that is shown and never those of an earlier text.
func TestDraw(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	of := wire.DrawParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:0"}}
	plain := []string{"root full 3", "and full 4", "latch high 2", "latch low 1", "xor 10 6"}
	a := b.draw(of)
	if got := nodesOf(a); !slices.Equal(got, plain) || a.Title != "full" || a.Version != 1 || a.Values != nil || a.Errors != 0 {
		t.Errorf("%q, %+v", got, a)
	}
	if !strings.Contains(a.DOT, `class="latch"`) || !strings.Contains(a.DOT, "starts 0") {
		t.Errorf("the picture:\n%s", a.DOT)
	}
	b.save(doc)
	b.expectTitles("refuted at step 3")
	b.step(wire.MoveLast, nil)
	a = b.draw(of)
	if got, want := nodesOf(a), []string{"root full 3=1!", "and full 4=1!", "latch high 2=1!", "latch low 1=1!", "xor 10 6=0"}; !slices.Equal(got, want) || a.Values.At != "step 3" {
		t.Errorf("%q, expected %q", got, want)
	}
	b.step("1", nil)
	if got, want := nodesOf(b.draw(of)), []string{"root full 3=0!", "and full 4=0!", "latch high 2=0!", "latch low 1=1!", "xor 10 6=1!"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q: 6 is a gate of the exclusive or as well", got, want)
	}

	// A place: the signal there, the property on its own row.
	for _, at := range []struct {
		line, character uint32
		title, first    string
	}{{3, 0, "full", "root full 3"}, {2, 2, "10", "root 10 6"}, {1, 0, "low", "root low 1"}, {5, 0, "8", "root 8 5"}} {
		a := b.draw(wire.DrawParams{PropertyParams: wire.PropertyParams{URI: doc, Position: &protocol.Position{Line: at.line, Character: at.character}}})
		if got := nodesOf(a)[0]; a.Title != at.title || !strings.HasPrefix(got, at.first) {
			t.Errorf("at line %d: %s, %s", at.line, a.Title, got)
		}
	}
	var there wire.SignalsAt
	b.MustCall("workspace/executeCommand", command(wire.CommandSignalsAt.Name, wire.SignalsAtParams{URI: doc, Position: protocol.Position{Line: 6, Character: 3}}), &there)
	if len(there.Signals) != 1 || !slices.Contains(a.Nodes[4].Signals, there.Signals[0]) {
		t.Errorf("the gate on row 5, which is inside of the exclusive or: %+v of %+v", there, a.Nodes[4])
	}

	// An edit that makes another circuit: no values of the old one.
	b.replace(doc, 2, strings.Replace(counting, "6 4 2", "6 4 3", 1))
	if a := b.draw(of); a.Values != nil || a.Version == 1 {
		t.Errorf("after an edit: %+v", a)
	}
	b.replace(doc, 3, strings.Replace(counting, "6 4 2", "6 4 20", 1))
	if a := b.draw(of); a.Values != nil || a.Errors == 0 {
		t.Errorf("with an error: %+v", a)
	}
	if err := b.Call("workspace/executeCommand", command(wire.CommandDraw.Name, wire.DrawParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:7"}}), nil); err == nil {
		t.Error("a property that is not there")
	}
	b.open("file:///w/none.aag", "aag 1 1 0 0 0\n2\n")
	if err := b.Call("workspace/executeCommand", command(wire.CommandDraw.Name, wire.DrawParams{PropertyParams: wire.PropertyParams{URI: "file:///w/none.aag"}}), nil); err == nil || !strings.Contains(err.Error(), "no signal, property or output") {
		t.Errorf("nothing to be drawn: %v", err)
	}
}

// TestDrawGoesOn: a large picture ends, and goes on at a signal of the same text only.
func TestDrawGoesOn(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	var text strings.Builder
	const gates = 500 // in a chain, each with an input of its own
	fmt.Fprintf(&text, "aag %d %d 0 0 %d 1\n", 2*gates+1, gates+1, gates)
	for i := range gates + 1 {
		fmt.Fprintln(&text, 2*(i+1))
	}
	fmt.Fprintln(&text, 2*(2*gates+1))
	last := 2
	for i := range gates {
		lhs := 2 * (gates + 2 + i)
		fmt.Fprintln(&text, lhs, last+1, 2*(i+2))
		last = lhs
	}
	b.open(doc, text.String())
	of := wire.DrawParams{PropertyParams: wire.PropertyParams{URI: doc}}
	a := b.draw(of)
	var cut []uint32
	for _, n := range a.Nodes {
		if n.Cut {
			cut = append(cut, n.Signals[0])
		}
	}
	if len(a.Nodes) < 295 || len(a.Nodes) > 300 || len(cut) != 1 {
		t.Fatalf("%d nodes, cut at %d", len(a.Nodes), cut)
	}
	of.Expand, of.Version = cut, &a.Version
	if more := b.draw(of); len(more.Nodes) < len(a.Nodes)+50 {
		t.Errorf("%d nodes after it has gone on", len(more.Nodes))
	}
	other := a.Version + 1
	of.Version = &other
	if more := b.draw(of); len(more.Nodes) != len(a.Nodes) {
		t.Errorf("%d nodes after signals of another text were named", len(more.Nodes))
	}
}

// TestDrawActions: on the row of each property, whatever its format and kind, an action draws that
// one, and another one its states.
func TestDrawActions(t *testing.T) {
	const blif = ".model m\n.inputs a\n.outputs n\n# prop: bad n\n# prop: assert n\n# prop: lemma n\n# prop: cover n\n# prop: justice n\n# prop: live n\n.latch a n 0\n.end\n"
	const aiger = "aag 1 0 1 0 0 1 0 1\n2 3\n2\n1\n2\nc\nprop: lemma 2\nprop: cover 2\n"
	const btor2 = "1 sort bitvec 1\n2 zero 1\n3 state 1 n\n4 init 1 3 2\n5 next 1 3 -3\n6 bad 3\n7 justice 1 3\n"
	for _, c := range []struct {
		language, text string
		first, last    uint32   // rows
		properties     []string // of the rows in order
	}{
		{"blif", blif, 3, 8, []string{"bad:0", "bad:1", "lemma:0", "cover:0", "justice:0", "justice:1"}},
		{"aiger", aiger, 2, 2, []string{"bad:0"}},
		{"aiger", aiger, 3, 3, []string{"justice:0"}},
		{"aiger", aiger, 6, 7, []string{"lemma:0", "cover:0"}},
		{"btor2", btor2, 5, 6, []string{"bad:0", "justice:0"}},
	} {
		b := newBench(t, explicit)
		all := toldClient()
		all["experimental"] = map[string]any{"aiglens": map[string]any{"status": true, "commands": []string{string(wire.ClientDrawCone), string(wire.ClientDrawStates)}}}
		b.Initialize(all, nil)
		b.openAs(c.language, doc, c.text)
		var got, ofStates []string
		for row := c.first; row <= c.last; row++ {
			at := protocol.Position{Line: row, Character: 1}
			var actions []struct {
				Title   string
				Command struct {
					Command   string
					Arguments []wire.PropertyParams
				}
			}
			b.MustCall("textDocument/codeAction", map[string]any{
				"textDocument": map[string]any{"uri": doc}, "range": protocol.Range{Start: at, End: at}, "context": map[string]any{"diagnostics": []any{}},
			}, &actions)
			for _, a := range actions {
				if name, ok := strings.CutPrefix(a.Title, "Draw the state graph of "); ok {
					about := a.Command.Arguments[0]
					ofStates = append(ofStates, string(about.Property))
					g := b.states(about)
					if again := b.states(wire.PropertyParams{URI: doc, Position: &g.Position}); a.Command.Command != string(wire.ClientDrawStates) || len(g.States) != 2 || g.Title != "States of "+name || again.Property != about.Property {
						t.Errorf("%s, row %d: %+v draws %+v, and at its place %s", c.language, row, a, g, again.Property)
					}
				}
				if name, ok := strings.CutPrefix(a.Title, "Draw the cone of "); ok {
					about := a.Command.Arguments[0]
					got = append(got, string(about.Property))
					if p := b.draw(wire.DrawParams{PropertyParams: about}); a.Command.Command != string(wire.ClientDrawCone) || len(p.Nodes) == 0 || !strings.Contains(p.Title, name) {
						t.Errorf("%s, row %d: %+v draws %+v", c.language, row, a, p)
					}
				}
			}
		}
		if !slices.Equal(got, c.properties) {
			t.Errorf("%s, rows %d to %d: %q, want %q", c.language, c.first, c.last, got, c.properties)
		}
		// What happens infinitely often has no state in which it fails.
		wanted := slices.DeleteFunc(slices.Clone(c.properties), func(p string) bool { return strings.HasPrefix(p, "justice") })
		if !slices.Equal(ofStates, wanted) {
			t.Errorf("%s, rows %d to %d: states of %q, want %q", c.language, c.first, c.last, ofStates, wanted)
		}
	}
}
