package aigerdesign

import (
	"context"
	"slices"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/edit"
	"aiglens/aiger/syntax"
	"aiglens/design"
	"aiglens/internal/source"
)

func (s *fileSyntax) Lint(ctx context.Context) ([]source.Diagnostic, error) {
	return diagnose.Run(ctx, s.file)
}

// Diagnose always lints: that is quick, and tells more of the errors of a circuit.
func (s *fileSyntax) Diagnose(ctx context.Context, _ bool) ([]source.Diagnostic, error) {
	return design.Linted(ctx, s)
}

// LeftByFormat returns the findings about names.
func (s *fileSyntax) LeftByFormat(ctx context.Context) ([]source.Diagnostic, error) {
	all, err := design.Linted(ctx, s)
	return slices.DeleteFunc(all, func(d source.Diagnostic) bool {
		return d.Code != syntax.CodeSymbolNameClash && d.Code != syntax.CodeSymbolDuplicateName
	}), err
}
func (s *fileSyntax) Fixes(d source.Diagnostic) []source.Fix { return edit.Fixes(s.file, d) }
func (s *fileSyntax) FixAll() []source.Edit                  { return edit.FixAll(s.file) }
func (s *fileSyntax) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	return edit.Changes(ctx, s.file, span, file)
}
func (s *fileSyntax) Format(ctx context.Context) ([]source.Edit, error) {
	return edit.Format(ctx, s.file)
}
func (s *fileSyntax) LineTyped(line int, reorder bool, before design.FittingHeader) []source.Edit {
	return edit.LineTypedEdits(s.file, line, reorder, fittingHeader(before))
}
func (s *fileSyntax) RowsGone(line, rows int, before design.FittingHeader) []source.Edit {
	return edit.RowsGoneEdits(s.file, line, rows, fittingHeader(before))
}
func (s *fileSyntax) FittingHeader() design.FittingHeader {
	h := s.file.FittingHeader()
	return design.FittingHeader{Text: h.Text, IsTight: h.IsTight, IsGiven: h.IsGiven}
}

func fittingHeader(h design.FittingHeader) syntax.FittingHeader {
	return syntax.FittingHeader{Text: h.Text, IsTight: h.IsTight, IsGiven: h.IsGiven}
}
func (s *fileSyntax) AddAsides(a design.Asides) ([]source.Edit, error) {
	if w := a.Word; w != nil {
		lits := make([]uint32, len(w.Lits))
		for i, l := range w.Lits {
			lits[i] = uint32(l)
		}
		return edit.AddWord(s.file, w.Line, lits)
	}
	own := make([]edit.Lemma, len(a.Lemmas))
	for i, l := range a.Lemmas {
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

var completionKinds = [...]design.CompletionKind{
	edit.CompleteLiteral: design.CompletionLiteral, edit.CompleteNumber: design.CompletionNumber,
	edit.CompleteSymbol: design.CompletionName, edit.CompleteComment: design.CompletionKeyword,
	edit.CompleteForm: design.CompletionForm,
}

func (s *fileSyntax) Complete(offset int) design.Completions {
	all := edit.Complete(s.file, offset)
	c := design.Completions{Span: all.Span, Incomplete: all.Incomplete}
	for _, item := range all.Items {
		if item.Kind == edit.CompleteForm {
			c.Items = append(c.Items, design.Form(item.Label, item.Detail, item.Snippet))
			continue
		}
		c.Items = append(c.Items, design.Completion{
			Kind: completionKinds[item.Kind], Label: item.Label, Insert: item.Insert, Filter: item.Filter,
			Detail: item.Detail, Lit: design.Lit(item.Lit),
		})
	}
	return c
}
