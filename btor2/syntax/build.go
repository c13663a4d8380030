package syntax

import "math/big"

// newModel puts the model together.
func (f *File) newModel() *Model {
	res := f.resolved()
	m := &Model{Text: f.text, Nodes: make([]Node, 0, f.NumRows()), Init: byState(res.init), Next: byState(res.next), Names: map[int]string{}}
	var s scan
	for k, c := range f.chunks {
		at := res.args[k]
		for i := range c.rows {
			args := c.argsOf(i)
			m.add(f, res, &s, k, i, res.refs[at:at+len(args):at+len(args)])
			at += len(args)
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
	node := Node{ID: row.id, Line: f.lines[k] + int(row.line), Op: row.op, Sound: res.sound[n] && row.op != NoOp, Sort: res.sorts[n].sort()}
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
	if row.name != 0 || row.op >= Const && row.op <= Zero {
		s.read(f.text.Line(node.Line))
		node.Symbol = s.symbol.in(s.line)
		if node.Sound && row.op >= Const && row.op <= Zero {
			node.Value = valueOf(s, node.Sort.Width)
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
	}
	if node.Symbol != "" && node.Op.hasValue() {
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

// valueOf returns the value of a sound constant.
func valueOf(s *scan, width int) *big.Int {
	one := big.NewInt(1)
	all := new(big.Int).Sub(new(big.Int).Lsh(one, uint(width)), one)
	switch s.op {
	case Zero:
		return new(big.Int)
	case One:
		return one
	case Ones:
		return all
	}
	base := map[Op]int{Const: 2, Constd: 10, Consth: 16}[s.op]
	v, ok := new(big.Int).SetString(s.words[1].in(s.line), base)
	if !ok {
		return new(big.Int)
	}
	return v.And(v, all)
}
