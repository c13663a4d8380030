package ide

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/lsp/document"
)

// ErrNoProof says that a property has none, or none for the present text.
var ErrNoProof = errors.New("there is no proof here: only a proved property has one")

// maxProofClauses bounds the clauses that a proof lists.
const maxProofClauses = 5000

// Proof writes what there is to read about the proof of a property: how it was found,
// what has been checked of it, and its invariant in the names of the text. For that it is
// checked once more, against the present text. The error is ErrNoProof or that of ctx.
func Proof(ctx context.Context, d *document.Document, p document.Property, s Status) (string, error) {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved {
		return "", ErrNoProof
	}
	r, ok := s.Result.TransferTo(ctx, d.Circuit(), p.ID)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if !ok {
		return "", ErrNoProof
	}
	var b strings.Builder
	ranking := r.Checked.Ranking()
	if ranking == nil {
		fmt.Fprintf(&b, "%s is proved: it never fails.\n\n", p.Name)
	} else {
		fmt.Fprintf(&b, "%s is proved: no run without end violates it.\n\n", p.Name)
	}
	engine := r.Engine
	if s.Result.Cached {
		engine += ", by an earlier run"
	}
	fmt.Fprintf(&b, "found by   %s\ntime       %.1f s\n", engine, s.Result.Took().Seconds())
	if ranking == nil {
		fmt.Fprintf(&b, "depth      %d\n", r.Checked.Depth())
	}
	if names := grantedNames(d, s.Result.Granted); names != "" {
		fmt.Fprintf(&b, "uses       the proof of %s\n", names)
	}
	b.WriteString("checked    against this text, by a checker that shares nothing with the engine\n\n")
	clauses := r.Checked.Invariant()
	switch {
	case ranking != nil && len(ranking.Ranks) > 0:
		return b.String() + rankingText(d, p.ID, ranking), ctx.Err()
	case ranking != nil, s.Result.Vacuous:
		b.WriteString("No initial state meets the constraints, so the property holds vacuously.\n")
		return b.String(), nil
	case len(clauses) == 0 && isFromSecondStep(d):
		b.WriteString("The property holds in the first step, and in every state behind it, reachable or\n" +
			"not: there is no invariant to show.\n")
		return b.String(), nil
	case len(clauses) == 0:
		b.WriteString("The property holds in every state, reachable or not: there is no invariant to show.\n")
		return b.String(), nil
	case isFromSecondStep(d):
		b.WriteString("The property holds in the first step, in which latches start with reset functions.\n" +
			"Behind it each line below holds and, where all of them hold, after every further\n" +
			"step; where all of them hold, the property does.\n\n")
	default:
		b.WriteString("Each line below holds in the initial states and, where all of them hold,\n" +
			"after every step; where all of them hold, the property does.\n\n")
	}
	for _, clause := range clauses[:min(len(clauses), maxProofClauses)] {
		fmt.Fprintf(&b, "  %s\n", clauseText(d, clause))
	}
	if more := len(clauses) - maxProofClauses; more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return b.String(), ctx.Err()
}

// isFromSecondStep reports whether invariants speak of the steps behind the first one
// alone; see cert.Invariant.
func isFromSecondStep(d *document.Document) bool { return d.Circuit().HasResetFunctions() }

// clauseText writes a clause over latches in the names of the text.
func clauseText(d *document.Document, clause []circuit.Lit) string {
	words := make([]string, len(clause))
	for i, l := range clause {
		if l.IsNegated() {
			words[i] = "¬"
		}
		name := fmt.Sprint(l.Var().Lit())
		if m, ok := d.SourceOf(l); ok {
			name = m.Name
		}
		words[i] += name
	}
	return strings.Join(words, " ∨ ")
}
