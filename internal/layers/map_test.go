package layers_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the rooms into ARCHITECTURE.md")

// The table of rooms stands between these lines of ARCHITECTURE.md.
const (
	mapBegin = "<!-- rooms: written by go test ./internal/layers -run TestMap -update -->\n"
	mapEnd   = "<!-- end of the rooms -->\n"
)

// table returns the rooms as the map shows them, those of the product first.
func (p *plan) table() string {
	var b strings.Builder
	b.WriteString("| room | is about | never holds | packages, from above |\n| --- | --- | --- | --- |\n")
	rooms := append(slices.Clone(p.rooms[1:]), p.rooms[0])
	for _, r := range rooms {
		rows := make([]string, len(r.rows))
		for i, row := range r.rows {
			rows[i] = "`" + strings.Join(row, "` `") + "`"
		}
		fmt.Fprintf(&b, "| **%s** | %s | %s | %s |\n", r.name, r.about, r.without, strings.Join(rows, " ↓ "))
	}
	return b.String()
}

// TestMapShowsTheRooms compares the table of ARCHITECTURE.md with the file of arrows.
func TestMapShowsTheRooms(t *testing.T) {
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
		t.Fatal("ARCHITECTURE.md has no place for the rooms")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+mapBegin+p.table()+mapEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown != p.table() {
		t.Errorf("the rooms of ARCHITECTURE.md are not those of %s: run the test with -update", arrowsFile)
	}
}
