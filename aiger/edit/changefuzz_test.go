package edit

import (
	"context"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// FuzzChange formats a text and makes every change that is offered at a place:
// each either says why not, or gives edits that can be applied and after which
// the structure is sound; formatting twice is formatting once.
func FuzzChange(f *testing.F) {
	aigertest.SeedFiles(f, "*")
	f.Add([]byte("aag 9 2 3 1 4 2 2 2 2\n2\n4\n6 13\n8 8 1\n10 15 10\n18\n12\n13\n5\n1\n1\n2\n6\n8\n11\n3\n10\n12 2 6\n14 4 9\n16 12 15\n18 16 11\nf0 f\nb0 b\ni0 req\nl0 a\nc\ntext\n"))
	f.Add([]byte("aag 3 2 0 1 1\r\n2\r\n4\r\n6\r\n6 2 4\r\ni0 a\r\nc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := syntax.Parse(source.NewText(string(data)))
		sound := func(what string, edits []source.Edit, err error) *syntax.File {
			if err != nil {
				return nil
			}
			text, err := file.Text().Apply(edits)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			g := syntax.Parse(text)
			if err := structure(g); err != nil {
				t.Fatalf("%s: %v in\n%q\nfrom\n%q", what, err, text.Content(), data)
			}
			return g
		}
		edits, err := Format(context.Background(), file)
		if g := sound("format", edits, err); g != nil {
			if again, err := Format(context.Background(), g); err != nil || len(again) > 0 {
				t.Fatalf("formatted twice: %v, %v\n%q", again, err, g.Text().Content())
			}
		}
		for line := range min(file.Text().NumLines(), 20) {
			span := file.Text().LineSpan(line)
			for _, c := range Changes(context.Background(), file, span, line == 0) {
				edits, err := c.Edits()
				sound(c.Title, edits, err)
			}
			LineTypedEdits(file, line, true, file.FittingHeader())
			Complete(file, span.End())
			for _, name := range []string{"x", "77", "76"} {
				if edits, err := Rename(file, span.Start, name); err == nil {
					if _, err := file.Text().Apply(edits); err != nil {
						t.Fatalf("rename on line %d to %s: %v", line+1, name, err)
					}
				}
			}
		}
	})
}
