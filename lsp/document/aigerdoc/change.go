package aigerdoc

import (
	"context"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/edit"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
	"aiglens/lsp/document"
)

func (s *fileSyntax) Lint(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.Run(ctx, s.file)
}
func (s *fileSyntax) Fixes(d source.Diagnostic) []source.Fix { return edit.Fixes(s.file, d) }
func (s *fileSyntax) FixAll() []source.Edit                  { return edit.FixAll(s.file) }
func (s *fileSyntax) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	return edit.Changes(ctx, s.file, span, file)
}
func (s *fileSyntax) Format(ctx context.Context) ([]source.Edit, error) {
	return edit.Format(ctx, s.file)
}
func (s *fileSyntax) LineTyped(line int, reorder bool, before document.FittingHeader) []source.Edit {
	return edit.LineTypedEdits(s.file, line, reorder, fittingHeader(before))
}
func (s *fileSyntax) RowsGone(line, rows int, before document.FittingHeader) []source.Edit {
	return edit.RowsGoneEdits(s.file, line, rows, fittingHeader(before))
}
func (s *fileSyntax) FittingHeader() document.FittingHeader {
	h := s.file.FittingHeader()
	return document.FittingHeader{Text: h.Text, IsTight: h.IsTight, IsGiven: h.IsGiven}
}

func fittingHeader(h document.FittingHeader) syntax.FittingHeader {
	return syntax.FittingHeader{Text: h.Text, IsTight: h.IsTight, IsGiven: h.IsGiven}
}
func (s *fileSyntax) AddLemmas(lemmas []document.Lemma) ([]source.Edit, error) {
	own := make([]edit.Lemma, len(lemmas))
	for i, l := range lemmas {
		own[i].Label = l.Label
		for _, clause := range l.Clauses {
			lits := make([]uint32, len(clause))
			for j, lit := range clause {
				lits[j] = uint32(lit)
			}
			own[i].Clauses = append(own[i].Clauses, lits)
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

var completionKinds = [...]document.CompletionKind{
	edit.CompleteLiteral: document.CompletionLiteral, edit.CompleteNumber: document.CompletionNumber,
	edit.CompleteSymbol: document.CompletionName, edit.CompleteComment: document.CompletionKeyword,
	edit.CompleteForm: document.CompletionForm,
}

func (s *fileSyntax) Complete(offset int) document.Completions {
	all := edit.Complete(s.file, offset)
	c := document.Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		if item.Kind == edit.CompleteForm {
			c.Items = append(c.Items, document.Form(item.Label, item.Detail, item.Snippet))
			continue
		}
		c.Items = append(c.Items, document.Completion{
			Kind: completionKinds[item.Kind], Label: item.Label, Insert: item.Insert, Filter: item.Filter,
			Detail: item.Detail, Lit: document.Lit(item.Lit),
		})
	}
	return c
}
