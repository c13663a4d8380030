package syntax

import (
	"math/big"
	"strings"
)

// newModel puts the model together.
func (f *File) newModel() *Model {
	res := f.resolved()
	m := &Model{Text: f.text, Nodes: make([]Node, 0, f.NumRows()), Init: byState(res.init), Next: byState(res.next), Names: map[int]string{}}
	var s scan
	for k, c := range f.chunks {
		refs := res.refs[k]
		for i := range c.rows {
			args := c.argsOf(i)
			m.add(f, res, &s, k, i, refs[:len(args):len(args)])
			refs = refs[len(args):]
		}
	}
	m.addAliases()
	return m
}

// byState returns a table of rows without those that are none.
func byState(rows []int32) map[int]int {
	all := map[int]int{}
	for state, row := range rows {
		if row > 0 {
			all[state] = int(row) - 1
		}
	}
	return all
}

// add adds the node of row i of chunk k.
func (m *Model) add(f *File, res *resolution, s *scan, k, i int, refs []Ref) {
	c, n := f.chunks[k], len(m.Nodes)
	row, args := &c.rows[i], c.argsOf(i)
	node := Node{ID: row.id, Line: f.lines[k] + int(row.line), Op: row.op, Sound: res.rows[n].sound && row.op != NoOp, Sort: res.rows[n].sort.sort()}
	first := 0
	if row.op.HasSort() || row.op == Justice {
		first = 1
	}
	operands := row.op.Operands()
	if row.op == Justice {
		operands = len(args) - 1
	}
	if to := min(first+operands, len(refs)); operands > 0 && first < to {
		node.Args = refs[first:to]
	}
	for j := range row.op.Numbers() {
		if at := first + operands + j; at < len(args) {
			node.Number[j] = int(args[at])
		}
	}
	if row.name != 0 || row.op >= Const && row.op <= Zero || row.op.IsAside() {
		s.read(f.text.Line(node.Line))
		node.Symbol = s.symbol.in(s.line)
		if row.op.IsAside() {
			node.Symbol = strings.TrimSpace(s.label.in(s.line))
		}
		if node.Sound && row.op >= Const && row.op <= Zero {
			node.number = s.constant()
		}
	}
	m.Nodes = append(m.Nodes, node)
	m.list(n, &m.Nodes[n])
}

// list notes a node among those of its kind.
func (m *Model) list(n int, node *Node) {
	switch node.Op {
	case Input:
		m.Inputs = append(m.Inputs, n)
	case State:
		m.States = append(m.States, n)
	case Bad:
		m.Bads = append(m.Bads, n)
	case Constraint:
		m.Constraints = append(m.Constraints, n)
	case Fair:
		m.Fairs = append(m.Fairs, n)
	case Output:
		m.Outputs = append(m.Outputs, n)
	case Justice:
		m.Justice = append(m.Justice, n)
	case Lemma, Cover:
		m.listAside(n, node)
	}
	if node.Symbol != "" && node.Op.HasValue() {
		m.Names[n] = node.Symbol
	}
}

// addAliases names nodes that have no symbol by the first alias of each.
func (m *Model) addAliases() {
	for n := range m.Nodes {
		node := &m.Nodes[n]
		if !node.IsAlias() || node.Symbol == "" || node.Args[0].IsNegated() {
			continue
		}
		if of := node.Args[0].Node(); m.Names[of] == "" {
			m.Names[of] = node.Symbol
		}
	}
}

// IsAlias reports whether the node only names another one: an extension by no bits.
func (n *Node) IsAlias() bool {
	return (n.Op == Uext || n.Op == Sext) && n.Number[0] == 0 && n.Sound
}

var (
	zero     = new(big.Int)
	one      = big.NewInt(1)
	minusOne = big.NewInt(-1)
)

// constant returns the number that a sound constant is written as.
func (s *scan) constant() *big.Int {
	switch s.op {
	case Zero:
		return zero
	case One:
		return one
	case Ones:
		return minusOne
	}
	v, ok := new(big.Int).SetString(s.words[1].in(s.line), map[Op]int{Const: 2, Constd: 10, Consth: 16}[s.op])
	if !ok {
		return zero
	}
	return v
}

// Value returns the value of a sound constant, not negative and below 2^Width, and nil for any other node. It is not
// to be changed.
func (n *Node) Value() *big.Int {
	if n.number == nil || n.number.Sign() >= 0 {
		return n.number
	}
	all := new(big.Int).Lsh(one, uint(n.Sort.Width))
	return all.Add(all, n.number)
}

// IsConstant reports whether the node is a constant of a value below 2^62. Unlike Value it works out no bits.
func (n *Node) IsConstant(value int64) bool {
	switch {
	case n.number == nil:
		return false
	case n.number.Sign() >= 0:
		return n.number.IsInt64() && n.number.Int64() == value
	case n.Sort.Width > 62: // a negative number has the highest bit
		return false
	}
	return n.number.Int64()+1<<n.Sort.Width == value
}
