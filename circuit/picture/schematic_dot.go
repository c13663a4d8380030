package picture

import (
	"fmt"
	"html"
	"strings"
	"unicode"

	"aiglens/circuit"
)

// Words are what stands in a picture beside its shapes.
type Words struct {
	// Name returns what the value of a node is called, of a Root what is shown; "" for
	// nothing. at is the position of the node.
	Name func(at int) string
	// Bit returns the index of a bit of a Bus or Register: "[3]".
	Bit func(at, bit int) string
	// Reset returns how a Latch or Register starts, in a word or two.
	Reset func(at int) string
	// Model returns what an Instance is one of; "" for nothing.
	Model func(at int) string
	// Pin returns what a pin of an Instance is called, and PinBit the index of a bit of the word
	// that it is.
	Pin    func(at, pin int) string
	PinBit func(at, pin, bit int) string
	// Scopes returns the open boxes around a node, outermost first, by any numbers; nil stands for
	// a picture without them. Scope returns what one is called.
	Scopes func(at int) []int
	Scope  func(scope int) string
}

// bit returns the index of the bit that a wire leaves.
func (w Words) bit(o Operand) string {
	if o.Pin > 0 {
		return w.PinBit(o.Node, o.Pin-1, o.Bit-1)
	}
	return w.Bit(o.Node, o.Bit-1)
}

// ResetOf says how a latch of c starts; "" where a function gives the first value.
func ResetOf(c *circuit.Circuit, latch circuit.Lit) string {
	switch l := c.Latches()[c.LatchIndex(latch.Var())]; {
	case l.IsFree():
		return "starts free"
	case l.HasFunction():
		return ""
	default:
		return fmt.Sprintf("starts %d", l.Reset)
	}
}

// maxName is the number of characters of a name that are drawn.
const maxName = 40

// labelFont is that of boxes: all of its characters are as wide, in whatever font of this kind a page
// draws them, so that boxes are as wide as their labels.
const labelFont = `fontname=Courier, fontsize=10`

// NodeID is what a picture calls the node or state at a position: the id of a group in an SVG
// that Graphviz makes.
func NodeID(at int) string { return fmt.Sprintf("n%d", at) }

// ScopeID is what a picture calls an open box by its number: the id of a group in an SVG.
func ScopeID(scope int) string { return fmt.Sprintf("s%d", scope) }

// PinID is what wires are of the class "leaves-" with, by the pin of an Instance that they leave.
func PinID(at, pin int) string { return fmt.Sprintf("%s-%d", NodeID(at), pin) }

func pinPort(pin int) string { return fmt.Sprintf("p%d", pin) }

// DOT returns the graph in the language of Graphviz, from left to right. Nodes and wires have
// classes, which come through to SVG: a node its kind and "cut", a wire "wire", "inverted"
// where it has a bubble, and "from-" with the id of the node that it leaves. The symbols of
// the gates are those of IEC 60617-12.
func (g *Schematic) DOT(w Words) string {
	var out strings.Builder
	out.WriteString("digraph schematic {\n" +
		"rankdir=LR; bgcolor=transparent; nodesep=0.18; ranksep=0.45;\n" +
		"node [shape=box, " + labelFont + ", height=0.3, width=0.4, margin=\"0.08,0.04\"];\n" +
		"edge [arrowsize=0.4, fontname=Courier];\n")
	out.WriteString(g.effort())
	g.writeNodes(&out, w)
	told := make([]bool, len(g.Nodes)) // the width of what leaves a node without a box stands at the first wire
	for at, n := range g.Nodes {
		for i, o := range n.Operands {
			class, head, from := "wire from-"+NodeID(o.Node), "", NodeID(o.Node)+":e"
			if o.Pin > 0 {
				class, from = class+" leaves-"+PinID(o.Node, o.Pin-1), fmt.Sprintf("%s:%s:e", NodeID(o.Node), pinPort(o.Pin-1))
			}
			if o.Negated {
				class, head = class+" inverted", ", arrowhead=odot, arrowsize=0.7"
			}
			switch isWord := isWord(o, g.Nodes); {
			case isWord && o.Bit > 0:
				head += fmt.Sprintf(", headlabel=\"%s\", labelfontsize=8, labeldistance=2, labelangle=20", Quoted(w.bit(o)))
			case isWord:
				class, head = class+" bus", head+", penwidth=3"
			}
			if width := g.Nodes[o.Node].Width; width != "" && !told[o.Node] && g.Nodes[o.Node].isPlain() {
				told[o.Node] = true
				head += fmt.Sprintf(", taillabel=\"%s\", labelfontsize=8, labeldistance=1.3, labelangle=35", Quoted(width))
			}
			fmt.Fprintf(&out, "%s -> %s [class=\"%s\"%s];\n", from, g.entry(at, i), class, head)
		}
	}
	out.WriteString("}\n")
	return out.String()
}

// Numbers of wires from which Graphviz takes less trouble. With its own bounds 300 nodes of a
// dense cone take it seconds, nearly all of them for the curves around the boxes and for the order
// of the nodes: straight wires and a few rounds take a tenth.
const (
	manyWires    = 300
	tooManyWires = 450
)

// effort bounds the work of Graphviz by the number of wires.
func (g *Schematic) effort() string {
	wires := 0
	for _, n := range g.Nodes {
		wires += len(n.Operands)
	}
	switch {
	case wires >= tooManyWires:
		return "nslimit=0.3; nslimit1=0.5; mclimit=0.03; splines=line;\n"
	case wires >= manyWires:
		return "nslimit=1; nslimit1=1; mclimit=0.1;\n"
	}
	return ""
}

// symbols are what stands in the boxes of gates.
var symbols = map[Kind]string{And: "&", Or: "≥1", Xor: "=1", Mux: "MUX"}

// writeNodes writes the nodes, those in open boxes as clusters.
func (g *Schematic) writeNodes(out *strings.Builder, w Words) {
	if w.Scopes == nil {
		w.Scopes = func(int) []int { return nil }
	}
	around := make([][]int, len(g.Nodes))
	for at := range g.Nodes {
		around[at] = w.Scopes(at)
	}
	var write func(nodes []int, depth int)
	write = func(nodes []int, depth int) {
		inside := map[int][]int{}
		for _, at := range nodes {
			if len(around[at]) > depth {
				inside[around[at][depth]] = append(inside[around[at][depth]], at)
			}
		}
		for _, at := range nodes {
			if len(around[at]) == depth {
				g.writeNode(out, at, w)
				continue
			}
			scope := around[at][depth]
			if inside[scope][0] != at {
				continue
			}
			fmt.Fprintf(out, "subgraph cluster_%s {\nid=\"%s\"; class=\"scope\"; label=\"− %s\"; labeljust=l; %s; style=rounded; margin=10;\n",
				ScopeID(scope), ScopeID(scope), Quoted(Shortened(w.Scope(scope))), strings.ReplaceAll(labelFont, ",", ";"))
			write(inside[scope], depth+1)
			out.WriteString("}\n")
		}
	}
	all := make([]int, len(g.Nodes))
	for at := range all {
		all[at] = at
	}
	write(all, 0)
}

func (g *Schematic) writeNode(out *strings.Builder, at int, w Words) {
	n := g.Nodes[at]
	name, style, class := Shortened(w.Name(at)), "solid", n.Kind.String()
	if n.Cut {
		style, class = "dashed", class+" cut"
	}
	fmt.Fprintf(out, "%s [id=\"%s\", class=\"%s\", ", NodeID(at), NodeID(at), class)
	switch n.Kind {
	case Root:
		fmt.Fprintf(out, "shape=cds, style=bold, label=\"%s\"", Quoted(name))
	case Input:
		fmt.Fprintf(out, "shape=cds, label=\"%s\"", Quoted(name))
	case Constant:
		symbol := n.Symbol
		if symbol == "" {
			symbol = fmt.Sprint(n.Lit)
		}
		fmt.Fprintf(out, "shape=plaintext, label=\"%s\"", Quoted(Shortened(symbol)))
	case Bus:
		fmt.Fprintf(out, "shape=cds, penwidth=2, label=\"%s\"", Quoted(name))
	case Register:
		fmt.Fprintf(out, "shape=plain, label=%s", box(style, n.entries(), "", name, n.typeName(), w.Reset(at)))
	case Instance:
		fmt.Fprintf(out, "shape=plain, label=%s", g.instance(at, style, name, w))
	case Latch:
		entries := []string{"D", "R"}[:len(n.Operands)]
		fmt.Fprintf(out, "shape=plain, label=%s", box(style, entries, "", name, w.Reset(at)))
	case Operator, Word:
		fmt.Fprintf(out, "shape=plain, label=%s", box(style, n.entries(), n.Width, Shortened(n.Symbol), name))
	case Mux:
		entries := []string{"S", "1", "0"}[:len(n.Operands)]
		fmt.Fprintf(out, "shape=plain, label=%s", box(style, entries, "", symbols[Mux], name))
	default:
		entries := make([]string, len(n.Operands))
		fmt.Fprintf(out, "shape=plain, label=%s", box(style, entries, "", symbols[n.Kind], name))
	}
	out.WriteString("];\n")
}

// entries returns what stands where wires enter a node: of a Register of bits they enter at one place.
func (n *Node) entries() []string {
	if n.Kind == Register && n.Width == "" {
		return []string{"D"}
	}
	all := make([]string, len(n.Operands))
	copy(all, n.Entries)
	return all
}

// typeName says what the values of a node are.
func (n *Node) typeName() string {
	if n.Type != "" {
		return n.Type
	}
	return fmt.Sprintf("%d bits", len(n.Bits))
}

// isPlain reports whether a node is drawn without a box.
func (n *Node) isPlain() bool { return n.Kind == Bus || n.Kind == Constant }

// box is a table with a place for each wire that enters at the left, lines of words, and at the right
// how wide what leaves is.
func box(style string, entries []string, width string, lines ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" STYLE="%s">`, style)
	var words []string
	for _, line := range lines {
		if line != "" {
			words = append(words, html.EscapeString(line))
		}
	}
	body := fmt.Sprintf(`<TD ROWSPAN="%d">%s</TD>`, max(len(entries), 1), strings.Join(words, "<BR/>"))
	if width != "" {
		body += fmt.Sprintf(`<TD ROWSPAN="%d">%s</TD>`, max(len(entries), 1), html.EscapeString(width))
	}
	if len(entries) == 0 {
		out.WriteString("<TR>" + body + "</TR>")
	}
	for i, entry := range entries {
		width, line := 6, ` BORDER="1" SIDES="R"`
		if entry == "" {
			width, line = 2, ""
		}
		fmt.Fprintf(&out, `<TR><TD PORT="i%d" WIDTH="%d" HEIGHT="12"%s>%s</TD>`, i, width, line, entry)
		if i == 0 {
			out.WriteString(body)
		}
		out.WriteString("</TR>")
	}
	out.WriteString("</TABLE>>")
	return out.String()
}

// instance is a table with the name of a closed box, and a row for each of its pins: on the left where wires
// enter, on the right where they leave.
func (g *Schematic) instance(at int, style, name string, w Words) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<<TABLE BORDER="2" CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" STYLE="%s"><TR><TD COLSPAN="3" BORDER="1" SIDES="B">+ %s`, style, html.EscapeString(name))
	if model := Shortened(w.Model(at)); model != "" && model != name {
		out.WriteString("<BR/>" + html.EscapeString(model))
	}
	out.WriteString("</TD></TR>")
	pins := g.Nodes[at].Pins
	enter := 0
	for enter < len(pins) && !pins[enter].Leaves {
		enter++
	}
	cell := func(pin int, exists bool, side string) {
		if !exists {
			out.WriteString("<TD></TD>")
			return
		}
		fmt.Fprintf(&out, `<TD PORT="%s" ALIGN="%s" HEIGHT="12">%s</TD>`, pinPort(pin), side, html.EscapeString(Shortened(w.Pin(at, pin))))
	}
	for row := range max(enter, len(pins)-enter) {
		out.WriteString("<TR>")
		cell(row, row < enter, "LEFT")
		out.WriteString(`<TD WIDTH="10"></TD>`)
		cell(enter+row, enter+row < len(pins), "RIGHT")
		out.WriteString("</TR>")
	}
	out.WriteString("</TABLE>>")
	return out.String()
}

// entry is where a wire ends.
func (g *Schematic) entry(at, operand int) string {
	switch g.Nodes[at].Kind {
	case Instance:
		return fmt.Sprintf("%s:%s:w", NodeID(at), pinPort(g.Nodes[at].Operands[operand].To-1))
	case Root:
		return NodeID(at) + ":w"
	case Register:
		if g.Nodes[at].Width == "" {
			operand = 0
		}
	}
	return fmt.Sprintf("%s:i%d:w", NodeID(at), operand)
}

// Shortened cuts a name to the length that is drawn, and replaces what has no picture.
func Shortened(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsPrint(r) {
			runes[i] = unicode.ReplacementChar
		}
	}
	if len(runes) > maxName {
		return string(runes[:maxName]) + "…"
	}
	return string(runes)
}

// Quoted writes a name for a label between quotation marks.
func Quoted(name string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(name) // & would begin an entity
}
