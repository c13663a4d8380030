package verilogdesign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/lazy"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/internal/yosys"
)

// signal is a wire or register of the source in one instance of its module.
type signal struct {
	name  string   // with its instances: u1.fifo.head
	path  []string // the scopes around it
	local string
	wire  *yosys.Wire
	lits  []uint32 // of the model, by bit
	known []bool   // whether the circuit has the bit
	isReg bool     // a flip-flop of its module drives it
	place place
}

// bitName returns the name of a bit: that of the signal for the only one.
func (x *signal) bitName(i int) string {
	if len(x.lits) == 1 && x.wire.Offset == 0 {
		return x.name
	}
	return fmt.Sprintf("%s[%d]", x.name, x.index(i))
}

// index returns the index that a bit has in the source.
func (x *signal) index(i int) int {
	if x.wire.Upto {
		return x.wire.Offset + len(x.lits) - 1 - i
	}
	return x.wire.Offset + i
}

// joined returns a path as Verilog writes it. A word of a memory is an index.
func joined(path []string) string {
	var b strings.Builder
	for i, part := range path {
		if i > 0 && !strings.HasPrefix(part, "[") {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

// scopesOf splits a path before flatten into the scopes and the name inside. Generate blocks are
// scopes, too. An escaped name, which the source shows, may have points of its own.
func scopesOf(path []string, p place) (scopes []string, local string) {
	last := len(path) - 1
	if p.isKnown() {
		escaped, isEscaped := strings.CutPrefix(p.text.Slice(p.span), `\`)
		if before, ok := strings.CutSuffix(path[last], escaped); isEscaped && ok && escaped != "" {
			scopes, _ = scopesOf(append(path[:last:last], strings.TrimSuffix(before, ".")+".x"), place{})
			return slices.DeleteFunc(scopes, func(part string) bool { return part == "" }), escaped
		}
	}
	if last > 0 && strings.HasPrefix(path[last], "[") {
		path = append(path[:last-1:last-1], path[last-1]+path[last])
	}
	for _, part := range path {
		scopes = append(scopes, strings.Split(part, ".")...)
	}
	return scopes[:len(scopes)-1], scopes[len(scopes)-1]
}

// findSignals finds the wires with names, those first that a bit goes by: registers before other
// names of the same net, then short paths.
func (s *Synthesis) findSignals() {
	h := s.hierarchy
	for i := range s.output.Netlist.Wires {
		w := &s.output.Netlist.Wires[i]
		if w.Private || len(w.Bits) == 0 || synthesis.IsOfCall(w.Name) {
			continue
		}
		path := w.Path()
		x := &signal{name: joined(path), wire: w, lits: make([]uint32, len(w.Bits)), known: make([]bool, len(w.Bits))}
		for i, b := range w.Bits {
			x.lits[i], x.known[i] = s.litOf(b)
		}
		x.isReg = h.isRegister(path)
		x.place = s.placeOf(h.wireOf(path), h.memoryOf(path), w.Attributes)
		x.path, x.local = scopesOf(path, x.place)
		s.signals = append(s.signals, x)
	}
	isInput := map[string]bool{}
	for _, p := range s.output.Netlist.Ports {
		isInput[p.Name] = p.Direction == "input"
	}
	rank := func(x *signal) int {
		switch is, isPort := isInput[x.wire.Name]; {
		case x.isReg:
			return 3
		case is:
			return 2
		case isPort: // another name of what drives it
			return 0
		}
		return 1
	}
	slices.SortStableFunc(s.signals, func(a, b *signal) int {
		return cmp.Or(-cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.name, b.name))
	})
}

// place is a span of a source.
type place struct {
	path string
	text source.Text
	span source.Span
}

func (p place) isKnown() bool { return p.path != "" }

// placeOf returns where something stands by the first attributes that have a place in a source; of
// several places the last.
func (s *Synthesis) placeOf(attributes ...yosys.Attributes) (found place) {
	for _, a := range attributes {
		for _, p := range a.Places() {
			path := s.output.PathOf(p.File)
			if i := s.indexOf(path); i >= 0 {
				if span, ok := spanOf(s.sources[i].Text, p); ok {
					found = place{path, s.sources[i].Text, span}
				}
			}
		}
		if found.isKnown() {
			break
		}
	}
	return found
}

var includeDirective = lazy.Pattern("`include\\s+\"([^\"\\n]+)\"")

// includesOf returns where the sources include a file.
func (s *Synthesis) includesOf(path string) []place {
	var all []place
	for _, f := range s.sources {
		code := codeOf(f.Text.Content())
		for _, m := range includeDirective().FindAllSubmatchIndex(code, -1) {
			if filepath.Base(filepath.FromSlash(string(code[m[2]:m[3]]))) == filepath.Base(path) {
				all = append(all, place{f.Path, f.Text, source.Span{Start: m[0], Length: m[1] - m[0]}})
			}
		}
	}
	return all
}

// includeOf returns the first of these; an unknown place for none.
func (s *Synthesis) includeOf(path string) (first place) {
	if all := s.includesOf(path); len(all) > 0 {
		first = all[0]
	}
	return first
}

// spanOf returns the span of a place, without the blanks before it, which Yosys counts in at times.
func spanOf(t source.Text, p yosys.Place) (span source.Span, ok bool) {
	start, ok := offsetOf(t, p.Line, p.Column)
	if !ok {
		return span, false
	}
	end, ok := offsetOf(t, p.EndLine, p.EndColumn)
	if !ok || end < start {
		end = start
	}
	text := t.Slice(source.Span{Start: start, Length: end - start})
	from := blankBefore(text)
	if strings.HasPrefix(text[from:], ";") { // the end of the statement before
		from += 1 + blankBefore(text[from+1:])
	}
	if from == len(text) {
		from = 0
	}
	text = strings.TrimRight(text[from:], " \t\r\n")
	return source.Span{Start: start + from, Length: max(len(text), 1)}, true
}

func offsetOf(t source.Text, line, column int) (int, bool) {
	if line < 1 || line > t.NumLines() {
		return 0, false
	}
	row := t.LineSpan(line - 1)
	return row.Start + min(column-1, row.Length), true
}

// blankBefore returns the length of the blanks and comments at the start of a text.
func blankBefore(text string) int {
	at := 0
	for at < len(text) {
		rest := text[at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(text)
			}
			at += end + 1
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return len(text)
			}
			at += end + 2
		default:
			return at
		}
	}
	return at
}

// cellPath returns the names of the hierarchy down to a cell. Those of cells without names of
// their own keep the instances in front.
func (s *Synthesis) cellPath(c *yosys.Cell) []string {
	inside, isFlat := strings.CutPrefix(c.Name, `$flatten\`)
	if !c.Private || !isFlat {
		return c.Path()
	}
	at := strings.Index(inside, ".$")
	if at < 0 {
		return []string{c.Name}
	}
	return append(strings.Split(inside[:at], `.\`), inside[at+1:])
}

// word returns the signal as a word of the circuit.
func (x *signal) word(lit func(uint32) (circuit.Lit, bool)) design.Word {
	w := design.Word{
		Name: x.name, Path: x.path, Local: x.local, Low: x.index(0), Falls: x.wire.Upto, Signed: x.wire.Signed,
		Origin: design.FromLanguage, Bits: make([]design.Bit, len(x.lits)),
	}
	for i, l := range x.lits {
		at, ok := lit(l)
		w.Bits[i] = design.Bit{Lit: at, Missing: !ok || !x.known[i]}
	}
	for name, value := range x.wire.Attributes {
		bits, isValue := strings.CutPrefix(name, "enum_value_")
		if !isValue || len(bits) != len(x.lits) {
			continue
		}
		named := design.NamedValue{Name: strings.TrimPrefix(value, `\`)}
		for i := range len(bits) {
			named.Value = append(named.Value, valueOf(bits[len(bits)-1-i]))
		}
		w.Values = append(w.Values, named)
	}
	slices.SortFunc(w.Values, func(a, b design.NamedValue) int {
		for i := len(a.Value) - 1; i >= 0; i-- {
			if a.Value[i] != b.Value[i] {
				return int(a.Value[i]) - int(b.Value[i])
			}
		}
		return strings.Compare(a.Name, b.Name)
	})
	return w
}

func valueOf(bit byte) circuit.Value {
	switch bit {
	case '0':
		return circuit.Zero
	case '1':
		return circuit.One
	}
	return circuit.X
}
