package blif

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/source"
)

// instanceFixes are those of .subckt and .gate.
func (f *File) instanceFixes(d source.Diagnostic) []source.Fix {
	k, i := f.at(f.StatementAt(d.Span.Start).ID)
	c := f.chunks[k]
	if !c.stmts[i].kind.isInstance() {
		return nil
	}
	b := f.instanceOf(k, i)
	switch d.Code {
	case CodeUnknownModel:
		return f.modelFixes(k, i, d.Span)
	case CodeUnknownLibrary:
		if near := nearest(f.text.Slice(d.Span), f.options.Cells.Names()); near != "" {
			return fix(false, "Replace by "+near, replace(d.Span, near))
		}
	case CodeUnknownFormal:
		open := f.openPorts(k, i, b)
		near := nearest(f.text.Slice(d.Span), open)
		if near == "" && len(open) == 1 {
			near = open[0]
		}
		if near != "" {
			return fix(false, "Replace by "+near, replace(d.Span, near))
		}
	case CodeMissingInput:
		return f.connectFix(k, i, b)
	case CodeFormalTwice:
		end := f.pinEnd(k, i, d.Span)
		removal := f.removalAt(d.Span)
		return fix(false, "Delete the second connection", source.Edit{Span: source.SpanFromTo(removal.Span.Start, end)})
	case CodePinEquals:
		return f.nameFix(k, i, b)
	}
	return nil
}

// openPorts returns the ports of an instance that no pin names.
func (f *File) openPorts(k, i int, b block) []string {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	ports := b.ports()
	for t := lo + 2; t+1 < hi; t += 2 {
		word := c.word(c.toks[t])
		ports = slices.DeleteFunc(ports, func(p string) bool { return p == word })
	}
	return ports
}

// modelFixes offers the nearest model, and a model and a black box with the pins
// of the instance: those that something else drives are inputs. Nothing drives
// the outputs of the new model, so that there is no verdict before something does.
func (f *File) modelFixes(k, i int, span source.Span) []source.Fix {
	name := f.text.Slice(span)
	var names []string
	for _, m := range f.Models() {
		names = append(names, m.Name)
	}
	var fixes []source.Fix
	if near := nearest(name, names); near != "" {
		fixes = fix(false, "Replace by "+near, replace(span, near))
	}
	c, r := f.chunks[k], f.resolved()
	m := f.ModelAt(int(f.stmts[k]) + i)
	lo, hi := c.tokens(i)
	var inputs, outputs strings.Builder
	for t := lo + 2; t+1 < hi; t += 2 {
		s := r.lookup(m.Index, c.ids[t+1])
		if c.toks[t+1].length == 0 && !c.isNamedPin(t) {
			return fixes
		}
		list := &inputs
		if s == 0 || r.driver[s] == 0 && r.facts[s]&(factInput|factClock) == 0 {
			list = &outputs
		}
		list.WriteString(" " + c.word(c.toks[t]))
	}
	ports := fmt.Sprintf(".model %s\n.inputs%s\n.outputs%s\n", name, inputs.String(), outputs.String())
	fixes = append(fixes, fix(false, "Create model "+name+", with outputs to be defined", f.appendLines("\n"+ports+".end\n"))...)
	return append(fixes, fix(false, "Declare "+name+" as a black box", f.appendLines(ports+".blackbox\n.end\n"))...)
}

// connectFix connects the inputs that are missing: to the signal of the same
// name when there is one, else to nothing.
func (f *File) connectFix(k, i int, b block) []source.Fix {
	c := f.chunks[k]
	m := f.ModelAt(int(f.stmts[k]) + i)
	_, hi := c.tokens(i)
	var pins strings.Builder
	missing := f.openPorts(k, i, b)
	for _, in := range b.inputs() {
		if !slices.Contains(missing, in) {
			continue
		}
		pins.WriteString(" " + in + "=")
		if m.Signal(in) != 0 {
			pins.WriteString(in)
		}
	}
	return fix(false, "Connect"+pins.String(), insert(f.span(k, c.toks[hi-1]).End(), pins.String()))
}

// pinEnd returns the end of the pin whose formal has a span.
func (f *File) pinEnd(k, i int, formal source.Span) int {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	for t := lo + 2; t+1 < hi; t += 2 {
		if f.span(k, c.toks[t]) == formal {
			return f.span(k, c.toks[t+1]).End()
		}
	}
	return formal.End()
}

// nameFix writes connections by position as connections by name, in the order
// of the ports.
func (f *File) nameFix(k, i int, b block) []source.Fix {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	ports := b.ports()
	var edits []source.Edit
	for j, t := 0, lo+2; t+1 < hi; j, t = j+1, t+2 {
		if j >= len(ports) || c.isNamedPin(t) {
			return nil
		}
		edits = append(edits, insert(f.span(k, c.toks[t]).Start, ports[j]+"="))
	}
	return fix(false, "Connect the ports in their order", edits...)
}

// textFixes are those of white space and comments.
func (f *File) textFixes(d source.Diagnostic) []source.Fix {
	line := f.text.LineAt(d.Span.Start)
	switch d.Code {
	case CodeJoinSpace:
		span := f.text.LineSpan(line)
		rest := source.SpanFromTo(d.Span.End(), span.End())
		behind := f.text.Slice(rest)
		comment := strings.TrimSpace(behind)
		if comment == "" {
			return fix(true, "Delete the white space", source.Edit{Span: source.Span{Start: rest.Start, Length: len(strings.TrimRight(behind, "\r"))}})
		}
		start := f.text.LineStart(f.text.LineAt(f.StatementAt(d.Span.Start).Span.Start))
		return fix(propertyPrefix(comment) == 0, "Move the comment to its own line", insert(start, ownLine(comment)), source.Edit{Span: rest})
	case CodeJoinEnd:
		from := d.Span.Start
		for from > 0 && isBlank(f.text.Byte(from-1)) {
			from--
		}
		return fix(true, "Delete the \\", source.Edit{Span: source.SpanFromTo(from, d.Span.End())})
	case CodeComment:
		comment := f.text.Slice(d.Span)
		return fix(propertyPrefix(comment) == 0, "Move the comment to its own line",
			insert(f.StatementAt(d.Span.Start).Span.Start, ownLine(comment)), f.commentRemoval(d.Span))
	case CodePragmaIgnored:
		return f.propertyFix(d)
	case CodeCommentJoin:
		from := d.Span.End()
		for from > 0 && (isBlank(f.text.Byte(from-1)) || f.text.Byte(from-1) == '\\') {
			from--
		}
		return fix(true, "Delete the \\", source.Edit{Span: source.SpanFromTo(from, d.Span.End())})
	case CodeIndentation:
		return fix(true, "Remove the indentation", source.Edit{Span: d.Span})
	}
	return nil
}
