package answers

import (
	"context"
	"fmt"
	"time"

	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// Suggestion is a guess of a lemma that can be added to a text. It is not proved.
type Suggestion struct {
	Lemma  design.Lemma
	Edits  []source.Edit // that add it to the text, alone
	Title  string        // what it says, in short
	Detail string        // what speaks for it
	Facts  []string      // what it says, up to mostFacts of them
}

// Bounds of what is suggested, and of the trials. SuggestTrials and
// SuggestTrial, the CPU time for each, hold unless a caller chooses others.
const (
	SuggestTrials = 24
	SuggestTrial  = time.Second

	// suggestPatience bounds a trial whose engine waits, as for another machine.
	suggestPatience = 10 * SuggestTrial
	maxClauses      = 500
	mostFacts       = 12  // of one suggestion
	maxTitle        = 120 // runes of its first fact
	maxLabel        = 60  // bytes
)

// Guess is a guess of a lemma, whether or not the text has words for it. It is not proved.
type Guess struct {
	inquiry.Suggestion
	Facts []string // what it says, over signals of the text
}

// Guesses guesses lemmas for the property, which a check has left without an answer, with so many
// trials at most. The error is that of ctx, and what was found by then comes with it.
func Guesses(ctx context.Context, q Question, trials int, checked verify.Result) (all []Guess, err error) {
	c, p := q.Document.Circuit(), q.Property.ID
	found, err := inquiry.Suggest(ctx, c, p, inquiry.Known{Clauses: checked.Unfinished(ctx, c, p)}, inquiry.Terms{
		Engine: q.Engine, Limits: q.Run, Runs: trials,
		Progress: func(p inquiry.Progress) { q.Show(p.Doing) },
	})
	words := context.WithoutCancel(ctx) // of what there is
	for _, x := range found {
		facts, problem := FactsInWords(words, q.Document, x.Clauses)
		if problem != nil {
			return all, problem
		}
		all = append(all, Guess{x, facts})
	}
	return all, err
}

// Suggest guesses lemmas for the property, which a check has left without an answer, and returns
// those that can be written into the text, and how many others there are. Of the limits of a run
// only that of memory is taken. The error is that of ctx, and what was found by then comes with it.
func Suggest(ctx context.Context, q Question, checked verify.Result) (all []Suggestion, others int, err error) {
	q.Run = verify.Limits{CPU: SuggestTrial, Wall: suggestPatience, Memory: q.Run.Memory}
	found, err := Guesses(ctx, q, SuggestTrials, checked)
	for _, x := range found {
		s, ok := x.suggestion(q.Document)
		switch {
		case !ok:
			others++
		case len(s.Facts) > 0:
			all = append(all, s)
		}
	}
	return all, others, err
}

// suggestion returns the guess as one that can be written into the text; ok is false where it cannot.
func (g Guess) suggestion(d *design.Design) (s Suggestion, ok bool) {
	clauses, ok := clausesIn(d, g.Clauses)
	if !ok || len(g.Facts) == 0 {
		return s, ok
	}
	s = Suggestion{Lemma: design.Lemma{Clauses: clauses}, Title: g.Facts[0], Detail: g.Merits()}
	s.Title = shortened(s.Title)
	s.Facts = g.Facts[:min(len(g.Facts), mostFacts)]
	if len(g.Facts) > 1 {
		s.Title = fmt.Sprintf("%s and %d more", s.Title, len(g.Facts)-1)
	}
	if len(s.Title) <= maxLabel {
		s.Lemma.Label = s.Title
	}
	var err error
	s.Edits, err = d.AddLemmas([]design.Lemma{s.Lemma})
	return s, err == nil
}

// shortened returns a title of not too many runes.
func shortened(title string) string {
	if runes := []rune(title); len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return title
}

// WriteGuesses returns the edits that add guesses to the text as lemmas, and how many of them it adds:
// not those that the text has no words for.
func WriteGuesses(d *design.Design, all []Guess) (edits []source.Edit, added int, err error) {
	var lemmas []design.Lemma
	for _, g := range all {
		if s, ok := g.suggestion(d); ok && len(s.Facts) > 0 {
			lemmas = append(lemmas, s.Lemma)
		}
	}
	if len(lemmas) > 0 {
		edits, err = d.AddLemmas(lemmas)
	}
	return edits, len(lemmas), err
}

// clausesIn returns clauses in the literals of a text; ok is false where it has no word for one
// of them, or they are too many.
func clausesIn(d *design.Design, inv cert.Invariant) (clauses [][]design.Lit, ok bool) {
	if len(inv) > maxClauses {
		return nil, false
	}
	for _, clause := range inv {
		lits := make([]design.Lit, len(clause))
		for i, l := range clause {
			s, ok := d.SourceOf(l)
			if !ok || s.Other != nil || s.Lit == 0 {
				return nil, false
			}
			if lits[i] = s.Lit; s.Bit != 0 {
				lits[i] = s.Bit
			}
			if s.Negated != l.IsNegated() {
				lits[i] ^= 1
			}
			if back, ok := d.LitOf(lits[i]); !ok || back != l {
				return nil, false // of several instances
			}
		}
		clauses = append(clauses, lits)
	}
	return clauses, true
}
