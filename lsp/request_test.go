package lsp

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// ownRow returns toggle with another literal in the row of the first property, in turns.
func ownRow(round int) (text string, verdict wire.Verdict) {
	switch round % 4 {
	case 0:
		return edited(4, "4"), wire.VerdictProved
	case 1:
		return edited(4, "3"), wire.VerdictRefuted
	case 2:
		return edited(4, "5"), wire.VerdictRefuted
	}
	return toggle, wire.VerdictRefuted
}

// TestCheckRightAfterAnEditOfTheRow sends an edit of a property's own row and the request
// to check it back to back: each request has a run, and a verdict on the row as it is.
func TestCheckRightAfterAnEditOfTheRow(t *testing.T) {
	rounds := everyDay(250, 1000)
	check := func(t *testing.T, wait bool) {
		b := newBench(t, explicit)
		b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
		b.open(doc, toggle)
		first := wire.PropertyParams{URI: doc, Property: "bad:0"}
		var text string
		var want wire.Verdict
		ends := func() bool {
			var all []wire.PropertyStatus
			b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(doc)}), &all)
			return all[0].Verdict == want && all[0].Freshness == wire.FreshnessFresh
		}
		for round := range rounds {
			text, want = ownRow(round)
			b.replace(doc, 2+round, text+fmt.Sprintf("c\n%d\n", round))
			b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, first), nil)
			if wait {
				b.await(func() bool { return b.runs.Load() == int32(round+1) && ends() })
			}
		}
		b.await(ends)
	}
	t.Run("one after the other", func(t *testing.T) { check(t, true) })
	t.Run("all at once", func(t *testing.T) { check(t, false) })
}

// TestHistoryNamesTheRowThatWasChecked although it stands elsewhere when the verdict
// comes.
func TestHistoryNamesTheRowThatWasChecked(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle+"b0 first\n")
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), nil)
	<-g.started
	b.replace(doc, 2, strings.NewReplacer("0 2\n", "0 3\n", "4 4\n2\n", "4 4\n5\n2\n").Replace(toggle)+"b1 first\n")
	<-g.started // at its new place
	g.open <- struct{}{}
	w.expect(doc, "none stale", "refuted fresh", "none stale")
	var history []wire.HistoryEntry
	b.MustCall("workspace/executeCommand", command(wire.CommandHistory.Name, wire.FileParams{URI: doc}), &history)
	if len(history) != 1 || history[0].Property != "bad:0" || history[0].Name != "first" || history[0].Version != 1 {
		t.Errorf("history %+v, expected bad:0, first, of version 1", history)
	}
}
