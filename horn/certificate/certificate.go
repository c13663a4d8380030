// Package certificate reads what certifies an answer about Horn clauses from SMT-LIB: a model, or a derivation of
// false. Other programs may have written it. The package trusts nothing of it and claims nothing: horn/cert checks what
// it returns.
package certificate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// Read returns the answer about s that a text certifies, which is still to be checked.
//
// A text of define-fun alone is a model, in one list as get-model prints it or without; an empty list is one, too. Any
// other text is a derivation: instances of clauses without variables, each after those that it follows from. The word
// sat or unsat may stand before, and must be that of the certificate. The error is a *cert.RejectedError where the text
// says what does not hold of s, that of ctx, or says where the text cannot be read.
func Read(ctx context.Context, s *horn.System, text string) (a cert.Answer, err error) {
	answer := syntax.AnswerOf(text)
	c, err := parse(answer)
	if err != nil {
		return a, err
	}
	a.Outcome, err = c.outcome(answer)
	switch {
	case err != nil:
	case a.Outcome == cert.Sat:
		a.Model, err = c.model(s)
	default:
		a.Derivation, err = c.derivation(ctx, s)
	}
	return a, err
}

// commands is a text in SMT-LIB with the forms that are commands.
type commands struct {
	*syntax.File
	forms []int
}

// parse reads commands. The error is about the first one that is wrong, or that stands after their list.
func parse(a syntax.Answer) (c commands, err error) {
	c.File = syntax.Parse(source.NewText(a.Commands), nil)
	if d := c.Structural(); d != nil && !(a.IsList && c.IsEmpty()) {
		return c, c.errorAt(d.Span, "%s", d.Message)
	}
	for k := range c.NumForms() {
		_, span, ok := c.Word(k, 0)
		if ok && a.IsList && span.Start >= a.End {
			return c, c.errorAt(c.FormSpan(k), "nothing stands after the list of a model")
		}
		if ok {
			c.forms = append(c.forms, k)
		}
	}
	return c, nil
}

// outcome returns what the commands certify.
func (c commands) outcome(a syntax.Answer) (cert.Outcome, error) {
	isOther := func(k int) bool { return c.Command(k) != "define-fun" }
	is, kind, allowed := cert.Unsat, "derivation", []string{"declare-fun", "declare-const", "assert", "check-sat", "set-logic", "set-info"}
	if a.IsList || !slices.ContainsFunc(c.forms, isOther) {
		is, kind, allowed = cert.Sat, "model", []string{"define-fun"}
	}
	for _, k := range c.forms {
		if word, span, _ := c.Word(k, 0); !slices.Contains(allowed, word) {
			return is, c.errorAt(span, "a %s has no %s: expected %s", kind, word, strings.Join(allowed, ", "))
		}
	}
	switch a.Word {
	case "", is.String():
		return is, nil
	case "sat":
		return cert.Sat, reject("form", "a %s stands after %s", kind, a.Word)
	}
	return cert.Unsat, reject("form", "a %s stands after %s", kind, a.Word)
}

// errorAt says what is wrong at a place.
func (c commands) errorAt(at source.Span, format string, args ...any) error {
	line, column := c.Text().LineColumn(at.Start)
	return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// reject says what of a certificate does not hold.
func reject(obligation, format string, args ...any) error {
	return &cert.RejectedError{Obligation: obligation, Detail: fmt.Sprintf(format, args...)}
}

// sorts writes sorts with a blank between them.
func sorts(all []term.Sort) string {
	words := make([]string, len(all))
	for i, sort := range all {
		words[i] = sort.String()
	}
	return strings.Join(words, " ")
}
