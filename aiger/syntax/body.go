package syntax

import (
	"slices"
	"sort"
	"strings"

	"aiglens/internal/source"
)

// body is the part of a file between header and symbols, before anything is
// known of sections.
type body struct {
	first int      // the line after the header
	rows  rowTable // the lines that are rows, in text order
	stray []uint32 // the lines among them that are not, ascending
	end   int      // the first line after the body: symbols, comment or end of text
}

// LineOf returns the line of a row.
func (b *body) LineOf(r int) int {
	line := b.first + r
	if len(b.stray) == 0 {
		return line
	}
	// stray[k]-k is where stray line k would stand without those before it.
	return line + sort.Search(len(b.stray), func(k int) bool { return int(b.stray[k])-k > line })
}

// rowOf returns the row on a line; ok is false when there is none.
func (b *body) rowOf(line int) (r int, ok bool) {
	k := b.straysBefore(line)
	if k < len(b.stray) && int(b.stray[k]) == line {
		return 0, false
	}
	r = line - b.first - k
	return r, r >= 0 && r < b.rows.len()
}

// straysBefore returns how many stray lines stand before a line.
func (b *body) straysBefore(line int) int {
	return sort.Search(len(b.stray), func(k int) bool { return int(b.stray[k]) >= line })
}

// announcement says how many rows a header promises.
type announcement struct {
	header *header
	known  int // without the justice literals
	final  int // with them; -1 until the sizes have been read
}

func newAnnouncement(h *header) announcement {
	return announcement{h, announcedCounts(h, nil).total(), -1}
}

// due returns how many rows are still to come after the first n; it may be
// less while the justice sizes are among those, but is then positive. rows
// returns at least the first n rows.
func (a *announcement) due(n int, rows func() *rowTable) int {
	switch {
	case a.header.fault != nil:
		return 1 // unknown: every row is still due
	case n < a.known:
		return a.known - n
	case a.final < 0:
		a.final = announcedCounts(a.header, rows()).total()
	}
	return a.final - n
}

// bodyScan lexes lines of a body. Text between rows is told from the start of
// the symbols by whether rows are still due.
type bodyScan struct {
	text      source.Text
	announced announcement
	rows      rowBuilder
	stray     []uint32
	line      int // that is read next
	// s is the run of lines that starts at base in the text; line starts at pos
	// in it.
	s         string
	base, pos int
	// nextRow is the line of the next row, noRow if the comment or the end comes
	// first; when it lies before line, it is not known.
	nextRow int
}

// noRow is a line after every text.
const noRow = manyRows

func newBodyScan(text source.Text, h *header, line int) *bodyScan {
	b := &bodyScan{text: text, announced: newAnnouncement(h), nextRow: -1}
	b.seek(line)
	return b
}

// seek goes to a line.
func (b *bodyScan) seek(line int) {
	at := b.text.LineStart(line)
	b.line = line
	b.s, b.base = b.text.Run(at)
	b.pos = at - b.base
}

// more reports whether there is a line to read at pos.
func (b *bodyScan) more() bool {
	if b.pos >= len(b.s) {
		b.s, b.base = b.text.Run(b.base + len(b.s))
		b.pos = 0
	}
	return b.s != ""
}

// run reads to the end of the body.
func (b *bodyScan) run() {
	for b.more() {
		if isDigit(b.s[b.pos]) {
			n, next := lexRows(b.rows.room(), b.s, b.pos)
			b.rows.extend(n)
			b.pos = next
			b.line += n
			continue
		}
		content, next := lineAt(b.s, b.pos)
		class := classify(content)
		if class > lineRow {
			if b.nextRow <= b.line {
				b.nextRow = findRow(b.text, b.line)
			}
			due := b.announced.due(b.rows.len(), b.rows.table)
			if due <= 0 || b.nextRow == noRow && !isDamagedRow(class, content) {
				return
			}
		}
		b.readLine(class, next)
	}
}

// collect reads the lines before limit as if all of them belonged to the body,
// up to the line that starts the comment, where every body ends.
func (b *bodyScan) collect(limit int) {
	for b.line < limit && b.more() {
		content, next := lineAt(b.s, b.pos)
		class := classify(content)
		if class == lineComment {
			return
		}
		b.readLine(class, next)
	}
}

// readLine reads a line of any class.
func (b *bodyScan) readLine(class lineClass, next int) {
	if class == lineRow {
		r, _ := lexRow(b.s, b.pos)
		b.rows.append(r)
	} else {
		b.stray = append(b.stray, uint32(b.line))
	}
	b.pos = next
	b.line++
}

// settle drops what stands after the first stray line at which the body ends;
// ended is false when there is none among those read.
func (b *bodyScan) settle() (ended bool) {
	rows := b.rows.table()
	first := b.line - rows.len() - len(b.stray)
	for k, l := range b.stray {
		content := b.text.Line(int(l))
		class := classify(content)
		if class == lineBlank {
			continue
		}
		n := int(l) - first - k
		follows := n < rows.len()
		if !follows {
			if b.nextRow < b.line {
				b.nextRow = findRow(b.text, b.line)
			}
			follows = b.nextRow < noRow
		}
		if b.announced.due(n, b.rows.table) <= 0 || !follows && !isDamagedRow(class, content) {
			b.rows = rowBuilder{}
			b.rows.appendTable(rows, n)
			b.stray, b.line = b.stray[:k], int(l)
			return true
		}
	}
	return false
}

func (b *bodyScan) finish(first int) body {
	return body{first: first, rows: *b.rows.table(), stray: b.stray, end: b.line}
}

// scanBody reads the body that starts on line first.
func scanBody(text source.Text, h *header, first int) body {
	scan := newBodyScan(text, h, first)
	scan.run()
	return scan.finish(first)
}

// rescanned returns the body of a new text. Only the lines that were edited
// are lexed, and those after the old body if they have become part of it.
// What is known of the latter is in the old symbol table.
func (b *body) rescanned(text source.Text, h *header, e lineEdit, old *symbolTable) body {
	lo := min(max(e.lo, b.first), b.end)
	scan := newBodyScan(text, h, lo)
	strays := b.straysBefore(lo)
	scan.stray = slices.Clone(b.stray[:strays])
	scan.rows.appendTable(&b.rows, lo-b.first-strays)
	if isInside := lo < b.end && e.oldHi <= b.end; isInside {
		scan.collect(e.newHi)
		if from := max(e.oldHi, b.first); scan.line == e.newHi+from-e.oldHi {
			scan.adopt(b, from)
			if old.endsRows() {
				scan.nextRow = noRow
			}
		}
	} else if old.endsRows() && old.staysWithoutRows(text, e) {
		scan.nextRow = noRow
	}
	if !scan.settle() {
		scan.run()
	}
	return scan.finish(b.first)
}

// adopt takes over what the body b has from the line from on.
func (b *bodyScan) adopt(old *body, from int) {
	k := old.straysBefore(from)
	for _, l := range old.stray[k:] {
		b.stray = append(b.stray, uint32(int(l)+b.line-from))
	}
	b.rows.appendRest(&old.rows, from-old.first-k)
	b.seek(b.line + old.end - from)
}

// isDamagedRow reports whether a line may have been a row once: it is neither
// symbol nor comment, and holds a number or starts with no letter.
func isDamagedRow(class lineClass, content string) bool {
	if class != lineText || content[0] == 'c' {
		return false
	}
	first := content[0] | 0x20
	return first < 'a' || first > 'z' || slices.ContainsFunc(tokens(content), func(t token) bool { return t.isNumber })
}

// findRow returns the first line from a line on that is a row, or noRow when a
// comment section or the end comes first.
func findRow(text source.Text, line int) int {
	for l, content := range text.LinesFrom(line) {
		switch classify(content) {
		case lineRow:
			return l
		case lineComment:
			return noRow
		}
	}
	return noRow
}

// promoted returns the body with stray lines turned into rows, one for each missing row: a row
// damaged beyond recognition is one bad row, not a file without that row.
func (b *body) promoted(missing int, textOf func(line int) string) body {
	var damaged, text, blank []uint32
	for _, line := range b.stray {
		switch content := textOf(int(line)); classify(content) {
		case lineBlank:
			blank = append(blank, line)
		case lineText:
			if strings.ContainsAny(content, "0123456789") {
				damaged = append(damaged, line)
			}
			text = append(text, line)
		}
	}
	chosen := damaged[:min(len(damaged), missing)]
	switch missing {
	case len(text):
		chosen = text
	case len(text) + len(blank):
		chosen = append(text, blank...)
		slices.Sort(chosen)
	case len(damaged):
	case len(blank):
		chosen = blank
	}
	return b.withRows(chosen)
}

// withRows makes rows of the given stray lines, which hold no number at their
// start.
func (b *body) withRows(lines []uint32) body {
	if len(lines) == 0 {
		return *b
	}
	n := body{first: b.first, end: b.end}
	var rows rowBuilder
	taken := 0
	for k, line := range b.stray {
		if len(lines) == 0 || lines[0] != line {
			n.stray = append(n.stray, line)
			continue
		}
		lines = lines[1:]
		upTo := int(line) - b.first - k
		rows.appendRange(&b.rows, taken, upTo)
		rows.append(Numbers{flags: rowText})
		taken = upTo
	}
	rows.appendRest(&b.rows, taken)
	n.rows = *rows.table()
	return n
}
