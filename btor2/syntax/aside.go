package syntax

import (
	"strings"

	"aiglens/internal/propline"
	"aiglens/internal/source"
)

// An aside is a line of a comment that makes a property, which other tools skip:
//
//	; prop: lemma NODE "label"
//	; prop: cover NODE "label"
//
// It is a row without a number. NODE is that of a row of one bit before it, with a sign for its negation. A fault of an
// aside makes no other row unsound: there is no such property.

// asideGrammar is how asides name rows.
var asideGrammar = propline.Grammar{Sign: '-', Max: maxID}

var asideWords = propline.Words{
	Format: "BTOR2", Target: "the number of a row", Targets: "one of one bit, with - for its negation", Written: "the number of a row",
	Syntax: codePropSyntax, Unknown: codePropIgnored, Number: CodePropNode,
}

// WriteAside returns the line of an aside with its line end.
func WriteAside(o Op, node, label string) string {
	return "; " + propline.Write(propline.Kind(o-Lemma), node, label)
}

// readAside reads the comment of a line without words as an aside. It reports whether it is one, or looks like that.
func (s *scan) readAside() bool {
	a, ok := asideGrammar.Read(s.line, s.comment+1)
	if !ok {
		return false
	}
	s.id, s.tag = word{s.comment, a.Start + len(propline.Prefix)}, wordAt(a.Keyword)
	s.comment = len(s.line)
	s.op, s.needed, s.odd = Lemma+Op(a.Kind), 1, 0
	switch {
	case a.Form != propline.Sound || !a.IsNumber:
		s.id, s.odd = word{a.Start, len(a.Text)}, oddAside
	case a.IsNegated:
		s.words, s.args = append(s.words, wordAt(a.Target)), append(s.args, -int64(a.Number))
	default:
		s.words, s.args = append(s.words, wordAt(a.Target)), append(s.args, int64(a.Number))
	}
	if a.Label.To > 0 {
		s.label = wordAt(a.Label)
	}
	return true
}

func wordAt(p propline.Part) word { return word{p.From, p.To} }

// reportAside says what is wrong with the words of an aside.
func reportAside(r *finder) {
	s := r.rescan()
	a, _ := asideGrammar.Read(s.line, strings.IndexByte(s.line, ';')+1)
	add := func(code source.Code, span source.Span, format string, values ...any) *source.Diagnostic {
		d := r.wrong(code, whole, format, values...)
		if d != nil {
			d.Span = span
		}
		if code != codePropSyntax {
			deleteLine(r, d)
		}
		return d
	}
	if a.Form == propline.Sound {
		add(CodePropNode, a.Target.Span(r.start), "no property: the number of a row is expected, found %s", a.Target.In(a.Text))
	}
	a.Report(add, r.start, asideGrammar, asideWords)
}

// resolveAside resolves the node of an aside.
func resolveAside(r *resolver) {
	r.now.sort = span32{width: 1}
	if len(r.args) == 0 {
		return
	}
	id := r.args[0]
	row, ok := r.target(0)
	switch {
	case !ok:
		noProperty(&r.finder, "no row has the number %d", max(id, -id))
		return
	case row > r.n:
		if d := noProperty(&r.finder, "row %d stands after this line, and a line can name only rows before it", max(id, -id)); d != nil {
			d.Relate(r.idSpan(row), "row %d", max(id, -id))
		}
		return
	}
	to := r.rows[row]
	if r.refs[0] = signed(row, id); !to.sound || !to.sort.known() {
		r.now.sound = false
		r.notChecked(row)
	}
	if to.op != NoOp && !to.op.HasValue() || to.sort.known() && to.sort != (span32{width: 1}) {
		what := to.sort.sort().String()
		if !to.op.HasValue() {
			what = to.op.article()
		}
		if d := noProperty(&r.finder, "a row of 1 bit is expected, found row %d, which is %s", max(id, -id), what); d != nil {
			d.Relate(r.idSpan(row), "row %d", max(id, -id))
		}
	}
}

// noProperty notes why an aside makes no property, at its node.
func noProperty(r *finder, format string, values ...any) *source.Diagnostic {
	d := r.wrong(CodePropNode, 0, "no property: "+format, values...)
	deleteLine(r, d)
	return d
}

// deleteLine adds the fix that deletes an aside.
func deleteLine(r *finder, d *source.Diagnostic) {
	if d != nil {
		d.AddFix("Delete the line", source.Edit{Span: r.lineSpan()})
	}
}

// listAside lists an aside if it makes a property: if it names a row whose value has one bit, as far as that is known. One that
// makes none has no argument.
func (m *Model) listAside(n int, node *Node) {
	if len(node.Args) > 0 && node.Args[0] != NoRef {
		to := &m.Nodes[node.Args[0].Node()]
		switch isBit := to.Op == NoOp || to.Op.HasValue() && (to.Sort == Sort{Width: 1} || to.Sort == Sort{}); {
		case isBit && node.Op == Lemma:
			m.Lemmas = append(m.Lemmas, n)
			return
		case isBit:
			m.Covers = append(m.Covers, n)
			return
		}
	}
	node.Args, node.Sound = nil, true
}
