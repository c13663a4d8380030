package document

import (
	"context"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/internal/hierarchy"
	"aiglens/internal/source"
)

// BLIFOptions say how BLIF files are read; see blif.Options. Patterns are
// separated by spaces.
type BLIFOptions struct {
	Bad, Assert, Assume                 string
	NoNames                             bool // names of outputs say nothing
	OutputLimit                         int
	Combinational, CutUndriven, OneStep bool
	Cells                               *Cells // of .gate and .mlatch; nil for none
}

// Cells is a cell library in genlib format. Its Problems are what could not be
// read.
type Cells = cells.Genlib

// ReadCells reads a cell library.
func ReadCells(text source.Text) *Cells { return cells.ReadGenlib(text.Content()) }

// NewLibrary returns a library of other files, which are read like the document.
func NewLibrary(files hierarchy.Files, o BLIFOptions, before *hierarchy.Library) *hierarchy.Library {
	return hierarchy.New(files, o.options(""), before)
}

// Models finds the models of other files for the file at an address; the view is
// nil for one that lies in no folder.
type Models interface {
	For(uri string) *hierarchy.View
}

// blifSyntax is a BLIF file. Its signals are the nets of all models and, behind
// them, the models: what instantiates a model uses it.
type blifSyntax struct {
	*blif.File
	opts Options         // that it was read with
	view *hierarchy.View // of other files; nil for none
	// positions holds, by statement, how many of the same kind stand before it.
	positions func() []int32
}

// newBLIFSyntax reads a text, with the help of what is known of an earlier
// version.
func newBLIFSyntax(uri string, text source.Text, opts Options, before *syntax) blifSyntax {
	s := blifSyntax{opts: opts}
	var earlier blifSyntax
	if before != nil {
		earlier, _ = (*before).(blifSyntax)
	}
	if earlier.File != nil && earlier.opts == opts {
		s.view, s.File = earlier.view, earlier.Reparse(text)
	} else {
		o := opts.BLIF.options(uri)
		if opts.Models != nil {
			s.view = opts.Models.For(uri)
		}
		if s.view != nil {
			o.Library = s.view
		}
		before := earlier.opts
		before.Moment = opts.Moment
		switch {
		case earlier.File == nil:
			s.File = o.Parse(text)
		case before == opts: // only other files have changed
			s.File = earlier.ReparseWith(text, o.Library)
		default:
			s.File = earlier.Reparse(text).WithOptions(o)
		}
	}
	s.positions = sync.OnceValue(s.Positions)
	return s
}

func (o BLIFOptions) options(uri string) blif.Options {
	name := path.Base(uri)
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	bad := strings.Fields(o.Bad)
	if o.NoNames {
		bad = []string{""} // the name of no net
	}
	return blif.Options{
		FileName: name,
		Properties: blif.PropertyOptions{
			Bad: bad, Assert: strings.Fields(o.Assert), Assume: strings.Fields(o.Assume),
			OutputLimit: o.OutputLimit, Combinational: o.Combinational,
		},
		CutUndriven: o.CutUndriven, OneStep: o.OneStep, Cells: o.Cells,
	}
}

func (s blifSyntax) diagnostics() []source.Diagnostic { return diagnose.Diagnostics(s.File) }

func (s blifSyntax) lint(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.Lint(s.File, ctx)
}

func (s blifSyntax) fixes(d source.Diagnostic) []source.Fix { return edit.FixesFor(s.File, d) }

func (s blifSyntax) fixAll() []source.Edit { return edit.FixAll(s.File) }

// usesOthers reports whether the file has looked for models in other files.
func (s blifSyntax) usesOthers() bool { return s.view != nil && s.view.IsUsed() }

func (s blifSyntax) name(v Signal) string {
	if m := s.model(v); m != nil {
		return m.Name
	}
	return s.Name(blif.Signal(v))
}

// model returns the model that a signal stands for, or nil.
func (s blifSyntax) model(v Signal) *blif.Model {
	if i := int(v) - s.NumSignals() - 1; i >= 0 && i < len(s.Models()) {
		return s.Models()[i]
	}
	return nil
}

// modelSignal returns the signal that stands for a model of the file.
func (s blifSyntax) modelSignal(m *blif.Model) Signal { return Signal(s.NumSignals() + 1 + m.Index) }

var blifUses = [...]Use{
	blif.RoleOperand: AsOperand, blif.RolePinInput: AsOperand, blif.RolePin: AsOperand, blif.RoleNext: AsNext,
	blif.RoleControl: AsControl, blif.RoleOutput: AsProperty, blif.RoleConstraint: AsProperty,
	blif.RoleProperty: AsProperty, blif.RoleInstance: AsInstance, blif.RoleFormal: AsFormal, blif.RoleMention: NoUse,
}

// occurrence converts an occurrence; ok is false for a word that stands for
// nothing in this file. A formal stands for the port of the model.
func (s blifSyntax) occurrence(o blif.Occurrence) (Occurrence, bool) {
	out := Occurrence{Span: o.Span, Lit: Signal(o.Signal).Lit(), Role: RoleUse}
	switch {
	case o.Role == blif.RoleModel:
		m := s.ModelAt(o.Statement)
		if m == nil {
			return out, false
		}
		out.Lit, out.Role = s.modelSignal(m).Lit(), RoleDefinition
		return out, true
	case o.Role == blif.RoleInstance || o.Role == blif.RoleFormal:
		m := s.Instance(o.Statement)
		if m == nil || m.File != s.File {
			return out, false
		}
		out.Use = blifUses[o.Role]
		if o.Role == blif.RoleInstance {
			out.Lit = s.modelSignal(m).Lit()
		} else {
			out.Lit = Signal(m.Signal(s.Text().Slice(o.Span))).Lit()
		}
		return out, out.Lit != 0
	case o.Role.IsDefinition():
		out.Role = RoleDefinition
	case int(o.Role) < len(blifUses):
		out.Use = blifUses[o.Role]
	}
	return out, o.Signal != 0
}

func (s blifSyntax) occurrenceAt(offset int) (Occurrence, bool) {
	o, ok := s.OccurrenceAt(offset)
	if !ok {
		return Occurrence{}, false
	}
	return s.occurrence(o)
}

// occurrences returns the places of a net in its model, and for a port those of
// the formal at every instance; of a model its header and its instances.
func (s blifSyntax) occurrences(v Signal) []Occurrence {
	var all []Occurrence
	add := func(o blif.Occurrence) {
		if out, ok := s.occurrence(o); ok && out.Lit.Signal() == v {
			all = append(all, out)
		}
	}
	m := s.model(v)
	if m == nil {
		for o := range s.Occurrences(blif.Signal(v)) {
			add(o)
		}
		m = s.SignalModel(blif.Signal(v))
	} else {
		from, _ := m.Statements()
		for o := range s.statementOccurrences(from) {
			add(o)
		}
	}
	if m != nil {
		for _, id := range s.InstancesOf(m) {
			for o := range s.statementOccurrences(id) {
				if o.Role == blif.RoleInstance || o.Role == blif.RoleFormal {
					add(o)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Occurrence) int { return a.Span.Start - b.Span.Start })
	return all
}

// statementOccurrences yields the words of one statement that name something.
func (s blifSyntax) statementOccurrences(id int) iter.Seq[blif.Occurrence] {
	return func(yield func(blif.Occurrence) bool) {
		span := s.Statement(id).Span
		span.Length = max(0, span.Length-1)
		for o := range s.OccurrencesIn(span) {
			if o.Statement == id && !yield(o) {
				return
			}
		}
	}
}

func (s blifSyntax) occurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		for o := range s.OccurrencesIn(span) {
			if out, ok := s.occurrence(o); ok && !yield(out) {
				return
			}
		}
	}
}

func (s blifSyntax) properties() []Property {
	var all []Property
	for _, p := range s.Properties() {
		q := Property{ID: p.ID, Name: p.Name, Row: p.Span, Rule: p.Kind + ", by " + p.Rule.String(),
			Implicit: p.Rule == blif.RuleName || p.Rule == blif.RuleOutputs}
		for i, signal := range p.Signals {
			lit := Signal(signal).Lit()
			if i == 0 && p.Negated {
				lit ^= 1
			}
			q.Lits = append(q.Lits, lit)
		}
		all = append(all, q)
	}
	return all
}
