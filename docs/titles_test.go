package docs

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notOurs are titles in pages of what others show, and titles that are put together from parts.
var notOurs = []string{
	"Go to Definition", "Go to Declaration", "Find All References", "Rename Symbol", "Format Document", "Refactor…", "Source Action…",
	"Set Value", "Step Over", "Install from VSIX…", "Developer: Set Log Level…", "Help: Welcome", "VS Code", // VS Code
	"This row is a latch", "ANDs 10000–10999", "Refuted: the loop of steps 4 to 9", // of parts
	"Could not determine engine status", "Could not determine aigsmt status", "Invalid solver command", // SymbiYosys
}

var (
	quotedTitle = regexp.MustCompile(`(?:^|[^*\w])\*([A-Z][^*\n]+ [^*\n]+)\*(?:[^*\w]|$)`)
	commandRow  = regexp.MustCompile(`^\| ([^|]+) \|`)
	commandLink = regexp.MustCompile(`\(command:([\w.]+)`)
	anyVerb     = regexp.MustCompile(`%[dsq] `)
)

// said returns the text of the program, with the manifest of the extension, where titles stand after a quotation mark.
func said(t *testing.T, root fs.FS) string {
	var all strings.Builder
	for _, folder := range []string{"vscode-extension/src", "lsp", "design", "aiger", "blif", "cmd", "internal/debug"} {
		err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
			if ext := path.Ext(name); err != nil || entry.IsDir() || ext != ".go" && ext != ".ts" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(root, name)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return anyVerb.ReplaceAllString(all.String(), "")
}

// manifestCommand is a command of the extension.
type manifestCommand struct{ Command, Title, ShortTitle string }

// TestTitles: each title of a command, an action or a button that a page shows in italics exists, so does each command
// in the table of the extension's page, and each that the walkthrough runs.
func TestTitles(t *testing.T) {
	root := os.DirFS("..")
	data, err := fs.ReadFile(root, "vscode-extension/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct{ Commands []manifestCommand }
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	source := string(data) + said(t, root)
	exists := func(title string) bool {
		return slices.Contains(notOurs, title) || slices.ContainsFunc([]string{"'", `"`, "`", ">"}, func(quote string) bool {
			return strings.Contains(source, quote+title)
		})
	}
	titles := 0
	for name, text := range pages(t, root) {
		if strings.HasPrefix(name, "docs/journal/") || name == "CHANGELOG.md" {
			continue // of what was
		}
		for line := range strings.Lines(text) {
			for _, found := range quotedTitle.FindAllStringSubmatch(line, -1) {
				if titles++; !exists(found[1]) {
					t.Errorf("%s: nothing has the title %q", name, found[1])
				}
			}
		}
	}
	if titles < 50 {
		t.Errorf("%d titles: the test does not find them", titles)
	}
	page, err := fs.ReadFile(root, "vscode-extension/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, isTable := 0, false
	for line := range strings.Lines(string(page)) {
		isTable = strings.HasPrefix(line, "| command |") || isTable && strings.HasPrefix(line, "|")
		row := commandRow.FindStringSubmatch(line)
		if !isTable || row == nil || row[1] == "command" || row[1] == "---" {
			continue
		}
		if rows++; !slices.ContainsFunc(manifest.Contributes.Commands, func(c manifestCommand) bool { return c.Title == row[1] }) {
			t.Errorf("vscode-extension/README.md: no command has the title %q", row[1])
		}
	}
	if rows < 40 {
		t.Errorf("%d commands in the table", rows)
	}
	for _, found := range commandLink.FindAllStringSubmatch(string(data), -1) {
		if !slices.ContainsFunc(manifest.Contributes.Commands, func(c manifestCommand) bool { return c.Command == found[1] }) && strings.HasPrefix(found[1], "aiglens.") {
			t.Errorf("the walkthrough runs %s, which is no command", found[1])
		}
	}
}
