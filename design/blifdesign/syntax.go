package blifdesign

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/design/hierarchy"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// syntax is a BLIF file. Its signals are the nets of all models and, after
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

// FileOf returns the BLIF file of a design; ok is false for another format.
func FileOf(d *design.Design) (f *blif.File, ok bool) {
	s, ok := d.Syntax().(*syntax)
	if !ok {
		return nil, false
	}
	return s.file, true
}

// TreeOf returns the statements of a design as they were read last, of an earlier version perhaps;
// nil where none were. It does not wait for the present version.
func TreeOf(d *design.Design) *statement.Tree {
	s, ok := design.Latest(d).(*syntax)
	if !ok {
		return nil
	}
	tree := s.file.Tree // and nothing of the file that it stands in
	return &tree
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

// Diagnose returns the errors and warnings of the text, and deeply what Lint finds and the
// errors that forbid verdicts, some of which show in the flattened hierarchy alone, such as
// clocks.
func (s *syntax) Diagnose(ctx context.Context, deeply bool) ([]source.Diagnostic, error) {
	found := s.Diagnostics()
	if !deeply {
		return found, nil
	}
	linted, err := s.Lint(ctx)
	if err != nil {
		return nil, err
	}
	faults, err := s.faults(ctx)
	if err != nil {
		return nil, err
	}
	found = findings.Union(slices.Concat(found, linted), faults)
	slices.SortStableFunc(found, func(a, b source.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return found, nil
}

// faults returns the errors that forbid verdicts on properties.
func (s *syntax) faults(ctx context.Context) ([]source.Diagnostic, error) {
	e, err := flat.ElaborateWithin(ctx, s.file)
	if err != nil {
		return nil, err
	}
	if whole, _ := e.Whole(); whole == nil {
		return nil, nil // all properties are made of the whole
	}
	var all []source.Diagnostic
	for _, p := range s.file.Properties() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if fault := e.Fault(p.ID); fault != nil {
			all = append(all, *fault)
		}
	}
	return all, nil
}

// LeftByFormat returns the findings about what ABC or Yosys do not read as it is meant.
func (s *syntax) LeftByFormat(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.ForOtherReaders(ctx, s.file)
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
	case o.IsBit:
		out.Use = design.AsBit
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
	if m := s.model(v); m != nil {
		for o := range statementOccurrences(s, m.From) {
			add(o)
		}
	} else {
		for o := range s.file.Occurrences(blif.Signal(v)) {
			add(o)
		}
	}
	all = append(all, atInstances(s, v)...)
	sortByPlace(all)
	return all
}

// atInstances returns the places of a port, or of a model, at the instances of the model.
func atInstances(s *syntax, v design.Signal) (all []design.Occurrence) {
	m := s.model(v)
	if m == nil {
		m = s.file.SignalModel(blif.Signal(v))
	}
	if m == nil {
		return nil
	}
	for _, id := range s.file.InstancesOf(m) {
		for o := range statementOccurrences(s, id) {
			if o.Role != blif.RoleInstance && o.Role != blif.RoleFormal {
				continue
			}
			if out, ok := s.occurrence(o); ok && out.Lit.Signal() == v {
				all = append(all, out)
			}
		}
	}
	return all
}

func sortByPlace(all []design.Occurrence) {
	slices.SortStableFunc(all, func(a, b design.Occurrence) int { return a.Span.Start - b.Span.Start })
}

// Uses looks at no more statements of the model of a net than it returns uses of; for a port, at the instances of the
// model too. That an annotation, a state table or the don't-care network mentions a net is no use.
func (s *syntax) Uses(v design.Signal, most int) (first []design.Occurrence, all int) {
	if s.model(v) != nil {
		return design.FirstUses(s.Occurrences(v), most)
	}
	net := blif.Signal(v)
	first = design.FirstOf(func(yield func(design.Occurrence) bool) {
		for o := range s.file.Occurrences(net) {
			if out, ok := s.occurrence(o); ok && o.Role != blif.RoleMention && !yield(out) {
				return
			}
		}
	}, most)
	formals := atInstances(s, v)
	first = append(first, formals...)
	sortByPlace(first)
	all = s.file.CountUses(net) + len(formals)
	if pins := s.file.Resolved().MaybeDriven; int(net) < len(pins) {
		all += int(pins[net])
	}
	return first[:min(most, len(first))], all
}

// statementOccurrences yields the words of one statement that name something.
func statementOccurrences(s *syntax, id int) iter.Seq[blif.Occurrence] {
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
		q := design.Property{ID: p.ID, Name: p.Name, Given: p.Name, Row: p.Span, Rule: p.Kind + ", by " + p.By(),
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

// PropertyRule names the rule, and counts the properties of each kind.
func (s *syntax) PropertyRule() string {
	all := s.file.Properties()
	if len(all) == 0 {
		return ""
	}
	kinds := map[string]int{}
	var order []string
	for _, p := range all {
		kind := p.Kind
		if p.Rule == blif.RuleOutputs {
			kind = "output taken as bad"
		}
		if kinds[kind]++; kinds[kind] == 1 {
			order = append(order, kind)
		}
	}
	var parts []string
	for _, kind := range order {
		parts = append(parts, fmt.Sprintf("%d × %s", kinds[kind], kind))
	}
	by := all[0].By()
	if all[0].Rule == blif.RuleCell && slices.ContainsFunc(all, func(p blif.Property) bool { return p.Rule == blif.RuleCell && p.By() != by }) {
		by = "formal cells" // of several kinds
	}
	return fmt.Sprintf("properties of model %s by %s: %s", s.file.Top().Name, by, strings.Join(parts, ", "))
}

// WithoutProperties says how to write one, and which flags take the outputs.
func (s *syntax) WithoutProperties() string {
	return "the top model has no property: write a line '# prop: bad NET' into it, or name outputs with --bad" + s.whyNoOutputs()
}

// whyNoOutputs says why the outputs are not properties, and which flags make them.
func (s *syntax) whyNoOutputs() string {
	o := s.file.Options().Properties
	top := s.file.Top()
	if top == nil || len(top.Outputs()) == 0 || o.OutputLimit < 0 {
		return ""
	}
	lacksLatches := !o.Combinational && !s.file.HasLatches()
	switch n, limit := s.file.OutputsBeyond(); {
	case n > 0 && lacksLatches:
		return fmt.Sprintf("; it has %d outputs, more than the limit of %d, and no latches: --combinational --output-limit %d takes them all", n, limit, n)
	case n > 0:
		return fmt.Sprintf("; it has %d outputs, more than the limit of %d: --output-limit %d takes them all", n, limit, n)
	case lacksLatches:
		return "; it has no latches: --combinational takes its outputs all the same"
	}
	return ""
}

// Settings, as below aiglens.
const (
	settingCombinational = "blif.combinationalOutputs"
	settingOutputLimit   = "blif.outputLimit"
)

// NoProperties says which rule leaves the outputs of the top model out.
func (s *syntax) NoProperties() (none design.NoProperties) {
	none.Why, none.Setting = whyNone(s)
	return none
}

func whyNone(s *syntax) (why, setting string) {
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
