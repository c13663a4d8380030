package answers_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
	"aiglens/design/blifdesign"
	"aiglens/design/verilogdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/peers"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
)

// fsm is two machines of two latches each, of which the proof says that both are never 1.
const fsm = `aag 28 1 4 1 23 1
2
4 21
6 31
8 41
10 51 1
4
57
12 5 2
14 12 7
16 4 3
18 16 7
20 19 15
22 4 2
24 22 7
26 5 3
28 26 6
30 29 25
32 9 2
34 32 11
36 8 3
38 36 11
40 39 35
42 8 2
44 42 11
46 9 3
48 46 10
50 49 45
52 6 4
54 10 8
56 55 53
i0 go
l0 s0
l1 s1
l2 t0
l3 t1
o0 o
b0 dead
c
`

// later is two latches that start with the same input, and are opposite afterwards.
const later = "aag 6 1 3 0 2 1\n2\n4 2 2\n6 3 2\n8 1\n12\n10 6 4\n12 10 8\nl0 q[0]\nl1 q[1]\n"

// triangle goes from 0 to 3 to 5, and from there to 0.
const triangle = "aag 11 0 3 0 8 1\n2 7\n4 3\n6 4\n23\n8 4 3\n10 6 3\n12 6 4\n14 5 2\n16 14 7\n18 11 9\n20 17 13\n22 20 18\n" +
	"l0 q[0]\nl1 q[1]\nl2 q[2]\nc\nword: named = q[2] q[1] q[0] {start = 0, up = 3, never = 7}\n"

// counters are three that count together: from 0, and two from 2.
const counters = `.model counters
.inputs go
.outputs o
# prop: bad apart
.latch n0 a[0] 0
.latch n1 a[1] 0
.latch n2 a[2] 0
.latch m0 b[0] 0
.latch m1 b[1] 1
.latch m2 b[2] 0
.latch m0 c[0] 0
.latch m1 c[1] 1
.latch m2 c[2] 0
.names go a[0] n0
10 1
01 1
.names go a[0] a[1] n1
110 1
0-1 1
-01 1
.names go a[0] a[1] a[2] n2
1110 1
0--1 1
-0-1 1
--01 1
.names go b[0] m0
10 1
01 1
.names go b[0] b[1] m1
110 1
0-1 1
-01 1
.names go b[0] b[1] b[2] m2
1110 1
0--1 1
-0-1 1
--01 1
.names a[0] b[0] x0
10 1
01 1
.names a[1] b[1] x1
11 1
00 1
.names a[1] a[2] b[2] x2
011 0
000 0
110 0
101 0
.names c[0] b[0] y0
10 1
01 1
.names c[1] b[1] y1
10 1
01 1
.names c[2] b[2] y2
10 1
01 1
.names x0 x1 x2 y0 y1 y2 apart
000000 0
.names a[2] o
1 1
.end
`

// instances are two of a counter that stops at 5.
const instances = `.model top
.inputs go
.outputs o
# prop: bad over
.subckt counter go=go q2=x over=over1
.subckt counter go=x q2=o over=over2
.names over1 over2 over
00 0
.end
.model counter
.inputs go
.outputs q2 over
.latch n0 q[0] 0
.latch n1 q[1] 0
.latch n2 q[2] 0
.names q[0] q[2] last
11 1
.names go last q[0] n0
100 1
0-1 1
-11 1
.names go last q[0] q[1] n1
1010 1
0--1 1
-1-1 1
--01 1
.names go last q[0] q[1] q[2] n2
10110 1
0---1 1
-1--1 1
--0-1 1
---01 1
.names q[1] q[2] over
11 1
.names q[2] q2
1 1
.end
`

// TestFactsOfWords says what proofs imply for words, in the names of the text, and on which rows.
func TestFactsOfWords(t *testing.T) {
	tests := []struct {
		name   string
		format *design.Format
		text   string
		facts  string // about words
		rows   string // on which they stand
		others string // about latches, that these do not imply
	}{
		{"values with names", aigerdesign.Format, fsm + "word: state = s1 s0 {idle = 0, wait = 1, work = 2, dead = 3}\nword: other = t1 t0\n",
			"state is at most 2; state is never dead; other is at most 2",
			"6 31: state is at most 2; 6 31: state is never dead; 10 51 1: other is at most 2", ""},
		{"a bit is missing", aigerdesign.Format, fsm + "word: wide = t1 - t0\n", "wide is at most 6; wide is never 5",
			"10 51 1: wide is at most 6; 10 51 1: wide is never 5", "not both s0 and s1"},
		{"an input in a word", aigerdesign.Format, fsm + "word: mixed = t1 t0 go\n", "", "", "not both s0 and s1; not both t0 and t1"},
		{"from step 1 on", aigerdesign.Format, later, "q is at most 2 from step 1 on", "6 3 2: q is at most 2 from step 1 on", ""},
		{"the values left between bounds", aigerdesign.Format, triangle, "named is start, up or 5", "6 4: named is start, up or 5", "exactly one of ¬q[0], q[1], q[2]"},
		{"sums", blifdesign.Format, counters, "b = a + 2 modulo 8; c = b",
			".latch m2 b[2] 0: b = a + 2 modulo 8; .latch n2 a[2] 0: b = a + 2 modulo 8; .latch m2 c[2] 0: c = b; .latch m2 b[2] 0: c = b", "a[0] = b[0] = c[0]; a[1] = ¬b[1] = ¬c[1]; b[2] = c[2]"},
		{"instances", blifdesign.Format, instances, "x/q is at most 5; o/q is at most 5",
			".latch n2 q[2] 0: x/q is at most 5; .latch n2 q[2] 0: o/q is at most 5", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, result := checked(t, tt.format, tt.text)
			f, err := answers.FactsOf(t.Context(), d, bad0, &result)
			if err != nil {
				t.Fatal(err)
			}
			var found, rows, others []string
			text := source.NewText(tt.text)
			for _, fact := range f.All() {
				if fact.Kind == answers.Word {
					found = append(found, fact.String())
				} else {
					others = append(others, fact.String())
				}
			}
			for _, row := range f.Rows(100) {
				if slices.Contains(found, row.Text) {
					rows = append(rows, fmt.Sprintf("%s: %s", text.Line(text.LineAt(row.Span.Start)), row.Text))
				}
			}
			if got := strings.Join(found, "; "); got != tt.facts {
				t.Errorf("facts are %q", got)
			}
			if got := strings.Join(rows, "; "); got != tt.rows {
				t.Errorf("rows are %q", got)
			}
			if got := strings.Join(others, "; "); got != tt.others {
				t.Errorf("beside words stand %q", got)
			}
		})
	}
}

// TestRowsOfRegisters: all bits of a register, in all instances, have one row. A fact about one of them
// says which one it is.
func TestRowsOfRegisters(t *testing.T) {
	peers.Program(t, "yosys")
	const text = `module half (input wire clk, input wire in, output reg [1:0] q);
  initial q = 1;
  always @(posedge clk) q <= {in, ~in};
endmodule
module top (input wire clk, input wire in);
  wire [1:0] a, b;
  half one (clk, in, a);
  half two (clk, ~in, b);
  always @* assert (a[0] != a[1]);
endmodule
`
	out, err := synthesis.Run(t.Context(), synthesis.Request{Files: []synthesis.File{{Path: "top.sv", Content: text}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := verilogdesign.NewSynthesis([]verilogdesign.Source{{Path: "top.sv", Text: source.NewText(text)}}, out, "")
	if err != nil {
		t.Fatal(err)
	}
	d := verilogdesign.New(s, "top.sv", false)
	result := verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: bad0, Engine: engines.NewAuto()}, nil)
	f, err := answers.FactsOf(t.Context(), d, bad0, &result)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range f.Rows(100) {
		rows = append(rows, fmt.Sprintf("%s, %s", d.Text.Slice(row.Span), row.Text))
	}
	const want = "q, one.q is from 1 to 2; q, one.q[0]: equals not one.q[1]; q, one.q[1]: equals not one.q[0]"
	if got := strings.Join(rows, "; "); got != want {
		t.Errorf("rows are %q", got)
	}
}

// TestSentencesOfWords reads what random proofs say, also about random words, and tries it in all
// states: all of it holds in those of the invariant, and in no other one, since only clauses that the
// rest implies are left out.
func TestSentencesOfWords(t *testing.T) {
	proved, read := 400, map[string]int{}
	if os.Getenv("AIGLENS_LONG") != "" {
		proved = 10_000
	}
	for seed := uint64(0); proved > 0; seed++ {
		r := rand.New(rand.NewPCG(61, seed))
		x := wordTexts{t: t, words: map[string]textWord{}}
		text := strings.Join(randomText(r), "\n") + "\nc\n"
		switch {
		case seed%2 == 0:
			text = x.counters(r)
		case seed%3 == 0:
			text = x.round(r)
		}
		for i := range r.IntN(4) {
			text += x.add(r, fmt.Sprint("w", i))
		}
		d, result := checked(t, aigerdesign.Format, text)
		if result.Checked.Outcome() != cert.Proved {
			continue
		}
		proved--
		f, err := answers.FactsOf(t.Context(), d, bad0, &result)
		if err != nil {
			t.Fatal(err)
		}
		inv := f.Result.Checked.Invariant()
		if all, err := facts.Of(t.Context(), inv); err != nil {
			t.Fatal(err)
		} else {
			read["left out"] += len(all.Clauses)
		}
		for _, fact := range f.All() {
			if fact.Kind == answers.Clause {
				read["left out"]--
				read["clause"]++
			}
		}
		for state := range uint(16) {
			isOne, hold := x.satisfies(d, inv, state), true
			for _, fact := range f.All() {
				if fact.Kind != answers.Word {
					hold = hold && holdsOfLatches(fact, state)
					continue
				}
				for open := range uint(2) {
					kind, ok := x.holds(fact.String(), state, open)
					if read[kind]++; isOne && !ok {
						t.Fatalf("seed %d: %s does not hold in %04b\n%s", seed, fact, state, text)
					}
					hold = hold && ok
				}
			}
			if hold != isOne && !f.Never {
				t.Fatalf("seed %d: %v hold in %04b: %t, the invariant %v: %t\n%s", seed, f.All(), state, hold, inv, isOne, text)
			}
		}
	}
	t.Log(read)
	for _, kind := range []string{"bound", "range", "values", "never", "one", "sum", "clause", "left out"} {
		if read[kind] == 0 {
			t.Errorf("no fact: %s", kind)
		}
	}
}

// wordTexts are words of four latches with the literals from 6 on.
type wordTexts struct {
	t     *testing.T
	words map[string]textWord
}

// textWord is a word as it is written: bits from the most significant on, -1 for one that is missing.
type textWord struct {
	bits   []int
	signed bool
	values map[string]int64
}

// add returns the line of a random word.
func (x *wordTexts) add(r *rand.Rand, name string) string {
	w := textWord{signed: r.IntN(2) == 0, values: map[string]int64{}}
	attributes := []string{"hex", "dec", "bin"}[r.IntN(3)]
	if w.signed {
		attributes = "signed, " + attributes
	}
	line := fmt.Sprintf("word: %s (%s) =", name, attributes)
	for _, latch := range r.Perm(4)[:2+r.IntN(3)] {
		lit := 6 + 2*latch
		switch r.IntN(9) {
		case 0:
			lit = -1
			line += " -"
		case 1, 2:
			lit++
			line += fmt.Sprintf(" !%d", lit-1)
		default:
			line += fmt.Sprint(" ", lit)
		}
		w.bits = append(w.bits, lit)
	}
	if r.IntN(2) == 0 {
		n := int64(r.IntN(2))
		w.values["some"], w.values["other"] = n, n+1-2*n
		line += fmt.Sprintf(" {some = %d, other = %d}", n, n+1-2*n)
		if len(w.bits) == 1 && w.signed {
			return ""
		}
	}
	x.words[name] = w
	return line + "\n"
}

// gateRows are the rows of gates.
type gateRows []string

func (g *gateRows) and(left, right int) int {
	lit := 14 + 2*len(*g)
	*g = append(*g, fmt.Sprint(lit, max(left, right), min(left, right)))
	return lit
}

func (g *gateRows) or(left, right int) int { return g.and(left^1, right^1) ^ 1 }

func (g *gateRows) xor(left, right int) int {
	return g.and(g.and(left, right)^1, g.and(left^1, right^1)^1)
}

// counters returns a text that is like a random one, with words: two counters that count together,
// or a register in which one 1 moves and may get lost.
func (x *wordTexts) counters(r *rand.Rand) string {
	const enable, keep = 2, 4
	g := &gateRows{}
	next, start, bad, words := make([]int, 4), make([]int, 4), 0, ""
	if r.IntN(2) == 0 {
		signed := r.IntN(2) == 0
		for i := range 2 {
			low := 6 + 4*i
			next[2*i], next[2*i+1] = g.xor(low, enable), g.xor(low+2, g.and(low, enable))
			start[2*i], start[2*i+1] = r.IntN(2), r.IntN(2)
			name := string(rune('a' + i))
			if r.IntN(4) == 0 {
				continue // what refers to it is clauses
			}
			x.words[name] = textWord{bits: []int{low + 2, low}, signed: signed}
			words += fmt.Sprintf("word: %s%s = %d %d\n", name, map[bool]string{true: " (signed)"}[signed], low+2, low)
		}
		k := start[2] + 2*start[3] - start[0] - 2*start[1]
		carry := g.and(6, k&1)
		bad = g.or(g.xor(10, g.xor(6, k&1)), g.xor(12, g.xor(carry, g.xor(8, k>>1&1))))
	} else {
		mayBeLost := r.IntN(2) == 0
		for i := range 4 {
			l, last := 6+2*i, 6+2*((i+3)%4)
			if next[i] = g.or(g.and(last, enable), g.and(l, enable^1)); mayBeLost {
				next[i] = g.and(next[i], keep)
			}
			for other := 6; other < l; other += 2 {
				bad = g.or(bad, g.and(l, other))
			}
		}
		start[0] = 1
		if !mayBeLost {
			bad = g.or(bad, g.and(g.and(7, 9), g.and(11, 13)))
		}
		x.words["ring"] = textWord{bits: []int{12, 10, 8, 6}}
		words = "word: ring = 12 10 8 6\n"
	}
	return g.text(next, start, bad) + words
}

// round returns a text with a word of three bits that goes around through three values.
func (x *wordTexts) round(r *rand.Rand) string {
	g := &gateRows{}
	next, start, bad, values := make([]int, 4), make([]int, 4), 1, r.Perm(8)[:3]
	for k, value := range values {
		is := 1
		for i := range 3 {
			is = g.and(is, 6+2*i+(1-value>>i&1))
		}
		bad = g.and(bad, is^1)
		for i := range 3 {
			if values[(k+1)%3]>>i&1 == 1 {
				next[i] = g.or(next[i], is)
			}
		}
	}
	for i := range 3 {
		start[i] = values[0] >> i & 1
	}
	signed := r.IntN(2) == 0
	x.words["round"] = textWord{bits: []int{10, 8, 6}, signed: signed}
	return g.text(next, start, bad) + fmt.Sprintf("word: round%s = 10 8 6\n", map[bool]string{true: " (signed)"}[signed])
}

// text returns the circuit of four latches and a bad with these gates.
func (g *gateRows) text(next, start []int, bad int) string {
	lines := []string{fmt.Sprintf("aag %d 2 4 0 %d 1", 6+len(*g), len(*g)), "2", "4"}
	for i := range 4 {
		lines = append(lines, fmt.Sprint(6+2*i, next[i], start[i]))
	}
	lines = append(append(lines, fmt.Sprint(bad)), *g...)
	return strings.Join(lines, "\n") + "\nc\n"
}

// number returns the value of a word.
func (x *wordTexts) number(name string, state, open uint) int64 {
	w, ok := x.words[name]
	if !ok {
		x.t.Fatalf("no word %q", name)
	}
	n := int64(0)
	for i, lit := range w.bits {
		bit := open
		if lit >= 0 {
			bit = state>>((lit-6)/2)&1 ^ uint(lit&1)
		}
		if n = 2*n + int64(bit); i == 0 && w.signed {
			n = -n
		}
	}
	return n
}

// read reads a value of a word. A number that is not decimal has the bits of the value.
func (x *wordTexts) read(name, text string) int64 {
	w := x.words[name]
	if n, ok := w.values[text]; ok {
		return n
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		x.t.Fatalf("no value %q", text)
	}
	if w.signed && strings.HasPrefix(text, "0") && n>>(len(w.bits)-1) == 1 {
		n -= 1 << len(w.bits)
	}
	return n
}

var (
	boundSentence = regexp.MustCompile(`^(\w+) is at (least|most) (\S+)$`)
	rangeSentence = regexp.MustCompile(`^(\w+) is from (\S+) to (\S+)$`)
	valueSentence = regexp.MustCompile(`^(\w+) is ((?:\S+, )*(?:\S+ or )?\S+)$`)
	neverSentence = regexp.MustCompile(`^(\w+) is never (.+)$`)
	oneSentence   = regexp.MustCompile(`^(at most|exactly) one bit of (\w+) is 1$`)
	sumSentence   = regexp.MustCompile(`^(\w+) = (\w+)(?: \+ (\w+)(?: modulo (\d+))?)?$`)
)

// holds reports whether a sentence holds, and of which kind it is.
func (x *wordTexts) holds(sentence string, state, open uint) (kind string, ok bool) {
	if m := boundSentence.FindStringSubmatch(sentence); m != nil {
		n, bound := x.number(m[1], state, open), x.read(m[1], m[3])
		return "bound", n == bound || n > bound == (m[2] == "least")
	}
	if m := rangeSentence.FindStringSubmatch(sentence); m != nil {
		n := x.number(m[1], state, open)
		return "range", x.read(m[1], m[2]) <= n && n <= x.read(m[1], m[3])
	}
	if m := neverSentence.FindStringSubmatch(sentence); m != nil {
		for _, text := range regexp.MustCompile(`, | or `).Split(m[2], -1) {
			if x.number(m[1], state, open) == x.read(m[1], text) {
				return "never", false
			}
		}
		return "never", true
	}
	if m := valueSentence.FindStringSubmatch(sentence); m != nil {
		is := func(text string) bool { return x.number(m[1], state, open) == x.read(m[1], text) }
		return "values", slices.ContainsFunc(regexp.MustCompile(`, | or `).Split(m[2], -1), is)
	}
	if m := oneSentence.FindStringSubmatch(sentence); m != nil {
		ones := bits.OnesCount64(uint64(x.number(m[2], state, open)) & (1<<len(x.words[m[2]].bits) - 1))
		return "one", ones == 1 || ones == 0 && m[1] == "at most"
	}
	m := sumSentence.FindStringSubmatch(sentence)
	if m == nil {
		x.t.Fatalf("cannot read %q", sentence)
	}
	added, modulo := int64(0), int64(0)
	for i, to := range map[int]*int64{3: &added, 4: &modulo} {
		if m[i] != "" {
			*to, _ = strconv.ParseInt(m[i], 0, 64)
		}
	}
	difference := x.number(m[1], state, open) - x.number(m[2], state, open) - added
	return "sum", difference == 0 || modulo > 0 && difference%modulo == 0
}

// holdsOfLatches reports whether a fact that is about latches with the literals from 6 on holds in a
// state.
func holdsOfLatches(fact answers.Fact, state uint) bool {
	ones, isClause := 0, false
	var values []bool
	for _, part := range fact.Parts {
		if part.Source == nil {
			if part.Text == " → " {
				isClause = isClause || ones < len(values) // a latch that is given is 0
				values, ones = nil, 0
			}
			continue
		}
		lit, _ := strconv.Atoi(strings.TrimPrefix(part.Text, "¬"))
		value := state>>((lit-6)/2)&1 == 1 != strings.HasPrefix(part.Text, "¬")
		if values = append(values, value); value {
			ones++
		}
	}
	switch first := fact.Parts[0].Text; {
	case fact.Kind == answers.Constant:
		return values[0] == strings.HasSuffix(fact.String(), "1")
	case fact.Kind == answers.Equal:
		return ones == 0 || ones == len(values)
	case fact.Kind == answers.Group:
		return ones == 1 || ones == 0 && first == "at most one of "
	case strings.HasPrefix(first, "not "):
		return ones < len(values)
	}
	return isClause || ones > 0
}

// satisfies reports whether a state is one of an invariant.
func (x *wordTexts) satisfies(d *design.Design, inv cert.Invariant, state uint) bool {
	return !slices.ContainsFunc(inv, func(clause []circuit.Lit) bool {
		return !slices.ContainsFunc(clause, func(l circuit.Lit) bool {
			return state>>d.Circuit().LatchIndex(l.Var())&1 == 1 != l.IsNegated()
		})
	})
}
