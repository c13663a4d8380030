package design

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"aiglens/circuit"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// Word is a vector of signals that people read as one value.
type Word struct {
	// Name is what the text calls it, with its instances and without an index:
	// "u1/fifo.head".
	Name  string
	Path  []string // the scopes around it, outermost first: "u1", "fifo"
	Local string   // its name there: "head"
	// Low is the index of the least significant bit. Those of the others rise from it, and
	// fall from it in a word that is declared as [0:3].
	Low   int
	Falls bool
	Bits  []Bit // from the least significant on
	// Signed says that the value is in two's complement, Radix how it is written.
	Signed bool
	Radix  Radix
	// Values are the names given to values.
	Values []NamedValue
	Origin WordOrigin
	Span   source.Span // what of the text says that it is a word; empty where nothing does
}

// Bit is a signal of a word.
type Bit struct {
	Lit     circuit.Lit
	Missing bool // the circuit has no such signal
}

// Index returns the index of a bit by its position in Bits.
func (w *Word) Index(position int) int {
	if w.Falls {
		return w.Low - position
	}
	return w.Low + position
}

// Position returns the position in Bits of the bit with an index; ok is false for one
// outside of the word.
func (w *Word) Position(index int) (position int, ok bool) {
	position = index - w.Low
	if w.Falls {
		position = -position
	}
	return position, position >= 0 && position < len(w.Bits)
}

// NamedValue is a value of a word with its name. Value has one bit for each of the word,
// in their order: those of a word may be more than a number of the machine has.
type NamedValue struct {
	Name  string
	Value []circuit.Value
}

// Radix says how values are written.
type Radix uint8

// The radices. Default is decimal, and hexadecimal for many bits. SignedDecimal is decimal in two's complement,
// whatever the word says of a sign: readers choose it, and no word has it by itself.
const (
	DefaultRadix Radix = iota
	Decimal
	Hexadecimal
	Binary
	SignedDecimal
)

// WordOrigin says how it is known that signals make a word.
type WordOrigin uint8

// The origins, those that count more first.
const (
	FromLanguage WordOrigin = iota // it has words
	FromMap                        // a file beside the text says so
	FromText                       // a comment says so
	FromNames                      // the names of the bits are alike
)

// WordForms are ways to name the bits of a word. In Options they are those that make no
// words.
type WordForms uint8

// The forms, by how the third bit of q is named.
const (
	WordBrackets    WordForms = 1 << iota // q[3]
	WordAngles                            // q<3>
	WordParentheses                       // q(3)
	WordUnderscores                       // q_3_
	WordPoint                             // q.3
	WordDigits                            // q3
)

// wordForms are the forms by their names in settings and flags.
var wordForms = map[string]WordForms{
	"[]": WordBrackets, "<>": WordAngles, "()": WordParentheses, "_": WordUnderscores, ".": WordPoint, "digits": WordDigits,
}

// WordFormsOf returns the forms with some names. The error is a sentence for the user.
func WordFormsOf(names []string) (forms WordForms, err error) {
	known := slices.Sorted(maps.Keys(wordForms))
	for _, name := range names {
		form, ok := wordForms[name]
		if !ok {
			return 0, fmt.Errorf("there is no form %q of the names of bits%s", name, nearest.Choose(name, known))
		}
		forms |= form
	}
	return forms, nil
}

// WordForms returns the forms of names that make no words.
func (o Options) WordForms() WordForms { return o.without }

// WithoutWords returns options with other forms of names that make no words.
func (o Options) WithoutWords(forms WordForms) Options {
	o.without = forms
	return o
}

// worded is an elaboration of a language whose signals may have several bits.
type worded interface {
	Word(Signal) (Word, bool)
	// WordNamed returns a word that is not among those of Names, by what Word calls it.
	WordNamed(name string) (Word, bool)
}

// WordOf returns the word that a signal of the text is; ok is false for one of a single bit, and where each signal is
// a bit. LitOf and Copies know no literal for such a signal. It may be a word without a name of its own, which is not
// among those of Names.
func WordOf(d *Design, s Signal) (w Word, ok bool) {
	if e, has := d.elaborate().(worded); has {
		return e.Word(s)
	}
	return w, false
}

// WordNamed returns a word that WordOf gives and Names does not, by its name.
func WordNamed(d *Design, name string) (w Word, ok bool) {
	if e, has := d.elaborate().(worded); has {
		return e.WordNamed(name)
	}
	return w, false
}

// WordOfLine returns the word that a line of a comment makes, whose bits stand in the line from
// the most significant on. lit gives the signal of a bit by its position there; ok is false for one that
// the circuit does not have.
func WordOfLine(line wordline.Line, span source.Span, lit func(position int) (l circuit.Lit, ok bool)) Word {
	w := Word{
		Name: line.Name.Text, Signed: line.Signed, Bits: make([]Bit, len(line.Bits)), Origin: FromText, Span: span,
		Radix: map[string]Radix{"dec": Decimal, "hex": Hexadecimal, "bin": Binary}[line.Radix],
	}
	for i, b := range line.Bits {
		l, ok := circuit.Lit(0), false
		if !b.IsMissing {
			l, ok = lit(i)
		}
		w.Bits[len(line.Bits)-1-i] = Bit{Lit: l, Missing: !ok}
	}
	for _, v := range line.Values {
		named := NamedValue{Name: v.Name.Text, Value: make([]circuit.Value, len(w.Bits))}
		for i := range named.Value {
			named.Value[i] = circuit.ValueOf(v.Value.Bit(i) == 1)
		}
		w.Values = append(w.Values, named)
	}
	return w
}

// Line returns what the line of a word says, without the names of its bits, and their literals. Both are
// from the most significant bit on.
func (w *Word) Line() (line wordline.Line, lits []circuit.Lit) {
	line = wordline.Line{
		Name: wordline.Part{Text: w.Name}, Signed: w.Signed, Bits: make([]wordline.Bit, len(w.Bits)),
		Radix: map[Radix]string{Decimal: "dec", Hexadecimal: "hex", Binary: "bin"}[w.Radix],
	}
	lits = make([]circuit.Lit, len(w.Bits))
	for i, b := range slices.Backward(w.Bits) {
		at := len(w.Bits) - 1 - i
		line.Bits[at].IsMissing, lits[at] = b.Missing, b.Lit
	}
	for _, v := range w.Values {
		n := new(big.Int)
		for i, bit := range v.Value {
			if bit == circuit.One {
				n.SetBit(n, i, 1)
			}
		}
		line.Values = append(line.Values, wordline.Value{Name: wordline.Part{Text: v.Name}, Value: n})
	}
	return line, lits
}
