package edit

import (
	"context"
	"strings"

	"aiglens/horn/syntax"
	"aiglens/internal/source"
)

// Format returns the edits that give each command its lines: one if it fits, else its parts below each other. Words,
// comments and single blank lines between commands stay. A command whose characters are wrong, so that its parentheses
// may be, stays as it is. The error is that of the context.
func Format(ctx context.Context, f *syntax.File) ([]source.Edit, error) {
	x := formatter{file: f, text: f.Text().Content(), newline: "\n"}
	if strings.Contains(x.text, "\r\n") {
		x.newline = "\r\n"
	}
	for k := range f.NumForms() {
		if k%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x.form(k)
	}
	return x.edits, nil
}

// Bounds of the layout: how long lines are, and from where nested lists are indented no further.
const (
	width     = 100
	indented  = 2
	maxIndent = 60
)

// formatter writes one form after the other.
type formatter struct {
	file    *syntax.File
	text    string
	newline string
	edits   []source.Edit
	isKept  bool // the form before stays as it is

	b      strings.Builder
	column int
	// open holds while a comment ends the line: what follows begins another one.
	open bool
}

// form formats a form with what stands before it.
func (x *formatter) form(k int) {
	span := x.file.FormText(k)
	if x.file.HasFault(k) {
		x.isKept = true
		return
	}
	x.b.Reset()
	x.column, x.open = 0, false
	list, ok := x.file.Layout(k)
	end := span.End()
	if ok {
		end = list.Span.Start
	}
	if gap := x.text[span.Start:end]; x.isKept {
		x.b.WriteString(gap) // where the form before ends may depend on it
	} else {
		x.between(gap, k == 0, !ok)
	}
	x.isKept = false
	if ok {
		x.node(list, 0)
		if k == x.file.NumForms()-1 {
			x.b.WriteString(x.newline)
		}
	}
	if want := x.b.String(); want != x.text[span.Start:span.End()] {
		x.edits = append(x.edits, source.Edit{Span: span, NewText: want})
	}
}

// comment is a comment with what stands before it.
type comment struct {
	text     string
	ownLine  bool
	isSpaced bool // an empty line is before it
}

// comments returns the comments in what stands between two words, and whether an empty line is after the last.
func comments(gap string) (all []comment, isSpaced bool) {
	lines := 0
	for gap != "" {
		switch gap[0] {
		case ';':
			line, rest, found := strings.Cut(gap, "\n")
			all = append(all, comment{strings.TrimRight(line, " \t\r"), lines > 0, lines > 1})
			lines = 0
			if found {
				lines = 1
			}
			gap = rest
			continue
		case '\n':
			lines++
		}
		gap = gap[1:]
	}
	return all, lines > 1
}

// between writes what stands between two forms: comments, at most one empty line in a row, none at the start and the
// end of the text.
func (x *formatter) between(gap string, isFirst, isLast bool) {
	all, isSpaced := comments(gap)
	isEmpty := isFirst // nothing is written yet
	for i, c := range all {
		switch {
		case isEmpty:
		case !c.ownLine && i == 0:
			x.b.WriteByte(' ')
		case c.isSpaced:
			x.b.WriteString(x.newline + x.newline)
		default:
			x.b.WriteString(x.newline)
		}
		x.b.WriteString(c.text)
		isEmpty = false
	}
	switch {
	case isEmpty:
	case isSpaced && !isLast:
		x.b.WriteString(x.newline + x.newline)
	default:
		x.b.WriteString(x.newline)
	}
}

func (x *formatter) write(s string) {
	x.b.WriteString(s)
	x.column += len(s)
}

// breakLine starts a line at an indent.
func (x *formatter) breakLine(indent int) {
	indent = min(indent, maxIndent)
	x.b.WriteString(x.newline)
	x.b.WriteString(strings.Repeat(" ", indent))
	x.column, x.open = indent, false
}

// flat returns a node in one line; ok is false for one with a comment or a line end in it, or of more than room bytes.
func (x *formatter) flat(n syntax.Node, room int) (s string, ok bool) {
	if n.Span.Length > 40*width { // blanks may be left out, but hardly so many
		return "", false
	}
	var b strings.Builder
	if !x.flatten(n, &b) || b.Len() > room {
		return "", false
	}
	return b.String(), true
}

func (x *formatter) flatten(n syntax.Node, b *strings.Builder) bool {
	if !n.IsList {
		word := x.text[n.Span.Start:n.Span.End()]
		b.WriteString(word)
		return !strings.Contains(word, "\n")
	}
	b.WriteByte('(')
	at := n.Span.Start + 1
	for i, item := range n.Items {
		if strings.Contains(x.text[at:item.Span.Start], ";") || b.Len() > 2*width {
			return false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if !x.flatten(item, b) {
			return false
		}
		at = item.Span.End()
	}
	b.WriteByte(')')
	return !strings.Contains(x.text[at:n.Span.End()], ";")
}

// node writes a node; so many parentheses follow it in its line.
func (x *formatter) node(n syntax.Node, closing int) {
	if s, ok := x.flat(n, width-x.column-closing); ok || !n.IsList {
		if !ok {
			s = x.text[n.Span.Start:n.Span.End()]
		}
		x.write(s)
		return
	}
	indent, at, isKeyword := x.column, n.Span.Start+1, false
	x.write("(")
	inner := indent + indented
	if len(n.Items) > 0 && n.Items[0].IsList {
		inner = indent + 1
	}
	head, isFilled := x.headOf(n), x.isFilled(n)
	for i, item := range n.Items {
		after := 0
		if i == len(n.Items)-1 {
			after = closing + 1
		}
		isBroken := x.comments(x.text[at:item.Span.Start], inner)
		at = item.Span.End()
		switch flat, fits := x.flat(item, width-x.column-1-after); {
		case isBroken || x.open:
			x.breakLine(inner)
		case i == 0:
		case i < head, isKeyword, isFilled && fits && x.column+1+len(flat)+after <= width:
			x.write(" ")
		default:
			x.breakLine(inner)
		}
		x.node(item, after)
		isKeyword = x.text[item.Span.Start] == ':'
	}
	if x.comments(x.text[at:n.Span.End()-1], inner) || x.open {
		x.breakLine(indent)
	}
	x.write(")")
}

// comments writes the comments between two words, and reports whether there were any: what follows begins a line.
func (x *formatter) comments(gap string, indent int) bool {
	all, _ := comments(gap)
	for _, c := range all {
		if c.ownLine || x.open {
			x.breakLine(indent)
		} else if last := x.b.String(); !strings.HasSuffix(last, "(") {
			x.write(" ")
		}
		x.write(c.text)
		x.open = true
	}
	return len(all) > 0
}

// headOf returns how many items of a list stand in its first line: the word, and of some what it declares or binds.
func (x *formatter) headOf(n syntax.Node) int {
	if len(n.Items) == 0 || n.Items[0].IsList {
		return 1
	}
	switch x.text[n.Items[0].Span.Start:n.Items[0].Span.End()] {
	case "forall", "exists", "let", "!":
		return 2
	case "declare-fun", "declare-rel":
		return 3
	case "define-fun":
		return 4
	}
	return 1
}

// isFilled reports whether a list has as many items in a line as fit: those of declarations and of words alone.
func (x *formatter) isFilled(n syntax.Node) bool {
	if len(n.Items) > 0 && n.Items[0].IsList {
		for _, item := range n.Items {
			for _, part := range item.Items {
				if part.IsList && len(part.Items) > 3 {
					return false // terms of let
				}
			}
		}
		return true
	}
	for _, item := range n.Items {
		if item.IsList {
			return false
		}
	}
	return true
}
