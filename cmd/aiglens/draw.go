package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/answers"
)

// drawFlags are the flags of draw.
type drawFlags struct {
	files    readFlags
	signals  stringList
	names    stringList
	indices  propertyList
	nodes    int
	dot, svg bool
	states   bool
	out      string
	force    bool
}

// draw writes what properties or signals depend on as a picture.
func draw(ctx context.Context, e env, args []string) int {
	var f drawFlags
	fs := newFlags("draw", e.stderr)
	f.files.register(fs)
	fs.Var(&f.signals, "signal", "draw what the signal of this `name` depends on: a symbol or net, in AIGER files also a position such as l3 or o0, or a literal; may be repeated")
	fs.Var(&f.names, "property", "draw the property of this `name`; may be repeated; without a choice all properties, or outputs, are drawn")
	fs.Var(&f.indices, "index", "draw this property, as `KIND:N` (bad:0, output:2, justice:1); may be repeated")
	fs.IntVar(&f.nodes, "nodes", 300, "`number` of gates, latches and inputs at which the picture ends; where there is more the boxes are dashed")
	fs.BoolVar(&f.states, "states", false, fmt.Sprintf("draw the states that runs reach, up to %d, with a shortest way to one in which the property fails; without a choice of the first property", answers.MaxStates))
	fs.BoolVar(&f.svg, "svg", false, "write SVG, which the program dot of Graphviz makes")
	fs.BoolVar(&f.dot, "dot", false, "write the language of Graphviz, which needs no other program; the default unless the output's extension is .svg")
	fs.StringVar(&f.out, "o", "-", "write to `file`; - is standard output")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	in, code, done := readOne(ctx, fs, e, args, &f.files, f.validate)
	if done {
		return code
	}
	drawn := f.picture
	if f.states {
		drawn = f.stateGraph
	}
	picture, err := drawn(ctx, e, in)
	if err == nil && (f.svg || !f.dot && filepath.Ext(f.out) == ".svg") {
		picture, err = layOut(ctx, picture)
	}
	if err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	if err := e.output(f.out, picture, f.force); err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// mostNodes bounds --nodes.
const mostNodes = 1_000_000

func (f *drawFlags) validate() error {
	switch {
	case f.nodes < 1 || f.nodes > mostNodes:
		return fmt.Errorf("--nodes %d: expected a number from 1 to %d", f.nodes, mostNodes)
	case f.svg && f.dot:
		return errors.New("choose --svg or --dot")
	}
	return nil
}

// maxRoots is how many properties or outputs are drawn where none are chosen.
const maxRoots = 20

// root is a wire that ends in the picture.
type root struct {
	lit  circuit.Lit
	name string
}

// picture returns the graph in the language of Graphviz.
func (f *drawFlags) picture(ctx context.Context, e env, n *design.Design) ([]byte, error) {
	if err := sound(ctx, e, n); err != nil {
		return nil, err
	}
	roots, err := f.roots(n)
	if err != nil {
		return nil, err
	}
	if isChosen := len(f.signals)+len(f.names)+len(f.indices) > 0; !isChosen && len(roots) > maxRoots {
		fmt.Fprintf(e.stderr, "%s: the first %d of %d properties or outputs are drawn; --index and --signal choose others\n", n.URI, maxRoots, len(roots))
		roots = roots[:maxRoots]
	} else if len(roots) > max(maxRoots, f.nodes) { // the literals of a justice property
		fmt.Fprintf(e.stderr, "%s: the first %d of %d literals are drawn\n", n.URI, max(maxRoots, f.nodes), len(roots))
		roots = roots[:max(maxRoots, f.nodes)]
	}
	var lits []circuit.Lit
	for _, r := range roots {
		lits = append(lits, r.lit)
	}
	g, err := picture.NewSchematic(ctx, n.Circuit(), lits, picture.SchematicOptions{Limit: f.nodes + len(roots), Named: n.Names().Wire})
	if err != nil {
		return nil, err
	}
	cut := 0
	for _, node := range g.Nodes {
		if node.Cut {
			cut++
		}
	}
	if cut > 0 {
		fmt.Fprintf(e.stderr, "%s: the picture ends at %d signals, which are dashed; --nodes %d draws more\n", n.URI, cut, 2*f.nodes)
	}
	return []byte(g.DOT(picture.Words{
		Name: func(at int) string {
			if at < len(roots) {
				return roots[at].name
			}
			return n.Names().Literal(g.Nodes[at].Lit)
		},
		Reset: func(l circuit.Lit) string { return picture.ResetOf(n.Circuit(), l) },
	})), nil
}

// stateGraph returns the states of the cone of a property.
func (f *drawFlags) stateGraph(ctx context.Context, e env, d *design.Design) ([]byte, error) {
	if err := sound(ctx, e, d); err != nil {
		return nil, err
	}
	id, err := f.property(d)
	if err != nil {
		return nil, err
	}
	p, ok := d.Property(id)
	if !ok {
		return nil, fmt.Errorf("there is no property %s", id)
	}
	g, err := answers.StatesOf(ctx, d, p, nil, 0)
	return []byte(g.DOT), err
}

// property returns the one property that is chosen, without a choice the first.
func (f *drawFlags) property(n *design.Design) (p circuit.Property, err error) {
	if len(f.signals) > 0 || len(f.names)+len(f.indices) > 1 {
		return p, errors.New("--states draws the states of one property: choose it with --index or --property")
	}
	for _, p := range n.PropertyIDs() {
		if len(f.names)+len(f.indices) == 0 || slices.Contains(f.indices, p) || slices.Contains(f.names, n.PropertyName(p)) {
			return p, nil
		}
	}
	return p, errors.New("there is no such property")
}

// roots returns what is drawn: the chosen signals and properties, else all properties, else
// all outputs.
func (f *drawFlags) roots(n *design.Design) (all []root, err error) {
	for _, name := range f.signals {
		l, err := n.SignalNamed(name)
		if err != nil {
			return nil, err
		}
		all = append(all, root{l, name})
	}
	isChosen := map[circuit.Property]bool{}
	for _, p := range f.indices {
		isChosen[p] = true
	}
	found := map[string]bool{}
	for _, p := range n.PropertyIDs() {
		name := n.PropertyName(p)
		for _, wanted := range f.names {
			if wanted == name {
				isChosen[p], found[name] = true, true
			}
		}
	}
	for _, name := range f.names {
		if !found[name] {
			return nil, fmt.Errorf("there is no property named %q", name)
		}
	}
	chosen := len(f.signals)+len(isChosen) > 0
	for _, p := range n.PropertyIDs() {
		if !chosen || isChosen[p] {
			all = append(all, rootsOf(n, p)...)
			delete(isChosen, p)
		}
	}
	for p := range isChosen {
		return nil, fmt.Errorf("there is no property %s", p)
	}
	if len(all) == 0 {
		for i, o := range n.Circuit().Outputs() {
			all = append(all, root{o.Lit, elementName(n.Names().Elements().Outputs, i, "output")})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the file has neither a property nor an output: choose a --signal")
	}
	return all, nil
}

// rootsOf returns the literals of a property.
func rootsOf(n *design.Design, p circuit.Property) (all []root) {
	name := n.PropertyName(p)
	if name == "" {
		name = fmt.Sprintf("%s %d", p.Kind, p.Index)
	}
	lits := picture.Shown(n.Circuit(), p)
	for i, l := range lits {
		if len(lits) > 1 {
			all = append(all, root{l, fmt.Sprintf("%s.%d", name, i)})
		} else {
			all = append(all, root{l, name})
		}
	}
	return all
}

// elementName returns the name at a position, or kind and position where there is none.
func elementName(names []string, i int, kind string) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s %d", kind, i)
}

// layouts is the program that lays pictures out.
const layouts = "dot"

// layOut makes an SVG with Graphviz.
func layOut(ctx context.Context, picture []byte) ([]byte, error) {
	program, err := exec.LookPath(layouts)
	if err != nil {
		return nil, fmt.Errorf("an SVG is made by the program %s of Graphviz, which is not on the PATH: install Graphviz, or write --dot", layouts)
	}
	cmd := exec.CommandContext(ctx, program, "-Tsvg")
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	var out, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(picture), &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s -Tsvg: %w: %s", layouts, err, strings.TrimSpace(plainText(complaints.String())))
	}
	return out.Bytes(), ctx.Err()
}
