package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// openedTypist returns a typist with an open random circuit with a header that fits,
// with symbols and a comment after it, and its rows by section.
func openedTypist(t *testing.T, seed uint64) (*typist, template) {
	r := rand.New(rand.NewPCG(seed, 23))
	c, header := newTemplate(r)
	y := newTypist(t, r)
	text := header + "\n"
	if rows := c.text(); rows != "" {
		text += rows + "\n"
	}
	y.file = syntax.Parse(source.NewText(text + "c\nhello\n"))
	y.look()
	y.before.IsGiven = true
	return y, c
}

// rowsOf counts through the rows of a circuit.
func (c template) rowsOf(visit func(k syntax.SectionKind, line int, row string)) {
	line := 1
	for k, rows := range c {
		for _, row := range rows {
			visit(syntax.SectionKind(k), line, row)
			line++
		}
	}
}

// TestRowRestored cuts every row at every place, leaves it, writes the rest again and
// leaves it: no header in between, and none afterwards, is another.
func TestRowRestored(t *testing.T) {
	for seed := range uint64(400) {
		y, c := openedTypist(t, seed)
		header := y.file.Text().Line(0)
		c.rowsOf(func(k syntax.SectionKind, line int, row string) {
			for keep := range row {
				y.goTo(line)
				y.erase(len(row) - keep)
				y.leave(line, true)
				if got := y.file.Text().Line(0); got != header && strings.Count(row[:keep], " ") != strings.Count(row, " ") {
					y.fail("%s cut to %q: the header %s became %s", row, row[:keep], header, got)
				}
				for i := keep; i < len(row); i++ {
					y.replace(y.at, y.at, row[i:i+1])
				}
				y.leave(line, true)
				if got := y.file.Text().Line(0); got != header {
					y.fail("%s cut to %q and restored: the header %s became %s", row, row[:keep], header, got)
				}
			}
		})
	}
}

// TestRowDeleted takes every row away: exactly its section has one less.
func TestRowDeleted(t *testing.T) {
	for seed := range uint64(400) {
		_, c := openedTypist(t, seed)
		c.rowsOf(func(k syntax.SectionKind, line int, row string) {
			for _, isEmptiedFirst := range []bool{false, true} {
				y, _ := openedTypist(t, seed)
				want := y.file.HeaderValues().Counts
				if want[k]--; isEmptiedFirst {
					y.goTo(line)
					y.erase(len(row))
					y.leave(line, true)
				}
				start := y.file.Text().LineStart(line)
				y.replace(start, y.file.Text().LineStart(line+1), "")
				y.gone(line)
				if got := y.file.HeaderValues().Counts; got != want {
					y.fail("without %s of section %d it counts %v, want %v", row, k, got, want)
				}
			}
		})
	}
}

// TestUntoldDeletion takes a row away unseen, as an undo does, and leaves another one: it
// is not that one that the header stops to count.
func TestUntoldDeletion(t *testing.T) {
	for _, line := range []int{1, 2} {
		y := newTypist(t, rand.New(rand.NewPCG(1, 1)))
		y.file = syntax.Parse(source.NewText("aag 1 1 0 1 0 1\n2\n2\n3\n"))
		y.look()
		y.replace(20, 22, "")
		y.leave(line, true)
		if got := y.file.Text().Line(0); got != "aag 1 1 0 1 0 1" {
			y.fail("the header is %s", got)
		}
	}
}

// TestTypedBehindRows writes into symbols and comment: the header says nothing about them.
func TestTypedBehindRows(t *testing.T) {
	for _, behind := range []string{"c\nhello\n", "i0 x\n", "o0 out\nc\n1 2 3\n"} {
		y := newTypist(t, rand.New(rand.NewPCG(1, 1)))
		y.file = syntax.Parse(source.NewText("aag 1 1 0 1 0\n2\n2\n3\n" + behind))
		y.look()
		for line := 4; line <= y.file.Text().NumLines(); line++ {
			if edits := LineTypedEdits(y.file, line+1, false, y.before); len(edits) > 0 {
				y.fail("%s", fmt.Sprint(edits))
			}
		}
	}
}
