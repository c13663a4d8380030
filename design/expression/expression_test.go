package expression

import (
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/design"
)

// table is a run of signals with the names a, b, … given by their values over the steps.
type table []string

func (r table) Value(l circuit.Lit, step int) circuit.Value {
	if step < 0 || step >= len(r[0]) {
		return circuit.X
	}
	v := map[byte]circuit.Value{'0': circuit.Zero, '1': circuit.One, 'x': circuit.X}[r[l.Var()][step]]
	return v.NotIf(l.IsNegated())
}

var example1 = table{"0011", "0101", "x01x"}

var example1Names = map[string]circuit.Lit{
	"a": 0, "b": 2, "c": 4, "count[0]": 0, "u1/q": 2, "$abc$7": 4, "n-1": 0, "pi<3>": 2, "odd name": 4, "a&b": 2, "v[2]": 0, "v[1]": 2, "v[0]": 4, "p0": 2, "p1": 0, "f1": 0, "f2": 2, "g<5>": 0, "g<4>": 2, "say \"so\"": 4, "12": 2,
}

func (r table) names() Names {
	return Names{Signal: func(name string) (circuit.Lit, bool) {
		l, ok := example1Names[name]
		return l, ok
	}, Words: func(name string) []*design.Word { return example1Words[name] }, Steps: len(r[0])}
}

// wordOf makes a word of signals, the most significant first.
func wordOf(name string, lits ...circuit.Lit) *design.Word {
	w := &design.Word{Name: name, Local: name}
	for _, l := range slices.Backward(lits) {
		w.Bits = append(w.Bits, design.Bit{Lit: l})
	}
	return w
}

var example1Words = func() map[string][]*design.Word {
	v, p, g := wordOf("v", 0, 2, 4), wordOf("p", 0, 2), wordOf("g", 0, 2)
	g.Low = 4
	signed := wordOf("s", 0, 2, 4)
	signed.Signed = true
	state := wordOf("state", 0, 2)
	for i, name := range []string{"idle", "busy", "a", "p"} {
		state.Values = append(state.Values, design.NamedValue{Name: name, Value: []circuit.Value{circuit.Value(i & 1), circuit.Value(i >> 1)}})
	}
	flag := wordOf("b", 2)
	flag.Values = []design.NamedValue{{Name: "off", Value: []circuit.Value{circuit.Zero}}, {Name: "on", Value: []circuit.Value{circuit.One}}}
	gap := wordOf("gap", 0, 2, 4)
	gap.Bits[1].Missing = true
	return map[string][]*design.Word{
		"v": {v}, "p": {p}, "g": {g}, "s": {signed}, "state": {state}, "b": {flag}, "gap": {gap},
		"head": {wordOf("u1/head", 0, 2), wordOf("u2/head", 2, 0)}, "tail": {wordOf("u1/tail", 2, 0)},
	}
}()

func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"a": "0011", "!a": "1100", "~a": "1100", "!!a": "0011", "c": "x01x", "!c": "x10x",
		"a & b": "0001", "a && b": "0001", "a | b": "0111", "a || b": "0111", "a ^ b": "0110",
		"a == b": "1001", "a != b": "0110", "a -> b": "1101", "a & c": "001x", "a | c": "x011", "a ^ c": "x00x",
		"a == c": "x11x", "b -> c": "101x",
		"0": "0000", "1": "1111", "x": "xxxx", "x & a": "00xx", "x | a": "xx11",
		"prev(a)": "x001", "next(a)": "011x", "prev(prev(b))": "xx01", "a@2": "1111", "(a & b)@3": "1111", "!a@0": "1111",
		"changed(a)": "0010", "changed(c)": "0111", "rose(b)": "0101", "fell(b)": "0010", "rose(c)": "0010", "known(c)": "0110",
		"step == 2": "0010", "step != 2": "1101", "step >= 2": "0011", "step < 1": "1000", "step<=1": "1100", "step>1 & b": "0001",
		"a -> b -> c": "111x", "a & b | c": "x011", "a | b & c": "0011", "a ^ b & c": "001x", "!a & b": "0100", "!(a & b)": "1110",
		"a & b == c": "000x", "a==b|c": "1011",
		"count[0] & u1/q": "0001", "$abc$7": "x01x", "n-1->b": "1101", "pi<3>": "0101", "`odd name`": "x01x", "\"odd name\"": "x01x",
		"`a&b`": "0101", "`say \"so\"`": "x01x", "12": "0101", "  a\t": "0011",
		// v is 00x, 010, 101, 11x; p is a and b.
		"v == 5": "0010", "v == 0": "x000", "v != 0": "x111", "v == 6": "000x", "v < 2": "1000", "v <= 1": "1000", "v >= 6": "0001", "v > 5": "0001",
		"v == 0x5": "0010", "v == 0b101": "0010",
		"v[2:1] == 3": "0001", "p == 1": "0100", "g == 2": "0010", "g[5:4] == p[1:0]": "1111", "v == p": "x000", "p < v": "x111",
		// s is v with a sign: 0 or 1, 2, -3, -2 or -1; gap is v without its bit 1; b is on and off.
		"prev(v) == 5": "x001", "next(v) == 5": "010x", "v@2 == 5": "1111", "changed(v)": "0111", "changed(p)": "0111", "known(v)": "0110", "known(prev(v) == 5)": "0111",
		"s == -3": "0010", "s < 0": "0011", "s == 0b101": "0010", "s >= -2": "1101", "s > p": "x100", "s < p": "0011", "prev(s) == 2": "x010",
		"p == prev(p) + 1": "0111", "prev(p) + 1 == p": "0111", "p == prev(p) +1": "0111", "p - 1 == prev(p)": "0111", "v == p + 1": "x100", "v == 2 + p": "0000", "p - v > 0": "0000", "p + p + p == 3": "0100", "p == 3 - p": "0000", "v - 1 >= -1": "1111", "v < 6 - 1": "1100", "(p - p) == 0": "1111",
		"state == idle": "1000", "state == busy": "0100", "state == a": "0010", "prev(state) != busy": "x101", "state == `p`": "1111", "state == 3": "0001", "state == p - 1": "0000",
		"b == on": "0101", "b != off": "0101", "b == a": "1001",
		"gap == 1": "x000", "gap > 1": "xx11", "changed(gap)": "0111", "known(gap)": "0110",
		"v[1:1] == 1": "0101", "g[5]": "0011", "v[1]": "0101", "tail == 1": "0010", "state[1]": "0011",
		"prev(v == 5)": "x001", "!(v == 5) & a": "0001", "v == 5 -> b": "1101",
	} {
		e, err := example1.names().Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for step := range want {
			got += e.Eval(example1, step).String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestExpressionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "column 1: expected a name, found the end",
		"a &":                            "column 4: expected a name, found the end",
		"a b":                            "column 3: expected an operator, found b",
		"(a":                             "column 3: expected ), found the end",
		"a)":                             "column 2: expected an operator, found )",
		"ä & d":                          "column 1: there is no signal named ä",
		"b & é":                          "column 5: there is no signal named é",
		"a@4":                            "column 3: there is no step 4: the last one is 3",
		"a@b":                            "column 3: expected the number of a step after @, found b",
		"past(a)":                        "column 1: there is no function past",
		"step":                           "",
		"!step":                          "column 2: step is a number",
		"step & a":                       "column 1: step is a number",
		"step == a":                      "column 9: expected the number of a step after ==, found a",
		"3 == step":                      "column 1: there is no signal named 3",
		"v":                              "",
		"a & v":                          "column 5: v is a word: compare it, as in v == 3",
		"prev(v) == 3":                   "",
		"rose(v)":                        "column 6: v is a word: compare it, as in v == 3",
		"prev(v) & a":                    "column 1: this is the value of a word: compare it, as in prev(q) == 3",
		"a & v + 1":                      "column 5: this is a number: compare it, as in q == prev(q) + 1",
		"changed(v + 1)":                 "column 9: this is a number",
		"a == prev(v)":                   "column 6: a is not a word",
		"v == 8":                         "column 6: 8 does not fit v, which has 3 bits: 0 to 7",
		"v == -1":                        "column 6: -1 does not fit v, which has 3 bits: 0 to 7",
		"prev(v) < 99999999999999999999": "column 11: 99999999999999999999 does not fit v, which has 3 bits: 0 to 7",
		"s == 4":                         "column 6: 4 does not fit s, which has 3 bits: -4 to 3",
		"s == 0x8":                       "column 6: 0x8 does not fit s, which has 3 bits: 0 to 7",
		"v[1:0] == 4":                    "column 11: 4 does not fit v[1:0], which has 2 bits: 0 to 3",
		"v[0:1] == 1":                    "column 1: v has the bits 2 to 0, in this order",
		"v[a:0] == 1":                    "column 1: there is no signal named v[a:0]",
		"v[3]":                           "column 1: v has the bits 2 to 0, in this order",
		"gap[1]":                         "column 1: the circuit does not have bit 1 of gap",
		"head == 1":                      "column 1: head may be u1/head or u2/head: write one of these names",
		"state == buzy":                  "column 10: there is no signal named buzy, and \"buzy\" is no value of state: expected idle, busy, a, p, or a number such as 5, 0x1f or 0b101",
		"state == p":                     "column 10: p is a value of state and a word: write the word in backticks, the value as a number",
		"state == busy + 1":              "column 10: there is no signal named busy",
		"idle == state":                  "column 1: there is no signal named idle",
		"v+1 == 3":                       "column 1: there is no signal named v+1; in a sum spaces stand around the sign, as in q + 1",
		"v == p + ":                      "column 10: expected a name, found the end",
		"v == p + a":                     "column 10: expected a number or a word after +, found a",
		"v == step":                      "column 6: expected a number or a word after ==, found step",
		"a + 1":                          "column 3: expected an operator, found +",
		"- 1":                            "column 1: expected a name, found -",
		"a == v":                         "column 6: a is not a word: a word is compared with a number or a word, as in q == 3",
		"v == a":                         "column 6: expected a number or a word after ==, found a",
		"v ==":                           "column 5: expected a name, found the end",
		"v == 0b12":                      "column 6: there is no signal named 0b12",
		"v[1:0":                          "column 1: there is no signal named v[1:0",
		"v[9:0] == 1":                    "column 1: v has the bits 2 to 0, in this order",
		"w == 3":                         "column 1: there is no signal named w",
		"a == step":                      "column 3: step stands before the sign",
		"a < b":                          "column 3: < compares numbers",
		"`odd":                           "column 1: expected a name, found a name that is never closed with `",
		"a & = b":                        "column 5: expected a name, found \"=\"",
		"99999999999999999999999":        "column 1: the number 99999999999999999999999 is too large",
		strings.Repeat("(", 1000) + "a":  "column 201: the expression is nested too deeply",
		strings.Repeat("a&", 60000):      "column 1: the expression is longer than",
	} {
		_, err := example1.names().Parse(text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%.40q: %v", text, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
	if _, err := example1.names().Condition("step"); err == nil {
		t.Error("step is not a condition")
	}
	if _, err := example1.names().Condition("v"); err == nil || err.Error() != "column 1: v is a word: compare it, as in v == 3" {
		t.Errorf("a vector is not a condition: %v", err)
	}
	// Each changed doubles the work.
	if _, err := example1.names().Parse(strings.Repeat("changed(", 100) + "a" + strings.Repeat(")", 100)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a hundred times changed: %v", err)
	}
}

// TestNumbers reads the literals of a format with numbers.
func TestNumbers(t *testing.T) {
	n := example1.names()
	n.Number = func(n int) (circuit.Lit, bool) { return circuit.Lit(n - 2), n < 8 }
	for text, want := range map[string]string{"2": "0011", "3": "1100", "4 & 2": "0001", "`12`": "0101", "1": "1111"} {
		e, err := n.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for step := range want {
			got += e.Eval(example1, step).String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if _, err := n.Parse("a & 12"); err == nil || err.Error() != "column 5: there is no literal 12 in the file" {
		t.Errorf("a literal that is not there: %v", err)
	}
}

func TestText(t *testing.T) {
	e, err := example1.names().Parse("a")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for step := range 4 {
		all = append(all, e.Text(example1, step))
	}
	if got := strings.Join(all, ", "); got != "0, 0, 1 (was 0), 1" {
		t.Error(got)
	}
	v, err := example1.names().Parse("v")
	if err != nil {
		t.Fatal(err)
	}
	all = nil
	for step := range 4 {
		all = append(all, v.Text(example1, step))
	}
	if got := strings.Join(all, ", "); got != "0b00x, 2, 5, 0b11x" {
		t.Error(got)
	}
}

// TestRandomWords compares words with each value that they may have: 3,000 runs of some steps,
// with and without signs, over sums and other steps, by numbers of any length.
func TestRandomWords(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		w := newWorld(r)
		left, right := w.term(), w.term()
		if r.Intn(2) == 0 {
			left.plus(w.term(), r)
		}
		direct := r.Intn(3) == 0
		if direct { // a constant beside a word is in its range
			left = w.term()
			right = operand{}
			n := left.random(r)
			right.text, right.eval = n.String(), func(choice, int) *big.Int { return n }
		}
		sign := []string{"==", "!=", "<", "<=", ">", ">="}[r.Intn(6)]
		text := left.text + " " + sign + " " + right.text
		e, err := w.names().Condition(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for step := range w.steps() {
			can := map[bool]bool{}
			for values := range w.choices() {
				can[Compare(left.eval(values, step).Cmp(right.eval(values, step)), sign, 0)] = true
			}
			want := circuit.ValueOf(can[true])
			if can[true] && can[false] {
				want = circuit.X
			}
			got := e.Eval(w.run, step)
			if got != want && (got != circuit.X || !w.isCorrelated(left, right)) {
				t.Fatalf("%v: %s is %s in step %d, want %s", w.run, text, got, step, want)
			}
		}
	}
}

// choice is a value for each x of a run.
type choice table

// world is a run at random with the words a and b.
type world struct {
	r     *rand.Rand
	run   table
	words map[string]*design.Word
}

func newWorld(r *rand.Rand) *world {
	w := &world{r: r, words: map[string]*design.Word{}}
	steps := 1 + r.Intn(3)
	open := 0 // how many x it may have
	if r.Intn(2) == 0 {
		open = 10
	}
	mayHaveX := open > 0
	for _, name := range []string{"a", "b"} {
		var lits []circuit.Lit
		width := 2 + r.Intn(4)
		if !mayHaveX {
			width = 2 + r.Intn(90)
		}
		for range width {
			lits = append(lits, circuit.Lit(2*len(w.run)).NotIf(r.Intn(4) == 0))
			row := make([]byte, steps)
			for i := range row {
				row[i] = "01"[r.Intn(2)]
				if open > 0 && r.Intn(6) == 0 {
					row[i] = 'x'
					open--
				}
			}
			w.run = append(w.run, string(row))
		}
		word := wordOf(name, lits...)
		word.Signed = r.Intn(2) == 0
		w.words[name] = word
	}
	return w
}

func (w *world) steps() int { return len(w.run[0]) }

func (w *world) names() Names {
	return Names{
		Signal: func(string) (circuit.Lit, bool) { return 0, false },
		Words: func(name string) []*design.Word {
			if word, ok := w.words[name]; ok {
				return []*design.Word{word}
			}
			return nil
		},
		Steps: w.steps(),
	}
}

// choices yields the run with each x as 0 and as 1.
func (w *world) choices() iter.Seq[choice] {
	return func(yield func(choice) bool) {
		var open [][2]int
		for i, row := range w.run {
			for step := range row {
				if row[step] == 'x' {
					open = append(open, [2]int{i, step})
				}
			}
		}
		for n := range 1 << len(open) {
			values := slices.Clone(w.run)
			for k, at := range open {
				row := []byte(values[at[0]])
				row[at[1]] = "01"[n>>k&1]
				values[at[0]] = string(row)
			}
			if !yield(choice(values)) {
				return
			}
		}
	}
}

// operand is a number of an expression.
type operand struct {
	text  string
	word  *design.Word
	words int // how many of the words stand in it
	names string
	eval  func(values choice, step int) *big.Int
}

// valueAt is the number that a word is, digit by digit.
func valueAt(w *design.Word, values choice, step int) *big.Int {
	n := new(big.Int)
	for i, b := range w.Bits {
		if table(values).Value(b.Lit, step) == circuit.One {
			weight := new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(i)), nil)
			if w.Signed && i == len(w.Bits)-1 {
				weight.Neg(weight)
			}
			n.Add(n, weight)
		}
	}
	return n
}

func (w *world) term() operand {
	name := []string{"a", "b"}[w.r.Intn(2)]
	word := w.words[name]
	at := w.r.Intn(w.steps())
	if w.r.Intn(3) == 0 {
		return operand{text: fmt.Sprintf("%s@%d", name, at), word: word, words: 1, names: name, eval: func(v choice, _ int) *big.Int { return valueAt(word, v, at) }}
	}
	return operand{text: name, word: word, words: 1, names: name, eval: func(v choice, step int) *big.Int { return valueAt(word, v, step) }}
}

func (o *operand) plus(other operand, r *rand.Rand) {
	left := *o
	o.words++
	o.names += other.names
	if r.Intn(2) == 0 {
		o.text += " + " + other.text
		o.eval = func(v choice, step int) *big.Int { return new(big.Int).Add(left.eval(v, step), other.eval(v, step)) }
		return
	}
	o.text += " - " + other.text
	o.eval = func(v choice, step int) *big.Int { return new(big.Int).Sub(left.eval(v, step), other.eval(v, step)) }
}

// random returns a value of the word.
func (o *operand) random(r *rand.Rand) *big.Int {
	end := new(big.Int).Lsh(big.NewInt(1), uint(len(o.word.Bits)))
	n := new(big.Int).Rand(r, end)
	if o.word.Signed {
		n.Sub(n, end.Rsh(end, 1))
	}
	return n
}

// isCorrelated reports whether a bit that is x stands in a comparison more than once: as
// anywhere in three-valued simulation it then counts as several. So it does in a sum, of which the
// bounds are known alone.
func (w *world) isCorrelated(left, right operand) bool {
	return left.words > 1 || left.names == right.names
}

// tree is an expression made at random, with its value by truth tables: the twin of
// the parser and of eval.
type tree struct {
	text   string // with all parentheses
	values []circuit.Value
}

func randomTree(r *rand.Rand, depth int) tree {
	steps := len(example1[0])
	if depth == 0 {
		i := r.Intn(len(example1))
		leaf := tree{text: string(rune('a' + i))}
		for step := range steps {
			leaf.values = append(leaf.values, example1.Value(circuit.Lit(2*i), step))
		}
		return leaf
	}
	// Three values as pairs: may be 0, may be 1.
	zero := func(v circuit.Value) bool { return v != circuit.One }
	one := func(v circuit.Value) bool { return v != circuit.Zero }
	join := func(zero, one bool) circuit.Value {
		switch {
		case zero && one:
			return circuit.X
		case one:
			return circuit.One
		}
		return circuit.Zero
	}
	left, right := randomTree(r, depth-1), randomTree(r, r.Intn(depth))
	var sign string
	var f func(a, b bool) bool
	switch r.Intn(8) {
	case 0:
		sign, f = "&", func(a, b bool) bool { return a && b }
	case 1:
		sign, f = "|", func(a, b bool) bool { return a || b }
	case 2:
		sign, f = "^", func(a, b bool) bool { return a != b }
	case 3:
		sign, f = "==", func(a, b bool) bool { return a == b }
	case 4:
		sign, f = "!=", func(a, b bool) bool { return a != b }
	case 5:
		sign, f = "->", func(a, b bool) bool { return !a || b }
	case 6:
		out := tree{text: "prev(" + left.text + ")"}
		out.values = append([]circuit.Value{outside(left)}, left.values[:steps-1]...)
		if out.values[0] != circuit.X { // a constant in disguise: leave it
			return left
		}
		return out
	default:
		out := tree{text: "!(" + left.text + ")"}
		for _, v := range left.values {
			out.values = append(out.values, join(one(v), zero(v)))
		}
		return out
	}
	out := tree{text: "(" + left.text + " " + sign + " " + right.text + ")"}
	for step := range steps {
		var canZero, canOne bool
		for _, a := range []bool{false, true} {
			for _, b := range []bool{false, true} {
				can := func(v circuit.Value, x bool) bool { return x && one(v) || !x && zero(v) }
				if can(left.values[step], a) && can(right.values[step], b) {
					canOne, canZero = canOne || f(a, b), canZero || !f(a, b)
				}
			}
		}
		out.values = append(out.values, join(canZero, canOne))
	}
	return out
}

// outside is the value of a tree before the first step, by its own parser.
func outside(t tree) circuit.Value {
	e, err := example1.names().Parse(t.text)
	if err != nil {
		panic(err)
	}
	return e.Eval(example1, -1)
}

func TestRandomExpressions(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		want := randomTree(r, 1+r.Intn(4))
		e, err := example1.names().Parse(want.text)
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		for step, v := range want.values {
			if got := e.Eval(example1, step); got != v {
				t.Fatalf("%s is %s in step %d, want %s", want.text, got, step, v)
			}
		}
	}
}

// FuzzExpression: an expression is read or its error stands in it; in parentheses it
// means the same; a name in quotes is that name.
func FuzzExpression(f *testing.F) {
	for _, seed := range []string{"a & !b", "prev(count[0]) == `odd name`@2", "step >= 2 -> x", "a->b->(c|0)", "\"", "n-1", "pi<3>", "changed(rose(a))", "ä@", "a\xff", "v == prev(p) + 1", "state == idle & s < -1", "changed(v) ^ known(gap)", "v[2:1]@2 - 0b11 != head", "v == 8", "b == on"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := example1.names()
		e, err := n.Parse(text)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Column < 1 || at.Column > utf8.RuneCountInString(text)+1 {
				t.Fatalf("%q: error %v lies outside", text, err)
			}
		} else if !e.isNumber() {
			again, err := n.Parse("(" + text + ")")
			if err != nil && len(text) < MaxLength-2 && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("%q is read, but not in parentheses: %v", text, err)
			}
			for step := -1; err == nil && step <= 4; step++ {
				if a, b := e.Eval(example1, step), again.Eval(example1, step); a != b {
					t.Fatalf("%q is %s, in parentheses %s", text, a, b)
				}
			}
		}
		if text == "" || strings.Contains(text, "`") && strings.Contains(text, `"`) || len(text) > MaxLength-2 {
			return
		}
		called := Names{Signal: func(name string) (circuit.Lit, bool) { return 8, name == text }, Steps: 4}
		if e, err := called.Parse(Quote(text)); err != nil || e.op != opSignal || e.lit != 8 {
			t.Fatalf("the name %q, quoted %s, is read as %+v, %v", text, Quote(text), e, err)
		}
	})
}

// TestGates compares the gates of expressions over words with their values by Eval, for each input.
func TestGates(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 2000 {
		b := circuit.NewBuilder(64)
		all := map[string]*design.Word{}
		bits := map[string]circuit.Lit{}
		inputs := 0
		for _, name := range []string{"a", "b"} {
			w := &design.Word{Name: name, Signed: r.Intn(2) == 0}
			for range 1 + r.Intn(4) {
				l := b.Input(0).NotIf(r.Intn(4) == 0)
				bits[fmt.Sprintf("%s[%d]", name, len(w.Bits))] = l
				w.Bits = append(w.Bits, design.Bit{Lit: l})
				inputs++
			}
			all[name] = w
		}
		n := Names{
			Signal: func(name string) (circuit.Lit, bool) { l, ok := bits[name]; return l, ok },
			Words: func(name string) []*design.Word {
				if w, ok := all[name]; ok {
					return []*design.Word{w}
				}
				return nil
			},
			Steps: 1,
		}
		text := randomOverWords(r, all, 2)
		e, err := n.OneStep(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c, l := circuit.WithGates(b.Build(), e.Gates)
		sim := circuit.NewTernary(c)
		for k := range 1 << inputs {
			values := make([]circuit.Value, inputs)
			for i := range values {
				values[i] = circuit.Value(k >> i & 1)
			}
			sim.Eval(values)
			if got, want := sim.Value(l), e.Eval(atOnce{sim}, 0); got != want || want == circuit.X {
				t.Fatalf("%s: gates compute %s, Eval %s, for inputs %b", text, got, want, k)
			}
		}
	}
	n := example1.names()
	for text, want := range map[string]string{
		"a & prev(b)": "column 5: this is about another step", "changed(v)": "column 1: this is about another step", "a@1": "column 1: this is about another step", "v == next(p)": "column 6: this is about another step",
		"step > 1": "column 1: the number of the step", "known(a)": "column 1: each value of a circuit is 0 or 1", "a | x": "column 5: each value of a circuit is 0 or 1, never x",
		"gap == 1": "column 1: the circuit does not have bit 1 of gap", "v": "column 1: v is a word", "v == 8": "column 6: 8 does not fit v", "a &": "column 4: expected a name",
	} {
		if _, err := n.OneStep(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// atOnce is the step that a simulation is at.
type atOnce struct{ *circuit.Ternary }

func (r atOnce) Value(l circuit.Lit, _ int) circuit.Value { return r.Ternary.Value(l) }

func randomOverWords(r *rand.Rand, all map[string]*design.Word, depth int) string {
	if depth > 0 && r.Intn(3) > 0 {
		sign := []string{"&", "|", "^", "==", "!=", "->"}[r.Intn(6)]
		return "(" + randomOverWords(r, all, depth-1) + " " + sign + " !" + "(" + randomOverWords(r, all, depth-1) + "))"
	}
	name := []string{"a", "b"}[r.Intn(2)]
	w := all[name]
	term := func() string {
		name := []string{"a", "b"}[r.Intn(2)]
		last := len(all[name].Bits) - 1
		switch r.Intn(4) {
		case 0:
			return fmt.Sprintf("%s[%d:%d]", name, last, r.Intn(last+1))
		case 1:
			return "0 - 9 + " + name
		}
		return name
	}
	sign := []string{"==", "!=", "<", "<=", ">", ">="}[r.Intn(6)]
	switch r.Intn(4) {
	case 0:
		return fmt.Sprintf("%s[%d]", name, r.Intn(len(w.Bits)))
	case 1:
		o := operand{word: w}
		return name + " " + sign + " " + o.random(r).String()
	case 2:
		return fmt.Sprintf("%s - %s + %d %s %s", name, []string{"a", "b"}[r.Intn(2)], r.Intn(20), sign, term())
	}
	return name + " " + sign + " " + term()
}

// TestClauses compares the clauses of expressions over words with their values, for each input.
func TestClauses(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	most := 0
	for range 2000 {
		all, bits := map[string]*design.Word{}, map[string]circuit.Lit{}
		inputs := 0
		for _, name := range []string{"a", "b"} {
			w := &design.Word{Name: name, Signed: r.Intn(2) == 0}
			for range 1 + r.Intn(4) {
				inputs++
				l := circuit.Lit(2 * inputs).NotIf(r.Intn(4) == 0)
				bits[fmt.Sprintf("%s[%d]", name, len(w.Bits))] = l
				w.Bits = append(w.Bits, design.Bit{Lit: l})
			}
			all[name] = w
		}
		n := Names{
			Signal: func(name string) (circuit.Lit, bool) { l, ok := bits[name]; return l, ok },
			Words: func(name string) []*design.Word {
				if w, ok := all[name]; ok {
					return []*design.Word{w}
				}
				return nil
			},
		}
		text := randomOverWords(r, all, 2)
		e, err := n.OneStep(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		clauses, err := e.Clauses()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		most = max(most, len(clauses))
		for k := range 1 << inputs {
			step := partial{}
			for i := range inputs {
				step[circuit.Var(i+1)] = circuit.Value(k >> i & 1)
			}
			got := circuit.One
			for _, clause := range clauses {
				if !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return step.Value(l, 0) == circuit.One }) {
					got = circuit.Zero
				}
			}
			if want := e.Eval(step, 0); got != want {
				t.Fatalf("%s: clauses %v are %s, Eval %s, for inputs %b", text, clauses, got, want, k)
			}
		}
	}
	if most < 8 {
		t.Errorf("at most %d clauses", most)
	}
	wide := map[string]*design.Word{"a": {Name: "a"}, "b": {Name: "b"}}
	for i := range 40 {
		wide["a"].Bits = append(wide["a"].Bits, design.Bit{Lit: circuit.Lit(4 * (i + 1))})
		wide["b"].Bits = append(wide["b"].Bits, design.Bit{Lit: circuit.Lit(4*(i+1) + 2)})
	}
	n := Names{Signal: func(string) (circuit.Lit, bool) { return 0, false }, Words: func(name string) []*design.Word { return []*design.Word{wide[name]} }}
	e, err := n.OneStep("a <= 999999999999")
	if err != nil {
		t.Fatal(err)
	}
	if clauses, err := e.Clauses(); err != nil || len(clauses) > 40 {
		t.Errorf("%d clauses, %v", len(clauses), err)
	}
	if e, err = n.OneStep("a <= b"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Clauses(); err == nil || err.Error() != "the expression needs more than 256 clauses: compare fewer words at once" {
		t.Errorf("a <= b: %v", err)
	}
}

// TestWordsCalledAsValues: a word that is called x or step is meant where it is written, as a signal is.
func TestWordsCalledAsValues(t *testing.T) {
	n := Names{
		Signal: func(string) (circuit.Lit, bool) { return 0, false },
		Words:  func(name string) []*design.Word { return []*design.Word{wordOf(name, 4, 2)} },
		Steps:  3,
	}
	for _, name := range []string{"x", "X", "step", "q"} {
		e, err := n.Parse(Quote(name) + " == 2")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for step := range 3 {
			if got := e.Eval(always2{}, step); got != circuit.One {
				t.Errorf("%s == 2 in step %d: %s", name, step, got)
			}
		}
	}
}

// always2 is a run in which the signal 4 is 1, and no other.
type always2 struct{}

func (always2) Value(l circuit.Lit, _ int) circuit.Value { return circuit.ValueOf(l == 4) }
