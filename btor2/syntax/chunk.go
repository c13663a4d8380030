package syntax

import (
	"math"
	"strings"

	"aiglens/internal/source"
)

// chunk is a run of whole lines, taken apart. Versions of a file share it; it is never changed. Lines and arguments
// are numbered from its start.
type chunk struct {
	text  string
	lines int // ends of lines
	rows  []row
	args  []int64
	// bottom and top are the least and the largest number of a row.
	bottom, top int64
	// carriage is the first line that ends in CR LF though it is no comment, or -1.
	carriage int
}

// row is a line that defines something or is meant to.
type row struct {
	id   int64  // 0 where it is missing or malformed
	name uint64 // a hash of the symbol; 0 for none
	line uint32
	// first is the place of its first argument in the chunk. The others follow up to those of the next row: the sort
	// first where there is one, ids with their signs, then the numbers. The digits of a constant stand for the least
	// width that holds them.
	first uint32
	odd   oddity
	op    Op
	array bool // of a sort row
}

// argsOf returns the arguments of row i.
func (c *chunk) argsOf(i int) []int64 {
	if i+1 < len(c.rows) {
		return c.args[c.rows[i].first:c.rows[i+1].first]
	}
	return c.args[c.rows[i].first:]
}

// newChunk takes lines apart.
func newChunk(text string, s *scan) *chunk {
	n := strings.Count(text, "\n")
	c := &chunk{text: text, lines: n, rows: make([]row, 0, n+1), args: make([]int64, 0, 3*n+3), bottom: math.MaxInt64, carriage: -1}
	for line := 0; text != ""; line++ {
		var content string
		content, text, _ = strings.Cut(text, "\n")
		isRow := s.read(content)
		if s.odd&oddCR != 0 && c.carriage < 0 {
			c.carriage = line
		}
		if isRow {
			s.measure()
			c.rows = append(c.rows, row{s.number, hash(s.symbol.in(content)), uint32(line), uint32(len(c.args)), s.odd, s.op, s.array})
			c.args = append(c.args, s.args...)
			if s.number > 0 {
				c.bottom, c.top = min(c.bottom, s.number), max(c.top, s.number)
			}
		}
	}
	return c
}

// hash returns a number that differs for most symbols; 0 for none.
func hash(symbol string) uint64 {
	if symbol == "" {
		return 0
	}
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(symbol) {
		h = (h ^ uint64(symbol[i])) * 1099511628211
	}
	return h | 1
}

// readChunks takes a text apart. Runs of lines that before had as well are not read again.
func readChunks(text source.Text, before []*chunk) []*chunk {
	var runs []string
	for at := 0; at < text.Len(); {
		run, start := text.Run(at)
		runs = append(runs, run)
		at = start + len(run)
	}
	chunks := make([]*chunk, len(runs))
	head, tail := 0, 0
	for head < min(len(runs), len(before)) && before[head].text == runs[head] {
		chunks[head] = before[head]
		head++
	}
	for tail < min(len(runs), len(before))-head && before[len(before)-1-tail].text == runs[len(runs)-1-tail] {
		tail++
		chunks[len(runs)-tail] = before[len(before)-tail]
	}
	var s scan
	for i := head; i < len(runs)-tail; i++ {
		chunks[i] = newChunk(runs[i], &s)
	}
	return chunks
}
