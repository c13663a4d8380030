package blif

import "strings"

// chunkSize is the number of tokens and rows at which a chunk ends. An edit
// reads one or two chunks again.
const chunkSize = 1500

// lexer cuts text into statements. It looks at each byte once and keeps no
// state from one statement to the next but the chunk that it fills.
type lexer struct {
	s     string
	pos   int
	names *interner // locked

	base int   // where the chunk starts
	c    chunk // being filled; its slices are reused
	// columns and first describe the cover being read.
	columns int
	first   uint32
	out     []*chunk
	// cut holds when a '\' joins the last line to one behind the text.
	cut bool
}

// run reads the statements of the text.
func (l *lexer) run() {
	for l.pos < len(l.s) {
		start := l.pos
		i := skipBlank(l.s, start)
		if i < len(l.s) && l.s[i] == '.' {
			if len(l.c.toks)+len(l.c.rows) >= chunkSize {
				l.finish(start)
			}
			l.directive(start, i)
			continue
		}
		if len(l.c.stmts) == 0 {
			l.open(start, KindText)
		}
		l.line(i)
	}
	if len(l.c.stmts) > 0 {
		l.finish(l.pos)
	}
}

// finish closes the chunk before offset end.
func (l *lexer) finish(end int) {
	c := &chunk{
		text: l.s[l.base:end], remarked: l.c.remarked,
		stmts: append([]stmt(nil), l.c.stmts...), toks: append([]tok(nil), l.c.toks...),
		ids: append([]name(nil), l.c.ids...), rows: append([]row(nil), l.c.rows...),
		pragmas: append([]pragma(nil), l.c.pragmas...), odd: append([]oddComment(nil), l.c.odd...), marks: append([]uint32(nil), l.c.marks...),
	}
	for _, st := range c.stmts {
		c.remarked = c.remarked || st.flags&flagRemarkable != 0
		c.annotated = c.annotated || st.kind == KindCname || st.kind == KindAttr || st.kind == KindParam || st.kind == KindGateInit
	}
	l.out = append(l.out, c)
	l.c = chunk{stmts: l.c.stmts[:0], toks: l.c.toks[:0], ids: l.c.ids[:0], rows: l.c.rows[:0], pragmas: l.c.pragmas[:0], odd: l.c.odd[:0], marks: l.c.marks[:0]}
	l.base = end
}

func (l *lexer) open(start int, k Kind) *stmt {
	if !k.isLogic() {
		l.c.marks = append(l.c.marks, uint32(len(l.c.stmts)))
	}
	l.c.stmts = append(l.c.stmts, stmt{start: uint32(start - l.base), tok: uint32(len(l.c.toks)), row: uint32(len(l.c.rows)), kind: k})
	return &l.c.stmts[len(l.c.stmts)-1]
}

func (l *lexer) token(from, to int, named bool) {
	l.c.toks = append(l.c.toks, tok{uint32(from - l.base), uint32(to - from)})
	var id name
	if named {
		id = l.names.intern(l.s[from:to])
	}
	l.c.ids = append(l.c.ids, id)
}

// directive reads a directive, whose dot is at i, and its arguments.
func (l *lexer) directive(start, i int) {
	end := wordEnd(l.s, i)
	k := kindOf(l.s[i:end])
	st := l.open(start, k)
	if i > start {
		st.flags |= flagIndented
	}
	l.token(i, end, false)
	named, pins := k.hasNames(), k.hasPins()
	cell := k.isInstance()
	for i = end; ; {
		var more bool
		if i, more = l.gap(i, &st.flags); !more {
			break
		}
		switch {
		case (k == KindAttr || k == KindParam) && len(l.c.toks)-int(st.tok) == 2:
			end = l.valueEnd(i)
			l.token(i, end, false)
		case pins && !cell:
			end = l.pin(i)
		default:
			end = wordEnd(l.s, i)
			l.token(i, end, named)
			cell = false
		}
		i = end
	}
	l.pos = i
	l.columns = len(l.c.toks) - int(st.tok) - 2
	if !l.isSound(k, l.c.toks[st.tok+1:]) {
		st.flags |= flagArguments
	}
}

// isSound reports whether the arguments of a frequent directive are of a legal
// shape. Those of the others are looked at when the file is checked.
func (l *lexer) isSound(k Kind, args []tok) bool {
	switch k {
	case KindNames:
		return len(args) > 0
	case KindLatch:
		return l.latchFault(args) == latchSound
	case KindAttr, KindParam, KindCname:
		return len(args) > 0
	case KindConn, KindShort:
		return len(args) == 2
	}
	return true
}

// latchFault is what is wrong with the arguments of a .latch.
type latchFault uint8

const (
	latchSound latchFault = iota
	latchCount
	latchInit
	latchType
	latchNoControl
)

// latchFault checks the four legal shapes of a .latch.
func (l *lexer) latchFault(args []tok) latchFault {
	word := func(i int) string { return l.s[l.base+int(args[i].start):][:args[i].length] }
	return latchFaultOf(len(args), word)
}

func latchFaultOf(n int, word func(i int) string) latchFault {
	switch {
	case n < 2 || n > 5:
		return latchCount
	case n == 3 && isLatchType(word(2)):
		return latchNoControl
	case n == 3 && !isInitialValue(word(2)):
		return latchInit
	case n >= 4 && !isLatchType(word(2)):
		return latchType
	case n == 4 && isInitialValue(word(3)):
		return latchNoControl
	case n == 5 && !isInitialValue(word(4)):
		return latchInit
	}
	return latchSound
}

func isLatchType(word string) bool {
	switch word {
	case "re", "fe", "ah", "al", "as":
		return true
	}
	return false
}

// gap skips white space, joined line ends and the comment at the end of a
// directive. more says that a word follows at the offset returned; otherwise
// that is the start of the next line.
func (l *lexer) gap(i int, fl *flags) (next int, more bool) {
	s := l.s
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', '\r':
			i++
		case '\n':
			return i + 1, false
		case '#':
			*fl |= flagComment
			l.behind(i)
			return lineEnd(s, i), false
		case '\\':
			after := skipBlank(s, i+1)
			switch {
			case after >= len(s):
				*fl |= flagBackslash
				l.cut = true
				return len(s), false
			case s[after] == '\n':
				if after > i+1 && s[i+1:after] != "\r" {
					*fl |= flagJoinSpace
				}
				i = after + 1
			case s[after] == '#' && after > i+1:
				*fl |= flagJoinSpace
				l.behind(after)
				i = lineEnd(s, after)
			default:
				return i, true
			}
			if i >= len(s) {
				*fl |= flagBackslash
				l.cut = true
			}
		default:
			return i, true
		}
	}
	return i, false
}

// pin reads formal=actual at i. White space around the '=' is allowed, as in
// VTR; behind it a word with a '=' of its own is the next pin.
func (l *lexer) pin(i int) (end int) {
	s := l.s
	end = wordEnd(s, i)
	if eq := strings.IndexByte(s[i:end], '='); eq > 0 {
		l.token(i, i+eq, true)
		if i+eq+1 < end {
			l.token(i+eq+1, end, true)
			return end
		}
		end = i + eq
	} else {
		l.token(i, end, true)
	}
	eq := skipBlank(s, end)
	if eq >= len(s) || s[eq] != '=' {
		l.token(end, end, true) // a word without '='
		return end
	}
	from := skipBlank(s, eq+1)
	to := from
	if from < len(s) && s[from] != '\n' && s[from] != '#' && s[from] != '\\' {
		to = wordEnd(s, from)
	}
	next := skipBlank(s, to)
	if to == from || from > eq+1 && (strings.IndexByte(s[from:to], '=') >= 0 || next < len(s) && s[next] == '=') {
		l.token(eq+1, eq+1, true) // open
		return eq + 1
	}
	l.token(from, to, true)
	return to
}

// valueEnd returns the end of the value of an attribute at i: a string in
// quotes, or else a word.
func (l *lexer) valueEnd(i int) int {
	if l.s[i] == '"' {
		for j := i + 1; j < len(l.s) && l.s[j] != '\n'; j++ {
			switch l.s[j] {
			case '\\':
				if j+1 < len(l.s) && l.s[j+1] != '\n' {
					j++
				}
			case '"':
				return j + 1
			}
		}
	}
	return wordEnd(l.s, i)
}

// line reads a line that is no directive and whose first visible byte is at i.
func (l *lexer) line(i int) {
	s := l.s
	if i >= len(s) {
		l.pos = len(s)
		return
	}
	switch s[i] {
	case '\n':
		l.pos = i + 1
		return
	case '#':
		l.pos = lineEnd(s, i)
		l.pragma(i)
		if end := i + len(strings.TrimRight(s[i:l.pos], "\r\n")); s[end-1] == '\\' {
			l.oddComment(end-1, 1, CodeCommentJoin)
		}
		return
	case '\\':
		if continues(s, i) { // a blank line joined to the next one
			st := &l.c.stmts[len(l.c.stmts)-1]
			var fl flags
			j, more := l.gap(i, &fl)
			st.flags |= fl & (flagJoinSpace | flagBackslash)
			if !more {
				l.pos = j
				return
			}
			i = j
		}
	}
	if !l.cube(i) {
		l.oddRow(i)
	}
}

// cube reads a row of 0, 1 and - with an output; false when it is none.
func (l *lexer) cube(i int) bool {
	s := l.s
	j := i
	for j < len(s) && (s[j] == '1' || s[j] == '-' || s[j] == '0') {
		j++
	}
	width, out := j-i, j
	var fl flags
	if next := skipJoined(s, j, &fl); next > j && width > 0 {
		j = next
		if j < len(s) && (s[j] == '0' || s[j] == '1') {
			out = j
			j++
		}
	}
	if out == i+width { // one word: the output of a constant
		if width != 1 || s[i] == '-' || l.columns > 0 {
			return false
		}
		width, out = 0, i
	}
	for j = skipJoined(s, j, &fl); j < len(s) && s[j] != '\n'; {
		switch s[j] {
		case '#':
			l.behind(j)
			j = lineEnd(s, j) - 1
			if s[j] != '\n' {
				j++
			}
			continue
		}
		return false
	}
	l.pos = min(j+1, len(s))
	l.c.stmts[len(l.c.stmts)-1].flags |= fl
	l.addRow(i, uint32(width)<<2|uint32(s[out]&1))
	return true
}

// skipJoined skips white space and joined line ends. A '\' in the last line stays.
func skipJoined(s string, i int, fl *flags) int {
	for i = skipBlank(s, i); i < len(s) && s[i] == '\\'; {
		end := skipBlank(s, i+1)
		if end+1 >= len(s) || s[end] != '\n' {
			break
		}
		if end > i+1 && s[i+1:end] != "\r" {
			*fl |= flagJoinSpace
		}
		i = skipBlank(s, end+1)
	}
	return i
}

// oddRow reads any other line, with those that a '\' joins to it.
func (l *lexer) oddRow(i int) {
	s := l.s
	end := i
	var fl flags
	j := i
	for {
		for j < len(s) && !isBlank(s[j]) && s[j] != '\n' && s[j] != '#' && !isJoin(s, j) {
			j++
		}
		end = max(end, j)
		var more bool
		if j, more = l.gap(j, &fl); !more {
			break
		}
		if s[j] == '\\' && j == end {
			j++
		}
	}
	l.pos = max(j, i+1)
	st := &l.c.stmts[len(l.c.stmts)-1]
	st.flags |= fl & (flagJoinSpace | flagBackslash)
	l.addRow(i, uint32(max(end, i+1)-i)<<2|rowOdd)
}

func (l *lexer) addRow(i int, shape uint32) {
	st := &l.c.stmts[len(l.c.stmts)-1]
	r := row{uint32(i - l.base), shape}
	switch st.kind {
	case KindNames:
		if int(st.row) == len(l.c.rows) {
			l.first = shape & 1
			if shape&1 == 0 {
				st.flags |= flagOffSet
			}
		}
		if r.isOdd() || r.width() != l.columns || shape&1 != l.first {
			st.flags |= flagCover
		}
	case KindStartKiss, KindKissHeader, KindUnknown, KindMV:
	default:
		st.flags |= flagStray
	}
	l.c.rows = append(l.c.rows, r)
}

// pragma keeps a comment line that starts with "# prop:".
func (l *lexer) pragma(i int) {
	s := l.s[i:l.pos]
	at := skipBlank(s, 1)
	if !strings.HasPrefix(s[at:], "prop:") {
		if n := propertyPrefix(s); n > 0 {
			l.oddComment(i, n, CodePragmaIgnored)
		}
		return
	}
	p := pragma{stmt: uint32(len(l.c.stmts) - 1), start: uint32(i - l.base)}
	for j := at + len("prop:"); ; {
		j = skipBlank(s, j)
		if j >= len(s) || s[j] == '\n' {
			break
		}
		end := j
		if s[j] == '"' {
			end = l.valueEnd(i+j) - i
		} else {
			for end < len(s) && !isBlank(s[end]) && s[end] != '\n' {
				end++
			}
		}
		p.toks = append(p.toks, tok{uint32(i + j - l.base), uint32(end - j)})
		p.ids = append(p.ids, l.names.intern(s[j:end]))
		j = end
	}
	l.c.pragmas = append(l.c.pragmas, p)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// wordEnd returns the end of the word at i, which is at least one byte long. A
// word ends before white space, '#' and a '\' that joins lines.
func wordEnd(s string, i int) int {
	for j := i; j < len(s); j++ {
		switch s[j] {
		case ' ', '\t', '\n', '\r', '#':
			return max(j, i+1)
		case '\\':
			if j > i && isJoin(s, j) {
				return j
			}
		}
	}
	return len(s)
}

// isJoin reports whether the '\' at i is the last byte of its line.
func isJoin(s string, i int) bool {
	if s[i] != '\\' {
		return false
	}
	return i+1 >= len(s) || s[i+1] == '\n' || s[i+1] == '\r' && i+2 < len(s) && s[i+2] == '\n'
}

// lineEnd returns the start of the line behind offset i.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}
