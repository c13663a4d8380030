package answers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

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
