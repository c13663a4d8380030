package aigertest

import (
	"strconv"
	"strings"
)

// Numbers is an ASCII AIGER file as numbers, read with no code of the program.
type Numbers struct {
	Inputs, Outputs, Bads, Constraints []int
	Latches                            [][3]int // variable literal, next, reset
	Gates                              map[int][2]int
	FirstGate                          int // its line
}

// ReadNumbers reads a file without errors.
func ReadNumbers(text string) (n Numbers) {
	lines := strings.Split(text, "\n")
	var header [10]int
	for i, word := range strings.Fields(lines[0])[1:] {
		header[i], _ = strconv.Atoi(word)
	}
	at := 1
	row := func() (all []int) {
		for _, word := range strings.Fields(lines[at]) {
			v, _ := strconv.Atoi(word)
			all = append(all, v)
		}
		at++
		return all
	}
	for range header[1] {
		n.Inputs = append(n.Inputs, row()[0])
	}
	for range header[2] {
		l := append(row(), 0)
		n.Latches = append(n.Latches, [3]int(l[:3]))
	}
	for _, section := range []struct {
		size int
		rows *[]int
	}{{header[3], &n.Outputs}, {header[5], &n.Bads}, {header[6], &n.Constraints}} {
		for range section.size {
			*section.rows = append(*section.rows, row()[0])
		}
	}
	n.FirstGate, n.Gates = at, map[int][2]int{}
	for range header[4] {
		g := row()
		n.Gates[g[0]] = [2]int{g[1], g[2]}
	}
	return n
}

// Evaluate returns the values of all literals by step, as a word each, under inputs and the start
// of latches without a reset.
func (n *Numbers) Evaluate(steps int, input, free func(literal, step int) byte) map[int]string {
	words := map[int]string{}
	state := map[int]bool{}
	for step := range steps {
		known := map[int]bool{0: false}
		for _, l := range n.Inputs {
			known[l] = input(l, step) == '1'
		}
		var value func(l int) bool
		value = func(l int) bool {
			if l%2 == 1 {
				return !value(l - 1)
			}
			v, is := known[l]
			if g, isGate := n.Gates[l]; !is && isGate {
				v = value(g[0]) && value(g[1])
			} else if !is && step == 0 {
				for _, latch := range n.Latches {
					if latch[0] == l && latch[2] == l {
						v = free(l, 0) == '1'
					} else if latch[0] == l {
						v = value(latch[2])
					}
				}
			} else if !is {
				v = state[l]
			}
			known[l] = v
			return v
		}
		next := map[int]bool{}
		note := func(l int) { words[l] += map[bool]string{false: "0", true: "1"}[value(l)] }
		for _, l := range n.Inputs {
			note(l)
		}
		for _, l := range n.Latches {
			note(l[0])
			next[l[0]] = value(l[1])
		}
		for g := range n.Gates {
			note(g)
		}
		state = next
	}
	return words
}

// WordOf is the values of a literal, which may be negated or a constant.
func WordOf(words map[int]string, l, steps int) string {
	of := words[l&^1]
	if l < 2 {
		of = strings.Repeat("0", steps)
	}
	if l%2 == 1 {
		of = strings.NewReplacer("0", "1", "1", "0").Replace(of)
	}
	return of
}
