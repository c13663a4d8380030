package answers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
)

// rankingText writes a ranking that has ranks, in the names of the text. The error is that
// of ctx.
func rankingText(ctx context.Context, d *design.Design, p circuit.Property, r *cert.Ranking) (string, error) {
	rep, err := d.Circuit().RepetitionContext(ctx, p)
	if err != nil {
		return "", err
	}
	w := rankingWriter{d: d, rep: rep, goals: d.Circuit().Goals(p.Index), left: maxProofClauses}
	w.b.WriteString("A round lasts until each literal of the property, and each fairness condition, was 1.\n" +
		"The rank of a state is the last one below all of whose lines it satisfies. Each initial\n" +
		"state has a rank, and no step leads to an earlier one.\n")
	if len(r.Monotone) == 0 {
		w.b.WriteString("The end of a round always leads to a later one: there are no more rounds than ranks.\n")
	} else {
		w.b.WriteString("The end of a round always leads to a later one, unless a signal below changes in that\n" +
			"step. A signal that is 1 stays 1, unless one above it changes: so that happens a limited\n" +
			"number of times, and so there is a last round.\n")
		for i, states := range r.Monotone {
			w.list(fmt.Sprintf("signal %d", i+1), states)
		}
	}
	common, err := commonClauses(ctx, r.Ranks)
	if err != nil {
		return "", err
	}
	w.list("each rank", common)
	for i, rank := range r.Ranks {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if w.left == 0 {
			fmt.Fprintf(&w.b, "\nand %d more ranks\n", len(r.Ranks)-i)
			break
		}
		w.list(fmt.Sprintf("rank %d of %d", i+1, len(r.Ranks)), without(rank, common))
	}
	return w.b.String(), nil
}

// rankingWriter writes sets of states of a Repetition, up to a number of clauses.
type rankingWriter struct {
	b     strings.Builder
	d     *design.Design
	rep   *circuit.Repetition
	goals []circuit.Lit // that a round waits for
	left  int
}

// list writes a set of states under a title, short clauses first.
func (w *rankingWriter) list(title string, states cert.Invariant) {
	if len(states) == 0 && title == "each rank" {
		return
	}
	fmt.Fprintf(&w.b, "\n%s\n", title)
	if len(states) == 0 {
		w.b.WriteString("  every state\n")
	}
	shown := min(len(states), w.left)
	w.left -= shown
	inOrder := slices.SortedStableFunc(slices.Values(states), func(a, b []circuit.Lit) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
	})
	for _, clause := range inOrder[:shown] {
		words := make([]string, len(clause))
		for i, l := range clause {
			words[i] = w.word(l)
		}
		fmt.Fprintf(&w.b, "  %s\n", strings.Join(words, " ∨ "))
	}
	if shown < len(states) {
		fmt.Fprintf(&w.b, "  and %d more\n", len(states)-shown)
	}
}

// word writes a literal over the latches of the Repetition: those of the text, the first
// step, and what was 1 in the present round.
func (w *rankingWriter) word(l circuit.Lit) string {
	sign := ""
	if l.IsNegated() {
		sign = "¬"
	}
	c := w.d.Circuit()
	at := w.rep.Circuit.LatchIndex(l.Var())
	if at < w.rep.Latches {
		return sign + w.name(c.Latches()[at].Lit)
	}
	at -= w.rep.Latches
	if w.rep.First {
		if at == 0 {
			return sign + "(first step)"
		}
		at--
	}
	return fmt.Sprintf("%s(%s was 1 in this round)", sign, w.name(w.goals[at]))
}

func (w *rankingWriter) name(l circuit.Lit) string {
	sign, name, negated := "", fmt.Sprint(l.Var().Lit()), l.IsNegated()
	if m, ok := w.d.SourceOf(l); ok {
		name, negated = m.Name, negated != m.Negated
	} else if at := w.d.Circuit().LatchIndex(l.Var()); at >= 0 {
		latches, _ := w.d.ElementNames()
		name = latches[at]
	}
	if negated {
		sign = "¬"
	}
	return sign + name
}

// commonClauses returns the clauses that stand in all of two or more sets. The error is
// that of ctx.
func commonClauses(ctx context.Context, sets []cert.Invariant) (cert.Invariant, error) {
	if len(sets) < 2 {
		return nil, nil
	}
	var common cert.Invariant
	in := map[string]int{}
	for i, set := range sets {
		for _, clause := range set {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if key := fmt.Sprint(clause); in[key] == i {
				in[key]++
				if i == len(sets)-1 {
					common = append(common, clause)
				}
			}
		}
	}
	return common, nil
}

// without returns the clauses of a set that do not stand in another.
func without(set, other cert.Invariant) cert.Invariant {
	drop := map[string]bool{}
	for _, clause := range other {
		drop[fmt.Sprint(clause)] = true
	}
	return slices.DeleteFunc(slices.Clone(set), func(clause []circuit.Lit) bool { return drop[fmt.Sprint(clause)] })
}
