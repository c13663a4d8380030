package lsp

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// countingUp is a counter of 4 bits over words.
const countingUp = `1 sort bitvec 1
2 sort bitvec 4
3 input 1 go
4 zero 2
5 one 2
6 state 2 count
7 init 2 6 4
8 add 2 6 5
9 ite 2 3 8 6
10 next 2 6 9
11 constd 2 9
12 eq 1 6 11
13 bad 12 nine
14 redxor 1 6
15 output 14 odd
`

// compareTexts compares an open text with another one from which it differs.
func (b *bench) compareTexts(name, other string) *wire.ComparedRun {
	b.t.Helper()
	answer, err := b.compared(map[string]any{"uri": name, "text": other})
	if err != nil || answer.Run == nil || answer.Run.ID == "" {
		b.t.Fatalf("%+v, %v", answer, err)
	}
	return answer.Run
}

// placeInDifference asks for a place while the run of a difference is shown.
func (b *bench) placeInDifference(name, id string, at protocol.Position, step int) (p wire.Place) {
	b.t.Helper()
	b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: uri.URI(name), Position: at, Why: 3, Compared: id, Step: step}, &p)
	return p
}

// TestPlacesOfDifferences: in the run of a difference a place has the values that the comparison tells, and the causes
// that the command for them answers.
func TestPlacesOfDifferences(t *testing.T) {
	example := func(name string) string {
		text, err := os.ReadFile("../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct{ language, name, text, old, new string }{
		{"aiger", "a.aag", example("semaphore2.aag"), "\n46 44 18\n", "\n46 44 19\n"},
		{"aiger", "w.aag", counting + "c\nword: count = high low\n", "\n4 10\n", "\n4 11\n"},
		{"blif", "a.blif", example("arbiter2.blif"), "\n-1- 1\n", "\n1-- 1\n"},
		{"btor2", "a.btor2", countingUp, "8 add", "8 sub"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := agreeingBench(t)
			name := "file:///w/" + test.name
			other := strings.Replace(test.text, test.old, test.new, 1)
			if other == test.text {
				t.Fatalf("the text has no %q", test.old)
			}
			b.openAs(test.language, name, test.text)
			b.settled(name)
			run := b.compareTexts(name, other)
			told := toldRows(run)
			signals, words := 0, 0
			for _, row := range run.Here {
				for step := range run.Steps {
					p := b.placeInDifference(name, run.ID, row.Range.Start, step)
					n := p.Now
					if n == nil || n.Kind != wire.RunCompared || n.Property != "" || n.Outside || n.Step != step || n.Steps != run.Steps || n.Of != "difference in "+run.Observed.Name {
						t.Fatalf("%s at step %d: %+v", row.Name, step, n)
					}
					if n.Settable != "" || n.Word != nil && n.Word.Settable != "" || len(n.Actions) > 0 {
						t.Errorf("%s: a value can be changed: %+v", row.Name, n)
					}
					if differs := strings.HasSuffix(n.Words, ": differs"); differs != (step == run.Steps-1) {
						t.Errorf("step %d of %d: %s", step, run.Steps, n.Words)
					}
					if n.Value != "" {
						signals++
						if want := row.Values[n.First : n.First+len(n.Values)]; n.Values != want || n.Value != row.Values[step:step+1] {
							t.Errorf("%s: %s, %s, expected %s", row.Name, n.Value, n.Values, want)
						}
						b.expectWhyInDifference(name, run.ID, step, &p)
					}
					if n.Word == nil {
						continue
					}
					if want, ok := told[n.Word.Name]; ok {
						words++
						if got := n.Word.Values; !reflect.DeepEqual(got, want[n.First:n.First+len(got)]) {
							t.Errorf("%s: %q, expected %q", n.Word.Name, got, want)
						}
					}
				}
			}
			if isOfWords := test.language == "btor2" || test.name == "w.aag"; signals == 0 && words == 0 || isOfWords && words == 0 {
				t.Errorf("%d values of signals, %d of words", signals, words)
			}
			b.expectTextOfDifference(name, run)
		})
	}
}

// toldRows are the values of the words of a comparison whose bits it tells in all steps.
func toldRows(run *wire.ComparedRun) map[string][]string {
	told := map[string][]string{}
	for _, w := range run.HereWords {
		var values []string
		for step := range run.Steps {
			number := 0
			for _, bit := range w.Bits {
				if bit.Signal < 0 || run.Here[bit.Signal].Values[step] == 'x' {
					number = -1
					break
				}
				is := run.Here[bit.Signal].Values[step] == '1'
				number *= 2
				if is != bit.Negated {
					number++
				}
			}
			if number < 0 {
				break
			}
			values = append(values, strconv.Itoa(number))
		}
		if len(values) == run.Steps {
			told[w.Name] = values
		}
	}
	return told
}

func (b *bench) expectWhyInDifference(name, id string, step int, p *wire.Place) {
	b.t.Helper()
	if p.Signal == nil || p.Signal.Signal == nil {
		b.t.Fatalf("no signal: %+v", p)
	}
	var want wire.Cause
	b.MustCall("workspace/executeCommand", command(wire.CommandPlayWhy.Name, wire.PlayWhyParams{URI: uri.URI(name), Compared: id, Signal: *p.Signal.Signal, Step: step, Depth: 3}), &want)
	if !reflect.DeepEqual(p.Now.Why, &want) {
		b.t.Errorf("%s: why %+v, expected %+v", p.Title, p.Now.Why, want)
	}
}

// expectTextOfDifference: the command for a text says what the request answers.
func (b *bench) expectTextOfDifference(name string, run *wire.ComparedRun) {
	b.t.Helper()
	at, last := run.Here[0].Range.Start, run.Steps-1
	var text wire.PlaceText
	b.MustCall("workspace/executeCommand", command(wire.CommandPlaceText.Name, wire.AtParams{URI: uri.URI(name), Position: at, Compared: run.ID, Step: last}), &text)
	p := b.placeInDifference(name, run.ID, at, last)
	if want := "\n## Now\n\n- difference in " + run.Observed.Name + ", " + p.Now.Words + "\n"; !strings.Contains(text.Text, want) {
		b.t.Errorf("no %q in\n%s", want, text.Text)
	}
}

// TestPlacesOfDifferencesEnd: a text of this side that is another one has no values of an earlier difference, nor has a
// name that no comparison gave; those of the text that was compared are there again with it.
func TestPlacesOfDifferencesEnd(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.settled(doc)
	other := strings.Replace(counting, "\n4 10\n", "\n4 11\n", 1)
	run := b.compareTexts(doc, other)
	if again := b.compareTexts(doc, other); again.ID != run.ID {
		t.Errorf("the same run is %s and %s", run.ID, again.ID)
	}
	at := run.Here[0].Range.Start
	now := func(id string) *wire.PlaceNow { return b.placeInDifference(doc, id, at, 0).Now }
	if now(run.ID) == nil || now("unknown") != nil {
		t.Fatalf("%+v, and of an unknown run %+v", now(run.ID), now("unknown"))
	}
	for i, text := range []string{counting + "c\nnoted\n", other} { // the circuit is the same in the first one
		b.replace(doc, 2*i+2, text)
		b.settled(doc)
		if n := now(run.ID); n != nil {
			t.Errorf("of another text: %+v", n)
		}
		err := b.Call("workspace/executeCommand", command(wire.CommandPlayWhy.Name, wire.PlayWhyParams{URI: doc, Compared: run.ID, Signal: 2}), nil)
		if err == nil || !strings.Contains(err.Error(), "the texts are no longer those that were compared") {
			t.Error(err)
		}
		b.replace(doc, 2*i+3, counting)
		b.settled(doc)
		if now(run.ID) == nil {
			t.Error("of the text that was compared there is nothing")
		}
	}
}

// TestPlacesOfDifferencesOtherFile: once the other file is another one in the editor, or is no longer there, this side
// has no values of the difference.
func TestPlacesOfDifferencesOtherFile(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	folder := t.TempDir()
	paths, names := [2]string{}, [2]string{}
	texts := [2]string{counting, strings.Replace(counting, "\n4 10\n", "\n4 11\n", 1)}
	for i, base := range []string{"a.aag", "b.aag"} {
		paths[i] = filepath.Join(folder, base)
		names[i] = string(uri.File(paths[i]))
		writeFile(t, paths[i], texts[i])
	}
	b.open(names[0], texts[0])
	b.settled(names[0])
	compare := func() *wire.ComparedRun {
		t.Helper()
		answer, err := b.compared(map[string]any{"uri": names[0], "path": paths[1]})
		if err != nil || answer.Run == nil {
			t.Fatalf("%+v, %v", answer, err)
		}
		return answer.Run
	}
	isShown := func(run *wire.ComparedRun, want bool, when string) {
		t.Helper()
		if n := b.placeInDifference(names[0], run.ID, run.Here[0].Range.Start, 0).Now; (n != nil) != want {
			t.Errorf("%s: %+v", when, n)
		}
	}
	onDisk := compare()
	isShown(onDisk, true, "on the disk")
	b.open(names[1], texts[1])
	b.settled(names[1])
	isShown(onDisk, true, "opened")
	open := compare()
	isShown(open, true, "open")
	b.replace(names[1], 2, texts[1]+"c\nnoted\n")
	b.settled(names[1])
	isShown(onDisk, false, "opened and edited")
	isShown(open, false, "edited")
	b.replace(names[1], 3, texts[1])
	b.settled(names[1])
	isShown(open, true, "as it was")
	b.close(names[1])
	b.settled(names[0])
	isShown(open, false, "closed")
}

// TestPlacesOfDifferencesModels: a text whose models come from other files has the values of a difference with what
// these were, until one of them is another one now.
func TestPlacesOfDifferencesModels(t *testing.T) {
	const (
		top = ".model top\n.search inv.lib\n.inputs a\n.outputs y\n.subckt inv i=a o=y\n.end\n"
		inv = ".model inv\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n"
	)
	folder := t.TempDir()
	model := filepath.Join(folder, "inv.lib")
	writeFile(t, model, inv)
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	name := string(uri.File(filepath.Join(folder, "top.blif")))
	b.openAs("blif", name, top)
	b.settled(name)
	was := strings.Replace(inv, "0 1", "1 1", 1)
	earlier := wire.EarlierFiles{Files: []wire.EarlierFile{{Path: model, Text: &was}}, Folders: []string{folder}}
	answer, err := b.compared(map[string]any{"uri": name, "text": top, "earlier": earlier})
	if err != nil || answer.Run == nil || answer.Run.ID == "" {
		t.Fatalf("%+v, %v", answer, err)
	}
	row := answer.Run.Here[len(answer.Run.Here)-1]
	now := func() *wire.PlaceNow { return b.placeInDifference(name, answer.Run.ID, row.Range.Start, 0).Now }
	if n := now(); n == nil || n.Value != row.Values[:1] {
		t.Errorf("%s is %s: %+v", row.Name, row.Values, n)
	}
	writeFile(t, model, was)
	b.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uri.File(model), "type": 2}}})
	b.settled(name)
	for now() != nil { // until the file is read
	}
}
