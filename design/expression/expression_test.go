package expression

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"aiglens/circuit"
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
	}, Steps: len(r[0])}
}

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
		"v == 0x5": "0010", "v == 0b101": "0010", "v == 99999999999999999999": "0000", "v < 99999999999999999999": "1111",
		"v[2:1] == 3": "0001", "p == 1": "0100", "g == 2": "0010", "g[5:4] == p[1:0]": "1111", "v == p": "x000", "p < v": "x111",
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
		"":                              "column 1: expected a name, found the end",
		"a &":                           "column 4: expected a name, found the end",
		"a b":                           "column 3: expected an operator, found b",
		"(a":                            "column 3: expected ), found the end",
		"a)":                            "column 2: expected an operator, found )",
		"ä & d":                         "column 1: there is no signal named ä",
		"b & é":                         "column 5: there is no signal named é",
		"a@4":                           "column 3: there is no step 4: the last one is 3",
		"a@b":                           "column 3: expected the number of a step after @, found b",
		"past(a)":                       "column 1: there is no function past",
		"step":                          "",
		"!step":                         "column 6: step is a number",
		"step & a":                      "column 9: step is a number",
		"step == a":                     "column 9: expected the number of a step after ==, found a",
		"3 == step":                     "column 1: there is no signal named 3",
		"v":                             "",
		"a & v":                         "column 6: v is a vector: compare it, as in v == 3",
		"prev(v) == 3":                  "column 9: v is a vector: compare it",
		"a == v":                        "column 3: a vector stands before the sign, as in v == 3",
		"v == a":                        "column 6: expected a number or a vector after ==, found a",
		"v ==":                          "column 5: expected a name, found the end",
		"v == 0b12":                     "column 6: there is no signal named 0b12",
		"v[1:0":                         "column 1: there is no signal named v[1:0",
		"v[9:0] == 1":                   "column 1: there is no signal named v[9:0]",
		"w == 3":                        "column 1: there is no signal named w",
		"a == step":                     "column 3: step stands before the sign",
		"a < b":                         "column 3: < compares numbers",
		"`odd":                          "column 1: expected a name, found a name that is never closed with `",
		"a & = b":                       "column 5: expected a name, found \"=\"",
		"99999999999999999999999":       "column 1: the number 99999999999999999999999 is too large",
		strings.Repeat("(", 1000) + "a": "column 201: the expression is nested too deeply",
		strings.Repeat("a&", 6000):      "column 1: the expression is longer than",
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
	if _, err := example1.names().Condition("v"); err == nil || err.Error() != "column 1: v is a vector: compare it, as in v == 3" {
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
	if got := strings.Join(all, ", "); got != "00x, 2, 5, 11x" {
		t.Error(got)
	}
}

// TestRandomVectors compares vectors with each value that they may have.
func TestRandomVectors(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	digits := func() string { return string("01x"[r.Intn(3)]) }
	values := func(bits string) (all []int) {
		all = []int{0}
		for _, c := range bits {
			var next []int
			for _, n := range all {
				if c != '1' {
					next = append(next, 2*n)
				}
				if c != '0' {
					next = append(next, 2*n+1)
				}
			}
			all = next
		}
		return all
	}
	for range 3000 {
		run, word := table{}, map[string]string{}
		bits := map[string]circuit.Lit{}
		for _, name := range []string{"a", "b"} {
			for i := range 2 + r.Intn(3) {
				bits[fmt.Sprintf("%s[%d]", name, i)] = circuit.Lit(2 * len(run))
				run = append(run, digits())
				word[name] = run[len(run)-1] + word[name]
			}
		}
		sign := []string{"==", "!=", "<", "<=", ">", ">="}[r.Intn(6)]
		right, others := "b", values(word["b"])
		if r.Intn(2) == 0 {
			n := r.Intn(20)
			right, others = fmt.Sprint(n), []int{n}
		}
		can := map[bool]bool{}
		for _, x := range values(word["a"]) {
			for _, y := range others {
				can[Compare(x, sign, y)] = true
			}
		}
		want := circuit.ValueOf(can[true])
		if can[true] && can[false] {
			want = circuit.X
		}
		n := Names{Signal: func(name string) (circuit.Lit, bool) { l, ok := bits[name]; return l, ok }, Steps: 1}
		e, err := n.Condition("a " + sign + " " + right)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Eval(run, 0); got != want {
			t.Fatalf("%v: a %s %s is %s, want %s", word, sign, right, got, want)
		}
	}
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
	for _, seed := range []string{"a & !b", "prev(count[0]) == `odd name`@2", "step >= 2 -> x", "a->b->(c|0)", "\"", "n-1", "pi<3>", "changed(rose(a))", "ä@", "a\xff"} {
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
		} else if e.op != opStep {
			again, err := n.Parse("(" + text + ")")
			if err != nil && len(text) < maxExprLength-2 && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("%q is read, but not in parentheses: %v", text, err)
			}
			for step := -1; err == nil && step <= 4; step++ {
				if a, b := e.Eval(example1, step), again.Eval(example1, step); a != b {
					t.Fatalf("%q is %s, in parentheses %s", text, a, b)
				}
			}
		}
		if text == "" || strings.Contains(text, "`") && strings.Contains(text, `"`) || len(text) > maxExprLength-2 {
			return
		}
		called := Names{Signal: func(name string) (circuit.Lit, bool) { return 8, name == text }, Steps: 4}
		if e, err := called.Parse(Quote(text)); err != nil || e.op != opSignal || e.lit != 8 {
			t.Fatalf("the name %q, quoted %s, is read as %+v, %v", text, Quote(text), e, err)
		}
	})
}
