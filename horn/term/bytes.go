package term

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/big"

	"aiglens/horn/rational"
)

// Terms as bytes, for other processes, with what is made of them: the number of terms, each as Encoding writes it, and
// then numbers, texts and the terms that are meant, by their numbers.

// Writer writes terms, and what is made of them.
type Writer struct {
	encoding *Encoding
	terms    bytes.Buffer
	rest     []byte
}

// NewWriter returns one that has written nothing. The pool must not grow.
func NewWriter(p *Pool) *Writer {
	w := &Writer{}
	w.encoding = NewEncoding(p, &w.terms)
	return w
}

// Number writes a number that is not negative.
func (w *Writer) Number(n int) { w.rest = binary.AppendUvarint(w.rest, uint64(n)) }

// Text writes a text.
func (w *Writer) Text(s string) { w.rest = AppendText(w.rest, s) }

// Term writes a term.
func (w *Writer) Term(t Term) { w.Number(w.encoding.Number(t)) }

// Terms writes terms and how many they are.
func (w *Writer) Terms(all []Term) {
	w.Number(len(all))
	for _, t := range all {
		w.Term(t)
	}
}

// AppendTo appends all that was written.
func (w *Writer) AppendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(w.encoding.written))
	return append(append(dst, w.terms.Bytes()...), w.rest...)
}

// Reader reads what a Writer has written, or anything else, until the first error; then it reads zeros. The terms that
// it reads are made by the constructors of their pool, whatever the bytes are.
type Reader struct {
	Pool  *Pool
	data  []byte
	terms []Term // by their numbers, from 1
	err   error
}

var errBytes = errors.New("these are no terms")

// NewReader returns one for some bytes, with a pool of its own.
func NewReader(data []byte) *Reader {
	r := &Reader{Pool: NewPool(), data: data, terms: []Term{None}}
	for range r.Each() {
		r.terms = append(r.terms, r.node())
	}
	return r
}

// Fail makes an error the first one, unless there is one.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: "+format, append([]any{errBytes}, args...)...)
	}
	r.data = nil
}

// End returns the first error. That there are more bytes is one.
func (r *Reader) End() error {
	if len(r.data) > 0 {
		r.Fail("%d bytes are left", len(r.data))
	}
	return r.err
}

// Number reads a number of at most a limit.
func (r *Reader) Number(limit int) int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || limit < 0 || n > uint64(limit) {
		r.Fail("expected a number of at most %d", limit)
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// Each reads how many there are of what takes at least a byte each, and yields that often, but no more after an error.
func (r *Reader) Each() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, n := 0, r.Number(len(r.data)); i < n && r.err == nil && yield(i); i++ {
		}
	}
}

// Text reads a text.
func (r *Reader) Text() string {
	n := r.Number(len(r.data))
	if n > len(r.data) {
		r.Fail("a text of %d bytes ends early", n)
		return ""
	}
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

// Rational reads the text of a number.
func (r *Reader) Rational() Rat {
	x, ok := rational.Parse(r.Text())
	if !ok {
		r.Fail("expected a number")
	}
	return x
}

// Big is Rational as a number of math/big.
func (r *Reader) Big() *big.Rat { return r.Rational().Big() }

// Term reads a term.
func (r *Reader) Term() Term {
	n := r.Number(len(r.terms) - 1)
	if n == 0 {
		r.Fail("expected a term")
	}
	return r.terms[n]
}

// Terms reads terms.
func (r *Reader) Terms() (all []Term) {
	for range r.Each() {
		all = append(all, r.Term())
	}
	return all
}

// Sort reads a sort.
func (r *Reader) Sort() Sort { return Sort(r.Number(int(Real))) }

// node reads a term as Encoding writes it.
func (r *Reader) node() Term {
	n := node{op: Op(r.Number(int(OpExists))), sort: r.Sort(), name: r.Text()}
	isLinear := n.op == OpSum || n.op == OpLe || n.op == OpLt || n.op == OpEq
	for range r.Each() {
		n.args = append(n.args, r.Term())
		if isLinear {
			n.coefs = append(n.coefs, r.Rational())
		}
	}
	n.number = r.Rational()
	if r.err == nil && !isSound(r.Pool, &n) {
		r.Fail("term %d is none", len(r.terms))
	}
	switch {
	case r.err != nil:
		return None
	case n.op == OpConst:
		return Truth(n.number.IsOne())
	case n.op == OpVar:
		return r.Pool.Var(n.name, n.sort)
	}
	return with(r.Pool, n, n.args)
}

// isSound reports whether the constructors make a term of a node.
func isSound(p *Pool, n *node) bool {
	have := func(sort Sort, args ...Term) bool {
		for _, a := range args {
			if p.nodes[a].sort != sort {
				return false
			}
		}
		return true
	}
	isWhole := n.number.IsInt()
	for _, c := range n.coefs {
		isWhole = isWhole && c.IsInt()
	}
	switch len := len(n.args); n.op {
	case OpConst:
		return len == 0
	case OpVar:
		return len == 0 && n.sort != NoSort
	case OpSum:
		return n.sort.IsNumber() && have(n.sort, n.args...) && (isWhole || n.sort == Real)
	case OpLe, OpLt, OpEq:
		return len > 0 && (have(Int, n.args...) && isWhole || have(Real, n.args...))
	case OpNot:
		return len == 1 && have(Bool, n.args...)
	case OpAnd, OpOr:
		return have(Bool, n.args...)
	case OpIff:
		return len == 2 && have(Bool, n.args...)
	case OpIte:
		return len == 3 && have(Bool, n.args[0]) && p.nodes[n.args[1]].sort == p.nodes[n.args[2]].sort
	case OpDiv, OpMod:
		return len == 1 && have(Int, n.args...) && isWhole && n.number.Sign() > 0
	case OpToReal:
		return len == 1 && have(Int, n.args...)
	}
	return false
}
