package yosys

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"aiglens/internal/findings"
)

// Trace is what a Yosys witness trace (.yw) holds: values of wires in the steps of a run.
type Trace struct {
	Clocks  []TraceClock // a step is a cycle of these
	Signals []TraceSignal
	Steps   []TraceStep
}

// TraceClock is a bit whose edges are not part of the steps.
type TraceClock struct {
	Path   Path
	Offset int
	Edge   string // posedge or negedge
}

// TraceSignal is a run of bits of a wire, from bit Offset on.
type TraceSignal struct {
	Path          Path
	Offset, Width int
	InitOnly      bool // it has a value in the first step alone
	Line          int  // of the file, from 1 on
}

// TraceStep is the values of a step.
type TraceStep struct {
	// Bits has one of 0, 1, x and ? (not given) for each bit of the signals, from the right: bit 0 of
	// the first signal is the last one. What is missing on the left is not given.
	Bits string
	Line int // of the file, from 1 on
}

// bit returns the value of a bit of the step, by its position from the right: 0, 1, or x for one without a
// value.
func (s TraceStep) bit(at int) byte {
	if value := s.Bits[len(s.Bits)-1-at]; value != '?' {
		return value
	}
	return 'x'
}

const traceFormat = "Yosys Witness Trace"

// IsTrace reports whether a text looks like a Yosys witness trace: a JSON object of that format.
func IsTrace(data []byte) bool {
	text := strings.TrimLeft(string(data[:min(len(data), 1<<12)]), " \t\r\n")
	return strings.HasPrefix(text, "{") && strings.Contains(text, traceFormat)
}

// ReadTrace reads a Yosys witness trace. Keys that it does not know are left alone.
func ReadTrace(data []byte) (*Trace, *Error) {
	r := traceReader{object: newObject(data), t: &Trace{}}
	has := map[string]bool{}
	err := r.each(func(key string) *Error {
		has[key] = true
		switch key {
		case "format":
			return r.format()
		case "clocks":
			return r.elements(r.clock)
		case "signals":
			return r.elements(r.signal)
		case "steps":
			return r.elements(r.step)
		}
		return r.ignore()
	})
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"format", "signals", "steps"} {
		if !has[key] {
			return nil, errorAt(data, 0, "%s is missing", key)
		}
	}
	for i, s := range r.t.Steps {
		if len(s.Bits) > r.width {
			return nil, &Error{s.Line, 1, fmt.Sprintf("step %d has %s, and the signals have %d", i, findings.Count(len(s.Bits), "bit", "bits"), r.width)}
		}
	}
	return r.t, nil
}

type traceReader struct {
	*object
	t     *Trace
	width int // of all signals
}

func (r *traceReader) format() *Error {
	var format string
	if err := r.value(&format); err != nil {
		return err
	}
	if format != traceFormat {
		return r.fault("expected the format %q, found %q", traceFormat, clip(format))
	}
	return nil
}

func (r *traceReader) clock() *Error {
	var raw rawBit
	if err := r.value(&raw); err != nil {
		return err
	}
	path, err := r.pathOf(raw.Path)
	switch {
	case err != nil:
		return err
	case raw.Offset == nil || *raw.Offset < 0 || *raw.Offset > maxIndex:
		return r.fault("the clock %s has no offset", path)
	case raw.Edge == nil || *raw.Edge != "posedge" && *raw.Edge != "negedge":
		return r.fault("the clock %s has no edge: expected posedge or negedge", path)
	}
	r.t.Clocks = append(r.t.Clocks, TraceClock{path, *raw.Offset, *raw.Edge})
	return nil
}

func (r *traceReader) signal() *Error {
	var raw struct {
		Path          []*string
		Offset, Width *int
		InitOnly      bool `json:"init_only"`
	}
	if err := r.value(&raw); err != nil {
		return err
	}
	path, err := r.pathOf(raw.Path)
	switch {
	case err != nil:
		return err
	case raw.Offset == nil || *raw.Offset < 0 || *raw.Offset > maxIndex:
		return r.fault("the signal %s has no offset", path)
	case raw.Width == nil || *raw.Width < 0 || *raw.Width > maxIndex-r.width:
		return r.fault("the signal %s has no width", path)
	}
	r.width += *raw.Width
	r.t.Signals = append(r.t.Signals, TraceSignal{path, *raw.Offset, *raw.Width, raw.InitOnly, r.line})
	return nil
}

func (r *traceReader) step() *Error {
	var raw struct{ Bits *string }
	if err := r.value(&raw); err != nil {
		return err
	}
	if raw.Bits == nil {
		return r.fault("the step has no bits")
	}
	if bad := strings.Trim(*raw.Bits, "01x?"); bad != "" {
		return r.fault("the values of a step are 0, 1, x and ?, found %q", clip(bad))
	}
	r.t.Steps = append(r.t.Steps, TraceStep{*raw.Bits, r.line})
	return nil
}

// pathBit is one bit of a wire, as a key.
type pathBit struct {
	path   string
	offset int
}

// key has no two paths in common: no identifier holds a line break.
func (p Path) key() string { return strings.Join(p, "\n") }

// mappedInput is an input that a bit is.
type mappedInput struct {
	input    int
	initOnly bool // it counts in the first step alone
}

// inputsByBit returns the inputs of the map by the bits that they are.
func (m *WitnessMap) inputsByBit() map[pathBit]mappedInput {
	all := map[pathBit]mappedInput{}
	for b, initOnly := range m.bits() {
		all[pathBit{b.Path.key(), b.Offset}] = mappedInput{b.Input, initOnly}
	}
	return all
}

// bits yields the bits of the map, and whether their inputs count in the first step alone.
func (m *WitnessMap) bits() iter.Seq2[PathBit, bool] {
	return func(yield func(PathBit, bool) bool) {
		for _, list := range []struct {
			bits     []PathBit
			initOnly bool
		}{{m.Inits, true}, {m.Ports, false}, {m.Seqs, false}} {
			for _, b := range list.bits {
				if !yield(b, list.initOnly) {
					return
				}
			}
		}
	}
}

// mostValues bounds the values of all inputs in all steps: a short text may promise many.
const mostValues = 1 << 28

// Named reports for each input of the AIGER file whether it is a bit of the source.
func (m *WitnessMap) Named() []bool {
	named := make([]bool, m.Inputs)
	for b := range m.bits() {
		named[b.Input] = true
	}
	return named
}

// InputsOf returns the values of the inputs of the AIGER file in each step of a trace: 0, 1, and x for one
// that the trace does not give. unknown are the signals with a value that the map does not have, each once.
// The error says that two bits give an input different values, or that the trace has nothing in common with
// the map.
func (m *WitnessMap) InputsOf(t *Trace) (rows []string, unknown []string, err *Error) {
	if len(t.Steps) > 0 && m.Inputs > mostValues/len(t.Steps) {
		return nil, nil, &Error{1, 1, fmt.Sprintf("%s are too many for %s", findings.Count(len(t.Steps), "step", "steps"), findings.Count(m.Inputs, "input", "inputs"))}
	}
	bits := m.placesIn(t)
	seen := make([]bool, len(t.Signals))
	for step, s := range t.Steps {
		row := []byte(strings.Repeat("x", m.Inputs))
		for at := range len(s.Bits) {
			value, b := s.bit(at), bits[at]
			signal := t.Signals[b.signal]
			switch {
			case value == 'x' || b.isKnown && b.initOnly && step > 0:
			case !b.isKnown && !seen[b.signal]:
				seen[b.signal], unknown = true, append(unknown, signal.Path.String())
			case !b.isKnown:
			case row[b.input] != 'x' && row[b.input] != value:
				return nil, nil, &Error{signal.Line, 1, fmt.Sprintf("%s and another signal of the same input differ in step %d", signal.Path, step)}
			default:
				row[b.input] = value
			}
		}
		rows = append(rows, string(row))
	}
	if len(unknown) > 0 && !slices.ContainsFunc(bits, func(b placedBit) bool { return b.isKnown }) {
		return nil, nil, &Error{t.Signals[0].Line, 1, fmt.Sprintf("no signal of the trace is in the map, not even %s: is it of another design?", unknown[0])}
	}
	slices.Sort(unknown)
	return rows, slices.Compact(unknown), nil
}

// placedBit is a bit of the steps of a trace, and the input that it is of.
type placedBit struct {
	mappedInput
	isKnown bool
	signal  int
}

// placesIn returns the bits of the longest step of a trace, from the right.
func (m *WitnessMap) placesIn(t *Trace) (bits []placedBit) {
	longest := 0
	for _, s := range t.Steps {
		longest = max(longest, len(s.Bits))
	}
	known := m.inputsByBit()
	for i, s := range t.Signals {
		key := s.Path.key()
		for j := range min(s.Width, longest-len(bits)) {
			in, ok := known[pathBit{key, s.Offset + j}]
			bits = append(bits, placedBit{in, ok, i})
		}
	}
	return bits
}

// TraceOf returns the trace of a run: for each step the values of the inputs of the AIGER file, 0, 1 or x.
// left are the inputs that are no bit of the map and have a value.
func (m *WitnessMap) TraceOf(rows []string) (t *Trace, left []int) {
	t = &Trace{}
	for _, c := range m.Clocks {
		t.Clocks = append(t.Clocks, TraceClock{c.Path, c.Offset, c.Edge})
	}
	at := m.placeBits(t)
	isLeft := map[int]bool{}
	for step, row := range rows {
		bits := []byte{}
		set := func(place int, value byte) {
			for len(bits) <= place {
				bits = append(bits, '?')
			}
			bits[place] = value
		}
		for input := range len(row) {
			if row[input] == 'x' {
				continue
			}
			for _, place := range at[input] {
				if step == 0 || !place.initOnly {
					set(place.at, row[input])
				}
			}
			if len(at[input]) == 0 {
				isLeft[input] = true
			}
		}
		slices.Reverse(bits)
		t.Steps = append(t.Steps, TraceStep{Bits: string(bits)})
	}
	return t, slices.Sorted(maps.Keys(isLeft))
}

// bitPlace is where the values of a bit stand in the steps of a trace, from the right.
type bitPlace struct {
	at       int
	initOnly bool
}

// placeBits gives a trace the signals of the map, those of the first step alone last, and returns by input
// where its bits stand.
func (m *WitnessMap) placeBits(t *Trace) map[int][]bitPlace {
	type bit struct {
		PathBit
		initOnly bool
		memory   Path // the path without an address, which is −1 where there is none
		address  int
	}
	var all []bit
	for b, initOnly := range m.bits() {
		memory, address := b.Path.word()
		all = append(all, bit{b, initOnly, memory, address})
	}
	slices.SortStableFunc(all, func(a, b bit) int {
		first := func(initOnly bool) int { return map[bool]int{false: 0, true: 1}[initOnly] }
		return cmp.Or(cmp.Compare(first(a.initOnly), first(b.initOnly)), slices.Compare(a.memory, b.memory), cmp.Compare(a.address, b.address), cmp.Compare(a.Offset, b.Offset))
	})
	places, width := map[int][]bitPlace{}, 0
	for i, b := range all {
		last := len(t.Signals) - 1
		switch {
		case i > 0 && all[i-1].initOnly == b.initOnly && slices.Equal(all[i-1].Path, b.Path) && all[i-1].Offset == b.Offset:
			width-- // it stands in two lists of the map
		case i > 0 && all[i-1].initOnly == b.initOnly && slices.Equal(all[i-1].Path, b.Path) && all[i-1].Offset+1 == b.Offset:
			t.Signals[last].Width++
		default:
			t.Signals = append(t.Signals, TraceSignal{Path: b.Path, Offset: b.Offset, Width: 1, InitOnly: b.initOnly})
		}
		places[b.Input] = append(places[b.Input], bitPlace{width, b.initOnly})
		width++
	}
	return places
}

// word takes the address off the path of a word of a memory; without one it is −1.
func (p Path) word() (memory Path, address int) {
	last := p[len(p)-1]
	if id := strings.TrimPrefix(last, `\`); id != last && isAddress(id) {
		if address, err := strconv.Atoi(id[1 : len(id)-1]); err == nil {
			return p[:len(p)-1], address
		}
	}
	return p, -1
}

// Append appends the trace as Yosys writes it.
func (t *Trace) Append(dst []byte) []byte {
	list := func(key string, n int, item func(i int) string) {
		dst = fmt.Appendf(dst, ",\n  %q: [", key)
		for i := range n {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = fmt.Appendf(dst, "\n    %s", item(i))
		}
		if n > 0 {
			dst = append(dst, "\n  "...)
		}
		dst = append(dst, ']')
	}
	path := func(p Path) string {
		text, _ := json.Marshal(p) // texts always encode
		return string(text)
	}
	dst = fmt.Appendf(dst, "{\n  \"format\": %q,\n  \"generator\": \"aiglens\"", traceFormat)
	list("clocks", len(t.Clocks), func(i int) string {
		c := t.Clocks[i]
		return fmt.Sprintf(`{"path": %s, "edge": %q, "offset": %d}`, path(c.Path), c.Edge, c.Offset)
	})
	list("signals", len(t.Signals), func(i int) string {
		s := t.Signals[i]
		return fmt.Sprintf(`{"path": %s, "width": %d, "offset": %d, "init_only": %t}`, path(s.Path), s.Width, s.Offset, s.InitOnly)
	})
	list("steps", len(t.Steps), func(i int) string { return fmt.Sprintf(`{"bits": %q}`, t.Steps[i].Bits) })
	return append(dst, "\n}\n"...)
}
