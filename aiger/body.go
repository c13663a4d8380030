package aiger

import (
	"slices"
	"sort"
	"strings"
)

// body is the part of a file between header and symbols, before anything is
// known of sections.
type body struct {
	first int      // the line behind the header
	rows  []row    // the lines that are rows, in text order
	stray []uint32 // the lines among them that are not, ascending
	end   int      // the first line behind the body: symbols, comment or end of text
}

// lineOf returns the line of a row.
func (b *body) lineOf(r int) int {
	line := b.first + r
	if len(b.stray) == 0 {
		return line
	}
	// stray[k]-k is where stray line k would stand without those before it.
	return line + sort.Search(len(b.stray), func(k int) bool { return int(b.stray[k])-k > line })
}

// rowOf returns the row on a line; ok is false when there is none.
func (b *body) rowOf(line int) (r int, ok bool) {
	k := sort.Search(len(b.stray), func(k int) bool { return int(b.stray[k]) >= line })
	if k < len(b.stray) && int(b.stray[k]) == line {
		return 0, false
	}
	r = line - b.first - k
	return r, r >= 0 && r < len(b.rows)
}

// scanBody lexes the rows. announced says how many rows the header promises,
// given those read so far; text between rows is told from the start of the
// symbols by whether rows are still due.
func scanBody(s string, pos, first, capacity int, announced func(rows []row) int) body {
	b := body{first: first, rows: make([]row, 0, capacity)}
	line := first
	nextRow := -1 // offset before which it is known that no row starts
	for pos < len(s) {
		if isDigit(s[pos]) {
			var r row
			r, pos = lexRow(s, pos)
			b.rows = append(b.rows, r)
			line++
			continue
		}
		content, next := lineAt(s, pos)
		switch class := classify(content); {
		case class == lineRow:
			r, _ := lexOddRow(s, pos)
			b.rows = append(b.rows, r)
		case class == lineBlank:
			b.stray = append(b.stray, uint32(line))
		default:
			if nextRow < next {
				nextRow = findRow(s, pos)
			}
			due := announced(b.rows) - len(b.rows)
			if due <= 0 || nextRow == len(s) && !isDamagedRow(class, content) {
				b.end = line
				return b
			}
			b.stray = append(b.stray, uint32(line))
		}
		pos = next
		line++
	}
	b.end = line
	return b
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

// findRow returns the start of the first row at or behind pos, or len(s) when
// a comment section or the end comes first.
func findRow(s string, pos int) int {
	for pos < len(s) {
		line, next := lineAt(s, pos)
		switch classify(line) {
		case lineRow:
			return pos
		case lineComment:
			return len(s)
		}
		pos = next
	}
	return len(s)
}

// promote turns stray lines into rows where that many rows are missing: a row
// damaged beyond recognition is one bad row, not a file without that row.
func (b *body) promote(missing int, textOf func(line int) string) {
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
		sort.Slice(chosen, func(i, j int) bool { return chosen[i] < chosen[j] })
	case len(damaged):
	case len(blank):
		chosen = blank
	}
	if len(chosen) > 0 {
		b.insert(chosen)
	}
}

// insert makes rows of the given stray lines, which hold no number at their
// start.
func (b *body) insert(lines []uint32) {
	old := body{first: b.first, rows: b.rows, stray: b.stray}
	b.rows = make([]row, 0, len(old.rows)+len(lines))
	b.stray = nil
	r := 0
	for _, line := range old.stray {
		if len(lines) == 0 || lines[0] != line {
			b.stray = append(b.stray, line)
			continue
		}
		lines = lines[1:]
		upTo := int(line) - old.first - sort.Search(len(old.stray), func(k int) bool { return old.stray[k] >= line })
		b.rows = append(append(b.rows, old.rows[r:upTo]...), row{flags: rowText})
		r = upTo
	}
	b.rows = append(b.rows, old.rows[r:]...)
}
