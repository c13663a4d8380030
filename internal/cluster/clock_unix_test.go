//go:build unix

package cluster

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSetClock: a process with a wrong clock has it for all that asks for the time, and its
// timers and durations stay right.
func TestSetClock(t *testing.T) {
	if !canShiftClock {
		t.Skip("a wrong clock needs Linux on amd64")
	}
	for _, wrong := range []time.Duration{-30 * 365 * 24 * time.Hour, -time.Hour, 0, time.Hour, 30 * 365 * 24 * time.Hour} {
		clock := exec.Command(os.Args[0], roleClock, strconv.Itoa(int(wrong/time.Second)))
		out, err := clock.Output()
		if err != nil {
			t.Fatalf("%v: %v", wrong, err)
		}
		fields := strings.Fields(string(out))
		if len(fields) != 2 {
			t.Fatalf("%v: %q", wrong, out)
		}
		at, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Unix(at, 0).Sub(time.Now().Add(wrong)); off < -time.Hour/2 || off > time.Hour/2 {
			t.Errorf("%v: it is wrong by %v besides", wrong, off)
		}
		if took, err := time.ParseDuration(fields[1]); err != nil || took < 0 || took > time.Hour/2 {
			t.Errorf("%v: a moment took %v, %v", wrong, took, err)
		}
	}
}
