package formats_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/format"
	"aiglens/design/formats"
)

const extension = "../../vscode-extension"

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// expectSame compares lists that must hold the same words in any order.
func expectSame(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, but the table of formats says %q", what, got, want)
	}
}

// of collects what the table says of each format.
func of(words func(*design.Format) []string) (all []string) {
	for _, f := range formats.All() {
		all = append(all, words(f)...)
	}
	return all
}

func languages() []string {
	return of(func(f *design.Format) []string { return []string{f.Language()} })
}

// edited are those that the server and the client know: of circuits, and of clauses.
func edited() (all []string) {
	for _, f := range formats.Edited() {
		all = append(all, f.Language())
	}
	return all
}

// TestManifest compares package.json of the extension with the table: languages and
// their files, the editor of binary and packed files, and the places that name the
// languages. Verilog is a language of VS Code or of other extensions. Its files have breakpoints,
// and conditions of its own.
func TestManifest(t *testing.T) {
	text := readFile(t, filepath.Join(extension, "package.json"))
	type named struct{ ID, Language string }
	var manifest struct {
		Contributes struct {
			Languages []struct {
				ID         string
				Extensions []string
			}
			Grammars, SemanticTokenScopes, Breakpoints []named
			CustomEditors                              []struct {
				Selector []struct{ FilenamePattern string }
			}
			Debuggers []struct{ Languages []string }
		}
	}
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatal(err)
	}
	c := manifest.Contributes
	var ids []string
	for _, l := range c.Languages {
		ids = append(ids, l.ID)
		if f := formats.Edited().ByLanguage(l.ID); f != nil {
			expectSame(t, "extensions of "+l.ID, l.Extensions, f.TextExtensions())
		}
	}
	expectSame(t, "languages", ids, edited())
	expectNamed := func(what string, list []named, want []string) {
		t.Helper()
		var got []string
		for _, l := range list {
			got = append(got, l.Language)
		}
		expectSame(t, what, got, want)
	}
	expectNamed("grammars", c.Grammars, edited())
	expectNamed("semanticTokenScopes", c.SemanticTokenScopes, edited())
	debugged := slices.Concat(languages(), format.Verilog.Languages)
	expectNamed("breakpoints", c.Breakpoints, debugged)
	for _, d := range c.Debuggers {
		expectSame(t, "languages of a debugger", d.Languages, debugged)
	}
	var encoded []string
	for _, editor := range c.CustomEditors {
		for _, s := range editor.Selector {
			encoded = append(encoded, strings.TrimPrefix(s.FilenamePattern, "*"))
		}
	}
	expectSame(t, "files of the custom editor", encoded, of(func(f *design.Format) []string { return f.EncodedExtensions() }))
	conditions := regexp.MustCompile(`(?:LangId|languageId)\s*[=~!]+\s*(/[^/]*/|\w+)`).FindAllStringSubmatch(text, -1)
	if len(conditions) == 0 {
		t.Error("no condition names the languages: the test looks in the wrong place")
	}
	for _, condition := range conditions {
		named := strings.Split(strings.Trim(condition[1], "/^$()"), "|")
		want := languages()
		if slices.Contains(named, format.SMTLIB.Language()) {
			want = edited()
		}
		switch {
		case slices.Contains(format.Verilog.Languages, named[0]):
			want = format.Verilog.Languages
		case len(named) == 1:
			// Only in a text of BLIF do rows say what they are made from (.attr src).
			want = []string{format.BLIF.Language()}
		}
		expectSame(t, condition[0], named, want)
	}
}

// TestLists compares the lists of the extension's sources with the table, and tests
// that no other source has lists of its own.
func TestLists(t *testing.T) {
	lists := readFile(t, filepath.Join(extension, "src", "formats.ts"))
	list := func(name string) []string {
		_, rest, found := strings.Cut(lists, "const "+name+" = [")
		if !found {
			t.Fatalf("formats.ts has no list %s", name)
		}
		line, _, _ := strings.Cut(rest, "]")
		return strings.Split(strings.NewReplacer("'", "", " ", "").Replace(line), ",")
	}
	dotted := func(words []string) (all []string) {
		for _, w := range words {
			all = append(all, "."+w)
		}
		return all
	}
	expectSame(t, "languages of formats.ts", list("languages"), languages())
	expectSame(t, "all languages of formats.ts", slices.Concat(list("languages"), list("clauseLanguages")), edited())
	for _, f := range formats.Edited()[len(formats.All()):] {
		if !f.HasClauses || !strings.Contains(lists, "const clauseFiles = '**/*"+f.Extensions()[0]+"'") {
			t.Errorf("formats.ts does not name the files of %s", f.Name)
		}
	}
	expectSame(t, "textExtensions of formats.ts", dotted(list("textExtensions")), of(func(f *design.Format) []string { return f.TextExtensions() }))
	expectSame(t, "encodedExtensions of formats.ts", dotted(list("encodedExtensions")), of(func(f *design.Format) []string { return f.EncodedExtensions() }))

	own := regexp.MustCompile(`[{|,(]\s*(aag|aig|blif|eblif)(\\?\.gz)?\s*[},|)]|languageId [=!]==`)
	err := filepath.WalkDir(filepath.Join(extension, "src"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Base(path) == "formats.ts" {
			return err
		}
		if found := own.FindString(readFile(t, path)); found != "" {
			t.Errorf("%s has a list of its own: %s", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
