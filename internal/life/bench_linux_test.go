package life

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// reportTimes writes percentiles in milliseconds.
func reportTimes(b *testing.B, name string, times []time.Duration) {
	b.Helper()
	times = slices.DeleteFunc(times, func(d time.Duration) bool { return d < 0 })
	slices.Sort(times)
	for _, percent := range []int{50, 95, 99} {
		at := times[(len(times)-1)*percent/100]
		b.ReportMetric(float64(at.Microseconds())/1000, fmt.Sprintf("%s-p%d-ms", name, percent))
	}
}

// shown waits until a save has led to verdicts on all surfaces, asking for lenses
// when the server wants that, and returns how long each took; −1 for no diagnostic.
func (e *editor) shown(b *testing.B, f *file, mark int, saved time.Time) (status, diagnostics, lenses time.Duration) {
	b.Helper()
	refreshes := mark
	for status == 0 || diagnostics == 0 || lenses == 0 {
		e.take()
		if status == 0 && f.hasVerdicts() && f.toldVersion == f.version {
			status = f.told[len(f.told)-1].Sub(saved)
		}
		for _, m := range e.Received(refreshes) {
			refreshes++
			if m.Method == "workspace/codeLens/refresh" && lenses == 0 {
				titles := e.titles(f)
				if !slices.ContainsFunc(titles, func(s string) bool {
					return s == "check" || s == "queued" || strings.HasPrefix(s, "checking") || strings.HasPrefix(s, "stale")
				}) {
					lenses = time.Since(saved)
				}
			}
		}
		if diagnostics == 0 && status > 0 && slices.Equal(f.verdictDiagnostics(), e.expectedDiagnostics(f.statuses)) {
			diagnostics = -1                     // there are none
			for _, m := range e.Received(mark) { // the last one told them
				if m.Method == "textDocument/publishDiagnostics" {
					diagnostics = m.At.Sub(saved)
				}
			}
		}
		if time.Since(saved) > patience {
			b.Fatalf("%s: %v %v %v %+v", f.uri, status, diagnostics, lenses, f.statuses)
		}
		time.Sleep(200 * time.Microsecond)
	}
	return status, diagnostics, lenses
}

// BenchmarkSave opens the examples, saves each, and waits until verdicts are told,
// published, and on the lenses. Nothing is known of a circuit before, neither here nor
// on disk.
func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples"))); err != nil {
		b.Fatal(err)
	}
	var statuses, diagnostics, lenses []time.Duration
	for b.Loop() {
		e := start(b, options{settings: check(map[string]any{"cache": false})})
		for _, name := range examples(b) {
			f := e.open(fileURI(filepath.Join(dir, name)), example(b, name))
			e.agree(f)
			time.Sleep(150 * time.Millisecond) // people are slower
			mark, saved := e.Mark(), time.Now()
			e.save(f)
			s, d, l := e.shown(b, f, mark, saved)
			statuses, diagnostics, lenses = append(statuses, s), append(diagnostics, d), append(lenses, l)
			e.close(f)
		}
		e.leave()
	}
	reportTimes(b, "told", statuses)
	reportTimes(b, "published", diagnostics)
	reportTimes(b, "lenses", lenses)
}

// BenchmarkEditAndSave makes an edit in the cone, as the examples propose, and saves
// at once.
func BenchmarkEditAndSave(b *testing.B) {
	const text, line, row = "traffic_light.aag", 21, "36 20 4"
	var statuses, diagnostics, lenses []time.Duration
	e := start(b, options{settings: check(map[string]any{"cache": false})})
	for b.Loop() {
		f := e.open("file:///w/"+text, example(b, text))
		e.save(f)
		e.awaitVerdicts(f)
		time.Sleep(150 * time.Millisecond)
		mark, saved := e.Mark(), time.Now()
		e.edit(f, replaced(f.buffer.Text, line, row))
		e.save(f)
		f.statuses[0].Freshness = "stale" // as it is from now on
		s, d, l := e.shown(b, f, mark, saved)
		statuses, diagnostics, lenses = append(statuses, s), append(diagnostics, d), append(lenses, l)
		e.close(f)
	}
	reportTimes(b, "told", statuses)
	reportTimes(b, "published", diagnostics)
	reportTimes(b, "lenses", lenses)
}

// BenchmarkHover saves 24 files at once, whose checks keep two workers busy for some
// seconds, and asks for one hover after the other meanwhile.
func BenchmarkHover(b *testing.B) {
	var times []time.Duration
	for b.Loop() {
		e := start(b, options{settings: check(map[string]any{"cache": false, "timeout": 1})})
		var files []*file
		for i := range 24 {
			files = append(files, e.open(fmt.Sprintf("file:///w/%d.aag", i), hardFrom(i)))
		}
		for _, f := range files {
			e.agree(f)
		}
		for _, f := range files {
			e.save(f)
		}
		times = append(times, e.hoverUntil(files)...)
		e.leave()
	}
	reportTimes(b, "hover", times)
}

// BenchmarkKeystroke types into a file of 10,000 lines while a check of another one keeps
// all processors busy with a portfolio, and while none runs: from the keystroke to its
// diagnostics, with 50 ms between two.
func BenchmarkKeystroke(b *testing.B) {
	for _, engine := range []string{"none", "auto", "portfolio"} {
		b.Run(engine, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				settings := map[string]any{"cache": false, "timeout": 0}
				if engine != "none" {
					settings["engine"] = engine
				}
				e := start(b, options{settings: check(settings)})
				if engine != "none" {
					checked := e.open("file:///w/hard.aag", hard())
					e.agree(checked)
					e.save(checked)
					e.until("the check runs", func() bool { return checked.statuses[0].Freshness == "running" })
				}
				f := e.open("file:///w/typed.aag", generated("aag", 10_000))
				e.agree(f)
				text := f.buffer.Text
				at := strings.LastIndexByte(text[:len(text)/2], '\n')
				for range 200 {
					times = append(times, e.typed(b, f, text[:at]+"x"+text[at:]), e.typed(b, f, text))
				}
				e.leave()
			}
			reportTimes(b, "keystroke", times)
		})
	}
}

// typed changes a file and returns when its diagnostics were there.
func (e *editor) typed(b *testing.B, f *file, text string) time.Duration {
	b.Helper()
	time.Sleep(50 * time.Millisecond)
	mark, begun := e.Mark(), time.Now()
	e.edit(f, text)
	version := fmt.Sprintf(`"version":%d`, f.version)
	for time.Since(begun) < patience {
		for _, m := range e.Received(mark) {
			mark++
			if m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), f.uri) && strings.Contains(string(m.Params), version) {
				return m.At.Sub(begun)
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
	b.Fatalf("no diagnostics of version %d", f.version)
	return 0
}
