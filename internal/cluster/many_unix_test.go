//go:build linux || darwin

package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
)

// Bounds of one client that asks for so many checks.
const (
	manyChecks = 100_000
	manyMemory = 350 << 20
)

// comparisons returns a circuit with so many bads, each with a cone of its own: latches keep
// the number 0, and bad i is that they have the number i + 1.
func comparisons(n int) *circuit.Circuit {
	const bits = 20
	b := circuit.NewBuilder(0)
	var latches [bits]circuit.Lit
	for i := range latches {
		latches[i] = b.Latch(0)
		b.SetNext(latches[i], latches[i])
	}
	var halves [2][1 << (bits / 2)]circuit.Lit
	for h := range halves {
		for value := range halves[h] {
			all := circuit.True
			for i, l := range latches[h*bits/2 : (h+1)*bits/2] {
				all = b.And(all, l.NotIf(value>>i&1 == 0))
			}
			halves[h][value] = all
		}
	}
	for i := range n {
		b.Bad(b.And(halves[0][(i+1)%len(halves[0])], halves[1][(i+1)/len(halves[0])]), 0)
	}
	return b.Build()
}

// TestManyJobs: a client that asks for 100,000 checks keeps its memory within a bound, and has
// an answer for each.
func TestManyJobs(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("without AIGLENS_LONG")
	}
	checks := int(setting(t, "AIGLENS_CHECKS", manyChecks))
	dir := t.TempDir()
	program, file := filepath.Join(dir, "aiglens"), filepath.Join(dir, "many.aig")
	if out, err := exec.Command("go", "build", "-o", program, "aiglens/cmd/aiglens").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := aiger.FromCircuit(comparisons(checks)).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s, o := listening(t, filepath.Join(dir, "server"), true)
	defer s.Close()
	o.times = times{}
	c := dial(t, o, "node")
	for range runtime.GOMAXPROCS(0) {
		startNode(t, c, real)
	}
	client := exec.Command(program, "check", "--on", fmt.Sprintf("nats://127.0.0.1:%d", s.Port), "--no-cache", "--no-vacuity", "--format", "json", file)
	client.Stderr, client.Env = os.Stderr, append(os.Environ(), "TMPDIR="+dir)
	out, err := client.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	proved := 0
	for lines := json.NewDecoder(out); lines.More(); {
		var c struct{ Verdict, Reason string }
		if err := lines.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if proved++; c.Verdict != "proved" {
			t.Fatalf("%+v", c)
		}
	}
	if err := client.Wait(); err != nil || proved != checks {
		t.Fatalf("%d answers, %v", proved, err)
	}
	memory := client.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "linux" {
		memory <<= 10 // it is in kB there
	}
	t.Logf("%d checks: at most %d MB, %v of processor time", checks, memory>>20, client.ProcessState.UserTime()+client.ProcessState.SystemTime())
	if memory > manyMemory {
		t.Errorf("that is more than %d MB", manyMemory>>20)
	}
}
