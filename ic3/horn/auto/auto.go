// Package auto answers whether a system of Horn clauses is satisfiable. It simplifies the system, has the variants of
// ic3/horn work on it by turns, takes the first answer back to the system as it was, and returns it once the checker of
// horn/cert has accepted it.
//
// The package has no clock: limits of time are those of the context. The same system and options give the same answer.
package auto

import (
	"context"
	"errors"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/ic3/horn"
	"aiglens/ic3/horn/simplify"
	"aiglens/ic3/horn/verify"
)

// Auto has all variants work by turns. It is the default.
const Auto = "auto"

// defaultShare is what the default variant may ask for each query of another one: it has most answers.
const defaultShare = 4

// Variants returns the names that verify.Options takes.
func Variants() []string {
	all := []string{Auto}
	for _, v := range horn.Variants() {
		all = append(all, string(v))
	}
	return all
}

// Check is a verify.Check. It works in this process.
func Check(ctx context.Context, s *chc.System, o verify.Options) verify.Result {
	small, err := simplify.Simplify(ctx, s, simplify.Options{})
	if err != nil {
		return verify.Result{Checked: cert.NoAnswer(verify.ReasonFor(ctx))}
	}
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
	r := verify.Result{Internal: t.internal}
	var stats horn.Stats
	switch {
	case winner != nil:
		r.Checked, r.Variant, stats = winner.checked, string(winner.variant), winner.answer.Stats
	case ctx.Err() != nil:
		r.Checked = cert.NoAnswer(verify.ReasonFor(ctx))
	default:
		r.Checked = cert.NoAnswer(t.reason)
	}
	r.Stats = map[string]float64{
		"predicates": float64(len(small.System.Preds)), "clauses": float64(len(small.System.Clauses)), "levels": float64(stats.Level),
		"lemmas": float64(stats.Lemmas), "facts": float64(stats.Facts), "obligations": float64(stats.Obligations),
		"conflicts": float64(stats.Solver.Conflicts),
	}
	return r
}
