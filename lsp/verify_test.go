package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design/play"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// verifying is a client that makes edits of the server and can compare them with what was
// before.
func verifying() map[string]any {
	all := maps.Clone(changing)
	all["window"] = capable["window"]
	all["experimental"] = wire.ExperimentalCapabilities{Aiglens: wire.ExtendedClient{Commands: []wire.ClientCommand{wire.ClientVerifyEdit}}}
	return all
}

// verifyLens returns the lens of the last edit; "" for none.
func (b *bench) verifyLens() string {
	b.t.Helper()
	for _, l := range b.lenses(doc) {
		if l.Command.Command == string(wire.ClientVerifyEdit) {
			return l.Command.Title
		}
	}
	return ""
}

// TestVerifyStrip: what Strip leaves of free latches and of inputs without names is compared with
// what it was.
func TestVerifyStrip(t *testing.T) {
	const text = "aag 6 2 4 1 0 0\n2\n4\n6 6 6\n8 8 8\n10 4 10\n12 4 12\n12\n"
	b := newBench(t, explicit)
	b.Initialize(verifying(), nil)
	b.open(doc, text)
	e := &editing{b, lsptest.Buffer{Text: text, Encoding: "utf-16"}}
	after := e.action(lsptest.Position{}, true, "Strip unused gates, latches and inputs")
	if after != "aag 6 1 1 1 0 0\n4\n12 4 12\n12\n" {
		t.Fatalf("left are\n%s", after)
	}
	b.replace(doc, 2, after)
	if answer, err := b.compared(map[string]any{"uri": doc, "before": true}); err != nil || answer.Verdict != wire.SamenessEqual {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestVerifyEdit makes edits of the server, by a rename, an action of the place and one of
// the whole file, and compares the text with what it was before.
func TestVerifyEdit(t *testing.T) {
	const text = "aag 5 2 1 1 2 1\n2\n4\n6 8\n6\n9\n8 2 4\n10 2 6\ni0 a\ni1 b\nl0 q\no0 y\nb0 never\n"
	at := func(line, character int) lsptest.Position {
		return lsptest.Position{Line: line, Character: character}
	}
	for _, test := range []struct {
		name string
		make func(e *editing) string
		says string // of the comparison
	}{
		{"rename", func(e *editing) string {
			return e.renamed(map[string]any{"textDocument": map[string]any{"uri": doc}, "position": at(11, 3), "newName": "out"})
		}, "same function; out was called y"},
		{"strip", func(e *editing) string { return e.action(at(0, 0), true, "Strip unused gates and latches") }, "same function"},
		{"reencode", func(e *editing) string { return e.action(at(0, 0), true, "Strip unused") }, "same function"},
		{"negated", func(e *editing) string { return e.action(at(3, 0), true, "Store the negation") }, "same function"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, explicit)
			b.Initialize(verifying(), nil)
			b.open(doc, text)
			e := &editing{b, lsptest.Buffer{Text: text, Encoding: "utf-16"}}
			after := test.make(e)
			if after == text || b.verifyLens() != "" {
				t.Fatalf("lens %q before the edit to\n%s", b.verifyLens(), after)
			}
			b.replace(doc, 2, after)
			if got := b.verifyLens(); got != "verify this edit" {
				t.Fatalf("lens %q", got)
			}
			answer, err := b.compared(map[string]any{"uri": doc, "before": true})
			if err != nil || answer.Verdict != wire.SamenessEqual || answer.Message != test.says || !strings.HasPrefix(answer.Before, "the text before “") || answer.Earlier != nil || answer.Version != 2 {
				t.Errorf("%+v, %v", answer, err)
			}
			if got := b.verifyLens(); got != "same function as before this edit" {
				t.Errorf("lens %q", got)
			}

			// What is typed after it is not an edit of ours, but is compared with the same text.
			b.replace(doc, 3, strings.Replace(after, "8 4 2\n", "8 5 2\n", 1)+"c\ntyped\n")
			if got := b.verifyLens(); got != "" {
				t.Errorf("lens %q", got)
			}
			answer, err = b.compared(map[string]any{"uri": doc, "before": true})
			if changed := strings.Contains(after, "8 4 2\n"); err != nil || (answer.Verdict == wire.SamenessDifferent) != changed || changed && (answer.Earlier == nil || *answer.Earlier != text) {
				t.Errorf("%+v, %v", answer, err)
			}
			b.save(doc)
			if answer, err = b.compared(map[string]any{"uri": doc, "before": true}); err != nil || answer.Before != "the text that was saved last" || answer.Verdict != wire.SamenessEqual {
				t.Errorf("%+v, %v", answer, err)
			}

			// The text before is compared with as before, although others have been saved.
			params := map[string]any{"uri": doc, "text": text, "rewritten": true, "format": wire.FormatVCD}
			changed := strings.Contains(after, "8 4 2\n")
			if answer, err = b.compared(params); err != nil || (answer.Verdict == wire.SamenessDifferent) != changed {
				t.Errorf("%+v, %v", answer, err)
			}
			var exported wire.ExportedTrace
			err = b.Call("workspace/executeCommand", command(wire.CommandExportDifference.Name, params), &exported)
			if changed != (err == nil) || changed != strings.Contains(exported.Text, "$enddefinitions") {
				t.Errorf("%v, and the difference is\n%s", err, exported.Text)
			}
			if b.verifyLens() != "" {
				t.Errorf("lens %q", b.verifyLens())
			}
		})
	}
}

// TestVerifyFix: an edit that does change the function says so, with the text before.
func TestVerifyFix(t *testing.T) {
	const text = "aag 2 1 1 1 0\n2\n4 2\n4\ni0 a\no0 y\n"
	b := newBench(t, explicit)
	b.Initialize(verifying(), nil)
	b.open(doc, text)
	b.replace(doc, 2, strings.Replace(text, "4 2\n", "4 3\n", 1))
	answer, err := b.compared(map[string]any{"uri": doc, "before": true})
	if err != nil || answer.Verdict != wire.SamenessDifferent || answer.Before != "the text that was saved last" || answer.Earlier == nil || *answer.Earlier != text || answer.Run == nil {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := b.compared(map[string]any{"uri": doc, "before": true, "rewritten": true}); err == nil || !strings.Contains(err.Error(), "only with a text") {
		t.Errorf("rewritten without a text: %v", err)
	}
	if _, err := b.compared(map[string]any{"uri": doc, "before": true, "text": text}); err == nil || !strings.Contains(err.Error(), "exactly one of") {
		t.Errorf("%v", err)
	}
}

// TestCompareOnce: the same two texts are compared once, however often that is requested.
func TestCompareOnce(t *testing.T) {
	const text = "aag 3 2 0 1 1\n2\n4\n6\n6 2 4\ni0 a\ni1 b\no0 y\n"
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, text)
	ask := func(other string) wire.Comparison {
		t.Helper()
		answer, err := b.compared(map[string]any{"uri": doc, "text": other})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	other := strings.Replace(text, "6 2 4", "6 2 5", 1)
	first := ask(other)
	runs := b.runs.Load()
	b.replace(doc, 7, text+"c\n")
	b.replace(doc, 8, text)
	again := ask(other)
	if first.Verdict != wire.SamenessDifferent || runs == 0 || b.runs.Load() != runs || again.Version != 8 {
		t.Errorf("%+v after %d runs, again %+v after %d", first, runs, again, b.runs.Load())
	}
	if again.Version = first.Version; again.Message != first.Message || again.Run == nil || len(again.Run.Here) != len(first.Run.Here) {
		t.Errorf("%+v and again %+v", first, again)
	}
	b.replace(doc, 9, other)
	if same := ask(other); same.Verdict != wire.SamenessEqual {
		t.Errorf("another text: %+v", same)
	}
}

// TestCompareBesideChecks: a comparison in the background waits for the checks under way,
// with a progress by which it can be ended; edits and other requests wait for neither.
func TestCompareBesideChecks(t *testing.T) {
	release := make(chan struct{})
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		select {
		case <-release:
			return explicit(ctx, c, progress)
		case <-ctx.Done():
			return cert.Verdict{}, ctx.Err()
		}
	})
	b.Initialize(capable, map[string]any{"check": map[string]any{"workers": 1}}) // the second property waits
	b.open(doc, toggle)
	b.save(doc)
	b.await(func() bool { return b.runs.Load() > 0 })
	checks := b.runs.Load()
	ask := func() (id int) {
		return b.Send("workspace/executeCommand", command(wire.CommandCompare.Name, map[string]any{"uri": doc, "text": toggle, "background": true}))
	}

	mark := b.Mark()
	ended := ask()
	begun, _ := b.Await("the progress of the comparison", mark, func(m lsptest.Message) bool {
		return isProgress("begin")(m) && strings.Contains(string(m.Params), `"title":"Comparing `)
	})
	var progress struct{ Token string }
	if err := json.Unmarshal(begun.Params, &progress); err != nil {
		t.Fatal(err)
	}
	b.Notify("window/workDoneProgress/cancel", map[string]any{"token": progress.Token})
	if e := b.Answer(ended).Error; e == nil || e.Code != int(protocol.LSPErrorCodesRequestCancelled) {
		t.Errorf("a comparison that the user has ended: %v", e)
	}
	if n := b.runs.Load(); n != checks {
		t.Errorf("%d runs of the engine and then %d: a comparison began beside a check", checks, n)
	}

	waits := ask()
	b.replace(doc, 5, toggle+"c\n")
	b.sync() // it does not wait for a comparison
	close(release)
	var answer wire.Comparison
	if m := b.Answer(waits); m.Error != nil || json.Unmarshal(m.Result, &answer) != nil || answer.Verdict != wire.SamenessEqual || answer.Version != 1 {
		t.Errorf("%s %v", m.Result, m.Error)
	}
}

// TestReduce: a property that is refuted offers to reduce the circuit; the result is answered,
// and written where nothing is overwritten.
func TestReduce(t *testing.T) {
	var got Reduction
	reductions, meanwhile := 0, func() {}
	b := newBench(t, explicit, func(o *Options) {
		o.Reduce = func(ctx context.Context, r Reduction) (Reduced, error) {
			got = r
			reductions++
			meanwhile()
			r.Show("1 latches")
			return Reduced{Text: []byte("small\n"), Ending: ".aag", Size: "1 latches are left of 2"}, ctx.Err()
		}
	})
	all := maps.Clone(capable)
	all["experimental"] = wire.ExperimentalCapabilities{Aiglens: wire.ExtendedClient{Commands: []wire.ClientCommand{wire.ClientReduce}}}
	b.Initialize(all, nil)
	b.open(doc, toggle)
	b.checkAll()
	offered := func(line int) (found []string) {
		var actions []struct {
			Title   string
			Command struct{ Command string }
		}
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{Start: lsptest.Position{Line: line}, End: lsptest.Position{Line: line}},
			"context": map[string]any{"diagnostics": []any{}},
		}, &actions)
		for _, a := range actions {
			if a.Command.Command == string(wire.ClientReduce) {
				found = append(found, a.Title)
			}
		}
		return found
	}
	if got := offered(3); len(got) != 1 || got[0] != "Reduce to this counterexample: bad 0" {
		t.Errorf("offered at a property that is refuted: %q", got)
	}
	if got := offered(4); got != nil {
		t.Errorf("offered at a property that is proved: %q", got)
	}
	path := filepath.Join(t.TempDir(), "small.aag")
	ask := func(params wire.ReduceParams) (answer wire.Reduced, err error) {
		err = b.Call("workspace/executeCommand", command(wire.CommandReduce.Name, params), &answer)
		return answer, err
	}
	params := wire.ReduceParams{PropertyParams: wire.PropertyParams{URI: doc}, Path: path}
	answer, err := ask(params)
	written, _ := os.ReadFile(path)
	if err != nil || answer.Text != "small\n" || !strings.HasSuffix(answer.Name, ".bad0.aag") || string(written) != answer.Text || got.Property.Index != 0 || got.Document.Text.Content() != toggle {
		t.Errorf("%+v, %v; written %q", answer, err, written)
	}
	// What cannot be written is not worked for.
	for _, impossible := range []struct{ path, why string }{
		{path, "exists: name a file that does not"}, {"small.aag", "not an absolute path"}, {filepath.Join(path, "small.aag"), "writing " + path},
	} {
		params.Path = impossible.path
		if _, err := ask(params); err == nil || !strings.Contains(err.Error(), impossible.why) || strings.Contains(err.Error(), ".aiglens-") || reductions != 1 {
			t.Errorf("%s: %v, %d reductions", impossible.path, err, reductions)
		}
	}
	params.Path = filepath.Join(t.TempDir(), "late.aag")
	meanwhile = func() { writeFile(t, params.Path, "another program was faster\n") }
	if m := b.Answer(b.Send("workspace/executeCommand", command(wire.CommandReduce.Name, params))); m.Error == nil ||
		!strings.Contains(m.Error.Message, "exists") || !strings.Contains(string(m.Error.Data), `"text":"small\n"`) {
		t.Errorf("what is left is lost with the file: %+v", m.Error)
	}
	meanwhile = func() {}
	params.Property = "bad:1"
	if _, err := ask(params); err == nil || !strings.Contains(err.Error(), play.ErrNoOrigin.Error()) {
		t.Errorf("a property that is proved: %v", err)
	}

	// Without a name it is the first property that is refuted, and no cover before it.
	covered := string(uri.File(filepath.Join(t.TempDir(), "covered.blif")))
	b.openAs("blif", covered, ".model m\n.inputs a\n.outputs y\n# prop: cover y\n# prop: bad z\n.names a y\n1 1\n.names a z\n1 1\n.end\n")
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.CheckParams{PropertyParams: wire.PropertyParams{URI: uri.URI(covered)}}), nil)
	b.awaitTitles(covered, "a run to the cover and a counterexample", func(titles []string) bool {
		starts := func(words string) bool {
			return slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(title, words) })
		}
		return starts("reached") && starts("refuted")
	})
	if _, err := ask(wire.ReduceParams{PropertyParams: wire.PropertyParams{URI: uri.URI(covered)}}); err != nil || got.Property.Kind != circuit.PropertyBad {
		t.Errorf("without a name it is %s, %v", got.Property, err)
	}
}

// TestVerifyEditWithOthers: what was found of an edit holds no longer once another file has
// changed on which the text before the edit rests, even if the one after it does not.
func TestVerifyEditWithOthers(t *testing.T) {
	const top = ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n"
	b := newBench(t, explicit)
	h := modelBench{b, t.TempDir(), ""}
	writeFile(t, filepath.Join(h.folder, "stage.blif"), stage)
	h.Initialize(verifying(), nil)
	h.top = h.address("top.blif")
	h.openAs("blif", h.top, top)
	said := func() string {
		for _, l := range h.lenses(h.top) {
			if l.Command.Command == string(wire.ClientVerifyEdit) {
				return l.Command.Title
			}
		}
		return ""
	}
	var actions []map[string]any
	at := lsptest.Position{Line: 3, Character: 1}
	h.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": h.top}, "range": lsptest.Range{Start: at, End: at},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"refactor"}, "triggerKind": 1},
	}, &actions)
	after := ""
	for _, a := range actions {
		if strings.HasPrefix(a["title"].(string), "Flatten") {
			var resolved struct{ Edit workspaceEdit }
			h.MustCall("codeAction/resolve", a, &resolved)
			e := &editing{b, lsptest.Buffer{Text: top, Encoding: "utf-16"}}
			after = e.apply(resolved.Edit.DocumentChanges[0].Edits)
		}
	}
	if after == "" || strings.Contains(after, ".subckt") {
		t.Fatalf("the actions are %v; after one of them\n%s", actions, after)
	}
	h.replace(h.top, 2, after)
	compare := func() wire.Comparison {
		answer, err := h.compared(map[string]any{"uri": h.top, "before": true})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if answer := compare(); answer.Verdict != wire.SamenessEqual || said() != "same function as before this edit" {
		t.Fatalf("%+v, lens %q", answer, said())
	}
	other := h.address("stage.blif")
	h.openAs("blif", other, stage)
	h.replace(other, 2, strings.Replace(stage, "q 0", "q 1", 1))
	if got := said(); got != "verify this edit" {
		t.Errorf("lens %q once the model is another", got)
	}
	if answer := compare(); answer.Verdict != wire.SamenessDifferent || !strings.HasPrefix(said(), "this edit has changed the function") {
		t.Errorf("%+v, lens %q", answer, said())
	}
}
