package answers

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/words"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// PlaceKind says what stands at a place of a text.
type PlaceKind string

// The kinds of places.
const (
	PlaceConstant  PlaceKind = "constant"
	PlaceInput     PlaceKind = "input"
	PlaceLatch     PlaceKind = "latch"
	PlaceGate      PlaceKind = "gate"
	PlaceInstance  PlaceKind = "instance"
	PlaceModel     PlaceKind = "model"
	PlaceUndefined PlaceKind = "undefined"
	PlacePredicate PlaceKind = "predicate"
	PlaceFunction  PlaceKind = "function"
	PlaceVariable  PlaceKind = "variable"
	PlaceProperty  PlaceKind = "property"
	PlaceQuery     PlaceKind = "query" // of Horn clauses: their property
	PlaceWord      PlaceKind = "word"
	PlaceHeader    PlaceKind = "header"
	PlaceClause    PlaceKind = "clause" // of Horn clauses: where no symbol stands
	PlaceComment   PlaceKind = "comment"
	PlaceError     PlaceKind = "error" // a row with an error, where nothing else is known
	PlaceOther     PlaceKind = "other"
)

// kindsOfPlaces are those of signals.
var kindsOfPlaces = [...]PlaceKind{
	design.Undefined: PlaceUndefined, design.Constant: PlaceConstant, design.Input: PlaceInput, design.Latch: PlaceLatch,
	design.Gate: PlaceGate, design.Instance: PlaceInstance, design.Model: PlaceModel,
	design.Predicate: PlacePredicate, design.Function: PlaceFunction, design.Variable: PlaceVariable,
}

// Place is what a text says of one of its places, whatever is known of verdicts. Sentences are markdown with
// no marks but those of code and of strong words, and of a list below: "\n- " stands before each of its items.
type Place struct {
	Kind PlaceKind
	Span source.Span // of what stands there; of nothing the line
	// Signal is the one there, or that a naming line names; nil for none.
	Signal *PlaceSignal
	// Property is the one whose row it is, or that a naming line names; nil for none.
	Property *design.Property
	Decides  []design.Property // those that refer to the signal directly, but for Property
	Header   string            // what a number of the header says
	Word     *design.Word      // the one that a line of a comment makes
	WordText []string          // what that says
	Other    *design.Target    // what another file defines
	Symbol   string            // what a naming line names
	Here     string            // what the row is, and does with the literal
	Clauses  []string          // around a place that is no signal
}

// At returns what a text says of the signal, the property, the number of the header, or whatever
// else stands at an offset. Formulas have so many levels of gates. The error is that of ctx.
func At(ctx context.Context, d *design.Design, offset, depth int) (*Place, error) {
	line := d.Text.LineSpan(d.Text.LineAt(offset))
	p := &Place{Kind: PlaceOther, Span: line}
	if field, ok := HeaderFieldAt(d, offset); ok {
		p.Kind, p.Span, p.Header = PlaceHeader, field.Span, headerText(d, field)
		return p, ctx.Err()
	}
	symbol, onSymbol := d.SymbolAt(offset)
	rowOffset := offset
	if onSymbol && symbol.Row.Section != "" {
		rowOffset = symbol.Row.Span.Start
	}
	property, onProperty := d.PropertyAt(rowOffset)
	if onProperty {
		p.Kind, p.Span, p.Property = PlaceProperty, property.Row, &property
		if design.HasClauses(d) {
			p.Kind = PlaceQuery
		}
	}
	o, onSignal := d.OccurrenceAt(offset)
	if onSignal {
		p.Span = o.Span
		p.Signal = SignalPlace(ctx, d, o.Lit, depth)
		p.Decides = directly(ctx, d, o.Lit.Signal(), property.ID, onProperty)
		if !onProperty {
			p.Kind = kindsOfPlaces[p.Signal.Kind]
		}
	}
	if w, ok := wordLineAt(ctx, d, offset); ok && !onSignal {
		p.Kind, p.Span, p.Word, p.WordText = PlaceWord, w.Span, w, wordSentences(d, w)
	}
	if target, ok := d.TargetAt(offset); ok && !onSignal {
		p.Kind, p.Span, p.Other = PlaceInstance, target.Word, &target
	}
	if onSymbol {
		p.Span = symbol.Span
		p.Symbol = symbolText(d, symbol)
	} else if row, ok := d.RowAt(offset); ok && (onSignal || onProperty) && !isOpaque(d, row.Signal) {
		p.Here = place(d, row, o, onSignal)
	}
	if span, text, ok := design.WordAt(d, offset); ok && !onSignal {
		p.Span, p.Here = span, text
	}
	if p.Kind == PlaceOther {
		p.Kind = other(d, offset)
	}
	if !onSignal && p.Kind != PlaceComment {
		p.Clauses = design.ClausesAt(d, offset)
	}
	if p.Kind == PlaceOther && len(p.Clauses) > 0 {
		p.Kind = PlaceClause
	}
	return p, ctx.Err()
}

// DecidesText says which properties refer to the signal directly.
func (p *Place) DecidesText() []string {
	var names []string
	for _, other := range p.Decides {
		names = append(names, Code(other.Name))
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"decides " + strings.Join(names, ", ")}
}

// Sentences say what is neither the signal nor the property of the place.
func (p *Place) Sentences() (all []string) {
	if p.Header != "" {
		all = strings.Split(p.Header, "\n\n")
	}
	if p.Word != nil {
		all = append(all, p.WordText...)
	}
	if p.Other != nil {
		all = append(all, elsewhere(*p.Other)...)
	}
	for _, text := range []string{p.Symbol, p.Here} {
		if text != "" {
			all = append(all, text)
		}
	}
	for _, clause := range p.Clauses {
		all = append(all, "**clause** "+Code(clause))
	}
	return all
}

// other says what a place is that is none of a signal.
func other(d *design.Design, offset int) PlaceKind {
	if slices.ContainsFunc(DiagnosticsAt(d, offset), func(d source.Diagnostic) bool { return d.Severity == source.Error }) {
		return PlaceError
	}
	for _, s := range d.SectionSpans() {
		if s.Comment && s.Span.Contains(offset) {
			return PlaceComment
		}
	}
	line := strings.TrimSpace(d.Text.Slice(d.Text.LineSpan(d.Text.LineAt(offset))))
	if d.Kind != nil && d.Kind.Comment != "" && strings.HasPrefix(line, d.Kind.Comment) {
		return PlaceComment
	}
	return PlaceOther
}

// DiagnosticsAt returns those of a text that touch the line of an offset.
func DiagnosticsAt(d *design.Design, offset int) (all []source.Diagnostic) {
	line := d.Text.LineSpan(d.Text.LineAt(offset))
	for _, found := range d.Diagnostics() {
		if found.Span.Start <= line.End() && line.Start <= found.Span.End() {
			all = append(all, found)
		}
	}
	return all
}

// directly returns the properties that refer to a signal, but for that of the row.
func directly(ctx context.Context, d *design.Design, s design.Signal, row circuit.Property, onRow bool) (all []design.Property) {
	if s == 0 {
		return nil
	}
	for _, p := range d.Properties() {
		if ctx.Err() != nil {
			return nil
		}
		if !(onRow && p.ID == row) && slices.ContainsFunc(p.Lits, func(l design.Lit) bool { return l.Signal() == s }) {
			all = append(all, p)
		}
	}
	return all
}

// PlaceSignal is what a text says of a signal.
type PlaceSignal struct {
	Lit   design.Lit // as it stands there
	Kind  design.SignalKind
	Name  string // from the text, or ""
	Title string
	// Formula is how the text computes a gate, and what a latch is next; "" for others.
	Formula string
	Reset   string // of a latch
	Model   string // how much a model has
	Says    []string
}

// Sentences say all that is known of a signal.
func (p *PlaceSignal) Sentences() []string {
	all := []string{p.Title}
	switch {
	case p.Kind == design.Gate && p.Formula != "":
		all = append(all, "= "+Code(p.Formula))
	case p.Kind == design.Latch:
		all = append(all, Starts(p.Reset, p.Formula))
	}
	return append(all, p.Says...)
}

// Starts says what a latch starts with, and what it is next where that is known.
func Starts(reset, next string) string {
	if next == "" {
		return reset
	}
	return reset + " · next " + Code(next)
}

// SignalPlace says what a signal is, how it is computed and how it is connected. Some is left out
// once ctx has ended.
func SignalPlace(ctx context.Context, d *design.Design, l design.Lit, depth int) *PlaceSignal {
	s := l.Signal()
	p := &PlaceSignal{Lit: l, Name: d.Name(s)}
	if s == 0 {
		p.Kind, p.Title = design.Constant, "**constant** 0 (literal 0) and 1 (literal 1)"
		return p
	}
	def, _ := d.Definition(s)
	p.Kind = def.Kind
	p.Title = fmt.Sprintf("**%s**", cmp.Or(def.Called, def.Kind.String()))
	if (def.Kind == design.Input || def.Kind == design.Latch) && !def.IsOpaque {
		p.Title += fmt.Sprintf(" %d", def.Index)
	}
	if name := cmp.Or(def.Whole, p.Name); name != "" {
		p.Title += " " + Code(name)
	}
	if def.Type != "" {
		p.Title += " · " + def.Type
	}
	if d.HasNumbers() {
		p.Title += fmt.Sprintf(" · literal %d", s.Lit())
	}
	switch def.Kind {
	case design.Model:
		p.model(d, s)
		return p
	case design.Gate:
		if c, ok := d.Cover(s); ok && c.Faulty {
			p.say("its cover has errors")
		} else {
			p.Formula = FormulaOf(d, s, depth)
		}
	case design.Instance:
		if row, ok := d.RowOf(s); ok {
			p.say("%s", row.Label)
		}
	case design.Constant:
		if all := design.ConstantOf(d, s); len(all) > 0 {
			p.say("= %s", InCode(all))
		}
	case design.Latch:
		p.Reset, p.Formula = resetWords(d, def, s, depth), FormulaOf(d, s, depth)
	case design.Predicate, design.Function, design.Variable:
		p.Says = design.SaysOf(d, s)
		return p
	}
	p.connections(ctx, d, s, def.IsOpaque)
	return p
}

// InCode writes texts that say the same.
func InCode(all []string) string {
	var codes []string
	for _, text := range all {
		codes = append(codes, Code(text))
	}
	return strings.Join(codes, " · ")
}

func (p *PlaceSignal) say(format string, args ...any) {
	p.Says = append(p.Says, fmt.Sprintf(format, args...))
}

// resetWords say what a latch starts with.
func resetWords(d *design.Design, def design.Definition, s design.Signal, depth int) string {
	switch {
	case def.Reset == s.Lit():
		return "reset " + Code("free")
	case def.Reset <= 1:
		return "reset " + Code(fmt.Sprint(def.Reset))
	}
	if reset, ok := d.Definition(def.Reset.Signal()); ok && reset.Kind == design.Constant && !def.Reset.IsNegated() {
		return "reset " + Code(nextExpression(d, def.Reset, depth))
	}
	return "starts with the value of " + Code(nextExpression(d, def.Reset, depth))
}

func isOpaque(d *design.Design, s design.Signal) bool {
	def, _ := d.Definition(s)
	return def.IsOpaque
}

// FormulaOf is how the text computes a gate, or what a latch is next, with so many levels of gates; "" for others.
func FormulaOf(d *design.Design, s design.Signal, depth int) string {
	if isOpaque(d, s) {
		return ""
	}
	switch def, _ := d.Definition(s); def.Kind {
	case design.Gate:
		if c, ok := d.Cover(s); !ok || !c.Faulty {
			return formula.Expression(d, s.Lit(), depth)
		}
	case design.Latch:
		return nextExpression(d, def.Next, depth)
	}
	return ""
}

// nextExpression unfolds the next state of a latch, which most often is a gate
// without a name; a named one goes by its name.
func nextExpression(d *design.Design, l design.Lit, depth int) string {
	if d.Name(l.Signal()) != "" {
		return formula.FromLit(d, l, 0, false).String()
	}
	return formula.Expression(d, l, depth)
}

// model says what a model has, and where it is used.
func (p *PlaceSignal) model(d *design.Design, s design.Signal) {
	inputs, outputs, latches := d.ModelCounts(s)
	p.say("%s, %s, %s", Count(inputs, "input", "inputs"), Count(outputs, "output", "outputs"), Count(latches, "latch", "latches"))
	used, _ := d.CountUses(s)
	p.say("%s", Count(used, "instance", "instances"))
}

// connections says how a signal hangs in the circuit: level, fan-in, fan-out by
// polarity, size of the cone. Where it is opaque only its uses are known.
func (p *PlaceSignal) connections(ctx context.Context, d *design.Design, s design.Signal, isOpaque bool) {
	if isOpaque {
		p.say("%s", fanOut(d.CountUses(s)))
		return
	}
	var buf [4]design.Lit
	kind, _, drivers := d.Drivers(s, buf[:0])
	if kind == design.Undefined {
		return
	}
	var parts []string
	cone := Cone(ctx, d, s)
	if kind == design.Gate {
		if level, ok := Level(d, s); ok {
			parts = append(parts, fmt.Sprintf("level %d", level))
		}
		parts = append(parts, fmt.Sprintf("fan-in %d", len(drivers)))
	}
	p.say("%s", strings.Join(append(parts, fanOut(d.CountUses(s))), " · "))
	switch {
	case cone.Cut:
		p.say("cone: > %s signals", Thousands(maxCone))
	case cone.Instances > 0: // what is inside them is not counted
		p.say("cone within the model: %s", cone)
	case kind != design.Input:
		p.say("cone: %s", cone)
	}
}

func fanOut(positive, negated int) string {
	text := "fan-out " + Thousands(positive+negated)
	if negated > 0 {
		text += fmt.Sprintf(" (%s positive, %s negated)", Thousands(positive), Thousands(negated))
	}
	return text
}

func (c ConeSize) String() string {
	text := fmt.Sprintf("%s, %s, %s", Count(c.Inputs, "input", "inputs"), Count(c.Latches, "latch", "latches"), Count(c.Gates, "gate", "gates"))
	if c.Instances > 0 {
		text += ", " + Count(c.Instances, "output of an instance", "outputs of instances")
	}
	return text
}

// uses says what a row does with a literal.
var uses = map[design.Use]string{
	design.AsOperand: "operand", design.AsNext: "next state", design.AsReset: "reset", design.AsControl: "clock",
	design.AsFormal: "port",
}

// place says which row a literal stands on, and what it does there.
func place(d *design.Design, row design.RowRef, o design.Occurrence, onSignal bool) string {
	negated := ""
	if onSignal && o.Lit.IsNegated() && o.Lit.Signal() != 0 {
		negated = ", negated: " + Code(formula.Expression(d, o.Lit, 2))
	}
	if use, ok := uses[o.Use]; ok && onSignal {
		return fmt.Sprintf("here: %s of %s%s", use, Code(RowName(d, row)), negated)
	}
	return fmt.Sprintf("row %s of the %s%s", Thousands(row.Index+1), row.Section, negated)
}

// RowName is what a row's signal is called, else what the row is.
func RowName(d *design.Design, row design.RowRef) string {
	if row.Kind == design.Undefined {
		return row.Label
	}
	if name := d.Name(row.Signal); name != "" {
		return name
	}
	if row.Kind == design.Gate {
		return fmt.Sprintf("%s %d", row.One, row.Signal.Lit())
	}
	return row.Label
}

// Reader is a row that reads a signal.
type Reader struct {
	Row  design.RowRef
	Name string // what the row defines, or is
	Use  string // what it does with the signal; "" for a property
	Span source.Span
}

// Readers returns rows that read a signal, in the order of the text and at most so many, and how many other uses there are.
// The error is that of ctx.
func Readers(ctx context.Context, d *design.Design, s design.Signal, most int) (all []Reader, more int, err error) {
	first, n := design.Uses(d, s, most)
	seen := map[int]bool{}
	for _, o := range first {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		row, ok := d.RowAt(o.Span.Start)
		if !ok || seen[row.Span.Start] || o.Use == design.AsReset && row.Signal == s {
			continue
		}
		seen[row.Span.Start] = true
		all = append(all, Reader{row, RowName(d, row), uses[o.Use], o.Span})
	}
	return all, n - len(first), nil
}

// symbolText says what a naming line names; "" where that is nothing.
func symbolText(d *design.Design, s design.SymbolLine) string {
	if s.Row.Section == "" {
		return ""
	}
	line, _ := d.Text.LineColumn(s.Row.Span.Start)
	return fmt.Sprintf("%s names %s, line %d", Code(s.Name), s.Row.Label, line)
}

// HeaderFieldAt returns the number of the header at an offset.
func HeaderFieldAt(d *design.Design, offset int) (design.HeaderField, bool) {
	for _, f := range d.Header() {
		if f.Span.Contains(offset) {
			return f, true
		}
	}
	return design.HeaderField{}, false
}

func headerText(d *design.Design, f design.HeaderField) string {
	if f.IsLimit {
		return fmt.Sprintf("**%s** · %s: %s\n\nlargest variable of the file: %s", f.Name, f.Meaning, Thousands(f.Announced), Thousands(d.Found(f)))
	}
	return fmt.Sprintf("**%s** · %s: %s announced, %s found", f.Name, f.Meaning, Thousands(f.Announced), Thousands(d.Found(f)))
}

// wordLineAt returns the word that a line of a comment makes.
func wordLineAt(ctx context.Context, d *design.Design, offset int) (w *design.Word, ok bool) {
	if !strings.Contains(d.Text.Slice(d.Text.LineSpan(d.Text.LineAt(offset))), wordline.Prefix) {
		return nil, false
	}
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil, false
	}
	i := slices.IndexFunc(all.All(), func(w *design.Word) bool { return w.Span.Length > 0 && w.Span.Contains(offset) })
	if i < 0 {
		return nil, false
	}
	return all.All()[i], true
}

// Bounds of what is listed of a word.
const (
	maxShownBits   = 32
	maxShownValues = 32
)

// wordSentences say which signals make a word, and the names of its values.
func wordSentences(d *design.Design, w *design.Word) (all []string) {
	title := fmt.Sprintf("**word** %s: %s", Code(w.Name), Count(len(w.Bits), "bit", "bits"))
	if w.Signed {
		title += ", signed"
	}
	all = append(all, title)
	var bits []string
	for _, b := range slices.Backward(w.Bits) {
		name := "none"
		if !b.Missing {
			name = Code(d.Names().Literal(b.Lit))
		}
		bits = append(bits, name)
	}
	text := strings.Join(bits[:min(len(bits), maxShownBits)], ", ")
	if more := len(bits) - maxShownBits; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	all = append(all, "from the most significant on: "+text)
	var values []string
	for _, v := range w.Values[:min(len(w.Values), maxShownValues)] {
		values = append(values, fmt.Sprintf("%s = %s", Code(v.Name), words.Number(w, v.Value)))
	}
	if more := len(w.Values) - maxShownValues; more > 0 {
		values = append(values, fmt.Sprintf("%d more", more))
	}
	if len(values) > 0 {
		all = append(all, "values: "+strings.Join(values, ", "))
	}
	return all
}

// maxPorts bounds the ports of a model that are listed.
const maxPorts = 12

// elsewhere says what a word stands for that another file defines.
func elsewhere(t design.Target) (all []string) {
	switch {
	case t.Model == "":
		return nil
	case t.Port != "" && t.IsInput:
		all = append(all, fmt.Sprintf("**input** %s of %s", Code(t.Port), Code(t.Model)))
	case t.Port != "":
		all = append(all, fmt.Sprintf("**output** %s of %s", Code(t.Port), Code(t.Model)))
	default:
		all = append(all, "**model** "+Code(t.Model))
		if len(t.Inputs)+len(t.Outputs) <= maxPorts {
			all = append(all, fmt.Sprintf("%s → %s", Code(strings.Join(t.Inputs, " ")), Code(strings.Join(t.Outputs, " "))))
		} else {
			all = append(all, fmt.Sprintf("%s, %s", Count(len(t.Inputs), "input", "inputs"), Count(len(t.Outputs), "output", "outputs")))
		}
	}
	line, _ := t.Text.LineColumn(t.Span.Start)
	return append(all, fmt.Sprintf("%s, line %d", Code(filepath.Base(t.Path)), line))
}

// Code quotes text as markdown code, whatever backticks it holds.
func Code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
