package yosys

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Map is what write_aiger -map and -vmap write: names for the elements of an AIGER file. An
// element may have several names, in the order of the file.
type Map struct {
	Inputs  []Entry // by their positions
	Inits   []Entry // inputs that hold the value of a flip-flop in the first step
	Outputs []Entry
	Latches []Entry
	Wires   []Entry // of -vmap; Index is a literal
	// InitLatch is the position of the latch that is 0 in the first step and 1 after it; -1
	// where the file names none. Versions before June 2023 never name it.
	InitLatch int
}

// Entry gives an element a name.
type Entry struct {
	Index    int // from 0 on
	Bit      Bit
	Inverted bool // a latch that holds the complement
	Line     int  // of the map, from 1 on
}

// maxIndex bounds positions and literals, as AIGER files do here.
const maxIndex = math.MaxInt32

// ReadMap reads a map in the format of -map and -vmap. Each line ends with a line break: without
// it the last name may be half-written.
func ReadMap(data []byte) (*Map, *Error) {
	r := mapReader{data: data, m: &Map{InitLatch: -1}, seen: map[claim]int{}}
	for len(r.data) > r.offset {
		end := bytes.IndexByte(r.data[r.offset:], '\n')
		if end < 0 {
			return nil, errorAt(data, r.offset, "the last line has no line break: the map is not complete")
		}
		r.line++
		if err := r.entry(bytes.TrimSuffix(r.data[r.offset:r.offset+end], []byte("\r"))); err != nil {
			return nil, err
		}
		r.offset += end + 1
	}
	if err := r.startsOnce(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// startsOnce checks that no input of the source is also the first value of a flip-flop.
func (r *mapReader) startsOnce() *Error {
	inputs := map[int]bool{}
	for _, e := range r.m.Inputs {
		inputs[e.Index] = true
	}
	for _, e := range r.m.Inits {
		if inputs[e.Index] {
			return &Error{e.Line, 1, fmt.Sprintf("init names input %d, which input names too", e.Index)}
		}
	}
	return nil
}

// claim is the use of a bit of the source for a kind of elements. It has one index in a map, or
// the names of the map are not those of one circuit.
type claim struct {
	section *[]Entry
	bit     Bit
}

type mapReader struct {
	data   []byte
	offset int // where the line begins
	line   int
	m      *Map
	seen   map[claim]int
}

// entry reads one line.
func (r *mapReader) entry(line []byte) *Error {
	f := fields{text: string(line)}
	keyword := f.next()
	section := r.section(keyword)
	switch {
	case keyword == "" && f.text == "":
		return nil
	case keyword == "ninitff":
		return r.initLatch(&f)
	case section == nil:
		return r.fault(&f, "expected input, init, output, latch, invlatch, ninitff or wire, found %q", clip(keyword))
	}
	index, ok := indexOf(f.next())
	if !ok {
		return r.fault(&f, "expected the index of the %s, found %q", keyword, clip(f.word))
	}
	bit, err := strconv.ParseInt(f.next(), 10, 32)
	if err != nil {
		return r.fault(&f, "expected the number of a bit, found %q", clip(f.word))
	}
	name := f.rest()
	if fault := faultOf(name); fault != "" {
		return r.fault(&f, "%s", fault)
	}
	e := Entry{Index: index, Bit: Bit{name, int(bit)}, Inverted: keyword == "invlatch", Line: r.line}
	if other, ok := r.seen[claim{section, e.Bit}]; ok && other != index {
		return r.fault(&f, "%s names %s %d and %d", e.Bit, keyword, other, index)
	}
	r.seen[claim{section, e.Bit}] = index
	*section = append(*section, e)
	return nil
}

func (r *mapReader) section(keyword string) *[]Entry {
	switch keyword {
	case "input":
		return &r.m.Inputs
	case "init":
		return &r.m.Inits
	case "output":
		return &r.m.Outputs
	case "latch", "invlatch":
		return &r.m.Latches
	case "wire":
		return &r.m.Wires
	}
	return nil
}

// initLatch reads ninitff, which has an index and nothing else.
func (r *mapReader) initLatch(f *fields) *Error {
	index, ok := indexOf(f.next())
	switch {
	case !ok:
		return r.fault(f, "expected the index of the latch, found %q", clip(f.word))
	case r.m.InitLatch >= 0 && r.m.InitLatch != index:
		return r.fault(f, "ninitff names latch %d and %d", r.m.InitLatch, index)
	case f.rest() != "":
		return r.fault(f, "expected the end of the line, found %q", clip(f.word))
	}
	r.m.InitLatch = index
	return nil
}

// fault is an error at the field that was read last.
func (r *mapReader) fault(f *fields, format string, args ...any) *Error {
	return errorAt(r.data, r.offset+f.at, format, args...)
}

// fields splits a line at white space. Its last field, a name, may hold blanks.
type fields struct {
	text string
	pos  int // after the last field
	at   int // where the last field begins
	word string
}

func (f *fields) skip() {
	for f.pos < len(f.text) && (f.text[f.pos] == ' ' || f.text[f.pos] == '\t') {
		f.pos++
	}
	f.at = f.pos
}

func (f *fields) next() string {
	f.skip()
	for f.pos < len(f.text) && f.text[f.pos] != ' ' && f.text[f.pos] != '\t' {
		f.pos++
	}
	f.word = f.text[f.at:f.pos]
	return f.word
}

func (f *fields) rest() string {
	f.skip()
	f.pos = len(f.text)
	f.word = strings.TrimRight(f.text[f.at:], " \t")
	return f.word
}

// indexOf reads digits and nothing else.
func indexOf(word string) (int, bool) {
	n, err := strconv.ParseUint(word, 10, 31)
	return int(n), err == nil && n <= maxIndex
}

// clip shortens what a message quotes.
func clip(word string) string {
	const most = 40
	if len(word) > most {
		return word[:most] + "…"
	}
	return word
}
