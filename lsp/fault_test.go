package lsp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/fault"
	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/lsptest/toy"
)

// faulty is a text whose syntax panics where the text says so, with what the text says.
type faulty struct {
	design.Syntax
	text string
}

func (f faulty) panicAt(place string) {
	if strings.Contains(f.text, place) {
		panic("no signal " + f.text)
	}
}

func (f faulty) OccurrenceAt(offset int) (design.Occurrence, bool) {
	f.panicAt("faulty_hover")
	return f.Syntax.OccurrenceAt(offset)
}

func (f faulty) Diagnostics() []source.Diagnostic {
	f.panicAt("faulty_diagnostics")
	return f.Syntax.Diagnostics()
}

func (f faulty) Elaborate(ctx context.Context) (design.Elaboration, error) {
	f.panicAt("faulty_analysis")
	return f.Syntax.Elaborate(ctx)
}

// TestFaults: a fault in a handler, in a publication and in an analysis costs that
// answer. The rest of the file and other files go on, a report is left, and the user is
// told once.
func TestFaults(t *testing.T) {
	format := *toy.Format
	format.Parse = func(in design.Unparsed) design.Syntax {
		return faulty{toy.Format.Parse(in), in.Text.Content()}
	}
	for _, place := range []string{"faulty_hover", "faulty_diagnostics", "faulty_analysis", "faulty_view"} {
		t.Run(place, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "faults")
			b := newBench(t, explicit, func(o *Options) {
				o.Formats = append(formats.All(), &format)
				o.Faults = fault.Folder{Path: folder, Version: "v9"}
				o.onView = func(d *design.Design) { faulty{text: d.Text.Content()}.panicAt("faulty_view") }
			})
			b.Initialize(capable, nil)
			const broken, whole = "file:///broken.toy", "file:///whole.toy"
			text := "input secret\nlatch " + place + " secret\nbad " + place + "\n"
			b.openAs("toy", broken, text)
			hover := map[string]any{"textDocument": map[string]any{"uri": broken}, "position": lsptest.Position{Line: 0, Character: 8}}
			for range 2 {
				err := b.Call("textDocument/hover", hover, nil)
				if place == "faulty_hover" {
					expectError(t, "hover", err, jsonrpc2.InternalError)
				}
				if err != nil && strings.Contains(err.Error(), "secret") {
					t.Errorf("the answer tells the text: %v", err)
				}
			}
			told, _ := b.Await("word of the fault", 0, func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
			path := onlyFile(t, folder)
			if !strings.Contains(string(told.Params), filepath.Base(path)) {
				t.Errorf("the user is not told of %s: %s", path, told.Params)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"v9", "faulty.panicAt", "a value of type string"} {
				if !strings.Contains(string(content), want) {
					t.Errorf("%q is not in the report:\n%s", want, content)
				}
			}
			if !strings.Contains(string(content), fault.HashOf(text)) || strings.Contains(string(content), "secret") {
				t.Errorf("the report has no hash of the text, or more of it:\n%s", content)
			}

			if place == "faulty_analysis" || place == "faulty_view" {
				b.Await("word of the fault in the file", 0, func(m lsptest.Message) bool {
					return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "broken.toy") &&
						strings.Contains(string(m.Params), string(codeFault))
				})
			}
			b.openAs("toy", whole, toyText)
			b.save(whole)
			b.awaitTitles(whole, "verdicts", func(titles []string) bool {
				return len(titles) == 2 && strings.HasPrefix(titles[0], "refuted") && strings.HasPrefix(titles[1], "proved")
			})
			b.replace(broken, 2, toyText)
			b.save(broken)
			b.awaitTitles(broken, "verdicts", func(titles []string) bool {
				return len(titles) == 2 && strings.HasPrefix(titles[0], "refuted") && strings.HasPrefix(titles[1], "proved")
			})
			words := 0
			for _, m := range b.Received(0) {
				if m.Method == "window/showMessage" {
					words++
				}
				if strings.Contains(string(m.Params), "no signal") {
					t.Errorf("a message tells the text: %s", m.Params)
				}
			}
			if words != 1 {
				t.Errorf("the user is told %d times", words)
			}
		})
	}
}

func onlyFile(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		t.Fatalf("no report: %v", err)
	}
	return filepath.Join(folder, entries[0].Name())
}
