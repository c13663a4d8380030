package btor2design

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// fileSyntax is a text of BTOR2. Its signals are the rows that have a number, counted from 1.
type fileSyntax struct {
	design.Base
	file   *syntax.File
	option Option
	names  func() *nodeNames
	bits   func() []uint32 // by node: the signal of its lowest bit, and the first beyond all
	rows   func() []int32  // the positions of nodes among those of their section
}

// findBits numbers the bits of words after the rows.
func (s *fileSyntax) findBits() []uint32 {
	m := s.file.Model()
	next := uint64(len(m.Nodes) + 1)
	all := make([]uint32, len(m.Nodes)+1)
	for i := range m.Nodes {
		all[i] = uint32(next)
		if n := &m.Nodes[i]; n.Op.HasValue() && !n.Sort.IsArray() && n.Sort.Width > 1 {
			next += uint64(n.Sort.Width)
		}
		if next > 1<<31 { // no literal is left
			return nil
		}
	}
	all[len(m.Nodes)] = uint32(next)
	return all
}

// litOfBit returns the literal of a bit of a row; 0 where it has none.
func (s *fileSyntax) litOfBit(node, bit int) design.Lit {
	if n := &s.file.Model().Nodes[node]; n.Sort.IsArray() {
		return 0
	} else if n.Sort.Width == 1 {
		return signalOf(node).Lit()
	}
	all := s.bits()
	if all == nil {
		return 0
	}
	return design.Signal(all[node] + uint32(bit)).Lit()
}

// bitOf returns the bit of a row that a literal stands for, whatever its sign; ok is false for that of a word, and for none.
func (s *fileSyntax) bitOf(l design.Lit) (node, bit int, ok bool) {
	x := l.Signal()
	if n := s.node(x); n != nil {
		return int(x) - 1, 0, n.Op.HasValue() && n.Sort == syntax.Sort{Width: 1}
	}
	all := s.bits()
	if x == 0 || all == nil || uint32(x) >= all[len(all)-1] {
		return 0, 0, false
	}
	node, _ = slices.BinarySearch(all, uint32(x)+1)
	node--
	return node, int(uint32(x) - all[node]), true
}

// signalOf returns the signal of a node by its place.
func signalOf(node int) design.Signal { return design.Signal(node + 1) }

// litOf returns the literal of a reference; that of no node is the constant 0.
func litOf(r syntax.Ref) design.Lit {
	if r == syntax.NoRef {
		return 0
	}
	l := signalOf(r.Node()).Lit()
	if r.IsNegated() {
		l ^= 1
	}
	return l
}

// node returns what a signal is; nil for the constant and for none.
func (s *fileSyntax) node(x design.Signal) *syntax.Node {
	m := s.file.Model()
	if x == 0 || int(x) > len(m.Nodes) {
		return nil
	}
	return &m.Nodes[x-1]
}

func (s *fileSyntax) Diagnostics() []source.Diagnostic { return s.file.Diagnostics() }

// OccurrencesIn yields numbers of rows that have a value or are sorts, and those that are used.
func (s *fileSyntax) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		for o := range s.file.OccurrencesIn(span) {
			found, ok := s.occurrence(o)
			if ok && !yield(found) {
				return
			}
		}
	}
}

// Occurrences takes only the rows apart that use a signal.
func (s *fileSyntax) Occurrences(x design.Signal) []design.Occurrence {
	return slices.Collect(s.occurrences(x))
}

func (s *fileSyntax) occurrences(x design.Signal) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		if s.node(x) == nil {
			return
		}
		for o := range s.file.OccurrencesOf(int(x) - 1) {
			if found, ok := s.occurrence(o); ok && !yield(found) {
				return
			}
		}
	}
}

// Uses takes no more rows apart than it returns uses of.
func (s *fileSyntax) Uses(x design.Signal, most int) (first []design.Occurrence, all int) {
	positive, negated := s.CountUses(x)
	return design.FirstOf(s.occurrences(x), most), positive + negated
}

// CountUses takes no row apart.
func (s *fileSyntax) CountUses(x design.Signal) (positive, negated int) {
	if n := s.node(x); n == nil || !n.Op.HasValue() && n.Op != syntax.SortRow {
		return 0, 0
	}
	return s.file.CountUses(int(x) - 1)
}

// occurrence returns a word of a row as a place of a signal; ok is false for what stands for none, such as the number
// of a property.
func (s *fileSyntax) occurrence(o syntax.Occurrence) (found design.Occurrence, ok bool) {
	m := s.file.Model()
	if o.Ref == syntax.NoRef {
		return found, false
	}
	found = design.Occurrence{Span: o.Span, Lit: litOf(o.Ref), Role: design.RoleUse}
	switch o.Role {
	case syntax.RoleDefinition:
		found.Role = design.RoleDefinition
	case syntax.RoleSymbol:
		found.Role = design.RoleName
	case syntax.RoleState:
		found.Use = design.AsAssigned
	case syntax.RoleOperand:
		found.Use = design.AsOperand
		if use, has := uses[m.Nodes[o.Node].Op]; has {
			found.Use = use
		}
	}
	op := m.Nodes[o.Ref.Node()].Op
	return found, op.HasValue() || op == syntax.SortRow
}

// uses say what rows do with what they use.
var uses = map[syntax.Op]design.Use{
	syntax.Next: design.AsNext, syntax.Init: design.AsReset,
	syntax.Bad: design.AsProperty, syntax.Constraint: design.AsProperty, syntax.Fair: design.AsProperty,
	syntax.Output: design.AsProperty, syntax.Justice: design.AsProperty, syntax.Lemma: design.AsProperty, syntax.Cover: design.AsProperty,
}

// idSpan returns the number that a line begins with.
func (s *fileSyntax) idSpan(line int) source.Span {
	row := s.Text.LineSpan(line)
	text := s.Text.Slice(row)
	start := len(text) - len(strings.TrimLeft(text, " "))
	end := start
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	return source.Span{Start: row.Start + start, Length: end - start}
}

// called are what BTOR2 calls rows where that is not the kind of signal.
func called(o syntax.Op) string {
	switch {
	case o == syntax.Input:
		return ""
	case o == syntax.State:
		return "state"
	case o == syntax.SortRow:
		return "sort"
	case o.IsConstant():
		return ""
	}
	return "operator " + o.String()
}

// typeOf says what values of a sort are, where that is more than a bit.
func typeOf(sort syntax.Sort) string {
	bits := findings.Count(sort.Width, "bit", "bits")
	switch {
	case sort.IsArray() && sort.IndexWidth < 31:
		return fmt.Sprintf("array of %s × %s", findings.Count(1<<sort.IndexWidth, "element", "elements"), bits)
	case sort.IsArray():
		return fmt.Sprintf("array of 2^%d elements × %s", sort.IndexWidth, bits)
	case sort.Width > 1:
		return bits
	}
	return ""
}

// kindOf returns what a row defines. A state without a next row has any value in each step, as an input has.
func (s *fileSyntax) kindOf(node int) design.SignalKind {
	m := s.file.Model()
	switch o := m.Nodes[node].Op; {
	case o == syntax.Input:
		return design.Input
	case o == syntax.State:
		if _, has := m.Next[node]; !has {
			return design.Input
		}
		return design.Latch
	case o.IsConstant():
		return design.Constant
	case o.IsOperator():
		return design.Gate
	}
	return design.Undefined
}

// Definition returns what a row says. Sorts are no signals, but have a place.
func (s *fileSyntax) Definition(x design.Signal) (def design.Definition, ok bool) {
	n := s.node(x)
	if n == nil || !n.Op.HasValue() && n.Op != syntax.SortRow {
		return def, false
	}
	m, place := s.file.Model(), int(x)-1
	def = design.Definition{
		Kind: s.kindOf(place), Called: called(n.Op), Type: typeOf(n.Sort), Index: s.indexOf(place),
		Span: s.idSpan(n.Line), Row: s.Text.LineSpan(n.Line),
	}
	if n.Op == syntax.SortRow && !n.Sort.IsArray() {
		def.Type = "bit-vector of " + findings.Count(n.Sort.Width, "bit", "bits")
	}
	switch def.Kind {
	case design.Latch:
		def.Next, def.Reset = s.assigned(m.Next, place, x.Lit()), s.assigned(m.Init, place, x.Lit())
	case design.Gate:
		for _, r := range n.Args {
			def.Operands = append(def.Operands, litOf(r))
		}
	}
	return def, true
}

// assigned returns the value that a row of init or next gives to a state; free where there is none.
func (s *fileSyntax) assigned(rows map[int]int, state int, free design.Lit) design.Lit {
	m := s.file.Model()
	row, has := rows[state]
	if !has || len(m.Nodes[row].Args) != 2 {
		return free
	}
	r := m.Nodes[row].Args[1]
	if r != syntax.NoRef && m.Nodes[r.Node()].Op == syntax.Zero && !r.IsNegated() {
		return 0
	}
	return litOf(r)
}

// Name returns the symbol of a row, or that of an alias of it, else n and its number.
func (s *fileSyntax) Name(x design.Signal) string {
	n := s.node(x)
	if n == nil || !n.Op.HasValue() {
		return ""
	}
	return s.names().of(int(x) - 1)
}

// Properties returns the rows of bad and justice, and the lemmas and covers of comments, in text order.
func (s *fileSyntax) Properties() []design.Property {
	m := s.file.Model()
	var all []design.Property
	for _, list := range []struct {
		kind  circuit.PropertyKind
		nodes []int
	}{
		{circuit.PropertyBad, m.Bads}, {circuit.PropertyJustice, m.Justice},
		{circuit.PropertyLemma, m.Lemmas}, {circuit.PropertyCover, m.Covers},
	} {
		for i, node := range list.nodes {
			all = append(all, s.property(circuit.Property{Kind: list.kind, Index: i}, node))
		}
	}
	slices.SortStableFunc(all, func(a, b design.Property) int { return a.Row.Start - b.Row.Start })
	numberEqual(all)
	return all
}

func (s *fileSyntax) property(id circuit.Property, node int) design.Property {
	n := &s.file.Model().Nodes[node]
	p := design.Property{ID: id, Name: n.Symbol, Given: n.Symbol, Row: s.Text.LineSpan(n.Line)}
	if p.Name == "" {
		p.Name = fmt.Sprintf("%s %d", id.Kind, id.Index)
	}
	for _, r := range n.Args {
		if r != syntax.NoRef {
			p.Lits = append(p.Lits, litOf(r))
		}
	}
	return p
}

// numberEqual gives numbers to properties with the same symbol: Yosys gives two asserts of one line the same place.
func numberEqual(all []design.Property) {
	count := map[string]int{}
	for _, p := range all {
		count[p.Name]++
	}
	seen := map[string]int{}
	for i := range all {
		name := all[i].Name
		if count[name] < 2 {
			continue
		}
		for {
			seen[name]++
			if all[i].Name = fmt.Sprintf("%s#%d", name, seen[name]); count[all[i].Name] == 0 {
				break
			}
		}
	}
}

// WithoutProperties lists the rows that are missing.
func (s *fileSyntax) WithoutProperties() string {
	return "the circuit has no property: no row of bad or justice"
}

// NoProperties says so, too.
func (s *fileSyntax) NoProperties() design.NoProperties {
	return design.NoProperties{Why: "no row states a bad or justice property"}
}

// indexOf returns the position of a row among those of its section.
func (s *fileSyntax) indexOf(node int) int { return int(s.rows()[node]) }

func (s *fileSyntax) findIndices() []int32 {
	m := s.file.Model()
	all, count := make([]int32, len(m.Nodes)), [syntax.NumOps]int32{}
	for i := range m.Nodes {
		op := firstOf(m.Nodes[i].Op)
		all[i] = count[op]
		count[op]++
	}
	return all
}

// firstOf returns the first tag of the section of a row.
func firstOf(o syntax.Op) syntax.Op {
	switch {
	case o.IsConstant():
		return syntax.Const
	case o.IsOperator():
		return syntax.Not
	}
	return o
}

// section is a kind of rows, with the name of one.
type section struct{ name, one string }

// sectionOf returns the section of a row.
func sectionOf(o syntax.Op) section {
	switch {
	case o == syntax.SortRow:
		return section{"sorts", "sort"}
	case o == syntax.Input:
		return section{"inputs", "input"}
	case o == syntax.State:
		return section{"states", "state"}
	case o.IsConstant():
		return section{"constants", "constant"}
	case o == syntax.Init:
		return section{"initial values", "initial value"}
	case o == syntax.Next:
		return section{"next states", "next state"}
	case o == syntax.Bad:
		return section{"bads", "bad"}
	case o == syntax.Constraint:
		return section{"constraints", "constraint"}
	case o == syntax.Fair:
		return section{"fairness constraints", "fairness"}
	case o == syntax.Output:
		return section{"outputs", "output"}
	case o == syntax.Justice:
		return section{"justice properties", "justice"}
	case o == syntax.Lemma:
		return section{"lemmas", "lemma"}
	case o == syntax.Cover:
		return section{"covers", "cover"}
	case o.IsOperator():
		return section{"operators", "operator"}
	}
	return section{}
}

// RowAt returns the row whose line holds offset.
func (s *fileSyntax) RowAt(offset int) (design.RowRef, bool) {
	return s.rowOf(s.nodeOnLine(s.Text.LineAt(offset)))
}

// RowOf returns the row that defines a signal.
func (s *fileSyntax) RowOf(x design.Signal) (design.RowRef, bool) { return s.rowOf(int(x) - 1) }

// nodeOnLine returns the place of the node that a line defines, or -1.
func (s *fileSyntax) nodeOnLine(line int) int {
	nodes := s.file.Model().Nodes
	at, ok := slices.BinarySearchFunc(nodes, line, func(n syntax.Node, line int) int { return n.Line - line })
	if !ok {
		return -1
	}
	return at
}

func (s *fileSyntax) rowOf(node int) (r design.RowRef, ok bool) {
	m := s.file.Model()
	if node < 0 || node >= len(m.Nodes) {
		return r, false
	}
	n := &m.Nodes[node]
	in := sectionOf(n.Op)
	if in.name == "" {
		return r, false
	}
	index := s.indexOf(node)
	r = design.RowRef{
		Section: in.name, One: in.one, Label: fmt.Sprintf("%s %d", in.one, index), Name: n.Symbol, Index: index,
		Span: s.Text.LineSpan(n.Line), IsFirst: index == 0,
	}
	switch {
	case n.Op.HasValue():
		r.Kind, r.Signal = s.kindOf(node), signalOf(node)
	case (n.Op == syntax.Init || n.Op == syntax.Next) && len(n.Args) > 0 && n.Args[0] != syntax.NoRef:
		r.Label = s.Name(signalOf(n.Args[0].Node())) // what a use in it is the next state of
	}
	return r, true
}

// SymbolLines yields no lines: names stand in the rows themselves.
func (s *fileSyntax) SymbolLines() iter.Seq[design.SymbolLine] {
	return slices.Values[[]design.SymbolLine](nil)
}

// nodeNames are the names of rows with a value.
type nodeNames struct {
	model *syntax.Model
	given map[int]string // those that symbols give
	first map[string]int // by name: the row that has it, looked at through aliases
	nodes []int          // those with such a name, each name once: inputs, states, others
}

// of returns the name of a node: n and its number where no symbol gives one; "" for one without a value.
func (n *nodeNames) of(node int) string {
	if name, has := n.given[node]; has || !n.model.Nodes[node].Op.HasValue() {
		return name
	}
	name := "n" + strconv.FormatInt(n.model.Nodes[node].ID, 10)
	for {
		if _, has := n.first[name]; !has {
			return name
		}
		name += "_"
	}
}

func (n *nodeNames) isGiven(node int) bool {
	_, has := n.given[node]
	return has
}

// findNames gives names to rows with symbols. A row without one goes by the first alias of it (uext S N 0 NAME); of rows
// that have the same symbol and are no aliases of each other, all but the first get their numbers behind it.
func (s *fileSyntax) findNames() *nodeNames {
	m := s.file.Model()
	n := &nodeNames{model: m, given: map[int]string{}, first: map[string]int{}}
	roots := s.roots()
	give := func(node int) {
		name := m.Nodes[node].Symbol
		if _, again := n.given[node]; again || name == "" || !m.Nodes[node].Op.HasValue() {
			return
		}
		root := roots[node]
		known, has := n.first[name]
		for has && known != root {
			name = fmt.Sprintf("%s#%d", name, m.Nodes[node].ID)
			known, has = n.first[name]
		}
		if !has {
			n.first[name] = root
			n.nodes = append(n.nodes, node)
		}
		n.given[node] = name
	}
	for _, list := range [][]int{m.Inputs, m.States} {
		for _, node := range list {
			give(node)
		}
	}
	for node := range m.Nodes {
		give(node)
	}
	named := make([]bool, len(m.Nodes))
	for _, node := range n.nodes { // of several aliases the first counts
		for at := s.aliasOf(node); at >= 0 && !named[at]; at = s.aliasOf(at) {
			named[at] = true
			if m.Nodes[at].Symbol == "" {
				n.given[at] = n.given[node]
			}
		}
	}
	return n
}

// aliasOf returns the node that a row gives another name to, or -1.
func (s *fileSyntax) aliasOf(node int) int {
	n := &s.file.Model().Nodes[node]
	if n.Op != syntax.Uext || n.Number[0] != 0 || !n.Sound || len(n.Args) != 1 || n.Args[0] == syntax.NoRef || n.Args[0].IsNegated() {
		return -1
	}
	return n.Args[0].Node()
}

// roots returns the nodes that rows are names of, through aliases.
func (s *fileSyntax) roots() []int {
	all := make([]int, len(s.file.Model().Nodes))
	for node := range all {
		if all[node] = node; s.aliasOf(node) >= 0 {
			all[node] = all[s.aliasOf(node)] // which stands before
		}
	}
	return all
}
