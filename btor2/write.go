package btor2

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
)

// Names are what the elements of a circuit are called where it is written. Lists may be shorter than those of the circuit.
type Names struct {
	Inputs, Latches, Outputs, Bads, Constraints, Justice, Fairness, Lemmas, Covers []string
	BadOutputs                                                                     []int  // the outputs that are properties: each is written as a bad
	Hidden                                                                         []bool // by output: it is not written
	Words                                                                          []NamedWord
}

// NamedWord is a word with its bits, the least significant first.
type NamedWord struct {
	Name string
	Bits []circuit.Lit
}

// Renamed is a name that is written differently.
type Renamed struct{ From, To string }

var errResetFunction = errors.New("the reset of a latch is a function, which a circuit does not say in an order that BTOR2 allows; with --constant-resets convert adds a latch for the first step instead")

// Write writes a circuit as rows: words of inputs and of latches that start alike as inputs and states of so many bits, other
// words as concatenations with their names, everything else bit by bit. Negated operands are used between operators alone,
// since older versions of btorsim ignore them elsewhere. Lemmas and covers are lines of comments. It returns the names that are written differently: a symbol is one
// word, and that of one row.
func Write(out io.Writer, c *circuit.Circuit, n Names) ([]Renamed, error) {
	w := newWriter(c, n)
	for _, l := range c.Latches() {
		if l.Reset.Var() != 0 && l.Reset != l.Lit {
			return nil, errResetFunction
		}
	}
	w.elements()
	for v := range circuit.Var(c.NumVars()) {
		if left, right, ok := c.Operands(v); ok {
			w.rows[v] = w.row("and", 1, "", w.lit(left), w.lit(right))
		}
	}
	w.namedWords()
	for _, s := range w.states {
		w.row("next", len(s.bits), "", s.row, w.word(nextOf(c, s.bits), ""))
	}
	w.asked()
	w.asides()
	if w.last == 0 { // a file has a row
		w.sort(1)
	}
	_, err := out.Write(w.text)
	return w.renamed, err
}

// Respelled returns the names that a circuit has once Write has written it and it is read again: those that are not kept, and
// those of bits of words, among them.
func Respelled(c *circuit.Circuit, n Names) Names {
	w := newWriter(c, n)
	w.elements()
	for v := range w.rows { // gates have no names
		w.rows[v] = max(w.rows[v], 1)
	}
	w.namedWords()
	w.asked()
	w.again.BadOutputs, w.again.Hidden = n.BadOutputs, n.Hidden
	return w.again
}

func newWriter(c *circuit.Circuit, n Names) *writer {
	return &writer{
		c: c, n: n, sorts: map[int]int{}, rows: make([]int, c.NumVars()), not: map[int]int{}, taken: map[string]int{},
		whole: map[circuit.Var]int{}, again: Names{
			Inputs: make([]string, len(c.Inputs())), Latches: make([]string, len(c.Latches())), Outputs: make([]string, len(c.Outputs())),
			Bads: make([]string, len(c.Bads())), Constraints: make([]string, len(c.Constraints())), Justice: make([]string, len(c.Justice())),
			Fairness: make([]string, len(c.Fairness())),
		},
	}
}

// state is a row of a state with its latches.
type state struct {
	row  int
	bits []circuit.Lit
}

type writer struct {
	c       *circuit.Circuit
	n       Names
	text    []byte
	last    int            // the number of the last row
	sorts   map[int]int    // by width
	rows    []int          // by variable; 0 for none yet
	not     map[int]int    // the negation of a row
	taken   map[string]int // by symbol that a row has: the number that makes another one of it, if that is free
	named   string         // the symbol of the last row
	again   Names          // as a reader finds them
	renamed []Renamed
	words   []state             // rows of inputs and states of several bits
	whole   map[circuit.Var]int // by variable of a bit: its place among words
	states  []state
	isWord  []bool // by word of the names: it is an input or a state
}

// row appends a row, with a sort where the width is not 0, and returns its number. The symbol is a name of the file.
func (w *writer) row(tag string, width int, name string, args ...int) int {
	sort := 0
	if width > 0 {
		sort = w.sort(width)
	}
	w.last++
	w.text = fmt.Appendf(w.text, "%d %s", w.last, tag)
	if sort > 0 {
		w.text = fmt.Appendf(w.text, " %d", sort)
	}
	for _, a := range args {
		w.text = fmt.Appendf(w.text, " %d", a)
	}
	if w.named = w.symbol(name); w.named != "" {
		w.text = append(append(w.text, ' '), w.named...)
	}
	w.text = append(w.text, '\n')
	return w.last
}

func (w *writer) sort(width int) int {
	if w.sorts[width] == 0 {
		w.last++
		w.text = fmt.Appendf(w.text, "%d sort bitvec %d\n", w.last, width)
		w.sorts[width] = w.last
	}
	return w.sorts[width]
}

// symbol returns a name as a symbol that no row has yet.
func (w *writer) symbol(name string) string {
	if name == "" {
		return ""
	}
	base := strings.Map(func(r rune) rune {
		if r <= ' ' || r == ';' || r == 0x7f {
			return '_'
		}
		return r
	}, name)
	if strings.Trim(base, "-0123456789") == "" { // it would look like an operand
		base = "_" + base
	}
	s := base
	for w.taken[s] > 0 {
		s = fmt.Sprintf("%s_%d", base, w.taken[base])
		w.taken[base]++
	}
	w.taken[s] = 2
	if s != name {
		w.renamed = append(w.renamed, Renamed{name, s})
	}
	return s
}

// constant returns the row of a number of 0 and 1, the most significant bit first.
func (w *writer) constant(bits string) int {
	switch strings.TrimLeft(bits, "0") {
	case "":
		return w.row("zero", len(bits), "")
	case "1":
		return w.row("one", len(bits), "")
	}
	sort := w.sort(len(bits))
	w.last++
	w.text = fmt.Appendf(w.text, "%d const %d %s\n", w.last, sort, bits)
	return w.last
}

// lit returns a literal as an operand: negative where it is negated.
func (w *writer) lit(l circuit.Lit) int {
	row := w.rows[l.Var()]
	if row == 0 { // the constant
		row = w.constant("0")
		w.rows[l.Var()] = row
	}
	if l.IsNegated() {
		return -row
	}
	return row
}

// plain returns a literal as a row.
func (w *writer) plain(l circuit.Lit) int {
	row := w.lit(l)
	if row > 0 {
		return row
	}
	if w.not[row] == 0 {
		w.not[row] = w.row("not", 1, "", -row)
	}
	return w.not[row]
}

// word returns the row of some bits, the least significant first: the one that they are, or a concatenation, which
// gets the name.
func (w *writer) word(bits []circuit.Lit, name string) int {
	if in, ok := w.whole[bits[0].Var()]; ok && len(bits) > 1 && slices.Equal(w.words[in].bits, bits) {
		row := w.words[in].row
		if name != "" {
			row = w.row("uext", len(bits), name, row, 0)
		}
		return row
	}
	if len(bits) == 1 {
		return w.plain(bits[0])
	}
	half := len(bits) / 2
	high, low := w.half(bits[half:]), w.half(bits[:half])
	return w.row("concat", len(bits), name, high, low)
}

// half returns a part of a word as an operand.
func (w *writer) half(bits []circuit.Lit) int {
	if len(bits) == 1 {
		return w.lit(bits[0])
	}
	return w.word(bits, "")
}

func nextOf(c *circuit.Circuit, bits []circuit.Lit) []circuit.Lit {
	next := make([]circuit.Lit, len(bits))
	for i, l := range bits {
		next[i] = c.Latches()[c.LatchIndex(l.Var())].Next
	}
	return next
}

// elements writes inputs and states, each word where its first bit stands.
func (w *writer) elements() {
	wordOf := map[circuit.Var]int{} // of the names
	w.isWord = make([]bool, len(w.n.Words))
	for i, word := range w.n.Words {
		if w.isWord[i] = w.isElement(word, wordOf); w.isWord[i] {
			for _, l := range word.Bits {
				wordOf[l.Var()] = i
			}
		}
	}
	for i, in := range w.c.Inputs() {
		v := in.Lit.Var()
		word, ok := wordOf[v]
		switch {
		case w.rows[v] != 0:
		case ok:
			bits := w.n.Words[word].Bits
			row := w.row("input", len(bits), w.n.Words[word].Name)
			for j, l := range bits {
				w.again.Inputs[w.c.InputIndex(l.Var())] = bitName(w.named, j)
			}
			w.bitsOf(row, bits)
		default:
			w.rows[v] = w.row("input", 1, at(w.n.Inputs, i))
			w.again.Inputs[i] = w.named
		}
	}
	for i, l := range w.c.Latches() {
		v := l.Lit.Var()
		word, ok := wordOf[v]
		switch {
		case w.rows[v] != 0:
		case ok:
			bits := w.n.Words[word].Bits
			s := state{w.state(bits, w.n.Words[word].Name), bits}
			w.bitsOf(s.row, bits)
			w.states = append(w.states, s)
		default:
			w.rows[v] = w.state([]circuit.Lit{l.Lit}, at(w.n.Latches, i))
			w.states = append(w.states, state{w.rows[v], []circuit.Lit{l.Lit}})
		}
	}
}

func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// isElement reports whether a word can be one input, or one state: no bit of it is negated, one of another such word or there
// twice, and all latches have a start, or none has.
func (w *writer) isElement(word NamedWord, taken map[circuit.Var]int) bool {
	if len(word.Bits) < 2 {
		return false
	}
	first := word.Bits[0].Var()
	isInput := w.c.InputIndex(first) >= 0
	seen := map[circuit.Var]bool{}
	for _, l := range word.Bits {
		v := l.Var()
		input, latch := w.c.InputIndex(v), w.c.LatchIndex(v)
		_, isTaken := taken[v]
		if l.IsNegated() || seen[v] || isTaken || isInput && input < 0 || !isInput && latch < 0 {
			return false
		}
		if !isInput && w.c.Latches()[latch].IsFree() != w.c.Latches()[w.c.LatchIndex(first)].IsFree() {
			return false
		}
		seen[v] = true
	}
	return true
}

// state writes a state with its start, which stands before it.
func (w *writer) state(bits []circuit.Lit, name string) int {
	value, starts := make([]byte, len(bits)), true
	for i, l := range bits {
		reset := w.c.Latches()[w.c.LatchIndex(l.Var())].Reset
		starts = starts && reset.Var() == 0
		if value[len(bits)-1-i] = '0'; reset == circuit.True {
			value[len(bits)-1-i] = '1'
		}
	}
	start := 0
	if starts {
		start = w.constant(string(value))
	}
	row := w.row("state", len(bits), name)
	for i, l := range bits {
		at := &w.again.Latches[w.c.LatchIndex(l.Var())]
		if *at = w.named; len(bits) > 1 {
			*at = bitName(w.named, i)
		}
	}
	if starts {
		w.row("init", len(bits), "", row, start)
	}
	return row
}

// bitName returns the name that a reader gives to a bit of a word.
func bitName(word string, bit int) string { return fmt.Sprintf("%s[%d]", word, bit) }

// bitsOf gives the bits of a word rows of their own.
func (w *writer) bitsOf(row int, bits []circuit.Lit) {
	for i, l := range bits {
		w.rows[l.Var()] = w.row("slice", 1, "", row, i, i)
		w.whole[l.Var()] = len(w.words)
	}
	w.words = append(w.words, state{row, bits})
}

// namedWords gives names to words that are neither inputs nor states.
func (w *writer) namedWords() {
	for i, word := range w.n.Words {
		if !w.isWord[i] && len(word.Bits) > 1 {
			w.word(word.Bits, word.Name)
		}
	}
}

// asides writes lemmas and covers.
func (w *writer) asides() {
	var lines strings.Builder // after the rows that they need
	for _, list := range []struct {
		op      syntax.Op
		signals []circuit.Signal
		names   []string
	}{{syntax.Lemma, w.c.Lemmas(), w.n.Lemmas}, {syntax.Cover, w.c.Covers(), w.n.Covers}} {
		for i, s := range list.signals {
			lines.WriteString(syntax.WriteAside(list.op, fmt.Sprint(w.lit(s.Lit)), at(list.names, i)))
		}
	}
	w.text = append(w.text, lines.String()...)
}

// asked writes outputs and properties.
func (w *writer) asked() {
	isBad := map[int]bool{}
	for _, i := range w.n.BadOutputs {
		isBad[i] = true
	}
	for i, s := range w.c.Outputs() {
		switch hidden := i < len(w.n.Hidden) && w.n.Hidden[i]; {
		case isBad[i]:
			w.row("bad", 0, at(w.n.Outputs, i), w.plain(s.Lit))
			w.again.Outputs[i] = w.named
		case !hidden:
			w.row("output", 0, at(w.n.Outputs, i), w.plain(s.Lit))
			w.again.Outputs[i] = w.named
		}
	}
	for _, list := range []struct {
		tag     string
		signals []circuit.Signal
		names   []string
		again   []string
	}{
		{"bad", w.c.Bads(), w.n.Bads, w.again.Bads}, {"constraint", w.c.Constraints(), w.n.Constraints, w.again.Constraints},
		{"fair", w.c.Fairness(), w.n.Fairness, w.again.Fairness},
	} {
		for i, s := range list.signals {
			w.row(list.tag, 0, at(list.names, i), w.plain(s.Lit))
			list.again[i] = w.named
		}
	}
	for i, j := range w.c.Justice() {
		args := []int{len(j.Lits)}
		for _, l := range j.Lits {
			args = append(args, w.plain(l))
		}
		w.row("justice", 0, at(w.n.Justice, i), args...)
		w.again.Justice[i] = w.named
	}
}
