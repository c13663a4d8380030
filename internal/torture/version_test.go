package torture

import (
	"fmt"
	"strings"

	"aiglens/aiger"
	"aiglens/blif/cells"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// version is one state of an edited file. One of model and text is set.
type version struct {
	model *aiger.Model // of an AIGER file
	form  aigerForm

	text string // of a BLIF file
	// written is what the text says, when it was written by blif.Write.
	written *aiger.Model
	// abstracts says that the text is the one before with a part left open: what could
	// be violated there can be violated here.
	abstracts bool
	forABC    bool // which reads the text, too
}

// reading is a version as the program reads it.
type reading struct {
	document *design.Design // nil of a binary or packed file
	circuit  *circuit.Circuit
	names    verify.Names
	truth    truth
}

// fault says why there is no verdict on a property, or "".
func (x *reading) fault(p circuit.Property) string {
	if x.document == nil {
		return ""
	}
	if d := x.document.Fault(p); d != nil {
		return d.Message
	}
	return ""
}

// largest are the bounds of a search of all states.
const maxLatches = 12

// library is the part of the cells that the generator of BLIF uses.
var library = cells.ReadGenlib(`
GATE inv1 1 O=!a; PIN * INV 1 999 1 0 1 0
GATE buf1 1 O=a; PIN * NONINV 1 999 1 0 1 0
GATE nand2 1 O=!(a*b); PIN * INV 1 999 1 0 1 0
GATE nor2 1 O=!(a+b); PIN * INV 1 999 1 0 1 0
GATE and2 1 O=a*b; PIN * NONINV 1 999 1 0 1 0
GATE aoi21 1 O=!(a*b+c); PIN * INV 1 999 1 0 1 0
GATE xor2 1 O=a*!b+!a*b; PIN * UNKNOWN 1 999 1 0 1 0
GATE zero 0 O=CONST0;
GATE one 0 O=CONST1;
`)

var options = design.Options{}.With(blifdesign.Format, blifdesign.Option{Combinational: true, Cells: library})

// read reads a version, text as an edit of the version before. It returns nil for
// what is too large for a search.
func (v version) read(before *reading) (*reading, error) {
	x := &reading{}
	name, data := "c.blif", v.text
	if v.model != nil {
		name, data = v.form.write(v.model)
	}
	if strings.HasSuffix(name, ".aag") || v.model == nil {
		x.document = opened(name, data, before)
		x.circuit = x.document.Circuit()
		x.names.Latches, x.names.Inputs = x.document.ElementNames()
	} else {
		in, err := aiger.Read(name, []byte(data))
		if err != nil {
			return nil, err
		}
		if x.circuit = in.Circuit(); x.circuit == nil {
			return nil, fmt.Errorf("not read: %v", in.Diagnostics)
		}
	}
	if len(x.circuit.Latches()) > maxLatches || len(x.circuit.Inputs()) > maxInputs {
		return nil, nil
	}
	switch {
	case v.model != nil:
		x.truth = search(v.model)
	case v.written != nil:
		x.truth = asBads(search(v.written))
	default:
		x.truth = search(aiger.FromCircuit(x.circuit))
		x.searchAsides()
	}
	return x, nil
}

// searchAsides adds the truth about lemmas and covers, for which AIGER has no place: each is
// searched for as the bad of a circuit of its own.
func (x *reading) searchAsides() {
	for _, p := range x.properties() {
		if p.Kind != circuit.PropertyLemma && p.Kind != circuit.PropertyCover {
			continue
		}
		b := circuit.NewBuilder(x.circuit.NumVars())
		to := x.circuit.CopyTo(b)
		for _, s := range x.circuit.Constraints() {
			b.Constraint(to(s.Lit), 0)
		}
		bad, _ := x.circuit.Bad(p)
		b.Bad(to(bad), 0)
		x.truth.first[p] = search(aiger.FromCircuit(b.Build())).first[circuit.Property{Kind: circuit.PropertyBad}]
	}
}

// asBads returns the truth about outputs as properties after blif.Write, which has
// them as bads.
func asBads(t truth) truth {
	first := map[circuit.Property]int{}
	for p, step := range t.first {
		first[circuit.Property{Kind: circuit.PropertyBad, Index: p.Index}] = step
	}
	t.first = first
	return t
}

// opened returns the document of a text, as the successor of the one before.
func opened(name, data string, before *reading) *design.Design {
	if before == nil || before.document == nil {
		return design.New("file:///"+name, formats.All().ByPath(name), 1, source.NewText(data), options)
	}
	d := before.document
	old := d.Text.Content()
	start := 0
	for start < min(len(old), len(data)) && old[start] == data[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(data))-start && old[len(old)-1-end] == data[len(data)-1-end] {
		end++
	}
	span := source.Span{Start: start, Length: len(old) - end - start}
	return d.Successor(d.Version+1, d.Text.Replace(span, data[start:len(data)-end]))
}

// properties are those that there is to check.
func (x *reading) properties() []circuit.Property { return x.circuit.Properties() }

// isSound reports whether a version must have no fault.
func (v version) isSound() bool { return v.model != nil || v.written != nil }
