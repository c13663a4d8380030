// Package certificate reads what certifies an answer about Horn clauses from SMT-LIB: a model, or a derivation of
// false. Other programs may have written it. The package trusts nothing of it and claims nothing: horn/cert checks what
// it returns.
package certificate

import (
	"context"
	"fmt"
	"strings"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// Read returns the answer about s that a text certifies, which is still to be checked.
//
// A model is a list of define-fun, as get-model prints it. Any other text is a derivation: instances of clauses without
// variables, each after those that it follows from. The word sat or unsat may stand before. The error is a
// *cert.RejectedError where the text says what does not hold of s, that of ctx, or says where the text cannot be read.
func Read(ctx context.Context, s *horn.System, text string) (cert.Answer, error) {
	rest := strings.TrimLeft(text, " \t\r\n")
	for _, word := range []string{"unsat", "sat"} {
		if after, ok := strings.CutPrefix(rest, word); ok {
			rest = after
			break
		}
	}
	text = strings.Repeat("\n", strings.Count(text[:len(text)-len(rest)], "\n")) + rest // places stay in their lines
	if list, ok := inList(text); ok {
		m, err := readModel(s, list)
		return cert.Answer{Outcome: cert.Sat, Model: m}, err
	}
	d, err := readDerivation(ctx, s, text)
	return cert.Answer{Outcome: cert.Unsat, Derivation: d}, err
}

// inList returns a text that is one list of lists, with or without the word model of older programs, without the
// parentheses around it.
func inList(text string) (inside string, ok bool) {
	first, last := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if first < 0 || last < first {
		return "", false
	}
	inside = text[:first] + " " + text[first+1:last]
	rest, isModel := strings.CutPrefix(strings.TrimLeft(inside[first:], " \t\r\n"), "model")
	if isModel {
		return inside[:first] + " " + rest, true
	}
	return inside, rest == "" || rest[0] == '('
}

// parse reads commands. The error is about the first one that is wrong.
func parse(text string) (*syntax.File, error) {
	file := syntax.Parse(source.NewText(text), nil)
	if d := file.Structural(); d != nil {
		return nil, errorAt(file, *d)
	}
	return file, nil
}

func errorAt(file *syntax.File, d source.Diagnostic) error {
	line, column := file.Text().LineColumn(d.Span.Start)
	return fmt.Errorf("line %d, column %d: %s", line, column, d.Message)
}

// predicates returns those of s by their names.
func predicates(s *horn.System) map[string]horn.Pred {
	all := make(map[string]horn.Pred, len(s.Preds))
	for p := range s.Preds {
		all[s.Preds[p].Name] = horn.Pred(p)
	}
	return all
}

// sorts writes sorts with a blank between them.
func sorts(all []term.Sort) string {
	words := make([]string, len(all))
	for i, sort := range all {
		words[i] = sort.String()
	}
	return strings.Join(words, " ")
}
