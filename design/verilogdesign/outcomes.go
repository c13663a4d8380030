package verilogdesign

import (
	"cmp"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Outcomes say what the texts mean that are open in an editor, by their addresses. They never change.
type Outcomes map[string]Outcome

// Outcome is what an open text means.
type Outcome struct {
	Synthesis *Synthesis
	Path      string // of the text among the sources
	IsCurrent bool   // all sources are as Yosys has read them
	// Read is the last synthesis of the text with a circuit, where Synthesis has none; it may be nil.
	Read *Synthesis
}

// outcomeFor returns the synthesis for a text and the path that it has there; isOlder says that there
// is only one of other texts.
func (o Option) outcomeFor(address string, text source.Text) (s *Synthesis, path string, isOlder bool) {
	s, path = o.Synthesis, address
	isCurrent := true
	if o.Open != nil {
		found := (*o.Open)[address]
		s, path, isCurrent = found.Synthesis, found.Path, found.IsCurrent
	}
	if s == nil {
		return nil, address, false
	}
	i := s.indexOf(path)
	if i < 0 || !isCurrent || !same(s.sources[i].Text, text) {
		return nil, address, i >= 0
	}
	return s, path, false
}

// topFor returns the name of the top module of the design that a text belongs to, or has belonged to.
func (o Option) topFor(address string) string {
	s := o.Synthesis
	if o.Open != nil {
		s = (*o.Open)[address].Synthesis
	}
	if s == nil {
		return ""
	}
	return s.top
}

// TopOf returns the name of the top module where a text declares it. The text may be another one than
// Yosys has read.
func TopOf(d *design.Design) (at source.Span, ok bool) {
	s, ok := d.Syntax().(*fileSyntax)
	if !ok || s.top == "" {
		return at, false
	}
	before := ""
	for t := range signs(s.text.Content()) {
		if t.text == s.top && (before == "module" || before == "macromodule") {
			return t.span, true
		}
		before = t.text
	}
	return at, false
}

// lastRead returns the last synthesis with a circuit for a text that is open, and the path that it has there; nil for none.
func (o Option) lastRead(address string) (s *Synthesis, path string) {
	if o.Open == nil {
		return nil, ""
	}
	found := (*o.Open)[address]
	for _, s := range []*Synthesis{found.Synthesis, found.Read} {
		if s != nil && s.circuit != nil && s.indexOf(found.Path) >= 0 {
			return s, found.Path
		}
	}
	return nil, ""
}

func same(a, b source.Text) bool { return a.Len() == b.Len() && a.Content() == b.Content() }

// earlier returns the properties of earlier versions of a text at their places in this one: of the version that Yosys
// has read last, and of the version before those that the text in between has changed. What is known of them is about
// these versions. All are properties of one synthesis: another one may give their numbers to other statements.
func (s *fileSyntax) earlier(before design.Syntax, o Option, address string) (all []design.Property, of *Synthesis) {
	of, path := o.lastRead(address)
	has := map[circuit.Property]bool{}
	if of != nil {
		then := &fileSyntax{uri: path, text: of.TextOf(path), synthesis: of, whole: s.whole, isFirst: of.indexOf(path) == 0}
		all = s.moved(then.text, then.Properties())
		for _, p := range all {
			has[p.ID] = true
		}
	}
	if old, ok := before.(*fileSyntax); ok && (of == nil || old.propertiesOf() == of) {
		of = old.propertiesOf()
		for _, p := range s.moved(old.text, old.Properties()) {
			if !has[p.ID] {
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b design.Property) int { return cmp.Compare(a.Row.Start, b.Row.Start) })
	return all, of
}

// propertiesOf returns the synthesis that has the properties; nil for none.
func (s *fileSyntax) propertiesOf() *Synthesis {
	if s.hasCircuit() {
		return s.synthesis
	}
	return s.rowsOf
}

// moved returns properties of another version of the text at their places in this one.
func (s *fileSyntax) moved(from source.Text, properties []design.Property) (all []design.Property) {
	prefix, suffix := source.Common(from, s.text)
	end, longer := from.Len()-suffix, s.text.Len()-from.Len()
	for _, p := range properties {
		switch {
		case p.Row.End() <= prefix:
		case p.Row.Start >= end:
			p.Row.Start += longer
		case p.Row.Start <= prefix && p.Row.End() >= end:
			p.Row.Length += longer
		case p.Row.Start < prefix: // it begins as it did
			p.Row.Length = min(p.Row.Length, s.text.LineSpan(s.text.LineAt(p.Row.Start)).End()-p.Row.Start)
		default:
			continue
		}
		all = append(all, p)
	}
	return all
}

// unread is the elaboration of an open text that Yosys has not read as it is: no property has a
// verdict.
type unread struct {
	design.Flat
	reason error
}

func (s *fileSyntax) unread(reason error) unread {
	return unread{design.NewFlat(noCircuit{}, s.text, s), reason}
}

// Broken returns the reason.
func (u unread) Broken() *source.Diagnostic {
	return &source.Diagnostic{Severity: source.Error, Code: codeError, Message: u.reason.Error()}
}

// Sound returns the reason.
func (u unread) Sound() ([]source.Diagnostic, error) { return nil, u.reason }

type noCircuit struct{}

func (noCircuit) Circuit() *circuit.Circuit                 { return circuit.NewBuilder(0).Build() }
func (noCircuit) LitOf(design.Lit) (circuit.Lit, bool)      { return 0, false }
func (noCircuit) Fault(circuit.Property) *source.Diagnostic { return nil }
func (noCircuit) OriginLine(circuit.Origin) int             { return -1 }
