package lsp

import (
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design/blifdesign"
	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// topOfStage uses the model of another file.
const topOfStage = ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n"

// holdDoubt runs f on the queue while the meaning of other files is in doubt, which it is until
// end is called.
func (s *session) holdDoubt(f func()) (end func()) {
	held := &rereading{doubt: true}
	for isHeld := false; !isHeld; { // a reread that an opening has begun may still be on its way
		s.queue.Do(func() {
			if isHeld = s.texts.doubt.running == nil; isHeld {
				s.texts.doubt.running, s.texts.doubt.sure = held, make(chan struct{})
				f()
			}
		})
	}
	return func() {
		s.queue.Do(func() {
			option := blifdesign.OptionOf(s.settings.Document)
			s.texts.endReread(held, false, option.Genlib, option.Cells, nil)
		})
	}
}

// TestRecallLeavesChecks: when the cache is asked for the verdicts of a file whose check waits, as
// where the user trusts the folder meanwhile, the check is not lost.
func TestRecallLeavesChecks(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"stage.blif": stage}, func(o *Options) {
		o.Cache = &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
	})
	u := address("top.blif")
	w.openAs("blif", u, topOfStage)
	w.expect(u, "none stale")
	s := w.server.session
	endDoubt := s.holdDoubt(func() {
		f := s.texts.files[uri.URI(u)]
		s.checking.checkSaved(f, f.doc, f.checks.Text())
		s.checking.recallFile(f)
	})
	endDoubt()
	w.expect(u, "refuted fresh")
}

// TestSavedTextIsChecked: while the meaning of other files is in doubt, a check waits. What it
// checks then is the text that was saved and not what was typed meanwhile.
func TestSavedTextIsChecked(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"stage.blif": stage})
	u, saved := address("top.blif"), topOfStage
	w.openAs("blif", u, saved)
	w.expect(u, "none stale")
	s := w.server.session
	endDoubt := s.holdDoubt(func() {
		f := s.texts.files[uri.URI(u)]
		s.checking.checkSaved(f, f.doc, f.checks.Text())
	})
	w.replace(u, 2, strings.Replace(saved, "in=x", "in=bad", 1)) // which is a cycle of latches that stay 0
	w.expectRuns(0)
	endDoubt()
	w.expect(u, "refuted stale")
	var all []wire.HistoryEntry
	w.MustCall("workspace/executeCommand", command(wire.CommandHistory.Name, wire.FileParams{URI: uri.URI(u)}), &all)
	if len(all) != 1 || all[0].Version != 1 {
		t.Errorf("checked: %+v", all)
	}
}

// TestTypingStops: a check that was to follow typing does not when the user wants that no
// more, also where the user changes it again; and it does although other settings change.
func TestTypingStops(t *testing.T) {
	const later = 3_600_000 // ms
	onType := func(delay int, more map[string]any) map[string]any {
		all := map[string]any{"check": map[string]any{"trigger": "onType", "delay": delay}}
		for name, value := range more {
			all[name] = value
		}
		return map[string]any{"settings": map[string]any{"aiglens": all}}
	}
	b := newBench(t, explicit)
	b.Initialize(capable, onType(later, nil)["settings"])
	b.open(doc, toggle)
	b.replace(doc, 2, toggle+"c\n")
	b.sync()
	s := b.server.session
	timer := func() (waits bool) {
		s.queue.Do(func() { waits = s.texts.files[uri.URI(doc)].work.typed != nil })
		return waits
	}
	if !timer() {
		t.Error("nothing follows what was typed")
	}
	b.Notify("workspace/didChangeConfiguration", onType(later, map[string]any{"hover": map[string]any{"depth": 4}}))
	b.sync()
	if !timer() {
		t.Error("another setting is the end of the check")
	}
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": map[string]any{"check": map[string]any{"trigger": "manual"}}}})
	b.sync()
	if timer() {
		t.Error("a check follows that the user does not want")
	}
	b.Notify("workspace/didChangeConfiguration", onType(0, nil))
	b.sync()
	b.expectRuns(0)
	b.replace(doc, 3, toggle)
	b.expectTitles(refutedAt1, provedT)
}

// TestTypingOutlastsReading: files that are read again, because others have changed, are
// checked all the same when typing rests.
func TestTypingOutlastsReading(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"stage.blif": stage})
	u := address("top.blif")
	s := w.server.session
	s.queue.Do(func() { s.settings.Trigger, s.settings.Delay = "onType", 0 })
	w.openAs("blif", u, topOfStage)
	w.sync()
	s.queue.Do(func() { // as a keystroke does, and then a file that has changed
		f := s.texts.files[uri.URI(u)]
		s.checking.checkAfterTyping(f)
		s.texts.modelsChanged()
	})
	w.expect(u, "refuted fresh")
}
