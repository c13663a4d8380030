package blif

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/wordline"
)

// Names are the names of the elements of a circuit, by position. Where a list
// is short or holds "" a name is made up. What BLIF cannot write in a name is
// replaced, and a name that stands twice gets a number.
type Names struct {
	Model                                                          string
	Inputs, Latches, Outputs, Bads, Constraints, Justice, Fairness []string
	Lemmas, Covers                                                 []string
	// Asserts says, by bad, that its name is that of the net which must always
	// be 1, the negation of the bad.
	Asserts []bool
	// BadOutputs are the outputs that are properties, by position. Without a
	// comment that says so the rules of BLIF would choose others.
	BadOutputs []int
	// Words are those that lines of a comment make.
	Words []NamedWord
	// Hidden says, by output, that it is not written: it only showed a property.
	Hidden []bool
}

// NamedWord is a word with the literals of its bits, in their order; of one that is missing they
// say nothing.
type NamedWord struct {
	wordline.Line
	Lits []circuit.Lit
}

// errResetFunction is returned for a latch that starts with the value of
// another signal, which BLIF cannot say.
var errResetFunction = errors.New("the reset of a latch is a function, and BLIF knows only 0, 1 and unknown; with --constant-resets convert adds a latch for the first step instead")

// Write writes a circuit as one model, in the part of BLIF that every reader
// takes: comments on their own lines, lines folded by " \", latches with just an
// initial value (2 where it is free), one row per AND.
//
// Bads are outputs besides, so that tools that know no properties see them; "# prop:
// shown" marks those that are nothing else. What every property is stands in "# prop:"
// comments, too.
//
// The result lists the names that could not be kept.
func Write(w io.Writer, c *circuit.Circuit, names Names) ([]Renamed, error) {
	if c.HasResetFunctions() {
		return nil, errResetFunction
	}
	x := newWriter(w, c, names)
	x.name(names)
	x.head(names)
	x.latches()
	for v := circuit.Var(1); int(v) < c.NumVars(); v++ {
		if left, right, ok := c.Operands(v); ok {
			x.printf(".names %s %s %s\n%c%c 1\n", x.signals[left.Var()], x.signals[right.Var()], x.signals[v], phase(left), phase(right))
		}
	}
	for _, b := range x.buffers {
		x.buffer(b)
	}
	x.printf(".end\n")
	return x.renamed, x.w.Flush()
}

// Respelled returns the names that a circuit has once Write has written it and it is read
// again: those that are not kept, and those that are made up, among them.
func Respelled(c *circuit.Circuit, names Names) Names {
	x := newWriter(io.Discard, c, names)
	x.nameElements(names)
	again := x.properties
	again.Outputs, again.Hidden, again.Asserts = x.outputs[:len(c.Outputs())], names.Hidden, names.Asserts
	for _, in := range c.Inputs() {
		again.Inputs = append(again.Inputs, x.signals[in.Lit.Var()])
	}
	for _, l := range c.Latches() {
		again.Latches = append(again.Latches, x.signals[l.Lit.Var()])
	}
	return again
}

// Renamed is a name that BLIF has no place for, with the one that is written instead.
type Renamed struct{ From, To string }

// writer writes one model.
type writer struct {
	w       *bufio.Writer
	c       *circuit.Circuit
	taken   map[string]bool
	isWord  map[string]bool // by name
	signals []string        // by variable
	buffers []buffer
	named   map[string]circuit.Lit // what the buffers are
	passed  map[circuit.Lit]string // the outputs that stand for inputs
	next    []string               // by latch
	outputs []string
	pragmas []string
	renamed []Renamed
	// properties has the names of properties as a reader finds them.
	properties Names
}

func newWriter(w io.Writer, c *circuit.Circuit, names Names) *writer {
	x := &writer{w: bufio.NewWriter(w), c: c, taken: map[string]bool{}, isWord: map[string]bool{}, named: map[string]circuit.Lit{}, signals: make([]string, c.NumVars())}
	for _, w := range names.Words {
		x.isWord[w.Name.Text] = true
	}
	return x
}

// buffer is a signal that is a literal under another name.
type buffer struct {
	name string
	lit  circuit.Lit
}

func (x *writer) printf(format string, args ...any) { fmt.Fprintf(x.w, format, args...) }

func phase(l circuit.Lit) byte {
	if l.IsNegated() {
		return '0'
	}
	return '1'
}

// fresh returns a name that is not taken, like the one wanted, and takes it. One that is made up is not that
// of a word, which would be none then.
func (x *writer) fresh(wanted, otherwise string) (name string) {
	defer func() {
		if wanted != "" && name != wanted {
			x.renamed = append(x.renamed, Renamed{wanted, name})
		}
	}()
	if name = Writable(wanted); name == "" {
		name = otherwise
	}
	for i, base := 2, name; x.taken[name] || wanted == "" && x.isWord[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	x.taken[name] = true
	return name
}

// Writable replaces what no name can hold: white space, '#', '=', a '.' in
// front and a '\' at the end.
func Writable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7F || r == '#' || r == '=' {
			return '_'
		}
		return r
	}, name)
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, `"`) {
		name = "_" + name[1:]
	}
	if strings.HasSuffix(name, `\`) {
		name = name[:len(name)-1] + "_"
	}
	return name
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// name chooses the names of all signals.
func (x *writer) name(names Names) {
	x.nameElements(names)
	for v := circuit.Var(1); int(v) < x.c.NumVars(); v++ {
		if _, _, ok := x.c.Operands(v); ok {
			x.signals[v] = x.fresh("", fmt.Sprintf("n%d", v))
		}
	}
	for _, l := range x.c.Latches() {
		next := x.signals[l.Next.Var()]
		if next == "" || l.Next.IsNegated() {
			next = x.role(l.Next, "", x.signals[l.Lit.Var()]+"_next")
		}
		x.next = append(x.next, next)
	}
	x.words(names.Words)
}

// words writes words, after all signals have names. A word without bits, with a name that cannot be written, or
// that of one before, is left out.
func (x *writer) words(all []NamedWord) {
	known := map[string]bool{}
	for _, w := range all {
		isEmpty := !slices.ContainsFunc(w.Bits, func(b wordline.Bit) bool { return !b.IsMissing })
		if _, ok := wordline.Spell(w.Name.Text); isEmpty || !ok || known[w.Name.Text] {
			continue
		}
		known[w.Name.Text] = true
		bits := make([]string, len(w.Bits))
		seen := map[circuit.Var]bool{}
		for i, b := range w.Bits {
			if bits[i] = wordline.Missing; !b.IsMissing {
				bits[i] = x.bit(len(w.Bits)-1-i, w.Lits[i], seen[w.Lits[i].Var()])
				seen[w.Lits[i].Var()] = true
			}
		}
		if line, ok := w.Write(bits); ok {
			x.pragmas = append(x.pragmas, "# "+line+"\n")
		}
	}
}

// bit returns how a line names a bit of a word. A constant, a signal that is a bit already and one with a name that
// cannot be written get a signal of their own.
func (x *writer) bit(index int, l circuit.Lit, isBit bool) string {
	if signal := x.signals[l.Var()]; signal != "" && !isBit {
		if spelled, ok := wordline.SpellBit(signal, l.IsNegated()); ok {
			return spelled
		}
	}
	name := x.fresh("", fmt.Sprintf("word%d_%d", len(x.pragmas), index))
	x.buffers = append(x.buffers, buffer{name, l})
	return name
}

// nameElements chooses the names of all signals but gates.
func (x *writer) nameElements(names Names) {
	for i, in := range x.c.Inputs() {
		x.signals[in.Lit.Var()] = x.port(at(names.Inputs, i), func(wanted string) string { return x.fresh(wanted, fmt.Sprintf("i%d", i)) })
	}
	for i, l := range x.c.Latches() {
		x.signals[l.Lit.Var()] = x.fresh(at(names.Latches, i), fmt.Sprintf("l%d", i))
	}
	outputs := map[string]bool{}
	for i, o := range x.c.Outputs() {
		if i < len(names.Hidden) && names.Hidden[i] {
			x.outputs = append(x.outputs, "")
			continue
		}
		name := x.output(o.Lit, at(names.Outputs, i), fmt.Sprintf("o%d", i))
		if outputs[name] { // each output of the circuit is one of the model
			name = x.port(at(names.Outputs, i), func(wanted string) string { return x.fresh(wanted, fmt.Sprintf("o%d", i)) })
			x.buffers = append(x.buffers, buffer{name, o.Lit})
		}
		outputs[name] = true
		x.outputs = append(x.outputs, name)
	}
	for i, b := range x.c.Bads() {
		x.bad(i, b.Lit, at(names.Bads, i), i < len(names.Asserts) && names.Asserts[i])
	}
	x.shown(outputs)
	for _, i := range names.BadOutputs {
		x.labelled("bad", x.outputs[i], at(names.Outputs, i))
	}
	for i, c := range x.c.Constraints() {
		x.pragma("assume", x.role(c.Lit, at(names.Constraints, i), fmt.Sprintf("c%d", i)))
	}
	for i, j := range x.c.Justice() {
		lits := j.Lits
		if len(lits) == 0 { // BLIF wants a signal: one that is always 1 demands nothing, either
			lits = []circuit.Lit{circuit.True}
		}
		var signals []string
		for k, l := range lits {
			signals = append(signals, x.role(l, "", fmt.Sprintf("j%d_%d", i, k)))
		}
		label := ""
		if name := at(names.Justice, i); name != "" {
			label = fmt.Sprintf(" %q", name)
		}
		x.properties.Justice = append(x.properties.Justice, at(names.Justice, i))
		x.pragma("justice", strings.Join(signals, " ")+label)
	}
	for i, f := range x.c.Fairness() {
		signal := x.role(f.Lit, at(names.Fairness, i), fmt.Sprintf("f%d", i))
		x.properties.Fairness = append(x.properties.Fairness, signal)
		x.pragma("fair", signal)
	}
	x.aside(names)
}

// aside writes lemmas and covers, which are not outputs: no reader takes them for properties.
func (x *writer) aside(names Names) {
	for i, s := range x.c.Lemmas() {
		name := at(names.Lemmas, i)
		x.properties.Lemmas = append(x.properties.Lemmas, x.labelled("lemma", x.role(s.Lit, name, fmt.Sprintf("lemma%d", i)), name))
	}
	for i, s := range x.c.Covers() {
		name := at(names.Covers, i)
		x.properties.Covers = append(x.properties.Covers, x.labelled("cover", x.role(s.Lit, name, fmt.Sprintf("cover%d", i)), name))
	}
}

// shown marks the outputs that are none of the circuit.
func (x *writer) shown(outputs map[string]bool) {
	for _, name := range distinct(x.outputs) {
		if !outputs[name] {
			x.pragma("shown", name)
		}
	}
}

// bad writes a bad, which is an output besides.
func (x *writer) bad(i int, l circuit.Lit, name string, isAssert bool) {
	otherwise := fmt.Sprintf("b%d", i)
	if !isAssert {
		signal := x.output(l, name, otherwise)
		x.outputs = append(x.outputs, signal)
		x.properties.Bads = append(x.properties.Bads, x.labelled("bad", signal, name))
		return
	}
	x.properties.Bads = append(x.properties.Bads, x.labelled("assert", x.role(l.Not(), name, "not_"+otherwise), name))
	x.outputs = append(x.outputs, x.output(l, "not_"+name, otherwise))
}

// port has name choose the name of a port. Yosys takes a port whose name begins with '$'
// for another signal than the one of that name in the model.
func (x *writer) port(wanted string, name func(wanted string) string) string {
	rest, isPrivate := strings.CutPrefix(wanted, "$")
	if !isPrivate {
		return name(wanted)
	}
	before := len(x.renamed)
	chosen := name("_" + rest)
	x.renamed = append(x.renamed[:before], Renamed{wanted, chosen})
	return chosen
}

// output is role for what stands among the outputs.
func (x *writer) output(l circuit.Lit, wanted, otherwise string) string {
	return x.port(wanted, func(wanted string) string { return x.publicOutput(l, wanted, otherwise) })
}

// publicOutput is output for a name that a port may have. No input may stand among the
// outputs, for ABC ends at an output that is an input, so a buffer under another name
// stands for it.
func (x *writer) publicOutput(l circuit.Lit, wanted, otherwise string) string {
	if x.c.Kind(l.Var()) != circuit.KindInput || x.signals[l.Var()] != Writable(wanted) {
		return x.role(l, wanted, otherwise)
	}
	if same, ok := x.passed[l]; ok {
		return same
	}
	name := x.fresh(wanted, otherwise)
	x.buffers = append(x.buffers, buffer{name, l})
	if x.passed == nil {
		x.passed = map[circuit.Lit]string{}
	}
	x.passed[l] = name
	return name
}

// role returns a signal of its own for a literal. An element that bears the
// name of the input, latch or other element that it is needs none.
func (x *writer) role(l circuit.Lit, wanted, otherwise string) string {
	if signal := x.signals[l.Var()]; signal != "" && !l.IsNegated() && signal == Writable(wanted) {
		return signal
	}
	if same, ok := x.named[Writable(wanted)]; ok && same == l {
		return Writable(wanted)
	}
	name := x.fresh(wanted, otherwise)
	x.buffers = append(x.buffers, buffer{name, l})
	x.named[name] = l
	return name
}

// labelled adds a property with its name, where the signal could not have it, and returns
// the name that it has now.
func (x *writer) labelled(kind, signal, name string) (kept string) {
	kept = signal
	if name != "" && name != signal && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		signal += ` "` + name + `"`
		kept = name
	}
	x.pragma(kind, signal)
	return kept
}

func (x *writer) pragma(kind, signals string) {
	x.pragmas = append(x.pragmas, "# prop: "+kind+" "+signals+"\n")
}

// head writes the ports and the properties.
func (x *writer) head(names Names) {
	model := Writable(names.Model)
	if model == "" {
		model = "circuit"
	}
	x.printf(".model %s\n", model)
	var inputs []string
	for _, in := range x.c.Inputs() {
		inputs = append(inputs, x.signals[in.Lit.Var()])
	}
	x.list(".inputs", inputs)
	x.list(".outputs", distinct(x.outputs))
	for _, p := range x.pragmas {
		x.printf("%s", p)
	}
}

// distinct leaves out names that have stood before, and "".
func distinct(names []string) []string {
	seen := map[string]bool{"": true}
	var all []string
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	return all
}

// LineLength is where lists are folded.
const LineLength = 80

func (x *writer) list(directive string, names []string) {
	x.printf("%s", directive)
	column := len(directive)
	for _, n := range names {
		if column+1+len(n) > LineLength-2 && column > 1 {
			x.printf(" \\\n")
			column = 0
		}
		x.printf(" %s", n)
		column += 1 + len(n)
	}
	x.printf("\n")
}

func (x *writer) latches() {
	for i, l := range x.c.Latches() {
		init := '0'
		switch {
		case l.Reset == circuit.True:
			init = '1'
		case l.IsFree():
			init = '2'
		}
		x.printf(".latch %s %s %c\n", x.next[i], x.signals[l.Lit.Var()], init)
	}
}

func (x *writer) buffer(b buffer) {
	switch b.lit {
	case circuit.False:
		x.printf(".names %s\n0\n", b.name)
	case circuit.True:
		x.printf(".names %s\n1\n", b.name)
	default:
		x.printf(".names %s %s\n%c 1\n", x.signals[b.lit.Var()], b.name, phase(b.lit))
	}
}
