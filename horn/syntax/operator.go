package syntax

import (
	"slices"
	"strconv"

	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/internal/findings"
)

// operator says how an operator is applied.
type operator struct {
	least, most int // arguments; most is 0 for any number
	args        argSorts
	build       func(r *resolver, node int, nodes []int, args []term.Term) term.Term
}

// argSorts says which sorts the arguments of an operator have.
type argSorts uint8

const (
	argsBool   argSorts = iota
	argsInt             // all Int
	argsReal            // all Real, or made so
	argsNumber          // all Int, or all Real
	argsEqual           // all Bool, all Int, or all Real
	argsIte             // a Bool, then argsEqual
)

// operators are those of the theories Core, Ints and Reals of SMT-LIB.
var operators map[string]operator

func init() {
	nary := func(f func(p *term.Pool, args []term.Term) term.Term) func(*resolver, int, []int, []term.Term) term.Term {
		return func(r *resolver, _ int, _ []int, args []term.Term) term.Term { return f(r.terms, args) }
	}
	chain := func(f func(p *term.Pool, a, b term.Term) term.Term) func(*resolver, int, []int, []term.Term) term.Term {
		return nary(func(p *term.Pool, args []term.Term) term.Term {
			all := make([]term.Term, 0, len(args)-1)
			for i := range args[1:] {
				all = append(all, f(p, args[i], args[i+1]))
			}
			return p.And(all...)
		})
	}
	operators = map[string]operator{
		"not": {1, 1, argsBool, nary(func(p *term.Pool, a []term.Term) term.Term { return p.Not(a[0]) })},
		"and": {1, 0, argsBool, nary(func(p *term.Pool, a []term.Term) term.Term { return p.And(a...) })},
		"or":  {1, 0, argsBool, nary(func(p *term.Pool, a []term.Term) term.Term { return p.Or(a...) })},
		"=>":  {2, 0, argsBool, nary(implies)},
		"xor": {2, 0, argsBool, nary(xor)},
		"=":   {2, 0, argsEqual, chain((*term.Pool).Equal)},
		"distinct": {2, 0, argsEqual, func(r *resolver, node int, _ []int, a []term.Term) term.Term {
			if !r.grow(node, len(a)*len(a)/2) {
				return term.None
			}
			return r.terms.Distinct(a...)
		}},
		"ite": {3, 3, argsIte, nary(func(p *term.Pool, a []term.Term) term.Term { return p.Ite(a[0], a[1], a[2]) })},
		"<=":  {2, 0, argsNumber, chain((*term.Pool).Le)},
		"<":   {2, 0, argsNumber, chain((*term.Pool).Lt)},
		">=":  {2, 0, argsNumber, chain(func(p *term.Pool, a, b term.Term) term.Term { return p.Le(b, a) })},
		">":   {2, 0, argsNumber, chain(func(p *term.Pool, a, b term.Term) term.Term { return p.Lt(b, a) })},
		"+":   {1, 0, argsNumber, nary(func(p *term.Pool, a []term.Term) term.Term { return p.Add(a...) })},
		"-": {1, 0, argsNumber, nary(func(p *term.Pool, a []term.Term) term.Term {
			if len(a) == 1 {
				return p.Neg(a[0])
			}
			return p.Sub(a[0], p.Add(a[1:]...))
		})},
		"*":   {1, 0, argsNumber, (*resolver).multiply},
		"/":   {2, 0, argsReal, (*resolver).divide},
		"div": {2, 0, argsInt, (*resolver).divide},
		"mod": {2, 2, argsInt, (*resolver).divide},
		"abs": {1, 1, argsInt, nary(func(p *term.Pool, a []term.Term) term.Term {
			return p.Ite(p.Le(p.IntOf(0), a[0]), a[0], p.Neg(a[0]))
		})},
		"to_real": {1, 1, argsNumber, nary(func(p *term.Pool, a []term.Term) term.Term { return p.ToReal(a[0]) })},
	}
}

// outsideOps are operators of other theories, and of this one what is not read.
var outsideOps = map[string]bool{
	"select": true, "store": true, "to_int": true, "is_int": true, "concat": true, "bvadd": true, "bvsub": true,
	"bvmul": true, "bvand": true, "bvor": true, "bvnot": true, "bvult": true, "bvslt": true, "str.++": true,
	"^": true, "rem": true, "divisible": true,
}

// IsReserved reports whether a name stands for something in SMT-LIB itself.
func IsReserved(name string) bool {
	_, isOperator := operators[name]
	switch name {
	case "let", "forall", "exists", "!", "_", "as", "match", "par", "true", "false", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING":
		return true
	}
	return isOperator
}

// operator reads an operator applied to arguments.
func (r *resolver) operator(node int, op operator, args []int) term.Term {
	nodes := args[1:]
	values, ok := r.exprs(nodes)
	if len(nodes) < op.least || op.most > 0 && len(nodes) > op.most {
		r.report(codeArguments, node, "%s takes %s, not %d", r.form.word(args[0]), op.arity(), len(nodes))
		return term.None
	}
	if !ok || !r.fitAll(op.args, nodes, values) {
		return term.None
	}
	t := op.build(r, node, nodes, values)
	if t != term.None && !r.grow(node, len(r.terms.Args(t))-len(nodes)) {
		return term.None
	}
	return t
}

// arity returns how many arguments an operator takes.
func (op operator) arity() string {
	switch {
	case op.most == 0:
		return "at least " + arguments(op.least)
	case op.most == op.least:
		return arguments(op.least)
	}
	return strconv.Itoa(op.least) + " to " + arguments(op.most)
}

// fitAll brings arguments into the sorts that an operator takes; false after an error.
func (r *resolver) fitAll(kind argSorts, nodes []int, values []term.Term) bool {
	want := term.Bool
	switch kind {
	case argsInt:
		want = term.Int
	case argsReal:
		want = term.Real
	case argsIte:
		if values[0] = r.fit(values[0], term.Bool, nodes[0]); values[0] == term.None {
			return false
		}
		nodes, values = nodes[1:], values[1:]
		want = commonSort(r.terms, values)
	case argsEqual:
		want = commonSort(r.terms, values)
	case argsNumber:
		if want = commonSort(r.terms, values); want == term.Bool {
			want = term.Int
		}
	}
	ok := true
	for i := range values {
		values[i] = r.fit(values[i], want, nodes[i])
		ok = ok && values[i] != term.None
	}
	return ok
}

// commonSort returns the sort of the first term, or Real if that is a number and another one is Real.
func commonSort(p *term.Pool, values []term.Term) term.Sort {
	first := p.SortOf(values[0])
	if first == term.Int && slices.ContainsFunc(values, func(t term.Term) bool { return p.SortOf(t) == term.Real }) {
		return term.Real
	}
	return first
}

// implies is associative to the right: a ⇒ (b ⇒ c).
func implies(p *term.Pool, args []term.Term) term.Term {
	all := make([]term.Term, len(args))
	for i, a := range args {
		all[i] = p.Not(a)
	}
	all[len(all)-1] = args[len(args)-1]
	return p.Or(all...)
}

func xor(p *term.Pool, args []term.Term) term.Term {
	t := args[0]
	for _, a := range args[1:] {
		t = p.Not(p.Iff(t, a))
	}
	return t
}

// multiply reads a product, all factors of which but one are numbers.
func (r *resolver) multiply(node int, nodes []int, args []term.Term) term.Term {
	factor, rest := rational.One, term.None
	for i, a := range args {
		if c, ok := r.terms.Number(a); ok {
			factor = factor.Mul(c)
			continue
		}
		if rest != term.None {
			r.report(codeNonlinear, node, "a product of two terms that are no numbers is not linear: %s", findings.Quote(r.form.word(nodes[i])))
			return term.None
		}
		rest = a
	}
	if rest == term.None {
		return r.terms.NumberOf(factor, r.terms.SortOf(args[0]))
	}
	return r.terms.Scale(factor, rest)
}

// divide reads a quotient or remainder by numbers.
func (r *resolver) divide(node int, nodes []int, args []term.Term) term.Term {
	t := args[0]
	for i, a := range args[1:] {
		d, ok := r.terms.Number(a)
		switch {
		case !ok:
			r.report(codeNonlinear, nodes[i+1], "a divisor that is no number is not linear: %s", findings.Quote(r.form.word(nodes[i+1])))
			return term.None
		case d.IsZero():
			r.report(codeDivideByZero, nodes[i+1], "the divisor is 0: SMT-LIB leaves the value open")
			return term.None
		}
		switch op := r.form.word(r.form.args(node)[0]); op {
		case "/":
			t = r.terms.Scale(d.Inv(), t)
		case "div":
			t = r.terms.Div(t, d)
		default:
			t = r.terms.Mod(t, d)
		}
	}
	return t
}
