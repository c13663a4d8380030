package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// instanceFixes are those of .subckt and .gate.
func instanceFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	k, i := f.Locate(f.StatementAt(d.Span.Start).ID)
	c := f.Chunks[k]
	if !c.Stmts[i].Kind.IsInstance() {
		return nil
	}
	b := f.InstanceOf(k, i)
	switch d.Code {
	case codes.UnknownModel:
		return modelFixes(f, k, i, d.Span)
	case codes.UnknownLibrary:
		if near := nearest.Word(f.Text().Slice(d.Span), f.Options().Cells.Names()); near != "" {
			return fix(false, "Replace by "+near, replace(d.Span, near))
		}
	case codes.UnknownFormal:
		open := openPorts(f, k, i, b)
		near := nearest.Word(f.Text().Slice(d.Span), open)
		if near == "" && len(open) == 1 {
			near = open[0]
		}
		if near != "" {
			return fix(false, "Replace by "+near, replace(d.Span, near))
		}
	case codes.MissingInput:
		return connectFix(f, k, i, b)
	case codes.FormalTwice:
		end := pinEnd(f, k, i, d.Span)
		removal := removalAt(f, d.Span)
		return fix(false, "Delete the second connection", source.Edit{Span: source.SpanFromTo(removal.Span.Start, end)})
	case codes.PinEquals:
		return nameFix(f, k, i, b)
	}
	return nil
}

// openPorts returns the ports of an instance that no pin names.
func openPorts(f *blif.File, k, i int, b blif.Block) []string {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	ports := b.Ports()
	for t := lo + 2; t+1 < hi; t += 2 {
		word := c.Word(c.Tokens[t])
		ports = slices.DeleteFunc(ports, func(p string) bool { return p == word })
	}
	return ports
}

// modelFixes offers the nearest model, and a model and a black box with the pins
// of the instance: those that something else drives are inputs. Nothing drives
// the outputs of the new model, so that there is no verdict before something does. Several
// outputs share one net that nothing drives: what is missing is one error, as before.
func modelFixes(f *blif.File, k, i int, span source.Span) []source.Fix {
	name := f.Text().Slice(span)
	var names []string
	for _, m := range f.Models() {
		names = append(names, m.Name)
	}
	var fixes []source.Fix
	if near := nearest.Word(name, names); near != "" {
		fixes = fix(false, "Replace by "+near, replace(span, near))
	}
	c, r := f.Chunks[k], f.Resolved()
	m := f.ModelAt(int(f.Firsts[k]) + i)
	lo, hi := c.TokensOf(i)
	var inputs, outputs, body strings.Builder
	from, count := "undefined", 0
	for t := lo + 2; t+1 < hi; t += 2 {
		if c.Word(c.Tokens[t]) == from {
			from, t = from+"_", lo
		}
	}
	for t := lo + 2; t+1 < hi; t += 2 {
		s := r.Lookup(m.Index, c.Names[t+1])
		if c.Tokens[t+1].Length == 0 && !c.IsNamedPin(t) {
			return fixes
		}
		list := &inputs
		if s == 0 || r.Driver[s] == 0 && r.Facts[s]&(blif.FactInput|blif.FactClock) == 0 {
			list = &outputs
		}
		port := c.Word(c.Tokens[t])
		list.WriteString(" " + port)
		if list == &outputs {
			fmt.Fprintf(&body, ".names %s %s\n1 1\n", from, port)
			from, count = port, count+1
		}
	}
	if count == 1 {
		body.Reset() // the output itself is to be defined
	}
	ports := fmt.Sprintf(".model %s\n.inputs%s\n.outputs%s\n", name, inputs.String(), outputs.String())
	fixes = append(fixes, fix(false, "Create model "+name+", with outputs to be defined", appendLines(f, "\n"+ports+body.String()+".end\n"))...)
	return append(fixes, fix(false, "Declare "+name+" as a black box", appendLines(f, ports+".blackbox\n.end\n"))...)
}

// connectFix connects the inputs that are missing: to the signal of the same
// name when there is one, else to nothing.
func connectFix(f *blif.File, k, i int, b blif.Block) []source.Fix {
	c := f.Chunks[k]
	m := f.ModelAt(int(f.Firsts[k]) + i)
	_, hi := c.TokensOf(i)
	var pins strings.Builder
	missing := openPorts(f, k, i, b)
	for _, in := range b.Inputs() {
		if !slices.Contains(missing, in) {
			continue
		}
		pins.WriteString(" " + in + "=")
		if m.Signal(in) != 0 {
			pins.WriteString(in)
		}
	}
	return fix(false, "Connect"+pins.String(), insert(f.TokenSpan(k, c.Tokens[hi-1]).End(), pins.String()))
}

// pinEnd returns the end of the pin whose formal has a span.
func pinEnd(f *blif.File, k, i int, formal source.Span) int {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	for t := lo + 2; t+1 < hi; t += 2 {
		if f.TokenSpan(k, c.Tokens[t]) == formal {
			return f.TokenSpan(k, c.Tokens[t+1]).End()
		}
	}
	return formal.End()
}

// nameFix writes connections by position as connections by name, in the order
// of the ports.
func nameFix(f *blif.File, k, i int, b blif.Block) []source.Fix {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	ports := b.Ports()
	var edits []source.Edit
	for j, t := 0, lo+2; t+1 < hi; j, t = j+1, t+2 {
		if j >= len(ports) || c.IsNamedPin(t) {
			return nil
		}
		edits = append(edits, insert(f.TokenSpan(k, c.Tokens[t]).Start, ports[j]+"="))
	}
	return fix(false, "Connect the ports in their order", edits...)
}
