package lsp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"aiglens/lsp/lsptest"
)

// typing is an editor with typed text: every key is a change of its own,
// and after a line end come the edits that the server asks for.
type typing struct {
	*editing
	at, version int
	keys        int // without digits and names
}

func openTyping(t *testing.T, text string) *typing {
	return &typing{editing: openEditing(t, text), at: len(text), version: 1}
}

func (y *typing) edit(start, end int, text string) {
	y.version++
	y.change(doc, y.version, y.buffer.Edit(start, end, text))
	y.at = start + len(text)
}

// write types a text. Names are what is between quotes.
func (y *typing) write(text string) {
	inName := false
	for _, key := range text {
		if key == '\'' {
			inName = !inName
			continue
		}
		if !inName && !unicode.IsDigit(key) {
			y.keys++
		}
		y.edit(y.at, y.at, string(key))
		if key == '\n' {
			y.leave(y.buffer.PositionOf(y.at).Line)
		}
	}
}

// leave asks what follows the end of the work on the line above the given one.
func (y *typing) leave(line int) { y.follow(line, "\n") }

// follow makes the edits that follow a line end, or a backspace that took a row from the
// line.
func (y *typing) follow(line int, ch string) {
	y.t.Helper()
	var edits []textEdit
	y.MustCall("textDocument/onTypeFormatting", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: line}, "ch": ch,
		"options": map[string]any{"tabSize": 4, "insertSpaces": true},
	}, &edits)
	for i := len(edits) - 1; i >= 0; i-- { // they are of the header, in the order of the text
		start, end := y.offset(edits[i].Range.Start), y.offset(edits[i].Range.End)
		at := y.at + len(edits[i].NewText) - (end - start)
		y.edit(start, end, edits[i].NewText)
		y.at = at
	}
}

// counterKeys are those of a two-bit counter that goes from 2 back to 0, with the
// property that it never holds 3. Names stand between quotes.
const counterKeys = "aag\n2 6\n4 2\n8\n6 5 3\n8 4 2\nl0 'low'\nl1 'high'\no0 'three'\n"

// TestTypedCounter writes a counter from nothing, and has it proved.
func TestTypedCounter(t *testing.T) {
	y := openTyping(t, "")
	y.write(counterKeys)
	want := "aag 4 0 2 1 2\n2 6\n4 2\n8\n6 5 3\n8 4 2\nl0 low\nl1 high\no0 three\n"
	if y.buffer.Text != want || y.text(doc) != want {
		t.Fatalf("%s", y.buffer.Text)
	}
	y.save(doc)
	if y.keys++; y.keys > 30 {
		t.Errorf("%d keys", y.keys)
	}
	y.awaitTitles(doc, "a proof", func(titles []string) bool {
		return len(titles) == 1 && strings.HasPrefix(titles[0], "proved")
	})
	for _, d := range y.diagnostics(doc) {
		if d.Severity <= 2 {
			t.Errorf("%+v", d)
		}
	}
}

// TestTypedSlowly types rows with a rest after each, in which the text is analysed: what
// the header was guessed to be is still open to another guess.
func TestTypedSlowly(t *testing.T) {
	for seed := range uint64(20) {
		rows := []string{"aag\n"}
		for r := rand.New(rand.NewPCG(seed, 0)); len(rows) < 5; {
			row := fmt.Sprint(2 + 2*r.IntN(5))
			for range r.IntN(3) {
				row += fmt.Sprint(" ", r.IntN(10))
			}
			rows = append(rows, row+"\n")
		}
		fast, slow := openTyping(t, ""), openTyping(t, "")
		for _, row := range rows {
			fast.write(row)
			slow.write(row)
			slow.diagnostics(doc)
		}
		if got, want := slow.header(), fast.header(); got != want {
			t.Errorf("%q: %q, want %q", rows, got, want)
		}
	}
}

// TestRowsTakenAway types rows into a file and takes them away again: the header,
// which fitted the rows before, follows.
func TestRowsTakenAway(t *testing.T) {
	y := openTyping(t, "aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2\n")
	y.diagnostics(doc) // by then the header has been seen to fit
	y.write("8 6 3\n")
	if got, want := y.header(), "aag 4 1 1 1 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	y.diagnostics(doc)
	y.edit(strings.Index(y.buffer.Text, "8 6 3\n"), len(y.buffer.Text), "")
	y.follow(5, "\b")
	if got, want := y.header(), "aag 3 1 1 1 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func (y *typing) header() string {
	header, _, _ := strings.Cut(y.text(doc), "\n")
	return header
}

// TestNoLensWithoutHeader: what an empty file lacks is more than a property.
func TestNoLensWithoutHeader(t *testing.T) {
	e := openEditing(t, "")
	e.diagnostics(doc)
	if titles := e.titles(doc); len(titles) > 0 {
		t.Errorf("%q", titles)
	}
}

// TestFirstCompletion takes what is offered first in an empty file: a circuit of which
// there is nothing to say, and which is proved.
func TestFirstCompletion(t *testing.T) {
	for _, language := range []string{"aiger", "blif", "btor2"} {
		t.Run(language, func(t *testing.T) {
			e := openEditingAs(t, language, "")
			var answer struct{ Items []completionItem }
			e.MustCall("textDocument/completion", map[string]any{
				"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{},
			}, &answer)
			e.replace(doc, 2, e.apply([]textEdit{answer.Items[0].TextEdit}))
			if found := e.diagnostics(doc); len(found) > 0 {
				t.Errorf("%+v", found)
			}
			e.checkAll()
			if titles := e.titles(doc); len(titles) != 1 || !strings.HasPrefix(titles[0], "proved") {
				t.Errorf("%q", titles)
			}
		})
	}
}

// TestSnippets gives places to fill in only to a client that fills them in.
func TestSnippets(t *testing.T) {
	for _, supported := range []bool{false, true} {
		b := newBench(t, explicit)
		b.Initialize(map[string]any{"textDocument": map[string]any{
			"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": supported}},
		}}, nil)
		b.open(doc, "")
		var answer struct {
			Items []struct {
				InsertTextFormat int
				TextEdit         textEdit
			}
		}
		b.MustCall("textDocument/completion", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{},
		}, &answer)
		first := answer.Items[0]
		if has := strings.Contains(first.TextEdit.NewText, "${1:set}"); has != supported || (first.InsertTextFormat == 2) != supported {
			t.Errorf("snippets supported: %v, got %+v", supported, first)
		}
	}
}
