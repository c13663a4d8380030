// Package manifest writes what the extension is told of the questions in answers.Table: its commands
// and menus in package.json, the list that it registers them from, and the rows of the pages that
// name them. wiregen writes the files.
//
// It knows neither the other commands nor how an answer is shown.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"aiglens/design/answers"
)

// command is an entry of contributes.commands, or of a menu.
type command struct {
	Command  string `json:"command"`
	Category string `json:"category,omitempty"`
	Title    string `json:"title,omitempty"`
	Icon     string `json:"icon,omitempty"`
	When     string `json:"when,omitempty"`
	Group    string `json:"group,omitempty"`
}

// contributes are the parts of package.json that have commands, as they stand there.
type contributes struct {
	Contributes struct {
		Commands []json.RawMessage
		Menus    map[string][]json.RawMessage
	}
}

// In what a menu shows a command: that of a title, and those in a text.
const (
	inResource = "resourceLangId =~ /^(aiger|blif|btor2)$/"
	inEditor   = "editorLangId =~ /^(aiger|blif|btor2)$/"
)

// answered says where a question can be answered, in the contexts that the extension sets, and the task by which
// the palette lists it.
var answered = map[answers.About]struct{ when, task string }{
	answers.OfFile:     {"aiglens.circuitHere", "Ask"},
	answers.OfProperty: {"aiglens.hasProperties", "Ask"},
	answers.OfProof:    {"aiglens.hasProof", "Proof"},
	answers.OfUnknown:  {"aiglens.hasUnknown", "Ask"},
}

// WithQuestions returns package.json with the commands of some questions in it.
func WithQuestions(manifest string, table []answers.Row) (string, error) {
	for _, row := range table {
		var have contributes
		if err := json.Unmarshal([]byte(manifest), &have); err != nil {
			return "", err
		}
		of, menus, where := row.EditorCommand(), have.Contributes.Menus, answered[row.Of]
		manifest = with(manifest, have.Contributes.Commands, 3, command{Command: of, Category: "aiglens " + where.task, Title: row.Title, Icon: row.Icon})
		manifest = with(manifest, menus["commandPalette"], 4, command{Command: of, When: where.when})
		menu, group, _ := strings.Cut(row.Menu, " ")
		if menu == "" {
			continue
		}
		when := inEditor
		if menu == "editor/title" {
			when = inResource
		}
		if row.Of != answers.OfFile {
			when += " && " + where.when
		}
		manifest = with(manifest, menus[menu], 4, command{Command: of, When: when, Group: group})
	}
	return manifest, nil
}

// with returns a text with an entry in one of its arrays, whose elements are so deep in it: in the
// place of the one for the same command, else at the end. No two elements have the same text.
func with(text string, array []json.RawMessage, depth int, entry command) string {
	indent := strings.Repeat("  ", depth)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, "  ")
	if err := encoder.Encode(entry); err != nil {
		panic(err) // there are only strings
	}
	written := strings.TrimSpace(b.String())
	for _, element := range array {
		var have command
		if json.Unmarshal(element, &have) == nil && have.Command == entry.Command {
			return strings.Replace(text, string(element), written, 1)
		}
	}
	last := string(array[len(array)-1])
	return strings.Replace(text, last, last+",\n"+indent+written, 1)
}

// TypeScript is the list of questions for the extension.
func TypeScript(table []answers.Row) string {
	var b strings.Builder
	b.WriteString(`
/** A question whose answer opens as a text: about a file, about any property, or about one with a verdict. */
export interface Question {
  /** Of the command of the editor. */
  id: string;
  name: string;
  ask: Command<PropertyParams, Answer>;
  about: 'file' | 'property' | 'proved' | 'unknown';
  /** What the text is called. */
  page: string;
}

export const questions: Question[] = [
`)
	for _, row := range table {
		fmt.Fprintf(&b, "  { id: '%s', name: '%s', ask: '%s', about: '%s', page: '%s' },\n", row.EditorCommand(), row.Name, row.ServerCommand(), row.Of, row.Page)
	}
	b.WriteString("];\n")
	return b.String()
}

// Marks of the rows in a page.
const (
	begin = "<!-- questions: written by go generate ./lsp/wire -->\n"
	end   = "<!-- end of the questions -->\n"
)

// WithRows returns a page with a table between the marks: its head, and what a function writes of
// each question.
func WithRows(page, head string, table []answers.Row, write func(answers.Row) string) (string, error) {
	before, rest, hasBegin := strings.Cut(page, begin)
	_, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		return "", fmt.Errorf("the marks of the questions are missing: %q and %q", begin, end)
	}
	rows := strings.Builder{}
	rows.WriteString(head)
	for _, row := range table {
		rows.WriteString(write(row))
	}
	return before + begin + rows.String() + end + after, nil
}
