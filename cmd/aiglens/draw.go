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
	"aiglens/internal/family"
	"aiglens/internal/source"
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
	bits     bool
	way      string
	opened   stringList
	out      string
	force    bool
}

// draw writes what properties or signals depend on as a picture.
func draw(ctx context.Context, e env, args []string) int {
	var f drawFlags
	fs := newFlags("draw")
	f.files.register(fs)
	fs.Var(&f.signals, "signal", "draw what the signal of this `name` depends on: a symbol or net, in AIGER files also a position such as l3 or o0, or a literal; may be repeated")
	fs.Var(&f.names, "property", "draw the property of this `name`; may be repeated; all properties, or outputs, unless one is chosen")
	fs.Var(&f.indices, "index", "draw this property, as `KIND:N` (bad:0, output:2, justice:1); may be repeated")
	fs.IntVar(&f.nodes, "nodes", answers.MaxNodes, "`number` of gates, latches and inputs at which the picture ends; dashed boxes depend on more")
	fs.BoolVar(&f.bits, "bits", false, "draw each bit of a word as a box of its own, in place of registers and buses")
	fs.StringVar(&f.way, "instances", "", "`way` in which instances are drawn: open, with what lies inside, or closed, as boxes with pins; closed in a picture that is larger than a screen unless this says so")
	fs.Var(&f.opened, "open", "open the instance of this `name` (u1/fifo) and those around it, and no others; may be repeated")
	fs.BoolVar(&f.states, "states", false, fmt.Sprintf("draw the states that runs reach, up to %d, with a shortest path to one in which the property fails; of the first property unless one is chosen", answers.MaxStates))
	fs.BoolVar(&f.svg, "svg", false, "write SVG, for which the program dot of Graphviz is needed")
	fs.BoolVar(&f.dot, "dot", false, "write DOT, the language of Graphviz; the default for standard output and the extensions .dot and .gv")
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
	case f.way != "" && f.way != string(answers.Opened) && f.way != string(answers.Closed):
		return fmt.Errorf("--instances %s: expected %s or %s", f.way, answers.Opened, answers.Closed)
	case f.way == string(answers.Opened) && len(f.opened) > 0:
		return errors.New("choose --instances open or --open")
	case f.svg && f.dot:
		return errors.New("choose --svg or --dot")
	case f.svg || f.dot || f.out == "-" || slices.Contains(pictureExtensions, filepath.Ext(f.out)):
		return nil
	}
	return fmt.Errorf("%s: the extension is none of %s; choose with --svg or --dot. The program dot of Graphviz makes other pictures of a .dot file",
		f.out, strings.Join(pictureExtensions, ", "))
}

// pictureExtensions are those of the files that draw writes: SVG, and the language of Graphviz.
var pictureExtensions = []string{".svg", ".dot", ".gv"}

// picture returns the graph in the language of Graphviz.
func (f *drawFlags) picture(ctx context.Context, e env, d *design.Design) ([]byte, error) {
	if err := soundIn(ctx, e, d); err != nil {
		return nil, err
	}
	subject, err := f.subject(ctx, e, d)
	if err != nil {
		return nil, err
	}
	if err := soundIn(ctx, e, d, subject.Lits()...); err != nil {
		return nil, err
	}
	switch drawn, left := subject.Size(f.bits); {
	case left > 0 && !f.isChosen():
		fmt.Fprintf(e.stderr, "%s: the first %d of %d properties or outputs are drawn; --index and --signal choose others\n", d.URI, drawn, drawn+left)
	case left > 0: // the literals of a justice property
		fmt.Fprintf(e.stderr, "%s: the first %d of %d literals are drawn\n", d.URI, drawn, drawn+left)
	}
	opts := answers.DrawOptions{Nodes: f.nodes, Bits: f.bits, Instances: answers.Instances(f.way), Except: f.opened}
	if len(f.opened) > 0 {
		opts.Instances = answers.Closed
	}
	for _, name := range f.opened {
		if err := answers.FindInstance(ctx, d, name); err != nil {
			return nil, err
		}
	}
	p, err := answers.Draw(ctx, d, subject, opts)
	if err != nil {
		return nil, err
	}
	if cut := p.NumCut(); cut > 0 {
		fmt.Fprintf(e.stderr, "%s: the picture ends at %s, drawn dashed; --nodes %d draws more\n", d.URI, answers.Count(cut, "signal", "signals"), 2*f.nodes)
	}
	return []byte(p.DOT()), nil
}

// isChosen reports whether the user has chosen what is drawn.
func (f *drawFlags) isChosen() bool { return len(f.signals)+len(f.names)+len(f.indices) > 0 }

// stateGraph returns the states of the cone of a property.
func (f *drawFlags) stateGraph(ctx context.Context, e env, d *design.Design) ([]byte, error) {
	if err := soundIn(ctx, e, d); err != nil {
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
	if fault := d.Fault(id); fault != nil {
		tell(e.stderr, d, *fault)
		return nil, &reportedError{fmt.Errorf("%s has an error in its cone", id)}
	}
	g, err := answers.StatesOf(ctx, d, p, nil, 0)
	return []byte(g.DOT), err
}

// property returns the one property that is chosen, or the first.
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

// subject returns what is drawn: the chosen signals and properties, else all properties, else
// all outputs.
func (f *drawFlags) subject(ctx context.Context, e env, d *design.Design) (s answers.Subject, err error) {
	if f.isChosen() {
		chosen, err := f.properties(d)
		if err != nil {
			return s, err
		}
		return answers.SubjectNamed(ctx, d, f.signals, chosen, max(answers.MaxRoots, f.nodes))
	}
	if s, err = answers.SubjectOf(d, f.bounded(e, d)); errors.Is(err, answers.ErrNothingToDraw) {
		err = errors.New("the file has neither a property nor an output: choose a --signal")
	}
	return s, err
}

// bounded returns the properties that depend on nothing that is too large, and warns of the others; all where every one does.
func (f *drawFlags) bounded(e env, d *design.Design) []circuit.Property {
	all := d.PropertyIDs()
	large := design.TooLarge(d)
	if large == nil {
		return all
	}
	bounded := slices.DeleteFunc(slices.Clone(all), func(id circuit.Property) bool {
		return design.SoundIn(d, picture.Shown(d.Circuit(), id)...) != nil
	})
	if len(bounded) == 0 {
		return all
	}
	if left := len(all) - len(bounded); left > 0 {
		said := *large
		said.Severity, said.Message = source.Warning, fmt.Sprintf("%s. Because of it the picture is without %s of %d", large.Message, answers.Count(left, "property", "properties"), len(all))
		tell(e.stderr, d, said)
	}
	return bounded
}

// properties returns the chosen properties, in the order of the file.
func (f *drawFlags) properties(d *design.Design) (chosen []circuit.Property, err error) {
	found := map[string]bool{}
	for _, id := range d.PropertyIDs() {
		name := d.PropertyName(id)
		if slices.Contains(f.indices, id) || slices.Contains(f.names, name) {
			chosen, found[name] = append(chosen, id), true
		}
	}
	for _, name := range f.names {
		if !found[name] {
			return nil, errNoProperty(d, name)
		}
	}
	for _, id := range f.indices {
		if !slices.Contains(chosen, id) {
			return nil, fmt.Errorf("there is no property %s", id)
		}
	}
	return chosen, nil
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
	family.OwnGroup(cmd)
	cmd.WaitDelay = time.Second
	var out, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(picture), &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s -Tsvg: %w: %s", layouts, err, strings.TrimSpace(plainText(complaints.String())))
	}
	return out.Bytes(), ctx.Err()
}
