package cert

import (
	"math/big"

	"aiglens/horn/term"
)

// evaluation evaluates terms exactly, for values of their variables.
type evaluation struct {
	terms *term.Pool
	known map[term.Term]Value
}

func newEvaluation(terms *term.Pool) *evaluation {
	return &evaluation{terms, map[term.Term]Value{}}
}

func (e *evaluation) values(ts []term.Term) []Value {
	all := make([]Value, len(ts))
	for i, t := range ts {
		all[i] = e.value(t)
	}
	return all
}

// value returns the value of a term whose variables have one.
func (e *evaluation) value(t term.Term) Value {
	v, ok := e.known[t]
	if !ok {
		v = e.apply(t, e.values(e.terms.Args(t)))
		e.known[t] = v
	}
	return v
}

// apply returns the value of a term for the values of its arguments.
func (e *evaluation) apply(t term.Term, args []Value) Value {
	switch op := e.terms.Op(t); op {
	case term.OpConst:
		return Value{Bool: t == term.True}
	case term.OpSum:
		return Value{Number: e.sum(t, args)}
	case term.OpLe:
		return Value{Bool: e.sum(t, args).Sign() <= 0}
	case term.OpLt:
		return Value{Bool: e.sum(t, args).Sign() < 0}
	case term.OpEq:
		return Value{Bool: e.sum(t, args).Sign() == 0}
	case term.OpNot:
		return Value{Bool: !args[0].Bool}
	case term.OpAnd, term.OpOr:
		for _, a := range args {
			if a.Bool != (op == term.OpAnd) {
				return a
			}
		}
		return Value{Bool: op == term.OpAnd}
	case term.OpIff:
		return Value{Bool: args[0].Bool == args[1].Bool}
	case term.OpIte:
		if args[0].Bool {
			return args[1]
		}
		return args[2]
	case term.OpDiv, term.OpMod:
		d := e.terms.Divisor(t).Big()
		quotient := new(big.Rat).Quo(args[0].Number, d)
		down := new(big.Rat).SetInt(new(big.Int).Div(quotient.Num(), quotient.Denom()))
		if op == term.OpDiv {
			return Value{Number: down}
		}
		return Value{Number: down.Sub(args[0].Number, down.Mul(down, d))}
	case term.OpToReal:
		return args[0]
	}
	panic("cert: a term that has not passed form")
}

// sum returns Σ cᵢ·argᵢ + c of a sum or comparison.
func (e *evaluation) sum(t term.Term, args []Value) *big.Rat {
	l := e.terms.LinearOf(t)
	total := new(big.Rat).Set(l.Const.Big())
	for i, c := range l.Coefs {
		total.Add(total, new(big.Rat).Mul(c.Big(), args[i].Number))
	}
	return total
}
