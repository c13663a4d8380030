package lsp

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
)

// TestActionsAddNoErrors applies every edit that is offered on files of the corpora, as they are,
// with CR LF, without the last line end and with mistakes, at every diagnostic and at every word:
// none makes more errors than there were, and each changes something.
func TestActionsAddNoErrors(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(changing, nil)
	r := rand.New(rand.NewSource(1))
	made := 0
	for _, folder := range corpora(t, "broken", "reported", "aiger", "blif", "fuzz", "yosys") {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || e.IsDir() || ext != ".aag" && ext != ".aig" && ext != ".blif" && ext != ".eblif" && ext != ".btor2" && ext != ".smt2" {
				return err
			}
			content, err := os.ReadFile(path)
			small := strings.HasSuffix(folder, "broken") || strings.HasSuffix(folder, "reported")
			if err != nil || len(content) > everyDay(300, 800) && !(small && len(content) < 600) {
				return err
			}
			text, name := strings.ToValidUTF8(string(content), "\uFFFD"), filepath.Base(path)
			ends := strings.ReplaceAll(text, "\r\n", "\n")
			variants := map[string]string{"": text}
			if small || everyDay(0, 1) > 0 {
				variants["crlf-"], variants["unended-"] = strings.ReplaceAll(ends, "\n", "\r\n"), strings.TrimRight(ends, "\n")
			}
			for k := range everyDay(1, 4) {
				if small || k > 0 {
					variants[fmt.Sprintf("mistaken%d-", k)] = mutated(r, text)
				}
			}
			for prefix, text := range variants {
				made += b.expectNoMoreErrors("file:///"+prefix+name, text, prefix == "" && small || everyDay(0, 1) > 0)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d edits", made)
}

// mutated returns a text after a few mistakes: lines and words that are lost, doubled, swapped or
// mistyped.
func mutated(r *rand.Rand, text string) string {
	for range 1 + r.Intn(3) {
		lines := strings.SplitAfter(text, "\n")
		i := r.Intn(len(lines))
		words := strings.Fields(lines[i])
		switch r.Intn(9) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[i]
		case 2:
			j := r.Intn(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		case 3, 4:
			if len(words) > 0 {
				k := r.Intn(len(words))
				all := strings.Fields(text)
				words[k] = all[r.Intn(len(all))]
				lines[i] = strings.Join(words, " ") + "\n"
			}
		case 5:
			if len(words) > 0 {
				k := r.Intn(len(words))
				words = append(words[:k], words[k+1:]...)
				lines[i] = strings.Join(words, " ") + "\n"
			}
		case 6, 7:
			if n := len(lines[i]); n > 1 {
				k := r.Intn(n - 1)
				lines[i] = lines[i][:k] + lines[i][k+1:]
			}
		case 8:
			if n := len(lines[i]); n > 1 {
				k := r.Intn(n - 1)
				lines[i] = lines[i][:k] + string("01 2345-.c\t~x"[r.Intn(13)]) + lines[i][k:]
			}
		}
		text = strings.Join(lines, "")
	}
	return text
}

// expectNoMoreErrors applies what is offered at each diagnostic and line of one text, or at each
// word, and returns how many edits that were.
func (b *bench) expectNoMoreErrors(u, text string, words bool) int {
	b.t.Helper()
	b.openAs("", u, text)
	defer b.close(u)
	b.settled(u)
	d := b.server.session.snapshot.Load().views[uri.URI(u)].doc
	buffer := lsptest.Buffer{Text: text, Encoding: "utf-16"}
	results := map[string]string{} // texts, and the actions that lead to them
	at := func(span source.Span, only ...string) {
		context := map[string]any{"diagnostics": []any{}, "triggerKind": 1}
		if len(only) > 0 {
			context["only"] = only
		}
		var actions []map[string]any
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": u}, "context": context,
			"range": lsptest.Range{Start: buffer.PositionOf(span.Start), End: buffer.PositionOf(span.End())},
		}, &actions)
		for _, a := range actions {
			if a["edit"] == nil && a["data"] == nil {
				continue
			}
			var resolved struct{ Edit workspaceEdit }
			if err := b.Call("codeAction/resolve", a, &resolved); err != nil {
				continue // it says why it cannot be done
			}
			title := fmt.Sprintf("%v at %d to %d", a["title"], span.Start, span.End())
			if len(resolved.Edit.DocumentChanges) == 0 {
				b.t.Errorf("%s: %s: no edit", u, title)
				continue
			}
			after, err := applied(text, resolved.Edit.DocumentChanges[0].Edits)
			if err != nil || after == text {
				b.t.Errorf("%s: %s: changes nothing, %v", u, title, err)
			} else if _, ok := results[after]; !ok {
				results[after] = title
			}
		}
	}
	at(source.Span{}, "source")
	at(source.Span{Length: len(text)})
	for _, f := range d.Diagnostics() {
		at(f.Span)
	}
	for i := range len(text) + 1 {
		if i == 0 || i == len(text) || text[i-1] == '\n' || words && strings.ContainsAny(text[i-1:i], " \t=") || words && text[i] == '\n' {
			at(source.Span{Start: i})
		}
	}
	before := b.errors(u, d, text)
	for after, title := range results {
		if now := b.errors(u, d, after); len(now) > len(before) {
			b.t.Errorf("%s: %s:\n%s\nhas had %q\nand has now %q:\n%s", u, title, text, before, now, after)
		}
	}
	return len(results)
}

// errors returns the errors of a text that is read as d is.
func (b *bench) errors(u string, d *design.Design, text string) (all []string) {
	b.t.Helper()
	found, err := design.New(u, d.Kind, 1, source.NewText(text), d.Options()).Diagnose(b.t.Context(), true)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		if f.Severity == source.Error {
			all = append(all, fmt.Sprintf("%s at %d: %s", f.Code, f.Span.Start, f.Message))
		}
	}
	return all
}

// applied makes edits of a text as an editor does that follows the protocol: places count lines
// that end with "\n", "\r\n" or "\r", and none lies within such an end.
func applied(text string, edits []textEdit) (string, error) {
	var lines []int // starts
	for i := range len(text) + 1 {
		if i == 0 || text[i-1] == '\n' || text[i-1] == '\r' && (i == len(text) || text[i] != '\n') {
			lines = append(lines, i)
		}
	}
	offset := func(p lsptest.Position) int {
		at := lines[p.Line]
		for units := 0; units < p.Character; {
			r := []rune(text[at:])[0]
			units += len(utf16.Encode([]rune{r}))
			at += len(string(r))
		}
		return at
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b textEdit) int { return offset(a.Range.Start) - offset(b.Range.Start) })
	var out strings.Builder
	last := 0
	for _, e := range edits {
		start, end := offset(e.Range.Start), offset(e.Range.End)
		if start < last || end < start {
			return "", fmt.Errorf("edits overlap: %v", edits)
		}
		out.WriteString(text[last:start] + e.NewText)
		last = end
	}
	return out.String() + text[last:], nil
}
