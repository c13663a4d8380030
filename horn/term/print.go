package term

import (
	"fmt"
	"strings"

	"aiglens/horn/rational"
)

// Printer writes terms as SMT-LIB 2.6.
type Printer struct {
	Pool *Pool
	// Pred returns the name of a predicate, not quoted; nil where none is applied.
	Pred func(int) string
}

// String returns a term as SMT-LIB. Terms that occur more than once are bound by let.
func (w Printer) String(t Term) string {
	var b strings.Builder
	w.write(&b, t)
	return b.String()
}

// write writes the terms that occur more than once as bindings, each in terms of those before it. Variables of
// quantifiers must not escape them: what stands below a quantifier is bound there.
func (w Printer) write(b *strings.Builder, t Term) {
	p := w.Pool
	isQuantified := func(u Term) bool { return p.nodes[u].op == OpForall || p.nodes[u].op == OpExists }
	uses, order := map[Term]int{}, []Term{}
	p.Walk([]Term{t}, isQuantified, func(u Term) {
		order = append(order, u)
		if !isQuantified(u) {
			for _, a := range p.nodes[u].args {
				uses[a]++
			}
		}
	})
	names := map[Term]string{}
	used := map[string]bool{}
	p.Walk([]Term{t}, nil, func(u Term) {
		switch p.nodes[u].op {
		case OpVar:
			used[p.nodes[u].name] = true
		case OpApply:
			used[w.predName(p.nodes[u].pred)] = true
		}
	})
	lets := 0
	for _, u := range order {
		if uses[u] < 2 || u == t || len(p.nodes[u].args) == 0 || p.nodes[u].op == OpNot && len(p.nodes[p.nodes[u].args[0]].args) == 0 {
			continue
		}
		name := fmt.Sprintf(".%d", lets)
		for n := lets; used[name]; n++ {
			name = fmt.Sprintf(".%d.%d", lets, n)
		}
		used[name] = true
		fmt.Fprintf(b, "(let ((%s ", name)
		w.one(b, u, names)
		b.WriteString(")) ")
		names[u] = name
		lets++
	}
	w.one(b, t, names)
	b.WriteString(strings.Repeat(")", lets))
}

// one writes a term; names are those of the terms that are bound.
func (w Printer) one(b *strings.Builder, t Term, names map[Term]string) {
	if name, ok := names[t]; ok {
		b.WriteString(name)
		return
	}
	p := w.Pool
	n := &p.nodes[t]
	list := func(op string, args ...Term) {
		b.WriteByte('(')
		b.WriteString(op)
		for _, a := range args {
			b.WriteByte(' ')
			w.one(b, a, names)
		}
		b.WriteByte(')')
	}
	switch n.op {
	case OpConst:
		fmt.Fprint(b, t == True)
	case OpVar:
		b.WriteString(Quote(n.name))
	case OpSum:
		w.sum(b, n.args, n.coefs, n.number, n.sort, names)
	case OpLe, OpLt, OpEq:
		w.comparison(b, n, false, names)
	case OpNot:
		if m := &p.nodes[n.args[0]]; (m.op == OpLe || m.op == OpLt) && names[n.args[0]] == "" {
			w.comparison(b, m, true, names)
			return
		}
		list("not", n.args...)
	case OpAnd:
		list("and", n.args...)
	case OpOr:
		list("or", n.args...)
	case OpIff:
		list("=", n.args...)
	case OpIte:
		list("ite", n.args...)
	case OpToReal:
		list("to_real", n.args...)
	case OpDiv, OpMod:
		op := "div"
		if n.op == OpMod {
			op = "mod"
		}
		b.WriteString("(" + op + " ")
		w.one(b, n.args[0], names)
		b.WriteString(" " + numeral(n.number, Int) + ")")
	case OpApply:
		name := Quote(w.predName(n.pred))
		if len(n.args) == 0 {
			b.WriteString(name)
			return
		}
		list(name, n.args...)
	case OpForall, OpExists:
		b.WriteString(map[Op]string{OpForall: "(forall (", OpExists: "(exists ("}[n.op])
		for i, v := range n.args[:len(n.args)-1] {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(b, "(%s %s)", Quote(p.nodes[v].name), p.nodes[v].sort)
		}
		b.WriteString(") ")
		w.write(b, n.args[len(n.args)-1])
		b.WriteByte(')')
	}
}

func (w Printer) predName(pred int) string {
	if w.Pred == nil {
		return fmt.Sprintf("P%d", pred)
	}
	return w.Pred(pred)
}

// comparison writes the terms with positive coefficients and a positive constant on the left, the others on the
// right. negated says that the comparison does not hold.
func (w Printer) comparison(b *strings.Builder, n *node, negated bool, names map[Term]string) {
	op := map[Op]string{OpLe: "<=", OpLt: "<", OpEq: "="}[n.op]
	sort := w.Pool.nodes[n.args[0]].sort
	left, right := split(n, n.number)
	if negated {
		op = map[Op]string{OpLe: ">", OpLt: ">="}[n.op]
		if sort == Int { // ¬(s ≤ 0) is s - 1 ≥ 0
			op = ">="
			left, right = split(n, n.number.Sub(rational.One))
		}
	}
	b.WriteString("(" + op + " ")
	w.sum(b, left.Terms, left.Coefs, left.Const, sort, names)
	b.WriteByte(' ')
	w.sum(b, right.Terms, right.Coefs, right.Const, sort, names)
	b.WriteByte(')')
}

// split returns what is on either side of a comparison with a constant c, so that all coefficients are positive. A
// constant stands alone on its side where it can.
func split(n *node, c Rat) (left, right Linear) {
	for i, t := range n.args {
		if c := n.coefs[i]; c.Sign() > 0 {
			left.Terms, left.Coefs = append(left.Terms, t), append(left.Coefs, c)
		} else {
			right.Terms, right.Coefs = append(right.Terms, t), append(right.Coefs, c.Neg())
		}
	}
	if len(right.Terms) == 0 || c.Sign() < 0 {
		right.Const = c.Neg()
	} else {
		left.Const = c
	}
	return left, right
}

// sum writes Σ cᵢ·tᵢ + c.
func (w Printer) sum(b *strings.Builder, terms []Term, coefs []Rat, c Rat, sort Sort, names map[Term]string) {
	parts := len(terms)
	if !c.IsZero() || parts == 0 {
		parts++
	}
	if parts > 1 {
		b.WriteString("(+")
	}
	space := func() {
		if parts > 1 {
			b.WriteByte(' ')
		}
	}
	for i, t := range terms {
		space()
		if coefs[i].IsOne() {
			w.one(b, t, names)
			continue
		}
		b.WriteString("(* " + numeral(coefs[i], sort) + " ")
		w.one(b, t, names)
		b.WriteByte(')')
	}
	if !c.IsZero() || len(terms) == 0 {
		space()
		b.WriteString(numeral(c, sort))
	}
	if parts > 1 {
		b.WriteByte(')')
	}
}

// numeral writes a number: "3", "(- 3)", "3.0", "(/ 1.0 2.0)".
func numeral(r Rat, sort Sort) string {
	if r.Sign() < 0 {
		return "(- " + numeral(r.Neg(), sort) + ")"
	}
	switch {
	case sort == Int:
		return r.String()
	case r.IsInt():
		return r.String() + ".0"
	}
	return "(/ " + r.Num().String() + ".0 " + r.Den().String() + ".0)"
}

// Quote returns a symbol as SMT-LIB writes it: between bars where its characters or a reserved word require that.
func Quote(name string) string {
	simple := name != "" && (name[0] < '0' || name[0] > '9')
	for i := range len(name) {
		if c := name[i]; !IsSymbolByte(c) {
			simple = false
		}
	}
	if simple && !reserved[name] {
		return name
	}
	return "|" + name + "|"
}

// IsSymbolByte reports whether a symbol without bars can contain a byte.
func IsSymbolByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0
}

// reserved are the words of SMT-LIB 2.6 that are no symbols.
var reserved = map[string]bool{
	"!": true, "_": true, "as": true, "let": true, "exists": true, "forall": true, "match": true, "par": true,
	"BINARY": true, "DECIMAL": true, "HEXADECIMAL": true, "NUMERAL": true, "STRING": true,
}
