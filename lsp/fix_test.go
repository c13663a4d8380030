package lsp

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

// TestUnusedIsFaded finds what only the whole circuit shows.
func TestUnusedIsFaded(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(capable, nil)
	b.open(doc, "aag 4 2 0 0 2 1\n2\n4\n6\n6 2 4\n8 2 5\n")
	b.settled(doc)
	_, _ = b.awaitDiagnostics("the unused gate", 0, func(p published) bool {
		for _, d := range p.Diagnostics {
			if d.Range.Start.Line == 5 && len(d.Tags) == 1 && d.Tags[0] == 1 {
				return true
			}
		}
		return false
	})
}

// TestFixAll repairs a file with many faults in one action, which is offered
// only when it is asked for.
func TestFixAll(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.open(doc, "aag 2 2 0 1 0\n02\n4  \n4")
	all := func(only ...string) []string {
		var actions []struct {
			Kind string
			Edit struct {
				Changes map[string][]struct {
					Range   lsptest.Range
					NewText string
				}
			}
		}
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{},
			"context": map[string]any{"diagnostics": []any{}, "only": only},
		}, &actions)
		var kinds []string
		for _, a := range actions {
			if !strings.HasPrefix(a.Kind, "source.fixAll") {
				continue
			}
			kinds = append(kinds, a.Kind)
			if n := len(a.Edit.Changes[doc]); n != 3 {
				t.Errorf("%d edits, expected 3: %v", n, a.Edit)
			}
		}
		return kinds
	}
	for _, only := range [][]string{{"source.fixAll"}, {"source"}} {
		if kinds := all(only...); len(kinds) != 1 {
			t.Errorf("%q offers %q", only, kinds)
		}
	}
	for _, only := range [][]string{nil, {"quickfix"}} {
		if kinds := all(only...); len(kinds) != 0 {
			t.Errorf("%q offers %q", only, kinds)
		}
	}
}

// TestCodesAreExplained links codes for clients that show links.
func TestCodesAreExplained(t *testing.T) {
	for _, shows := range []bool{true, false} {
		client := lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
			return Serve(ctx, in, out, Options{Explain: func(format, code string) (string, int, bool) {
				return "/docs/page.md", 7, format == "AIGER" && code == "not-aiger"
			}})
		})
		client.Initialize(map[string]any{"textDocument": map[string]any{
			"publishDiagnostics": map[string]any{"codeDescriptionSupport": shows}}}, nil)
		client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": doc, "languageId": "aiger", "version": 1, "text": "nothing\n"}})
		m, _ := client.Await("diagnostics", 0, func(m lsptest.Message) bool { return m.Method == "textDocument/publishDiagnostics" })
		var p struct {
			Diagnostics []struct{ CodeDescription struct{ Href string } }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil || len(p.Diagnostics) == 0 {
			t.Fatalf("%s: %v", m.Params, err)
		}
		if got := p.Diagnostics[0].CodeDescription.Href; shows != (got == "file:///docs/page.md#L7") || !shows && got != "" {
			t.Errorf("shows links: %v, link %q", shows, got)
		}
	}
}

// TestQuickFixNamesVersion tests that a quick fix names the version that it is
// about to a client that can refuse it for another.
func TestQuickFixNamesVersion(t *testing.T) {
	for _, versioned := range []bool{true, false} {
		b := newBench(t, nil)
		b.Initialize(map[string]any{"workspace": map[string]any{"workspaceEdit": map[string]any{"documentChanges": versioned}}}, nil)
		b.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": doc, "languageId": "aiger", "version": 7, "text": "aag 1 1 0 1 0\n02\n2\n"}})
		type textEdit struct {
			Range   lsptest.Range
			NewText string
		}
		var actions []struct {
			Title string
			Edit  struct {
				Changes         map[string][]textEdit
				DocumentChanges []struct {
					TextDocument struct {
						URI     string
						Version *int
					}
					Edits []textEdit
				}
			}
		}
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc},
			"range":        lsptest.Range{Start: lsptest.Position{Line: 1}, End: lsptest.Position{Line: 1}},
			"context":      map[string]any{"diagnostics": []any{}, "only": []string{"quickfix"}},
		}, &actions)
		if len(actions) != 1 || actions[0].Title != "Remove the leading zero" {
			t.Fatalf("actions %+v", actions)
		}
		edit := actions[0].Edit
		edits := edit.Changes[doc]
		if versioned {
			if len(edit.DocumentChanges) != 1 || edit.Changes != nil {
				t.Fatalf("edit without version: %+v", edit)
			}
			change := edit.DocumentChanges[0]
			if id := change.TextDocument; id.URI != doc || id.Version == nil || *id.Version != 7 {
				t.Errorf("edit of %+v", id)
			}
			edits = change.Edits
		} else if edit.DocumentChanges != nil {
			t.Errorf("edit with a version: %+v", edit)
		}
		want := textEdit{lsptest.Range{Start: lsptest.Position{Line: 1}, End: lsptest.Position{Line: 1, Character: 2}}, "2"}
		if len(edits) != 1 || edits[0] != want {
			t.Errorf("edits %+v", edits)
		}
	}
}
