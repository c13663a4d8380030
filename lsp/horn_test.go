package lsp

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

const hornText = `(set-logic HORN)
(declare-fun P (Int) Bool)
; the counter starts at 0
(assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 7)) false)))
(check-sat)
`

// TestClauses: what an editor shows of a file of Horn clauses comes out of the server.
func TestClauses(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	const u = "file:///w/count.smt2"
	b.openAs("smt2", u, hornText)
	if found := b.diagnostics(u); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if got := b.hoverAt(u, lsptest.Position{Line: 1, Character: 13}); !strings.Contains(got, "Int → Bool") || !strings.Contains(got, "P(x) ∧ x ≤ 4 ⇒ P(x + 1)") {
		t.Errorf("hover %q", got)
	}
	var help struct {
		Signatures      []struct{ Label string }
		ActiveParameter int
	}
	at := func(line, character int) map[string]any {
		return map[string]any{"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: line, Character: character}}
	}
	b.MustCall("textDocument/signatureHelp", at(4, 45), &help)
	if len(help.Signatures) != 1 || help.Signatures[0].Label != "(< Number Number …)" || help.ActiveParameter != 0 {
		t.Errorf("%+v", help)
	}
	var edit struct {
		Changes map[string][]any
	}
	rename := at(1, 13)
	rename["newName"] = "count"
	b.MustCall("textDocument/rename", rename, &edit)
	if n := len(edit.Changes[u]); n != 5 {
		t.Errorf("%d places are renamed: %+v", n, edit)
	}
	err := b.Call("workspace/executeCommand", command(wire.CommandDraw.Name, map[string]any{"uri": u}), nil)
	if err == nil || !strings.Contains(err.Error(), "no circuit") {
		t.Errorf("the picture of a circuit: %v", err)
	}
}

// TestOtherLogic: a file of another logic has one information, and nothing else.
func TestOtherLogic(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	for text, code := range map[string]string{
		"(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (= x x x #b1))\n(check-sat)\n": "other-logic",
		"(declare-sort S 0)\n(assert (P 1))\n":                                                      "logic-missing",
		"(declare-sort S 0)\n":                                                                      "", "": "", "; a comment\n": "",
	} {
		const u = "file:///w/other.smt2"
		b.openAs("smtlib", u, text)
		found := b.diagnostics(u)
		if code == "" && len(found) != 0 || code != "" && (len(found) != 1 || found[0].Code != code || found[0].Severity != 3) {
			t.Errorf("%q: %+v", text, found)
		}
		params := map[string]any{
			"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: 0, Character: 3}, "options": map[string]any{},
			"context": map[string]any{"includeDeclaration": true, "diagnostics": []any{}}, "range": lsptest.Range{}, "positions": []lsptest.Position{},
		}
		for _, feature := range []string{"hover", "definition", "references", "documentHighlight", "documentSymbol", "codeLens", "inlayHint", "foldingRange", "formatting", "signatureHelp", "prepareRename"} {
			var answer json.RawMessage
			b.MustCall("textDocument/"+feature, params, &answer)
			if got := string(answer); got != "null" && got != "[]" {
				t.Errorf("%q: %s: %s", text, feature, got)
			}
		}
		b.close(u)
	}
}

// TestClausesEdited edits a file at random and expects the answers of one that is opened with the same text.
func TestClausesEdited(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	r := rand.New(rand.NewSource(1))
	const u, fresh = "file:///w/edited.smt2", "file:///w/fresh.smt2"
	answers := func(name string, at lsptest.Position) (all []any) {
		params := map[string]any{"textDocument": map[string]any{"uri": name}, "position": at, "context": map[string]any{"includeDeclaration": true}}
		for _, feature := range []string{"codeLens", "hover", "references", "documentSymbol", "foldingRange", "semanticTokens/full", "completion", "signatureHelp"} {
			var answer any
			b.MustCall("textDocument/"+feature, params, &answer)
			text, _ := json.Marshal(answer)
			all = append(all, feature+strings.ReplaceAll(string(text), fresh, u))
		}
		return all
	}
	for range 5 {
		buffer := lsptest.Buffer{Text: hornText}
		b.openAs("smt2", u, hornText)
		for version := 2; version < 40; version++ {
			b.change(u, version, buffer.RandomEdit(r))
			b.openAs("smt2", fresh, buffer.Text)
			at := buffer.PositionOf(r.Intn(len(buffer.Text) + 1))
			if got, want := answers(u, at), answers(fresh, at); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q at %v: %v\nfrom scratch %v", buffer.Text, at, got, want)
			}
			got, want := b.diagnostics(u), b.diagnostics(fresh)
			if len(got) != len(want) {
				t.Fatalf("%q: %+v\nfrom scratch %+v", buffer.Text, got, want)
			}
			b.close(fresh)
		}
		b.close(u)
	}
}

// TestQueries: queries are checked when the file is saved, and an answer is shown with the clauses that it is about.
func TestQueries(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"count.smt2": hornText})
	u := address("count.smt2")
	w.openAs("smt2", u, hornText)
	w.expect(u, "none stale")
	if titles := w.titles(u); !slices.Equal(titles, []string{"check"}) {
		t.Errorf("lenses %q", titles)
	}
	w.save(u)
	w.expect(u, "proved fresh")
	if titles := w.titles(u); len(titles) != 1 || !strings.HasPrefix(titles[0], "safe · ") {
		t.Errorf("lenses %q", titles)
	}
	if got := w.hoverAt(u, lsptest.Position{Line: 1, Character: 13}); !strings.Contains(got, "query 0 is safe, because `P(x) ⇒ ") {
		t.Errorf("hover %q", got)
	}
	// A comment changes nothing; a bound does.
	w.replace(u, 2, strings.Replace(hornText, "starts at 0", "begins with 0", 1))
	w.expect(u, "proved fresh")
	unsafe := strings.Replace(hornText, "(< x 5)", "(< x 9)", 1)
	w.replace(u, 3, unsafe)
	w.expect(u, "none stale")
	if titles := w.titles(u); len(titles) != 1 || !strings.HasPrefix(titles[0], "stale · safe · ") {
		t.Errorf("lenses %q", titles)
	}
	if got := w.hoverAt(u, lsptest.Position{Line: 1, Character: 13}); strings.Contains(got, "safe, because") {
		t.Errorf("hover of another text: %q", got)
	}
	w.save(u)
	w.expect(u, "refuted fresh")
	if titles := w.titles(u); !slices.Equal(titles, []string{"reached in 10 steps"}) {
		t.Errorf("lenses %q", titles)
	}
	found := w.diagnostics(u)
	if len(found) != 1 || found[0].Code != "refuted" || found[0].Range.Start.Line != 5 || !strings.Contains(found[0].Message, "query 0: reached in 10 steps") {
		t.Errorf("diagnostics %+v", found)
	}
	var hints []struct{ Label string }
	w.MustCall("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": u}, "range": lsptest.Range{End: lsptest.Position{Line: 7}}}, &hints)
	if len(hints) != 3 || hints[0].Label != "step 1: P(0)" || !strings.HasPrefix(hints[1].Label, "step 2: P(1), from step 1; ") || hints[2].Label != "step 10: false, from step 9" {
		t.Errorf("hints %+v", hints)
	}
	// What was known of the first text is known again.
	w.replace(u, 4, hornText)
	w.expect(u, "proved fresh")
	// A text with an error has no answers.
	w.replace(u, 5, strings.Replace(hornText, "(P 0)", "(Q 0)", 1))
	w.expect(u, "unknown fresh")
}

// TestQueriesStopped stops a check that does not end.
func TestQueriesStopped(t *testing.T) {
	endless := "(set-logic HORN)\n(declare-fun P (Int Int Int) Bool)\n(assert (P 0 1 2))\n" +
		"(assert (forall ((x Int) (y Int) (z Int)) (=> (P x y z) (P (+ x y) (+ y z) (+ z 3)))))\n" +
		"(assert (forall ((x Int) (y Int) (z Int)) (=> (and (P x y z) (= (mod (+ x y z) 1009) 1008) (> x 1000000000)) false)))\n"
	w, address := inFolder(t, explicit, map[string]string{"endless.smt2": endless})
	u := address("endless.smt2")
	w.openAs("smt2", u, endless)
	w.save(u)
	w.expect(u, "none running")
	w.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: uri.URI(u)}), nil)
	w.expect(u, "none stale")
}

// TestClausesInWorkspaceCheck: a check of the workspace has the queries of files that are not open, and lets these go.
func TestClausesInWorkspaceCheck(t *testing.T) {
	reached := strings.Replace(hornText, "(> x 7)", "(> x 4)", 1)
	w, address := inFolder(t, explicit, map[string]string{
		"safe.smt2": hornText, "sub/reached.smt2": reached, "none.smt2": "(set-logic HORN)\n(check-sat)\n",
		"bits.smt2": "(set-logic QF_BV)\n(assert true)\n", "broken.smt2": strings.Replace(hornText, "(P 0)", "(Q 0)", 1),
	})
	done := func() {
		t.Helper()
		w.await(func() bool {
			idle := false
			w.server.session.queue.Do(func() {
				s := w.server.session
				idle = s.checking.workspace.current == nil && len(s.texts.files) == 0 && len(s.texts.closed.files) == 5
			})
			return idle
		})
	}
	var answer struct{ Files int }
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), &answer)
	if answer.Files != 5 {
		t.Errorf("%d files, expected 5", answer.Files)
	}
	w.expect(address("safe.smt2"), "proved fresh")
	w.expect(address("sub/reached.smt2"), "refuted fresh")
	done()
	if errors := w.errorsIn(address("sub/reached.smt2")); errors != 1 {
		t.Errorf("%d errors in a file that is not open, expected 1", errors)
	}
	var failed []string
	w.server.session.queue.Do(func() {
		for key, f := range w.server.session.texts.closed.files {
			if f.Failed {
				failed = append(failed, string(key))
			}
		}
	})
	if !slices.Equal(failed, []string{address("sub/reached.smt2")}) {
		t.Errorf("these are checked again: %q", failed)
	}
	w.MustCall("workspace/executeCommand", command(wire.CommandRecheckFailed.Name, wire.RecheckParams{}), nil)
	w.expect(address("sub/reached.smt2"), "refuted fresh")
	done()
}
