package btor2design

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"aiglens/btor2/syntax"
	"aiglens/design"
	"aiglens/design/words"
)

// signs are the operators that stand between two operands. What compares or divides with a sign is written as a
// function, so that no formula leaves it open.
var signs = map[syntax.Op]string{
	syntax.And: "&", syntax.Or: "|", syntax.Xor: "^", syntax.Add: "+", syntax.Sub: "-", syntax.Mul: "*", syntax.Udiv: "/", syntax.Urem: "%",
	syntax.Sll: "<<", syntax.Srl: ">>", syntax.Sra: ">>>", syntax.Eq: "==", syntax.Neq: "!=",
	syntax.Ult: "<", syntax.Ulte: "<=", syntax.Ugt: ">", syntax.Ugte: ">=", syntax.Iff: "==", syntax.Implies: "→",
}

// opposites are the comparisons that are the negations of others.
var opposites = map[syntax.Op]syntax.Op{
	syntax.Eq: syntax.Neq, syntax.Neq: syntax.Eq, syntax.Ult: syntax.Ugte, syntax.Ugte: syntax.Ult,
	syntax.Ugt: syntax.Ulte, syntax.Ulte: syntax.Ugt,
}

// bitSigns are those of operands of one bit.
var bitSigns = map[syntax.Op]string{syntax.And: "∧", syntax.Or: "∨", syntax.Xor: "⊕", syntax.Iff: "≡", syntax.Eq: "≡", syntax.Neq: "⊕"}

// prefixes are the operators that stand before one operand.
var prefixes = map[syntax.Op]string{syntax.Neg: "-", syntax.Redand: "&", syntax.Redor: "|", syntax.Redxor: "^"}

// Formula writes a literal in the names of the text to a depth of so many rows.
func (s *fileSyntax) Formula(l design.Lit, depth int, unfold bool) string {
	if l.Signal() == 0 {
		return fmt.Sprint(uint32(l))
	}
	f := formulaWriter{s: s, left: maxParts}
	return f.lit(l, depth, unfold).text
}

// maxParts bounds the parts of a formula: each level may have three times as many as the one above.
const maxParts = 200

// written is a formula; isWhole says that it needs no brackets.
type written struct {
	text    string
	isWhole bool
}

func (w written) operand() string {
	if w.isWhole {
		return w.text
	}
	return "(" + w.text + ")"
}

// branch is a formula after ? or :, where only another choice needs brackets.
func (w written) branch() string {
	if strings.Contains(w.text, " ? ") {
		return w.operand()
	}
	return w.text
}

type formulaWriter struct {
	s    *fileSyntax
	left int
}

func (f *formulaWriter) lit(l design.Lit, depth int, unfold bool) written {
	if l == 0 || l == 1 {
		return written{fmt.Sprint(uint32(l)), true}
	}
	n := f.s.node(l.Signal())
	if n == nil {
		return written{"?", true}
	}
	place := int(l.Signal()) - 1
	if opposite, has := opposites[n.Op]; has && l.IsNegated() && !f.isLeaf(n, place, depth, unfold) {
		other := *n
		other.Op = opposite
		return f.node(&other, place, depth, unfold)
	}
	w := f.node(n, place, depth, unfold)
	switch {
	case !l.IsNegated():
		return w
	case n.Sort.Width == 1:
		return written{"¬" + w.operand(), true}
	}
	return written{"~" + w.operand(), true}
}

func (f *formulaWriter) node(n *syntax.Node, place, depth int, unfold bool) written {
	f.left--
	names := f.s.names()
	name := written{names.of(place), true}
	switch {
	case n.Sound && n.Op.IsConstant():
		return written{number(n), true}
	case f.isLeaf(n, place, depth, unfold):
		return name
	}
	if f.s.aliasOf(place) >= 0 { // unfold holds, or it has no name
		return f.lit(litOf(n.Args[0]), depth, unfold)
	}
	args := make([]written, len(n.Args))
	for i, r := range n.Args {
		if r == syntax.NoRef {
			args[i] = written{"?", true}
			continue
		}
		args[i] = f.lit(litOf(r), depth-1, false)
	}
	if len(args) < n.Op.Operands() {
		return name
	}
	if w, ok := operation(n, args, f.s.widthOfFirst(n)); ok {
		return w
	}
	return name
}

// isLeaf reports whether a row goes by its name.
func (f *formulaWriter) isLeaf(n *syntax.Node, place, depth int, unfold bool) bool {
	return f.s.names().isGiven(place) && !unfold || !n.Op.IsOperator() || depth <= 0 || f.left < 0
}

// widthOfFirst returns the width of the first operand.
func (s *fileSyntax) widthOfFirst(n *syntax.Node) int {
	if len(n.Args) == 0 || n.Args[0] == syntax.NoRef {
		return 0
	}
	return s.file.Model().Nodes[n.Args[0].Node()].Sort.Width
}

func operation(n *syntax.Node, args []written, width int) (w written, ok bool) {
	if len(args) == 2 {
		if sign := signOf(n.Op, width); sign != "" {
			return written{args[0].operand() + " " + sign + " " + args[1].operand(), false}, true
		}
	}
	if prefix := prefixes[n.Op]; prefix != "" {
		return written{prefix + args[0].operand(), false}, true
	}
	switch n.Op {
	case syntax.Not:
		if n.Sort.Width == 1 {
			return written{"¬" + args[0].operand(), true}, true
		}
		return written{"~" + args[0].operand(), true}, true
	case syntax.Inc:
		return written{args[0].operand() + " + 1", false}, true
	case syntax.Dec:
		return written{args[0].operand() + " - 1", false}, true
	case syntax.Ite:
		return written{args[0].operand() + " ? " + args[1].branch() + " : " + args[2].branch(), false}, true
	case syntax.Concat:
		return written{"{" + args[0].text + ", " + args[1].text + "}", true}, true
	case syntax.Slice:
		if n.Number[0] == n.Number[1] {
			return written{fmt.Sprintf("%s[%d]", args[0].operand(), n.Number[0]), true}, true
		}
		return written{fmt.Sprintf("%s[%d:%d]", args[0].operand(), n.Number[0], n.Number[1]), true}, true
	case syntax.Uext, syntax.Sext:
		if n.Number[0] == 0 {
			return args[0], true
		}
		return written{fmt.Sprintf("%s(%s, %d)", n.Op, args[0].text, n.Number[0]), true}, true
	case syntax.Read:
		return written{args[0].operand() + "[" + args[1].text + "]", true}, true
	case syntax.Write:
		return written{args[0].operand() + "[" + args[1].text + " := " + args[2].text + "]", true}, true
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text
	}
	return written{n.Op.String() + "(" + strings.Join(texts, ", ") + ")", true}, n.Op.IsOperator()
}

// Constant returns the number of a constant of several bits in each radix.
func (s *fileSyntax) Constant(x design.Signal) []string {
	n := s.node(x)
	if n == nil || !n.Sound || !n.Op.IsConstant() || n.Sort.Width < 2 {
		return nil
	}
	if n.Sort.Width > maxDecimal {
		return []string{number(n)}
	}
	w := &design.Word{Bits: make([]design.Bit, n.Sort.Width)}
	return words.InEach(radixOf(n.Op), w, words.ValueOf(w, n.Value()))
}

// radixOf returns the radix in which constants are read: a writer of hexadecimal digits thinks in these.
func radixOf(o syntax.Op) design.Radix {
	if o == syntax.Consth {
		return design.Hexadecimal
	}
	return design.DefaultRadix
}

// signOf returns the sign of an operator whose first operand has some bits, or "".
func signOf(op syntax.Op, width int) string {
	if width == 1 && bitSigns[op] != "" {
		return bitSigns[op]
	}
	return signs[op]
}

// maxDecimal is the width up to which constants are decimal.
const maxDecimal = 64

// Bounds of what is said at the end of a row.
const (
	noteDepth = 4
	maxNote   = 60 // characters, where less depth helps
)

// RowNote says what a row computes or demands, with the number of its bits.
func (s *fileSyntax) RowNote(row design.RowRef) string {
	node := s.nodeOnLine(s.Text.LineAt(row.Span.Start))
	if node < 0 {
		return ""
	}
	n := &s.file.Model().Nodes[node]
	typed := func(text string) string {
		if t := typeOf(n.Sort); t != "" {
			return text + " : " + t
		}
		return text
	}
	switch {
	case n.Op == syntax.Input, n.Op == syntax.Zero, n.Op == syntax.One:
		return typeOf(n.Sort)
	case n.Op == syntax.State:
		return s.stateNote(node)
	case n.Op.IsOperator() || n.Op.IsConstant():
		return typed("= " + s.noted(signalOf(node).Lit(), true))
	case n.Op == syntax.Init && len(n.Args) == 2:
		return row.Label + " starts with " + s.noted(litOf(n.Args[1]), false)
	case n.Op == syntax.Next && len(n.Args) == 2:
		return "next " + row.Label + " = " + s.noted(litOf(n.Args[1]), false)
	case n.Op.IsProperty():
		var all []string
		for _, r := range n.Args {
			all = append(all, s.noted(litOf(r), false))
		}
		return strings.Join(all, ", ")
	}
	return ""
}

func (s *fileSyntax) stateNote(node int) string {
	m := s.file.Model()
	var parts []string
	if t := typeOf(m.Nodes[node].Sort); t != "" {
		parts = append(parts, t)
	}
	if init := s.assigned(m.Init, node, 1); init != 1 {
		parts = append(parts, "starts with "+s.noted(init, false))
	}
	if next := s.assigned(m.Next, node, 1); next != 1 {
		parts = append(parts, "next "+s.noted(next, false))
	} else {
		parts = append(parts, "any value in each step")
	}
	return strings.Join(parts, " · ")
}

// noted is a formula as deep as that stays short.
func (s *fileSyntax) noted(l design.Lit, unfold bool) (text string) {
	for depth := noteDepth; depth > 0; depth-- {
		if text = s.Formula(l, depth, unfold); utf8.RuneCountInString(text) <= maxNote {
			break
		}
	}
	return text
}

func number(n *syntax.Node) string {
	if n.Sort.Width > maxDecimal || radixOf(n.Op) == design.Hexadecimal {
		return "0x" + n.Value().Text(16)
	}
	return n.Value().String()
}
