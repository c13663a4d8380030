package docs

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fewestWords is how many words a literal has at least to count as a message.
const fewestWords = 4

// TestMessages holds the messages of the program and the extension to the length of sentences
// that pages have: string literals outside tests, and what the manifest of the extension says.
// TestWords looks for the phrases in them.
func TestMessages(t *testing.T) {
	messages := 0
	eachMessage(t, func(path, message string) {
		if len(strings.Fields(message)) < fewestWords {
			return
		}
		messages++
		for _, sentence := range longSentences(message, messageEnd) {
			t.Errorf("%s: %d words: %s", path, len(strings.Fields(sentence)), sentence)
		}
	})
	if messages < 2000 {
		t.Errorf("%d messages: the test does not read the sources", messages)
	}
}

// eachMessage calls visit for the string literals outside tests, and for what the manifest says.
func eachMessage(t *testing.T, visit func(path, message string)) {
	t.Helper()
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (isForeign(d.Name()) || path == "vscode-extension/test" || path == "editors"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		read := messagesOf(path)
		if read == nil {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		found, err := read(text)
		for _, message := range found {
			visit(path, message)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// messagesOf returns what finds the messages of a file, nil where it has none.
func messagesOf(path string) func([]byte) ([]string, error) {
	switch {
	case strings.HasSuffix(path, "_test.go"):
		return nil
	case filepath.Ext(path) == ".go":
		return goMessages
	case filepath.Ext(path) == ".ts":
		return tsMessages
	case path == manifest:
		return jsonMessages
	}
	return nil
}

// goMessages are the string literals of a Go file. Literals that are added are one message.
func goMessages(text []byte) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var messages []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				messages = append(messages, added(n))
				return false
			}
		case *ast.BasicLit:
			messages = append(messages, added(n))
		}
		return true
	})
	return messages, nil
}

// added is what is known of a sum of strings: each other operand is a word.
func added(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return added(e.X) + added(e.Y)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			if s, err := strconv.Unquote(e.Value); err == nil {
				return s
			}
		}
	}
	return "…"
}

var tsToken = regexp.MustCompile("//[^\\n]*|/\\*[\\s\\S]*?\\*/|'((?:\\\\.|[^'\\\\\\n])*)'|\"((?:\\\\.|[^\"\\\\\\n])*)\"|`((?:\\\\.|[^`\\\\])*)`")

// tsMessages are the string literals and templates of a TypeScript file.
func tsMessages(text []byte) ([]string, error) {
	var messages []string
	for _, m := range tsToken.FindAllSubmatch(text, -1) {
		messages = append(messages, string(m[1])+string(m[2])+string(m[3]))
	}
	return messages, nil
}

// jsonMessages are the values of a JSON file that are strings, without conditions and scripts.
func jsonMessages(text []byte) ([]string, error) {
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	var messages []string
	var collect func(any)
	collect = func(value any) {
		switch value := value.(type) {
		case string:
			messages = append(messages, value)
		case []any:
			for _, v := range value {
				collect(v)
			}
		case map[string]any:
			for key, v := range value {
				if key != "when" && key != "enablement" && key != "scripts" {
					collect(v)
				}
			}
		}
	}
	collect(all)
	return messages, nil
}
