package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/design/answers"
)

func declared(t *testing.T) []declaration {
	t.Helper()
	all, err := readFolder("..")
	if err != nil {
		t.Fatal(err)
	}
	all, _ = withQuestions(all, answers.Table)
	return all
}

// TestExtension: the types and commands of the extension are those that are declared.
func TestExtension(t *testing.T) {
	all, err := written("..", "../../..")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range all {
		if have, err := os.ReadFile(path); err != nil || string(have) != string(want) {
			t.Errorf(`%s differs from package wire and answers.Table, %v: run "go generate ./lsp/wire"`, path, err)
		}
	}
}

// TestTypeScript: what Go can say and TypeScript says otherwise.
func TestTypeScript(t *testing.T) {
	const source = `package wire

// CommandLook answers with what is there.
var CommandLook = Command[LookParams, []Thing]{"aiglens.look"}

// NotificationGone says what no longer exists.
var NotificationGone = ToClient[Thing]{"aiglens/gone"}

// Word is a word.
type Word string

const (
	WordOne Word = "one"
	WordTwo Word = "two"
)

// LookParams are a place.
type LookParams struct {
	FileParams
	At *protocol.Position ` + "`json:\"at,omitempty\"`" + ` // where
}

type Thing struct {
	Word  Word               ` + "`json:\"word\" wire:\"or number\"`" + `
	Place *protocol.Location ` + "`json:\"place\"`" + `
	Sizes []uint32           ` + "`json:\"sizes\"`" + `
}
`
	const want = `
/** Answers with what is there. */
export const look = 'aiglens.look' as Command<LookParams, Thing[]>;

/** Says what no longer exists. */
export const gone = 'aiglens/gone' as ToClient<Thing>;

/** A word. */
export type Word = 'one' | 'two';

/** A place. */
export interface LookParams extends FileParams {
  /** Where. */
  at?: Position;
}

export interface Thing {
  word: Word | ` + "`${number}`" + `;
  place: Location | null;
  sizes: number[];
}
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := readFolder(folder)
	got := typeScript(all)
	if err != nil || !strings.HasSuffix(got, want) || !strings.Contains(got, "import type { Location, Position } from") {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestNoTypeScript: what has no counterpart is refused rather than written wrongly.
func TestNoTypeScript(t *testing.T) {
	for _, source := range []string{
		"func f() {}", "type A struct{ B map[string]int `json:\"b\"` }", "type A struct{ B int }", "var A = 7", "type A struct{ B any `json:\"b\"` }",
		"type A struct{ B int `json:\"b,omitempty\"` }", "type A struct{ B bool `json:\"b,omitempty\"` }", "type A struct{ B float64 `json:\"b,omitempty\"` }",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte("package wire\n\n"+source+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if all, err := readFolder(folder); err == nil {
			t.Errorf("%s: %v", source, all)
		}
	}
}
