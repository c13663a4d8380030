package simplify

import (
	"math/big"

	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// evaluation evaluates terms for values of some variables. All other variables are false or 0.
func evaluation(p *term.Pool, vars []term.Term, values []cert.Value) *term.Evaluation {
	known := make(map[term.Term]term.Value, len(vars))
	for i, v := range vars {
		if x := values[i]; x.Number != nil {
			known[v] = term.Value{Number: rational.FromBig(x.Number)}
		} else {
			known[v] = term.Value{Truth: x.Bool}
		}
	}
	return term.NewEvaluation(p, func(v term.Term) term.Value { return known[v] })
}

// valueOf returns the value of a term.
func valueOf(p *term.Pool, e *term.Evaluation, t term.Term) cert.Value {
	if v := e.Value(t); p.SortOf(t) != term.Bool {
		return cert.Value{Number: v.Number.Big()}
	} else {
		return cert.Value{Bool: v.Truth}
	}
}

// anyValue returns a value of a sort.
func anyValue(sort term.Sort) cert.Value {
	if sort == term.Bool {
		return cert.Value{}
	}
	return cert.Value{Number: new(big.Rat)}
}
