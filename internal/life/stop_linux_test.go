package life

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ackBound is when the client must have been told of a stop. Tests are not clocks: the
// aim is 100 ms, which the log tells.
const ackBound = 2 * time.Second

// goneBound is when no process may be left; the aim is 2 s, which the log tells.
const goneBound = 5 * time.Second

// begin opens a circuit with several properties that take minutes, and waits until
// two of them run.
func (e *editor) begin(uri string) *file {
	e.t.Helper()
	f := e.open(uri, hards(3))
	e.save(f)
	e.awaitTexts(f, "checking…", "checking…", "queued")
	return f
}

// acknowledged waits until no check is shown.
func (e *editor) acknowledged(since time.Time, f *file) {
	e.t.Helper()
	e.until("the end of all checks", func() bool {
		return !slices.ContainsFunc(f.statuses, func(s status) bool { return s.Freshness != "stale" })
	})
	took := time.Since(since)
	e.t.Logf("acknowledged after %d ms", took.Milliseconds())
	if took > ackBound {
		e.t.Errorf("acknowledged after %s", took)
	}
}

// TestStops ends checks in all ways that there are: it is shown at once, and then the
// workers are idle.
func TestStops(t *testing.T) {
	for _, how := range []struct {
		name  string
		end   func(e *editor, f *file)
		after []string // texts
	}{
		{"lenses", func(e *editor, f *file) {
			for _, p := range []string{"bad:2", "bad:0", "bad:1"} {
				e.execute("stop", f.about(p), nil)
			}
		}, []string{"check", "check", "check"}},
		{"file", func(e *editor, f *file) { e.execute("stop", f.about(""), nil) }, []string{"check", "check", "check"}},
		{"everything", func(e *editor, f *file) { e.execute("stop", map[string]any{}, nil) }, []string{"check", "check", "check"}},
		{"progress", func(e *editor, f *file) {
			for _, id := range e.openTokens() {
				e.Notify("window/workDoneProgress/cancel", map[string]any{"token": id})
			}
		}, []string{"check", "check", "check"}},
		{"close", func(e *editor, f *file) { e.close(f) }, nil},
		{"easy edit", func(e *editor, f *file) {
			n := &netlist{}
			for range 3 {
				n.bad(n.shift(3, 1), "reached")
			}
			e.edit(f, n.String())
			e.save(f)
			e.awaitVerdicts(f)
			f.statuses = nil
		}, nil},
	} {
		t.Run(how.name, func(t *testing.T) {
			e := start(t, options{})
			f := e.begin("file:///w/hard.aag")
			e.until("a progress", func() bool { return len(e.openTokens()) == 1 })
			begin := time.Now()
			how.end(e, f)
			e.acknowledged(begin, f)
			e.awaitIdle(begin)
			if f.isOpen && how.after != nil {
				e.awaitTexts(f, how.after...)
				e.agree(f)
			}
			e.until("the end of the progress", func() bool { return len(e.openTokens()) == 0 })
		})
	}
}

// TestLeave: neither a good leave nor a sudden death leaves a process behind.
func TestLeave(t *testing.T) {
	for name, end := range map[string]func(*editor){
		"shutdown": func(e *editor) { e.leave() },
		"killed": func(e *editor) {
			if err := e.server.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := start(t, options{settings: check(map[string]any{"workers": 3})})
			f := e.open("file:///w/hard.aag", hards(3))
			e.save(f)
			e.awaitTexts(f, "checking…", "checking…", "checking…")
			var all []process
			e.until("three workers", func() bool {
				all = e.workers()
				return len(all) == 3
			})
			begin := time.Now()
			end(e)
			for _, p := range all {
				for !isGone(p.id) {
					if time.Since(begin) > patience {
						t.Fatalf("worker %d is still there", p.id)
					}
					time.Sleep(time.Millisecond)
				}
			}
			took := time.Since(begin)
			t.Logf("no process left after %d ms", took.Milliseconds())
			if took > goneBound {
				t.Errorf("no process left after %s", took)
			}
		})
	}
}

// TestWorkerKilled: of two checks one loses its worker. It gets another, once; when that is
// lost as well it is unknown, the other check goes on, and the next save checks afresh.
func TestWorkerKilled(t *testing.T) {
	e := start(t, options{})
	e.killsWorkers = true
	f := e.open("file:///w/hard.aag", hards(2))
	e.save(f)
	e.awaitTexts(f, "checking…", "checking…")
	ids := e.busyWorkers(2)
	kill := func(id int) {
		t.Helper()
		if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	kill(ids[0])
	second := slices.DeleteFunc(e.busyWorkers(2), func(id int) bool { return id == ids[1] })
	if len(second) != 1 || second[0] == ids[0] {
		t.Fatalf("tried again by %v, after %d and beside %d", second, ids[0], ids[1])
	}
	e.agree(f)
	if !f.hasTexts("checking…", "checking…") {
		t.Errorf("after one loss: %+v", f.statuses)
	}
	kill(second[0])
	const unknown = "unknown: worker ended"
	e.until("the loss", func() bool {
		return f.hasTexts("checking…", unknown+"…") || f.hasTexts(unknown+"…", "checking…")
	})
	e.agree(f)
	if isGone(ids[1]) {
		t.Error("the other worker is gone as well")
	}
	e.save(f)
	e.awaitTexts(f, "checking…", "checking…")
	if now := e.busyWorkers(2); slices.Contains(now, ids[0]) || slices.Contains(now, second[0]) || !slices.Contains(now, ids[1]) {
		t.Errorf("busy workers %v, then %v", ids, now)
	}
	e.execute("stop", map[string]any{}, nil)
	e.agree(f)
}

// TestPriority: workers give way to the server.
func TestPriority(t *testing.T) {
	e := start(t, options{})
	f := e.begin("file:///w/hard.aag")
	server, _ := processOf(e.server.Process.Pid)
	e.busyWorkers(2)
	// They see to it themselves when they start, and starting takes some of the processor.
	e.until("workers that give way", func() bool {
		workers := e.workers()
		return len(workers) >= 2 && !slices.ContainsFunc(workers, func(p process) bool { return p.nice <= server.nice })
	})
	e.execute("stop", f.about(""), nil)
}

// TestLimits: a property that exceeds a limit is unknown with the reason, and nothing
// else suffers. A limit that is lifted has the next save try again.
func TestLimits(t *testing.T) {
	for name, limit := range map[string]struct {
		settings map[string]any
		reason   string
	}{
		"wall":   {map[string]any{"timeout": 0.7}, "timeout"},
		"CPU":    {map[string]any{"timeout": 0, "cpu": 0.3}, "CPU limit"},
		"memory": {map[string]any{"timeout": 0, "memory": 45}, "memory limit"},
	} {
		t.Run(name, func(t *testing.T) {
			e := start(t, options{settings: check(limit.settings)})
			f := e.open("file:///w/mixed.aag", mixed())
			other := e.open("file:///w/other.aag", quick())
			e.save(f)
			e.save(other)
			e.awaitTexts(f, "unknown: "+limit.reason+"…", "refuted at step 2", "proved…")
			e.awaitTexts(other, "refuted at step 2", "proved…")
			e.agree(f)
			e.agree(other)
			e.awaitIdle(time.Now())
			e.save(f) // the same limit has the same end
			e.agree(f)
			if !strings.HasPrefix(f.statuses[0].Text, "unknown: "+limit.reason) {
				t.Errorf("checked again: %+v", f.statuses[0])
			}
			e.configure(check(map[string]any{"timeout": 0}))
			e.save(f)
			e.awaitTexts(f, "checking…", "refuted at step 2", "proved…")
			e.execute("stop", map[string]any{}, nil)
			e.agree(f)
		})
	}
}
