package lsp

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/design/formats"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

var update = flag.Bool("update", false, "write the answers into testdata")

// TestFeatures runs the archives of testdata through the server. An archive
// holds a document and, for each further file, a request and the expected
// answer: the name is a feature and a place ("hover 3:1", from 1, in bytes).
// "check" checks all properties first; answers follow its verdicts.
func TestFeatures(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t, explicit)
			b.Initialize(capable, nil)
			input := archive.Files[0]
			b.openAs(languageOf(input.Name), doc, string(input.Data))
			for i := range archive.Files[1:] {
				f := &archive.Files[i+1]
				got := b.answer(lsptest.Buffer{Text: string(input.Data)}, f.Name)
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

// languageOf returns the language of a file by its name.
func languageOf(name string) string { return formats.All().ByPath(name).Language() }

// answer asks one question about doc and writes the answer as text.
func (b *bench) answer(buffer lsptest.Buffer, question string) string {
	b.t.Helper()
	feature, place, _ := strings.Cut(question, " ")
	params := map[string]any{"textDocument": map[string]any{"uri": doc}}
	if place != "" {
		params["position"] = parsePlace(b.t, place)
	}
	var out strings.Builder
	switch feature {
	case "check":
		b.checkAll()
		return ""
	case "hover":
		var hover struct{ Contents struct{ Value string } }
		b.MustCall("textDocument/hover", params, &hover)
		fmt.Fprintln(&out, hover.Contents.Value)
	case "definition":
		var l location
		b.MustCall("textDocument/definition", params, &l)
		fmt.Fprintln(&out, l.in(buffer))
	case "references":
		params["context"] = map[string]any{"includeDeclaration": true}
		var all []location
		b.MustCall("textDocument/references", params, &all)
		for _, l := range all {
			fmt.Fprintln(&out, l.in(buffer))
		}
	case "highlights":
		var all []struct {
			Range lsptest.Range
			Kind  int
		}
		b.MustCall("textDocument/documentHighlight", params, &all)
		for _, h := range all {
			fmt.Fprintf(&out, "%s %s\n", location{doc, h.Range}.in(buffer), []string{"", "text", "read", "write"}[h.Kind])
		}
	case "symbols":
		var all []symbol
		b.MustCall("textDocument/documentSymbol", params, &all)
		writeSymbols(&out, buffer, all, "")
	case "lenses":
		for _, l := range b.lenses(doc) {
			fmt.Fprintf(&out, "%d: %s (%s %s)\n", l.Range.Start.Line+1, l.Command.Title, l.Command.Command, l.property())
		}
	case "actions":
		params["range"] = lsptest.Range{Start: parsePlace(b.t, place), End: parsePlace(b.t, place)}
		params["context"] = map[string]any{"diagnostics": []any{}}
		var all []struct{ Title, Kind string }
		b.MustCall("textDocument/codeAction", params, &all)
		for _, a := range all {
			if strings.HasPrefix(a.Kind, "refactor.") || strings.HasPrefix(a.Kind, "source.") {
				continue // see TestChanges
			}
			fmt.Fprintf(&out, "%s [%s]\n", a.Title, a.Kind)
		}
	case "diagnostics":
		for _, d := range b.diagnostics(doc) {
			fmt.Fprintf(&out, "%d:%d %s %s: %s\n", d.Range.Start.Line+1, d.Range.Start.Character+1,
				[]string{"", "error", "warning", "information", "hint"}[d.Severity], d.Code, d.Message)
			for _, r := range d.RelatedInformation {
				fmt.Fprintf(&out, "  %s: %s\n", r.Location.in(buffer), r.Message)
			}
		}
	case "latches":
		var all []wire.LatchTrace
		b.MustCall("workspace/executeCommand", command(wire.CommandLatches.Name, map[string]any{"uri": doc, "position": params["position"]}), &all)
		for _, l := range all {
			literal := ""
			if l.Literal != nil {
				literal = fmt.Sprintf(" (%d)", *l.Literal)
			}
			fmt.Fprintf(&out, "%d: %s%s %s\n", l.Location.Range.Start.Line+1, l.Name, literal, l.Values)
		}
	default:
		if f := readingFeatures[feature]; f != nil {
			f(b, &out, buffer, params, place)
			break
		}
		b.t.Fatalf("no feature %q", feature)
	}
	return elapsed.ReplaceAllString(out.String(), "T s")
}

var elapsed = regexp.MustCompile(`\d+\.\d s`)

func parsePlace(t testing.TB, place string) lsptest.Position {
	t.Helper()
	var line, column int
	if _, err := fmt.Sscanf(place, "%d:%d", &line, &column); err != nil {
		t.Fatalf("place %q: %v", place, err)
	}
	return lsptest.Position{Line: line - 1, Character: column - 1}
}

func command(name string, argument any) map[string]any {
	return map[string]any{"command": name, "arguments": []any{argument}}
}

type location struct {
	URI   string
	Range lsptest.Range
}

// in writes a location with the text it covers.
func (l location) in(b lsptest.Buffer) string {
	if l.URI == "" {
		return "none"
	}
	lines := strings.Split(b.Text, "\n")
	text := ""
	if s, e := l.Range.Start, l.Range.End; s.Line == e.Line {
		text = lines[s.Line][s.Character:e.Character]
	}
	return fmt.Sprintf("%d:%d %q", l.Range.Start.Line+1, l.Range.Start.Character+1, text)
}

type symbol struct {
	Name     string
	Detail   string
	Kind     int
	Range    lsptest.Range
	Children []symbol
}

func writeSymbols(out *strings.Builder, b lsptest.Buffer, all []symbol, indent string) {
	for _, s := range all {
		fmt.Fprintf(out, "%s%s [%d] %d–%d\n", indent, s.Name, s.Kind, s.Range.Start.Line+1, s.Range.End.Line+1)
		writeSymbols(out, b, s.Children, indent+"  ")
	}
}

type lens struct {
	Range   lsptest.Range
	Command struct {
		Title, Command string
		Arguments      []wire.PropertyParams
	}
}

func (l lens) property() string { return string(l.Command.Arguments[0].Property) }

func (b *bench) lenses(u string) []lens {
	b.t.Helper()
	var all []lens
	b.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": u}}, &all)
	return all
}

// titles returns the lenses of the properties in order, without "latches…".
func (b *bench) titles(u string) []string {
	b.t.Helper()
	var all []string
	for _, l := range b.lenses(u) {
		if l.Command.Title != "latches…" {
			all = append(all, l.Command.Title)
		}
	}
	return all
}

type diagnostic struct {
	Range              lsptest.Range
	Severity           int
	Code, Message      string
	Tags               []int
	RelatedInformation []struct {
		Location location
		Message  string
	}
}

type published struct {
	URI         string
	Version     int
	Diagnostics []diagnostic
}

// awaitDiagnostics waits for a publication that fits, from mark on.
func (b *bench) awaitDiagnostics(what string, mark int, fits func(published) bool) (published, int) {
	b.t.Helper()
	var p published
	_, mark = b.Await(what, mark, func(m lsptest.Message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		p = published{}
		return json.Unmarshal(m.Params, &p) == nil && fits(p)
	})
	return p, mark
}

// diagnostics returns the last publication, sorted by place.
func (b *bench) diagnostics(u string) []diagnostic {
	b.t.Helper()
	b.settled(u)
	var last published
	for _, m := range b.Received(0) {
		var p published
		if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == u {
			last = p
		}
	}
	sort.SliceStable(last.Diagnostics, func(i, j int) bool {
		a, c := last.Diagnostics[i].Range.Start, last.Diagnostics[j].Range.Start
		return a.Line < c.Line || a.Line == c.Line && a.Character < c.Character
	})
	return last.Diagnostics
}

// settled returns when the server has analysed the text and published what it
// has to say about it.
func (b *bench) settled(u string) {
	b.t.Helper()
	b.lenses(u) // waits for the analysis
	done := make(chan struct{})
	p := b.server.session.publishing.diagnostics
	p.Idle(func() { close(done) })
	<-done
	b.sync() // the answer comes after what was published
}

// checkAll checks every property of doc and waits for the verdicts.
func (b *bench) checkAll() {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": doc}), nil)
	b.awaitTitles(doc, "all verdicts", func(titles []string) bool {
		for _, title := range titles {
			if title == "check" || title == "queued" || strings.HasPrefix(title, "checking") || strings.HasPrefix(title, "stale") {
				return false
			}
		}
		return true
	})
}

// awaitTitles asks for lenses, again at each refresh, until they fit.
func (b *bench) awaitTitles(u, what string, fits func([]string) bool) []string {
	b.t.Helper()
	for {
		mark := b.Mark()
		titles := b.titles(u)
		if fits(titles) {
			return titles
		}
		b.Await("a refresh that brings "+what+fmt.Sprintf(", after %q", titles), mark, func(m lsptest.Message) bool {
			return m.Method == "workspace/codeLens/refresh"
		})
	}
}

// TestMarkup: a client has hovers in the first of its formats that there is, and markdown if it names none.
func TestMarkup(t *testing.T) {
	for _, test := range []struct{ textDocument, want string }{
		{`{}`, "**latch** 0 `q`"},
		{`{"hover": {}, "completion": {}}`, "**latch** 0 `q`"},
		{`{"hover": {"contentFormat": ["markdown", "plaintext"]}}`, "**latch** 0 `q`"},
		{`{"hover": {"contentFormat": ["plaintext", "markdown"]}}`, "latch 0 q"},
		{`{"hover": {"contentFormat": ["html", "plaintext"]}}`, "latch 0 q"},
	} {
		b := newBench(t, explicit)
		b.Initialize(map[string]any{"textDocument": json.RawMessage(test.textDocument)}, nil)
		b.openAs("blif", doc, ".model m\n.inputs d\n.outputs q\n.latch d q 0\n.end\n")
		var hover struct{ Contents struct{ Kind, Value string } }
		b.MustCall("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": doc}, "position": map[string]any{"line": 3, "character": 9}}, &hover)
		kind := "markdown"
		if !strings.Contains(test.want, "*") {
			kind = "plaintext"
		}
		if first, _, _ := strings.Cut(hover.Contents.Value, "\n"); first != test.want || hover.Contents.Kind != kind {
			t.Errorf("%s: %s, %q", test.textDocument, hover.Contents.Kind, hover.Contents.Value)
		}
	}
}
