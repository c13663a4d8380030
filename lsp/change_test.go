package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// changing is a client that takes versioned edits and asks for the edit of an
// action when it is chosen.
var changing = map[string]any{
	"textDocument": map[string]any{
		"codeLens": map[string]any{},
		"codeAction": map[string]any{
			"dataSupport": true, "resolveSupport": map[string]any{"properties": []string{"edit"}},
		},
	},
	"workspace": map[string]any{
		"workspaceEdit": map[string]any{"documentChanges": true},
		"codeLens":      map[string]any{"refreshSupport": true},
	},
}

// TestChanges runs the archives of testdata/change. An archive holds a document
// and, for each further file, something that is done to the document as it
// first was, and the text that comes of it, or the answer:
//
//	format                 the document
//	rename 3:1 NAME        what stands at a place, from 1, in bytes
//	renameable 3:1         what it would change
//	actions 3:1            the changes that are offered
//	action 3:1 TITLE       the one whose title starts so
//	complete 3:1           what may be typed
//	chosen 3:1 LABEL       the text with one of it, and how its documentation starts
//	newline 3:1 [SETTING]  a line end typed there, with format.onType
func TestChanges(t *testing.T) {
	archives, err := filepath.Glob("testdata/change/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range archive.Files[1:] {
				f := &archive.Files[i+1]
				got := changed(t, archive.Files[0], f.Name)
				if *update {
					f.Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("%s:\n%s\nexpected:\n%s", f.Name, got, f.Data)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// changed does one thing to a text and returns what comes of it.
func changed(t *testing.T, file txtar.File, what string) string {
	t.Helper()
	e := openEditingAs(t, languageOf(file.Name), string(file.Data))
	words := strings.SplitN(what, " ", 3)
	var place lsptest.Position
	if len(words) > 1 {
		place = parsePlace(t, words[1])
	}
	argument := strings.Join(words[min(2, len(words)):], "")
	at := map[string]any{"textDocument": map[string]any{"uri": doc}, "position": place}
	switch words[0] {
	case "format":
		return e.edited("textDocument/formatting", map[string]any{
			"textDocument": at["textDocument"], "options": map[string]any{"tabSize": 4, "insertSpaces": true},
		})
	case "rename":
		at["newName"] = argument
		return e.renamed(at)
	case "renameable":
		var r *struct {
			Range       lsptest.Range
			Placeholder string
		}
		e.MustCall("textDocument/prepareRename", at, &r)
		if r == nil {
			return "nothing\n"
		}
		return fmt.Sprintf("%s %s\n", location{doc, r.Range}.in(e.buffer), r.Placeholder)
	case "actions", "action":
		return e.action(place, words[0] == "action", argument)
	case "complete", "chosen":
		return e.completed(at, argument)
	case "newline":
		e.configure(argument)
		offset := e.offset(place)
		e.change(doc, 2, e.buffer.Edit(offset, offset, "\n"))
		place = e.buffer.PositionOf(offset + 1)
		return e.edited("textDocument/onTypeFormatting", map[string]any{
			"textDocument": at["textDocument"], "position": place, "ch": "\n",
			"options": map[string]any{"tabSize": 4, "insertSpaces": true},
		})
	}
	t.Fatalf("there is no %q", words[0])
	return ""
}

// editing is a server with one open document, and the editor's text of it.
type editing struct {
	*bench
	buffer lsptest.Buffer
}

func openEditing(t *testing.T, text string) *editing {
	t.Helper()
	return openEditingAs(t, "aiger", text)
}

func openEditingAs(t *testing.T, language, text string) *editing {
	t.Helper()
	b := newBench(t, explicit)
	b.Initialize(changing, nil)
	b.openAs(language, doc, text)
	return &editing{b, lsptest.Buffer{Text: text, Encoding: "utf-16"}}
}

func (e *editing) configure(onType string) {
	if onType != "" {
		e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"format": map[string]any{"onType": onType}},
		}})
	}
}

func (e *editing) offset(p lsptest.Position) int {
	for offset := range len(e.buffer.Text) + 1 {
		if e.buffer.PositionOf(offset) == p {
			return offset
		}
	}
	e.t.Fatalf("there is no place %v", p)
	return 0
}

type textEdit struct {
	Range   lsptest.Range
	NewText string
}

// apply makes edits as an editor does: all of them refer to the text before.
func (e *editing) apply(edits []textEdit) string {
	e.t.Helper()
	slices.SortStableFunc(edits, func(a, b textEdit) int {
		return e.offset(a.Range.Start) - e.offset(b.Range.Start)
	})
	var out strings.Builder
	last := 0
	for _, edit := range edits {
		start, end := e.offset(edit.Range.Start), e.offset(edit.Range.End)
		if start < last {
			e.t.Fatalf("overlapping edits %v", edits)
		}
		out.WriteString(e.buffer.Text[last:start])
		out.WriteString(edit.NewText)
		last = end
	}
	return out.String() + e.buffer.Text[last:]
}

// edited returns the text after a request that answers with edits.
func (e *editing) edited(method string, params any) string {
	e.t.Helper()
	var edits []textEdit
	if err := e.Call(method, params, &edits); err != nil {
		return err.Error() + "\n"
	}
	return e.apply(edits)
}

type workspaceEdit struct {
	DocumentChanges []struct {
		TextDocument struct {
			URI     string
			Version int
		}
		Edits []textEdit
	}
}

func (e *editing) applyWorkspace(w workspaceEdit) string {
	e.t.Helper()
	if n := len(w.DocumentChanges); n != 1 || w.DocumentChanges[0].TextDocument.Version != 1 || w.DocumentChanges[0].TextDocument.URI != doc {
		e.t.Fatalf("the edit is of another document or version: %+v", w)
	}
	return e.apply(w.DocumentChanges[0].Edits)
}

func (e *editing) renamed(params any) string {
	e.t.Helper()
	var w workspaceEdit
	if err := e.Call("textDocument/rename", params, &w); err != nil {
		return err.Error() + "\n"
	}
	return e.applyWorkspace(w)
}

// action lists the changes of a place, or makes the one whose title starts so.
func (e *editing) action(place lsptest.Position, make bool, title string) string {
	e.t.Helper()
	var all []map[string]any
	e.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{Start: place, End: place},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"refactor", "source"}, "triggerKind": 1},
	}, &all)
	var list strings.Builder
	for _, a := range all {
		fmt.Fprintf(&list, "%s [%s]\n", a["title"], a["kind"])
		if !make || !strings.HasPrefix(a["title"].(string), title) {
			continue
		}
		var resolved struct{ Edit workspaceEdit }
		if err := e.Call("codeAction/resolve", a, &resolved); err != nil {
			return err.Error() + "\n"
		}
		return e.applyWorkspace(resolved.Edit)
	}
	if make {
		e.t.Fatalf("there is no action %q among\n%s", title, list.String())
	}
	return list.String()
}

type completionItem struct {
	Label, Detail, FilterText string
	TextEdit                  textEdit
	Documentation             struct{ Value string }
}

// completed lists what may be typed, or the text with the one of a label.
func (e *editing) completed(params any, label string) string {
	e.t.Helper()
	var answer struct {
		IsIncomplete bool
		Items        []map[string]any
	}
	e.MustCall("textDocument/completion", params, &answer)
	var list strings.Builder
	for _, raw := range answer.Items {
		if label != "" && raw["label"] != label {
			continue
		}
		var item completionItem
		e.MustCall("completionItem/resolve", raw, &item)
		if label != "" {
			what, _, _ := strings.Cut(item.Documentation.Value, "\n")
			return fmt.Sprintf("%s\n%s\n", e.apply([]textEdit{item.TextEdit}), what)
		}
		fmt.Fprintf(&list, "%s → %q (%s), filter %q\n", item.Label, item.TextEdit.NewText, item.Detail, item.FilterText)
	}
	if label != "" {
		e.t.Fatalf("there is no completion %q", label)
	}
	return list.String()
}

// TestActionWithoutResolve gives the edit at once to a client that cannot ask
// for it, and without a version to one that cannot use it.
func TestActionWithoutResolve(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(map[string]any{}, nil)
	b.open(doc, "aag 1 1 0 0 0 1\n2\n2\n")
	var all []struct {
		Title string
		Edit  *struct{ Changes map[string][]textEdit }
	}
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"refactor"}},
	}, &all)
	for _, a := range all {
		if a.Title == "Add an input" && a.Edit != nil && len(a.Edit.Changes[doc]) == 3 {
			return
		}
	}
	t.Errorf("%+v", all)
}

// TestActionOfOldText refuses an action that was offered for another version.
func TestActionOfOldText(t *testing.T) {
	e := openEditing(t, "aag 1 1 0 0 0 1\n2\n2\n")
	var all []map[string]any
	e.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"refactor"}},
	}, &all)
	e.replace(doc, 2, "aag 1 1 0 0 0 1\n2\n3\n")
	if err := e.Call("codeAction/resolve", all[0], nil); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("%v", err)
	}
}

// TestFormatThenCheck saves a file that the editor has just formatted: the check
// is of the formatted text.
func TestFormatThenCheck(t *testing.T) {
	e := openEditing(t, "aag 3 1 1 0 1 1\n2\n4  6\n6\n6 2 4\n")
	formatted := e.edited("textDocument/formatting", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "options": map[string]any{"tabSize": 4, "insertSpaces": true},
	})
	if want := "aag 3 1 1 0 1 1\n2\n4 6\n6\n6 4 2\n"; formatted != want {
		t.Fatalf("%q", formatted)
	}
	e.replace(doc, 2, formatted)
	e.save(doc)
	e.awaitTitles(doc, "a verdict", func(titles []string) bool {
		return len(titles) == 1 && strings.HasPrefix(titles[0], "proved")
	})
}

// TestDecoded asks for a binary file as text.
func TestDecoded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "and.aig")
	if err := os.WriteFile(path, []byte("aig 3 2 0 1 1\n6\n\x02\x02i0 x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, explicit)
	b.Initialize(changing, nil)
	var answer struct{ Text string }
	b.MustCall(wire.RequestDecoded.Name, map[string]any{"uri": "file://" + filepath.ToSlash(path)}, &answer)
	if want := "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 x\n"; answer.Text != want {
		t.Errorf("%q, want %q", answer.Text, want)
	}
	for _, u := range []string{"git:/and.aig", "file:///no/such/file.aig"} {
		if err := b.Call(wire.RequestDecoded.Name, map[string]any{"uri": u}, nil); err == nil {
			t.Errorf("%s: no error", u)
		}
	}
}

// TestCompletionIsBounded completes among more names than anybody reads.
func TestCompletionIsBounded(t *testing.T) {
	const inputs = 1000
	var text strings.Builder
	fmt.Fprintf(&text, "aag %d %d 0 0 1 1\n", inputs+1, inputs)
	for i := range inputs {
		fmt.Fprintf(&text, "%d\n", 2*i+2)
	}
	fmt.Fprintf(&text, "%d\n%d 2 re\n", 2*inputs+2, 2*inputs+2)
	for i := range inputs {
		fmt.Fprintf(&text, "i%d request_%d\n", i, i)
	}
	e := openEditing(t, text.String())
	var answer struct {
		IsIncomplete bool
		Items        []any
	}
	e.MustCall("textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: inputs + 2, Character: 9},
	}, &answer)
	if !answer.IsIncomplete || len(answer.Items) != 200 {
		t.Errorf("%d completions, incomplete: %v", len(answer.Items), answer.IsIncomplete)
	}
}

// TestChangesOfLargeFile offers the changes of a whole large file without making them;
// chosen, one that would change nothing has no edits. Fixes wait likewise.
func TestChangesOfLargeFile(t *testing.T) {
	e := openEditing(t, strings.Replace(chain(largeText/10), "\n6 ", " \n6 ", 1)) // a space to fix
	params := map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"source"}},
	}
	var all []map[string]any
	e.MustCall("textDocument/codeAction", params, &all)
	edits := map[string]int{}
	for _, a := range all {
		if a["edit"] != nil {
			t.Errorf("%s has its edit before it is chosen", a["title"])
		}
		var resolved struct{ Edit workspaceEdit }
		e.MustCall("codeAction/resolve", a, &resolved)
		edits[a["kind"].(string)] = len(resolved.Edit.DocumentChanges[0].Edits)
	}
	if len(edits) != 5 || edits["source.aiglens.sortsymbols"] != 0 || edits["source.aiglens.strip"] < 1000 || edits["source.fixAll"] != 1 {
		t.Errorf("edits by kind: %v", edits)
	}
}
