package lsp

import (
	"context"
	"strings"
	"testing"

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
		{3, 0, wire.AtProperty, "**bad** `full`: not checked yet"},
		{4, 2, wire.AtLatch, "**latch** 1 `high` · literal 4"},
		{4, 0, wire.AtGate, "**gate** `full` · literal 6"},
		{7, 4, wire.AtLatch, "**latch** 0 `low` · literal 2"},
		{9, 4, wire.AtProperty, "**bad** `full`: not checked yet"},
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
	if p := b.at(3, 0).Property; p == nil || p.Verdict != wire.VerdictNone || len(p.Actions) != 1 || p.Actions[0].Command != wire.CommandCheck.Name {
		t.Errorf("before a check: %+v", p)
	}
	b.save(doc)
	b.expectTitles("refuted at step 3")
	p := b.at(3, 0)
	if p.Title != "**bad** `full`: refuted at step 3" || p.Property.Certificate != "a run of 4 steps, replayed on this text" {
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

// TestPlaceUnsearched: properties that are too many to be searched are counted, and nothing is said of them.
func TestPlaceUnsearched(t *testing.T) {
	text := placeText(&wire.Place{Title: "a", Always: &wire.PlaceAlways{Unsearched: 3}})
	if !strings.Contains(text, "Properties that depend on it") || !strings.Contains(text, "- of 3 more it is not known: there are too many\n") {
		t.Error(text)
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
