package life

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/ic3/verify"
	"aiglens/internal/cache"
	"aiglens/internal/source"
)

// shifts is a circuit with four properties, two of which are refuted.
func shifts() string {
	n := &netlist{}
	n.bad(n.shift(3, 1), "third")
	n.bad(n.shift(3, 0), "never")
	n.bad(n.counter(3, 0), "full")
	latch, row := n.latch(0)
	n.next(latch, row, n.and(latch, n.counter(2, 0)))
	n.bad(latch, "stuck")
	return n.String()
}

var shiftTexts = []string{"refuted at step 2", "proved…", "refuted at step 7", "proved…"}

func (f *file) allCached() bool {
	for _, s := range f.statuses {
		if !s.Cached || s.Freshness != "fresh" {
			return false
		}
	}
	return len(f.statuses) > 0
}

// TestRestart: another server finds the verdicts of the first when a file is opened,
// without a worker.
func TestRestart(t *testing.T) {
	folder := t.TempDir()
	texts := map[string]string{"shifts.aag": shifts()}
	for _, name := range []string{"lift.aag", "crossing.blif"} {
		texts[name] = example(t, name)
	}
	want := map[string][]string{}
	first := start(t, options{cache: folder})
	for name, text := range texts {
		f := first.open("file:///w/"+name, text)
		first.save(f)
		first.awaitVerdicts(f)
		for _, s := range first.agree(f) {
			want[name] = append(want[name], s.Text)
		}
	}
	first.leave()
	second := start(t, options{cache: folder})
	for name, text := range texts {
		f := second.open("file:///w/"+name, text)
		second.awaitTexts(f, want[name]...)
		second.agree(f)
		if !f.allCached() {
			t.Errorf("%s: %+v", name, f.statuses)
		}
		second.save(f)
		second.agree(f)
		second.expectRuns(f, len(f.statuses))
	}
	if all := second.workers(); len(all) > 0 {
		t.Errorf("workers %v", all)
	}
	off := start(t, options{cache: folder, settings: check(map[string]any{"cache": false})})
	f := off.open("file:///w/shifts.aag", shifts())
	off.save(f)
	off.awaitTexts(f, shiftTexts...)
	if f.statuses[0].Cached || f.statuses[1].Cached {
		t.Errorf("the cache is off: %+v", f.statuses)
	}
}

// TestTwoServers use a folder at once.
func TestTwoServers(t *testing.T) {
	folder := t.TempDir()
	a, b := start(t, options{cache: folder}), start(t, options{cache: folder})
	for round := range 8 {
		n := &netlist{}
		n.bad(n.shift(3+round%4, 1), "reached")
		n.bad(n.counter(3, round), "full")
		n.bad(n.shift(4+round, 0), "never")
		uri := fmt.Sprintf("file:///w/%d.aag", round)
		f, g := a.open(uri, n.String()), b.open(uri, n.String())
		a.save(f)
		b.save(g)
		want := []string{fmt.Sprintf("refuted at step %d", 2+round%4), fmt.Sprintf("refuted at step %d", 7-round), "proved…"}
		a.awaitTexts(f, want...)
		b.awaitTexts(g, want...)
		a.agree(f)
		b.agree(g)
	}
	third := start(t, options{cache: folder})
	for uri, f := range a.files {
		g := third.open(uri, f.buffer.Text)
		third.awaitVerdicts(g)
		if !g.allCached() {
			t.Errorf("%s: %+v", uri, g.statuses)
		}
	}
}

// entries returns the files of the folder by name.
func entries(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// damage does something bad to a file of the folder.
func damage(t *testing.T, r *rand.Rand, folder string, paths []string) (what string) {
	t.Helper()
	path := paths[r.Intn(len(paths))]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	place := r.Intn(len(data) + 1)
	switch kind := r.Intn(9); kind {
	case 0:
		what, data = "cut", data[:place]
	case 1:
		what, data = "grown", append(data, bytes.Repeat([]byte{byte(kind)}, 1+r.Intn(100))...)
	case 2:
		what = "another entry"
		if data, err = os.ReadFile(paths[r.Intn(len(paths))]); err != nil {
			t.Fatal(err)
		}
	case 3:
		what, data = "zeroes", make([]byte, len(data))
	case 4:
		what = "words of a verdict"
		data = []byte(strings.NewReplacer("proved", "refuted", "refuted", "proved").Replace(string(data)))
	case 5:
		what = "a folder"
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return what
	case 6:
		what, data = "a hole", append(data[:place:place], data[min(len(data), place+1+r.Intn(20)):]...)
	default:
		what = "bits"
		for range 1 + r.Intn(4) {
			if len(data) > 0 {
				data[r.Intn(len(data))] ^= 1 << r.Intn(8)
			}
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return what
}

// TestDamage does damage to the folder in a hundred ways while a server uses it: no
// verdict is ever wrong, which the editor looks at with every message, and what is of
// no use is found again.
func TestDamage(t *testing.T) {
	t.Parallel()
	sound := t.TempDir()
	e := start(t, options{cache: sound})
	f := e.open("file:///w/shifts.aag", shifts())
	e.save(f)
	e.awaitTexts(f, shiftTexts...)
	e.leave()
	if n := len(entries(t, sound)); n < 4 {
		t.Fatalf("%d files in the folder", n)
	}
	r := rand.New(rand.NewSource(1))
	for range 4 {
		folder := t.TempDir()
		e := start(t, options{cache: folder})
		for range 25 {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(folder, os.DirFS(sound)); err != nil {
				t.Fatal(err)
			}
			paths := entries(t, folder)
			var what []string
			for range 1 + r.Intn(4) {
				path := r.Intn(len(paths))
				what = append(what, damage(t, r, folder, paths[path:path+1]))
				paths = append(paths[:path], paths[path+1:]...)
			}
			f := e.open("file:///w/shifts.aag", shifts())
			if r.Intn(2) == 0 {
				e.until("what is left", func() bool { return len(f.statuses) == 4 })
				e.agree(f)
			}
			e.save(f)
			e.awaitTexts(f, shiftTexts...)
			e.close(f)
			e.until("the close", func() bool { return len(f.statuses) == 0 })
			if t.Failed() {
				t.Fatalf("after %s", strings.Join(what, ", "))
			}
		}
	}
}

// TestLies puts entries into the folder that are in order but for what they say: the
// certificates are checked again, so none counts.
func TestLies(t *testing.T) {
	folder := t.TempDir()
	store, err := cache.Open(folder, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc := design.New("file:///w/shifts.aag", formats.All().Recognise("aiger", "shifts.aag", shifts()), 0, source.NewText(shifts()), design.Options{})
	for i, p := range doc.Properties() {
		cone, err := doc.Circuit().Cone(p.ID)
		if err != nil {
			t.Fatal(err)
		}
		lie := cert.Verdict{Outcome: cert.Proved}
		if i%2 == 1 { // it holds
			lie = cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
				Initial: make([]circuit.Value, len(cone.Circuit.Latches())), Inputs: make([][]circuit.Value, 3)}}
		}
		store.Store(cone.Fingerprint, cone.Problem, verify.Entry{Verdict: lie, Engine: "ic3"})
	}
	if n := len(entries(t, folder)); n < 4 {
		t.Fatalf("%d files in the folder", n)
	}
	e := start(t, options{cache: folder})
	f := e.open("file:///w/shifts.aag", shifts())
	e.agree(f)
	e.save(f)
	e.awaitTexts(f, shiftTexts...)
	e.agree(f)
	for _, s := range f.statuses {
		if s.Cached {
			t.Errorf("a lie: %+v", s)
		}
	}
}
