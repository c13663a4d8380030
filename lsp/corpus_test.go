package lsp

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/shared"
	"aiglens/lsp/lsptest"
)

// TestCorpus opens real and broken files, edits them at random, and asks for
// everything at random places. The client checks the form of all answers; a
// panic would be an error answer.
func TestCorpus(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	r := rand.New(rand.NewSource(1))
	for _, folder := range corpora(t, "aiger", "blif", "broken", "fuzz") {
		err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || e.IsDir() || !strings.HasPrefix(ext, ".a") && ext != ".blif" && ext != ".eblif" && ext != ".btor2" && ext != ".smt2" {
				return err
			}
			if info, err := e.Info(); err != nil || info.Size() > 20_000 {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.exercise(r, "file:///"+filepath.Base(path), strings.ToValidUTF8(string(content), "\uFFFD"))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range b.Received(0) {
		if m.Method == "window/logMessage" && strings.Contains(string(m.Params), "panic") {
			t.Errorf("%s", m.Params)
		}
	}
}

// corpora are folders of the shared corpus, and that of broken files of BTOR2, which the project holds.
func corpora(t *testing.T, names ...string) (folders []string) {
	t.Helper()
	for _, name := range names {
		folders = append(folders, filepath.Join(shared.Dir(t), "corpus", name))
	}
	return append(folders, "../btor2/testdata/broken", "../horn/testdata/broken")
}

func (b *bench) exercise(r *rand.Rand, u, text string) {
	b.t.Helper()
	buffer := lsptest.Buffer{Text: text}
	b.openAs("", u, text)
	for version := 2; version < everyDay(4, 6); version++ {
		place := func() lsptest.Position { return buffer.PositionOf(r.Intn(len(buffer.Text) + 1)) }
		params := map[string]any{
			"textDocument": map[string]any{"uri": u}, "position": place(),
			"context": map[string]any{"includeDeclaration": true, "diagnostics": []any{}},
			"range":   lsptest.Range{End: place()}, "positions": []lsptest.Position{place()},
		}
		if err := b.Call("workspace/symbol", map[string]any{"query": "a"}, nil); err != nil {
			b.t.Errorf("%s, version %d: symbols: %v", u, version, err)
		}
		for _, feature := range []string{"hover", "definition", "references", "documentHighlight", "documentSymbol", "codeLens", "codeAction",
			"inlayHint", "semanticTokens/full", "semanticTokens/range", "prepareCallHierarchy", "foldingRange", "selectionRange", "documentLink",
			"completion", "prepareRename", "signatureHelp"} {
			if err := b.Call("textDocument/"+feature, params, nil); err != nil {
				b.t.Errorf("%s, version %d, %s at %v: %v", u, version, feature, params["position"], err)
			}
		}
		b.change(u, version, buffer.RandomEdit(r))
	}
	if got := b.text(u); got != buffer.Text {
		b.t.Errorf("%s: the texts differ", u)
	}
	b.close(u)
}
