package life

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"
)

// TestProgress: while a check runs, what is told of it comes at most ten times a
// second, and typing a comment moves nothing.
func TestProgress(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/mixed.aag", mixed())
	e.save(f)
	e.awaitTexts(f, "checking…", "refuted at step 2", "proved…")
	e.until("a progress", func() bool { return len(e.openTokens()) == 1 })
	told, begin := len(f.told), time.Now()
	elapsed := regexp.MustCompile(`· depth \d+ · (1 lemma|[\d,]+ lemmas)`)
	steady := func() []string {
		titles := e.titles(f)
		for i := range titles {
			titles[i] = elapsed.ReplaceAllString(titles[i], "")
		}
		return titles
	}
	first := steady()
	e.edit(f, f.buffer.Text+"c\n")
	for i := 0; time.Since(begin) < 1500*time.Millisecond; i++ {
		e.edit(f, f.buffer.Text+string("a word\n"[i%7]))
		if now := steady(); !slices.Equal(first, now) {
			t.Errorf("the lenses were %q, now are %q", first, now)
		}
		time.Sleep(10 * time.Millisecond)
	}
	e.agree(f)
	took := time.Since(begin).Seconds()
	if n, most := len(f.told)-told, int(10*took)+2; n > most {
		t.Errorf("told %d times of the status in %.1f s", n, took)
	} else {
		t.Logf("told %d times of the status in %.1f s", n, took)
	}
	if len(f.statuses) != 3 || f.statuses[0].Freshness != "running" {
		t.Errorf("%+v", f.statuses)
	}
	e.execute("stop", map[string]any{}, nil)
	e.until("the end of the progress", func() bool { return len(e.openTokens()) == 0 })
	for id, k := range e.tokens {
		span := 0.0
		if n := len(k.reports); n > 0 {
			span = k.reports[n-1].Sub(k.begun).Seconds()
		}
		if len(k.reports) > int(10*span)+2 || len(k.reports) == 0 {
			t.Errorf("%s: %d reports in %.1f s", id, len(k.reports), span)
		}
		form := regexp.MustCompile(`^\d of 3 · depth \d+ · (1 lemma|[\d,]+ lemmas) · (1 obligation|[\d,]+ obligations)( · bound \d+)?$`)
		for _, m := range k.messages {
			if !form.MatchString(m) {
				t.Errorf("%s: %q", id, m)
			}
		}
	}
}

// TestTyping makes 200 edits with 40 saves in 10 s to a circuit that takes minutes,
// the last of which makes it easy. Two checks of one property would be two processes.
func TestTyping(t *testing.T) {
	t.Parallel()
	e := start(t, options{})
	f := e.open("file:///w/hard.aag", hard())
	e.save(f)
	e.awaitTexts(f, "checking…")
	most := 0
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for i := range 199 {
		<-tick.C
		switch {
		case i%10 < 4: // other cones that are no easier
			e.edit(f, hardFrom(i+1))
		case i%10 == 5: // an error
			e.edit(f, replaced(f.buffer.Text, 2+i%40, "2 x"))
		default:
			e.edit(f, f.buffer.Text+"c\nwords\n")
		}
		if i%5 == 3 {
			e.save(f)
		}
		e.take()
		most = max(most, len(e.workers()))
	}
	n := &netlist{}
	n.bad(n.shift(7, 1), "full")
	e.edit(f, n.String())
	e.save(f)
	begin := time.Now()
	e.awaitTexts(f, "refuted at step 6")
	t.Logf("right after %d ms", time.Since(begin).Milliseconds())
	e.agree(f)
	e.awaitIdle(begin)
	if most != 1 {
		t.Errorf("%d workers at once for one property", most)
	}
	if n := len(e.history(f)); n != 1 {
		t.Errorf("%d verdicts", n)
	}
}

// TestManyFiles saves 24 files at once and looks around meanwhile.
func TestManyFiles(t *testing.T) {
	e := start(t, options{})
	files := e.openMany(24)
	for _, f := range files {
		e.save(f)
	}
	hovers := e.hoverUntil(files)
	for i, f := range files {
		e.awaitTexts(f, fmt.Sprintf("refuted at step %d", 127-i), "proved…")
		e.agree(f)
	}
	t.Logf("%d hovers, the slowest took %s", len(hovers), slices.Max(hovers))
}

// openMany opens n files, each with properties of its own.
func (e *editor) openMany(count int) (files []*file) {
	e.t.Helper()
	for i := range count {
		n := &netlist{}
		n.bad(n.counter(7, i), "full") // refuted at step 127 − i
		n.bad(n.shift(5+i, 0), "never")
		f := &file{uri: "file:///w/" + string(rune('a'+i)) + ".aag", anyVerdict: true}
		e.files[f.uri] = f
		files = append(files, e.open(f.uri, n.String()))
	}
	return files
}

// hoverUntil asks for one hover after the other until all files have verdicts, and
// returns how long each took.
func (e *editor) hoverUntil(files []*file) (times []time.Duration) {
	e.t.Helper()
	waiting, since := len(files), time.Now()
	for i := 0; ; i++ {
		f := files[i%len(files)]
		params := f.item()
		params["position"] = map[string]any{"line": 1 + i%12, "character": 0}
		sent := time.Now()
		e.MustCall("textDocument/hover", params, nil)
		times = append(times, time.Since(sent))
		e.take()
		left := 0
		for _, f := range files {
			if !f.hasVerdicts() {
				left++
			}
		}
		switch {
		case left == 0:
			return times
		case left < waiting:
			waiting, since = left, time.Now()
		case time.Since(since) > patience:
			e.t.Fatalf("the checks of %d files do not end", left)
		}
	}
}
