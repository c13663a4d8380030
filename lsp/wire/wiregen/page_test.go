package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPage: docs/protocol.md names every message with its parameters and its answer,
// every type with its members, and nothing else.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "messages", messagesOfPage(string(page)), messagesOf(declared(t)))
	compare(t, "types", typesOfPage(string(page)), typesOf(declared(t)))
}

func compare(t *testing.T, what string, page, declared []string) {
	t.Helper()
	if len(declared) < 10 {
		t.Errorf("only %d %s: the test looks in the wrong place", len(declared), what)
	}
	for _, d := range declared {
		if !slices.Contains(page, d) {
			t.Errorf("docs/protocol.md lacks %s", d)
		}
	}
	for _, p := range page {
		if !slices.Contains(declared, p) {
			t.Errorf("docs/protocol.md has what is not declared: %s", p)
		}
	}
}

// messagesOf writes each message as its method, parameters and answer.
func messagesOf(all []declaration) (lines []string) {
	for _, d := range all {
		if m := d.message; m != nil {
			lines = append(lines, strings.Join(append([]string{m.method}, m.types...), " "))
		}
	}
	return lines
}

// messagesOfPage reads the same from the tables: a row begins with a method, and its other
// cells that begin with code are types. Names in other places must be those of a row.
func messagesOfPage(page string) (lines []string) {
	code := regexp.MustCompile("^`([^`]+)`")
	rows := map[string]bool{}
	for _, row := range strings.Split(page, "\n") {
		var words []string
		for _, cell := range strings.Split(row, "|") {
			if found := code.FindStringSubmatch(strings.TrimSpace(cell)); found != nil {
				words = append(words, found[1])
			}
		}
		if len(words) > 0 && strings.HasPrefix(words[0], "aiglens") {
			lines = append(lines, strings.Join(words, " "))
			rows[words[0]] = true
		}
	}
	for _, found := range regexp.MustCompile("`(aiglens[./][A-Za-z]+)").FindAllStringSubmatch(page, -1) {
		if !rows[found[1]] {
			lines = append(lines, found[1])
		}
	}
	return lines
}

// typesOf writes each type as TypeScript on one line, without comments.
func typesOf(all []declaration) (lines []string) {
	for _, d := range all {
		if t := d.shape; t != nil {
			lines = append(lines, t.line())
		}
	}
	return lines
}

func (t *shape) line() string {
	if t.alias != "" {
		return fmt.Sprintf("type %s = %s;", t.name, t.alias)
	}
	line := t.head() + " {"
	for _, m := range t.members {
		line += " " + m.typeScript() + ";"
	}
	return line + "}"
}

// typesOfPage reads the same from the blocks of code.
func typesOfPage(page string) (lines []string) {
	comments := regexp.MustCompile(`\s*//.*`)
	begin := regexp.MustCompile(`^(interface|type) `)
	for _, block := range regexp.MustCompile("(?s)```ts\n(.*?)```").FindAllStringSubmatch(page, -1) {
		for _, line := range strings.Split(comments.ReplaceAllString(block[1], ""), "\n") {
			switch {
			case line == "}":
				lines[len(lines)-1] += line
			case begin.MatchString(line) || len(lines) == 0:
				lines = append(lines, line)
			case line != "":
				lines[len(lines)-1] += " " + strings.TrimSpace(line)
			}
		}
	}
	return lines
}
