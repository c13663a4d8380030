package yosys

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Netlist is a module as write_json writes it.
type Netlist struct {
	Name  string
	IsTop bool
	Ports []Port
	Wires []Wire // in the order of the file
	Cells []Cell // in the order of the file, which is that of write_aiger after it
	// Attributes are those of the module, Memories those of its memories by name.
	Attributes Attributes
	Memories   map[string]Attributes
}

// Port is an input or output of a module.
type Port struct {
	Name      string
	Direction string // input, output or inout
	Bits      []NetBit
}

// Wire is a name for some bits.
type Wire struct {
	Name    string
	Private bool     // a name that Yosys has made
	Bits    []NetBit // from the least significant on
	// Offset is the least index. Upto says that it belongs to the most significant bit, as in
	// wire [0:3].
	Offset     int
	Upto       bool
	Signed     bool
	Attributes Attributes
}

// Cell is an instance of a module or a cell of Yosys.
type Cell struct {
	Name       string
	Private    bool
	Type       string
	Parameters Attributes
	Attributes Attributes
	Ports      map[string][]NetBit
}

// NetBit is a net of a module, a constant, or unknown.
type NetBit int32

// The bits that are no nets; a net is at least 2.
const (
	Bit0       NetBit = 0
	Bit1       NetBit = 1
	BitUnknown NetBit = -1 // x or z
)

// IsNet reports whether the bit is no constant.
func (b NetBit) IsNet() bool { return b >= 2 }

// UnmarshalJSON reads the number of a net, or a constant as text.
func (b *NetBit) UnmarshalJSON(data []byte) error {
	var n int32
	if err := json.Unmarshal(data, &n); err == nil {
		*b = max(NetBit(n), BitUnknown)
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	switch s {
	case "0":
		*b = Bit0
	case "1":
		*b = Bit1
	default:
		*b = BitUnknown
	}
	return nil
}

// Attributes are values by names: text, or bits with the most significant one in front.
type Attributes map[string]string

// UnmarshalJSON reads an object whose values are text or numbers.
func (a *Attributes) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*a = make(Attributes, len(raw))
	for name, value := range raw {
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		(*a)[name] = s
	}
	return nil
}

// IsSet reports whether an attribute of bits is not 0.
func (a Attributes) IsSet(name string) bool { return strings.Contains(a[name], "1") }

// Path returns the names of the hierarchy down to the wire, from the top.
func (w *Wire) Path() []string { return pathBefore(w.Attributes, w.Name) }

// Path returns the names of the hierarchy down to the cell, from the top.
func (c *Cell) Path() []string { return pathBefore(c.Attributes, c.Name) }

// pathBefore returns the path before flatten, which flatten keeps as an attribute.
func pathBefore(a Attributes, name string) []string {
	if path := strings.Fields(a["hdlname"]); len(path) > 0 {
		return path
	}
	return []string{name}
}

// Place is a span of a file of the source. Lines and columns begin at 1; those of End are after
// the span.
type Place struct {
	File                             string
	Line, Column, EndLine, EndColumn int
}

// Places reads the attribute src: where something stands, and where instances around it do.
func (a Attributes) Places() []Place {
	var all []Place
	for _, text := range strings.Split(a["src"], "|") {
		if p, ok := placeOf(text); ok {
			all = append(all, p)
		}
	}
	return all
}

// placeOf reads FILE:LINE.COLUMN-LINE.COLUMN, or FILE:LINE.
func placeOf(text string) (p Place, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at <= 0 {
		return p, false
	}
	p.File = text[:at]
	from, to, isSpan := strings.Cut(text[at+1:], "-")
	if p.Line, p.Column, ok = lineColumn(from); !ok {
		return p, false
	}
	p.EndLine, p.EndColumn = p.Line, p.Column
	if isSpan {
		p.EndLine, p.EndColumn, ok = lineColumn(to)
	}
	return p, ok && p.Line > 0
}

func lineColumn(text string) (line, column int, ok bool) {
	first, second, has := strings.Cut(text, ".")
	if line, ok = indexOf(first); !ok {
		return 0, 0, false
	}
	if has {
		column, ok = indexOf(second)
	}
	return line, max(column, 1), ok
}

// ReadNetlists reads the modules of a file that write_json has written.
func ReadNetlists(data []byte) ([]*Netlist, *Error) {
	o := newObject(data)
	var all []*Netlist
	err := o.each(func(key string) *Error {
		if key != "modules" {
			return o.ignore()
		}
		var modules ordered[jsonModule]
		if err := o.value(&modules); err != nil {
			return err
		}
		for _, m := range modules {
			all = append(all, m.value.netlist(m.name))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

type jsonModule struct {
	Attributes Attributes
	Ports      ordered[struct {
		Direction string
		Bits      []NetBit
	}]
	Cells ordered[struct {
		Hide        int `json:"hide_name"`
		Type        string
		Parameters  Attributes
		Attributes  Attributes
		Connections map[string][]NetBit
	}]
	Memories map[string]struct{ Attributes Attributes }
	Netnames ordered[struct {
		Hide       int `json:"hide_name"`
		Bits       []NetBit
		Offset     int
		Upto       int
		Signed     int
		Attributes Attributes
	}]
}

func (m *jsonModule) netlist(name string) *Netlist {
	n := &Netlist{Name: name, IsTop: m.Attributes.IsSet("top"), Attributes: m.Attributes, Memories: map[string]Attributes{}}
	for memory, v := range m.Memories {
		n.Memories[memory] = v.Attributes
	}
	for _, p := range m.Ports {
		n.Ports = append(n.Ports, Port{p.name, p.value.Direction, p.value.Bits})
	}
	for _, c := range m.Cells {
		v := c.value
		n.Cells = append(n.Cells, Cell{c.name, v.Hide != 0, v.Type, v.Parameters, v.Attributes, v.Connections})
	}
	for _, w := range m.Netnames {
		v := w.value
		n.Wires = append(n.Wires, Wire{w.name, v.Hide != 0, v.Bits, v.Offset, v.Upto != 0, v.Signed != 0, v.Attributes})
	}
	return n
}

var errNoObject = errors.New("expected an object")

// ordered is an object of JSON with its members in the order of the file.
type ordered[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

func (o *ordered[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return errNoObject
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		m := member[T]{}
		m.name, _ = token.(string)
		if err := d.Decode(&m.value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}
