package source

import (
	"context"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"
)

// Hunk is a run of lines that a diff replaces: the lines OldFrom to OldTo of
// the old text by NewFrom to NewTo of the new one, ends excluded. Either run
// may be empty.
type Hunk struct{ OldFrom, OldTo, NewFrom, NewTo int }

// DiffLines compares two texts line by line. Lines that occur once in both, in
// the same order, are anchors (Bram Cohen's patience diff); between two anchors
// equal lines are matched from either end, and what is left is a hunk. The cost
// is that of sorting the lines between the first and the last difference.
//
// The lines compared include their line ends, so that the last line of a text
// without one differs from the same line with one.
func DiffLines(from, to Text) []Hunk {
	hunks, _ := diffLines(context.Background(), from, to)
	return hunks
}

func diffLines(ctx context.Context, from, to Text) ([]Hunk, error) {
	d := differ{ctx: ctx, from: from.fullLines(), to: to.fullLines()}
	d.between(0, len(d.from), 0, len(d.to), true)
	return d.hunks, ctx.Err()
}

// fullLines returns the lines with their ends, without the empty one at the end
// the last line end.
func (t Text) fullLines() []string {
	lines := make([]string, 0, t.NumLines())
	for _, c := range t.chunks {
		from := uint32(0)
		for _, end := range c.ends {
			lines = append(lines, c.text[from:end])
			from = end
		}
		if int(from) < len(c.text) {
			lines = append(lines, c.text[from:])
		}
	}
	return lines
}

// differ compares lines. When its context ends, the hunks are incomplete.
type differ struct {
	ctx      context.Context
	from, to []string
	hunks    []Hunk
}

// between compares two runs of lines; anchored says that they are worth a
// search for anchors.
func (d *differ) between(i, iEnd, j, jEnd int, anchored bool) {
	for i < iEnd && j < jEnd && d.from[i] == d.to[j] {
		i, j = i+1, j+1
	}
	for i < iEnd && j < jEnd && d.from[iEnd-1] == d.to[jEnd-1] {
		iEnd, jEnd = iEnd-1, jEnd-1
	}
	switch {
	case i == iEnd && j == jEnd:
		return
	case i == iEnd || j == jEnd || !anchored:
		d.hunks = append(d.hunks, Hunk{i, iEnd, j, jEnd})
		return
	}
	for _, a := range d.anchors(i, iEnd, j, jEnd) {
		if a[0] < i || a[1] < j {
			continue // matched from the anchor before
		}
		d.between(i, a[0], j, a[1], false)
		i, j = a[0], a[1]
		for i < iEnd && j < jEnd && d.from[i] == d.to[j] {
			i, j = i+1, j+1
		}
	}
	d.between(i, iEnd, j, jEnd, false)
}

// anchors returns the longest run of pairs of lines that occur once on either
// side, increasing on both.
func (d *differ) anchors(i, iEnd, j, jEnd int) [][2]int {
	seen := newLineTable(iEnd - i)
	for k := i; k < iEnd && !d.isOver(k); k++ {
		seen.addFrom(d.from, k)
	}
	for k := j; k < jEnd && !d.isOver(k); k++ {
		if e := seen.find(d.from, d.to[k]); e != nil {
			e.to = onlyOne(e.to, k)
		}
	}
	var pairs [][2]int
	for _, e := range seen.entries {
		if e.from > 0 && e.to > 0 {
			pairs = append(pairs, [2]int{int(e.line), int(e.to - 1)})
		}
	}
	return increasing(pairs)
}

// isOver looks at the context, once for many lines.
func (d *differ) isOver(line int) bool { return line%(1<<14) == 0 && d.ctx.Err() != nil }

// increasing returns a longest subsequence of pairs whose second members
// increase.
func increasing(pairs [][2]int) [][2]int {
	var ends []int // ends[n]: the pair with the smallest second member that ends a run of n+1
	before := make([]int, len(pairs))
	for k, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] >= p[1] })
		before[k] = -1
		if n > 0 {
			before[k] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, k)
		} else {
			ends[n] = k
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([][2]int, len(ends))
	k := ends[len(ends)-1]
	for n := len(run) - 1; n >= 0; n-- {
		run[n] = pairs[k]
		k = before[k]
	}
	return run
}

// maxEdits is how many edits a diff has at most: editors take seconds over more.
const maxEdits = 10_000

// Diff returns edits that turn a text into another one and touch few of its
// bytes: lines that stay are not mentioned, and of a line that is changed in
// place only what lies between its common ends is replaced. In place of very
// many edits there is one from the first difference to the last.
func Diff(from Text, to string) []Edit {
	edits, _ := DiffContext(context.Background(), from, to)
	return edits
}

// DiffContext is Diff, which takes about half a second for a million lines, until
// the context ends; then the error is that of the context.
func DiffContext(ctx context.Context, from Text, to string) ([]Edit, error) {
	next := NewText(to)
	if from.Equal(next) {
		return nil, ctx.Err()
	}
	var edits []Edit
	hunks, err := diffLines(ctx, from, next)
	if err != nil {
		return nil, err
	}
	for _, h := range hunks {
		for run := range h.runs() {
			if edits = from.diffRun(edits, next, run); len(edits) > maxEdits {
				start, end := edits[0].Span.Start, from.lastEdit(next, hunks).Span.End()
				return []Edit{{SpanFromTo(start, end), to[start : len(to)-(from.Len()-end)]}}, nil
			}
		}
	}
	return edits, nil
}

// runs yields the parts of a hunk that are edited by themselves: line by line
// where it has as many as before.
func (h Hunk) runs() iter.Seq[Hunk] {
	return func(yield func(Hunk) bool) {
		n := h.OldTo - h.OldFrom
		if n != h.NewTo-h.NewFrom {
			yield(h)
			return
		}
		for k := range n {
			if !yield(Hunk{h.OldFrom + k, h.OldFrom + k + 1, h.NewFrom + k, h.NewFrom + k + 1}) {
				return
			}
		}
	}
}

// lastEdit returns the last of the edits that hunks make. A hunk makes one, for
// its first and last lines differ.
func (t Text) lastEdit(next Text, hunks []Hunk) Edit {
	h := hunks[len(hunks)-1]
	if n := h.OldTo - h.OldFrom; n == h.NewTo-h.NewFrom {
		h = Hunk{h.OldTo - 1, h.OldTo, h.NewTo - 1, h.NewTo}
	}
	return t.diffRun(nil, next, h)[0]
}

// diffRun appends the edit of one run of lines, less what its ends share.
func (t Text) diffRun(edits []Edit, next Text, h Hunk) []Edit {
	start, end := t.LineStart(h.OldFrom), t.LineStart(h.OldTo)
	text := next.Slice(SpanFromTo(next.LineStart(h.NewFrom), next.LineStart(h.NewTo)))
	old := t.Slice(SpanFromTo(start, end))
	if old == text {
		return edits
	}
	if h.OldTo-h.OldFrom == 1 && h.NewTo-h.NewFrom == 1 {
		head := commonPrefix(old, text)
		old, text, start = old[head:], text[head:], start+head
		tail := commonSuffix(old, text)
		old, text = old[:len(old)-tail], text[:len(text)-tail]
	}
	return append(edits, Edit{Span{start, len(old)}, text})
}

// commonPrefix and commonSuffix count whole characters and whole line ends: CR LF
// is one line end to an editor, which cannot edit half of it.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	if n > 0 && a[n-1] == '\r' && (strings.HasPrefix(a[n:], "\n") || strings.HasPrefix(b[n:], "\n")) {
		n--
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	if n > 0 && a[len(a)-n] == '\n' && (strings.HasSuffix(a[:len(a)-n], "\r") || strings.HasSuffix(b[:len(b)-n], "\r")) {
		n--
	}
	return n
}
