package lsp

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// written sends the radices of the words of a file.
func (b *bench) written(u string, chosen ...wire.ChosenRadix) error {
	b.t.Helper()
	if chosen == nil {
		chosen = []wire.ChosenRadix{}
	}
	return b.Call("workspace/executeCommand", command(wire.CommandRadices.Name, map[string]any{"uri": u, "words": chosen}), nil)
}

// TestRadices: a word is written in the radix that the user has chosen wherever its value is said, and in no other
// file; a value with a name, too. The choice lasts when the text changes and when the file is closed.
func TestRadices(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"inlayHints": map[string]any{"enabled": false}})
	text := counting + "c\nword: count = high low {full = 3}\n"
	if err := b.written(doc, wire.ChosenRadix{Word: "count", Radix: wire.WordHex}); err != nil { // the file is not open yet
		t.Fatal(err)
	}
	b.open(doc, text)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	b.step(wire.MoveLast, nil)
	expect := func(when, text, number string) {
		t.Helper()
		place := b.at(11, 8)
		if w := place.Now.Word; w == nil || w.Text != text || !strings.HasPrefix(w.Value, number) || !strings.HasSuffix(w.Value, ", `full`") || w.Values[len(w.Values)-1] != text {
			t.Errorf("%s: the place says %+v, expected %s", when, w, text)
		}
		if said := placeText(&place); !strings.Contains(said, "- `count` = "+number) {
			t.Errorf("%s: %s", when, said)
		}
		if why := b.at(3, 0).Property.Why; len(why.Causes) != 1 || why.Causes[0].Value != text {
			t.Errorf("%s: why it fails is %+v, expected %s", when, why, text)
		}
		if got := strings.Join(b.values(), " "); !strings.Contains(got, "→"+text) {
			t.Errorf("%s: the rows end in %s, expected %s", when, got, text)
		}
		if got := b.hoverAt(doc, lsptest.Position{Line: 2, Character: 0}); !strings.Contains(got, "of `count` = "+number) {
			t.Errorf("%s: the hover says %s, expected %s", when, got, number)
		}
		if a := b.states(wire.PropertyParams{URI: doc, Property: "bad:0"}); !strings.Contains(a.DOT, "count="+text) {
			t.Errorf("%s: the states are %s, expected %s", when, a.DOT, text)
		}
	}
	expect("before it is open", "0x3", "0x3 (0b11)")
	for radix, want := range map[wire.WordRadix]string{wire.WordBinary: "0b11", wire.WordDecimal: "3", wire.WordSigned: "-1"} {
		if err := b.written(doc, wire.ChosenRadix{Word: "count", Radix: radix}); err != nil {
			t.Fatal(err)
		}
		expect(string(radix), want, want)
	}
	if err := b.written(doc, wire.ChosenRadix{Word: "count", Radix: "octal"}); err == nil || !strings.Contains(err.Error(), `"octal" is not a radix`) {
		t.Errorf("a radix that there is not: %v", err)
	}
	if err := b.written(doc, wire.ChosenRadix{Word: "count", Radix: wire.WordSigned}); err != nil {
		t.Fatal(err)
	}
	b.replace(doc, 2, text+"more\n")
	b.awaitAnalysis(doc)
	expect("in the next text", "-1", "-1 (0b11)")
	if err := b.written("file:///other.aag", wire.ChosenRadix{Word: "count", Radix: wire.WordHex}); err != nil {
		t.Fatal(err)
	}
	expect("after a choice in another file", "-1", "-1 (0b11)")
	if err := b.written(doc); err != nil {
		t.Fatal(err)
	}
	expect("without a choice", "full", "3 (0b11)")
}

// TestRadixOfOpenValues: values of which a bit is not known are binary, whatever radix is chosen.
func TestRadixOfOpenValues(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counted)
	b.save(doc)
	b.expectTitles("refuted at step 5", "refuted at step 3")
	// The second property does not depend on the highest bit.
	b.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:1"}, To: wire.MoveLast}), nil)
	for _, radix := range []wire.WordRadix{wire.WordDecimal, wire.WordSigned, wire.WordHex, wire.WordBinary} {
		if err := b.written(doc, wire.ChosenRadix{Word: "count", Radix: radix}); err != nil {
			t.Fatal(err)
		}
		if w := b.at(1, 0).Now.Word; w == nil || w.Text != "0bx11" {
			t.Errorf("%s: %s", radix, fmt.Sprintf("%+v", w))
		}
	}
}

// TestRadicesOfDeclaredWords: a word that a name of the text stands for has its radix in why, too.
func TestRadicesOfDeclaredWords(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	name := "file:///c/count.btor2"
	b.openAs("btor2", name, countingUp)
	b.settled(name)
	run := b.compareTexts(name, strings.Replace(countingUp, "11 constd 2 9", "11 constd 2 10", 1))
	if err := b.written(name, wire.ChosenRadix{Word: "count", Radix: wire.WordSigned}); err != nil {
		t.Fatal(err)
	}
	state := protocol.Position{Line: 5}
	got := b.placeInDifference(name, run.ID, state, run.Steps-1).Now
	if got == nil || got.Word == nil || got.Word.Text != "-7" || got.Why == nil || got.Why.Value != "-7" {
		t.Errorf("%+v", got)
	}
}
