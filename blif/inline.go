package blif

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/source"
)

// FlattenInstance returns the edits that put the body of a model in the place of
// an instance. The nets of the body get the path of the instance in front, as
// Elaboration names them ("u1/n"), its ports become the nets that they are
// joined to. Comments of the body are not copied, but for constraints. The
// circuit stays what it is; the error says why that cannot be written in this
// text.
func (f *File) FlattenInstance(id int) ([]source.Edit, error) {
	return f.flattenStatements([]int{id})
}

// FlattenInstances does so with all instances of a model in this file.
func (f *File) FlattenInstances(m *Model) ([]source.Edit, error) {
	return f.flattenStatements(f.InstancesOf(m))
}

func (f *File) flattenStatements(ids []int) ([]source.Edit, error) {
	var edits []source.Edit
	taken := map[*Model]map[string]bool{}
	for _, id := range ids {
		parent := f.ModelAt(id)
		if taken[parent] == nil {
			taken[parent] = map[string]bool{}
		}
		x := inliner{f: f, id: id, parent: parent, taken: taken[parent]}
		more, err := x.edits()
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

// inliner writes the body of a model in the place of one instance.
type inliner struct {
	f      *File
	id     int // the instance
	parent *Model
	m      *Model            // of the instance
	path   string            // in front of the names
	nets   map[string]string // by net of m: the net of the parent
	taken  map[string]bool   // nets that were added to the parent
	out    strings.Builder
	copied bool // the last object has been copied, so its annotations are
}

func (x *inliner) edits() ([]source.Edit, error) {
	f := x.f
	x.m = f.Instance(x.id)
	if err := x.refusal(); err != nil {
		return nil, err
	}
	x.path = f.InstanceName(x.id) + "/"
	if err := x.ports(); err != nil {
		return nil, err
	}
	if err := x.body(); err != nil {
		return nil, err
	}
	content := f.contentSpan(x.id)
	start, last := f.text.LineStart(f.text.LineAt(content.Start)), f.text.LineAt(content.End())
	lines := source.SpanFromTo(start, f.text.LineStart(last+1))
	edits := []source.Edit{replace(lines, f.keptComments(x.id, lines)+x.out.String())}
	for id := x.id + 1; id < f.NumStatements(); id++ { // what is said of the instance goes with it
		if kind := f.Statement(id).Kind; kind != KindCname && kind != KindAttr && kind != KindParam {
			break
		}
		edits = append(edits, f.deletion(id))
	}
	return edits, nil
}

// refusal says why an instance cannot be flattened, or nil.
func (x *inliner) refusal() error {
	m := x.m
	switch {
	case m == nil:
		return fmt.Errorf("no model of the instance on line %d is known", x.line())
	case x.parent == nil || x.id >= x.parent.bodyEnd:
		return fmt.Errorf("the instance on line %d lies outside the body of a model", x.line())
	case !x.parent.hasPortLines:
		return fmt.Errorf("model %s has no .inputs and no .outputs: new nets could become ports of it", x.parent.Name)
	case m.isOpaque():
		return fmt.Errorf("model %s is a black box: it has no body", m.Name)
	case m == x.parent || m.reaches(x.parent, map[*Model]bool{}) || m.reaches(m, map[*Model]bool{}):
		return fmt.Errorf("model %s holds an instance of itself", m.Name)
	case len(m.tables) > 0:
		return fmt.Errorf("model %s holds a state table, of which a model can have only one", m.Name)
	case m.exdc >= 0:
		return fmt.Errorf("model %s has a don't-care network of its own", m.Name)
	}
	if line, bad := m.File.errorIn(m.Span()); bad {
		return fmt.Errorf("model %s has an error on line %d", m.Name, line)
	}
	if line, bad := x.f.errorIn(x.f.contentSpan(x.id)); bad {
		return fmt.Errorf("the instance on line %d has an error", line)
	}
	for _, call := range m.File.resolved().calls[m.Index] {
		switch other := call.block.model; {
		case m.File != x.f && (other != nil && x.f.findModel(other.Name) != other || !call.block.isKnown()):
			name := m.File.instantiatedName(call.id)
			return fmt.Errorf("model %s instantiates %s, which this file does not know as the same model: add a .search line for it", m.Name, name)
		}
	}
	return nil
}

func (x *inliner) line() int { return x.f.text.LineAt(x.f.directiveSpan(x.id).Start) + 1 }

// reaches reports whether a model holds an instance of another one, directly or
// through others.
func (m *Model) reaches(other *Model, seen map[*Model]bool) bool {
	for _, call := range m.File.resolved().calls[m.Index] {
		next := call.block.model
		if next == nil || seen[next] {
			continue
		}
		seen[next] = true
		if next == other || next.reaches(other, seen) {
			return true
		}
	}
	return false
}

// instantiatedName returns the name of the model or cell of an instance.
func (f *File) instantiatedName(id int) string {
	k, i := f.at(id)
	lo, _ := f.chunks[k].tokens(i)
	return f.words.text(f.chunks[k].ids[lo+1])
}

// errorIn returns the first line, from 1, with an error in a span.
func (f *File) errorIn(span source.Span) (line int, found bool) {
	for _, d := range f.Diagnostics() {
		if d.Severity == source.Error && span.Contains(d.Span.Start) {
			return f.text.LineAt(d.Span.Start) + 1, true
		}
	}
	return 0, false
}

// ports joins the ports of the model to the nets of the parent.
func (x *inliner) ports() error {
	x.nets = map[string]string{}
	k, i := x.f.at(x.id)
	c := x.f.chunks[k]
	lo, hi := c.tokens(i)
	for t := lo + 2; t+1 < hi; t += 2 {
		formal := x.f.words.text(c.ids[t])
		if _, again := x.nets[formal]; again || !c.isNamedPin(t) {
			return fmt.Errorf("the instance on line %d joins %s twice, or by position", x.line(), formal)
		}
		if c.toks[t+1].length > 0 && !x.isOpen(c.ids[t+1]) {
			x.nets[formal] = x.f.words.text(c.ids[t+1])
		}
	}
	inputs, outputs := x.m.Inputs(), x.m.Outputs()
	for _, name := range inputs {
		if x.nets[name] == "" {
			return fmt.Errorf("input %s of the instance on line %d is not connected", name, x.line())
		}
		if slices.Contains(outputs, name) {
			return fmt.Errorf("%s is an input and an output of model %s", name, x.m.Name)
		}
	}
	return nil
}

// isOpen reports whether a net of the parent is the open net with several drivers,
// which the statements of a body must not drive.
func (x *inliner) isOpen(id name) bool {
	r := x.f.resolved()
	return x.f.words.text(id) == openNet && r.facts[r.lookup(x.parent.Index, id)]&factMany != 0
}

// net returns the net of the parent that a net of the model becomes.
func (x *inliner) net(name string) (string, error) {
	if to := x.nets[name]; to != "" {
		return to, nil
	}
	g, s := x.m.File, x.m.Signal(name)
	if r := g.resolved(); name == undefName || name == openNet && (!r.isDriven(s) || r.facts[s]&factMany != 0) {
		return "", fmt.Errorf("net %s of model %s has a meaning by its name: it is any value, or an open pin", name, x.m.Name)
	}
	to := x.path + name
	if writable(to) != to {
		return "", fmt.Errorf("%q cannot be the name of a net", to)
	}
	if x.taken[to] || x.f.hasSignal(x.parent, to) {
		return "", fmt.Errorf("model %s has a net %s already", x.parent.Name, to)
	}
	x.taken[to] = true
	x.nets[name] = to
	return to, nil
}

// hasSignal reports whether a name occurs as a signal in a model.
func (f *File) hasSignal(m *Model, name string) bool {
	s := m.Signal(name)
	if s == 0 {
		return false
	}
	for range f.Occurrences(s) {
		return true
	}
	return false
}

// body writes the statements of the model and the constraints in its comments.
// Other properties count only where the model is the one that is checked.
func (x *inliner) body() error {
	g, m := x.m.File, x.m
	for _, p := range g.pragmasOf(m) {
		lo, hi := p.signals(g)
		if lo == hi || pragmaKinds[g.word(p.chunk, p.p.toks[0])] != pragmaAssume {
			continue
		}
		net, err := x.net(g.words.text(p.p.ids[lo]))
		if err != nil {
			return err
		}
		x.out.WriteString("# prop: assume " + net + "\n")
	}
	for id := m.from; id < m.bodyEnd; id++ {
		k, i := g.at(id)
		if err := x.statement(k, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *inliner) statement(k, i int) error {
	g := x.m.File
	c := g.chunks[k]
	lo, hi := c.tokens(i)
	switch kind := c.stmts[i].kind; kind {
	case KindModel, KindInputs, KindOutputs, KindClock, KindText, KindAnnotation, KindSearch:
		x.copied = false
		return nil
	case KindCname:
		if x.copied && lo+1 < hi {
			x.out.WriteString(".cname " + x.path + c.word(c.toks[lo+1]) + "\n")
		}
		return nil
	case KindAttr, KindParam:
		if x.copied {
			x.out.WriteString(strings.Join(g.wordsOf(int(g.stmts[k])+i), " ") + "\n")
		}
		return nil
	case KindNames:
		if x.copied = !x.isUnusedHelper(k, lo, hi); !x.copied {
			return nil
		}
	case KindConn, KindShort, KindLatch, KindMlatch, KindFlop, KindGate, KindSubckt, KindConstraint, KindGateInit:
		x.copied = true
	default:
		return fmt.Errorf("%s on line %d of model %s cannot be copied", c.word(c.toks[lo]),
			g.text.LineAt(g.directiveSpan(int(g.stmts[k])+i).Start)+1, x.m.Name)
	}
	return x.copy(k, i)
}

// isUnusedHelper reports whether a statement defines one of the constants that
// Yosys writes into each model, and nothing reads it.
func (x *inliner) isUnusedHelper(k int, lo, hi uint32) bool {
	if hi-lo != 2 {
		return false
	}
	switch name := x.m.File.words.text(x.m.File.chunks[k].ids[hi-1]); name {
	case "$true", "$false", undefName:
		return x.m.File.CountUses(x.m.Signal(name)) == 0
	}
	return false
}

// copy writes a statement with the nets of the parent.
func (x *inliner) copy(k, i int) error {
	g := x.m.File
	c := g.chunks[k]
	lo, hi := c.tokens(i)
	var b block
	kind := c.stmts[i].kind
	if kind.isInstance() {
		b = g.instanceOf(k, i)
	}
	words := make([]string, hi-lo)
	for t := lo; t < hi; t++ {
		words[t-lo] = c.word(c.toks[t])
	}
	var failed error
	g.roles(k, i, b, func(t uint32, role Role) {
		if !role.IsSignal() || failed != nil {
			return
		}
		net, err := x.net(words[t-lo])
		if err == nil && role == RoleControl && (net == "NIL" || isInitialValue(net)) {
			err = fmt.Errorf("%s is no signal where the control of a latch stands", net)
		}
		words[t-lo], failed = net, err
	})
	if failed != nil {
		return failed
	}
	if kind.hasPins() {
		words = c.joinPins(words, lo, kind)
	}
	column := 0
	for n, w := range words {
		switch {
		case n == 0:
		case column+1+len(w) > lineLength-2:
			x.out.WriteString(" \\\n ")
			column = 1
		default:
			x.out.WriteString(" ")
			column++
		}
		x.out.WriteString(w)
		column += len(w)
	}
	x.out.WriteString("\n")
	for _, r := range c.rowsOf(i) {
		row := g.rowAt(k, r)
		x.out.WriteString(strings.TrimLeft(g.text.Slice(row.Cube)+" "+g.text.Slice(row.Output), " ") + "\n")
	}
	return nil
}

// joinPins writes formals and actuals, which are words of their own, as pins.
func (c *chunk) joinPins(words []string, lo uint32, kind Kind) []string {
	first := 2 // directive and model
	if kind == KindFlop || kind == KindGateInit {
		first = 1
	}
	pins := slices.Clone(words[:min(first, len(words))])
	for n := first; n+1 < len(words); n += 2 {
		if t := lo + uint32(n); words[n+1] == "" && !c.isNamedPin(t) {
			pins = append(pins, words[n])
		} else {
			pins = append(pins, words[n]+"="+words[n+1])
		}
	}
	return pins
}
