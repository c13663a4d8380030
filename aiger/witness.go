package aiger

import (
	"fmt"
	"strconv"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Witness is one entry of a witness file, as the model checking competitions
// use it.
type Witness struct {
	Status     byte // '0' holds, '1' violated, '2' unknown
	Properties []circuit.Property
	initial    []circuit.Value   // one value a latch
	inputs     [][]circuit.Value // one row a step, one value an input
	// Lines are those of a witness that was read, without comments: the status, the
	// properties, the initial state and the inputs of each step.
	Lines []source.Span
}

// NewWitness returns the witness of a counterexample.
func NewWitness(p circuit.Property, t cert.Trace) Witness {
	return Witness{Status: '1', Properties: []circuit.Property{p}, initial: t.Initial, inputs: t.Inputs}
}

// Trace returns the run of the witness.
func (w Witness) Trace() cert.Trace { return cert.Trace{Initial: w.initial, Inputs: w.inputs} }

// Append appends the witness in the format of the competitions. A property of
// kind output is written b<i>, as the convention of AIGER 1.0 has it. The error is that of a
// property that the format has no letter for: a lemma or a cover.
func (w Witness) Append(dst []byte) ([]byte, error) {
	dst = append(dst, w.Status, '\n')
	for _, p := range w.Properties {
		var letter byte
		switch p.Kind {
		case circuit.PropertyBad, circuit.PropertyOutput:
			letter = 'b'
		case circuit.PropertyJustice:
			letter = 'j'
		default:
			return nil, fmt.Errorf("an AIGER witness is about bads, outputs and justice properties, and cannot name %s", p)
		}
		dst = strconv.AppendInt(append(dst, letter), int64(p.Index), 10)
	}
	dst = append(dst, '\n')
	if w.Status == '1' {
		dst = appendValues(dst, w.initial)
		for _, step := range w.inputs {
			dst = appendValues(dst, step)
		}
	}
	return append(dst, ".\n"...), nil
}

func appendValues(dst []byte, values []circuit.Value) []byte {
	for _, v := range values {
		dst = append(dst, v.String()...)
	}
	return append(dst, '\n')
}

// ReadWitnesses reads a witness file: any number of witnesses, comment lines
// (c…) and bound reports (u…) between and inside them. A property b<i> is read
// as a bad; a caller that knows the circuit takes it for an output when there are no
// bads. Malformed witnesses are reported and left out.
func ReadWitnesses(data []byte) ([]Witness, []source.Diagnostic) {
	r := witnessReader{content: string(data), List: findings.NewList(syntax.Catalogue)}
	for r.skip(); r.pos < len(r.content); r.skip() {
		if w, ok := r.witness(); ok {
			r.list = append(r.list, w)
		} else {
			r.recover()
		}
	}
	return r.list, findings.Values(r.Finish())
}

type witnessReader struct {
	content string
	pos     int
	list    []Witness
	findings.List
}

// next returns the next line that is neither comment nor bound report; ok is
// false at the end.
func (r *witnessReader) next() (line string, span source.Span, ok bool) {
	for r.pos < len(r.content) {
		start := r.pos
		line, _, _ = strings.Cut(r.content[start:], "\n")
		r.pos = min(start+len(line)+1, len(r.content))
		if line != "" && (line[0] == 'c' || line[0] == 'u') {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		return line, source.Span{Start: start, Length: len(line)}, true
	}
	return "", source.Span{Start: len(r.content)}, false
}

// skip moves to the next witness.
func (r *witnessReader) skip() {
	for r.pos < len(r.content) {
		at := r.pos
		if line, _, ok := r.next(); ok && line != "" {
			r.pos = at
			return
		}
	}
}

// recover moves after the dot of a malformed witness.
func (r *witnessReader) recover() {
	for {
		if line, _, ok := r.next(); !ok || line == "." {
			return
		}
	}
}

// witness reads one witness, up to and including its dot. On an error it
// leaves the position on the line of the error.
func (r *witnessReader) witness() (w Witness, ok bool) {
	status, span, _ := r.next()
	if len(status) != 1 || status[0] < '0' || status[0] > '2' {
		r.fail(span, "expected the status 0, 1 or 2, found %s", status)
		return w, false
	}
	w.Status = status[0]
	w.Lines = append(w.Lines, span)
	line, span, _ := r.next()
	w.Lines = append(w.Lines, span)
	if w.Properties, ok = parseProperties(line); !ok {
		r.fail(span, "expected properties such as b0 or j1, found %s", line)
		return w, false
	}
	if w.Status == '1' {
		at := r.pos
		line, span, ok := r.next()
		if w.initial, ok = parseValues(line, ok); !ok {
			r.pos = at
			r.fail(span, "expected the initial state as 0, 1 and x, found %s", line)
			return w, false
		}
		w.Lines = append(w.Lines, span)
	}
	return w, r.steps(&w)
}

// fail reports an error; a dot, which ends the witness, is not read past.
func (r *witnessReader) fail(span source.Span, format, found string) {
	r.Add(syntax.CodeWitness, span, format, findings.Quote(found))
	r.pos = span.Start
}

// steps reads the input lines and the dot.
func (r *witnessReader) steps(w *Witness) bool {
	for {
		line, span, more := r.next()
		if more && line == "." {
			if w.Status == '1' && len(w.inputs) == 0 {
				r.fail(span, "expected at least one line of inputs, found %s", line)
				return false
			}
			return true
		}
		step, ok := parseValues(line, more)
		switch {
		case !more:
			r.fail(span, "expected a dot on its own line, found %s", "the end of the file")
			return false
		case w.Status != '1' || !ok:
			r.fail(span, "expected inputs as 0, 1 and x, or a dot, found %s", line)
			return false
		case len(w.inputs) > 0 && len(step) != len(w.inputs[0]):
			r.fail(span, "expected as many inputs as in the first step, found %s", line)
			return false
		}
		w.inputs, w.Lines = append(w.inputs, step), append(w.Lines, span)
	}
}

func parseProperties(line string) (ps []circuit.Property, ok bool) {
	for i := 0; i < len(line); {
		kind := circuit.PropertyBad
		switch line[i] {
		case 'b':
		case 'j':
			kind = circuit.PropertyJustice
		default:
			return nil, false
		}
		i++
		start := i
		for i < len(line) && '0' <= line[i] && line[i] <= '9' {
			i++
		}
		index, err := strconv.ParseUint(line[start:i], 10, 31)
		if err != nil {
			return nil, false
		}
		ps = append(ps, circuit.Property{Kind: kind, Index: int(index)})
	}
	return ps, len(ps) > 0
}

func parseValues(line string, more bool) (vs []circuit.Value, ok bool) {
	if !more {
		return nil, false
	}
	vs = make([]circuit.Value, len(line))
	for i := range len(line) {
		switch line[i] {
		case '0':
			vs[i] = circuit.Zero
		case '1':
			vs[i] = circuit.One
		case 'x':
			vs[i] = circuit.X
		default:
			return nil, false
		}
	}
	return vs, true
}
