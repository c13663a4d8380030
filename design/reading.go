package design

import (
	"context"
	"iter"

	"aiglens/internal/source"
)

// Use says what a row does with a literal that it does not define.
type Use uint8

// The uses.
const (
	NoUse Use = iota
	AsOperand
	AsNext
	AsReset
	AsProperty // bad, output, constraint, justice, fairness; lemma and cover
	AsControl  // the clock or enable of a latch
	AsInstance // a model where it is instantiated
	AsFormal   // a port at an instance of its model
	AsAssigned // by a statement
	AsBit      // of a word that a comment makes
)

// RowRef is a row by its place. The cost of one is that of its line.
type RowRef struct {
	Section string // "ANDs"
	One     string // a single element of it: "AND"
	// Label tells the row from its neighbours: "latch 3", "justice 0: 2 literals".
	Label   string
	Name    string // that the text gives it, or ""
	Index   int    // position in the section, from 0
	Span    source.Span
	Kind    SignalKind // of the signal that it defines; Undefined for none
	Signal  Signal     // that it defines
	IsFirst bool       // of its section
}

// SymbolLine is a line that names an element.
type SymbolLine struct {
	Span     source.Span // the line
	Tag      source.Span // what says which element is named: "i0"
	NameSpan source.Span
	Name     string
	Row      RowRef // the element; without Span when there is none
	Lit      Lit    // of the row
	HasLit   bool   // a justice property, for one, is not a literal
}

// SectionSpan is a section without its rows.
type SectionSpan struct {
	Name    string
	Rows    int
	Span    source.Span
	Symbols bool // it names elements
	Comment bool
}

// HeaderField is a number that announces what follows.
type HeaderField struct {
	Name, Meaning string
	Span          source.Span
	Announced     int
	IsLimit       bool // what is found may be less
}

// OccurrencesIn yields the literals of the lines that span touches, lines that
// name signals left out. Its cost is that of those lines.
func (d *Design) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return d.parse().OccurrencesIn(span)
}

// Drivers returns what a signal depends on directly, appended to buf: the
// operands of a gate; next and then reset of a latch, without a constant reset.
// It looks at no text and costs some tens of nanoseconds.
func (d *Design) Drivers(s Signal, buf []Lit) (kind SignalKind, index int, lits []Lit) {
	return d.parse().Drivers(s, buf)
}

// usesFinder is a syntax that finds some uses of a signal without a walk over all of them.
type usesFinder interface {
	Uses(s Signal, most int) (first []Occurrence, all int)
}

// Uses returns the first so many uses of a signal, in text order, and how many there are.
func Uses(d *Design, s Signal, most int) (first []Occurrence, all int) {
	if finder, ok := d.parse().(usesFinder); ok {
		return finder.Uses(s, most)
	}
	return FirstUses(d.Occurrences(s), most)
}

// FirstUses returns the first so many uses among occurrences, and how many uses there are.
func FirstUses(occurrences []Occurrence, most int) (first []Occurrence, all int) {
	for _, o := range occurrences {
		if o.Role != RoleUse {
			continue
		}
		if all++; all <= most {
			first = append(first, o)
		}
	}
	return first, all
}

// FirstOf returns the first so many uses of a sequence in text order, and goes no further. That a word of a comment has
// a signal as a bit is no use.
func FirstOf(occurrences iter.Seq[Occurrence], most int) (first []Occurrence) {
	if most == 0 {
		return nil
	}
	for o := range occurrences {
		if o.Role != RoleUse || o.Use == AsBit {
			continue
		}
		if first = append(first, o); len(first) == most {
			break
		}
	}
	return first
}

// formulaWriter is a syntax whose rows are no gates, and which writes formulas itself.
type formulaWriter interface {
	Formula(l Lit, depth int, unfold bool) string
	RowNote(RowRef) string
}

// RowNote returns what is said at the end of a row: what it computes, or ""; ok is false as in FormulaOf.
func RowNote(d *Design, row RowRef) (text string, ok bool) {
	if w, has := d.parse().(formulaWriter); has {
		return w.RowNote(row), true
	}
	return "", false
}

// constantWriter is a syntax whose constants may have several bits.
type constantWriter interface{ Constant(Signal) []string }

// ConstantOf returns the number that a constant of the text is, in each radix; none where it is a bit or no constant.
func ConstantOf(d *Design, s Signal) []string {
	if w, has := d.parse().(constantWriter); has {
		return w.Constant(s)
	}
	return nil
}

// FormulaOf returns how the text computes a literal, in its own operators and to a depth of so many rows; ok is false
// where rows are gates, which package formula reads back. A signal with a name is a leaf, unless unfold is set and it
// is computed.
func FormulaOf(d *Design, l Lit, depth int, unfold bool) (text string, ok bool) {
	if w, has := d.parse().(formulaWriter); has {
		return w.Formula(l, depth, unfold), true
	}
	return "", false
}

// CountUses returns how often a signal is used as it stands and negated.
func (d *Design) CountUses(s Signal) (positive, negated int) { return d.parse().CountUses(s) }

// RowAt returns the row whose line holds offset.
func (d *Design) RowAt(offset int) (RowRef, bool) { return d.parse().RowAt(offset) }

// RowOf returns the row that defines a signal.
func (d *Design) RowOf(s Signal) (RowRef, bool) { return d.parse().RowOf(s) }

// SymbolAt returns the naming line that holds offset.
func (d *Design) SymbolAt(offset int) (SymbolLine, bool) { return d.parse().SymbolAt(offset) }

// SymbolLines yields the lines that name elements, in text order.
func (d *Design) SymbolLines() iter.Seq[SymbolLine] { return d.parse().SymbolLines() }

// ModelCounts returns how many inputs and outputs the text of a model lists, and how many
// latches it has.
func (d *Design) ModelCounts(model Signal) (inputs, outputs, latches int) {
	return d.parse().ModelCounts(model)
}

// SectionSpans returns the sections that have rows, in text order, without
// looking at the rows.
func (d *Design) SectionSpans() []SectionSpan { return d.parse().SectionSpans() }

// Header returns the numbers that announce what follows; none where the format
// has no such thing.
func (d *Design) Header() []HeaderField { return d.parse().Header() }

// Found returns what the text holds of that which a header field announces.
func (d *Design) Found(f HeaderField) int { return d.parse().Found(f) }

// Lint looks for what only the whole circuit shows. From then on Diagnostics
// returns that too. The error is that of the context.
func (d *Design) Lint(ctx context.Context) error {
	found, err := d.parse().Lint(ctx)
	if err != nil {
		return err
	}
	d.linted.Store(&found)
	return nil
}

// Diagnose returns what is wrong with the text: what a check says before its verdicts, and
// deeply all that there is to find, which takes a look at the whole circuit. The error is that
// of ctx.
func (d *Design) Diagnose(ctx context.Context, deeply bool) ([]source.Diagnostic, error) {
	return d.parse().Diagnose(ctx, deeply)
}

// LeftByFormat returns the findings about what Format, which renames nothing, leaves and other
// readers refuse. The error is that of ctx.
func (d *Design) LeftByFormat(ctx context.Context) ([]source.Diagnostic, error) {
	return d.parse().LeftByFormat(ctx)
}

// PropertyRule says in a line which rule made the properties, for a polarity that is chosen
// silently is the likeliest way to a wrong verdict; "" where the text says each by itself.
func (d *Design) PropertyRule() string { return d.parse().PropertyRule() }

// WithoutProperties says why a text has no property, and which flags of the command line give
// it one.
func (d *Design) WithoutProperties() string { return d.parse().WithoutProperties() }

// explainer is a syntax whose symbols stand for more than definitions and uses tell.
type explainer interface {
	Says(Signal) []string
	WordAt(offset int) (span source.Span, text string, ok bool)
	ClausesAt(offset int) []string
}

// SaysOf returns what the text says of a symbol besides its definition, in sentences; none in most formats.
func SaysOf(d *Design, s Signal) []string {
	if e, ok := d.parse().(explainer); ok {
		return e.Says(s)
	}
	return nil
}

// WordAt says what a word of the language stands for that is no signal; ok is false for what is none.
func WordAt(d *Design, offset int) (span source.Span, text string, ok bool) {
	if e, has := d.parse().(explainer); has {
		return e.WordAt(offset)
	}
	return span, "", false
}

// ClausesAt returns the clauses around an offset as people write them; none in most formats.
func ClausesAt(d *Design, offset int) []string {
	if e, ok := d.parse().(explainer); ok {
		return e.ClausesAt(offset)
	}
	return nil
}

// Parameters say how something is applied.
type Parameters struct {
	Name   string
	Params []string
	Says   string
	Active int // the place among Params of what stands at the offset, from 0
}

// ParametersAt returns how that is applied whose argument stands at an offset; ok is false in a format without such things.
func ParametersAt(d *Design, offset int) (p Parameters, ok bool) {
	if a, has := d.parse().(interface {
		Parameters(offset int) (Parameters, bool)
	}); has {
		return a.Parameters(offset)
	}
	return p, false
}

// Size is how many things of a kind a text of clauses has.
type Size struct {
	Name string // of the kind, in the plural
	N    int
	Note string // that follows the number: " (2 arguments at most)", or ""
}

// SizesOf returns how much there is in a text of clauses; none of a circuit.
func SizesOf(d *Design) []Size {
	if s, ok := d.parse().(interface{ Sizes() []Size }); ok {
		return s.Sizes()
	}
	return nil
}

// ListsAt returns the lists around an offset, the innermost first; none in a format of lines.
func ListsAt(d *Design, offset int) []source.Span {
	if l, ok := d.parse().(interface {
		ListsAt(offset int) []source.Span
	}); ok {
		return l.ListsAt(offset)
	}
	return nil
}
