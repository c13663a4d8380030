package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/uri"

	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// proposal is an edit that the client has been given.
type proposal struct {
	title string
	edits []source.Edit
}

// propose takes note of edits that should keep what a circuit does. With an error in the text
// the earlier function is unknown.
func (t *texts) propose(v *view, all ...proposal) {
	isError := func(d source.Diagnostic) bool { return d.Severity == source.Error }
	if len(all) == 0 || slices.ContainsFunc(v.doc.TextDiagnostics(), isError) {
		return
	}
	t.post(func() {
		if f := t.files[uri.URI(v.doc.URI)]; f != nil && f.doc.Version == v.doc.Version {
			for _, o := range all {
				f.rewrites.Propose(v.doc.Text, o.title, o.edits)
			}
		}
	})
}

// lensOfEdit returns the lens of an edit of ours that has made the text what it is.
func lensOfEdit(v *view) (lens ide.Lens, ok bool) {
	title, found, ok := v.rewrites.Latest(v.doc.Text)
	lens = ide.Lens{Span: v.doc.Text.LineSpan(0), Title: "verify this edit", Command: ide.VerifyEdit,
		Tooltip: fmt.Sprintf("Whether the circuit computes the same function as before “%s”", title)}
	if found != "" {
		lens.Title = found
	}
	return lens, ok
}
