package main

import (
	"bytes"
	"context"
	"fmt"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/circuit/extract"
)

// coneFlags are the flags of cone.
type coneFlags struct {
	files         readFlags
	signals       stringList
	levels        int
	noConstraints bool
	out, to       string
	force         bool
}

// cutCone writes what signals depend on as a circuit of its own.
func cutCone(ctx context.Context, e env, args []string) int {
	var f coneFlags
	fs := newFlags("cone", e.stderr)
	f.files.register(fs)
	fs.Var(&f.signals, "signal", "the `name` of a signal that becomes an output: a symbol or net, in AIGER files also a position such as l3 or o0, or a literal; may be repeated")
	fs.IntVar(&f.levels, "levels", 0, "how many `levels` of gates and latches are kept; what lies deeper becomes inputs; 0 is all")
	fs.BoolVar(&f.noConstraints, "no-constraints", false, "leave out the constraints; with --levels they always are")
	fs.StringVar(&f.out, "o", "-", "write to `file`, whose extension decides the format; - is standard output")
	fs.StringVar(&f.to, "to", "", "`format` aag, aig or blif; without it that of the output's extension, else that of the input")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	in, code, done := readOne(ctx, fs, e, args, &f.files, f.validate)
	if done {
		return code
	}
	encoding, err := in.encodingLike(f.to, f.out)
	if err != nil {
		return problem(e, "%v", err)
	}
	data, err := f.cut(ctx, e, in, encoding)
	if err != nil {
		return problem(e, "%s: %v", in.name, err)
	}
	if err := e.output(f.out, data, f.force); err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// encodingLike is encodingFor, with the encoding of the input where nothing says another.
func (in *input) encodingLike(to, out string) (string, error) {
	if to == "" && out == "-" {
		switch {
		case in.blif != nil:
			to = "blif"
		case in.aiger.Binary:
			to = "aig"
		default:
			to = "aag"
		}
	}
	return encodingFor(to, out, false)
}

// output writes a file, or to standard output for "-".
func (e env) output(name string, data []byte, force bool) error {
	if name != "-" {
		return e.create(name, data, force)
	}
	_, err := e.stdout.Write(data)
	return err
}

// validate says what is wrong with the flags.
func (f *coneFlags) validate() error {
	switch {
	case len(f.signals) == 0:
		return fmt.Errorf("cone needs a signal: --signal NAME")
	case f.levels < 0:
		return fmt.Errorf("--levels %d: expected 0 or more", f.levels)
	}
	return nil
}

// cut returns the cone, encoded.
func (f *coneFlags) cut(ctx context.Context, e env, in *input, encoding string) ([]byte, error) {
	n, err := in.named(ctx, e)
	if err != nil {
		return nil, err
	}
	var signals []circuit.Lit
	for _, name := range f.signals {
		l, err := n.theSignal(name)
		if err != nil {
			return nil, err
		}
		signals = append(signals, l)
	}
	part, err := extract.Of(ctx, n.circuit, signals, extract.Options{Levels: f.levels, Constraints: f.levels == 0 && !f.noConstraints})
	if err != nil {
		return nil, err
	}
	dropped := len(n.circuit.Constraints()) - len(part.Circuit.Constraints())
	if dropped > 0 {
		fmt.Fprintf(e.stderr, "%s: %d constraints are left out: the cone has runs that the file has not\n", in.name, dropped)
	}
	if left := len(n.circuit.Lemmas()) + len(n.circuit.Covers()) - len(part.Lemmas) - len(part.Covers); left > 0 {
		fmt.Fprintf(e.stderr, "%s: %d lemmas and covers are left out: they speak of what the cone lacks\n", in.name, left)
	}
	if part.Cut > 0 {
		fmt.Fprintf(e.stderr, "%s: %d signals have become inputs\n", in.name, part.Cut)
	}
	return in.encodeNamed(e, part.Circuit, n.namesOf(part, f.signals), encoding)
}

// namesOf returns the names of a part: those that its elements had in the whole.
func (n *named) namesOf(part *extract.Part, signals []string) blif.Names {
	names := blif.Names{Model: n.names.Model}
	for _, v := range part.Inputs {
		names.Inputs = append(names.Inputs, n.signal(v))
	}
	for _, v := range part.Latches {
		names.Latches = append(names.Latches, n.signal(v))
	}
	for i, name := range signals {
		if n.rows >= 0 && isNumber(name) {
			name = literalPrefix + name
		}
		names.Outputs = append(names.Outputs, name)
		names.BadOutputs = append(names.BadOutputs, i)
	}
	if len(part.Circuit.Constraints()) > 0 {
		names.Constraints = n.names.Constraints
	}
	for _, i := range part.Lemmas {
		names.Lemmas = append(names.Lemmas, n.names.Lemmas[i])
	}
	for _, i := range part.Covers {
		names.Covers = append(names.Covers, n.names.Covers[i])
	}
	return names
}

func isNumber(name string) bool {
	for _, r := range name {
		if r < '0' || r > '9' {
			return false
		}
	}
	return name != ""
}

// encodeNamed writes a circuit that comes from a file, with names.
func (in *input) encodeNamed(e env, c *circuit.Circuit, names blif.Names, encoding string) ([]byte, error) {
	if encoding != "blif" {
		return in.encodeModel(e, symbolic(c, names), encoding)
	}
	var out bytes.Buffer
	renamed, err := blif.Write(&out, c, names)
	in.sayRenamed(e.stderr, renamed, takenByAll)
	return out.Bytes(), err
}

// symbolic returns a circuit as AIGER with its names as symbols.
func symbolic(c *circuit.Circuit, names blif.Names) *aiger.Model {
	m, lit := aiger.WithLiterals(c)
	hide(m, &names)
	for _, section := range []struct {
		kind  syntax.SectionKind
		names []string
	}{
		{syntax.SectionInputs, names.Inputs}, {syntax.SectionLatches, names.Latches}, {syntax.SectionOutputs, names.Outputs},
		{syntax.SectionBads, names.Bads}, {syntax.SectionConstraints, names.Constraints},
		{syntax.SectionJustice, names.Justice}, {syntax.SectionFairness, names.Fairness},
	} {
		for i, name := range section.names {
			if name != "" {
				m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: section.kind, Index: i, Name: name})
			}
		}
	}
	for _, asides := range []struct {
		kind    syntax.AsideKind
		signals []circuit.Signal
		names   []string
	}{{syntax.AsideLemma, c.Lemmas(), names.Lemmas}, {syntax.AsideCover, c.Covers(), names.Covers}} {
		for i, s := range asides.signals {
			label := ""
			if i < len(asides.names) {
				label = asides.names[i]
			}
			m.AddAside(asides.kind, lit(s.Lit), label)
		}
	}
	return m
}
