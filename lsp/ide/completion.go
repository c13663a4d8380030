package ide

import (
	"context"

	"aiglens/design"
)

// CompletionDocumentation says what a literal is, as a hover over its definition
// does. It is for the one completion that the user looks at. The error is that of ctx.
func CompletionDocumentation(ctx context.Context, d *design.Design, l design.Lit, status Statuses, opts HoverOptions) (string, error) {
	def, ok := d.Definition(l.Signal())
	if !ok {
		return "", ctx.Err()
	}
	_, markdown, err := Hover(ctx, d, def.Span.Start, status, opts)
	return markdown, err
}
