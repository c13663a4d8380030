package words_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/design/words"
)

func open(t *testing.T, name, text string) *design.Design {
	t.Helper()
	d, err := formats.All().Open(t.Context(), name, []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wordsOf(t *testing.T, d *design.Design) *words.Words {
	t.Helper()
	w, err := words.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// latches returns an AIGER text with latches of some names.
func latches(names ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 0 %d 0 0\n", len(names), len(names))
	for i := range names {
		fmt.Fprintf(&b, "%d %d\n", 2*i+2, 2*i+2)
	}
	for i, name := range names {
		fmt.Fprintf(&b, "l%d %s\n", i, name)
	}
	return b.String()
}

// described writes words as name[high:low], with a - for each bit that is missing.
func described(w *words.Words) string {
	var all []string
	for _, word := range w.All() {
		s := fmt.Sprintf("%s[%d:%d]", word.Name, word.Index(len(word.Bits)-1), word.Low)
		for _, b := range word.Bits {
			if b.Missing {
				s += "-"
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestWordsOfNames(t *testing.T) {
	for names, want := range map[string]string{
		"q[0] q[1] q[2]":                "q[2:0]",
		"q[2] q[0] q[1]":                "q[2:0]",
		"q<4> q<5>":                     "q[5:4]",
		"q(0) q(1)":                     "q[1:0]",
		"q_0_ q_1_":                     "q[1:0]",
		"q.0 q.1":                       "q[1:0]",
		"q0 q1 q2":                      "q[2:0]",
		"q0 q1":                         "",
		"q0 q1 q2 q5":                   "q[5:0]--",
		"q0 q2 q4 q6":                   "",
		"q[7] q[4]":                     "q[7:4]--",
		"q[0]":                          "",
		"q[00] q[01]":                   "",
		"q[0] q[0] q[1]":                "", // which one is bit 0?
		"q[0] q[99999999]":              "",
		"m[0][0] m[0][1] m[1][0]":       "m[0][1:0]",
		"[0] [1]":                       "",
		"u.q[0] u.q[1] v.q[0] v.q[1]":   "u.q[1:0] v.q[1:0]",
		"$0\\q[0] $0\\q[1]":             "",
		"12 13 14":                      "",
		"q[-1] q[0] q[1]":               "q[1:0]",
		"q[18446744073709551616] q[01]": "",
	} {
		if got := described(wordsOf(t, open(t, "x.aag", latches(strings.Fields(names)...)))); got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

func TestWordsOfBLIF(t *testing.T) {
	const text = `.model top
.inputs a[0] a[1]
.outputs y[0] y[1]
.subckt part x[0]=a[0] x[1]=a[1] z[0]=y[0] z[1]=y[1]
.end
.model part
.inputs x[0] x[1]
.outputs z[0] z[1]
.names x[0] z[0]
0 1
.names x[1] n1
1 1
.names x[0] x[1] n2
11 1
.names n1 n2 z[1]
1- 1
-1 1
.end
`
	w := wordsOf(t, open(t, "x.blif", text))
	if got, want := described(w), "a[1:0] y[1:0] y[0]/x[1:0] y[0]/z[1:0]"; sorted(got) != sorted(want) {
		t.Errorf("%s, want %s", got, want)
	}
	word, ok := w.Named("y[0]/z")
	if !ok || !slices.Equal(word.Path, []string{"y[0]"}) || word.Local != "z" {
		t.Errorf("%+v", word)
	}
}

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestWordForms(t *testing.T) {
	text := latches("a[0]", "a[1]", "b0", "b1", "b2")
	d := open(t, "x.aag", text)
	without := d.WithOptions(d.Options().WithoutWords(design.WordDigits))
	if got := described(wordsOf(t, without)); got != "a[1:0]" {
		t.Error(got)
	}
	if got := described(wordsOf(t, d)); got != "a[1:0] b[2:0]" {
		t.Error(got)
	}
}

// TestRandomWords makes words at random and looks for them by the names of their bits.
func TestRandomWords(t *testing.T) {
	forms := []string{"[%d]", "<%d>", "(%d)", "_%d_", ".%d", "%d"}
	for seed := range int64(10_000) {
		r := rand.New(rand.NewSource(seed))
		var names []string
		want := map[string]map[int]string{} // by word and index: the name of the latch
		for k := range 1 + r.Intn(5) {
			base := fmt.Sprintf("%s%c", []string{"", "u.", "top.u1."}[r.Intn(3)], 'a'+k)
			form := forms[r.Intn(len(forms))]
			low := r.Intn(4)
			bits := map[int]string{}
			for i := range 3 + r.Intn(6) {
				if i >= 3 && r.Intn(4) == 0 {
					continue // a gap
				}
				bits[low+i] = base + fmt.Sprintf(form, low+i)
			}
			names = slices.AppendSeq(names, maps.Values(bits))
			want[base] = bits
		}
		for i := range r.Intn(4) {
			names = append(names, fmt.Sprintf("single%c", 'a'+i))
		}
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		d := open(t, "x.aag", latches(names...))
		w := wordsOf(t, d)
		if len(w.All()) != len(want) {
			t.Fatalf("seed %d: %s of %q", seed, described(w), names)
		}
		for base, bits := range want {
			word, ok := w.Named(base)
			if !ok {
				t.Fatalf("seed %d: no word %s in %s", seed, base, described(w))
			}
			for i, b := range word.Bits {
				name, has := bits[word.Index(i)]
				if has == b.Missing || has && names[d.Circuit().LatchIndex(b.Lit.Var())] != name {
					t.Fatalf("seed %d: bit %d of %s is %v", seed, word.Index(i), base, b)
				}
				if place, found := w.At(b.Lit); has && (!found || place.Word != word || place.Position != i || place.Negated) {
					t.Fatalf("seed %d: %v is at %v", seed, b.Lit, place)
				}
			}
		}
	}
}

func TestFind(t *testing.T) {
	var names []string
	for _, word := range []string{"u1.fifo.head", "u2.fifo.head", "u1.fifo.tail", "head", "u1.count"} {
		names = append(names, word+"[0]", word+"[1]")
	}
	w := wordsOf(t, open(t, "x.aag", latches(names...)))
	for name, want := range map[string]string{
		"u1.fifo.head": "u1.fifo.head", "u1/fifo.head": "u1.fifo.head", "fifo.head": "u1.fifo.head u2.fifo.head", "u2/head": "", "head": "head",
		"tail": "u1.fifo.tail", "fifo/tail": "u1.fifo.tail", "o.tail": "", "count": "u1.count", "u2.count": "", "": "", "/": "",
	} {
		var found []string
		for _, word := range w.Find(name) {
			found = append(found, word.Name)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q may be %q, want %q", name, got, want)
		}
	}
	d := open(t, "x.blif", ".model top\n.inputs a[0] a[1]\n.outputs a[0] a[1]\n.end\n")
	if found := wordsOf(t, d).Find("top.a"); len(found) != 1 || found[0].Name != "a" {
		t.Errorf("top.a may be %v", found)
	}
}

func TestPart(t *testing.T) {
	rises, falls := word(4), word(4)
	rises.Low, falls.Low, falls.Falls, falls.Signed = 2, 3, true, true
	for i := range 4 {
		rises.Bits[i].Lit, falls.Bits[i].Lit = circuit.Lit(2*i+2), circuit.Lit(2*i+2)
	}
	for _, test := range []struct {
		word      *design.Word
		high, low int
		want      string
	}{
		{rises, 5, 2, "[2 4 6 8]"}, {rises, 4, 3, "[4 6]"}, {rises, 3, 3, "[4]"}, {rises, 3, 4, ""}, {rises, 6, 3, ""}, {rises, 3, 1, ""},
		{falls, 0, 3, "[2 4 6 8]"}, {falls, 1, 2, "[4 6]"}, {falls, 2, 1, ""}, {falls, 0, 4, ""},
	} {
		got := ""
		if part, ok := words.Part(test.word, test.high, test.low); ok {
			var lits []circuit.Lit
			for _, b := range part.Bits {
				lits = append(lits, b.Lit)
			}
			got = fmt.Sprint(lits)
			if part.Signed || part.Low != test.low || part.Index(len(part.Bits)-1) != test.high {
				t.Errorf("%+v", part)
			}
		}
		if got != test.want {
			t.Errorf("[%d:%d] is %s, want %s", test.high, test.low, got, test.want)
		}
	}
}

func word(width int) *design.Word {
	return &design.Word{Name: "q", Local: "q", Bits: make([]design.Bit, width)}
}

func TestValues(t *testing.T) {
	signed := word(4)
	signed.Signed = true
	named := word(2)
	named.Values = []design.NamedValue{{Name: "idle", Value: bits("00")}, {Name: "wait", Value: bits("01")}}
	hexadecimal := word(6)
	hexadecimal.Radix = design.Hexadecimal
	gap := word(3)
	gap.Bits[1].Missing = true
	for _, test := range []struct {
		word        *design.Word
		value, want string
	}{
		{word(4), "1001", "9"}, {word(4), "1x01", "0b1x01"}, {signed, "1001", "-7"}, {signed, "0111", "7"}, {signed, "1000", "-8"},
		{named, "01", "wait"}, {named, "11", "3"}, {named, "x1", "0bx1"}, {hexadecimal, "101111", "0x2f"}, {hexadecimal, "x01111", "0xxf"},
		{gap, "1x0", "0b1-0"}, {gap, "xxx", "x"}, {hexadecimal, "xxxxxx", "x"}, {word(66), strings.Repeat("x", 66), "x"}, {word(1), "1", "1"}, {word(66), strings.Repeat("0", 62) + "1111", "0x0000000000000000f"}, {word(66), strings.Repeat("0", 63) + "1x1", "0x0000000000000000x"},
	} {
		if got := words.Text(test.word, bits(test.value)); got != test.want {
			t.Errorf("%s is %q, want %q", test.value, got, test.want)
		}
	}
	for _, test := range []struct {
		word       *design.Word
		text, want string
	}{
		{word(4), "9", "1001"}, {word(4), "0xA", "1010"}, {word(4), "0b1x", "001x"}, {word(4), "0x0f", "1111"}, {word(8), "0xx1", "xxxx0001"}, {signed, "-8", "1000"}, {signed, "-1", "1111"}, {named, "wait", "01"}, {named, "3", "11"},
		{word(4), "0b1_0", "0010"}, {word(4), "x", "xxxx"}, {named, "X", "xx"},
		{word(4), "16", "16 does not fit q, which has 4 bits: 0 to 15"}, {word(1), "2", "2 does not fit q, which has 1 bit: 0 or 1"}, {signed, "8", "8 does not fit q, which has 4 bits: -8 to 7"}, {word(4), "-1", "-1 does not fit q, which has 4 bits: 0 to 15"},
		{word(4), "0x1f", "0x1f does not fit q, which has 4 bits: 0 to 15"}, {word(4), "", `"" is no value of q: expected a number such as 5, 0x1f or 0b101`},
		{named, "waits", `"waits" is no value of q: expected idle, wait, or a number such as 5, 0x1f or 0b101`}, {word(4), "0b12", `"0b12" is no value of q: expected a number such as 5, 0x1f or 0b101`},
		{word(100), "1267650600228229401496703205376", "1267650600228229401496703205376 does not fit q, which has 100 bits: 0 to 2^100 - 1"},
	} {
		got := ""
		if value, err := words.Parse(test.word, test.text); err != nil {
			got = err.Error()
		} else {
			for _, v := range slices.Backward(value) {
				got += v.String()
			}
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

// bits reads a value from its most significant bit on.
func bits(s string) (value []circuit.Value) {
	for i := len(s) - 1; i >= 0; i-- {
		value = append(value, map[byte]circuit.Value{'0': circuit.Zero, '1': circuit.One, 'x': circuit.X}[s[i]])
	}
	return value
}

// TestValuesBothWays writes values of every kind of word and reads them again.
func TestValuesBothWays(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 5000 {
		w := word(1 + r.Intn(90))
		w.Signed, w.Radix = r.Intn(2) == 0, design.Radix(r.Intn(4))
		n := new(big.Int).Rand(r, new(big.Int).Lsh(big.NewInt(1), uint(len(w.Bits))))
		value := make([]circuit.Value, len(w.Bits))
		for i := range value {
			value[i] = circuit.ValueOf(n.Bit(i) == 1)
		}
		text := words.Text(w, value)
		if again, err := words.Parse(w, text); err != nil || !slices.Equal(again, value) {
			t.Fatalf("%v is %s, which is %v (%v)", value, text, again, err)
		}
	}
}

// TestWordsOfLines reads lines of both formats: an instance has the words of its model, and a
// word of the text comes before those of names.
func TestWordsOfLines(t *testing.T) {
	const aag = `aag 3 0 3 0 0
2 4
4 6
6 2
l0 s0
l1 s1
l2 s2
c
word: state (signed, hex) = s2 !s1 - s0 {idle = 0, wait = 0b1}
word: u.v = s0 s1 s2
`
	d := open(t, "x.aag", aag)
	w := wordsOf(t, d)
	if got := described(w); got != "state[3:0]- u.v[2:0]" {
		t.Error(got)
	}
	state, _ := w.Named("state")
	if state == nil || !state.Signed || state.Radix != design.Hexadecimal || state.Origin != design.FromText || len(state.Values) != 2 ||
		state.Bits[0].Lit != d.Circuit().Latches()[0].Lit || !state.Bits[1].Missing || state.Bits[2].Lit != d.Circuit().Latches()[1].Lit.Not() {
		t.Errorf("%+v", state)
	}
	if v, _ := w.Named("u.v"); v == nil || !slices.Equal(v.Path, []string{"u"}) || v.Local != "v" || v.Bits[2].Lit != d.Circuit().Latches()[0].Lit {
		t.Errorf("%+v", v)
	}
	if p, ok := w.At(d.Circuit().Latches()[1].Lit); !ok || p.Word != state || p.Position != 2 || !p.Negated {
		t.Errorf("%+v", p)
	}
	const blif = `.model top
.inputs go
.outputs y z
.subckt part en=go q=y
.subckt part en=y q=z
.end
.model part
.inputs en
.outputs q
# word: state = s1 !s0 {idle = 1}
.latch n s0 0
.latch s0 s1 0
.names en s1 n
10 1
.names s1 q
1 1
.end
`
	d = open(t, "x.blif", blif)
	w = wordsOf(t, d)
	if got := described(w); got != "y/state[1:0] z/state[1:0]" {
		t.Error(got)
	}
	for i, name := range []string{"y/state", "z/state"} {
		if s, _ := w.Named(name); s == nil || s.Bits[0].Lit != d.Circuit().Latches()[2*i].Lit.Not() || s.Bits[1].Lit != d.Circuit().Latches()[2*i+1].Lit || len(s.Values) != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestPairs: q0 and q1 are not shown as a word, but q means them where it is asked for.
func TestPairs(t *testing.T) {
	w := wordsOf(t, open(t, "x.aag", latches("q0", "q1", "r1", "r2")))
	if got := described(w); got != "" {
		t.Error(got)
	}
	if q := w.Find("q"); len(q) != 1 || len(q[0].Bits) != 2 {
		t.Errorf("%+v", q)
	}
	if len(w.Find("r")) > 0 {
		t.Error("r1 and r2 do not begin at 0")
	}
}

// TestScopes splits names, those of words of a map as all others: a point before a number is none
// between scopes.
func TestScopes(t *testing.T) {
	d := open(t, "x.aag", latches("q"))
	for name, want := range map[string]string{
		"q": "q", "u.q": "u q", "u.v.q": "u v q", "q.3": "q.3", "u.q.3": "u q.3", "u.q.3.4": "u q.3.4", "u.3.q": "u 3 q", "3": "3", "3.4": "3.4", "u..q": "u..q", "$and.q": "$and.q",
	} {
		path, local := words.Scopes(d, name)
		if got := strings.Join(append(path, local), " "); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestInEach: the radix of the reader comes first, and nothing is written twice.
func TestInEach(t *testing.T) {
	of := func(width int, bits int64) (*design.Word, []circuit.Value) {
		w := &design.Word{Bits: make([]design.Bit, width)}
		return w, words.ValueOf(w, big.NewInt(bits))
	}
	for _, test := range []struct {
		width int
		bits  int64
		radix design.Radix
		want  string
	}{
		{4, 11, design.DefaultRadix, "11 0xb 0b1011 -5"},
		{4, 3, design.Binary, "0b0011 3 0x3"},
		{4, 11, design.SignedDecimal, "-5 11 0xb 0b1011"},
		{80, 11, design.DefaultRadix, "0x0000000000000000000b"},
	} {
		w, value := of(test.width, test.bits)
		if got := strings.Join(words.InEach(test.radix, w, value), " "); got != test.want {
			t.Errorf("%d of %d bits: %s, want %s", test.bits, test.width, got, test.want)
		}
	}
	w, value := of(4, 3)
	value[0] = circuit.X
	if got := words.InEach(design.Hexadecimal, w, value); len(got) != 1 || got[0] != "0b001x" {
		t.Errorf("%q", got)
	}
}
