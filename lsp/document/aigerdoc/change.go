package aigerdoc

import (
	"context"

	"aiglens/aiger"
	"aiglens/internal/source"
	"aiglens/lsp/document"
)

func (s *syntax) Lint(ctx context.Context) ([]source.Diagnostic, error) { return s.file.Lint(ctx) }
func (s *syntax) Fixes(d source.Diagnostic) []source.Fix                { return s.file.FixesFor(d) }
func (s *syntax) FixAll() []source.Edit                                 { return s.file.FixAll() }
func (s *syntax) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	return s.file.Changes(ctx, span, file)
}
func (s *syntax) Format(ctx context.Context) ([]source.Edit, error) {
	return s.file.FormatContext(ctx)
}
func (s *syntax) LineTyped(line int, reorder bool) []source.Edit {
	return s.file.LineTypedEdits(line, reorder)
}
func (s *syntax) RenameTarget(offset int) (source.Span, string, bool) {
	return s.file.RenameTarget(offset)
}
func (s *syntax) Rename(offset int, to string) ([]source.Edit, error) {
	return s.file.Rename(offset, to)
}

var completionKinds = [...]document.CompletionKind{
	aiger.CompleteLiteral: document.CompletionLiteral, aiger.CompleteNumber: document.CompletionNumber,
	aiger.CompleteSymbol: document.CompletionName, aiger.CompleteComment: document.CompletionKeyword,
}

func (s *syntax) Complete(offset int) document.Completions {
	all := s.file.Complete(offset)
	c := document.Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		c.Items = append(c.Items, document.Completion{
			Kind: completionKinds[item.Kind], Label: item.Label, Insert: item.Insert, Filter: item.Filter,
			Detail: item.Detail, Lit: document.Lit(item.Lit),
		})
	}
	return c
}
