package cache

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var (
	bad0     = circuit.Property{Kind: circuit.PropertyBad}
	justice0 = circuit.Property{Kind: circuit.PropertyJustice}
)

// question is a circuit with the truth about it.
type question struct {
	c    *circuit.Circuit
	p    circuit.Property
	cone *circuit.Cone
	want cert.Outcome
}

func (q question) name() string { return nameOf(q.cone.Fingerprint) }

// questions returns n random ones with different cones, of either kind, half of them with
// each outcome.
func questions(t testing.TB, n int) []question {
	t.Helper()
	shape := explicit.Shape{Inputs: 4, Latches: 6, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true}
	live := shape
	live.Inputs, live.Latches, live.Justice, live.Fairness = 2, 4, 2, 1
	var list []question
	seen, outcomes := map[circuit.Fingerprint]bool{}, map[cert.Outcome]int{}
	for seed := uint64(0); len(list) < n; seed++ {
		r := rand.New(rand.NewPCG(3, seed))
		q := question{c: explicit.RandomCircuit(r, shape), p: bad0, want: cert.Refuted}
		holds := explicit.FirstBadStep(q.c, bad0) == explicit.NotViolated
		if seed%2 == 1 {
			q.c, q.p = explicit.RandomCircuit(r, live), justice0
			holds = !explicit.Violated(q.c, q.p)
		}
		var err error
		if q.cone, err = q.c.Cone(q.p); err != nil {
			t.Fatal(err)
		}
		if holds {
			q.want = cert.Proved
		}
		if seen[q.cone.Fingerprint] || outcomes[q.want] >= (n+1)/2 {
			continue
		}
		seen[q.cone.Fingerprint] = true
		outcomes[q.want]++
		list = append(list, q)
	}
	return list
}

// counting returns IC3, and a search of all states for questions of liveness, with a count of
// their runs.
func counting(runs *int) verify.Engine {
	ic3 := engines.IC3{}.Engine()
	return verify.Engine{Name: "ic3", Safety: true, Liveness: true, TakesSeeds: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		*runs++
		if t.Problem.Question == circuit.Liveness {
			return verify.Report{Verdict: explicit.Answer(t.Problem), Err: ctx.Err()}
		}
		return ic3.Check(ctx, t)
	}}
}

// ask runs a question through a store. Whatever the store does, the verdict is right
// and there is no fault. It returns how often the engine was needed.
func ask(t testing.TB, s *Store, q question) (verify.Result, int) {
	t.Helper()
	runs := 0
	r := verify.Run(context.Background(), verify.Job{Circuit: q.c, Property: q.p, Engine: counting(&runs), Cache: s}, nil)
	if r.Checked.Outcome() != q.want || !r.Checked.Certified() || r.Internal != nil || r.Cached != (runs == 0) {
		t.Errorf("%s: %s, want %s; internal error %v; cached %v, engine %d times", q.name()[:8], r.Checked, q.want, r.Internal, r.Cached, runs)
	}
	return r, runs
}

func open(t testing.TB, dir string, opts Options) *Store {
	t.Helper()
	s, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sound fails the test for each entry that Verify finds broken.
func sound(t testing.TB, dir string, want int) {
	t.Helper()
	n, err := Verify(context.Background(), dir, func(b Broken) { t.Errorf("%s: %v", b.Name, b.Err) })
	if err != nil || n != want {
		t.Errorf("%d entries, want %d; %v", n, want, err)
	}
	temporaries(dir, func(path string, _ fs.FileInfo) { t.Errorf("%s is left", path) })
}

// TestRoundTrip: each engine runs once for all programs that follow.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	list := questions(t, 80)
	for _, q := range list {
		if _, runs := ask(t, open(t, dir, Options{Version: "1"}), q); runs != 1 {
			t.Errorf("%d runs of the engine", runs)
		}
	}
	s := open(t, dir, Options{})
	for _, q := range list {
		if r, runs := ask(t, s, q); runs > 0 || r.Engine != "ic3" || r.Found <= 0 {
			t.Errorf("%d runs of the engine %s, found in %s", runs, r.Engine, r.Found)
		}
	}
	sound(t, dir, len(list))
	got, err := Summarize(t.Context(), dir)
	if err != nil || got.Entries != 80 || got.Proved != 40 || got.Refuted != 40 || got.Damaged > 0 || got.Bytes != 80*block {
		t.Errorf("%+v, %v", got, err)
	}
	if time.Since(got.Oldest) > time.Hour || got.Newest.Before(got.Oldest) {
		t.Errorf("found from %s to %s", got.Oldest, got.Newest)
	}
	for _, f := range mustList(t, dir) {
		if info, err := os.Stat(f.path); err != nil || os.PathSeparator == '/' && info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", f.path, info.Mode(), err)
		}
		if info, err := os.Stat(filepath.Dir(f.path)); err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", filepath.Dir(f.path), info.Mode(), err)
		}
	}
}

func mustList(t testing.TB, dir string) []file {
	t.Helper()
	list, err := files(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestUnknownIsNotKept, nor what does not fit the circuit.
func TestUnknownIsNotKept(t *testing.T) {
	dir := t.TempDir()
	s, q := open(t, dir, Options{}), questions(t, 2)[0]
	for _, v := range []cert.Verdict{
		{Reason: "timeout"},
		{Outcome: 9},
		{Outcome: cert.Refuted, Trace: cert.Trace{Initial: make([]circuit.Value, 99)}},
		{Outcome: cert.Proved, Invariant: cert.Invariant{{4000}}},
		{Outcome: cert.Proved, Depth: -1},
	} {
		s.Store(q.cone.Fingerprint, q.cone.Problem, verify.Entry{Verdict: v, Engine: "test"})
	}
	s.Store(q.cone.Fingerprint, q.cone.Problem, verify.Entry{Verdict: cert.Verdict{Outcome: cert.Proved}, Engine: strings.Repeat("x", 100)})
	sound(t, dir, 0)
}

// TestTwoStores: of one folder, from many goroutines.
func TestTwoStores(t *testing.T) {
	dir := t.TempDir()
	list := questions(t, 12)
	stores := []*Store{open(t, dir, Options{}), open(t, dir, Options{Limit: 8 * share * block})}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(5, uint64(g)))
			for range 40 {
				s, q := stores[g%2], list[r.IntN(len(list))]
				if r.IntN(5) == 0 {
					s.Drop(q.cone.Fingerprint)
				}
				ask(t, s, q)
			}
		})
	}
	all.Wait()
	for _, q := range list {
		ask(t, stores[0], q)
	}
	sound(t, dir, len(list))
}

// Set by TestTwoProcesses for the other one.
const otherDir = "AIGLENS_TEST_CACHE"

// TestTwoProcesses: both write, read and remove the same entries.
func TestTwoProcesses(t *testing.T) {
	dir := os.Getenv(otherDir)
	other := dir != ""
	if !other {
		dir = t.TempDir()
	}
	list := questions(t, 6)
	churn := func() {
		for i := range 120 {
			s := open(t, dir, Options{})
			q := list[i%len(list)]
			if i%3 == 0 {
				s.Drop(q.cone.Fingerprint)
			}
			ask(t, s, q)
		}
	}
	if other {
		churn()
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run", "^TestTwoProcesses$")
	cmd.Env = append(os.Environ(), otherDir+"="+dir)
	ended := make(chan error)
	go func() {
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		ended <- err
	}()
	churn()
	if err := <-ended; err != nil {
		t.Errorf("the other process: %v", err)
	}
	for _, q := range list {
		ask(t, open(t, dir, Options{}), q)
	}
	sound(t, dir, len(list))
}

// TestLimit: the least recently used entries go first, and a use counts.
func TestLimit(t *testing.T) {
	const room = 40
	dir := t.TempDir()
	list := questions(t, 3*room)
	opts := Options{Limit: room * block}
	s := open(t, dir, opts)
	age := func(q question, d time.Duration) {
		when := time.Now().Add(-d)
		if err := os.Chtimes(pathOf(dir, q.name()), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for i, q := range list[:room] {
		ask(t, s, q)
		age(q, time.Duration(2*room-i)*time.Hour)
	}
	if n := len(mustList(t, dir)); n != room {
		t.Fatalf("%d entries where there is room for %d", n, room)
	}
	ask(t, s, list[0]) // the oldest, which is then the newest
	ask(t, s, list[room])
	left := map[string]bool{}
	for _, f := range mustList(t, dir) {
		left[f.name] = true
	}
	for i, q := range list[:room+1] {
		gone := i >= 1 && i <= room/10+1
		if left[q.name()] == gone {
			t.Errorf("entry %d: there %v, want %v", i, !gone, gone)
		}
	}
	// Another store counts what it finds, and the limit holds all the time.
	s = open(t, dir, opts)
	for _, q := range list {
		ask(t, s, q)
		if n := len(mustList(t, dir)); n > room {
			t.Fatalf("%d entries where there is room for %d", n, room)
		}
	}
	// So it does where the counter was lost.
	if err := os.Remove(filepath.Join(dir, counter)); err != nil {
		t.Fatal(err)
	}
	for _, q := range list[:room] {
		ask(t, open(t, dir, opts), q)
		if n := len(mustList(t, dir)); n > room {
			t.Fatalf("%d entries where there is room for %d", n, room)
		}
	}
	// An entry beyond its share is not kept.
	dir = t.TempDir()
	ask(t, open(t, dir, Options{Limit: share*block - 1}), list[0])
	sound(t, dir, 0)
	ask(t, open(t, dir, Options{Limit: share * block}), list[0])
	sound(t, dir, 1)
}

// TestUseIsWrittenDownSeldom: a file changes once an hour at most.
func TestUseIsWrittenDownSeldom(t *testing.T) {
	dir := t.TempDir()
	s, q := open(t, dir, Options{}), questions(t, 2)[0]
	ask(t, s, q)
	for _, test := range []struct {
		age  time.Duration
		kept bool
	}{{touchEvery / 2, true}, {2 * touchEvery, false}} {
		when := time.Now().Add(-test.age).Truncate(time.Second)
		if err := os.Chtimes(pathOf(dir, q.name()), when, when); err != nil {
			t.Fatal(err)
		}
		ask(t, s, q)
		if info, err := os.Stat(pathOf(dir, q.name())); err != nil || info.ModTime().Equal(when) != test.kept {
			t.Errorf("used after %s: %s, was %s; %v", test.age, info.ModTime(), when, err)
		}
	}
}

// TestFailedIsCalledOnce: entries that cannot be written, as on a full disk, cost nothing but
// one call that says so. A file in the place of each folder of entries stands for the full disk.
func TestFailedIsCalledOnce(t *testing.T) {
	dir, failed := t.TempDir(), 0
	s := open(t, dir, Options{Failed: func(err error) {
		failed++
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("the error is %v", err)
		}
	}})
	for i := range 256 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02x", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range questions(t, 3) {
		if _, runs := ask(t, s, q); runs != 1 {
			t.Errorf("%d runs of the engine", runs)
		}
	}
	if failed != 1 {
		t.Errorf("%d calls", failed)
	}
}

// TestFolderOfNoUse: Open says so, and a folder that goes away later spoils nothing.
func TestFolderOfNoUse(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{name, filepath.Join(name, "below")} {
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", path, err)
		}
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(filepath.Join(locked, "probe"), nil, 0o600) != nil { // root may write everywhere
		if _, err := Open(locked, Options{}); err == nil {
			t.Error("a folder that cannot be written was opened")
		}
	}
	q := questions(t, 2)[0]
	gone := filepath.Join(dir, "gone")
	s := open(t, gone, Options{})
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	ask(t, s, q) // makes it again
	if _, runs := ask(t, s, q); runs > 0 {
		t.Error("nothing was kept in a folder made again")
	}
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(gone, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, runs := ask(t, s, q); runs != 1 {
		t.Errorf("%d runs of the engine", runs)
	}
}

// TestOnlyOurFiles: Clear and trim remove entries and old temporary files, and
// nothing else.
func TestOnlyOurFiles(t *testing.T) {
	dir := t.TempDir()
	list := questions(t, 4)
	s := open(t, dir, Options{})
	for _, q := range list {
		ask(t, s, q)
	}
	name := list[0].name()
	foreign := []string{
		"notes.txt", "aiglens.tmp", name + suffix, "ab/notes.txt", "ab/" + name[:10] + suffix,
		name[:2] + "/" + strings.ToUpper(name) + suffix, name[:2] + "/" + name, "zz/" + name + suffix, "abc/" + name + suffix,
	}
	for _, path := range foreign {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, age := range map[string]time.Duration{"aiglens-1.result.tmp": 2 * leftAfter, "aiglens-2.result.tmp": leftAfter / 2} {
		when := time.Now().Add(-age)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, Options{})
	var left []string
	temporaries(dir, func(path string, _ fs.FileInfo) { left = append(left, filepath.Base(path)) })
	if fmt.Sprint(left) != "[aiglens-2.result.tmp]" {
		t.Errorf("temporary files after Open: %s", left)
	}
	if err := trim(dir, 1); err != nil {
		t.Error(err)
	}
	if n := len(mustList(t, dir)); n > 0 {
		t.Errorf("%d entries after trim", n)
	}
	ask(t, s, list[1])
	if n, err := Clear(dir); n != 1 || err != nil {
		t.Errorf("%d entries removed, %v", n, err)
	}
	sound(t, dir, 0)
	if _, err := os.Stat(filepath.Join(dir, counter)); err == nil {
		t.Error("the counter is left")
	}
	for _, path := range foreign {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path))); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if n, err := Clear(filepath.Join(dir, "none")); n > 0 || err != nil {
		t.Errorf("%d entries removed from nowhere, %v", n, err)
	}
}
