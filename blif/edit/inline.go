package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// flattenInstance returns the edits that put the body of a model in the place of
// an instance. The nets of the body get the path of the instance in front, as
// Elaboration names them ("u1/n"), its ports become the nets that they are
// joined to. Comments of the body are not copied, but for constraints. The
// circuit stays what it is; the error says why that cannot be written in this
// text.
func flattenInstance(f *blif.File, id int) ([]source.Edit, error) {
	return flattenStatements(f, []int{id})
}

// flattenInstances does so with all instances of a model in this file.
func flattenInstances(f *blif.File, m *blif.Model) ([]source.Edit, error) {
	return flattenStatements(f, f.InstancesOf(m))
}

func flattenStatements(f *blif.File, ids []int) ([]source.Edit, error) {
	var edits []source.Edit
	taken := map[*blif.Model]map[string]bool{}
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
	f      *blif.File
	id     int // the instance
	parent *blif.Model
	m      *blif.Model       // of the instance
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
	content := f.ContentSpan(x.id)
	start, last := f.Text().LineStart(f.Text().LineAt(content.Start)), f.Text().LineAt(content.End())
	lines := source.SpanFromTo(start, f.Text().LineStart(last+1))
	edits := []source.Edit{replace(lines, keptComments(f, x.id, lines)+x.out.String())}
	for id := x.id + 1; id < f.NumStatements(); id++ { // what is said of the instance goes with it
		if kind := f.Statement(id).Kind; kind != statement.KindCname && kind != statement.KindAttr && kind != statement.KindParam {
			break
		}
		edits = append(edits, deletion(f, id))
	}
	return edits, nil
}

// refusal says why an instance cannot be flattened, or nil.
func (x *inliner) refusal() error {
	m := x.m
	switch {
	case m == nil:
		return fmt.Errorf("no model of the instance on line %d is known", x.line())
	case x.parent == nil || x.id >= x.parent.BodyEnd:
		return fmt.Errorf("the instance on line %d lies outside the body of a model", x.line())
	case !x.parent.HasPortLines:
		return fmt.Errorf("model %s has no .inputs and no .outputs: new nets could become ports of it", x.parent.Name)
	case m.BlackBox:
		return fmt.Errorf("model %s is a black box: it has no body", m.Name)
	case m == x.parent || reaches(m, x.parent, map[*blif.Model]bool{}) || reaches(m, m, map[*blif.Model]bool{}):
		return fmt.Errorf("model %s holds an instance of itself", m.Name)
	case len(m.Tables) > 0:
		return fmt.Errorf("model %s holds a state table, of which a model can have only one", m.Name)
	case m.Exdc >= 0:
		return fmt.Errorf("model %s has a don't-care network of its own", m.Name)
	}
	if line, bad := errorIn(m.File, m.Span()); bad {
		return fmt.Errorf("model %s has an error on line %d", m.Name, line)
	}
	if line, bad := errorIn(x.f, x.f.ContentSpan(x.id)); bad {
		return fmt.Errorf("the instance on line %d has an error", line)
	}
	for _, call := range m.File.Resolved().Calls[m.Index] {
		switch other := call.Block.Model; {
		case m.File != x.f && (other != nil && x.f.FindModel(other.Name) != other || !call.Block.IsKnown()):
			name := instantiatedName(m.File, call.Statement)
			return fmt.Errorf("model %s instantiates %s, which is not the same model in this file: add a .search line for it", m.Name, name)
		}
	}
	return nil
}

func (x *inliner) line() int { return x.f.Text().LineAt(x.f.DirectiveSpan(x.id).Start) + 1 }

// reaches reports whether a model holds an instance of another one, directly or
// through others.
func reaches(m *blif.Model, other *blif.Model, seen map[*blif.Model]bool) bool {
	for _, call := range m.File.Resolved().Calls[m.Index] {
		next := call.Block.Model
		if next == nil || seen[next] {
			continue
		}
		seen[next] = true
		if next == other || reaches(next, other, seen) {
			return true
		}
	}
	return false
}

// instantiatedName returns the name of the model or cell of an instance.
func instantiatedName(f *blif.File, id int) string {
	k, i := f.Locate(id)
	lo, _ := f.Chunks[k].TokensOf(i)
	return f.NameText(f.Chunks[k].Names[lo+1])
}

// errorIn returns the first line, from 1, with an error in a span.
func errorIn(f *blif.File, span source.Span) (line int, found bool) {
	for _, d := range diagnose.Diagnostics(f) {
		if d.Severity == source.Error && span.Contains(d.Span.Start) {
			return f.Text().LineAt(d.Span.Start) + 1, true
		}
	}
	return 0, false
}

// ports joins the ports of the model to the nets of the parent.
func (x *inliner) ports() error {
	x.nets = map[string]string{}
	k, i := x.f.Locate(x.id)
	c := x.f.Chunks[k]
	lo, hi := c.TokensOf(i)
	for t := lo + 2; t+1 < hi; t += 2 {
		formal := x.f.NameText(c.Names[t])
		if _, twice := x.nets[formal]; twice || !c.IsNamedPin(t) {
			return fmt.Errorf("the instance on line %d joins %s twice, or by position", x.line(), formal)
		}
		if c.Tokens[t+1].Length > 0 && !x.isOpen(c.Names[t+1]) {
			x.nets[formal] = x.f.NameText(c.Names[t+1])
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
func (x *inliner) isOpen(id statement.Name) bool {
	r := x.f.Resolved()
	return x.f.NameText(id) == blif.OpenNet && r.Facts[r.Lookup(x.parent.Index, id)]&blif.FactMany != 0
}

// net returns the net of the parent that a net of the model becomes.
func (x *inliner) net(name string) (string, error) {
	if to := x.nets[name]; to != "" {
		return to, nil
	}
	g, s := x.m.File, x.m.Signal(name)
	if r := g.Resolved(); name == blif.UndefNet || name == blif.OpenNet && (!r.IsDriven(s) || r.Facts[s]&blif.FactMany != 0) {
		return "", fmt.Errorf("net %s of model %s has a special meaning by its name: any value, or an open pin", name, x.m.Name)
	}
	if blif.IsImplied(g, s) { // so it is in the parent, or not at all
		if at := x.parent.Signal(name); at != 0 && !blif.IsImplied(x.f, at) {
			return "", fmt.Errorf("net %s of model %s has a special meaning by its name, and model %s drives it", name, x.m.Name, x.parent.Name)
		}
		return name, nil
	}
	to := x.path + name
	if blif.Writable(to) != to {
		return "", fmt.Errorf("%q cannot be the name of a net", to)
	}
	if x.taken[to] || hasSignal(x.f, x.parent, to) {
		return "", fmt.Errorf("model %s has a net %s already", x.parent.Name, to)
	}
	x.taken[to] = true
	x.nets[name] = to
	return to, nil
}

// hasSignal reports whether a name occurs as a signal in a model.
func hasSignal(f *blif.File, m *blif.Model, name string) bool {
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
	for _, p := range g.PragmasOf(m) {
		lo, hi := p.Signals(g)
		if lo == hi || statement.PragmaKindOf(g.WordOf(p.Chunk, p.Pragma.Tokens[0])) != statement.PragmaAssume {
			continue
		}
		net, err := x.net(g.NameText(p.Pragma.Names[lo]))
		if err != nil {
			return err
		}
		x.out.WriteString("# prop: assume " + net + "\n")
	}
	for id := m.From; id < m.BodyEnd; id++ {
		k, i := g.Locate(id)
		if err := x.statement(k, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *inliner) statement(k, i int) error {
	g := x.m.File
	c := g.Chunks[k]
	lo, hi := c.TokensOf(i)
	switch kind := c.Stmts[i].Kind; kind {
	case statement.KindModel, statement.KindInputs, statement.KindOutputs, statement.KindClock, statement.KindText, statement.KindAnnotation, statement.KindSearch:
		x.copied = false
		return nil
	case statement.KindCname:
		if x.copied && lo+1 < hi {
			x.out.WriteString(".cname " + x.path + c.Word(c.Tokens[lo+1]) + "\n")
		}
		return nil
	case statement.KindAttr, statement.KindParam:
		if x.copied {
			x.out.WriteString(strings.Join(g.WordsOf(int(g.Firsts[k])+i), " ") + "\n")
		}
		return nil
	case statement.KindNames:
		if x.copied = !x.isUnusedHelper(k, lo, hi); !x.copied {
			return nil
		}
	case statement.KindConn, statement.KindShort, statement.KindLatch, statement.KindMlatch, statement.KindFlop, statement.KindGate, statement.KindSubckt, statement.KindConstraint, statement.KindGateInit:
		x.copied = true
	default:
		return fmt.Errorf("%s on line %d of model %s cannot be copied", c.Word(c.Tokens[lo]),
			g.Text().LineAt(g.DirectiveSpan(int(g.Firsts[k])+i).Start)+1, x.m.Name)
	}
	return x.copy(k, i)
}

// isUnusedHelper reports whether a statement defines one of the constants that
// Yosys writes into each model, and nothing reads it.
func (x *inliner) isUnusedHelper(k int, lo, hi uint32) bool {
	if hi-lo != 2 {
		return false
	}
	switch name := x.m.File.NameText(x.m.File.Chunks[k].Names[hi-1]); name {
	case blif.TrueNet, blif.FalseNet, blif.UndefNet:
		return x.m.File.CountUses(x.m.Signal(name)) == 0
	}
	return false
}

// copy writes a statement with the nets of the parent.
func (x *inliner) copy(k, i int) error {
	g := x.m.File
	c := g.Chunks[k]
	lo, hi := c.TokensOf(i)
	var b blif.Block
	kind := c.Stmts[i].Kind
	if kind.IsInstance() {
		b = g.InstanceOf(k, i)
	}
	words := make([]string, hi-lo)
	for t := lo; t < hi; t++ {
		words[t-lo] = c.Word(c.Tokens[t])
	}
	var failed error
	g.Roles(k, i, b, func(t uint32, role blif.Role) {
		if !role.IsSignal() || failed != nil {
			return
		}
		net, err := x.net(words[t-lo])
		if err == nil && role == blif.RoleControl && (net == "NIL" || statement.IsInitialValue(net)) {
			err = fmt.Errorf("%s does not name a signal where a latch has its control", net)
		}
		words[t-lo], failed = net, err
	})
	if failed != nil {
		return failed
	}
	if kind.HasPins() {
		words = joinPins(c, words, lo, kind)
	}
	column := 0
	for n, w := range words {
		switch {
		case n == 0:
		case column+1+len(w) > blif.LineLength-2:
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
	for _, r := range c.RowsOf(i) {
		row := g.RowAt(k, r)
		x.out.WriteString(strings.TrimLeft(g.Text().Slice(row.Cube)+" "+g.Text().Slice(row.Output), " ") + "\n")
	}
	return nil
}

// joinPins writes formals and actuals, which are words of their own, as pins.
func joinPins(c *statement.Chunk, words []string, lo uint32, kind statement.Kind) []string {
	first := 2 // directive and model
	if kind == statement.KindFlop || kind == statement.KindGateInit {
		first = 1
	}
	pins := slices.Clone(words[:min(first, len(words))])
	for n := first; n+1 < len(words); n += 2 {
		if t := lo + uint32(n); words[n+1] == "" && !c.IsNamedPin(t) {
			pins = append(pins, words[n])
		} else {
			pins = append(pins, words[n]+"="+words[n+1])
		}
	}
	return pins
}
