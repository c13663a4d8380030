package life

import (
	"fmt"
	"slices"
	"testing"
)

// ladder is a circuit whose properties have cones of 2, 4, 6, … latches, the largest
// first.
func ladder(count int) string {
	n := &netlist{}
	for i := range count {
		n.bad(n.shift(2*(count-i), 0), fmt.Sprintf("rung%d", count-i))
	}
	return n.String()
}

// order returns which properties have got verdicts, in the order in which they did.
func (e *editor) order(f *file) (ids []string) {
	for _, h := range e.history(f) {
		ids = append(ids, h.Property)
	}
	return ids
}

// oneWorker makes the order of the verdicts that of the runs.
var oneWorker = check(map[string]any{"workers": 1})

// TestOrder: the smallest cone is first.
func TestOrder(t *testing.T) {
	e := start(t, options{settings: oneWorker})
	f := e.open("file:///w/ladder.aag", ladder(6))
	e.save(f)
	e.awaitVerdicts(f)
	if got, want := e.order(f), []string{"bad:5", "bad:4", "bad:3", "bad:2", "bad:1", "bad:0"}; !slices.Equal(got, want) {
		t.Errorf("order %v, expected %v", got, want)
	}
}

// TestCursor: the property where the user is comes before those with smaller cones.
func TestCursor(t *testing.T) {
	for name, point := range map[string]func(*editor, *file, status){
		"cursor": func(e *editor, f *file, at status) {
			e.Notify("aiglens/cursor", map[string]any{"uri": f.uri, "position": at.Range.Start})
		},
		"highlight": func(e *editor, f *file, at status) {
			params := f.item()
			params["position"] = at.Range.Start
			e.MustCall("textDocument/documentHighlight", params, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := orderAt(t, point), []string{"bad:2", "bad:4", "bad:3", "bad:1"}; !slices.Equal(got, want) {
				t.Errorf("order %v, expected %v", got, want)
			}
		})
	}
}

// orderAt returns the order of the verdicts of four properties, of which bad:2 is where the user is.
func orderAt(t *testing.T, point func(*editor, *file, status)) []string {
	e := start(t, options{settings: oneWorker})
	// One that takes minutes holds the worker while the others wait.
	n := &netlist{}
	n.bad(n.counter(40, 0), "full")
	for i, bits := range []int{9, 8, 8, 7} { // so that each takes its time
		n.bad(n.counter(bits, 1), fmt.Sprint("rung", i))
	}
	f := e.open("file:///w/rungs.aag", n.String())
	all := e.agree(f)
	point(e, f, all[0])
	e.save(f)
	e.awaitTexts(f, "checking…", "queued", "queued", "queued", "queued")
	e.agree(f)
	point(e, f, all[2])
	e.execute("stop", f.about("bad:0"), nil)
	e.awaitTexts(f, "check", "refuted at step 510", "refuted at step 254", "refuted at step 254", "refuted at step 126")
	e.agree(f)
	return e.order(f)
}

// TestOnlyTouched: a save checks the properties whose cones an edit has changed.
func TestOnlyTouched(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/ladder.aag", ladder(6))
	e.save(f)
	e.awaitVerdicts(f)
	mark := len(e.history(f))
	text := replaced(f.buffer.Text, 2, "2 2 1") // the first latch of the largest cone
	e.edit(f, text)
	e.awaitTexts(f, "stale · proved…", "proved…", "proved…", "proved…", "proved…", "proved…")
	e.agree(f)
	e.save(f)
	e.awaitTexts(f, "refuted at step 11", "proved…", "proved…", "proved…", "proved…", "proved…")
	e.agree(f)
	if got := e.order(f)[mark:]; !slices.Equal(got, []string{"bad:0"}) {
		t.Errorf("checked %v", got)
	}
}

// TestSaves: an unsaved edit starts nothing, and of two quick saves only one does. A
// save of the same text leaves the check of it alone.
func TestSaves(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/mixed.aag", mixed())
	e.edit(f, mixed()+"c\nnothing\n")
	e.edit(f, replaced(mixed(), 42, "82 82 0"))
	e.agree(f)
	e.expectRuns(f, 0)
	if got := e.workers(); len(got) > 0 {
		t.Errorf("unsaved, and there are workers: %v", got)
	}
	e.edit(f, mixed())
	e.save(f)
	e.save(f)
	e.awaitTexts(f, "checking…", "refuted at step 2", "proved…")
	e.expectRuns(f, 2)
	busy := e.busyWorkers(1)
	depth := f.statuses[0].Depth
	e.until("some depth", func() bool { return f.statuses[0].Depth > depth })
	for range 5 {
		e.save(f)
		e.edit(f, f.buffer.Text+"c\nwords\n")
		e.save(f)
	}
	e.agree(f)
	if s := f.statuses[0]; s.Freshness != "running" || s.Depth < depth {
		t.Errorf("the check has started over: %+v", s)
	}
	if again := e.busyWorkers(1); !slices.Equal(busy, again) {
		t.Errorf("busy were workers %v, now are %v", busy, again)
	}
	e.expectRuns(f, 2)
	e.execute("stop", map[string]any{}, nil)
	e.awaitTexts(f, "check", "refuted at step 2", "proved…")
}
