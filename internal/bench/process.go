package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// Limits bound one run.
type Limits struct {
	CPU    time.Duration
	Memory int64 // bytes resident; 0 is none
}

// margin is how much later than at the limit the checker itself stops, so that
// one that ends just in time still says so. What it used decides.
func (l Limits) margin() time.Duration { return max(500*time.Millisecond, l.CPU/20) }

// soft is the CPU limit that a checker is given to keep by itself.
func (l Limits) soft() time.Duration { return l.CPU + l.margin() }

// hard is the CPU limit in whole seconds at which the system ends it.
func (l Limits) hard() int { return int((l.soft()+time.Second-1)/time.Second) + 1 }

// wall ends runs that wait for something instead of computing. It is far off,
// because a run may have a small share of its core.
func (l Limits) wall() time.Duration { return 20*l.CPU + time.Minute }

// resident is the memory at which a run is ended. A checker that keeps the
// limit by itself counts its heap, which is less.
func (l Limits) resident() int64 { return l.Memory + l.Memory/4 }

// Why a run was ended, in the words of aiglens check.
const (
	endedCPU    = "CPU limit"
	endedMemory = "memory limit"
	endedWall   = "timeout"
)

// memoryPoll is how often the memory of a run is looked at.
const memoryPoll = 20 * time.Millisecond

// outcome is how a process ended.
type outcome struct {
	stdout, stderr []byte
	cpu, wall      time.Duration
	peak           int64  // KiB; never below what this program had when it started the process
	ended          string // why it was ended; empty when it exited
	signal         string // what ended it unexpectedly
	exit           int
}

// execute runs a program in dir ("" is this process's) under limits. The error
// says that it did not run, or that ctx ended.
func execute(ctx context.Context, l Limits, dir string, argv ...string) (outcome, error) {
	argv = limited(l, argv)
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	// One core for each run, also where runs cannot be tied to one.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.WaitDelay = time.Second
	setAttributes(cmd)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	done, watched := make(chan struct{}), make(chan string, 1)
	go func() { watched <- watch(cmd.Process, l, done) }()
	err := cmd.Wait()
	wall := time.Since(start)
	close(done)
	ended := <-watched
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return outcome{}, err
	}
	state := cmd.ProcessState
	o := outcome{
		stdout: stdout.Bytes(), stderr: stderr.Bytes(),
		cpu: state.UserTime() + state.SystemTime(), wall: wall,
		peak: peakMemory(state), exit: state.ExitCode(),
	}
	if !state.Exited() {
		switch {
		case ended != "":
			o.ended = ended
		case o.cpu >= l.CPU:
			o.ended = endedCPU
		default:
			o.signal = state.String()
		}
	}
	return o, nil
}

// watch kills a process that exceeds its memory or wall time and says which; it
// returns when done is closed.
func watch(p *os.Process, l Limits, done <-chan struct{}) string {
	tick := time.NewTicker(memoryPoll)
	defer tick.Stop()
	wall := time.NewTimer(l.wall())
	defer wall.Stop()
	reason := ""
	for {
		select {
		case <-done:
			return reason
		case <-wall.C:
			reason = endedWall
		case <-tick.C:
			if l.Memory == 0 || resident(p.Pid) <= l.resident() {
				continue
			}
			reason = endedMemory
		}
		// It may have ended in between.
		_ = p.Kill()
		<-done
		return reason
	}
}
