package life

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Flags, after -args.
var (
	soakTime = flag.Duration("soak.time", 0, "`time` for a day of TestSoak; 0 is a short one, whose length is counted")
	soakSeed = flag.Uint64("soak.seed", 1, "`seed` of the day")
)

// Bounds of what a long day may leave.
const (
	// maxSlope is in MB a minute, after a third of the day. It is asserted where a day is
	// long enough to tell a leak from the noise of the collector.
	maxSlope     = 0.2
	shortestLong = 10 * time.Minute
	// maxHeapLeft is what a day of three minutes at most may add to the live heap, and
	// maxHeapLeftShort a short one. The history of verdicts, which has a bound, takes most of it.
	maxHeapLeft      = 3 << 20
	maxHeapLeftShort = 1 << 20
)

// TestSoak is a long day with the program as it is, in a process of its own: what the
// process takes does not grow, it knows the same verdicts at the end as one that has just
// been started, and it leaves nothing behind.
//
//	go test ./internal/life -run 'TestSoak$' -v -timeout 0 -args -soak.time 30m -soak.seed 1
func TestSoak(t *testing.T) {
	begin := time.Now()
	r := rand.New(rand.NewPCG(*soakSeed, 1))
	folder, private, cacheFolder := t.TempDir(), t.TempDir(), t.TempDir()
	all, packed := pages(t, r, folder), writePacked(t, r, folder)
	writeCells(t, folder)
	o := options{
		cache: cacheFolder, folders: []string{folder}, watches: true, settings: daySettings,
		env: []string{"TMPDIR=" + private, "XDG_CACHE_HOME=" + private},
	}
	d := newDay(start(t, o), r, folder, all, packed)
	var samples []sample
	watch := func() {
		if n := len(samples); n == 0 || time.Since(begin)-samples[n-1].at >= time.Second {
			samples = append(samples, sample{time.Since(begin), statusOf(d.pid(), "VmRSS")})
		}
	}
	if *soakTime >= shortestLong {
		d.fillHistories()
	}
	d.workFor(1, *soakTime, watch)
	d.rest()
	before := usageOf(d.pid())
	warm := len(samples)
	d.workFor(2, *soakTime, watch)
	d.compareWithFresh(o)
	d.rest()
	d.expectUsage(before)
	slope, peak := slopeOf(samples[warm:]), statusOf(d.pid(), "VmHWM")
	t.Logf("seed %d, %s: %s; RSS %.2f MB a minute, peak %.1f MB; %d descriptors at rest", *soakSeed,
		time.Since(begin).Round(time.Second), counted(d.counts), slope, peak, before.descriptors)
	if *soakTime >= shortestLong && slope > maxSlope {
		t.Errorf("RSS grows by %.2f MB a minute, expected at most %.1f", slope, maxSlope)
	}
	d.leave()
	if left := d.workers(); len(left) > 0 {
		t.Errorf("processes are left: %+v", left)
	}
	d.expectFiles(private, cacheFolder, packed)
}

// TestSoakHeap is a day with a server within this process, of which the live heap and the
// goroutines are counted.
func TestSoakHeap(t *testing.T) {
	span := min(*soakTime, 3*time.Minute)
	r := rand.New(rand.NewPCG(*soakSeed, 2))
	folder := t.TempDir()
	all, packed := pages(t, r, folder), writePacked(t, r, folder)
	writeCells(t, folder)
	d := newDay(startWithin(t, options{cache: t.TempDir(), folders: []string{folder}, watches: true, settings: daySettings}), r, folder, all, packed)
	d.workFor(1, span, func() {})
	d.rest()
	heap, before := liveHeap(), usageOf(d.pid())
	d.workFor(2, span, func() {})
	d.rest()
	d.expectUsage(before)
	after := liveHeap()
	t.Logf("seed %d: %s; live heap %d KB, then %d KB; %d goroutines, %d descriptors",
		*soakSeed, counted(d.counts), heap>>10, after>>10, before.goroutines, before.descriptors)
	most := maxHeapLeft
	if span == 0 {
		most = maxHeapLeftShort
	}
	if after-heap > most {
		t.Errorf("%d KB are left of the day", (after-heap)>>10)
	}
}

// expectUsage waits until a server at rest holds no more than it did before.
func (d *day) expectUsage(before usage) {
	d.t.Helper()
	now := usageOf(d.pid())
	for begin := time.Now(); now.exceeds(before) && time.Since(begin) < patience; now = usageOf(d.pid()) {
		time.Sleep(10 * time.Millisecond)
	}
	if now.exceeds(before) {
		var running strings.Builder
		if d.server == nil {
			_ = pprof.Lookup("goroutine").WriteTo(&running, 1)
		}
		d.t.Errorf("left: %+v, expected %+v\n%s", now, before, &running)
	}
}

// compareWithFresh holds what the server says at the end of the day against what one says
// that has just been started, without anything that was kept.
func (d *day) compareWithFresh(o options) {
	d.t.Helper()
	texts := map[string]string{}
	for _, p := range d.pages {
		texts[p.path] = p.decidable()
		if p.isOpen() && !p.tires {
			texts[p.path] = p.file.buffer.Text
		}
	}
	fresh := o
	fresh.cache = d.t.(*testing.T).TempDir()
	other := newDay(start(d.t, fresh), d.r, d.folder, clones(d.pages), d.packed)
	var want, got []string
	other.finish(texts)
	other.until("all verdicts of a fresh server", func() (ok bool) {
		want, ok = other.verdicts()
		return ok
	})
	other.leave()
	d.finish(texts)
	ok := false
	for begin := time.Now(); time.Since(begin) < patience && !(ok && slices.Equal(got, want)); time.Sleep(10 * time.Millisecond) {
		got, ok = d.verdicts()
	}
	if !ok || !slices.Equal(got, want) {
		d.t.Errorf("at the end of the day (settled: %t)\n%s\na fresh server says\n%s", ok, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// sample is the resident memory of a process at a time.
type sample struct {
	at time.Duration
	mb float64
}

// slopeOf returns how many MB a minute the memory grows, by least squares.
func slopeOf(all []sample) float64 {
	var n, x, y, xx, xy float64
	for _, s := range all {
		at := s.at.Minutes()
		n, x, y, xx, xy = n+1, x+at, y+s.mb, xx+at*at, xy+at*s.mb
	}
	if spread := n*xx - x*x; spread > 0 {
		return (n*xy - x*y) / spread
	}
	return math.NaN()
}

// statusOf returns a member of proc(5) status in MB, or as the plain number that it is.
func statusOf(pid int, member string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, member+":"); found {
			words := strings.Fields(value)
			number, _ := strconv.ParseFloat(words[0], 64)
			if len(words) > 1 {
				number /= 1024
			}
			return number
		}
	}
	return math.NaN()
}

// usage is what a process holds; goroutines are known of this one alone.
type usage struct{ descriptors, goroutines int }

func usageOf(pid int) usage {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	u := usage{descriptors: len(open)}
	if pid == os.Getpid() {
		u.goroutines = runtime.NumGoroutine()
	}
	return u
}

// exceeds reports whether something was not given back.
func (u usage) exceeds(before usage) bool {
	return u.descriptors > before.descriptors || u.goroutines > before.goroutines
}

func liveHeap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // for what the first one has found in pools
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// expectFiles looks for files that should not exist.
func (d *day) expectFiles(private, cacheFolder string, packed []string) {
	d.t.Helper()
	known := slices.Clone(packed)
	for _, p := range d.pages {
		known = append(known, p.path)
	}
	known = append(known, filepath.Join(d.folder, "cells.genlib"))
	for _, path := range entries(d.t.(*testing.T), d.folder) {
		if !slices.Contains(known, path) {
			d.t.Errorf("left: %s", path)
		}
	}
	for _, folder := range []string{private, cacheFolder} {
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".tmp") || strings.Contains(path, "faults") && !e.IsDir() {
				d.t.Errorf("left: %s", path)
			}
			return err
		})
	}
}

// counted writes counts in the order of their names.
func counted(counts map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(all, ", ")
}

// clones returns pages of another editor.
func clones(all []*page) []*page {
	var copies []*page
	for _, p := range all {
		c := *p
		c.file, c.before = nil, nil
		copies = append(copies, &c)
	}
	return copies
}
