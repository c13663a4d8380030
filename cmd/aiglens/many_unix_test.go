//go:build unix

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
)

// manyProperties returns a circuit with some 60 gates for each bad over latches that all share and
// that stay 0: each cone is a small part of the file.
func manyProperties(bads int) string {
	const inputs, latches, depth = 8, 64, 60
	r := rand.New(rand.NewPCG(1, 1))
	m := &aiger.Model{}
	last := uint32(0)
	number := func() uint32 { last += 2; return last }
	and := func(a, b uint32) uint32 {
		m.Ands = append(m.Ands, syntax.And{LHS: number(), RHS0: a, RHS1: b}.Ordered())
		return last
	}
	for range inputs {
		m.Inputs = append(m.Inputs, number())
	}
	for range latches {
		m.Latches = append(m.Latches, syntax.Latch{Lit: number()})
	}
	for i := range m.Latches {
		m.Latches[i].Next = and(m.Latches[i].Lit, m.Inputs[i%inputs])
	}
	someLatch := func() uint32 { return m.Latches[r.IntN(latches)].Lit }
	for range bads {
		pool := []uint32{}
		for range 6 {
			pool = append(pool, someLatch())
		}
		for range 3 {
			pool = append(pool, m.Inputs[r.IntN(inputs)])
		}
		at := pool[0]
		for range depth {
			at = and(at^uint32(r.IntN(2)), pool[r.IntN(len(pool))]^uint32(r.IntN(2)))
			pool = append(pool, at)
		}
		m.Bads = append(m.Bads, and(at, someLatch()))
	}
	m.MaxVar = last / 2
	return string(m.AppendASCII(nil))
}

// BenchmarkManyProperties measures what questions about each of 800 proofs cost beside the check;
// user-ms is the time of the processors.
func BenchmarkManyProperties(b *testing.B) {
	file := filepath.Join(b.TempDir(), "many.aag")
	if err := os.WriteFile(file, []byte(manyProperties(800)), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, vacuity := range []string{"", " --no-vacuity"} {
		for _, question := range []string{"check", "check --facts", "check --unneeded", "check --unneeded --format json"} {
			args := strings.Fields(question + vacuity + " --no-cache")
			b.Run(fmt.Sprint(question, vacuity), func(b *testing.B) {
				before := userTime(b)
				for b.Loop() {
					e := env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: os.Stderr}
					if code := run(b.Context(), e, append(args, file)); code != exitOK {
						b.Fatalf("exits with %d", code)
					}
				}
				b.ReportMetric(float64((userTime(b)-before).Milliseconds())/float64(b.N), "user-ms/op")
			})
		}
	}
}

// TestManyUnneeded: what many proofs of a file do not need takes little more memory as JSON, which lists
// nearly all names of the file for each, than as text.
func TestManyUnneeded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "many.aag")
	if err := os.WriteFile(file, []byte(manyProperties(150)), 0o600); err != nil {
		t.Fatal(err)
	}
	taken := func(format string) (bytes uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: os.Stderr}
		if code := run(t.Context(), e, []string{"check", "--no-cache", "--no-vacuity", "--unneeded", "--format", format, file}); code != exitOK {
			t.Fatalf("exits with %d", code)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if text, list := taken("text"), taken("json"); list > text+text/2 {
		t.Errorf("%d MB as JSON, %d MB as text", list>>20, text>>20)
	}
}

// userTime returns the time of the processors that this process has taken.
func userTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
