// Package verify answers whether a system of Horn clauses is satisfiable. It simplifies the system, has the variants
// of ic3/horn work on it by turns, takes the first answer back to the system as it was, and returns it once the
// checker of horn/cert has accepted it.
//
// Nothing else may show an answer. The package has no clock: limits of time are those of the context. The same system
// and options give the same answer.
package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/horn"
	"aiglens/ic3/horn/simplify"
)

// Auto has all variants work by turns. It is the default.
const Auto = "auto"

// defaultShare is what the default variant may ask for each query of another one: it has most answers.
const defaultShare = 4

// Options say how to look for an answer.
type Options struct {
	// Variant is Auto, the name of one of horn.Variants, or "" for Auto.
	Variant string
	// Progress is called now and then, by the goroutine that called Check; nil for nothing.
	Progress func(horn.Progress)
}

// Variants returns the names that Options takes.
func Variants() []string {
	all := []string{Auto}
	for _, v := range horn.Variants() {
		all = append(all, string(v))
	}
	return all
}

// Result is what was found out.
type Result struct {
	// Checked is the answer, with its certificate. Its reason is for people.
	Checked cert.Checked
	// Variant is that of the answer; "" for none.
	Variant horn.Variant
	// Predicates and Clauses count those of the simplified system.
	Predicates, Clauses int
	Stats               horn.Stats // of the variant that has answered
	// Internal is a fault of this program: a certificate was rejected.
	Internal error
}

// Check answers whether s is satisfiable. It ends soon after ctx, and then says that the answer is unknown.
func Check(ctx context.Context, s *chc.System, o Options) Result {
	small, err := simplify.Simplify(ctx, s, simplify.Options{})
	if err != nil {
		return Result{Checked: cert.NoAnswer(ReasonFor(ctx))}
	}
	r := Result{Predicates: len(small.System.Preds), Clauses: len(small.System.Clauses)}
	variants := horn.Variants()
	if o.Variant != "" && o.Variant != Auto {
		variants = []horn.Variant{horn.Variant(o.Variant)}
	}
	members := make([]*member, len(variants))
	for i, v := range variants {
		members[i] = &member{variant: v, small: small, share: 1}
	}
	members[0].share = defaultShare
	t := &turns{ctx: ctx, system: s, progress: o.Progress}
	winner := t.take(members)
	if winner == nil && errors.Is(t.undone, simplify.ErrUndefined) && ctx.Err() == nil {
		// With all predicates a model needs no definitions of others.
		if whole, err := simplify.Simplify(ctx, s, simplify.Options{KeepPredicates: true}); err == nil {
			winner = t.take([]*member{{variant: variants[0], small: whole, share: 1}})
		}
	}
	r.Internal = t.internal
	switch {
	case winner != nil:
		r.Checked, r.Variant, r.Stats = winner.checked, winner.variant, winner.answer.Stats
	case ctx.Err() != nil:
		r.Checked = cert.NoAnswer(ReasonFor(ctx))
	default:
		r.Checked = cert.NoAnswer(t.reason)
	}
	return r
}

// ReasonTimeout is why a search has no answer whose time is over.
const ReasonTimeout = "timeout"

// ReasonFor says why a search has ended with its context.
func ReasonFor(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		return cause.Error()
	} else if errors.Is(cause, context.DeadlineExceeded) {
		return ReasonTimeout
	}
	return horn.ReasonCancelled
}

// Words says a result as every surface does.
func (r Result) Words() string {
	switch c := r.Checked; c.Outcome() {
	case cert.Sat:
		return "safe · " + count(Lemmas(c.Model()), "lemma", "lemmas")
	case cert.Unsat:
		return "reached in " + count(len(c.Derivation()), "step", "steps")
	default:
		return "unknown: " + c.Reason()
	}
}

// WordsWithin is Words for a search that had so much time.
func (r Result) WordsWithin(wall time.Duration) string {
	if r.Checked.Outcome() == cert.Unknown && r.Checked.Reason() == ReasonTimeout && wall > 0 {
		return fmt.Sprintf("%s of %g s", r.Words(), wall.Seconds())
	}
	return r.Words()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Lemmas counts the formulas whose conjunctions the definitions of a model are.
func Lemmas(m cert.Model) (n int) {
	for _, d := range m.Definitions {
		if d.Formula != term.False {
			n += len(m.Terms.Conjuncts(d.Formula))
		}
	}
	return n
}
