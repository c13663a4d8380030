package btor2

import (
	"fmt"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// CodeWitness is the code of what is wrong with a witness.
const CodeWitness source.Code = "witness-syntax"

// Witness is a run as the BTOR2 tools write it: "sat", the properties that it violates, and its frames. Without properties it
// is a run that violates nothing.
type Witness struct {
	IsUnsat    bool // the properties are claimed to hold; there are no frames
	Properties []circuit.Property
	Frames     []Frame
	// Status and Claims are the lines of a witness that was read which say sat or unsat, and name the properties.
	Status, Claims source.Span
}

// Frame is a step: #t with values of states, and @t with those of inputs.
type Frame struct {
	States, Inputs []Assignment
	Span           source.Span // the first line of one that was read
}

// Assignment is a value of a state or input, or of an element of one that is an array.
type Assignment struct {
	Position int    // among the state rows, or the input rows, of the file
	Index    string // of an array: the bits of the index, the most significant first, or AllIndices; else ""
	Bits     string // the most significant first
	Name     string // after the value, or ""; it is not read
	Span     source.Span
}

// AllIndices stands for all indices that no other line of the frame names.
const AllIndices = "*"

// Append appends the witness. The error is that of a property that the format has no letter for.
func (w Witness) Append(dst []byte) ([]byte, error) {
	switch {
	case w.IsUnsat:
		dst = append(dst, "unsat\n"...)
	case len(w.Properties) > 0:
		dst = append(dst, "sat\n"...)
	}
	for i, p := range w.Properties {
		letter, ok := map[circuit.PropertyKind]byte{circuit.PropertyBad: 'b', circuit.PropertyJustice: 'j'}[p.Kind]
		if !ok {
			return nil, fmt.Errorf("a BTOR2 witness is about bads and justice properties, and cannot name %s", p)
		}
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(append(dst, letter), int64(p.Index), 10)
	}
	if len(w.Properties) > 0 {
		dst = append(dst, '\n')
	}
	if w.IsUnsat {
		return dst, nil
	}
	for t, f := range w.Frames {
		if t == 0 || len(f.States) > 0 {
			dst = appendFrame(dst, '#', t, f.States)
		}
		dst = appendFrame(dst, '@', t, f.Inputs)
	}
	return append(dst, ".\n"...), nil
}

func appendFrame(dst []byte, header byte, t int, values []Assignment) []byte {
	dst = append(strconv.AppendInt(append(dst, header), int64(t), 10), '\n')
	for _, a := range values {
		dst = append(strconv.AppendInt(dst, int64(a.Position), 10), ' ')
		if a.Index != "" {
			dst = append(append(append(dst, '['), a.Index...), "] "...)
		}
		dst = append(dst, a.Bits...)
		if a.Name != "" {
			dst = append(append(dst, ' '), a.Name...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// IsWitness reports whether a text begins as a BTOR2 witness does.
func IsWitness(data []byte) bool {
	status := strings.TrimRight(firstLine(data), " ")
	return status == "sat" || status == "unsat" || IsRun(data)
}

// IsRun reports whether a text begins as a run without properties does: with a frame.
func IsRun(data []byte) bool {
	line := firstLine(data)
	return len(line) > 1 && (line[0] == '#' || line[0] == '@') && '0' <= line[1] && line[1] <= '9'
}

// firstLine returns that at which the first witness begins, or "".
func firstLine(data []byte) (line string) {
	r := witnessReader{content: string(data[:min(len(data), 1<<12)])}
	if r.skip() {
		line, _ = r.peek()
	}
	return line
}

// ReadWitnesses reads any number of witnesses, with blank lines and lines of comments (;) around them. Malformed ones are
// reported and left out.
func ReadWitnesses(data []byte) ([]Witness, []source.Diagnostic) {
	r := witnessReader{content: string(data)}
	var all []Witness
	for r.skip() {
		if w, ok := r.witness(); ok {
			all = append(all, w)
		} else {
			r.recover()
		}
	}
	return all, r.found
}

type witnessReader struct {
	content string
	pos     int
	found   []source.Diagnostic
}

// peek returns the next line without its end.
func (r *witnessReader) peek() (line string, span source.Span) {
	line, _, _ = strings.Cut(r.content[r.pos:], "\n")
	line = strings.TrimRight(line, "\r")
	return line, source.Span{Start: r.pos, Length: len(line)}
}

// read moves after the line that peek returns.
func (r *witnessReader) read() {
	line, _, _ := strings.Cut(r.content[r.pos:], "\n")
	r.pos = min(r.pos+len(line)+1, len(r.content))
}

func (r *witnessReader) atEnd() bool { return r.pos == len(r.content) }

// skip moves to the next witness, and reports whether there is one.
func (r *witnessReader) skip() bool {
	for ; !r.atEnd(); r.read() {
		if line, _ := r.peek(); strings.TrimSpace(line) != "" && line[0] != ';' {
			return true
		}
	}
	return false
}

// recover moves after the dot of a malformed witness, or to the header of the next one.
func (r *witnessReader) recover() {
	for r.read(); !r.atEnd(); r.read() {
		switch line, _ := r.peek(); strings.TrimRight(line, " ") {
		case "sat", "unsat":
			return
		case ".":
			r.read()
			return
		}
	}
}

// fail reports what is wrong with a line.
func (r *witnessReader) fail(span source.Span, format string, args ...any) bool {
	r.found = append(r.found, source.Diagnostic{Span: span, Severity: source.Error, Code: CodeWitness, Message: fmt.Sprintf(format, args...)})
	return false
}

// foundText says what stands in a line, for messages.
func (r *witnessReader) foundText(line string) string {
	if r.atEnd() {
		return "the end of the file"
	}
	if len(line) > 40 {
		line = strings.ToValidUTF8(line[:40], "") + "…"
	}
	return strconv.Quote(line)
}

// witness reads one, up to its dot. On an error the position is the line of the error.
func (r *witnessReader) witness() (w Witness, ok bool) {
	line, span := r.peek()
	switch status := strings.TrimRight(line, " "); {
	case status == "sat", status == "unsat":
		r.read()
		w.IsUnsat, w.Status = status == "unsat", span
		_, w.Claims = r.peek()
		if w.Properties, ok = r.properties(); !ok {
			return w, false
		}
		if w.IsUnsat {
			return w, true
		}
	case !strings.HasPrefix(line, "#"):
		return w, r.fail(span, "expected sat, unsat or the frame #0, found %s", r.foundText(line))
	}
	return w, r.frames(&w)
}

// properties reads a line such as "b0 j1".
func (r *witnessReader) properties() (ps []circuit.Property, ok bool) {
	line, span := r.peek()
	for _, word := range strings.Fields(line) {
		kind := circuit.PropertyBad
		if word[0] == 'j' {
			kind = circuit.PropertyJustice
		}
		index, ok := decimal(word[1:])
		if word[0] != 'b' && word[0] != 'j' || !ok {
			return nil, r.fail(span, "expected properties such as b0 or j1, found %s", r.foundText(line))
		}
		ps = append(ps, circuit.Property{Kind: kind, Index: index})
	}
	if len(ps) == 0 {
		return nil, r.fail(span, "expected properties such as b0 or j1, found %s", r.foundText(line))
	}
	r.read()
	return ps, true
}

// decimal reads a number from 0 without leading zeros.
func decimal(word string) (n int, ok bool) {
	u, err := strconv.ParseUint(word, 10, 31)
	return int(u), err == nil && (word == "0" || word[0] != '0')
}

// frames reads the frames and the dot. A frame is that of its number; parts without values may be left out, but no frame.
func (r *witnessReader) frames(w *Witness) bool {
	hasInputs := false // of the last frame
	var values *[]Assignment
	for {
		line, span := r.peek()
		switch {
		case r.atEnd():
			return r.fail(span, "expected a dot on its own line, found the end of the file")
		case strings.TrimRight(line, " ") == ".":
			if len(w.Frames) == 0 {
				return r.fail(span, "expected at least one frame, found the dot")
			}
			r.read()
			return true
		case line != "" && (line[0] == '#' || line[0] == '@'):
			isInputs, last := line[0] == '@', len(w.Frames)-1
			t, ok := decimal(strings.TrimRight(line[1:], " "))
			continues := isInputs && t == last && !hasInputs
			if !ok || t != last+1 && !continues {
				return r.fail(span, "expected the frame %s, found %s", expectedFrame(line[0], last, hasInputs), r.foundText(line))
			}
			if !continues {
				w.Frames = append(w.Frames, Frame{Span: span})
			}
			hasInputs = isInputs
			f := &w.Frames[len(w.Frames)-1]
			if values = &f.States; isInputs {
				values = &f.Inputs
			}
		case values == nil:
			return r.fail(span, "expected the frame #0 or @0, found %s", r.foundText(line))
		default:
			a, why := assignment(line, span)
			if why != "" {
				return r.fail(span, "%s, found %s", why, r.foundText(line))
			}
			*values = append(*values, a)
		}
		r.read()
	}
}

// expectedFrame says which headers can stand after the last frame.
func expectedFrame(header byte, last int, hasInputs bool) string {
	next := fmt.Sprintf("%c%d", header, last+1)
	if header == '@' && last >= 0 && !hasInputs {
		return fmt.Sprintf("@%d or %s", last, next)
	}
	return next
}

// assignment reads a line such as "3 [01] 0011 memory#0"; why says what was expected of a malformed one.
func assignment(line string, span source.Span) (a Assignment, why string) {
	word, rest, _ := strings.Cut(line, " ")
	position, ok := decimal(word)
	if !ok {
		return a, "expected the position of a state or input, a frame, or a dot"
	}
	a = Assignment{Position: position, Span: span}
	if strings.HasPrefix(rest, "[") {
		word, rest, _ = strings.Cut(rest[1:], " ")
		a.Index, ok = strings.CutSuffix(word, "]")
		if !ok || a.Index != AllIndices && !isBits(a.Index) {
			return a, "expected the bits of an index, or *, in brackets"
		}
	}
	a.Bits, a.Name, _ = strings.Cut(rest, " ")
	if !isBits(a.Bits) {
		return a, "expected a value of 0 and 1"
	}
	return a, ""
}

func isBits(word string) bool { return word != "" && strings.Trim(word, "01") == "" }
