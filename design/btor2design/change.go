package btor2design

import (
	"context"
	"errors"

	"aiglens/btor2/diagnose"
	"aiglens/btor2/edit"
	"aiglens/design"
	"aiglens/internal/source"
)

func (s *fileSyntax) Lint(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.Run(ctx, s.file)
}

// Diagnose always lints: that is quick, and tells of constraints that no run meets.
func (s *fileSyntax) Diagnose(ctx context.Context, _ bool) ([]source.Diagnostic, error) {
	return design.Linted(ctx, s)
}

func (s *fileSyntax) Fixes(d source.Diagnostic) []source.Fix { return edit.Fixes(s.file, d) }

func (s *fileSyntax) FixAll() []source.Edit { return edit.FixAll(s.file) }

func (s *fileSyntax) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	return edit.Changes(ctx, s.file, span.Start, file)
}

// LineTyped gives a row its number.
func (s *fileSyntax) LineTyped(line int, _ bool, _ design.FittingHeader) []source.Edit {
	return edit.LineTyped(s.file, line)
}

func (s *fileSyntax) Format(ctx context.Context) ([]source.Edit, error) {
	return edit.Format(ctx, s.file)
}

// AddAsides writes lemmas. A row is a word already.
func (s *fileSyntax) AddAsides(a design.Asides) ([]source.Edit, error) {
	if a.Word != nil {
		return s.Base.AddAsides(a)
	}
	own := make([]edit.Lemma, len(a.Lemmas))
	for i, l := range a.Lemmas {
		own[i].Label = l.Label
		for _, clause := range l.Clauses {
			bits := make([]edit.Bit, len(clause))
			for j, lit := range clause {
				node, bit, ok := s.bitOf(lit)
				if !ok {
					return nil, errors.New("the lemma is about more than bits of rows")
				}
				bits[j] = edit.Bit{Node: node, Bit: bit, IsNegated: lit.IsNegated()}
			}
			own[i].Clauses = append(own[i].Clauses, bits)
		}
	}
	return edit.AddLemmas(s.file, own)
}

func (s *fileSyntax) RenameTarget(offset int) (source.Span, string, bool) {
	return edit.RenameTarget(s.file, offset)
}

func (s *fileSyntax) Rename(offset int, to string) ([]source.Edit, error) {
	return edit.Rename(s.file, offset, to)
}

var completionKinds = [...]design.CompletionKind{
	edit.CompleteValue: design.CompletionLiteral, edit.CompleteNumber: design.CompletionNumber,
	edit.CompleteTag: design.CompletionKeyword, edit.CompleteForm: design.CompletionForm,
}

func (s *fileSyntax) Complete(offset int) design.Completions {
	all := edit.Complete(s.file, offset)
	c := design.Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		if item.Kind == edit.CompleteForm {
			c.Items = append(c.Items, design.Form(item.Label, item.Detail, item.Snippet))
			continue
		}
		own := design.Completion{Kind: completionKinds[item.Kind], Label: item.Label, Insert: item.Insert, Filter: item.Filter, Detail: item.Detail}
		if item.Kind == edit.CompleteValue {
			own.Lit = litOf(item.Ref)
		}
		c.Items = append(c.Items, own)
	}
	return c
}
