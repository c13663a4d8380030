package life

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// netlist is an AIGER circuit under construction; literals are those of the text.
type netlist struct {
	last                 int // variable
	latches, gates, bads []string
	symbols              []string
}

// latch adds a latch whose next value is set later.
func (n *netlist) latch(reset int) (lit, row int) {
	n.last++
	n.latches = append(n.latches, fmt.Sprintf(" %d", reset))
	return 2 * n.last, len(n.latches) - 1
}

// next completes the row of a latch.
func (n *netlist) next(lit, row, next int) {
	n.latches[row] = fmt.Sprintf("%d %d%s", lit, next, n.latches[row])
}

func (n *netlist) and(a, b int) int {
	n.last++
	n.gates = append(n.gates, fmt.Sprintf("%d %d %d", 2*n.last, max(a, b), min(a, b)))
	return 2 * n.last
}

func (n *netlist) bad(lit int, name string) {
	n.symbols = append(n.symbols, fmt.Sprintf("b%d %s", len(n.bads), name))
	n.bads = append(n.bads, fmt.Sprint(lit))
}

func (n *netlist) String() string {
	header := fmt.Sprintf("aag %d 0 %d 0 %d %d", n.last, len(n.latches), len(n.gates), len(n.bads))
	var rows []string
	for _, section := range [][]string{{header}, n.latches, n.bads, n.gates, n.symbols} {
		rows = append(rows, section...)
	}
	return strings.Join(rows, "\n") + "\n"
}

// counter adds latches that count from start and returns what is 1 when all are,
// which is so after 2^bits − 1 − start steps. No engine gets to the end of 40 bits.
func (n *netlist) counter(bits, start int) (full int) {
	for i := range bits {
		lit, row := n.latch(start >> i & 1)
		if i == 0 {
			n.next(lit, row, lit^1)
			full = lit
			continue
		}
		both, neither := n.and(lit, full), n.and(lit^1, full^1)
		n.next(lit, row, n.and(both^1, neither^1))
		full = both
	}
	return full
}

// shift adds latches in a row, the first of which keeps its value, and returns the
// last one: it is 1 after length − 1 steps when first is 1, else never.
func (n *netlist) shift(length, first int) (last int) {
	before := 0
	for i := range length {
		if i > 0 {
			first = 0
		}
		lit, row := n.latch(first)
		if i == 0 {
			before = lit
		}
		n.next(lit, row, before)
		before = lit
	}
	return before
}

// hard is a circuit with one property that takes minutes.
func hard() string { return hardFrom(0) }

// hardFrom is hard with another cone for each start.
func hardFrom(start int) string {
	n := &netlist{}
	n.bad(n.counter(40, start), "full")
	return n.String()
}

// hards is a circuit with several properties that take minutes.
func hards(count int) string {
	n := &netlist{}
	for i := range count {
		n.bad(n.counter(40+i, 0), fmt.Sprintf("full%d", i))
	}
	return n.String()
}

// quick is a circuit with a property that is refuted at step 2 and one that holds.
func quick() string {
	n := &netlist{}
	n.bad(n.shift(3, 1), "reached")
	n.bad(n.shift(4, 0), "never")
	return n.String()
}

// mixed is a circuit with a property that takes minutes and the two of quick.
func mixed() string {
	n := &netlist{}
	n.bad(n.counter(40, 0), "full")
	n.bad(n.shift(3, 1), "reached")
	n.bad(n.shift(4, 0), "never")
	return n.String()
}

// example returns one of the circuits of the repository.
func example(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// examples returns the names of all of them.
func examples(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.aag", "*.blif"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", "examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			all = append(all, filepath.Base(path))
		}
	}
	if len(all) == 0 {
		t.Fatal("there are no examples")
	}
	return all
}

// replaced returns a text with one of its lines, from 1, as another.
func replaced(text string, line int, by string) string {
	lines := strings.Split(text, "\n")
	lines[line-1] = by
	return strings.Join(lines, "\n")
}
