//go:build unix

package worker

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// started is a check under way.
type started struct {
	id     int      // of the process that runs it
	others chan int // of those that run it later
	cancel context.CancelFunc
	done   chan verify.Result
}

// start begins a check and waits until its worker reports.
func start(t *testing.T, p *Pool, engine string, limits verify.Limits) started {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	s := started{cancel: cancel, done: make(chan verify.Result, 1), others: make(chan int, 10)}
	last := 0
	go func() {
		job := verify.Job{Circuit: toggle(), Property: bad0, Engine: p.Engine(engines.Spec{Engine: engine}), Limits: limits}
		s.done <- verify.Run(ctx, job, func(p verify.Progress) {
			if p.Lemmas != last {
				last = p.Lemmas
				s.others <- last
			}
		})
	}()
	select {
	case s.id = <-s.others:
	case r := <-s.done:
		t.Fatalf("the check ended before it reported: %s, internal error %v", r.Checked, r.Internal)
	}
	return s
}

// isGone reports whether a process has ended. Whether anybody has asked for its
// exit code does not matter.
func isGone(id int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id)); err == nil {
		_, state, _ := strings.Cut(string(stat), ") ")
		return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
	}
	return syscall.Kill(id, 0) == syscall.ESRCH
}

// awaitGone waits for the end of a process and logs how long that took.
func awaitGone(t *testing.T, id int) {
	t.Helper()
	begin := time.Now()
	for !isGone(id) {
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("process %d is still there", id)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Logf("process gone after %d ms", time.Since(begin).Milliseconds())
}

// TestReuse: checks one after the other share a process, and their verdicts are
// right.
func TestReuse(t *testing.T) {
	p := processes(t)
	first := start(t, p, "who", verify.Limits{})
	expectUnknown(t, <-first.done, "told")
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
	expect(t, run(p, "", ring(5), verify.Limits{}), cert.Proved)
	second := start(t, p, "who", verify.Limits{})
	expectUnknown(t, <-second.done, "told")
	if first.id != second.id || first.id == os.Getpid() {
		t.Errorf("checked in processes %d and %d", first.id, second.id)
	}
}

// TestTwoAtOnce: two checks run in two processes.
func TestTwoAtOnce(t *testing.T) {
	p := processes(t)
	a, b := start(t, p, "spin", verify.Limits{}), start(t, p, "spin", verify.Limits{})
	if a.id == b.id {
		t.Errorf("both in process %d", a.id)
	}
	a.cancel()
	expectUnknown(t, <-a.done, "cancelled")
	select {
	case r := <-b.done:
		t.Errorf("the other check ended as well: %s", r.Checked)
	default:
	}
	b.cancel()
	expectUnknown(t, <-b.done, "cancelled")
}

// TestKilledWorker: a check whose worker is killed is tried again, once, and does no harm
// to others.
func TestKilledWorker(t *testing.T) {
	p := processes(t)
	first, other := start(t, p, "spin", verify.Limits{}), start(t, p, "spin", verify.Limits{})
	kill := func(id int) {
		t.Helper()
		if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	kill(first.id)
	again := <-first.others
	if again == first.id || again == other.id {
		t.Errorf("tried again in process %d, after %d and beside %d", again, first.id, other.id)
	}
	kill(again)
	r := <-first.done
	if expectUnknown(t, r, "worker ended"); !r.Lost || r.Internal != nil || r.Checked.Depth() < 3 {
		t.Errorf("lost %v, internal error %v, depth %d", r.Lost, r.Internal, r.Checked.Depth())
	}
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
	other.cancel()
	expectUnknown(t, <-other.done, "cancelled")
}

// TestKilledIdle: a worker that dies while it has nothing to do is replaced.
func TestKilledIdle(t *testing.T) {
	p := processes(t)
	first := start(t, p, "who", verify.Limits{})
	<-first.done
	if err := syscall.Kill(first.id, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for p.size() > 0 {
		time.Sleep(time.Millisecond)
	}
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
}

// size returns the number of processes.
func (p *Pool) size() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.all {
		select {
		case <-w.ended: // the pool has not taken note of it yet
		default:
			n++
		}
	}
	return n
}

// TestCancel: a cancelled check ends and its worker goes on to the next; one that
// does not listen is killed.
func TestCancel(t *testing.T) {
	p := processes(t)
	obedient := start(t, p, "spin", verify.Limits{})
	begin := time.Now()
	obedient.cancel()
	expectUnknown(t, <-obedient.done, "cancelled")
	t.Logf("cancelled after %d ms", time.Since(begin).Milliseconds())
	next := start(t, p, "stuck", verify.Limits{})
	if next.id != obedient.id {
		t.Errorf("the next check runs in process %d, not %d", next.id, obedient.id)
	}
	begin = time.Now()
	next.cancel()
	expectUnknown(t, <-next.done, "cancelled")
	t.Logf("ended by force after %d ms", time.Since(begin).Milliseconds())
	if !isGone(next.id) {
		t.Errorf("process %d goes on", next.id)
	}
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
}

// TestLimits: each ends the check with its reason, and the next one works.
func TestLimits(t *testing.T) {
	p := processes(t)
	for _, test := range []struct {
		name, engine, reason string
		limits               verify.Limits
	}{
		{"wall", "spin", "timeout", verify.Limits{Wall: 200 * time.Millisecond}},
		{"wall, by force", "stuck", "timeout", verify.Limits{Wall: 200 * time.Millisecond}},
		{"CPU", "spin", "CPU limit", verify.Limits{CPU: 100 * time.Millisecond}},
		{"memory", "hog", "memory limit", verify.Limits{Memory: 150 << 20}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := run(p, test.engine, toggle(), test.limits)
			expectUnknown(t, r, test.reason)
			if r.Internal != nil || r.Lost || r.Checked.Depth() < 3 {
				t.Errorf("internal error %v, lost %v, depth %d", r.Internal, r.Lost, r.Checked.Depth())
			}
			expect(t, run(p, "", toggle(), test.limits), cert.Refuted)
		})
	}
}

// TestBrokenEngines: a panic is reported with its stack, wherever it happens.
func TestBrokenEngines(t *testing.T) {
	p := processes(t)
	for engine, reason := range map[string]string{"panic": "engine failed", "crash": "the worker process ended: exit status 2"} {
		r := run(p, engine, toggle(), verify.Limits{})
		expectUnknown(t, r, reason)
		if r.Internal == nil || !strings.Contains(r.Internal.Error(), "broken") || !strings.Contains(r.Internal.Error(), "goroutine") {
			t.Errorf("%s: internal error %v", engine, r.Internal)
		}
		expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
	}
	expectUnknown(t, run(p, "none", toggle(), verify.Limits{}), `there is no engine "none"`)
}

// TestInputEnds: a worker in the middle of a check that does not listen ends with
// its input.
func TestInputEnds(t *testing.T) {
	p := processes(t)
	s := start(t, p, "stuck", verify.Limits{})
	p.mu.Lock()
	for w := range p.all {
		_ = w.conn.In.Close()
	}
	p.mu.Unlock()
	awaitGone(t, s.id)
	if r := <-s.done; !r.Lost {
		t.Errorf("%s, lost %v", r.Checked, r.Lost)
	}
}

func TestClose(t *testing.T) {
	p := processes(t)
	s := start(t, p, "stuck", verify.Limits{})
	p.Close()
	if !isGone(s.id) {
		t.Errorf("process %d outlives the pool", s.id)
	}
	expectUnknown(t, <-s.done, "ended")
	expectUnknown(t, run(p, "", toggle(), verify.Limits{}), "shutting down")
}

// TestKilledServer: no worker is left of a server that gets no chance to end its
// own.
func TestKilledServer(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(path, roleServer)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if isGone(id) {
		t.Fatalf("there is no process %d", id)
	}
	_ = server.Process.Kill()
	awaitGone(t, id)
	_ = server.Wait()
}

// TestPriority: no thread of a worker is before others.
func TestPriority(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	s := start(t, processes(t), "spin", verify.Limits{})
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.id))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/stat", s.id, task.Name()))
		if err != nil {
			continue // it has ended
		}
		// Nice is the 19th field, the second one being the name in parentheses.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if nice, err := strconv.Atoi(fields[16]); err != nil || nice < niceness {
			t.Errorf("thread %s has nice %s", task.Name(), fields[16])
		}
	}
}
