package answers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// Bounds of a picture.
const (
	MaxNodes  = 300  // without the roots
	MaxRoots  = 20   // where nothing is chosen
	further   = 60   // nodes after one at which the picture has ended
	maxMore   = 20   // times that a picture goes on
	copies    = 20   // instances of a model whose signal is drawn
	maxInside = 2000 // signals of a closed instance that the cursor finds
)

// Subject is what a picture is about: literals of the circuit, named.
type Subject struct {
	Title string
	roots []root
	rows  []rowRoot // in languages whose rows are drawn; those of the roots
	most  int

	left, rowsLeft int // those that are not drawn, because there are too many
}

type root struct {
	lit    circuit.Lit
	name   string
	source design.SourceSignal
}

// Size returns how many literals are drawn, and how many are not, because there are too many; bits says that words are
// drawn bit by bit.
func (s *Subject) Size(bits bool) (drawn, left int) {
	if len(s.rows) > 0 && !bits {
		return len(s.rows), s.rowsLeft
	}
	return len(s.roots), s.left
}

func (s *Subject) isEmpty() bool { return len(s.roots)+len(s.rows) == 0 }

// Lits returns what is drawn.
func (s *Subject) Lits() (all []circuit.Lit) {
	for _, r := range s.roots {
		all = append(all, r.lit)
	}
	return all
}

// ErrNothingToDraw is returned for a place without a signal, and a text without properties and
// outputs.
var ErrNothingToDraw = errors.New("there is no signal, property or output to draw here")

// SubjectOf returns what properties of a text depend on; where there are none, what its outputs do.
func SubjectOf(d *design.Design, ids []circuit.Property) (s Subject, err error) {
	s.most = MaxRoots
	for _, id := range ids {
		if p, ok := d.Property(id); ok {
			s.addProperty(d, p)
		}
	}
	kind, n := "properties", len(ids)
	if n == 0 {
		s.addOutputs(d)
		kind, n = "outputs", len(d.Circuit().Outputs())
	}
	_, left := s.Size(false)
	switch {
	case s.isEmpty():
		return s, ErrNothingToDraw
	case n > 1 && left > 0:
		s.Title = "the first " + kind
	case n > 1:
		s.Title = fmt.Sprintf("%d %s", n, kind)
	}
	return s, nil
}

// SubjectNamed returns what signals and properties depend on, up to so many literals. The error
// is a sentence for the user: that there is no such signal.
func SubjectNamed(ctx context.Context, d *design.Design, signals []string, ids []circuit.Property, most int) (s Subject, err error) {
	s.most = most
	for _, name := range signals {
		lits, names, err := words.SignalsNamed(ctx, d, name)
		if err != nil {
			return s, err
		}
		if err := s.addNamed(ctx, d, name, lits); err != nil {
			return s, err
		}
		for i, l := range lits {
			s.addSignal(d, l, names[i])
		}
	}
	for _, id := range ids {
		if p, ok := d.Property(id); ok {
			s.addProperty(d, p)
		}
	}
	return s, nil
}

// addOutputs adds what the outputs depend on.
func (s *Subject) addOutputs(d *design.Design) {
	names := d.Names().Elements().Outputs
	for i, o := range d.Circuit().Outputs() {
		s.Title = fmt.Sprintf("output %d", i)
		if i < len(names) && names[i] != "" {
			s.Title = names[i]
		}
		found, _ := d.SourceOf(o.Lit)
		s.addSource(d, found)
		s.add(root{o.Lit, s.Title, found})
	}
}

func (s *Subject) add(r root) {
	if len(s.roots) == s.most {
		s.left++
		return
	}
	s.roots = append(s.roots, r)
}

// addSignal adds a literal, which goes by another name where the text has none for it. Signals that
// are the same, as those of two instances may be, are one.
func (s *Subject) addSignal(d *design.Design, l circuit.Lit, other string) {
	found, _ := d.SourceOf(l)
	name := pictureName(d, l)
	if name == "" {
		name = other
	}
	s.Title = name
	if !slices.ContainsFunc(s.roots, func(r root) bool { return r.lit == l && r.name == name }) {
		s.add(root{l, name, found})
	}
}

func (s *Subject) addProperty(d *design.Design, p design.Property) {
	s.Title = p.Name
	for i, l := range p.Lits {
		name := p.Name
		if len(p.Lits) > 1 {
			name = fmt.Sprintf("%s.%d", p.Name, i)
		}
		s.addRow(d, l, name, design.SourceSignal{Row: p.Row, Span: p.Row})
	}
	lits := picture.Shown(d.Circuit(), p.ID)
	if room := s.most - len(s.roots); len(lits) > max(room, 1) {
		s.Title = fmt.Sprintf("%s, the first %d of %d literals", p.Name, room, len(lits))
	}
	for i, l := range lits {
		r := root{l, p.Name, design.SourceSignal{Row: p.Row, Span: p.Row}}
		if len(lits) > 1 {
			r.name = fmt.Sprintf("%s.%d", p.Name, i)
		}
		s.add(r)
	}
}

// SubjectAt returns what the signal at an offset depends on, or the property whose row that is and
// whose literal stands there, or no signal.
func SubjectAt(d *design.Design, offset int) (s Subject, err error) {
	s.most = MaxRoots
	o, ok := d.OccurrenceAt(offset)
	if p, onRow := d.PropertyAt(offset); onRow && (!ok || len(p.Lits) == 1 && p.Lits[0].Signal() == o.Lit.Signal()) {
		s.addProperty(d, p)
	} else if ok {
		for _, l := range litsOf(d, o.Lit.Signal().Lit()) {
			s.addSignal(d, l, "")
		}
		s.addSource(d, design.SourceSignal{Lit: o.Lit.Signal().Lit()})
	}
	if s.isEmpty() {
		return s, ErrNothingToDraw
	}
	return s, nil
}

// pictureName returns what the text calls a literal of the circuit: a name, or the number of the
// literal; "" for one that no word of the text, and no number, stands for.
func pictureName(d *design.Design, l circuit.Lit) string {
	found, ok := d.SourceOf(l)
	negated := found.Negated != l.IsNegated()
	switch {
	case !ok: // a gate of a binary file has a number without a row
		return d.Names().Literal(l)
	case found.Name == fmt.Sprint(found.Lit) && negated:
		return fmt.Sprint(found.Lit ^ 1)
	case negated:
		return "not " + found.Name
	}
	return found.Name
}

// Picture is a schematic of a text.
type Picture struct {
	d     *design.Design
	roots []root
	words []*design.Word // by the lists of the graph
	graph *picture.Schematic
	boxes *boxes   // nil where rows are drawn
	rows  []uint32 // by node, where rows are drawn: the signal of its row
}

// DrawOptions say how a subject is drawn.
type DrawOptions struct {
	Nodes  int      // besides its literals
	Depth  int      // levels that are drawn before them, and before each of Expand; 0 for any number
	Expand []uint32 // signals at which the picture has ended and goes on
	Bits   bool     // each bit of a word is a box of its own
	// Instances says how instances are drawn, Except names those that are drawn in the other way. An instance
	// that is opened has those around it opened.
	Instances Instances
	Except    []string
}

// Draw draws a subject. The error is that of ctx.
func Draw(ctx context.Context, d *design.Design, s Subject, opts DrawOptions) (*Picture, error) {
	way := opts.Instances
	if way == ByThemselves {
		opts.Instances = Opened
	}
	p, err := draw(ctx, d, s, opts)
	if err != nil || way != ByThemselves || len(p.graph.Nodes) <= screenful || len(p.openScopes()) == 0 {
		return p, err
	}
	opts.Instances = Closed
	return draw(ctx, d, s, opts)
}

func draw(ctx context.Context, d *design.Design, s Subject, opts DrawOptions) (*Picture, error) {
	if len(s.rows) > 0 && !opts.Bits {
		return drawRows(ctx, d, s, opts)
	}
	c := d.Circuit()
	p := &Picture{d: d, roots: s.roots}
	index, err := pictureIndexes.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	if p.boxes, err = newBoxes(ctx, d, opts.Instances, opts.Except, opts.Bits); err != nil {
		return nil, err
	}
	var lits []circuit.Lit
	for _, r := range s.roots {
		lits = append(lits, r.lit)
	}
	o := picture.SchematicOptions{
		Limit: opts.Nodes + len(s.roots), Depth: opts.Depth, Further: further, Readers: index.readers,
		Scope: p.boxes.at, Box: p.boxes.box, Pin: p.boxes.pin,
	}
	for _, v := range opts.Expand[:min(len(opts.Expand), maxMore)] {
		if int(v) < c.NumVars() {
			if opts.Bits {
				o.Expand = append(o.Expand, circuit.Var(v))
				continue
			}
			o.Expand = append(o.Expand, index.together(circuit.Var(v))...)
		}
	}
	o.Named = func(v circuit.Var) (circuit.Lit, bool) {
		found, ok := d.SourceOf(v.Lit())
		return v.Lit().NotIf(found.Negated), ok && v != 0 && found.Name != fmt.Sprint(found.Lit)
	}
	g, err := picture.NewSchematic(ctx, c, lits, o)
	if err != nil {
		return nil, err
	}
	var lists [][]circuit.Var
	if !opts.Bits {
		p.words, lists = index.wordsIn(g)
	}
	p.graph = g.Bundled(lists)
	return p, nil
}

// Instances returns how instances are drawn; "" for a picture that has none.
func (p *Picture) Instances() Instances {
	if len(p.openScopes()) > 0 || slices.ContainsFunc(p.graph.Nodes, func(n picture.Node) bool { return n.Kind == picture.Instance }) {
		return p.boxes.way
	}
	return ByThemselves
}

// scopesAround returns the open instances around a node, outermost first.
func (p *Picture) scopesAround(at int) []int {
	switch n := &p.graph.Nodes[at]; {
	case p.rows != nil:
		return nil
	case n.Kind == picture.Root || n.Kind == picture.Constant:
		return nil
	case n.Kind == picture.Instance:
		return p.boxes.around(p.boxes.all[n.Box].parent)
	default:
		return p.boxes.around(p.boxes.at(n.Lit.Var()))
	}
}

// openScopes returns the open instances of the picture.
func (p *Picture) openScopes() (all []int) {
	known := map[int]bool{}
	for at := range p.graph.Nodes {
		for _, scope := range p.scopesAround(at) {
			if !known[scope] {
				known[scope] = true
				all = append(all, scope)
			}
		}
	}
	return all
}

// wordAt returns the word that a node is; nil for one that is none.
func (p *Picture) wordAt(at int) *design.Word {
	if n := p.graph.Nodes[at]; len(n.Bits) > 0 {
		return p.words[n.List]
	}
	return nil
}

// reset says how a latch or register starts.
func (p *Picture) reset(at int) string {
	if p.rows != nil {
		o, _ := design.OperatorOf(p.d, design.Signal(p.rows[at]))
		return o.Reset
	}
	w := p.wordAt(at)
	if w == nil {
		return picture.ResetOf(p.d.Circuit(), p.graph.Nodes[at].Lit)
	}
	c := p.d.Circuit()
	return "starts " + words.Text(w, words.Value(w, func(l circuit.Lit) circuit.Value {
		i := c.LatchIndex(l.Var())
		if i < 0 || c.Latches()[i].IsFree() || c.Latches()[i].HasFunction() {
			return circuit.X
		}
		return circuit.ValueOf(c.Latches()[i].Reset == circuit.True).NotIf(l.IsNegated())
	}))
}

// DOT returns the picture in the language of Graphviz. Names are those inside of the instances around them.
func (p *Picture) DOT() string {
	pin := func(at, pin int) *pinned { return p.boxes.pinOf(&p.graph.Nodes[at], pin) }
	name := func(at int) string {
		around := p.scopesAround(at)
		if len(around) == 0 {
			return p.name(at)
		}
		return p.boxes.local(around[len(around)-1], p.graph.Nodes[at].Lit, p.name(at))
	}
	return p.graph.DOT(picture.Words{
		Name:   func(at int) string { return design.Brief(name(at)) },
		Bit:    func(at, bit int) string { return fmt.Sprintf("[%d]", p.wordAt(at).Index(bit)) },
		Reset:  p.reset,
		Model:  func(at int) string { return p.boxes.all[p.graph.Nodes[at].Box].model },
		Pin:    func(at, i int) string { return design.Brief(pin(at, i).name) },
		PinBit: func(at, i, bit int) string { return fmt.Sprintf("[%d]", pin(at, i).word.Index(bit)) },
		Scopes: p.scopesAround,
		Scope: func(scope int) string {
			x := p.boxes.all[scope]
			if x.model == "" || x.model == x.name {
				return design.Brief(x.name)
			}
			return design.Brief(x.name) + ": " + x.model
		},
	})
}

// NumCut returns at how many nodes the picture ends.
func (p *Picture) NumCut() (n int) {
	for _, node := range p.graph.Nodes {
		if node.Cut {
			n++
		}
	}
	return n
}

func (p *Picture) name(at int) string {
	if at < len(p.roots) {
		return p.roots[at].name
	}
	if p.rows != nil {
		return p.rowName(at)
	}
	if box := p.graph.Nodes[at].Box; box > 0 {
		return p.boxes.name(box)
	}
	if w := p.wordAt(at); w != nil {
		return w.Name
	}
	return pictureName(p.d, p.graph.Nodes[at].Lit)
}

// PictureNode is a box of a picture.
type PictureNode struct {
	ID      string // in the picture
	Name    string
	Kind    string
	Signals []circuit.Var // that it stands for: the first is the one that leaves it
	Cut     bool          // it depends on more than is drawn
	Source  *design.SourceSignal
	Pins    []PicturePin // of a closed instance, where wires leave it
}

// PicturePin is where wires leave a closed instance.
type PicturePin struct {
	ID   string // in the picture
	Name string
}

// OpenInstance is the kind of the frame around what lies inside of an instance that is open. It is no
// node of the graph.
const OpenInstance = "scope"

// Nodes returns the boxes, and after them the frames of open instances; the source of one that the text
// has no word for is nil.
func (p *Picture) Nodes() []PictureNode {
	all := make([]PictureNode, len(p.graph.Nodes))
	hasNode := map[circuit.Var]bool{}
	for _, n := range p.graph.Nodes[len(p.roots):] {
		hasNode[n.Lit.Var()] = true
	}
	for at, n := range p.graph.Nodes {
		node := PictureNode{ID: picture.NodeID(at), Name: p.name(at), Kind: n.Kind.String(), Cut: n.Cut}
		if at < len(p.roots) {
			node.Source = &p.roots[at].source
			all[at] = node
			continue
		}
		if p.rows != nil {
			node.Source = p.rowSource(at)
		} else if found, ok := p.d.SourceOf(n.Lit); ok && n.Kind != picture.Instance {
			node.Source = &found
		}
		switch {
		case n.Kind == picture.Instance:
			for i, pin := range n.Pins {
				if pin.Leaves {
					node.Pins = append(node.Pins, PicturePin{picture.PinID(at, i), p.boxes.pinOf(&n, i).name})
				}
			}
		case len(n.Bits) > 0:
			for _, b := range n.Bits {
				if b.Var() != 0 {
					node.Signals = append(node.Signals, b.Var())
				}
			}
		case n.Lit.Var() != 0:
			node.Signals = append(node.Signals, n.Lit.Var())
		}
		for _, v := range n.Inside[:min(len(n.Inside), maxInside)] {
			if !hasNode[v] || n.Kind == picture.Instance {
				node.Signals = append(node.Signals, v)
			}
		}
		all[at] = node
	}
	for _, scope := range p.openScopes() {
		all = append(all, PictureNode{ID: picture.ScopeID(scope), Name: p.boxes.name(scope), Kind: OpenInstance})
	}
	return all
}

// PictureStep are the values of a step.
type PictureStep struct {
	Step   int
	At     string     // in words
	Values []string   // by node: 0, 1 or x, of a word its value; empty outside of the counterexample
	Causes []bool     // by node: its value has a part in why the property fails
	Pins   [][]string // by node: the values of its pins
}

// Values returns the values of a step, and what of them has a part in why the property fails.
// The error is that of ctx.
func (p *Picture) Values(ctx context.Context, x *runs.Counterexample, step int) (PictureStep, error) {
	step = x.Within(step)
	has, err := x.PartsAt(ctx, step)
	if err != nil {
		return PictureStep{}, err
	}
	count := len(p.graph.Nodes) + len(p.openScopes())
	all := PictureStep{Step: step, At: x.StepName(step), Values: make([]string, count), Causes: make([]bool, count), Pins: make([][]string, count)}
	for at, n := range p.graph.Nodes {
		if n.Kind == picture.Instance {
			all.Pins[at] = p.pinValues(ctx, x, &n, step)
			continue
		}
		if !p.hasValue(at) {
			continue
		}
		if w := p.wordAt(at); w != nil {
			if value, ok := x.WordValue(w, step); ok {
				all.Values[at] = words.TextIn(words.Chosen(ctx, p.d, w), w, value)
				all.Causes[at] = slices.ContainsFunc(n.Bits, func(b circuit.Lit) bool { return b.Var() != 0 && has(b) })
			}
			continue
		}
		if n.Lit.Var() == 0 {
			all.Values[at] = circuit.ValueOf(n.Lit == circuit.True).String()
			continue
		}
		if v, ok := x.Value(n.Lit, step); ok {
			all.Values[at], all.Causes[at] = v.String(), has(n.Lit)
		}
	}
	return all, nil
}

// pinValues returns the values of the pins where wires leave a closed instance.
func (p *Picture) pinValues(ctx context.Context, x *runs.Counterexample, n *picture.Node, step int) (all []string) {
	for i, pin := range n.Pins {
		value := ""
		if w := p.boxes.pinOf(n, i).word; w != nil {
			if of, ok := x.WordValue(w, step); ok {
				value = words.TextIn(words.Chosen(ctx, p.d, w), w, of)
			}
		} else if v, ok := x.Value(pin.Lits[0], step); ok {
			value = v.String()
		}
		if pin.Leaves {
			all = append(all, value)
		}
	}
	return all
}

// CountErrors returns how many errors a text has.
func CountErrors(d *design.Design) (n int) {
	for _, found := range d.TextDiagnostics() {
		if found.Severity == source.Error {
			n++
		}
	}
	return n
}

// SignalsAt returns the signals at an offset, as Nodes numbers them.
func SignalsAt(d *design.Design, offset int) (all []circuit.Var) {
	if o, ok := d.OccurrenceAt(offset); ok {
		for _, l := range litsOf(d, o.Lit) {
			all = append(all, l.Var())
		}
	}
	return all
}

// litsOf returns the literals of the circuit for one of a text: one in each instance, or those of the bits of a word.
func litsOf(d *design.Design, l design.Lit) (all []circuit.Lit) {
	for _, c := range d.Copies(l, copies) {
		all = append(all, c.Lit)
	}
	if w, ok := design.WordOf(d, l.Signal()); ok && len(all) == 0 {
		for _, b := range w.Bits {
			if !b.Missing {
				all = append(all, b.Lit)
			}
		}
	}
	return all
}
