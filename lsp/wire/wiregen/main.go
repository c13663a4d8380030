// Command wiregen writes the TypeScript types of the messages that package wire declares, and what
// the extension and the pages say of the questions in answers.Table.
// It reads the sources rather than the types, because the comments belong to what is written.
//
// Usage, in the folder of package wire: wiregen ROOT
//
// Its tests hold the files of the extension and docs/protocol.md to the declarations.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"aiglens/design/answers"
	"aiglens/lsp/wire/manifest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wiregen ROOT")
		os.Exit(2)
	}
	if err := generate(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "wiregen:", err)
		os.Exit(1)
	}
}

// generate writes what is generated from the declarations of a folder below the root.
func generate(folder, root string) error {
	all, err := written(folder, root)
	if err != nil {
		return err
	}
	for path, content := range all {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// written returns the content of each file.
func written(folder, root string) (all map[string][]byte, err error) {
	declared, err := readFolder(folder)
	if err != nil {
		return nil, err
	}
	all = map[string][]byte{}
	declared, asked := withQuestions(declared, answers.Table)
	all[filepath.Join(root, "vscode-extension/src/protocol.ts")] = []byte(typeScript(declared) + manifest.TypeScript(answers.Table))
	for _, f := range []struct {
		path   string
		change func(string) (string, error)
	}{
		{"vscode-extension/package.json", func(text string) (string, error) {
			return manifest.WithQuestions(text, answers.Table)
		}},
		{"vscode-extension/README.md", func(text string) (string, error) {
			return manifest.WithRows(text, "| command | shows |\n| --- | --- |\n", answers.Table, func(r answers.Row) string {
				return fmt.Sprintf("| %s | %s |\n", r.Title, r.Summary)
			})
		}},
		{"docs/protocol.md", func(text string) (string, error) {
			return manifest.WithRows(text, "| command | argument | answer |\n| --- | --- | --- |\n", asked, func(r answers.Row) string {
				return fmt.Sprintf("| `%s` | `PropertyParams` | `Answer`: %s |\n", r.ServerCommand(), r.Summary)
			})
		}},
	} {
		path := filepath.Join(root, f.path)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		changed, err := f.change(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all[path] = []byte(changed)
	}
	return all, nil
}

// withQuestions adds the messages of the questions that have none of their own, and returns these
// questions.
func withQuestions(declared []declaration, table []answers.Row) (all []declaration, added []answers.Row) {
	methods := map[string]bool{}
	for _, d := range declared {
		if d.message != nil {
			methods[d.message.method] = true
		}
	}
	for _, row := range table {
		if !methods[row.ServerCommand()] {
			declared = append(declared, declaration{message: &message{row.Name, sentence(row.Summary), "Command", row.ServerCommand(), []string{"PropertyParams", "Answer"}}})
			added = append(added, row)
		}
	}
	return declared, added
}
