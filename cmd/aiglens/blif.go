package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/design/hierarchy"
	"aiglens/internal/files"
	"aiglens/internal/source"
)

// blifFlags say how BLIF files are read.
type blifFlags struct {
	properties   blif.PropertyOptions
	genlib       string
	freeUndriven bool
	oneStep      bool
}

func (f *blifFlags) register(fs *flag.FlagSet) {
	p := &f.properties
	fs.Var((*stringList)(&p.Bad), "bad", "BLIF: outputs that match this `pattern` must never be 1; may be repeated, replaces the default patterns")
	fs.Var((*stringList)(&p.Assert), "assert", "BLIF: outputs that match this `pattern` must always be 1; may be repeated")
	fs.Var((*stringList)(&p.Assume), "assume", "BLIF: outputs that match this `pattern` are constraints, 1 in every step; may be repeated")
	fs.IntVar(&p.OutputLimit, "output-limit", 0, "BLIF: without any other property, take up to `n` outputs as bad; 0 is 25, −1 none")
	fs.BoolVar(&p.Combinational, "combinational", false, "BLIF: take the outputs of a model without latches, too")
	f.registerReading(fs)
}

// registerReading registers the flags that say what the circuit of a file is, without
// those that choose its properties.
func (f *blifFlags) registerReading(fs *flag.FlagSet) {
	fs.StringVar(&f.genlib, "genlib", "", "BLIF: cell library of .gate and .mlatch, a `file` in genlib format")
	fs.BoolVar(&f.freeUndriven, "free-undriven", false, "BLIF: what nothing drives, or a model that is not known, is any value instead of an error")
	fs.BoolVar(&f.oneStep, "one-step", false, "BLIF: all latches step together, whatever their clocks and edges are")
}

// startsWithDirective tells BLIF from AIGER where no file name does: behind
// comments BLIF starts with a dot.
func startsWithDirective(content string) bool {
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			return strings.HasPrefix(line, ".")
		}
	}
	return false
}

// readBLIF reads a BLIF file with the models of other files: those of .search
// lines and those of its folder.
func readBLIF(ctx context.Context, name, content string, flags *readFlags) (*input, error) {
	o := blif.Options{
		FileName: filepath.Base(name), Properties: flags.properties,
		CutUndriven: flags.freeUndriven, OneStep: flags.oneStep,
	}
	if flags.genlib != "" {
		text, err := files.Read(ctx, flags.genlib, flags.maxInput())
		if err != nil {
			return nil, err
		}
		o.Cells = cells.ReadGenlib(string(text))
		if n := len(o.Cells.Problems); n > 0 {
			return nil, fmt.Errorf("%s: %s", flags.genlib, o.Cells.Problems[0])
		}
	}
	if name == "-" {
		o.FileName = ""
	} else {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		o.Library = hierarchy.New(hierarchy.NewDisk(flags.maxInput()), o, nil).For(path) // all files are read alike
	}
	text := source.NewText(content)
	return &input{name: name, text: text, blif: o.Parse(text)}, nil
}

func (in *input) blifProperty(p circuit.Property) (blif.Property, bool) {
	for _, q := range in.blif.Properties() {
		if q.ID == p {
			return q, true
		}
	}
	return blif.Property{}, false
}

// blifModel builds the circuit of the top model.
func (in *input) blifModel(ctx context.Context) (*model, error) {
	e, err := flat.ElaborateWithin(ctx, in.blif)
	if err != nil {
		return nil, err
	}
	m := &model{circuit: e.Circuit, inputs: len(e.Circuit.Inputs()), fault: e.Fault, cuts: e.Cuts, blif: e}
	m.properties, m.name = in.blifProperties()
	return m, nil
}

// blifProperties returns the properties of a BLIF file and their names.
func (in *input) blifProperties() (properties []circuit.Property, name func(circuit.Property) string) {
	names := map[circuit.Property]string{}
	for _, p := range in.blif.Properties() {
		properties = append(properties, p.ID)
		names[p.ID] = p.Name
	}
	return properties, func(p circuit.Property) string { return names[p] }
}

// sayRule says which rule made the properties, for a polarity that is chosen
// silently is the likeliest way to a wrong verdict. The error is that there are
// none.
func (in *input) sayRule(w io.Writer) error {
	all := in.blif.Properties()
	if len(all) == 0 {
		return fmt.Errorf("%s: the top model has no property: write a line '# prop: bad NET' into it, or name outputs with --bad%s", in.name, in.untaken())
	}
	kinds := map[string]int{}
	var order []string
	for _, p := range all {
		kind := p.Kind
		if p.Rule == blif.RuleOutputs {
			kind = "output taken as bad"
		}
		if kinds[kind]++; kinds[kind] == 1 {
			order = append(order, kind)
		}
	}
	var parts []string
	for _, kind := range order {
		parts = append(parts, fmt.Sprintf("%d × %s", kinds[kind], kind))
	}
	fmt.Fprintf(w, "%s: properties of model %s by %s: %s\n", in.name, in.blif.Top().Name, all[0].Rule, strings.Join(parts, ", "))
	return nil
}

// untaken says why the outputs are no properties, and which flags make them.
func (in *input) untaken() string {
	o := in.blif.Options().Properties
	top := in.blif.Top()
	if top == nil || len(top.Outputs()) == 0 || o.OutputLimit < 0 {
		return ""
	}
	lacksLatches := !o.Combinational && !in.blif.HasLatches()
	switch n, limit := in.blif.OutputsBeyond(); {
	case n > 0 && lacksLatches:
		return fmt.Sprintf("; it has %d outputs, more than the limit of %d, and no latches: --combinational --output-limit %d takes them all", n, limit, n)
	case n > 0:
		return fmt.Sprintf("; it has %d outputs, more than the limit of %d: --output-limit %d takes them all", n, limit, n)
	case lacksLatches:
		return "; it has no latches: --combinational takes its outputs all the same"
	}
	return ""
}

// printCuts prints the warnings that belong to the verdicts, each once.
func (in *input) printCuts(w io.Writer, answers []*answer) {
	type key struct {
		span    source.Span
		message string
	}
	seen := map[key]bool{}
	for _, a := range answers {
		for _, d := range a.model.cuts(a.property) {
			if k := (key{d.Span, d.Message}); !seen[k] {
				seen[k] = true
				in.print(w, d)
			}
		}
	}
}

// flattened returns the circuit of a BLIF file with its names. A file with errors is
// refused.
func (in *input) flattened(e env) (*circuit.Circuit, blif.Names, error) {
	b, err := in.flatten(context.Background(), e)
	if err != nil {
		return nil, blif.Names{}, err
	}
	return b.Circuit, in.namesOf(b), nil
}

// rewritten writes the flattened circuit of a BLIF file as BLIF.
func (in *input) rewritten(e env) ([]byte, error) {
	c, names, err := in.flattened(e)
	if err != nil {
		return nil, err
	}
	return in.encodeNamed(e, c, names, "blif")
}

// modelFromBLIF returns the flattened circuit of a BLIF file as AIGER.
func (in *input) modelFromBLIF(e env) (*aiger.Model, error) {
	c, names, err := in.flattened(e)
	if err != nil {
		return nil, err
	}
	return symbolic(c, names), nil
}

// hide leaves out the outputs that only showed a property.
func hide(m *aiger.Model, names *blif.Names) {
	if !slices.Contains(names.Hidden, true) {
		return
	}
	outputs, kept := m.Outputs, names.Outputs
	m.Outputs, names.Outputs = nil, nil
	for i, hidden := range names.Hidden {
		if !hidden {
			m.Outputs, names.Outputs = append(m.Outputs, outputs[i]), append(names.Outputs, kept[i])
		}
	}
}

// namesOf returns the names of a flattened circuit.
func (in *input) namesOf(b *flat.Elaboration) blif.Names {
	names := blif.Names{Model: in.blif.Top().Name, Outputs: in.blif.Top().Outputs(), Hidden: in.blif.ShownOutputs()}
	for i := range b.Circuit.Inputs() {
		names.Inputs = append(names.Inputs, b.InputName(i))
	}
	for i := range b.Circuit.Latches() {
		names.Latches = append(names.Latches, b.LatchName(i))
	}
	for _, p := range in.blif.Properties() {
		switch p.ID.Kind {
		case circuit.PropertyBad:
			names.Bads = append(names.Bads, p.Name)
			names.Asserts = append(names.Asserts, p.Negated && p.Rule != blif.RuleCell) // of a cell it is that of the cell
		case circuit.PropertyJustice:
			names.Justice = append(names.Justice, p.Name)
		case circuit.PropertyOutput:
			names.BadOutputs = append(names.BadOutputs, p.ID.Index)
		case circuit.PropertyLemma:
			names.Lemmas = append(names.Lemmas, p.Name)
		case circuit.PropertyCover:
			names.Covers = append(names.Covers, p.Name)
		}
	}
	for i := range b.Circuit.Constraints() {
		names.Constraints = append(names.Constraints, b.ConstraintName(i))
	}
	for i := range b.Circuit.Fairness() {
		names.Fairness = append(names.Fairness, b.FairnessName(i))
	}
	return names
}

// blifFromModel writes an AIGER file as BLIF with the names of its symbols.
func (in *input) blifFromModel(e env, m *aiger.Model) ([]byte, error) {
	c, err := m.Elaborate()
	if err != nil {
		return nil, err
	}
	names := in.symbols(m)
	for _, p := range c.Properties() {
		if p.Kind == circuit.PropertyOutput { // AIGER 1.0
			names.BadOutputs = append(names.BadOutputs, p.Index)
		}
	}
	return in.encodeNamed(e, c, names, "blif")
}

// maxRenamed bounds the renamed names that are listed.
const maxRenamed = 20

// takenByAll is why a name of BLIF is another one.
const takenByAll = "every reader of BLIF takes that"

// sayRenamed says which names could not be kept, and why.
func (in *input) sayRenamed(w io.Writer, renamed []blif.Renamed, why string) {
	for i, r := range renamed {
		if i == maxRenamed {
			fmt.Fprintf(w, "%s: %d more names are written otherwise\n", in.name, len(renamed)-i)
			break
		}
		fmt.Fprintf(w, "%s: %s is written %s: %s\n", in.name, r.From, r.To, why)
	}
}
