package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	fileformat "aiglens/design/format"
	"aiglens/design/words"
	"aiglens/internal/wordline"
)

// encodingFor decides what is written: aag, aig, blif or btor2.
func encodingFor(to, out string, fromASCII bool) (string, error) {
	if to == "" {
		switch of := encodingOf(out); {
		case of != "":
			to = of
		case out != "-":
			return "", fmt.Errorf("%s: the extension is none of .aag, .aig, %s; choose with --to", out, strings.Join(slices.Concat(fileformat.BLIF.Extensions(), fileformat.BTOR2.Extensions()), ", "))
		case fromASCII:
			to = "aig"
		default:
			to = "aag"
		}
	}
	if !slices.Contains(circuitFormats, to) {
		return "", errNoFormat("to", to, circuitFormats)
	}
	return to, nil
}

// encodingLike is encodingFor, with the encoding of a file that was read where nothing says
// another.
func encodingLike(d *design.Design, to, out string) (string, error) {
	if to == "" && out == "-" {
		to = d.Encoding()
	}
	return encodingFor(to, out, false)
}

// keepsBinary returns an error where a binary file would go to a terminal, unless the user has asked for
// that with -o -.
func (e env) keepsBinary(fs *flag.FlagSet, encoding, out string) error {
	if encoding != "aig" || out != "-" || !e.onTerminal || isSet(fs, "o") {
		return nil
	}
	return errors.New("a terminal does not show binary AIGER: -o FILE writes a file, --to aag writes text, -o - writes it all the same")
}

// encodingOf returns what a file of that name holds, or "" for one that is not
// written: packed ones are read only.
func encodingOf(name string) string {
	file, isAIGER := fileformat.AIGER.FileOf(name)
	switch {
	case fileformat.BLIF.Has(name):
		return "blif"
	case fileformat.BTOR2.Has(name):
		return formatBTOR2
	case !isAIGER || file.Packed:
		return ""
	}
	return strings.TrimPrefix(file.Ext, ".")
}

// numbers returns a circuit without errors as AIGER: a file of that format as it is.
func numbers(ctx context.Context, e env, d *design.Design) (*aiger.Model, error) {
	m, isAIGER, err := aigerdesign.ModelOf(d)
	if !isAIGER {
		if err := sound(ctx, e, d); err != nil {
			return nil, err
		}
		return symbolic(d.Circuit(), writtenNames(d)), nil
	}
	if err != nil && d.IsBinary() {
		found := d.TextDiagnostics()
		for _, diagnostic := range found {
			tell(e.stderr, d, diagnostic)
		}
		if hasErrors(found) {
			err = &reportedError{err}
		}
	}
	return m, err
}

// writtenNames returns the names with which a circuit is written.
func writtenNames(d *design.Design) blif.Names {
	n := d.Names().Elements()
	names := blif.Names{
		Model:  orElse(d.Names().Top(), exportBase(d.URI)),
		Inputs: n.Inputs, Latches: n.Latches, Outputs: n.Outputs, Bads: n.Bads, Constraints: n.Constraints, Justice: n.Justice,
		Fairness: n.Fairness, Lemmas: n.Lemmas, Covers: n.Covers, Asserts: n.Asserts, Hidden: n.Hidden,
	}
	for _, p := range d.Properties() {
		if p.ID.Kind == circuit.PropertyOutput {
			names.BadOutputs = append(names.BadOutputs, p.ID.Index)
		}
	}
	for _, w := range d.Names().Words() {
		if w.Origin == design.FromText {
			line, lits := w.Line()
			names.Words = append(names.Words, blif.NamedWord{Line: line, Lits: lits})
		}
	}
	return names
}

// isNamed reports whether an encoding is one of names, in which there are no numbers of literals.
func isNamed(encoding string) bool { return encoding == "blif" || encoding == formatBTOR2 }

// namesFor returns the names with which a circuit is written: for BTOR2 with all of its words, for others with those that lines
// of its text make.
func namesFor(ctx context.Context, d *design.Design, encoding string) (blif.Names, error) {
	names := writtenNames(d)
	if encoding != formatBTOR2 {
		return names, nil
	}
	known, err := words.Of(ctx, d)
	if err != nil {
		return names, err
	}
	names.Words = nil
	for _, w := range known.All() {
		line, lits := w.Line()
		names.Words = append(names.Words, blif.NamedWord{Line: line, Lits: lits})
	}
	return names, nil
}

// namedFrom writes a model of a file as BLIF or BTOR2 with the names of its symbols.
func namedFrom(ctx context.Context, e env, name string, m *aiger.Model, encoding string) ([]byte, error) {
	d := aigerdesign.FromModel(name, m)
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	names, err := namesFor(ctx, d, encoding)
	if err != nil {
		return nil, err
	}
	return encodeNamed(e, name, d.Circuit(), names, encoding)
}

// encodeNamed writes a circuit that comes from a file, with names.
func encodeNamed(e env, file string, c *circuit.Circuit, names blif.Names, encoding string) ([]byte, error) {
	switch encoding {
	case "blif":
		var out bytes.Buffer
		renamed, err := blif.Write(&out, c, names)
		sayRenamed(e.stderr, file, renamed, takenByAll)
		return out.Bytes(), err
	case formatBTOR2:
		return encodeRows(e, file, c, names)
	}
	return encodeModel(e, file, symbolic(c, names), encoding)
}

// rowNames returns names as those of rows of BTOR2.
func rowNames(n blif.Names) btor2.Names {
	names := btor2.Names{
		Inputs: n.Inputs, Latches: n.Latches, Outputs: n.Outputs, Bads: n.Bads, Constraints: n.Constraints, Justice: n.Justice,
		Fairness: n.Fairness, Lemmas: n.Lemmas, Covers: n.Covers, BadOutputs: n.BadOutputs, Hidden: n.Hidden,
	}
	for _, w := range n.Words {
		isMissing := func(b wordline.Bit) bool { return b.IsMissing }
		if slices.ContainsFunc(w.Bits, isMissing) {
			continue
		}
		bits := slices.Clone(w.Lits)
		slices.Reverse(bits)
		names.Words = append(names.Words, btor2.NamedWord{Name: w.Name.Text, Bits: bits})
	}
	return names
}

// encodeRows writes a circuit as BTOR2.
func encodeRows(e env, file string, c *circuit.Circuit, n blif.Names) ([]byte, error) {
	var out bytes.Buffer
	written, err := btor2.Write(&out, c, rowNames(n))
	if err != nil {
		return nil, err
	}
	var renamed []blif.Renamed
	for _, r := range written {
		renamed = append(renamed, blif.Renamed{From: r.From, To: r.To})
	}
	sayRenamed(e.stderr, file, renamed, "a symbol of BTOR2 is one word, and that of one row")
	return out.Bytes(), nil
}

// encodeModel writes AIGER with names that other readers tell apart, and says which those
// are.
func encodeModel(e env, file string, m *aiger.Model, encoding string) ([]byte, error) {
	m, distinct := m.WithDistinctNames()
	var renamed []blif.Renamed
	for _, r := range distinct {
		renamed = append(renamed, blif.Renamed{From: r.From, To: r.To})
	}
	sayRenamed(e.stderr, file, renamed, "ABC or Yosys confuses the first with another name")
	if encoding == "aig" {
		return m.AppendBinary(nil)
	}
	return m.AppendASCII(nil), nil
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
	var words []syntax.Word
	for _, w := range names.Words {
		word := syntax.Word{Line: w.Line}
		for _, l := range w.Lits {
			word.Lits = append(word.Lits, lit(l))
		}
		words = append(words, word)
	}
	aiger.AddWords(m, words)
	return m
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

// maxRenamed bounds the renamed names that are listed.
const maxRenamed = 20

// takenByAll is why a name of BLIF is another one.
const takenByAll = "every reader of BLIF takes that"

// sayRenamed says which names of a file could not be kept, and why.
func sayRenamed(w io.Writer, file string, renamed []blif.Renamed, why string) {
	for i, r := range renamed {
		if i == maxRenamed {
			fmt.Fprintf(w, "%s: names written differently: %d more\n", file, len(renamed)-i)
			break
		}
		fmt.Fprintf(w, "%s: %s is written %s: %s\n", file, r.From, r.To, why)
	}
}

// sayAsides says how many lemmas and covers a change has left out.
func sayAsides(e env, file string, before, after *aiger.Model) {
	if lost := len(before.Asides()) - len(after.Asides()); lost > 0 {
		fmt.Fprintf(e.stderr, "%s: lemmas and covers are left out (%d), because the circuit has changed\n", file, lost)
	}
}
