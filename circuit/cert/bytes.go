package cert

import (
	"encoding/binary"
	"errors"
	"fmt"

	"aiglens/circuit"
)

// Certificates as bytes, for other processes and for the disk. They speak of latches
// and inputs by their position, which binary AIGER keeps, and not of variables,
// which it numbers anew.
//
//	invariant   number of clauses; each: number of literals; each: 2·latch + sign
//	trace       number of steps; values of the latches; of the inputs, step by step
//
// Numbers are varints as in encoding/binary, values bytes '0', '1' and 'x'. The
// empty clause stands only alone.

// MaxSteps bounds the steps of a trace in bytes, also of one over no inputs.
const MaxSteps = 1 << 22

// errBytes is what is wrong with bytes that are no certificate.
var errBytes = errors.New("not a certificate")

// AppendBinary appends the certificate of a verdict on c. It fails when the
// verdict does not fit the circuit, or has a certificate of another shape.
func AppendBinary(dst []byte, c *circuit.Circuit, v Verdict) ([]byte, error) {
	if v.Lasso != nil || v.Ranking != nil {
		return nil, errors.New("a certificate that is neither an invariant nor a trace")
	}
	switch v.Outcome {
	case Proved:
		return appendInvariant(dst, c, v.Invariant)
	case Refuted:
		return appendTrace(dst, c, v.Trace)
	}
	return dst, nil
}

func appendInvariant(dst []byte, c *circuit.Circuit, inv Invariant) ([]byte, error) {
	dst = binary.AppendUvarint(dst, uint64(len(inv)))
	for _, clause := range inv {
		dst = binary.AppendUvarint(dst, uint64(len(clause)))
		for _, l := range clause {
			latch := -1
			if int(l.Var()) < c.NumVars() {
				latch = c.LatchIndex(l.Var())
			}
			if latch < 0 {
				return nil, fmt.Errorf("an invariant has literal %d, which is no latch", l)
			}
			dst = binary.AppendUvarint(dst, uint64(latch)<<1|uint64(l&1))
		}
	}
	return dst, nil
}

func appendTrace(dst []byte, c *circuit.Circuit, t Trace) ([]byte, error) {
	dst = binary.AppendUvarint(dst, uint64(t.Steps()))
	rows := append([][]circuit.Value{t.Initial}, t.Inputs...)
	for i, row := range rows {
		want := len(c.Inputs())
		if i == 0 {
			want = len(c.Latches())
		}
		if len(row) != want {
			return nil, fmt.Errorf("a trace has %d values where the circuit has %d", len(row), want)
		}
		for _, v := range row {
			dst = append(dst, valueBytes[v])
		}
	}
	return dst, nil
}

const valueBytes = "01x"

// ReadBinary reads the certificate of a verdict on c into v, whose outcome
// is known. The result fits the circuit; whether it shows anything is for
// Check to say.
func ReadBinary(data []byte, c *circuit.Circuit, v *Verdict) error {
	r := &certificateReader{data: data}
	switch v.Outcome {
	case Proved:
		v.Invariant = r.invariant(c)
	case Refuted:
		v.Trace = r.trace(c)
	}
	if len(r.data) > 0 {
		r.fail("%d bytes behind the certificate", len(r.data))
	}
	return r.err
}

// certificateReader reads from data until the first error, after which it reads
// zeros.
type certificateReader struct {
	data []byte
	err  error
}

func (r *certificateReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: "+format, append([]any{errBytes}, args...)...)
	}
	r.data = nil
}

// number reads one that is at most limit.
func (r *certificateReader) number(what string, limit int) int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || limit < 0 || n > uint64(limit) {
		r.fail("expected the %s, at most %d", what, limit)
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// Each clause and each literal takes a byte at least, so that what is left bounds
// their numbers.

func (r *certificateReader) invariant(c *circuit.Circuit) Invariant {
	n := r.number("number of clauses", len(r.data))
	inv := make(Invariant, 0, min(n, len(r.data)/2+1))
	for i := 0; i < n && r.err == nil; i++ {
		size := r.number("number of literals", len(r.data))
		if size == 0 && n > 1 {
			r.fail("an empty clause among %d", n)
		}
		clause := make([]circuit.Lit, size)
		for j := range clause {
			l := r.number("literal", 2*len(c.Latches())-1)
			if r.err != nil {
				return nil
			}
			clause[j] = c.Latches()[l/2].Lit.NotIf(l&1 == 1)
		}
		inv = append(inv, clause)
	}
	return inv
}

func (r *certificateReader) trace(c *circuit.Circuit) Trace {
	steps := r.number("number of steps", MaxSteps)
	t := Trace{Initial: r.values(len(c.Latches()))}
	for i := 0; i < steps && r.err == nil; i++ {
		t.Inputs = append(t.Inputs, r.values(len(c.Inputs())))
	}
	return t
}

func (r *certificateReader) values(n int) []circuit.Value {
	if len(r.data) < n {
		r.fail("the trace ends early")
		return nil
	}
	row := make([]circuit.Value, n)
	for i, b := range r.data[:n] {
		switch b {
		case '0':
			row[i] = circuit.Zero
		case '1':
			row[i] = circuit.One
		case 'x':
			row[i] = circuit.X
		default:
			r.fail("value %#x in a trace", b)
			return nil
		}
	}
	r.data = r.data[n:]
	return row
}
