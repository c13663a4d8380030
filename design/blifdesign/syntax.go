package blifdesign

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/design"
	"aiglens/design/hierarchy"
	"aiglens/internal/source"
)

// syntax is a BLIF file. Its signals are the nets of all models and, behind
// them, the models: what instantiates a model uses it.
type syntax struct {
	design.Base // without a core: nothing of it is asked for that looks there
	file        *blif.File
	option      Option          // that it was read with
	view        *hierarchy.View // of other files; nil for none
	// positions holds, by statement, how many of the same kind stand before it.
	positions func() []int32
}

// parse reads a text, with the help of what is known of an earlier version. Statements
// are read alike with all options.
func parse(in design.Unparsed) design.Syntax {
	option, _ := in.Option.(Option)
	s := &syntax{Base: design.Base{Text: in.Text}, option: option}
	earlier, _ := in.Before.(*syntax)
	if earlier != nil && earlier.option == option {
		s.view, s.file = earlier.view, earlier.file.Reparse(in.Text)
	} else {
		s.read(in, earlier)
	}
	s.positions = sync.OnceValue(s.file.Positions)
	return s
}

// FileOf returns the BLIF file of a document, read as the document is.
func FileOf(d *design.Design) *blif.File {
	return parse(design.Unparsed{URI: d.URI, Text: d.Text, Option: OptionOf(d.Options())}).(*syntax).file
}

// read reads a text whose earlier version, if there is one, was read with another
// option.
func (s *syntax) read(in design.Unparsed, earlier *syntax) {
	o := s.option.forFile(in.URI)
	if s.option.Models != nil {
		s.view = s.option.Models.For(in.URI)
	}
	if s.view != nil {
		o.Library = s.view
	}
	if earlier == nil {
		s.file = o.Parse(in.Text)
		return
	}
	before := earlier.option
	before.ModelsRevision = s.option.ModelsRevision
	if before == s.option { // only other files have changed
		s.file = earlier.file.ReparseWith(in.Text, o.Library)
	} else {
		s.file = earlier.file.Reparse(in.Text).WithOptions(o)
	}
}

func (s *syntax) Diagnostics() []source.Diagnostic { return diagnose.Diagnostics(s.file) }

func (s *syntax) Lint(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.Lint(ctx, s.file)
}

func (s *syntax) Fixes(d source.Diagnostic) []source.Fix { return edit.FixesFor(s.file, d) }

func (s *syntax) FixAll() []source.Edit { return edit.FixAll(s.file) }

// DependsOnOthers reports whether the file has looked for models in other files.
func (s *syntax) DependsOnOthers() bool { return s.view != nil && s.view.IsUsed() }

func (s *syntax) Name(v design.Signal) string {
	if m := s.model(v); m != nil {
		return m.Name
	}
	return s.file.Name(blif.Signal(v))
}

// model returns the model that a signal stands for, or nil.
func (s *syntax) model(v design.Signal) *blif.Model {
	if i := int(v) - s.file.NumSignals() - 1; i >= 0 && i < len(s.file.Models()) {
		return s.file.Models()[i]
	}
	return nil
}

// modelSignal returns the signal that stands for a model of the file.
func (s *syntax) modelSignal(m *blif.Model) design.Signal {
	return design.Signal(s.file.NumSignals() + 1 + m.Index)
}

var uses = [...]design.Use{
	blif.RoleOperand: design.AsOperand, blif.RolePinInput: design.AsOperand, blif.RolePin: design.AsOperand, blif.RoleNext: design.AsNext,
	blif.RoleControl: design.AsControl, blif.RoleOutput: design.AsProperty, blif.RoleConstraint: design.AsProperty,
	blif.RoleProperty: design.AsProperty, blif.RoleInstance: design.AsInstance, blif.RoleFormal: design.AsFormal, blif.RoleMention: design.NoUse,
}

// occurrence converts an occurrence; ok is false for a word that stands for
// nothing in this file. A formal stands for the port of the model.
func (s *syntax) occurrence(o blif.Occurrence) (design.Occurrence, bool) {
	out := design.Occurrence{Span: o.Span, Lit: design.Signal(o.Signal).Lit(), Role: design.RoleUse}
	switch {
	case o.Role == blif.RoleModel:
		m := s.file.ModelAt(o.Statement)
		if m == nil {
			return out, false
		}
		out.Lit, out.Role = s.modelSignal(m).Lit(), design.RoleDefinition
		return out, true
	case o.Role == blif.RoleInstance || o.Role == blif.RoleFormal:
		m := s.file.Instance(o.Statement)
		if m == nil || m.File != s.file {
			return out, false
		}
		out.Use = uses[o.Role]
		if o.Role == blif.RoleInstance {
			out.Lit = s.modelSignal(m).Lit()
		} else {
			out.Lit = design.Signal(m.Signal(s.file.Text().Slice(o.Span))).Lit()
		}
		return out, out.Lit != 0
	case o.Role.IsDefinition():
		out.Role = design.RoleDefinition
	case int(o.Role) < len(uses):
		out.Use = uses[o.Role]
	}
	return out, o.Signal != 0
}

func (s *syntax) OccurrenceAt(offset int) (design.Occurrence, bool) {
	o, ok := s.file.OccurrenceAt(offset)
	if !ok {
		return design.Occurrence{}, false
	}
	return s.occurrence(o)
}

// Occurrences returns the places of a net in its model, and for a port those of
// the formal at every instance; of a model its header and its instances.
func (s *syntax) Occurrences(v design.Signal) []design.Occurrence {
	var all []design.Occurrence
	add := func(o blif.Occurrence) {
		if out, ok := s.occurrence(o); ok && out.Lit.Signal() == v {
			all = append(all, out)
		}
	}
	m := s.model(v)
	if m == nil {
		for o := range s.file.Occurrences(blif.Signal(v)) {
			add(o)
		}
		m = s.file.SignalModel(blif.Signal(v))
	} else {
		from := m.From
		for o := range s.statementOccurrences(from) {
			add(o)
		}
	}
	if m != nil {
		for _, id := range s.file.InstancesOf(m) {
			for o := range s.statementOccurrences(id) {
				if o.Role == blif.RoleInstance || o.Role == blif.RoleFormal {
					add(o)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b design.Occurrence) int { return a.Span.Start - b.Span.Start })
	return all
}

// statementOccurrences yields the words of one statement that name something.
func (s *syntax) statementOccurrences(id int) iter.Seq[blif.Occurrence] {
	return func(yield func(blif.Occurrence) bool) {
		span := s.file.Statement(id).Span
		span.Length = max(0, span.Length-1)
		for o := range s.file.OccurrencesIn(span) {
			if o.Statement == id && !yield(o) {
				return
			}
		}
	}
}

func (s *syntax) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		for o := range s.file.OccurrencesIn(span) {
			if out, ok := s.occurrence(o); ok && !yield(out) {
				return
			}
		}
	}
}

func (s *syntax) Properties() []design.Property {
	var all []design.Property
	for _, p := range s.file.Properties() {
		q := design.Property{ID: p.ID, Name: p.Name, Row: p.Span, Rule: p.Kind + ", by " + p.Rule.String(),
			Implicit: p.Rule == blif.RuleName || p.Rule == blif.RuleOutputs}
		for i, signal := range p.Signals {
			lit := design.Signal(signal).Lit()
			if i == 0 && p.Negated {
				lit ^= 1
			}
			q.Lits = append(q.Lits, lit)
		}
		all = append(all, q)
	}
	return all
}

// Settings, as below aiglens.
const (
	settingCombinational = "blif.combinationalOutputs"
	settingOutputLimit   = "blif.outputLimit"
)

// NoProperties says which rule leaves the outputs of the top model out.
func (s *syntax) NoProperties() (why, setting string) {
	top := s.file.Top()
	if top == nil {
		return "", ""
	}
	options := s.file.Options().Properties
	outputs, assumed, isAssumed := 0, 0, s.file.AssumedOutput()
	s.file.Outputs(top, func(_ int, name string, _ blif.Signal, _ source.Span) {
		outputs++
		if isAssumed(name) {
			assumed++
		}
	})
	n, limit := s.file.OutputsBeyond()
	switch {
	case outputs == 0:
		return "the model has no outputs", ""
	case outputs == assumed:
		return "all outputs are assumptions by their names", "blif.assumeOutputs"
	case !options.Combinational && !s.file.HasLatches():
		return "outputs of a model without latches are not checked unless their names or the settings say so", settingCombinational
	case n > 0:
		return fmt.Sprintf("%d outputs are more than %d, up to which every output is one", n, limit), settingOutputLimit
	case options.OutputLimit < 0:
		return "no name or comment makes an output one", settingOutputLimit
	}
	return "", ""
}
