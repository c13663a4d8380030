package cells

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/internal/shared"
)

// entryOf writes a cell as a library has it, with every operation in parentheses.
func entryOf(c *Cell) string {
	var stack []string
	for _, o := range c.program {
		n := len(stack)
		switch o.code {
		case 'i':
			stack = append(stack, c.Inputs[o.input])
		case '0', '1':
			stack = append(stack, fmt.Sprintf("CONST%c", o.code))
		case '!':
			stack[n-1] = "!(" + stack[n-1] + ")"
		default:
			stack = append(stack[:n-2], fmt.Sprintf("((%s) %c (%s))", stack[n-2], o.code, stack[n-1]))
		}
	}
	if len(stack) != 1 {
		return "no function"
	}
	entry := "GATE " + c.Name + " 1 " + c.Output + " = " + stack[0] + ";"
	for _, in := range c.Inputs {
		entry += " PIN " + in
	}
	if c.IsLatch() {
		for word, latch := range genlibTypes {
			if latch == c.LatchType {
				entry = "LATCH" + strings.TrimPrefix(entry, "GATE") + " SEQ q ANY " + word
			}
		}
	}
	return entry + "\n"
}

// values evaluates a cell on 64 random values of each input.
func values(c *Cell) uint64 {
	b := circuit.NewBuilder(len(c.Inputs))
	lits := make([]circuit.Lit, len(c.Inputs))
	for i := range lits {
		lits[i] = b.Input(0)
	}
	l := c.Build(b, lits)
	b.Output(l, 0)
	p := circuit.NewParallel(b.Build())
	random := rand.New(rand.NewPCG(1, 1))
	words := make([]uint64, len(lits))
	for i := range words {
		words[i] = random.Uint64()
	}
	p.Eval(words)
	return p.Value(l)
}

// FuzzGenlib: a cell that is read has a function of its pins; written with every
// parenthesis and read again it is the same cell.
func FuzzGenlib(f *testing.F) {
	f.Add("GATE nand2 2 O=!(a*b); PIN * INV 1 999 1 0 1 0\n")
	f.Add("GATE \"x\" 1 O = a b' + !c^(d|CONST1) & e ;\nLATCH dff 8 Q=D; PIN D NONINV 1 999 1 0 1 0\n SEQ Q ANY RISING_EDGE\nCONTROL c 1 1 1 1 1\n")
	f.Add("GATE z 0 O=CONST0;# x\nGATE a 1 O=((((a;\nGATE\nLATCH l 1 Q=!D''; SEQ Q ANY ACTIVE_LOW PIN")
	f.Add("GATE \"\" 1 =0;\nGATE a 1 x y=b;")               // found: cells that nothing can name
	f.Add("LATCH 0 1 0=SEQ; PIN SEQ SEQ q ANY RISING_EDGE") // found: a pin taken for a keyword
	f.Add("GATE a 1 O=a\r;GATE b 1 O=b;\r\nGATE c 1 a=b=c; PIN b PIN c")
	shared.Seeds(f, func(data []byte) { f.Add(string(data)) }, "blif/*.genlib", "blif/*/*.genlib")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range ReadGenlib(text).Names() {
			c := ReadGenlib(text).Cell(name)
			if len(c.program) > 200 {
				continue // in parentheses it would be nested too deeply
			}
			entry := entryOf(c)
			g := ReadGenlib(entry)
			again := g.Cell(strings.Trim(name, `"`))
			if again == nil || len(g.Problems) > 0 {
				t.Fatalf("%+v is written as %q and not read: %v", c, entry, g.Problems)
			}
			if !slices.Equal(again.Inputs, c.Inputs) || again.Output != c.Output || again.LatchType != c.LatchType || values(again) != values(c) {
				t.Fatalf("%+v is written as %q and read as %+v", c, entry, again)
			}
			for i, in := range c.Inputs {
				if dir, at, ok := c.Port(in); in != "" && in != c.Output && (!ok || dir != Input || at != i) {
					t.Fatalf("pin %d of %+v is found as %v %d %v", i, c, dir, at, ok)
				}
			}
		}
	})
}

// TestLongEntries: the processor time for a cell grows with its text, not with the square.
func TestLongEntries(t *testing.T) {
	var lines, pins strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&lines, "+ p%d # a comment\n", i)
		fmt.Fprintf(&pins, " PIN q%d\n", i)
	}
	begin := shared.CPUTime(t)
	g := ReadGenlib("GATE wide 1 O=a\n" + lines.String() + ";\n" + pins.String())
	if c := g.Cell("wide"); c == nil || len(c.Inputs) != 200_001 || len(g.Problems) > 0 {
		t.Errorf("read as %d inputs: %.200v", len(g.Names()), g.Problems)
	}
	if took := shared.CPUTime(t) - begin; took > 10*time.Second {
		t.Errorf("it takes %v", took)
	}
}
