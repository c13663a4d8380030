// Package design holds one version of a file of any format as what the
// surfaces need: its text, occurrences of signals, properties and circuit.
//
// A Design is immutable. Its text is there at once; syntax and circuit are
// derived on first use and kept, so that a version without questions
// costs nothing. What a text says is for its Format to tell, through Syntax and
// Elaboration; the formats themselves are packages below this one. The package knows
// neither positions of a client nor verdicts: lines and columns belong to package
// lsp, everything shown to package ide.
package design

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/internal/lazy"
	"aiglens/internal/source"
)

// Lit is a literal of a document: a signal·2, plus 1 when negated. In AIGER
// these are the literals of the file.
type Lit uint32

// Signal returns the signal of a literal.
func (l Lit) Signal() Signal { return Signal(l >> 1) }

// IsNegated reports whether the literal is the negation of its signal.
func (l Lit) IsNegated() bool { return l&1 == 1 }

// Signal is a variable (AIGER) or a net (BLIF) of one document. Signal 0 is
// the constant false.
type Signal uint32

// Lit returns the literal without negation.
func (s Signal) Lit() Lit { return Lit(s) << 1 }

// Role says what an occurrence does with its signal.
type Role uint8

// The roles.
const (
	RoleDefinition Role = iota
	RoleUse
	RoleName // a line that names the signal
)

// Occurrence is a signal at a place.
type Occurrence struct {
	Span source.Span
	Lit  Lit
	Role Role
	Use  Use // of RoleUse
}

// SignalKind says what defines a signal.
type SignalKind uint8

// The kinds of signals.
const (
	Undefined SignalKind = iota
	Constant
	Input
	Latch
	Gate
	Instance // an output of an instance of a model or cell
	Model    // no signal, but what instances are made of

	// Of a text of clauses. None of them is a signal, but each has a name and places.
	Predicate
	Function // with a definition
	Variable // of a quantifier, a definition or a let
)

func (k SignalKind) String() string {
	return [...]string{"undefined", "constant", "input", "latch", "gate", "output of an instance", "model", "predicate", "function", "variable"}[k]
}

// Definition says what a signal is.
type Definition struct {
	Kind  SignalKind
	Index int // position among those of its kind, from 0
	// Called is what the language calls it where that is not the kind, and Type what its value is where
	// that is more than a bit; else "".
	Called, Type string
	// Whole is the name of what the signal is a bit of, where the text has that name alone; else "".
	Whole string
	Span  source.Span // the defining occurrence
	Row   source.Span // its line
	// Operands are those of a gate, which is their conjunction unless it has a
	// Cover, or what goes into an instance.
	Operands []Lit
	// Next and Reset are those of a latch; Reset is the latch itself for a
	// free one.
	Next, Reset Lit
	// IsOpaque is whether the text does not say it in rows: there are neither Operands nor Next.
	IsOpaque bool
}

// Property is something to check.
type Property struct {
	ID    circuit.Property
	Name  string      // from the text, else like "bad 0"
	Given string      // the name that the text gives it, as it stands there, or ""
	Row   source.Span // its line; empty where there is no text
	// Lits are the literal of a bad or an output, or those of a justice property.
	Lits []Lit
	// Statement is the word of the language that makes it a property, such as assert; "" in a
	// format without such words.
	Statement string
	// Rule says what makes it a property where the format leaves that open; else "".
	Rule string
	// Implicit says that nothing in the text refers to a property there.
	Implicit bool
}

// Design is one version of an open file.
type Design struct {
	URI     string  // or the path by which a file was opened
	Kind    *Format // nil for a text of none
	Version int32
	Text    source.Text

	options    Options
	parse      func() Syntax
	isBinary   bool // the content is not text
	properties func() []Property
	rows       func() map[circuit.Property]int // of properties
	elaborated *lazy.Value[Elaboration]
	parts      *lazy.Value[*Parts]
	sound      func() ([]source.Diagnostic, error) // of the elaboration
	gates      func() []uint32                     // see Elaboration.Gates
	elements   func() map[string]circuit.Lit       // see ElementNamed
	// latest is the syntax of this text once that is known, until then that of
	// the last version whose syntax was.
	latest atomic.Pointer[Syntax]
	linted atomic.Pointer[[]source.Diagnostic]

	kept memory
}

// memory is what is remembered of answers.
type memory struct {
	mu      sync.Mutex
	cones   map[circuit.Property]cone           // guarded by mu
	errors  atomic.Pointer[[]source.Diagnostic] // see errorsOf
	derived sync.Map                            // by *Derived: the *lazy.Value of its type
}

// cone is what is remembered of a property's cone.
type cone struct {
	fingerprint circuit.Fingerprint
	place       Embedding
	size        int
}

// Embedding identifies where a cone stands in its circuit: what lies at the same
// positions in two circuits with the same fingerprint and embedding is the same.
type Embedding [sha256.Size]byte

// FileName returns the last part of a path or URI, of a URI unescaped.
func FileName(uri string) string {
	name := path.Base(filepath.ToSlash(uri))
	if unescaped, err := url.PathUnescape(name); err == nil && strings.Contains(uri, "://") {
		return unescaped
	}
	return name
}

// New returns the document of a text. Its format is nil for a text of none.
func New(uri string, f *Format, version int32, text source.Text, opts Options) *Design {
	return newDesign(uri, f, version, text, opts, nil)
}

func newDesign(uri string, f *Format, version int32, text source.Text, opts Options, before *Syntax) *Design {
	d := &Design{URI: uri, Kind: f, Version: version, Text: text, options: opts,
		kept: memory{cones: map[circuit.Property]cone{}}}
	d.latest.Store(before)
	d.parse = sync.OnceValue(func() Syntax {
		s := f.parse(uri, text, opts, d.latest.Load())
		d.latest.Store(&s)
		return s
	})
	d.properties = sync.OnceValue(func() []Property { return d.parse().Properties() })
	d.rows = sync.OnceValue(func() map[circuit.Property]int {
		rows := make(map[circuit.Property]int, len(d.properties()))
		for i, p := range d.properties() {
			rows[p.ID] = i
		}
		return rows
	})
	d.elaborated = lazy.New(func(ctx context.Context) (Elaboration, error) { return d.parse().Elaborate(ctx) })
	d.parts = lazy.New(d.findParts)
	d.sound = sync.OnceValues(func() ([]source.Diagnostic, error) { return d.elaborate().Sound() })
	d.elements = sync.OnceValue(d.elementsByName)
	d.gates = sync.OnceValue(func() []uint32 { return d.elaborate().Gates() })
	return d
}

// Successor returns the document after an edit. Of its syntax only what differs
// is computed.
func (d *Design) Successor(version int32, text source.Text) *Design {
	return newDesign(d.URI, d.Kind, version, text, d.options, d.latest.Load())
}

// Syntax returns what the format makes of the text, for what its adapter alone knows.
func (d *Design) Syntax() Syntax { return d.parse() }

// Latest returns what Syntax of a design does once that is known, until then the syntax of the last
// version whose syntax was; nil for none.
func Latest(d *Design) Syntax {
	if latest := d.latest.Load(); latest != nil {
		return *latest
	}
	return nil
}

// Options returns how the text is read.
func (d *Design) Options() Options { return d.options }

// WithOptions returns the document read in another way.
func (d *Design) WithOptions(opts Options) *Design {
	return newDesign(d.URI, d.Kind, d.Version, d.Text, opts, d.latest.Load())
}

// Diagnostics returns what is wrong with the text, followed by what Lint has found
// when that has run.
func (d *Design) Diagnostics() []source.Diagnostic {
	linted, _ := d.Linted()
	return slices.Concat(d.TextDiagnostics(), linted)
}

// TextDiagnostics returns what is wrong with the text, whatever its circuit. The slice is
// shared.
func (d *Design) TextDiagnostics() []source.Diagnostic { return d.parse().Diagnostics() }

// Linted returns what Lint has found; ok is false unless it has run.
func (d *Design) Linted() (found []source.Diagnostic, ok bool) {
	if linted := d.linted.Load(); linted != nil {
		return *linted, true
	}
	return nil, false
}

// OccurrenceAt returns the signal at offset or directly before it.
func (d *Design) OccurrenceAt(offset int) (Occurrence, bool) { return d.parse().OccurrenceAt(offset) }

// Occurrences returns every place of a signal, in text order.
func (d *Design) Occurrences(s Signal) []Occurrence { return d.parse().Occurrences(s) }

// Definition returns what a signal is; ok is false when nothing defines it.
func (d *Design) Definition(s Signal) (def Definition, ok bool) { return d.parse().Definition(s) }

// Name returns the name that the text gives to a signal, or "".
func (d *Design) Name(s Signal) string { return d.parse().Name(s) }

// Properties returns what there is to check, in text order. The slice is shared.
func (d *Design) Properties() []Property { return d.properties() }

// NoProperties says which properties a text does not have, each in few words or "".
type NoProperties struct {
	Why       string // there is none at all
	Setting   string // could give it some; named as below aiglens
	Unwritten string // how many are announced whose rows it does not hold
}

// NoProperties says which properties are missing. There is a reason only where there are none.
func (d *Design) NoProperties() NoProperties {
	missing := d.parse().NoProperties()
	if len(d.Properties()) > 0 {
		return NoProperties{Unwritten: missing.Unwritten}
	}
	return missing
}

// Property returns one property.
func (d *Design) Property(id circuit.Property) (Property, bool) {
	i, ok := d.rows()[id]
	if !ok {
		return Property{}, false
	}
	return d.Properties()[i], true
}

// PropertyAt returns the property whose row holds offset.
func (d *Design) PropertyAt(offset int) (Property, bool) {
	for _, p := range d.Properties() {
		if p.Row.Contains(offset) {
			return p, true
		}
	}
	return Property{}, false
}

// Elaborate builds the circuit, which is done once, unless no caller waits for its
// end. A caller with a context calls it before it asks for what depends on the circuit:
// without a context the work cannot be ended. The error is that of ctx.
func (d *Design) Elaborate(ctx context.Context) error {
	_, err := d.elaborated.Get(ctx)
	return err
}

func (d *Design) elaborate() Elaboration {
	e, err := d.elaborated.Get(context.Background())
	if err != nil { // no verdict may rest on what is not there
		panic(err)
	}
	return e
}

// Circuit returns the circuit of the text. It has a cut wherever the text is
// faulty; Fault says which properties that affects.
func (d *Design) Circuit() *circuit.Circuit { return d.elaborate().Circuit() }

// NumInputs returns the number of inputs of the text. The circuit may have more after
// them, in place of errors.
func (d *Design) NumInputs() int { return d.elaborate().NumInputs() }

// LitOf returns the circuit's literal for one of the document; ok is false
// when its signal is not soundly defined.
func (d *Design) LitOf(l Lit) (lit circuit.Lit, ok bool) { return d.elaborate().LitOf(l) }

// Fault returns the error that forbids a verdict on a property, or nil.
func (d *Design) Fault(p circuit.Property) *source.Diagnostic { return d.elaborate().Fault(p) }

// FaultOfCheck returns the error that forbids a check of a property, or nil. It is Fault but where the circuit is an
// abstraction of the text: what a check proves holds for the text, and what it refutes has a run of the text. Other
// questions would see runs that the text does not have.
func FaultOfCheck(d *Design, p circuit.Property) *source.Diagnostic {
	if e, ok := d.elaborate().(interface{ IsCheckedByAbstraction(circuit.Property) bool }); ok && e.IsCheckedByAbstraction(p) {
		return nil
	}
	return d.Fault(p)
}

// OnlyChecked returns why no question about a property but a check is answered, which is answered: see FaultOfCheck. It is
// nil for others.
func OnlyChecked(d *Design, p circuit.Property) error {
	if d.Fault(p) == nil || FaultOfCheck(d, p) != nil {
		return nil
	}
	_, err := d.sound()
	return err
}

// BadOf returns the literal that is 1 in each step of a complete run in which a property fails or a cover is reached: that of the
// circuit, but where an abstraction asks for it in some cases alone. ok is false for a property that no step decides.
func BadOf(d *Design, p circuit.Property) (l circuit.Lit, ok bool) {
	if e, isAsked := d.elaborate().(interface {
		Violated(circuit.Property) (circuit.Lit, bool)
	}); isAsked && circuit.IsAbstraction(d.Circuit()) {
		return e.Violated(p)
	}
	return d.Circuit().Bad(p)
}

// IsAuxiliary reports whether an input or latch of the circuit stands for nothing in the text, as in an abstraction.
func IsAuxiliary(d *Design, l circuit.Lit) bool {
	e, ok := d.elaborate().(interface{ IsAuxiliary(circuit.Lit) bool })
	return ok && e.IsAuxiliary(l)
}

// OriginSpan returns the line of an element of the circuit.
func (d *Design) OriginSpan(o circuit.Origin) (source.Span, bool) {
	line := d.elaborate().OriginLine(o)
	if line < 0 || line >= d.Text.NumLines() {
		return source.Span{}, false
	}
	return d.Text.LineSpan(line), true
}

// Sound builds the circuit and says why it is not that of the whole text: in the place of an
// error it has a free input. warnings is what the user should know besides, which may be something
// where the error is nil. The error may be that of ctx.
func (d *Design) Sound(ctx context.Context) (warnings []source.Diagnostic, err error) {
	if err := d.Elaborate(ctx); err != nil {
		if ctx.Err() == nil { // there is no circuit at all
			warnings = d.TextDiagnostics()
		}
		return warnings, err
	}
	return d.sound()
}

// PropertyName returns the name that the text gives to a property, or "".
func (d *Design) PropertyName(id circuit.Property) string {
	p, _ := d.Property(id)
	return p.Given
}

// PropertyIDs returns what there is to check, in the order of Properties.
func (d *Design) PropertyIDs() []circuit.Property {
	all := make([]circuit.Property, len(d.Properties()))
	for i, p := range d.Properties() {
		all[i] = p.ID
	}
	return all
}

// Fingerprint returns that of a property's cone; ok is false for a property that
// does not exist. It is computed once.
func (d *Design) Fingerprint(p circuit.Property) (f circuit.Fingerprint, ok bool) {
	f, err := d.FingerprintContext(context.Background(), p)
	return f, err == nil
}

// FingerprintContext is Fingerprint until ctx ends. The error is that of ctx, or
// circuit.ErrNoProperty.
func (d *Design) FingerprintContext(ctx context.Context, p circuit.Property) (circuit.Fingerprint, error) {
	k, err := d.cone(ctx, p)
	return k.fingerprint, err
}

// Embedding returns that of a property's cone; zero for one that does not exist.
func (d *Design) Embedding(p circuit.Property) Embedding {
	k, _ := d.cone(context.Background(), p)
	return k.place
}

// ConeSize returns the number of signals in a property's cone; 0 for one that does
// not exist.
func (d *Design) ConeSize(p circuit.Property) int {
	k, _ := d.cone(context.Background(), p)
	return k.size
}

func (d *Design) cone(ctx context.Context, p circuit.Property) (cone, error) {
	d.kept.mu.Lock()
	k, ok := d.kept.cones[p]
	d.kept.mu.Unlock()
	if ok {
		return k, nil
	}
	built, err := d.Circuit().ConeContext(ctx, p)
	if err != nil {
		return k, err
	}
	k = cone{built.Fingerprint, embeddingOf(built, d.Circuit()), built.Circuit.NumVars()}
	d.kept.mu.Lock()
	defer d.kept.mu.Unlock()
	d.kept.cones[p] = k
	return k, nil
}

func embeddingOf(k *circuit.Cone, c *circuit.Circuit) Embedding {
	var words []byte
	put := func(n int) { words = binary.AppendUvarint(words, uint64(n)) }
	put(len(c.Inputs()))
	put(len(c.Latches()))
	for _, positions := range [][]int{k.Inputs, k.Latches} {
		put(len(positions))
		for _, at := range positions {
			put(at)
		}
	}
	for v := range circuit.Var(k.Circuit.NumVars()) {
		put(int(k.LitFrom(v.Lit())))
	}
	return sha256.Sum256(words)
}

// Side returns the circuit with its names, to be compared with another one. The error says
// that the text has errors, in whose places the circuit has free inputs, or is that of ctx.
func (d *Design) Side(ctx context.Context) (compare.Side, error) {
	if err := d.Elaborate(ctx); err != nil {
		return compare.Side{}, err
	}
	e := d.elaborate()
	if fault := e.Broken(); fault != nil {
		return compare.Side{}, refusal(d, fault)
	}
	return compare.Side{Circuit: e.Circuit(), Names: e.Elements()}, nil
}

func refusal(d *Design, fault *source.Diagnostic) error {
	line, _ := d.Text.LineColumn(fault.Span.Start)
	return fmt.Errorf("there is an error on line %d: %s", line, fault.Message)
}

// SoundAt says that the text has an error on which what is asked of literals of the circuit may depend. Of
// a format that does not know on what it depends, any error is one.
func SoundAt(d *Design, lits ...circuit.Lit) error {
	e := d.elaborate()
	fault := e.Broken
	if known, ok := e.(interface {
		FaultAt(...circuit.Lit) *source.Diagnostic
	}); ok {
		fault = func() *source.Diagnostic { return known.FaultAt(lits...) }
	}
	if found := fault(); found != nil {
		return refusal(d, found)
	}
	return nil
}

// SoundIn is SoundAt for the values of literals in all runs, whatever constraints say.
func SoundIn(d *Design, lits ...circuit.Lit) error {
	known, ok := d.elaborate().(interface {
		FaultIn(...circuit.Lit) *source.Diagnostic
	})
	if !ok {
		return SoundAt(d, lits...)
	}
	if found := known.FaultIn(lits...); found != nil {
		return refusal(d, found)
	}
	return nil
}

// TooLarge returns the first part of a text without errors that is too large for a circuit, which has free inputs in its
// place; nil for none.
func TooLarge(d *Design) *source.Diagnostic {
	if bounded, ok := d.elaborate().(interface{ TooLarge() *source.Diagnostic }); ok {
		return bounded.TooLarge()
	}
	return nil
}

// ElementNames returns names of the latches and inputs of the circuit, by position:
// by them those of another version of the text are found. What the text leaves
// without a name goes by its literal.
func (d *Design) ElementNames() (latches, inputs []string) {
	c, e := d.Circuit(), d.elaborate()
	latches, inputs = make([]string, len(c.Latches())), make([]string, len(c.Inputs()))
	for i := range latches {
		latches[i] = e.LatchName(i)
	}
	for i := range inputs {
		inputs[i] = e.InputName(i)
	}
	return latches, inputs
}
