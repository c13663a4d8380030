package cert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"aiglens/circuit"
)

// Certificates as bytes, for other processes and for the disk. They refer to latches
// and inputs by their position, which binary AIGER keeps, and not of variables,
// which it renumbers.
//
//	invariant   number of clauses; each: number of literals; each: 2·latch + sign
//	trace       number of steps; values of the latches; of the inputs, step by step
//	ranking     numbers of ranks and of monotone signals; each: as an invariant, over
//	            the latches of the circuit.Repetition
//	lasso       first step of the loop; the trace
//
// Numbers are varints as in encoding/binary, values bytes '0', '1' and 'x'. The
// empty clause stands only alone.

// MaxSteps bounds the steps of a trace in bytes, also of one over no inputs.
const MaxSteps = 1 << 22

// maxSets bounds the ranks of a ranking in bytes, and its signals: one that is all states
// takes a single byte.
const maxSets = 1 << 20

// errBytes is what is wrong with bytes that are not a certificate.
var errBytes = errors.New("not a certificate")

// AppendBinary appends the certificate of a verdict on a problem. It fails when the
// verdict does not fit the problem, or has a certificate of another shape.
func AppendBinary(dst []byte, p circuit.Problem, v Verdict) ([]byte, error) {
	isLiveness := p.Question == circuit.Liveness
	if (v.Ranking != nil) != (isLiveness && v.Outcome == Proved) || (v.Lasso != nil) != (isLiveness && v.Outcome == Refuted) {
		return nil, fmt.Errorf("a certificate that cannot answer a question of %s", p.Question)
	}
	switch {
	case v.Ranking != nil:
		return appendRanking(dst, p, v.Ranking)
	case v.Lasso != nil:
		return appendTrace(binary.AppendUvarint(dst, uint64(v.Lasso.Loop)), p.Circuit, v.Lasso.Trace)
	case v.Outcome == Proved:
		return appendInvariant(dst, p.Circuit, v.Invariant)
	case v.Outcome == Refuted:
		return appendTrace(dst, p.Circuit, v.Trace)
	}
	return dst, nil
}

func appendRanking(dst []byte, p circuit.Problem, r *Ranking) ([]byte, error) {
	rep, err := p.Circuit.Repetition(p.Property())
	if err != nil {
		return nil, err
	}
	if max(len(r.Ranks), len(r.Monotone)) > maxSets {
		return nil, fmt.Errorf("a ranking has %s and %s", Count(len(r.Ranks), "rank", "ranks"), Count(len(r.Monotone), "signal", "signals"))
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.Ranks)))
	dst = binary.AppendUvarint(dst, uint64(len(r.Monotone)))
	for _, states := range slices.Concat(r.Ranks, r.Monotone) {
		if dst, err = appendInvariant(dst, rep.Circuit, states); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendInvariant(dst []byte, c *circuit.Circuit, inv Invariant) ([]byte, error) {
	if slices.ContainsFunc(inv, func(clause []circuit.Lit) bool { return len(clause) == 0 }) {
		inv = Invariant{{}}
	}
	dst = binary.AppendUvarint(dst, uint64(len(inv)))
	for _, clause := range inv {
		dst = binary.AppendUvarint(dst, uint64(len(clause)))
		for _, l := range clause {
			latch := -1
			if int(l.Var()) < c.NumVars() {
				latch = c.LatchIndex(l.Var())
			}
			if latch < 0 {
				return nil, fmt.Errorf("an invariant has literal %d, which is not a latch", l)
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

// ReadBinary reads the certificate of a verdict on a problem into v, whose outcome
// is known. The result fits the problem; whether it shows anything is for
// Check to say.
func ReadBinary(data []byte, p circuit.Problem, v *Verdict) error {
	r := &certificateReader{data: data}
	isLiveness := p.Question == circuit.Liveness
	switch {
	case v.Outcome == Proved && isLiveness:
		rep, err := p.Circuit.Repetition(p.Property())
		if err != nil {
			return err
		}
		v.Ranking = r.ranking(rep.Circuit)
	case v.Outcome == Refuted && isLiveness:
		loop := r.number("first step of the loop", MaxSteps)
		v.Lasso = &Lasso{Loop: loop, Trace: r.trace(p.Circuit)}
	case v.Outcome == Proved:
		v.Invariant = r.invariant(p.Circuit)
	case v.Outcome == Refuted:
		v.Trace = r.trace(p.Circuit)
	}
	if len(r.data) > 0 {
		r.fail("%d bytes after the certificate", len(r.data))
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

// ranking reads one over the latches of a Repetition.
func (r *certificateReader) ranking(repetition *circuit.Circuit) *Ranking {
	ranks := r.number("number of ranks", maxSets)
	signals := r.number("number of signals", maxSets)
	ranking := &Ranking{}
	for i := 0; i < ranks && r.err == nil; i++ {
		ranking.Ranks = append(ranking.Ranks, r.invariant(repetition))
	}
	for i := 0; i < signals && r.err == nil; i++ {
		ranking.Monotone = append(ranking.Monotone, r.invariant(repetition))
	}
	return ranking
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
