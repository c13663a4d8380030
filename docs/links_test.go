package docs

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages returns the pages for people, by their paths in the repository.
func pages(t *testing.T, root fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/journal/*.md", "examples/*.md", "editors/*.md", "vscode-extension/*.md"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(text)
		}
	}
	if len(all) < 15 {
		t.Fatalf("%d pages: the test does not read the repository", len(all))
	}
	return all
}

var (
	linkPattern    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingPattern = regexp.MustCompile(`(?m)^#+ (.+)$`)
	pathPattern    = regexp.MustCompile("`((?:aiger|blif|circuit|cmd|design|docs|editors|examples|ic3|internal|lsp|vscode-extension)/[A-Za-z0-9_./-]+)`")
)

// anchors returns what a link may name within a page, by the rules of GitHub.
func anchors(page string) (all []string) {
	for _, h := range headingPattern.FindAllStringSubmatch(page, -1) {
		kept := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				return r
			}
			return -1
		}, strings.ToLower(h[1]))
		all = append(all, kept)
	}
	return all
}

// TestLinks: each link of a page to the repository leads to a file, and to a heading in it.
func TestLinks(t *testing.T) {
	root := os.DirFS("..")
	all := pages(t, root)
	for name, text := range all {
		for _, found := range linkPattern.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(file, ":") { // of the web, or of an editor
				continue
			}
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			if _, err := fs.Stat(root, to); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, to)
			} else if page, isPage := all[to]; isPage && anchor != "" && !slices.Contains(anchors(page), anchor) {
				t.Errorf("%s links to %s#%s: there is no such heading", name, to, anchor)
			}
		}
	}
}

// TestPaths: each package and file of the repository that a page names exists. The CHANGELOG and
// the journal name what there was.
func TestPaths(t *testing.T) {
	root := os.DirFS("..")
	for name, text := range pages(t, root) {
		if name == "CHANGELOG.md" || strings.HasPrefix(name, "docs/journal/") {
			continue
		}
		for _, found := range pathPattern.FindAllStringSubmatch(text, -1) {
			if _, err := fs.Stat(root, strings.TrimSuffix(found[1], "/")); err != nil {
				t.Errorf("%s names %s, which does not exist", name, found[1])
			}
		}
	}
}

// TestQuestions: the README leads to an answer to each question of a reader.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{
		"How do I check my Yosys design?", "What does *unknown* mean?", "How do I fail CI only on *refuted*?", "Where is the trace?",
		"What is trusted?", "How do I remove it?", "How fast is it?", "Which formats?",
	} {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(question) + ` \| .*\]\(.*\|$`)
		if !row.Match(text) {
			t.Errorf("the README has no link for %q", question)
		}
	}
}
