package term

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"aiglens/horn/rational"
)

// The strengths of infix operators, from the weakest.
const (
	bindIff = iota
	bindOr
	bindAnd
	bindCompare
	bindAdd
	bindMul
	bindNot
	bindAtom
)

// NoLimit lets Infix write terms of any length.
const NoLimit = math.MaxInt

// Infix returns a term as people write it: "0 ≤ x ∧ x + 2·y < n". pred returns the name of a predicate; it can be
// nil where none is applied. Terms are shared, but written each time that they occur: a small pool can stand for a text
// of any length. One of more than limit bytes is cut and ends with "…"; it has still more than limit bytes then.
func Infix(p *Pool, t Term, pred func(int) string, limit int) string {
	var b strings.Builder
	w := infix{p, pred, &b, limit}
	w.write(t, bindIff)
	text := b.String()
	if !w.isFull() {
		return text
	}
	end := max(0, limit)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[:end] + "…"
}

type infix struct {
	pool  *Pool
	pred  func(int) string
	b     *strings.Builder
	limit int
}

// isFull reports whether the text is longer than the limit, so that nothing more need be written.
func (w infix) isFull() bool { return w.b.Len() > w.limit }

// write writes a term, in parentheses if it binds less than its surroundings.
func (w infix) write(t Term, least int) {
	if w.isFull() {
		return
	}
	n := &w.pool.nodes[t]
	open := func(strength int) (closing string) {
		if strength < least {
			w.b.WriteByte('(')
			return ")"
		}
		return ""
	}
	closing := ""
	switch n.op {
	case OpConst:
		fmt.Fprint(w.b, t == True)
	case OpVar:
		w.b.WriteString(n.name)
	case OpSum:
		strength := bindAdd
		if len(n.args) == 0 && n.number.Sign() >= 0 {
			strength = bindAtom
		} else if len(n.args) == 1 && n.number.IsZero() {
			strength = bindMul
		}
		closing = open(strength)
		w.sum(Linear{n.args, n.coefs, n.number})
	case OpLe, OpLt, OpEq:
		closing = open(bindCompare)
		w.comparison(n, map[Op]string{OpLe: "≤", OpLt: "<", OpEq: "="}[n.op], n.number)
	case OpNot:
		if op := w.pool.nodes[n.args[0]].op; op >= OpLe && op <= OpEq || op == OpIff {
			closing = open(bindCompare)
			w.negation(&w.pool.nodes[n.args[0]])
			break
		}
		w.b.WriteString("¬")
		w.write(n.args[0], bindNot)
	case OpAnd:
		closing = open(bindAnd)
		w.list(n.args, " ∧ ", bindAnd)
	case OpOr:
		closing = open(bindOr)
		w.list(n.args, " ∨ ", bindCompare) // a conjunction stands in parentheses there, too
	case OpIff:
		closing = open(bindCompare)
		w.list(n.args, " = ", bindAdd)
	case OpIte:
		closing = open(bindIff)
		w.write(n.args[0], bindOr)
		w.b.WriteString(" ? ")
		w.write(n.args[1], bindOr)
		w.b.WriteString(" : ")
		w.write(n.args[2], bindOr)
	case OpToReal:
		w.write(n.args[0], least)
	case OpDiv, OpMod:
		closing = open(bindMul)
		w.write(n.args[0], bindNot)
		w.b.WriteString(map[Op]string{OpDiv: " div ", OpMod: " mod "}[n.op] + n.number.String())
	case OpApply:
		name := fmt.Sprintf("P%d", n.pred)
		if w.pred != nil {
			name = w.pred(n.pred)
		}
		w.b.WriteString(name)
		if len(n.args) > 0 {
			w.b.WriteByte('(')
			w.list(n.args, ", ", bindIff)
			w.b.WriteByte(')')
		}
	case OpForall, OpExists:
		closing = open(bindIff)
		w.b.WriteString(map[Op]string{OpForall: "∀", OpExists: "∃"}[n.op])
		w.list(n.args[:len(n.args)-1], " ", bindAtom)
		w.b.WriteString(". ")
		w.write(n.args[len(n.args)-1], bindIff)
	}
	w.b.WriteString(closing)
}

func (w infix) list(args []Term, between string, least int) {
	for i, a := range args {
		if w.isFull() {
			return
		}
		if i > 0 {
			w.b.WriteString(between)
		}
		w.write(a, least)
	}
}

// negation writes that a comparison or an equality of formulas does not hold.
func (w infix) negation(n *node) {
	switch {
	case n.op == OpIff:
		w.list(n.args, " ≠ ", bindAdd)
	case n.op == OpEq:
		w.comparison(n, "≠", n.number)
	case n.op == OpLt:
		w.comparison(n, "≥", n.number)
	case w.pool.nodes[n.args[0]].sort == Int: // ¬(s ≤ 0) is s - 1 ≥ 0
		w.comparison(n, "≥", n.number.Sub(rational.One))
	default:
		w.comparison(n, ">", n.number)
	}
}

func (w infix) comparison(n *node, op string, c Rat) {
	left, right := split(n, c)
	w.sum(left)
	w.b.WriteString(" " + op + " ")
	w.sum(right)
}

func (w infix) sum(l Linear) {
	for i, t := range l.Terms {
		if w.isFull() {
			return
		}
		c := l.Coefs[i]
		switch {
		case i > 0 && c.Sign() < 0:
			w.b.WriteString(" - ")
			c = c.Neg()
		case i > 0:
			w.b.WriteString(" + ")
		case c.Sign() < 0:
			w.b.WriteString("-")
			c = c.Neg()
		}
		if !c.IsOne() {
			w.b.WriteString(c.String() + "·")
		}
		least := bindMul
		if !c.IsOne() {
			least = bindNot
		}
		w.write(t, least)
	}
	switch {
	case len(l.Terms) == 0:
		w.b.WriteString(l.Const.String())
	case l.Const.Sign() < 0:
		w.b.WriteString(" - " + l.Const.Neg().String())
	case l.Const.Sign() > 0:
		w.b.WriteString(" + " + l.Const.String())
	}
}
