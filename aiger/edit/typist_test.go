package edit

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

var typists = flag.Int("typists", 4000, "runs of TestTypist")

// typist writes a file as a user does in an editor: one key after another, with
// slips of the finger and rows that are taken back. What the editor is told to do
// when a row is left, it does; now and then too late, so that the answer is dropped.
type typist struct {
	t    testing.TB
	r    *rand.Rand
	file *syntax.File
	at   int // the cursor
	// before is the last header that fitted, as far as the server has come to look.
	before syntax.FittingHeader
	// keeps says that no row is taken back once its line was left.
	keeps bool
	// isUnfinished says that a new row was left with other numbers than it got.
	isUnfinished bool
	keys         []string // for messages
}

func newTypist(t testing.TB, r *rand.Rand) *typist {
	return &typist{t: t, r: r, file: syntax.Parse(source.NewText(""))}
}

func (y *typist) fail(format string, args ...any) {
	y.t.Helper()
	y.t.Fatalf("%s\nafter %q:\n%s", fmt.Sprintf(format, args...), y.keys, y.file.Text().Content())
}

// replace makes one edit, and sees that it gives the file that the new text has.
func (y *typist) replace(start, end int, text string) {
	y.file = y.file.Edit(source.Edit{Span: source.SpanFromTo(start, end), NewText: text})
	y.at = start + len(text)
	if y.r.IntN(4) > 0 {
		y.look()
	}
}

// look is the analysis of the server, which does not come to see every text.
func (y *typist) look() {
	if h := y.file.FittingHeader(); h.Text != "" {
		y.before = h
	}
}

func (y *typist) line() int { return y.file.Text().LineAt(y.at) }

func (y *typist) write(text string) {
	for i := range len(text) {
		y.keys = append(y.keys, text[i:i+1])
		y.replace(y.at, y.at, text[i:i+1])
		if text[i] == '\n' {
			y.leave(y.line()-1, y.r.IntN(8) > 0)
		}
	}
}

func (y *typist) erase(n int) {
	for range n {
		y.keys = append(y.keys, "⌫")
		y.replace(y.at-1, y.at, "")
	}
}

// goTo moves the cursor to the end of a line.
func (y *typist) goTo(line int) {
	y.keys = append(y.keys, fmt.Sprintf("→%d", line+1))
	y.at = y.file.Text().LineSpan(line).End()
}

// leave is the end of the work on a line; answered in time or not.
func (y *typist) leave(line int, inTime bool) {
	if !inTime {
		return
	}
	y.follow(func() []source.Edit { return LineTypedEdits(y.file, line+1, false, y.before) })
}

// gone is the removal of the row that a line now has the place of.
func (y *typist) gone(line int) {
	y.follow(func() []source.Edit { return RowsGoneEdits(y.file, line, 1, y.before) })
}

// follow makes the edits of the header that follow, once.
func (y *typist) follow(asked func() []source.Edit) {
	edits := asked()
	slices.SortFunc(edits, func(a, b source.Edit) int { return cmp.Compare(b.Span.Start, a.Span.Start) })
	header := y.file.Text().LineSpan(0)
	for _, e := range edits {
		if e.Span.End() > header.End() {
			y.fail("the edit %+v is of more than the header", e)
		}
		y.at += len(e.NewText) - e.Span.Length
		y.file = y.file.Edit(e)
	}
	y.look()
	if again := asked(); len(again) > 0 {
		y.fail("counted twice: %+v", again)
	}
}

// slip writes something wrong and takes it back at once.
func (y *typist) slip() {
	wrong := fmt.Sprint(y.r.IntN(100))
	if y.r.IntN(4) == 0 {
		wrong = " "
	}
	y.write(wrong)
	y.erase(len(wrong))
}

// row writes a row on a line of its own after the line before it.
func (y *typist) row(before int, row string) {
	y.goTo(before)
	y.write("\n")
	for i := range len(row) {
		if y.r.IntN(12) == 0 {
			y.slip()
		}
		y.write(row[i : i+1])
	}
	mistake := y.r.IntN(12)
	if y.keeps {
		mistake = -1
	}
	switch line := y.line(); mistake {
	case 0: // a number too many, which is found out when the row has been left
		y.isUnfinished = true
		y.write(" 1")
		y.leave(line, true)
		y.goTo(max(line-1, 0))
		y.goTo(line)
		y.erase(2)
		y.leave(line, true)
	case 1: // the last number forgotten
		y.isUnfinished = true
		n := len(row) - strings.LastIndexByte(" "+row, ' ')
		y.erase(n)
		y.leave(line, true)
		y.goTo(line)
		y.write(row[len(row)-n:])
		y.leave(line, true)
	case 2: // another row, which is taken back
		y.write("\n" + row)
		y.leave(line+1, true)
		y.goTo(line + 1)
		y.erase(len(row) + 1)
		y.gone(line + 1)
	default:
		y.leave(line, y.r.IntN(8) > 0)
	}
}

// template is a circuit to be written, as rows by section.
type template [syntax.SectionSymbols][]string

// newTemplate returns a random circuit. Its numbers are those that a user gives: in
// the order of the sections, each operand of a gate smaller than the gate.
func newTemplate(r *rand.Rand) (c template, header string) {
	inputs, latches, ands := r.IntN(4), r.IntN(4), r.IntN(5)
	n := inputs + latches + ands
	lit := func() int { return r.IntN(2*n + 2) }
	for i := range inputs {
		c[syntax.SectionInputs] = append(c[syntax.SectionInputs], fmt.Sprint(2*i+2))
	}
	for i := range latches {
		v := 2 * (inputs + i + 1)
		row := fmt.Sprintf("%d %d", v, lit())
		if reset := r.IntN(4); reset < 3 {
			row += fmt.Sprintf(" %d", []int{0, 1, v}[reset])
		}
		c[syntax.SectionLatches] = append(c[syntax.SectionLatches], row)
	}
	for i := range ands {
		v := 2 * (inputs + latches + i + 1)
		c[syntax.SectionAnds] = append(c[syntax.SectionAnds], fmt.Sprintf("%d %d %d", v, r.IntN(v), r.IntN(v)))
	}
	for _, k := range []syntax.SectionKind{syntax.SectionOutputs, syntax.SectionBads, syntax.SectionConstraints} {
		for range r.IntN(3) {
			c[k] = append(c[k], fmt.Sprint(lit()))
		}
	}
	count := func(k syntax.SectionKind) int { return len(c[k]) }
	return c, fmt.Sprintf("aag %d %d %d %d %d %d %d", n, inputs, latches, count(syntax.SectionOutputs), ands, count(syntax.SectionBads), count(syntax.SectionConstraints))
}

func (c template) text() string {
	var rows []string
	for _, section := range c {
		rows = append(rows, section...)
	}
	return strings.Join(rows, "\n")
}

// typed writes a circuit below a header, the sections in any order.
func (y *typist) typed(header string, c template) {
	y.write(header)
	var written [syntax.SectionSymbols]int
	for _, k := range y.r.Perm(len(c)) {
		for _, row := range c[k] {
			before := 0
			for _, n := range written[:k+1] {
				before += n
			}
			y.row(before, row)
			written[k]++
		}
	}
}

// TestTypist writes random circuits key by key, below a header that says nothing
// and below one that announces everything. In the end the header counts the rows,
// no character of them is lost, and the file is that of a parse from scratch. A
// header that announced the rows is as it was if none has been taken back: those
// that have been may have been all of their kind, and nothing announces another. A row
// that was counted for what it looked like unfinished stays that.
func TestTypist(t *testing.T) {
	runs := *typists
	if testing.Short() {
		runs /= 10
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 15))
		y := newTypist(t, r)
		c, full := newTemplate(r)
		header := []string{"aag", "aag 0 0 0 0 0", full, full}[r.IntN(4)]
		y.keeps = r.IntN(3) == 0
		y.keys = append(y.keys, fmt.Sprintf("seed %d: ", seed))
		y.typed(header, c)
		y.leave(y.line(), true)
		rows := ""
		if text := y.file.Text(); text.NumLines() > 1 {
			rows = text.Content()[text.LineStart(1):]
		}
		if rows != c.text() {
			y.fail("typed\n%s\ngot", c.text())
		}
		fresh := syntax.Parse(y.file.Text())
		if !reflect.DeepEqual(y.file.Diagnostics(), fresh.Diagnostics()) || !slices.Equal(slices.Collect(y.file.Occurrences()), slices.Collect(fresh.Occurrences())) {
			y.fail("parsed from scratch it is another file")
		}
		if got := y.file.Text().Line(0); header == full && y.keeps && got != full {
			y.fail("the header %s became %s", full, got)
		}
		if rows != "" && !y.isUnfinished && y.file.FittingHeader().Text == "" {
			y.fail("the header does not fit: %v", y.file.Diagnostics())
		}
		if rows != "" && !y.file.IsAligned() {
			y.fail("the header does not count all rows: %v", y.file.Diagnostics())
		}
		if got := y.file.HeaderValues().Max; got < int(y.file.LargestDefined()) {
			y.fail("the maximum is %d", got)
		}
	}
}
