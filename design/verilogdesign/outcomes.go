package verilogdesign

import (
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

func same(a, b source.Text) bool { return a.Len() == b.Len() && a.Content() == b.Content() }

// earlier returns the properties of an earlier version of a text at their places in this one. What
// is known of them is about that version.
func (s *fileSyntax) earlier(before design.Syntax) []design.Property {
	old, ok := before.(*fileSyntax)
	if !ok {
		return nil
	}
	prefix, suffix := source.Common(old.text, s.text)
	end, longer := old.text.Len()-suffix, s.text.Len()-old.text.Len()
	var all []design.Property
	for _, p := range old.Properties() {
		switch {
		case p.Row.End() <= prefix:
		case p.Row.Start >= end:
			p.Row.Start += longer
		case p.Row.Start <= prefix && p.Row.End() >= end:
			p.Row.Length += longer
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
