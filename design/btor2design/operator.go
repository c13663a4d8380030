package btor2design

import (
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/design"
)

// Operator returns how a row is drawn.
func (s *fileSyntax) Operator(x design.Signal) (o design.Operator, ok bool) {
	if n := s.node(x); n == nil || !n.Op.HasValue() {
		return o, false
	}
	node := s.named(int(x) - 1)
	n := &s.file.Model().Nodes[node]
	o = design.Operator{Signal: signalOf(node), Kind: s.kindOf(node), Type: typeOf(n.Sort), Width: widthOf(n.Sort)}
	switch o.Kind {
	case design.Constant:
		if n.Sound {
			o.Symbol = number(n)
		}
	case design.Latch:
		s.drawState(&o, node)
	case design.Gate:
		o.Symbol, o.Entries = symbolOf(n, s.widthOfFirst(n)), entries[n.Op]
		o.Operands = s.drawn(n.Args)
	}
	return o, true
}

// named returns the row that a row is another name of, or the row itself.
func (s *fileSyntax) named(node int) int {
	for of := s.aliasOf(node); of >= 0; of = s.aliasOf(node) {
		node = of
	}
	return node
}

// drawn returns operands, those that only name rows replaced by these.
func (s *fileSyntax) drawn(args []syntax.Ref) (all []design.Lit) {
	for _, r := range args {
		if r != syntax.NoRef {
			all = append(all, signalOf(s.named(r.Node())).Lit()|design.Lit(r&1))
		}
	}
	return all
}

// drawState says what a state goes to and starts with.
func (s *fileSyntax) drawState(o *design.Operator, node int) {
	m := s.file.Model()
	o.Entries = []string{"D"}
	next := &m.Nodes[m.Next[node]]
	o.Operands = s.drawn(next.Args[min(1, len(next.Args)):])
	row, has := m.Init[node]
	if !has || len(m.Nodes[row].Args) != 2 || m.Nodes[row].Args[1] == syntax.NoRef {
		o.Reset = "starts free"
		return
	}
	r := m.Nodes[row].Args[1]
	switch n := &m.Nodes[s.named(r.Node())]; {
	case n.Op.IsConstant() && n.Sound && !r.IsNegated():
		o.Reset = "starts " + number(n)
	case len(o.Operands) == 1:
		o.Entries = []string{"D", "R"}
		o.Operands = append(o.Operands, s.drawn([]syntax.Ref{r})...)
	}
}

// widthOf says how wide values are: of an array the elements, as many as there are.
func widthOf(sort syntax.Sort) string {
	switch {
	case sort.IsArray() && sort.IndexWidth < 20:
		return fmt.Sprintf("%d×%d", 1<<sort.IndexWidth, sort.Width)
	case sort.IsArray():
		return fmt.Sprintf("2^%d×%d", sort.IndexWidth, sort.Width)
	case sort.Width > 1:
		return fmt.Sprint(sort.Width)
	}
	return ""
}

// entries say what the operands of some rows are. Where the order does not matter, nothing does.
var entries = map[syntax.Op][]string{
	syntax.Ite: {"S", "1", "0"}, syntax.Concat: {"hi", "lo"}, syntax.Read: {"A", "i"}, syntax.Write: {"A", "i", "v"},
	syntax.Sub: {"a", "b"}, syntax.Udiv: {"a", "b"}, syntax.Urem: {"a", "b"}, syntax.Sdiv: {"a", "b"}, syntax.Srem: {"a", "b"}, syntax.Smod: {"a", "b"},
	syntax.Sll: {"a", "b"}, syntax.Srl: {"a", "b"}, syntax.Sra: {"a", "b"}, syntax.Rol: {"a", "b"}, syntax.Ror: {"a", "b"},
	syntax.Ult: {"a", "b"}, syntax.Ulte: {"a", "b"}, syntax.Ugt: {"a", "b"}, syntax.Ugte: {"a", "b"},
	syntax.Slt: {"a", "b"}, syntax.Slte: {"a", "b"}, syntax.Sgt: {"a", "b"}, syntax.Sgte: {"a", "b"},
	syntax.Usubo: {"a", "b"}, syntax.Ssubo: {"a", "b"}, syntax.Sdivo: {"a", "b"}, syntax.Implies: {"a", "b"},
}

// symbolOf returns what stands in the box of an operator: its sign in formulas, else its tag. width is that of the
// first operand.
func symbolOf(n *syntax.Node, width int) string {
	switch n.Op {
	case syntax.Ite:
		return "MUX"
	case syntax.Slice:
		if n.Number[0] == n.Number[1] {
			return fmt.Sprintf("[%d]", n.Number[0])
		}
		return fmt.Sprintf("[%d:%d]", n.Number[0], n.Number[1])
	case syntax.Uext, syntax.Sext:
		return fmt.Sprintf("%s +%d", n.Op, n.Number[0])
	case syntax.Inc:
		return "+ 1"
	case syntax.Dec:
		return "- 1"
	}
	if sign := signOf(n.Op, width); sign != "" {
		return sign
	}
	return n.Op.String()
}
