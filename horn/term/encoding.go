package term

import (
	"encoding/binary"
	"io"
)

// Encoding writes terms without predicates as bytes, each once however often it occurs: lists of terms are written as
// the same bytes exactly if they are built alike, whatever else their pools hold.
type Encoding struct {
	pool    *Pool
	to      io.Writer
	numbers []int // of the terms of the pool that are written, from 1; 0 for others
	written int
	row     []byte
}

// NewEncoding returns one that has written nothing. The pool must not grow.
func NewEncoding(p *Pool, to io.Writer) *Encoding {
	return &Encoding{pool: p, to: to, numbers: make([]int, p.Len())}
}

// Number returns the number of a term among those that are written, in order; it writes the term if needed, after
// those that it is made of. A row starts with the Op of the term, which is not NoOp.
func (e *Encoding) Number(t Term) int {
	if e.numbers[t] > 0 {
		return e.numbers[t]
	}
	n := &e.pool.nodes[t]
	for _, a := range n.args {
		e.Number(a)
	}
	b := append(e.row[:0], byte(n.op), byte(n.sort))
	b = AppendText(b, n.name)
	b = binary.AppendUvarint(b, uint64(len(n.args)))
	for i, a := range n.args {
		b = binary.AppendUvarint(b, uint64(e.numbers[a]))
		if len(n.coefs) > 0 {
			b = AppendText(b, n.coefs[i].String())
		}
	}
	e.row = AppendText(b, n.number.String())
	_, _ = e.to.Write(e.row) // the caller knows whether that fails
	e.written++
	e.numbers[t] = e.written
	return e.written
}

// AppendText appends a text so that another one is appended as other bytes, whatever follows.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
