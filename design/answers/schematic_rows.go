package answers

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/words"
)

// rowRoot is a literal of a text whose rows are drawn, named.
type rowRoot struct {
	lit    design.Lit
	name   string
	source design.SourceSignal
}

// addRow adds a literal of the text, in languages whose rows are drawn.
func (s *Subject) addRow(d *design.Design, l design.Lit, name string, found design.SourceSignal) {
	o, ok := design.OperatorOf(d, l.Signal())
	if l = o.Signal.Lit() | l&1; !ok || slices.ContainsFunc(s.rows, func(r rowRoot) bool { return r.lit == l && r.name == name }) {
		return
	}
	if len(s.rows) == s.most {
		s.rowsLeft++
		return
	}
	s.rows = append(s.rows, rowRoot{l, name, found})
}

// addSource adds the row of a signal of the text.
func (s *Subject) addSource(d *design.Design, found design.SourceSignal) {
	if found.Lit.Signal() != 0 {
		s.addSignalRow(d, found.Lit.Signal())
	}
}

func (s *Subject) addSignalRow(d *design.Design, x design.Signal) {
	def, _ := d.Definition(x)
	s.addRow(d, x.Lit(), d.Name(x), design.SourceSignal{Name: d.Name(x), Lit: x.Lit(), Row: def.Row, Span: def.Span})
}

// addNamed adds the row that goes by a name, whose literals are known.
func (s *Subject) addNamed(ctx context.Context, d *design.Design, name string, lits []circuit.Lit) error {
	known, err := words.Of(ctx, d)
	if err != nil {
		return err
	}
	if found := known.Find(name); len(found) == 1 && len(lits) > 1 {
		if o, ok := d.OccurrenceAt(found[0].Span.Start); ok {
			s.addSignalRow(d, o.Lit.Signal())
		}
		return nil
	}
	for _, l := range lits {
		found, _ := d.SourceOf(l)
		s.addSource(d, found)
	}
	return nil
}

// drawRows draws the rows that a subject depends on.
func drawRows(ctx context.Context, d *design.Design, s Subject, opts DrawOptions) (p *Picture, err error) {
	p = &Picture{d: d}
	all := picture.Rows{Node: p.rowNode}
	for _, r := range s.rows {
		p.roots = append(p.roots, root{name: r.name, source: r.source})
		all.Roots = append(all.Roots, picture.RowLit(r.lit))
	}
	o := picture.SchematicOptions{Limit: opts.Nodes + len(s.rows), Depth: opts.Depth, Further: further}
	for _, v := range opts.Expand[:min(len(opts.Expand), maxMore)] {
		o.Expand = append(o.Expand, circuit.Var(v))
	}
	if p.graph, p.rows, err = all.Schematic(ctx, o); err != nil {
		return nil, err
	}
	for at, r := range s.rows {
		n := &p.graph.Nodes[at]
		if p.setBits(n, r.lit.Signal()); r.lit.IsNegated() {
			n.Lit, n.Bits = n.Lit.Not(), nil
		}
	}
	return p, nil
}

// rowNode returns the node of a row, and what enters it.
func (p *Picture) rowNode(row uint32) (n picture.Node, raw []picture.RowLit) {
	s := design.Signal(row)
	o, _ := design.OperatorOf(p.d, s)
	n = picture.Node{Symbol: o.Symbol, Entries: o.Entries, Type: o.Type, Width: o.Width}
	p.setBits(&n, s)
	isWord := o.Width != ""
	switch {
	case o.Kind == design.Constant:
		n.Kind = picture.Constant
	case o.Kind == design.Latch && isWord:
		n.Kind = picture.Register
	case o.Kind == design.Latch:
		n.Kind = picture.Latch
	case o.Kind == design.Gate && isWord:
		n.Kind = picture.Word
	case o.Kind == design.Gate:
		n.Kind = picture.Operator
	case isWord:
		n.Kind = picture.Bus
	default:
		n.Kind = picture.Input
	}
	for _, l := range o.Operands {
		raw = append(raw, picture.RowLit(l))
	}
	return n, raw
}

// setBits notes the literals of the circuit that a row is.
func (p *Picture) setBits(n *picture.Node, s design.Signal) {
	if l, ok := p.d.LitOf(s.Lit()); ok {
		n.Lit = l
		return
	}
	w, ok := design.WordOf(p.d, s)
	if !ok {
		return
	}
	n.List = len(p.words)
	p.words = append(p.words, &w)
	for _, b := range w.Bits {
		n.Bits = append(n.Bits, b.Lit)
	}
}

// rowName returns what the text calls the row of a node; "" where its symbol says all.
func (p *Picture) rowName(at int) string {
	if p.graph.Nodes[at].Kind == picture.Constant {
		return ""
	}
	return p.d.Name(design.Signal(p.rows[at]))
}

// rowSource returns where the row of a node stands.
func (p *Picture) rowSource(at int) *design.SourceSignal {
	s := design.Signal(p.rows[at])
	def, ok := p.d.Definition(s)
	if !ok {
		return nil
	}
	return &design.SourceSignal{Name: p.d.Name(s), Lit: s.Lit(), Row: def.Row, Span: def.Span}
}

// hasValue reports whether a node has a value that can be told: the row of an array has none, and neither has
// the negation of a word that a root is.
func (p *Picture) hasValue(at int) bool {
	if p.rows == nil || p.wordAt(at) != nil {
		return true
	}
	_, ok := p.d.LitOf(design.Signal(p.rows[at]).Lit())
	return ok
}
