package answers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/expression"
)

// LemmaFrom returns the lemma that an expression over the signals and words of one step holds in
// every step. It is a guess: whether it is proved a check finds out. The error is a sentence
// for the user, or that of ctx.
func LemmaFrom(ctx context.Context, d *design.Design, text string) (lemma design.Lemma, err error) {
	if _, err := d.Side(ctx); err != nil {
		return lemma, err
	}
	e, err := expression.NewDictionary(d).Names(math.MaxInt32).OneStep(text)
	if err != nil {
		return lemma, err
	}
	found, err := e.Clauses()
	if err != nil {
		return lemma, err
	}
	if len(found) == 0 {
		return lemma, fmt.Errorf("%s holds whatever the values are: a lemma would say nothing", text)
	}
	clauses, ok := clausesIn(d, found)
	if !ok {
		return lemma, errors.New("the text has no word for one of these signals: those of other files, or of a model that stands in several places, have no lemmas")
	}
	if lemma.Clauses = clauses; len(text) <= maxLabel && !strings.ContainsAny(text, "\"\n\r") {
		lemma.Label = text
	}
	return lemma, nil
}

// LemmaText returns clauses as an expression, which LemmaFrom reads; ok is false where the text has no words for
// them, or they are too many.
func LemmaText(d *design.Design, clauses cert.Invariant) (text string, ok bool) {
	if _, ok := clausesIn(d, clauses); !ok {
		return "", false
	}
	names := expression.NewDictionary(d)
	parts := make([]string, len(clauses))
	for i, clause := range clauses {
		lits := make([]string, len(clause))
		for j, l := range clause {
			if lits[j], ok = literalText(d, names, l); !ok {
				return "", false
			}
		}
		parts[i] = strings.Join(lits, " | ")
		if len(clauses) > 1 && len(lits) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	text = strings.Join(parts, " & ")
	return text, len(text) <= expression.MaxLength
}

// literalText returns a literal as an expression: by its name, or by its number where the name means something else.
func literalText(d *design.Design, names *expression.Dictionary, l circuit.Lit) (text string, ok bool) {
	s, ok := d.SourceOf(l)
	if !ok {
		return "", false
	}
	text = expression.Quote(s.Name)
	found, ok := names.Lookup(s.Name)
	if !ok && d.HasNumbers() {
		text = strconv.Itoa(int(s.Lit))
		found, ok = d.LitOf(s.Lit)
	}
	if found == l.Not() {
		text = "!" + text
	}
	return text, ok && found.Var() == l.Var()
}
