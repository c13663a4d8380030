package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// repeated writes a text for each number up to n.
func repeated(n int, text func(i int) string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(text(i))
	}
	return s.String()
}

// counter returns a circuit of n latches that count; it is bad when all are 1, in
// step 2^n − 1.
func counter(n int) string {
	// Latch i is variable i+1, carry i the conjunction of the latches below i+1.
	lit := func(v int) int { return 2 * v }
	next := n + 1
	carry := lit(1)
	latches := fmt.Sprintf("%d %d\n", lit(1), lit(1)+1)
	gates, count := "", 0
	and := func(a, b int) int {
		g := lit(next)
		next++
		count++
		gates += fmt.Sprintf("%d %d %d\n", g, max(a, b), min(a, b))
		return g
	}
	for i := 2; i <= n; i++ {
		both, none := and(lit(i), carry), and(lit(i)+1, carry+1)
		latches += fmt.Sprintf("%d %d\n", lit(i), and(both+1, none+1))
		carry = both
	}
	return fmt.Sprintf("aag %d 0 %d 0 %d 1\n%s%d\n%s", next-1, n, count, latches, carry, gates)
}

type hostileFile struct{ name, text string }

// hostileFiles returns files that once took memory without end, or might: those whose work
// grows faster than they do, and those that promise more than they hold.
func hostileFiles() []hostileFile {
	return []hostileFile{
		{"models without port lines", repeated(3000, func(i int) string {
			return fmt.Sprintf(".model m%d\n.subckt m%d a=a y=y\n.end\n", i, i+1)
		}) + ".model m3000\n.names a y\n1 1\n.end\n"},
		{"a cycle of models without port lines", repeated(3000, func(i int) string {
			return fmt.Sprintf(".model m%d\n.subckt m%d a=a y=y\n.end\n", i, (i+1)%3000)
		})},
		{"assertions deep down", repeated(5000, func(i int) string {
			return fmt.Sprintf(".model m%d\n.inputs a\n.outputs y\n.gate $assert A=a EN=a\n.subckt m%d a=a y=y\n.end\n", i, i+1)
		}) + ".model m5000\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"},
		{"an assertion with a long name, many times", ".model top\n.inputs a\n.subckt m a=a\n.cname " + strings.Repeat("n", 100_000) +
			"\n.end\n.model m\n.inputs a\n" + strings.Repeat(".gate $assert A=a EN=a\n", 9000) + ".end\n"},
		{twoOfTheNext, repeated(60, func(i int) string {
			return fmt.Sprintf(".model m%d\n.inputs a\n.outputs y\n# prop: bad y\n.subckt m%d a=a y=z\n.subckt m%d a=z y=y\n.end\n", i, i+1, i+1)
		}) + ".model m60\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"},
		{"a cover that closes a cycle with each of its inputs", ".model top\n.outputs s0\n# prop: bad s0\n" + repeated(5000, func(i int) string {
			return fmt.Sprintf(".names s%d s%d\n1 1\n", i+1, i)
		}) + ".names " + repeated(5000, func(i int) string { return fmt.Sprintf("s%d ", i) }) + "s5000\n" + strings.Repeat("1", 5000) + " 1\n.end\n"},
		{"signals with two drivers", ".model top\n.inputs a\n.outputs s0\n# prop: bad s0\n" + repeated(5000, func(i int) string {
			return fmt.Sprintf(".names s%d s%d\n1 1\n.names a s%d\n1 1\n", i+1, i, i)
		}) + ".names a s5000\n1 1\n.end\n"},
		{"clocks and inputs", ".model top\n.inputs" + repeated(20_000, func(i int) string { return fmt.Sprintf(" a%d", i) }) + "\n.clock" +
			repeated(20_000, func(i int) string { return fmt.Sprintf(" a%d", i) }) + "\n.outputs y\n.names a0 y\n1 1\n.end\n"},
		{"names for nothing", ".model top\n.outputs y\n.names y\n.outputs z\n" + strings.Repeat(".cname x\n", 20_000) + ".end\n"},
		{"an expression that is deep", ".model top\n.inputs a\n.outputs y\n.names " + strings.Repeat("(", 50_000) + "a y\n1 1\n.end\n"},
		{"a header of 2,000,000,000 gates", "aag 2000000000 0 0 0 2000000000\n"},
		{"a packed header of 2,000,000,000 gates", "aig 2000000000 0 0 0 2000000000\n"},
		{"a header of 2^31 - 1", "aag 2147483647 2147483647 0 0 0\n2\n"},
		{"a packed header of 2^31 - 1 inputs", "aig 2147483647 2147483647 0 0 0\n"},
		{"a packed header of 1,000,000,000 inputs and an output", "aig 1000000000 1000000000 0 1 0\n2\n"},
		{"a header of 2^32", "aig 4294967296 0 0 0 4294967296\n"},
		{"a header of 2^63", "aag 9223372036854775808 1 9223372036854775807 1 18446744073709551615\n"},
		{"sizes that add up to 2^64", "aag 0 0 0 0 0 0 0 3\n9223372036854775807\n9223372036854775807\n2\n"},
		{"a justice property of 2,000,000,000 literals", "aig 0 0 0 0 0 0 0 1\n2000000000\n"},
		{"2,000,000,000 latches", "aig 2000000000 0 2000000000 0 0\n"},
		{"2,000,000,000 outputs", "aig 0 0 0 2000000000 0\n0\n"},
		{"a delta without end", "aig 2 1 0 0 1\n" + strings.Repeat("\xff", 50_000)},
		{"a delta of zeros", "aig 2 1 0 0 1\n" + strings.Repeat("\x80", 50_000) + "\x00"},
		{"deltas below 0", "aig 3 1 0 0 2\n\x7f\x7f\xff\xff\xff\xff\x7f\x01"},
		{"a cycle with each of its gates", "aag 5001 1 0 1 5000\n2\n4\n" + repeated(5000, func(i int) string {
			return fmt.Sprintf("%d %d %d\n", 2*(i+2), 2*((i+1)%5000+2), 2*(max(0, i-1)+2))
		})},
	}
}

const twoOfTheNext = "models that each hold two of the next"

// maxHostile is what a command may allocate for one of these files, all together.
const maxHostile = 300 << 20

// TestHostileFiles: whatever a file says, commands end, with a code of ours, and with
// memory that has to do with what it holds.
func TestHostileFiles(t *testing.T) {
	for _, file := range hostileFiles() {
		most := uint64(maxHostile)
		if file.name == twoOfTheNext { // the hierarchy is followed up to 2 million instances
			most = 1 << 30
		}
		for _, command := range []string{"lint", "fmt", "convert --to blif"} {
			before := allocated()
			_, _, code := runOn([]byte(file.text), append(strings.Fields(command), "-")...)
			if took := allocated() - before; took > most {
				t.Errorf("%s: %s allocates %d MB", file.name, command, took>>20)
			}
			if code < 0 || code > exitUnknown {
				t.Errorf("%s: %s ends with %d", file.name, command, code)
			}
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestHostileLibraries: neither does a library of cells.
func TestHostileLibraries(t *testing.T) {
	const pins = "\nPIN * NONINV 1 999 1 0 1 0\n"
	for name, library := range map[string]string{
		"parentheses": "GATE c 1 O=" + strings.Repeat("(", 50_000) + "a" + strings.Repeat(")", 50_000) + ";" + pins,
		"open":        "GATE c 1 O=" + strings.Repeat("(", 50_000),
		"negations":   "GATE c 1 O=" + strings.Repeat("!", 50_000) + "a;" + pins,
		"nested":      "GATE c 1 O=" + strings.Repeat("a*(b+", 20_000) + "a" + strings.Repeat(")", 20_000) + ";" + pins,
		"pins":        "GATE c 1 O=" + repeated(5000, func(i int) string { return fmt.Sprintf("p%d*", i) }) + "a;" + pins,
	} {
		path := filepath.Join(t.TempDir(), "lib.genlib")
		if err := os.WriteFile(path, []byte(library), 0o600); err != nil {
			t.Fatal(err)
		}
		text := ".model top\n.inputs a\n.outputs y\n.gate c a=a b=a " + repeated(5000, func(i int) string { return fmt.Sprintf("p%d=a ", i) }) + "O=y\n.end\n"
		before := allocated()
		out, words, code := runOn([]byte(text), "lint", "--genlib", path, "-")
		if took := allocated() - before; took > maxHostile {
			t.Errorf("%s: %d MB are allocated", name, took>>20)
		}
		if code < 0 || code > exitUnknown || bytes.Contains(words, []byte("internal error")) {
			t.Errorf("%s ends with %d: %s %s", name, code, out, words)
		}
	}
}
