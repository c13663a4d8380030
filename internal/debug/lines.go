package debug

import (
	"fmt"
	"strings"

	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/internal/source"
)

// definitionsOn returns the signals that a line of a file defines or names, in text
// order; path is "" for the text of the session. A signal of a model stands there once
// for each instance.
func (t *target) definitionsOn(path string, line int) []named {
	if path != "" {
		return t.others()[path][line]
	}
	if line < 0 || line >= t.doc.Text.NumLines() {
		return nil
	}
	span := t.doc.Text.LineSpan(line)
	var all, uses []named
	for o := range t.doc.OccurrencesIn(span) {
		switch {
		case t.doc.Text.LineAt(o.Span.Start) != line:
		case o.Role == design.RoleDefinition:
			all = append(all, t.copiesAt(o.Lit.Signal().Lit(), o.Span)...)
		case o.Use == design.AsProperty:
			uses = append(uses, t.copiesAt(o.Lit, o.Span)...)
		}
	}
	if len(all) > 0 {
		return all
	}
	if s, ok := t.doc.SymbolAt(span.Start); ok && s.HasLit {
		return t.copiesAt(s.Lit, s.NameSpan)
	}
	return uses
}

// copiesAt returns a literal of the text in each instance of its model.
func (t *target) copiesAt(l design.Lit, span source.Span) []named {
	name := t.doc.Name(l.Signal())
	var all []named
	for _, c := range t.doc.Copies(l, maxBreakpointCopies) {
		n := named{name, c.Lit, span}
		switch {
		case name == "":
			n.name = literalName(l)
		case l.IsNegated():
			n.name = "!" + expression.Quote(name)
		}
		if c.Path != "" {
			n.name = c.Path + "/" + n.name
		}
		all = append(all, n)
	}
	return all
}

// maxBreakpointCopies bounds the instances of a model in which a breakpoint looks.
const maxBreakpointCopies = 1000

// maxMoved bounds the lines over which a breakpoint is moved.
const maxMoved = 10_000

// definitionsFrom returns the definitions of a line, of the row that it belongs to, or
// of the first line below that has any.
func (t *target) definitionsFrom(path string, line int) (all []named, at int) {
	if path == "" && line >= 0 && line < t.doc.Text.NumLines() && len(t.definitionsOn("", line)) == 0 {
		span := t.doc.Text.LineSpan(line)
		text := t.doc.Text.Line(line)
		blank := len(text) - len(strings.TrimLeft(text, " \t"))
		if r, ok := t.doc.RowAt(span.Start + blank); ok && blank < len(text) && r.Span.Contains(span.Start+blank) {
			if at := t.doc.Text.LineAt(r.Span.Start); len(t.definitionsOn("", at)) > 0 {
				return t.definitionsOn("", at), at
			}
		}
	}
	end := line + maxMoved
	if path == "" {
		end = min(end, t.doc.Text.NumLines()-1)
	}
	for at := max(line, 0); at <= end; at++ {
		if all := t.definitionsOn(path, at); len(all) > 0 {
			return all, at
		}
	}
	return nil, line
}

// literalName is what an expression calls a signal without a name.
func literalName(l design.Lit) string { return fmt.Sprint(uint32(l)) }
