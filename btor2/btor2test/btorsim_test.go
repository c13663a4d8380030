package btor2test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainstBtorsim compares runs of random texts with btorsim of btor2tools, value by value: a state more for each row keeps
// its value of the step before. With AIGLENS_LONG these are 3,000 texts. btorsim has no flags of overflow and no liveness.
func TestAgainstBtorsim(t *testing.T) {
	btorsim, err := exec.LookPath("btorsim")
	if err != nil {
		t.Skip("btorsim is not installed")
	}
	texts := uint64(20)
	if os.Getenv("AIGLENS_LONG") != "" {
		texts = 3000
	}
	folder := t.TempDir()
	for seed := range texts {
		for _, shape := range []Shape{Tiny, Wide} {
			shape.NoOverflow = true
			compareWithBtorsim(t, btorsim, folder, seed, shape)
		}
	}
}

func compareWithBtorsim(t *testing.T, btorsim, folder string, seed uint64, shape Shape) {
	t.Helper()
	const steps = 5
	text := Random(seed, shape)
	r := rand.New(rand.NewPCG(seed, 3))
	witness := map[string]map[int64]Value{}
	run := Simulate(text, steps, func(step int, id int64, s Sort) Value {
		v := RandomValue(r, s)
		for _, header := range []string{fmt.Sprintf("#%d", step), fmt.Sprintf("@%d", step)} {
			if witness[header] == nil {
				witness[header] = map[int64]Value{}
			}
			witness[header][id] = v
		}
		return v
	})
	s := Parse(text)
	watched, rows := watch(s)
	file, wit := filepath.Join(folder, "t.btor2"), filepath.Join(folder, "t.wit")
	var w strings.Builder
	for step := range steps {
		for _, part := range []struct {
			letter string
			rows   []int64
		}{{"#", s.States}, {"@", s.Inputs}} {
			header := fmt.Sprintf("%s%d", part.letter, step)
			w.WriteString(header + "\n")
			for k, id := range part.rows {
				if v, ok := witness[header][id]; ok {
					writeValue(&w, k, v)
				}
			}
		}
	}
	w.WriteString(".\n")
	if err := os.WriteFile(file, []byte(text+rows), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(wit, []byte(w.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(btorsim, "--states", file, wit).CombinedOutput()
	if err != nil {
		t.Errorf("seed %d: %v: %s\n%s%s\n%s", seed, err, out, text, rows, w.String())
		return
	}
	step, compared := 0, 0
	for line := range strings.Lines(string(out)) {
		var k int
		var value string
		if n, _ := fmt.Sscanf(line, "#%d", &step); n == 1 || line[0] == '@' || step == 0 || strings.Contains(line, "[") {
			if line[0] == '@' {
				step = 0
			}
			continue
		}
		if n, _ := fmt.Sscanf(line, "%d %s", &k, &value); n == 2 && k >= len(s.States) {
			id := watched[k-len(s.States)]
			if want := run[step-1].Values[id]; want.String() != value {
				t.Errorf("seed %d: row %d is %s by btorsim in step %d, by the reference %s\n%s", seed, id, value, step-1, want, text)
				return
			}
			compared++
		}
	}
	if compared < (steps-1)*len(watched) {
		t.Errorf("seed %d: only %d values were compared: %s", seed, compared, out)
	}
}

// watch returns rows of states that keep the values of all rows with a bit-vector.
func watch(s *System) (watched []int64, rows string) {
	last := int64(1 << 20)
	var b strings.Builder
	for _, id := range s.Rows() {
		if sort := s.Sort(id); sort.Index == 0 {
			watched = append(watched, id)
			fmt.Fprintf(&b, "%d sort bitvec %d\n%d state %d\n%d next %d %d %d\n", last, sort.Width, last+1, last, last+2, last, last+1, id)
			last += 3
		}
	}
	return watched, b.String()
}

func writeValue(w *strings.Builder, k int, v Value) {
	if v.Sort.Index == 0 {
		fmt.Fprintf(w, "%d %s\n", k, v)
		return
	}
	for i := range int64(1) << v.Sort.Index { // btorsim takes [*] of states alone
		fmt.Fprintf(w, "%d [%0*b] %0*b\n", k, v.Sort.Index, i, v.Sort.Width, v.Element(big.NewInt(i)))
	}
}
