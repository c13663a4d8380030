package debug

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// rows are the lines of the texts of a circuit, as places of breakpoints.
type rows struct {
	text
	words  *words.Words
	others func() map[string]map[int][]named // signals of files without a text of their own, by path and line
	// statements are properties by text and line.
	statements func() map[*design.Design]map[int][]named
}

// textAt returns the text of a path; nil for a file without one.
func (r *rows) textAt(path string) *design.Design {
	if path == "" {
		return r.doc
	}
	return r.elsewhere[path]
}

// definitionsOn returns the signals that a line of a file defines, else those that it assigns or
// names as properties or as bits of a word, in text order; path is "" for the text of the session. A signal of a model
// stands there once for each instance.
func (r *rows) definitionsOn(path string, line int) []named {
	doc := r.textAt(path)
	if doc == nil {
		return r.others()[path][line]
	}
	if line < 0 || line >= doc.Text.NumLines() {
		return nil
	}
	span := doc.Text.LineSpan(line)
	var all, uses []named
	for o := range doc.OccurrencesIn(span) {
		switch {
		case doc.Text.LineAt(o.Span.Start) != line:
		case o.Role == design.RoleDefinition:
			all = append(all, r.signalsAt(doc, o.Lit.Signal().Lit(), o.Span)...)
		case o.Use == design.AsProperty || o.Use == design.AsAssigned || o.Use == design.AsBit:
			uses = append(uses, r.signalsAt(doc, o.Lit, o.Span)...)
		}
	}
	if len(all) > 0 {
		return all
	}
	if s, ok := doc.SymbolAt(span.Start); ok && s.HasLit {
		return r.signalsAt(doc, s.Lit, s.NameSpan)
	}
	return append(uses, r.statements()[doc][line]...)
}

// findStatements returns the properties that statements make, by text and line, each with the literal
// that says where it fails.
func (r *rows) findStatements() map[*design.Design]map[int][]named {
	found := map[*design.Design]map[int][]named{}
	add := func(doc *design.Design) {
		found[doc] = map[int][]named{}
		for _, p := range doc.Properties() {
			if p.Statement == "" || p.Row.Length == 0 {
				continue
			}
			if bad, ok := design.BadOf(r.doc, p.ID); ok {
				line := doc.Text.LineAt(p.Row.Start)
				found[doc][line] = append(found[doc][line], named{name: p.Name, lit: bad, span: p.Row})
			}
		}
	}
	add(r.doc)
	for _, doc := range r.elsewhere {
		add(doc)
	}
	return found
}

// signalsAt returns a literal of a text in each instance of its model, or the words that it stands for.
func (r *rows) signalsAt(doc *design.Design, l design.Lit, span source.Span) []named {
	var all []named
	for _, w := range r.wordsOf(doc, l.Signal()) {
		at := slices.IndexFunc(w.Bits, func(b design.Bit) bool { return !b.Missing })
		if at >= 0 && len(all) < maxBreakpointCopies {
			all = append(all, named{name: w.Name, lit: w.Bits[at].Lit, span: span, word: w})
		}
	}
	if len(all) > 0 {
		return all
	}
	return r.copiesAt(doc, l, span)
}

// wordsOf returns the words that a signal of a text of the circuit stands for.
func (r *rows) wordsOf(doc *design.Design, s design.Signal) []*design.Word {
	known := r.words
	if doc != r.doc {
		var err error
		if known, err = words.Of(context.Background(), doc); err != nil {
			return nil
		}
	}
	return known.OfSignal(s)
}

// watched returns the expressions whose values say where a signal or word changes.
func (n named) watched() (all []*expression.Expr) {
	if n.word == nil {
		return []*expression.Expr{expression.Signal(n.lit, n.name)}
	}
	for _, b := range n.word.Bits {
		if !b.Missing {
			all = append(all, expression.Signal(b.Lit, n.name))
		}
	}
	return all
}

// copiesAt returns a literal of a text in each instance of its model.
func (r *rows) copiesAt(doc *design.Design, l design.Lit, span source.Span) []named {
	name := doc.Name(l.Signal())
	var all []named
	for _, c := range doc.Copies(l, maxBreakpointCopies) {
		n := named{name: name, lit: c.Lit, span: span}
		switch {
		case name == "":
			n.name = literalName(l)
		case l.IsNegated():
			n.name = "!" + expression.Quote(name)
		}
		switch {
		case c.Name != "":
			n.name = c.Name
		case c.Path != "":
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
func (r *rows) definitionsFrom(path string, line int) (all []named, at int) {
	if path == "" && line >= 0 && line < r.doc.Text.NumLines() && len(r.definitionsOn("", line)) == 0 {
		span := r.doc.Text.LineSpan(line)
		text := r.doc.Text.Line(line)
		blank := len(text) - len(strings.TrimLeft(text, " \t"))
		if row, ok := r.doc.RowAt(span.Start + blank); ok && blank < len(text) && row.Span.Contains(span.Start+blank) {
			if at := r.doc.Text.LineAt(row.Span.Start); len(r.definitionsOn("", at)) > 0 {
				return r.definitionsOn("", at), at
			}
		}
	}
	end := line + maxMoved
	if doc := r.textAt(path); doc != nil {
		end = min(end, doc.Text.NumLines()-1)
	}
	for at := max(line, 0); at <= end; at++ {
		if all := r.definitionsOn(path, at); len(all) > 0 {
			return all, at
		}
	}
	return nil, line
}

// literalName is what an expression calls a signal without a name.
func literalName(l design.Lit) string { return fmt.Sprint(uint32(l)) }
