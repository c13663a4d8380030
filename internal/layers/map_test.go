package layers_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the layers into ARCHITECTURE.md")

// The table of layers stands between these lines of ARCHITECTURE.md.
const (
	mapBegin = "<!-- layers: written by go test ./internal/layers -run TestMap -update -->\n"
	mapEnd   = "<!-- end of the layers -->\n"
)

// table returns the layers as the map shows them, those of the product first.
func (p *plan) table() string {
	var b strings.Builder
	b.WriteString("| layer | is about | never holds | packages, from above |\n| --- | --- | --- | --- |\n")
	layers := append(slices.Clone(p.layers[1:]), p.layers[0])
	for _, r := range layers {
		rows := make([]string, len(r.rows))
		for i, row := range r.rows {
			rows[i] = "`" + strings.Join(row, "` `") + "`"
		}
		fmt.Fprintf(&b, "| **%s** | %s | %s | %s |\n", r.name, r.about, r.without, strings.Join(rows, " ↓ "))
	}
	return b.String()
}

// TestMapShowsTheLayers compares the table of ARCHITECTURE.md with layers.txt.
func TestMapShowsTheLayers(t *testing.T) {
	p, err := readPlan()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "ARCHITECTURE.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), mapBegin)
	shown, after, ends := strings.Cut(rest, mapEnd)
	if !begins || !ends {
		t.Fatal("ARCHITECTURE.md has no place for the layers")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+mapBegin+p.table()+mapEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown != p.table() {
		t.Errorf("the layers of ARCHITECTURE.md are not those of %s: run the test with -update", planFile)
	}
}

// TestMapNamesWhatExists: every file and folder that ARCHITECTURE.md names is there.
func TestMapNamesWhatExists(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, m := range regexp.MustCompile("`([a-z0-9-]+(?:/[a-z0-9_.-]+)+)`").FindAllStringSubmatch(string(text), -1) {
		count++
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", m[1])
		}
	}
	if count < 100 {
		t.Errorf("only %d names found: the test looks in the wrong place", count)
	}
}
