//go:build unix

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test program play the checkers whose ends are tested.
func TestMain(m *testing.M) {
	switch os.Getenv("BENCH_TEST_ROLE") {
	case "spin":
		for n := 0; ; n++ {
			if n < 0 {
				n = 0
			}
		}
	case "allocate":
		var kept [][]byte
		for {
			block := make([]byte, 1<<20)
			for i := 0; i < len(block); i += 512 {
				block[i] = 1
			}
			kept = append(kept, block)
			if len(kept) == 4096 {
				return
			}
		}
	case "fail":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		os.Exit(7)
	case "die":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		time.Sleep(time.Hour)
	case "wait":
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func play(t *testing.T, ctx context.Context, role string, l Limits) (outcome, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_TEST_ROLE", role)
	return execute(ctx, l, "", program)
}

func TestExecuteExits(t *testing.T) {
	o, err := play(t, context.Background(), "fail", Limits{CPU: time.Minute})
	if err != nil || o.exit != 7 || o.ended != "" || o.signal != "" {
		t.Fatalf("%+v, %v", o, err)
	}
	if string(o.stdout) != "out\n" || string(o.stderr) != "err\n" {
		t.Errorf("output %q and %q", o.stdout, o.stderr)
	}
	if o.cpu <= 0 || o.wall <= 0 || o.peak <= 0 {
		t.Errorf("nothing measured: %+v", o)
	}
}

// TestExecuteLimitsCPU: the system ends a checker that keeps no limit.
func TestExecuteLimitsCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds of CPU time")
	}
	o, err := play(t, context.Background(), "spin", Limits{CPU: time.Millisecond})
	if err != nil || o.ended != endedCPU {
		t.Fatalf("%+v, %v", o, err)
	}
}

func TestExecuteLimitsMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of another process is not known here")
	}
	o, err := play(t, context.Background(), "allocate", Limits{CPU: time.Minute, Memory: 64 << 20})
	if err != nil || o.ended != endedMemory {
		t.Fatalf("%+v, %v", o, err)
	}
	if o.peak < 64<<10 {
		t.Errorf("peak of %d KiB", o.peak)
	}
}

func TestExecuteSaysSignal(t *testing.T) {
	o, err := play(t, context.Background(), "die", Limits{CPU: time.Minute})
	if err != nil || o.ended != "" || o.signal == "" {
		t.Fatalf("%+v, %v", o, err)
	}
	var r Row
	r.measure(o)
	if !strings.HasPrefix(r.Reason, crash) {
		t.Errorf("reason %q", r.Reason)
	}
}

func TestExecuteEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := play(t, ctx, "wait", Limits{CPU: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestExecuteWithoutProgram(t *testing.T) {
	// The shell says so with 127, as for any program.
	o, err := execute(context.Background(), Limits{CPU: time.Minute}, "", filepath.Join(t.TempDir(), "none"))
	if err != nil || o.exit != 127 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestLimits(t *testing.T) {
	for _, cpu := range []time.Duration{time.Millisecond, time.Second, 20 * time.Second, time.Hour} {
		l := Limits{CPU: cpu, Memory: 1 << 20}
		if l.soft() <= cpu || time.Duration(l.hard())*time.Second <= l.soft() || l.wall() <= 2*l.soft() || l.resident() <= l.Memory {
			t.Errorf("%v: soft %v, hard %d s, wall %v", cpu, l.soft(), l.hard(), l.wall())
		}
	}
}

// TestABC runs the peer through a program that answers as it does.
func TestABC(t *testing.T) {
	dir := t.TempDir()
	script := `#!/bin/sh
case "$2" in
version) echo 'UC Berkeley, ABC 1.01 (of a test)' ;;
*) grep -q '^aig ' model.aig && echo 'Property proved.  Time = 0.00 sec' ;;
esac
`
	program, model := filepath.Join(dir, "abc"), filepath.Join(dir, "a; b.aig")
	for name, text := range map[string]string{program: script, model: "aig 1 1 0 1 0\n2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c, err := NewABC(context.Background(), program, "aiglens")
	if err != nil || c.Version != "UC Berkeley, ABC 1.01 (of a test)" {
		t.Fatalf("version %q, %v", c.Version, err)
	}
	r, err := c.row(context.Background(), Task{Path: model}, Limits{CPU: time.Minute}, 0, 0)
	if err != nil || r.Verdict != Proved || !r.Solved() {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := NewABC(context.Background(), "/bin/false", "aiglens"); err == nil {
		t.Error("a program without a version was taken")
	}
}
