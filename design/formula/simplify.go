package formula

import "slices"

func constant(one bool) Expr {
	if one {
		return Expr{op: opConst, leaf: "1"}
	}
	return Expr{op: opConst, leaf: "0"}
}

func (e Expr) is(one bool) bool { return e.op == opConst && e.leaf == constant(one).leaf }

// equals reports whether two expressions are written alike over the same signals.
func (e Expr) equals(f Expr) bool {
	switch {
	case e.op != f.op:
		return false
	case e.op == opLeaf:
		return e.signal == f.signal && e.signal != 0
	case e.op == opConst:
		return e.leaf == f.leaf
	}
	return slices.EqualFunc(e.args, f.args, Expr.equals)
}

// opposes reports whether one expression is the other with a negation before it.
func (e Expr) opposes(f Expr) bool {
	return e.op == opNot && e.args[0].equals(f) || f.op == opNot && f.args[0].equals(e) || e.op == opConst && f.op == opConst && e.leaf != f.leaf
}

// apply applies an operator. What constants, equal and opposite arguments decide is not
// written out: x ∨ 1 is 1, x ∧ x is x.
func apply(op operator, args ...Expr) Expr {
	switch op {
	case opNot:
		switch a := args[0]; a.op {
		case opNot:
			return a.args[0]
		case opConst:
			return constant(a.is(false))
		}
	case opAnd, opOr:
		return junction(op, args)
	case opXor:
		return parityOver(args)
	case opEquiv:
		if e := parityOver(args); e.op != opXor {
			return apply(opNot, e)
		}
	case opMux:
		return choice(args[0], args[1], args[2])
	}
	return plain(op, args...)
}

// plain is an operator with arguments that nothing can be left out of.
func plain(op operator, args ...Expr) Expr {
	return Expr{op: op, args: args, named: slices.ContainsFunc(args, func(a Expr) bool { return a.named })}
}

// junction is a conjunction or disjunction of any number of arguments.
func junction(op operator, args []Expr) Expr {
	neutral := op == opAnd
	var kept []Expr
	for _, a := range args {
		switch {
		case a.is(neutral) || slices.ContainsFunc(kept, a.equals):
		case a.is(!neutral) || slices.ContainsFunc(kept, a.opposes):
			return constant(!neutral)
		default:
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return constant(neutral)
	case 1:
		return kept[0]
	}
	return plain(op, kept...)
}

// parityOver is an exclusive or of any number of arguments, of which two that are equal
// or opposite fall away.
func parityOver(args []Expr) Expr {
	var kept []Expr
	odd := false
	for _, a := range args {
		if a.op == opConst {
			odd = odd != a.is(true)
			continue
		}
		i := slices.IndexFunc(kept, func(k Expr) bool { return k.equals(a) || k.opposes(a) })
		if i < 0 {
			kept = append(kept, a)
			continue
		}
		odd = odd != kept[i].opposes(a)
		kept = slices.Delete(kept, i, i+1)
	}
	switch len(kept) {
	case 0:
		return constant(odd)
	case 1:
		return kept[0].notIf(odd)
	}
	return plain(opXor, kept...).notIf(odd)
}

// choice is cond ? yes : no.
func choice(cond, yes, no Expr) Expr {
	not := apply(opNot, cond)
	switch {
	case cond.is(true) || yes.equals(no):
		return yes
	case cond.is(false):
		return no
	case yes.is(true) || yes.equals(cond):
		return apply(opOr, cond, no)
	case yes.is(false) || yes.equals(not):
		return apply(opAnd, not, no)
	case no.is(true) || no.equals(not):
		return apply(opOr, not, yes)
	case no.is(false) || no.equals(cond):
		return apply(opAnd, cond, yes)
	case yes.opposes(no):
		return apply(opXor, cond, no)
	}
	return plain(opMux, cond, yes, no)
}
