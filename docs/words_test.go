package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// avoided are phrases, in lower case, that have a plainer word, which stands beside them.
var avoided = [][2]string{
	{"nobody", "no caller, no user, no node; or the passive"},
	{"somebody", "the user, another goroutine, another program"},
	{"whoever", "the caller, a holder, a reader"},
	{"who asks", "the caller, the asker"},
	{"who wants", "the caller, the asker"},
	{"gone round", "repeated, replayed"},
	{"goes round", "repeats"},
	{"in a circle", "in a cycle"},
	{"in circles", "in cycles"},
	{"circle of", "cycle of"},
	{"circles of", "cycles of"},
	{"ends with exit", "exits with"},
	{"still ends with 0", "exits with"},
	{"behind the first step", "after"},
	{"is gone with the", "is removed by"},
	{"begun anew", "started again"},
	{"beyond whether", "name what is searched for"},
	{"depends on out", "extracts the cone of"},
	{"rows are gone", "are removed"},
	{"fails, again and again", "fails in the loop"},
	{"anew", "again, from scratch; or a verb with re-"},
	{"speaks of", "refers to, mentions"},
	{"speak of", "refer to, mention"},
	{"says nothing of", "says nothing about"},
	{"say nothing of", "say nothing about"},
	{"knows nothing of", "knows nothing about"},
	{"know nothing of", "know nothing about"},
	{"asked no more", "no longer asked"},
	{"used no more", "no longer used"},
	{"counts no more", "no longer counts"},
	{"count no more", "no longer count"},
	{"has it no more", "no longer has it"},
	{"each time round", "in each round"},
	{"lead elsewhere", "name what differs"},
	{"leads elsewhere", "name what differs"},
	{"that many", "the number, by its name"},
	{"out of step with", "out of sync with"},
	{"gone with", "removed with, dropped with"},
	{"of late", "recently"},
	{"in the mean", "on average"},
	{"on the average", "on average"},
	{"worth the name", "usable"},
	{"everybody", "everyone, all users"},
	{"all who", "all callers, all users"},
	{"those who", "the callers, the users"},
	{"the log says more", "see the log"},
}

// quoting are the files that may have such a phrase, because they quote it.
var quoting = []string{"docs/words_test.go"}

// manifest says what the extension contributes, with titles and descriptions.
const manifest = "vscode-extension/package.json"

// isWritten reports whether a file is a source or a page, and not what quotes the phrases.
func isWritten(path string) bool {
	return (slices.Contains([]string{".go", ".ts", ".md"}, filepath.Ext(path)) || path == manifest) && !slices.Contains(quoting, path)
}

// isForeign reports whether a folder holds what was installed or built.
func isForeign(name string) bool {
	return name != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "out", "dist", "bin"}, name))
}

// phrase matches words that may stand on two lines, of a page or of a comment.
func phrase(words string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + strings.ReplaceAll(regexp.QuoteMeta(words), " ", `(?: |\n[ \t]*(?://|\*)? *)`) + `\b`)
}

// oneLine is a text, in lower case, without what separates its lines. It is searched sooner than
// the text is by a phrase.
func oneLine(text string) string {
	lines := strings.Split(strings.ToLower(text), "\n")
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), "*")
		lines[i] = strings.TrimLeft(line, " ")
	}
	return strings.Join(lines, " ")
}

// TestWords finds no phrase in sources and pages that has a plainer word.
func TestWords(t *testing.T) {
	files := 0
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && isForeign(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !isWritten(path):
			return nil
		}
		files++
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		line, lower := oneLine(string(text)), strings.ToLower(string(text))
		for _, a := range avoided {
			if !strings.Contains(line, a[0]) {
				continue
			}
			if at := phrase(a[0]).FindStringIndex(lower); at != nil {
				t.Errorf("%s:%d: %q has a plainer word: %s", path, 1+strings.Count(lower[:at[0]], "\n"), a[0], a[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("%d files: the test does not read the repository", files)
	}
}

// plainPages are the pages for users and contributors, whose sentences stay short.
var plainPages = []string{
	"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/README.md", "docs/aiger.md", "docs/benchmarking.md",
	"docs/blif-diagnostics.md", "docs/blif.md", "docs/btor2.md", "docs/cache.md", "docs/certificates.md", "docs/ci.md",
	"docs/cluster.md", "docs/commands.md", "docs/compare.md", "docs/debugging.md", "docs/diagnostics.md",
	"docs/editor.md", "docs/editors.md", "docs/faq.md", "docs/glossary.md", "docs/install.md",
	"docs/performance.md", "docs/portfolio.md", "docs/protocol.md", "docs/reliability.md", "docs/sby.md", "docs/settings.md",
	"docs/traces.md", "docs/variants.md", "docs/verilog.md", "docs/yosys.md", "examples/README.md", "vscode-extension/README.md",
}

// longestSentence is how many words a sentence of these pages has at most.
const longestSentence = 35

var (
	fenced      = regexp.MustCompile("(?ms)^```.*?^```$")
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	linked      = regexp.MustCompile(`\]\([^)\s]+\)`)
	blockEnd    = regexp.MustCompile(`\n\s*\n|\n(?:- |\d+\. |#|\|)|[^\\]\||<br>`)
	messageEnd  = regexp.MustCompile(`\s{2,}|[<>|"{}]|\\n|\$\{`)
	sentenceEnd = regexp.MustCompile(`[.!?](?:\s+|$)`)
)

// TestSentences: no sentence of these pages is long. A cell of a table and an entry of a list
// are sentences of their own.
func TestSentences(t *testing.T) {
	for _, name := range plainPages {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
			continue
		}
		plain := linked.ReplaceAllString(comment.ReplaceAllString(fenced.ReplaceAllString(string(text), "\n\n"), ""), "]")
		for _, sentence := range longSentences(plain, blockEnd) {
			t.Errorf("%s: %d words: %s", name, len(strings.Fields(sentence)), sentence)
		}
	}
}

// longSentences are the sentences of a text that are too long. A block is a sentence or several.
func longSentences(text string, blockEnd *regexp.Regexp) []string {
	var long []string
	for _, block := range blockEnd.Split(text, -1) {
		for _, sentence := range sentenceEnd.Split(block, -1) {
			if words := strings.Fields(sentence); len(words) > longestSentence {
				long = append(long, strings.Join(words, " "))
			}
		}
	}
	return long
}
