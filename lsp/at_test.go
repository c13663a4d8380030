package lsp

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/lsp/wire"
)

// at asks for what is known of a place.
func (b *bench) at(line, character uint32) (p wire.Place) {
	b.t.Helper()
	b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: doc, Position: protocol.Position{Line: line, Character: character}}, &p)
	return p
}

// TestPlaces: what stands at places of each kind, before there are verdicts.
func TestPlaces(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting+"c\nword: count = high low\nmore\n")
	b.settled(doc)
	for _, want := range []struct {
		line, character uint32
		kind            wire.PlaceKind
		title           string
	}{
		{0, 4, wire.AtHeader, "**M** · largest variable that may be used: 5"},
		{1, 0, wire.AtLatch, "**latch** 0 `low` · literal 2"},
		{3, 0, wire.AtProperty, "**bad** `full`"},
		{4, 2, wire.AtLatch, "**latch** 1 `high` · literal 4"},
		{4, 0, wire.AtGate, "**gate** `full` · literal 6"},
		{7, 4, wire.AtLatch, "**latch** 0 `low` · literal 2"},
		{9, 4, wire.AtProperty, "**bad** `full`"},
		{11, 8, wire.AtWord, "**word** `count`: 2 bits"},
		{12, 0, wire.AtComment, ""},
	} {
		p := b.at(want.line, want.character)
		if p.Kind != want.kind || p.Title != want.title {
			t.Errorf("line %d: %s %q, expected %s %q", want.line, p.Kind, p.Title, want.kind, want.title)
		}
	}
}

// TestPlaceOfProperty: verdict, certificate, causes and what can be done, of the present text alone.
func TestPlaceOfProperty(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.settled(doc)
	if p := b.at(3, 0).Property; p == nil || p.Verdict != wire.VerdictNone || p.Words != "not checked yet" || len(p.Actions) != 1 || p.Actions[0].Command != wire.CommandCheck.Name {
		t.Errorf("before a check: %+v", p)
	}
	b.save(doc)
	b.expectTitles("refuted at step 3")
	p := b.at(3, 0)
	if text := placeText(&p); p.Property.Words != "refuted at step 3" || !strings.Contains(text, "\n## Property\n\n- refuted at step 3\n") {
		t.Errorf("%q, and %s", p.Property.Words, text)
	}
	if p.Title != "**bad** `full`" || p.Property.Certificate != "a run of 4 steps, replayed on this text" {
		t.Errorf("%q, %q", p.Title, p.Property.Certificate)
	}
	if why := p.Property.Why; why == nil || why.Name != "full" || len(why.Causes) == 0 {
		t.Errorf("why: %+v", why)
	}
	b.replace(doc, 2, strings.Replace(counting, "4 10", "4 2", 1))
	b.settled(doc)
	if p := b.at(3, 0); p.Property.Why != nil || p.Property.Certificate != "" || p.Property.Freshness != wire.FreshnessStale || p.Version != 2 {
		t.Errorf("stale: %+v", p.Property)
	}
}

// TestPlaceOfWord: at the line of a word the value is that of the word, of no bit, and it changes when that does.
func TestPlaceOfWord(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting+"c\nword: count = high low\n")
	b.save(doc)
	b.expectTitles("refuted at step 3")
	values := []string{"0", "1", "2", "3"}
	for step, value := range values {
		b.step(wire.Move(fmt.Sprint(step)), nil)
		p := b.at(11, 8)
		n := p.Now
		if n == nil || n.Word == nil || n.Step != step {
			t.Fatalf("step %d: %+v", step, n)
		}
		if n.Value != "" || n.Values != "" || n.Outside || (n.Why == nil || !n.Why.Word || n.Why.Name != "count") || n.Settable != "" {
			t.Errorf("step %d: the word has the value of a bit: %+v", step, n)
		}
		if n.Word.Name != "count" || n.Word.Text != value || !slices.Equal(n.Word.Values[step-n.First:], values[step:]) {
			t.Errorf("step %d: %+v", step, n.Word)
		}
		if hasNext := step < 3; hasNext != (n.Next != nil) || hasNext && *n.Next != step+1 {
			t.Errorf("step %d: the next change is in %v", step, n.Next)
		}
		if hasPrevious := step > 1; hasPrevious != (n.Previous != nil) || hasPrevious && *n.Previous != step-1 {
			t.Errorf("step %d: the change before is in %v", step, n.Previous)
		}
		if text := placeText(&p); strings.Contains(text, "- value") || !strings.Contains(text, "- `count` = "+value) {
			t.Errorf("step %d: %s", step, text)
		}
	}
}

// TestPlaceSettable: where a run could have another value is said of a signal and of a word with all its bits, and what a
// client writes is an expression over the word.
func TestPlaceSettable(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 4 2 2 0 0 1\n2\n4\n6 2\n8 4 8\n6\ni0 x[0]\ni1 x[1]\nl0 kept\nl1 free\nc\nword: x = x[1] x[0] {none = 0, all = 3}\nword: both = kept free\n")
	b.settled(doc)
	played := b.play(wire.PlayParams{Change: &wire.RunChange{Kind: wire.ChangeAdd, Steps: 2}})
	for _, want := range []struct {
		line         uint32
		signal, word wire.Settable
	}{{1, wire.SettableAlways, wire.SettableAlways}, {3, "", ""}, {4, wire.SettableAtStart, ""}, {11, "", wire.SettableAlways}} {
		var p wire.Place
		character := uint32(0)
		if want.line > 10 {
			character = 7
		}
		b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: doc, Position: protocol.Position{Line: want.line, Character: character}, Run: &played.Run, Step: 1}, &p)
		if p.Now == nil || p.Now.Word == nil || p.Now.Settable != want.signal || p.Now.Word.Settable != want.word {
			t.Errorf("line %d: %+v", want.line, p.Now)
			continue
		}
		if w := p.Now.Word; w.Name == "x" && (!slices.Equal(w.Names, []string{"none", "all"}) || w.Written != "x" || w.Text != "none") {
			t.Errorf("line %d: %+v", want.line, w)
		}
	}
}

// TestPlaceUnsearched: properties that are too many to be searched are counted, and nothing is said of them.
func TestPlaceUnsearched(t *testing.T) {
	text := placeText(&wire.Place{Title: "a", Always: &wire.PlaceAlways{Unsearched: 3}})
	if !strings.Contains(text, "Properties that depend on it") || !strings.Contains(text, "- of 3 more it is not known: there are too many\n") {
		t.Error(text)
	}
}

// TestPlacesOfPlayedRuns: in a run that is played values, causes and changes are those that its commands answer,
// and there are none once the text has another circuit.
func TestPlacesOfPlayedRuns(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	r := rand.New(rand.NewSource(3))
	version := 1
	b.open(doc, "aag 0 0 0 0 0\n")
	places := 0
	for i := range everyDay(20, 500) {
		text := randomPlaces(r)
		version++
		b.replace(doc, version, text)
		b.settled(doc)
		rows := strings.Split(text, "\n")
		var at []protocol.Position
		for line := 1; line < len(rows) && rows[line] != "" && rows[line][0] != 'l'; line++ {
			at = append(at, protocol.Position{Line: uint32(line)})
		}
		played := b.play(wire.PlayParams{Positions: at, Change: &wire.RunChange{Kind: wire.ChangeRandom, Steps: 1 + r.Intn(25), Seed: uint32(i + 1)}})
		for _, position := range at {
			step := r.Intn(played.Run.Steps)
			var p wire.Place
			b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: doc, Position: position, Why: 3, Run: &played.Run, Step: step}, &p)
			if p.Signal == nil || p.Signal.Signal == nil {
				continue
			}
			places++
			n := p.Now
			if n == nil || n.Outside || n.Property != "" || n.Of != "run that is played" || n.Step != step || n.Steps != played.Run.Steps {
				t.Fatalf("%s line %d: %+v", text, position.Line, n)
			}
			for _, s := range played.Trace.Signals {
				if s.Signal != *p.Signal.Signal || s.Group != wire.GroupLatches && s.Group != wire.GroupInputs && s.Group != wire.GroupGates {
					continue
				}
				if got := s.Values[n.First : n.First+len(n.Values)]; got != n.Values || s.Values[step:step+1] != n.Value {
					t.Errorf("%s line %d: values %s, expected %s", text, position.Line, n.Values, got)
				}
				next := strings.IndexByte(s.Values[step:], '0'+'1'-s.Values[step])
				if n.Word == nil && (next < 0) != (n.Next == nil) || n.Word == nil && next > 0 && *n.Next != step+next {
					t.Errorf("%s line %d: the next change of %s after step %d is not in %v", text, position.Line, s.Values, step, n.Next)
				}
			}
			var want wire.Cause
			b.MustCall("workspace/executeCommand", command(wire.CommandPlayWhy.Name, wire.PlayWhyParams{URI: doc, Run: played.Run, Signal: *p.Signal.Signal, Step: step, Depth: 3}), &want)
			if !reflect.DeepEqual(n.Why, &want) {
				t.Errorf("%s line %d: why %+v, expected %+v", text, position.Line, n.Why, want)
			}
		}
		b.replace(doc, version+1, "aag 1 1 0 1 0\n2\n3\n")
		version++
		b.settled(doc)
		var p wire.Place
		b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: doc, Position: protocol.Position{Line: 1}, Run: &played.Run}, &p)
		if p.Signal == nil || p.Now != nil {
			t.Fatalf("a run of an earlier text: %+v", p.Now)
		}
	}
	if places == 0 {
		t.Error("no place was asked about")
	}
}

// TestLatest: a newer request ends an older one of the same asker, whichever runs first.
func TestLatest(t *testing.T) {
	var l latest
	older, newer := l.numbered(t.Context()), l.numbered(t.Context())
	other := l.numbered(t.Context())
	first, end := l.begin(older, asker{view: "a"})
	if first.Err() != nil {
		t.Error("the only one has ended")
	}
	second, endSecond := l.begin(newer, asker{view: "a"})
	third, endThird := l.begin(other, asker{view: "b"})
	if first.Err() != context.Canceled || second.Err() != nil || third.Err() != nil {
		t.Errorf("%v, %v, %v", first.Err(), second.Err(), third.Err())
	}
	end()
	late, endLate := l.begin(older, asker{view: "a"})
	if late.Err() == nil || second.Err() != nil {
		t.Error("an older request runs after a newer one has begun")
	}
	endLate()
	endSecond()
	endThird()
	if len(l.now) != 0 {
		t.Errorf("%d are left", len(l.now))
	}
}

// TestPlaceTextOvertaken: a newer command for the text of a place ends an older one, and no request of a view.
func TestPlaceTextOvertaken(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.settled(doc)
	s := b.server.session
	ctx := withSnapshot(t.Context(), s.snapshot.Load())
	older, newer := s.asked.numbered(ctx), s.asked.numbered(ctx)
	params := &wire.AtParams{URI: doc, Position: protocol.Position{Line: 1}}
	if text, err := executeAt(newer, s, params); err != nil || text.Text == "" {
		t.Errorf("%q, %v", text.Text, err)
	}
	_, end := s.asked.begin(newer, asker{name: doc, text: true})
	defer end()
	var refusal *jsonrpc2.Error
	if _, err := executeAt(older, s, params); !errors.As(err, &refusal) || refusal.Code != jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled) {
		t.Errorf("the older command answers with %v", err)
	}
	if _, err := placeAt(older, &server{session: s}, params); err != nil {
		t.Errorf("the request of a view: %v", err)
	}
}

// TestPlaceOfManyProofs: where not all proofs are looked at, it is not said that they say nothing.
func TestPlaceOfManyProofs(t *testing.T) {
	b := agreeingBench(t)
	const n = placeProofs + 6
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 0 %d 0 %d %d\n2 2\n", 2*n+1, n+1, n, n+1)
	for i := range n {
		fmt.Fprintf(&s, "%d %d\n", 4+2*i, 4+2*i)
	}
	gate := 2 * (n + 2)
	for i := range n {
		fmt.Fprintf(&s, "%d\n", gate+2*i)
	}
	s.WriteString("2\n")
	for i := range n {
		fmt.Fprintf(&s, "%d %d 3\n", gate+2*i, 4+2*i)
	}
	newAgreeing(b, "aiger", doc, s.String())
	always := b.at(1, 0).Always
	if want := "Not all proofs were looked at: of 71, 64 say nothing about it."; always == nil || always.Nothing != want {
		t.Errorf("%+v, expected %q", always, want)
	}
}

// TestPlaceDepth: formulas of as many levels as a client likes cost no more than those of a hover.
func TestPlaceDepth(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	const n = 60
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 2 0 0 %d 1\n2\n4\n%d\n", 2+n, n, 2*(n+2))
	for i := range n {
		fmt.Fprintf(&s, "%d %d %d\n", 6+2*i, 4+2*i, max(2, 2+2*i)^1)
	}
	b.open(doc, s.String())
	b.settled(doc)
	ask := func(depth int) (p wire.Place) {
		b.MustCall(wire.RequestAt.Name, wire.AtParams{URI: doc, Position: protocol.Position{Line: 3 + n}, Depth: depth}, &p)
		return p
	}
	most, deeper := ask(10), ask(1000)
	if deeper.Signal.Depth != 10 || deeper.Signal.Formula != most.Signal.Formula || deeper.Signal.Deeper {
		t.Errorf("%+v", deeper.Signal)
	}
}

// TestPlaceTextUnsettled: a text that lacks what the circuit says tells so.
func TestPlaceTextUnsettled(t *testing.T) {
	for _, settled := range []bool{false, true} {
		text := placeText(&wire.Place{Title: "a", Settled: settled})
		if strings.Contains(text, "The circuit is being read") == settled {
			t.Errorf("settled: %t: %s", settled, text)
		}
	}
}

// TestPlaceInManyInstances: the signal of a place is the one whose values are told, in whichever of the instances of
// its model that is.
func TestPlaceInManyInstances(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	const instances, asked = 2 * placeCopies, placeCopies + 5
	text := ".model top\n.inputs a\n.outputs bad\n"
	for i := range instances {
		text += fmt.Sprintf(".subckt cell d=a q=x%d\n", i)
	}
	text += fmt.Sprintf("# prop: bad bad\n.names x%d bad\n1 1\n.end\n.model cell\n.inputs d\n.outputs q\n.latch d q 0\n.end\n", asked)
	b.openAs("blif", doc, text)
	b.save(doc)
	b.expectTitles("refuted at step 1")
	b.step(wire.MoveLast, nil)
	p := b.at(uint32(strings.Count(text[:strings.Index(text, ".latch")], "\n")), 9)
	path := fmt.Sprintf("x%d", asked)
	if p.Now == nil || p.Now.Instance != path || p.Now.Value != "1" || p.Signal.Signal == nil {
		t.Fatalf("%+v, want the value in %s", p.Now, path)
	}
	if got := p.Signal.Instances; len(got) != placeCopies || got[0] != path || !slices.Equal(p.Signal.Scope, []string{path}) {
		t.Errorf("the signal is that of %v in %q, want %s", p.Signal.Scope, got, path)
	}
	var cause wire.Cause
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc, Property: p.Now.Property}, Signal: p.Signal.Signal, Step: &p.Now.Step}), &cause)
	if cause.Value != p.Now.Value || !strings.HasPrefix(cause.Name, path) {
		t.Errorf("%+v, want the cause of the signal in %s", cause, path)
	}
}
