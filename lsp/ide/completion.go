package ide

import "aiglens/lsp/document"

// CompletionDocumentation says what a literal is, as a hover over its definition
// does. It is for the one completion that the user looks at.
func CompletionDocumentation(d *document.Document, l document.Lit, status Statuses, opts HoverOptions) string {
	def, ok := d.Definition(l.Signal())
	if !ok {
		return ""
	}
	_, markdown, _ := Hover(d, def.Span.Start, status, opts)
	return markdown
}
