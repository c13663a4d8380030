package yosys

import (
	"fmt"
	"strings"
)

// WitnessMap is what write_aiger -ywmap writes: where the inputs of an AIGER file come from in
// the hierarchy of the source, and which cells stand behind its properties and constraints.
type WitnessMap struct {
	Latches, Inputs int // how many the AIGER file has
	Clocks          []Clock
	Ports           []PathBit // inputs of the top module
	Seqs            []PathBit // inputs that $anyseq made
	Inits           []PathBit // inputs that hold the value of a flip-flop in the first step
	// Asserts and Assumes are the cells of the bads and constraints, in the order of the file.
	// Versions before March 2024 write neither; HasAsserts and HasAssumes tell this from none.
	Asserts, Assumes       []Path
	HasAsserts, HasAssumes bool
}

// Path leads from the top module to a wire, a cell or a word of a memory. Each component is an
// identifier as Yosys keeps it: a public one begins with '\', a private one with '$', a word of a
// memory is `\[ADDRESS]`.
type Path []string

// String returns the path with '.' between its components and without the signs of Yosys, such as
// u1.fifo.head or u1.mem[3].
func (p Path) String() string {
	var b strings.Builder
	for i, id := range p {
		id = strings.TrimPrefix(id, `\`)
		if i > 0 && !(i == len(p)-1 && isAddress(id)) {
			b.WriteByte('.')
		}
		b.WriteString(id)
	}
	return b.String()
}

// isAddress reports whether the last component of a path is a word of a memory.
func isAddress(id string) bool {
	return len(id) > 2 && id[0] == '[' && id[len(id)-1] == ']' && strings.Trim(id[1:len(id)-1], "0123456789") == ""
}

// PathBit is an input of the AIGER file and the bit that it is of.
type PathBit struct {
	Input  int // position, from 0 on
	Path   Path
	Offset int // of the wire, from its least significant bit on
	Line   int // of the map, from 1 on
}

// Clock is an input that a flip-flop has as its clock.
type Clock struct {
	PathBit
	Edge string // posedge or negedge
}

// witnessMapVersion is compared without case: Yosys 0.23 wrote "Aiger Map".
const witnessMapVersion = "Yosys Witness Aiger map"

// ReadWitnessMap reads a map in the format of -ywmap. Keys that it does not know are left alone.
func ReadWitnessMap(data []byte) (*WitnessMap, *Error) {
	r := witnessReader{object: newObject(data), m: &WitnessMap{Latches: -1, Inputs: -1}, seen: map[string]int{}}
	known := false
	err := r.each(func(key string) *Error {
		switch key {
		case "version":
			known = true
			return r.version()
		case "latch_count":
			return r.count(&r.m.Latches)
		case "input_count":
			return r.count(&r.m.Inputs)
		case "clocks":
			return r.clocks()
		case "inputs":
			return r.bits(&r.m.Ports)
		case "seqs":
			return r.bits(&r.m.Seqs)
		case "inits":
			return r.bits(&r.m.Inits)
		case "asserts":
			r.m.HasAsserts = true
			return r.paths(&r.m.Asserts)
		case "assumes":
			r.m.HasAssumes = true
			return r.paths(&r.m.Assumes)
		}
		return r.ignore()
	})
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, errorAt(data, 0, "expected the version %q, found none", witnessMapVersion)
	case r.m.Latches < 0:
		return nil, errorAt(data, 0, "latch_count is missing")
	case r.m.Inputs < 0:
		return nil, errorAt(data, 0, "input_count is missing")
	}
	if err := r.inRange(); err != nil {
		return nil, err
	}
	return r.m, nil
}

type witnessReader struct {
	*object
	m    *WitnessMap
	seen map[string]int // the input of each bit
}

func (r *witnessReader) version() *Error {
	var version string
	if err := r.value(&version); err != nil {
		return err
	}
	if !strings.EqualFold(version, witnessMapVersion) {
		return r.fault("expected the version %q, found %q", witnessMapVersion, clip(version))
	}
	return nil
}

func (r *witnessReader) count(to *int) *Error {
	if err := r.value(to); err != nil {
		return err
	}
	if *to < 0 || *to > maxIndex {
		return r.fault("the count %d is out of range", *to)
	}
	return nil
}

// rawBit is an entry as JSON has it. What is missing must not become input 0.
type rawBit struct {
	Path   []*string
	Input  *int
	Offset *int
	Edge   *string
}

func (r *witnessReader) bits(to *[]PathBit) *Error {
	return r.elements(func() *Error {
		var raw rawBit
		if err := r.value(&raw); err != nil {
			return err
		}
		bit, err := r.bit(raw)
		*to = append(*to, bit)
		return err
	})
}

func (r *witnessReader) clocks() *Error {
	return r.elements(func() *Error {
		var raw rawBit
		if err := r.value(&raw); err != nil {
			return err
		}
		bit, err := r.bit(raw)
		if err != nil {
			return err
		}
		if raw.Edge == nil || *raw.Edge != "posedge" && *raw.Edge != "negedge" {
			return r.fault("the clock %s has no edge: expected posedge or negedge", bit.Path)
		}
		r.m.Clocks = append(r.m.Clocks, Clock{bit, *raw.Edge})
		return nil
	})
}

func (r *witnessReader) bit(raw rawBit) (PathBit, *Error) {
	switch {
	case raw.Input == nil:
		return PathBit{}, r.fault("input is missing")
	case raw.Offset == nil:
		return PathBit{}, r.fault("offset is missing")
	case *raw.Input < 0 || *raw.Input > maxIndex:
		return PathBit{}, r.fault("the input %d is out of range", *raw.Input)
	case *raw.Offset < 0 || *raw.Offset > maxIndex:
		return PathBit{}, r.fault("the offset %d is out of range", *raw.Offset)
	}
	path, err := r.pathOf(raw.Path)
	if err != nil {
		return PathBit{}, err
	}
	bit := PathBit{Input: *raw.Input, Path: path, Offset: *raw.Offset, Line: r.line}
	return bit, r.claim(bit)
}

// claim keeps that one bit of the source is one input.
func (r *witnessReader) claim(bit PathBit) *Error {
	key := fmt.Sprintf("%s\n%d", strings.Join(bit.Path, "\n"), bit.Offset)
	if other, ok := r.seen[key]; ok && other != bit.Input {
		return r.fault("bit %d of %s is input %d and %d", bit.Offset, bit.Path, other, bit.Input)
	}
	r.seen[key] = bit.Input
	return nil
}

func (r *witnessReader) paths(to *[]Path) *Error {
	return r.elements(func() *Error {
		var raw []*string
		if err := r.value(&raw); err != nil {
			return err
		}
		path, err := r.pathOf(raw)
		*to = append(*to, path)
		return err
	})
}

// inRange holds the inputs against their number, which may stand after them.
func (r *witnessReader) inRange() *Error {
	clocks := make([]PathBit, len(r.m.Clocks))
	for i, c := range r.m.Clocks {
		clocks[i] = c.PathBit
	}
	for _, bits := range [][]PathBit{r.m.Ports, r.m.Seqs, r.m.Inits, clocks} {
		for _, b := range bits {
			if b.Input >= r.m.Inputs {
				return &Error{b.Line, 1, fmt.Sprintf("there is no input %d: input_count is %d", b.Input, r.m.Inputs)}
			}
		}
	}
	return nil
}
