package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/commands.md")

// TestCommandsPage: docs/commands.md is what the table behind --help and the manual page says.
// go test ./cmd/aiglens -run TestCommandsPage -update writes it.
func TestCommandsPage(t *testing.T) {
	var want bytes.Buffer
	writeCommandsPage(&want, describeCommands())
	path := filepath.Join("..", "..", "docs", "commands.md")
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("docs/commands.md differs from --help: go test ./cmd/aiglens -run TestCommandsPage -update writes it")
	}
}

// writeCommandsPage writes the page: a section for each command, and one for the flags of many.
func writeCommandsPage(w *bytes.Buffer, all []described) {
	fmt.Fprint(w, `# Commands

<!-- written by go test ./cmd/aiglens -run TestCommandsPage -update -->

`+"`aiglens help COMMAND`, `aiglens COMMAND --help`"+` and the manual page (`+"`aiglens man | man -l -`"+`) have the same text. The file
`+"`-`"+` is standard input. Every command reads binary (`+"`.aig`"+`) and packed (`+"`.gz`"+`) files. `+"`check`, `lint` and `fmt -d`"+`
take folders, which stand for the circuits and Horn clauses below them. [CI](ci.md#exit-codes) has the exit codes.

| command | does |
| --- | --- |
`)
	for _, g := range commandGroups() {
		if g.title == "" {
			continue
		}
		fmt.Fprintf(w, "| **%s** | |\n", g.title)
		for _, c := range g.commands {
			fmt.Fprintf(w, "| [`%s`](#aiglens-%s) | %s |\n", c.name, c.name, cell(c.summary))
		}
	}
	common := countFlags(all)
	for _, c := range all {
		fmt.Fprintf(w, "\n## aiglens %s\n\n```\n", c.name)
		for _, form := range c.forms() {
			fmt.Fprintln(w, strings.TrimSpace("aiglens "+c.name+" "+form))
		}
		fmt.Fprintf(w, "```\n\n%s.\n", capital(c.summary))
		var own []describedFlag
		var elsewhere []string
		for _, f := range c.flags {
			switch {
			case f.name == "--version":
			case common[f.key()] >= manyCommands:
				elsewhere = append(elsewhere, "`"+f.name+"`")
			default:
				own = append(own, f)
			}
		}
		writeFlagTable(w, own)
		if len(elsewhere) > 0 {
			fmt.Fprintf(w, "\n[Also](#flags-of-several-commands):\n%s.\n", strings.Join(elsewhere, ",\n"))
		}
		if page := commandPages[c.name]; page != "" {
			fmt.Fprintf(w, "\nMore: [%s](%s).\n", page, page)
		}
	}
	fmt.Fprint(w, "\n## Flags of several commands\n")
	writeFlagTable(w, ofMany(all, common))
	fmt.Fprint(w, `
Every command also has `+"`--help` and `--version`; `aiglens --version`"+` prints the version as well.

## Environment

| variable | |
| --- | --- |
| `+"`AIGLENS_CACHE`"+` | the folder of [results of earlier runs](cache.md), or `+"`off`"+` |
| `+"`NO_COLOR`"+` | with any value: a terminal gets no colours |
| `+"`TERM`"+` | `+"`dumb`"+`, or nothing: a terminal gets neither colours nor a status line |
`)
}

// commandPages says which page has more about a command.
var commandPages = map[string]string{
	"serve": "protocol.md", "check": "ci.md", "replay": "traces.md", "certify": "certificates.md", "hwmcc": "certificates.md", "horn": "horn.md",
	"equiv": "compare.md", "bench": "benchmarking.md", "cache": "cache.md", "debug": "debugging.md", "node": "cluster.md",
	"cluster": "cluster.md", "completion": "install.md", "lint": "diagnostics.md",
}

func writeFlagTable(w *bytes.Buffer, flags []describedFlag) {
	if len(flags) == 0 {
		return
	}
	fmt.Fprint(w, "\n| flag | does |\n| --- | --- |\n")
	group := -1
	for _, f := range flags {
		if f.group != group {
			group = f.group
			fmt.Fprintf(w, "| **%s** | |\n", flagGroups[group].title)
		}
		text, choices := f.explained()
		text = pageName.ReplaceAllString(capital(cell(text)), "[$1]($1.md)")
		for _, c := range choices {
			text += fmt.Sprintf("<br>`%s`: %s", c.value, cell(c.text))
		}
		fmt.Fprintf(w, "| `%s` | %s |\n", code(strings.TrimSpace(f.name+" "+f.placeholder())), text)
	}
}

// pageName is a page of docs in the text of a flag.
var pageName = regexp.MustCompile(`docs/([a-z-]+)\.md`)

// code is text between backquotes in a table of a page.
func code(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// cell is text that may stand in a table of a page.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`).Replace(text)
}
