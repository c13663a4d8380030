package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReplayOfAbstractedArrays: a witness of random values gets the same answer whether arrays are bits or abstracted, or is
// refused with a sentence about the abstraction. So is a change of inputs. With AIGLENS_LONG these are 2,000 files.
func TestReplayOfAbstractedArrays(t *testing.T) {
	files := 150
	if isLong() {
		files = 2000
	}
	dir := t.TempDir()
	answers := map[string]int{}
	answer := func(gates string, args ...string) string {
		code, out, errs := runCommand(t, append([]string{"replay", "--array-gates", gates, "--index", "bad:0"}, args...)...)
		said := regexp.MustCompile(`violated in step \d+|not violated|cannot be shown|abstracted|arrays with an index of`).FindString(out + errs)
		switch {
		case code == exitOK || code == exitNotViolated:
			return said
		case strings.Contains(errs, "does not hold in step") || strings.Contains(errs, "the text violates nothing"):
			return "not violated"
		case said == "":
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		return "refused"
	}
	for seed := range files {
		g := arrayFile{rand.New(rand.NewPCG(uint64(seed), 29))}
		text, witness, set := g.write()
		model, run := filepath.Join(dir, "m.btor2"), filepath.Join(dir, "m.wit")
		for name, data := range map[string]string{model: text, run: witness} {
			if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, more := range [][]string{nil, {"--set", set}} {
			args := append(more, "--witness", run, model)
			want, got := answer("1000000", args...), answer("1", args...)
			answers[fmt.Sprintf("%d arguments: %.12s", len(args), got)]++
			if got != want && got != "refused" {
				t.Errorf("seed %d, %s: %q with bits, %q without\n%s\n%s", seed, more, want, got, text, witness)
			}
		}
	}
	t.Log(answers)
	for _, got := range []string{"violated in ", "not violated", "refused"} {
		if answers["3 arguments: "+got]+answers["5 arguments: "+got] == 0 {
			t.Errorf("nothing is %s", got)
		}
	}
}

// arrayFile makes small files with arrays and random runs of them.
type arrayFile struct{ *rand.Rand }

func (g arrayFile) bits(width int) string { return fmt.Sprintf("%0*b", width, g.IntN(1<<width)) }

// write returns a text, a witness of it and a change of an input.
func (g arrayFile) write() (text, witness, set string) {
	index, width := 1+g.IntN(4), 1+g.IntN(2)
	var b strings.Builder
	id := 3
	row := func(format string, args ...any) int {
		id++
		fmt.Fprintf(&b, "%d "+format+"\n", append([]any{id}, args...)...)
		return id
	}
	b.WriteString("1 sort bitvec 1\n")
	fmt.Fprintf(&b, "2 sort bitvec %d\n3 sort bitvec %d\n", index, width)
	array := row("sort array 2 3")
	address, word := []int{row("input 2 ad"), row("state 2")}, []int{row("input 3 wd")}
	states := []int{row("state %d", array), row("state %d", array), row("state %d", array)}
	hasInit, hasNext := make([]bool, 3), make([]bool, 3)
	if g.IntN(3) == 0 {
		row("init %d %d %d", array, states[2], states[g.IntN(2)])
		hasInit[2] = true
	}
	if zero := row("zero 3"); g.IntN(4) == 0 {
		row("init %d %d %d", array, states[1], zero)
		hasInit[1] = true
	}
	pick := func(of []int) int { return of[g.IntN(len(of))] }
	arrays, truths := append([]int{}, states...), []int{}
	for range 2 + g.IntN(5) {
		switch g.IntN(5) {
		case 0, 1:
			word = append(word, row("read 3 %d %d", pick(arrays), pick(address)))
			truths = append(truths, row("redor 1 %d", word[len(word)-1]))
		case 2:
			arrays = append(arrays, row("write %d %d %d %d", array, pick(arrays), pick(address), pick(word)))
		case 3:
			truths = append(truths, row([]string{"eq 1 %d %d", "neq 1 %d %d"}[g.IntN(2)], pick(arrays), pick(arrays)))
		case 4:
			truths = append(truths, row("eq 1 %d %d", pick(word), pick(word)))
		}
	}
	truths = append(truths, row("redand 1 %d", pick(word)))
	for i, state := range states {
		if hasNext[i] = g.IntN(3) > 0; hasNext[i] {
			row("next %d %d %d", array, state, pick(arrays))
		}
	}
	row("bad %d", pick(truths))
	if g.IntN(3) == 0 {
		row("constraint %d", pick(truths)*(1-2*g.IntN(2)))
	}
	steps := 1 + g.IntN(4)
	w := strings.Builder{}
	w.WriteString("sat\nb0\n")
	for t := range steps {
		fmt.Fprintf(&w, "#%d\n0 %s\n", t, g.bits(index))
		for i := range states {
			if t == 0 && hasInit[i] || t > 0 && hasNext[i] {
				continue
			}
			few := g.IntN(2) == 0 // then arrays are often equal
			for k := range 1 << index {
				element := strings.Repeat("0", width)
				if !few || g.IntN(1<<index) == 0 {
					element = g.bits(width)
				}
				fmt.Fprintf(&w, "%d [%0*b] %s\n", i+1, index, k, element)
			}
		}
		fmt.Fprintf(&w, "@%d\n0 %s\n1 %s\n", t, g.bits(index), g.bits(width))
	}
	w.WriteString(".\n")
	return b.String(), w.String(), fmt.Sprintf("0:ad=%d", g.IntN(1<<index))
}
