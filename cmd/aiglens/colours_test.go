package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aiglens/design"
	languages "aiglens/design/formats"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// examplesToColour returns the circuits of examples, and one with a model within another.
func examplesToColour(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, path := range exampleFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
	}
	files["two.blif"] = ".model top\n.inputs a\n.outputs y\n.subckt leaf i=a o=y\n.end\n.model leaf\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"
	if len(files) < 20 {
		t.Fatalf("only %d examples", len(files))
	}
	return files
}

var directive = regexp.MustCompile(`^\s*(\.[a-z_]+|# prop:)`)

// colour says what an editor without a server can tell of a token: "" for nothing.
func colour(d *design.Design, token ide.Token) string {
	line := d.Text.LineAt(token.Span.Start)
	row := d.Text.Line(line)
	word := d.Text.Slice(token.Span)
	isDeclared := token.Modifiers&ide.TokenDeclaration != 0
	if d.Kind.Language() == "btor2" {
		switch {
		case word[0] > '9':
			return "row name"
		case isDeclared:
			return "row"
		case token.Modifiers&ide.TokenNegated != 0:
			return "row negated"
		}
		return "operand"
	}
	if d.HasNumbers() {
		switch {
		case token.Type == ide.TokenHeader:
			return "count"
		case strings.HasPrefix(row, "i"), strings.HasPrefix(row, "l"):
			return row[:1] + " name"
		case strings.HasPrefix(row, "word:"):
			return "" // free text, which patterns show as a comment
		case row[0] > '9':
			return "property name"
		case word == "0" || word == "1":
			return "constant"
		case token.Modifiers&ide.TokenNegated != 0:
			return "negated"
		}
		return "literal"
	}
	of := directive.FindString(row)
	switch strings.TrimSpace(of) {
	case ".model":
		return "model"
	case ".names":
		if isDeclared {
			return "defined"
		}
		return "net"
	case ".latch":
		if isDeclared {
			return "latch"
		}
		return "net"
	case ".inputs", ".outputs":
		return "port"
	case ".subckt":
		switch {
		case token.Type == ide.TokenModel:
			return "model used"
		case d.Text.Slice(source.SpanFromTo(token.Span.End(), token.Span.End()+1)) == "=":
			return "formal"
		}
		return "net"
	case "# prop:":
		return "property"
	}
	return ""
}

// expectColours compares what an editor shows of each character of the examples with the
// tokens of the server, in the editor's words for each of these.
func expectColours(t *testing.T, folder string, files, words map[string]string) {
	t.Helper()
	dump, err := os.ReadFile(filepath.Join(folder, "colours"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for row := range strings.Lines(string(dump)) {
		place, word, _ := cutLast(strings.TrimSuffix(row, "\n"), "\t")
		shown[place] = word
	}
	seen, wrong := map[string]int{}, 0
	for name, text := range files {
		format := languages.All().ByPath(name)
		if format == nil {
			continue
		}
		d := design.New(name, format, 1, source.NewText(text), design.Options{})
		tokens, err := ide.Tokens(context.Background(), d, source.SpanFromTo(0, len(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens {
			kind := colour(d, token)
			if kind == "" {
				continue
			}
			seen[kind]++
			for at := token.Span.Start; at < token.Span.End(); at++ {
				line := d.Text.LineAt(at)
				place := fmt.Sprintf("%s\t%d\t%d", name, line+1, at-d.Text.LineStart(line)+1)
				if shown[place] != words[kind] {
					t.Errorf("%s: %q is a %s, and shown as %q, expected %q", strings.ReplaceAll(place, "\t", ":"), d.Text.Slice(token.Span), kind, shown[place], words[kind])
					wrong++
					break
				}
			}
			if wrong > 20 {
				t.FailNow()
			}
		}
	}
	for kind := range words {
		if seen[kind] == 0 && kind != "comment" {
			t.Errorf("the examples have no %s", kind)
		}
	}
	expectComments(t, files, shown, words["comment"])
}

// expectComments expects the free text at the end of AIGER, and comments of BTOR2, and those of BLIF that say
// nothing about properties, as comments from their first character on.
func expectComments(t *testing.T, files, shown map[string]string, comment string) {
	t.Helper()
	n := 0
	for name, text := range files {
		isFree := false
		for i, row := range strings.Split(text, "\n") {
			isFree = isFree || strings.HasSuffix(name, ".aag") && row == "c"
			isComment := isFree || strings.HasSuffix(name, ".btor2") && strings.HasPrefix(row, ";") || strings.HasSuffix(name, ".blif") && strings.HasPrefix(row, "#") && !strings.HasPrefix(row, "# prop:")
			if !isComment || strings.TrimSpace(row) == "" {
				continue
			}
			n++
			last := fmt.Sprintf("%s\t%d\t%d", name, i+1, len(strings.TrimRight(row, " ")))
			if !strings.Contains(shown[last], comment) {
				t.Errorf("%s: the comment %q is shown as %q", strings.ReplaceAll(last, "\t", ":"), row, shown[last])
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d lines of comments", n)
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// names are the files as the scripts read them.
func names(files map[string]string) (list string) {
	for name := range files {
		list += name + "\n"
	}
	return list
}

// TestVimColours: the syntax files show what the server's tokens say, as far as patterns can
// tell.
func TestVimColours(t *testing.T) {
	files := examplesToColour(t)
	given := map[string]string{"names": names(files), "colours.vim": session(t, "colours.vim")}
	for name, text := range files {
		given[name] = text
	}
	folder := runEditor(t, "vim", given, "-N", "-u", "NONE", "-i", "NONE", "-n", "-e", "-s",
		"--cmd", "set runtimepath^="+shipped(t, "vim"), "-S", "colours.vim")
	expectColours(t, folder, files, map[string]string{
		"count": "aigerCount", "constant": "aigerConstant", "negated": "aigerNegated", "literal": "aigerLiteral",
		"i name": "aigerInputName", "l name": "aigerLatchName", "property name": "aigerPropertyName", "comment": "Comment",
		"model": "blifModel", "model used": "blifOf", "defined": "blifDefined", "net": "blifNet", "latch": "blifLatch",
		"port": "blifPort", "formal": "blifFormal", "property": "blifPropertyName",
		"row": "btor2Id", "row negated": "btor2Negated", "operand": "btor2Number", "row name": "btor2Row",
	})
}

// TestEmacsColours is the same for Emacs.
func TestEmacsColours(t *testing.T) {
	files := examplesToColour(t)
	given := map[string]string{"names": names(files), "colours.el": "(add-to-list 'package-directory-list \"/usr/share/emacs/site-lisp/elpa\")\n(package-initialize)\n(add-to-list 'load-path \"" +
		shipped(t, "emacs") + "\")\n(require 'aiglens)\n" + session(t, "colours.el")}
	for name, text := range files {
		given[name] = text
	}
	folder := runEditor(t, "emacs", given, "--batch", "-Q", "--eval", "(require 'package)", "-l", "colours.el")
	expectColours(t, folder, files, map[string]string{
		"count": "font-lock-preprocessor-face", "constant": "font-lock-constant-face", "negated": "aiglens-negated", "literal": "",
		"i name": "font-lock-variable-name-face", "l name": "font-lock-variable-name-face", "property name": "font-lock-function-name-face",
		"comment": "font-lock-comment-", "model": "font-lock-type-face", "model used": "font-lock-type-face", "defined": "font-lock-function-name-face",
		"net": "", "latch": "font-lock-variable-name-face", "port": "", "formal": "font-lock-variable-name-face", "property": "font-lock-comment-face",
		"row": "font-lock-constant-face", "row negated": "aiglens-negated", "operand": "", "row name": "",
	})
}
