package statement

import (
	"strings"

	"aiglens/internal/wordline"
)

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
	c    Chunk // being filled; its slices are reused
	// columns and first describe the cover being read.
	columns int
	first   uint32
	out     []*Chunk
	// cut holds when a '\' joins the last line to one after the text.
	cut bool
}

// run reads the statements of the text.
func (l *lexer) run() {
	for l.pos < len(l.s) {
		start := l.pos
		i := SkipBlank(l.s, start)
		if i < len(l.s) && l.s[i] == '.' {
			if len(l.c.Tokens)+len(l.c.rows) >= chunkSize {
				l.finish(start)
			}
			l.directive(start, i)
			continue
		}
		if len(l.c.Stmts) == 0 {
			l.open(start, KindText)
		}
		l.line(i)
	}
	if len(l.c.Stmts) > 0 {
		l.finish(l.pos)
	}
}

// finish closes the chunk before offset end.
func (l *lexer) finish(end int) {
	c := &Chunk{
		Text: l.s[l.base:end], Remarked: l.c.Remarked,
		Stmts: append([]Stmt(nil), l.c.Stmts...), Tokens: append([]Token(nil), l.c.Tokens...),
		Names: append([]Name(nil), l.c.Names...), rows: append([]RawRow(nil), l.c.rows...),
		Pragmas: append([]Pragma(nil), l.c.Pragmas...), Words: append([]Pragma(nil), l.c.Words...), Odd: append([]oddComment(nil), l.c.Odd...), Marks: append([]uint32(nil), l.c.Marks...),
	}
	c.HasNUL = strings.IndexByte(c.Text, 0) >= 0
	for _, st := range c.Stmts {
		c.Remarked = c.Remarked || st.Flags&FlagRemarkable != 0
		c.Annotated = c.Annotated || st.Kind == KindCname || st.Kind == KindAttr || st.Kind == KindParam || st.Kind == KindGateInit
	}
	l.out = append(l.out, c)
	l.c = Chunk{Stmts: l.c.Stmts[:0], Tokens: l.c.Tokens[:0], Names: l.c.Names[:0], rows: l.c.rows[:0], Pragmas: l.c.Pragmas[:0], Words: l.c.Words[:0], Odd: l.c.Odd[:0], Marks: l.c.Marks[:0]}
	l.base = end
}

func (l *lexer) open(start int, k Kind) *Stmt {
	if !k.isLogic() {
		l.c.Marks = append(l.c.Marks, uint32(len(l.c.Stmts)))
	}
	l.c.Stmts = append(l.c.Stmts, Stmt{Start: uint32(start - l.base), Token: uint32(len(l.c.Tokens)), row: uint32(len(l.c.rows)), Kind: k})
	return &l.c.Stmts[len(l.c.Stmts)-1]
}

func (l *lexer) token(from, to int, named bool) {
	l.c.Tokens = append(l.c.Tokens, Token{uint32(from - l.base), uint32(to - from)})
	var id Name
	if named {
		id = l.names.intern(l.s[from:to])
	}
	l.c.Names = append(l.c.Names, id)
}

// directive reads a directive, whose dot is at i, and its arguments.
func (l *lexer) directive(start, i int) {
	end := wordEnd(l.s, i)
	k := kindOf(l.s[i:end])
	st := l.open(start, k)
	if i > start {
		st.Flags |= FlagIndented
	}
	l.token(i, end, false)
	named, pins := k.hasNames(), k.HasPins()
	cell := k.IsInstance()
	for i = end; ; {
		var more bool
		if i, more = l.gap(i, &st.Flags); !more {
			break
		}
		switch {
		case (k == KindAttr || k == KindParam) && len(l.c.Tokens)-int(st.Token) == 2:
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
	l.columns = len(l.c.Tokens) - int(st.Token) - 2
	if !l.isSound(k, l.c.Tokens[st.Token+1:]) {
		st.Flags |= FlagArguments
	}
}

// isSound reports whether the arguments of a frequent directive are of a legal
// shape. Those of the others are looked at when the file is checked.
func (l *lexer) isSound(k Kind, args []Token) bool {
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
			*fl |= FlagComment
			l.trailing(i)
			return LineEnd(s, i), false
		case '\\':
			after := SkipBlank(s, i+1)
			switch {
			case after >= len(s):
				*fl |= FlagBackslash
				l.cut = true
				return len(s), false
			case s[after] == '\n':
				if after > i+1 && s[i+1:after] != "\r" {
					*fl |= FlagJoinSpace
				}
				i = after + 1
			case s[after] == '#' && after > i+1:
				*fl |= FlagJoinSpace
				l.trailing(after)
				i = LineEnd(s, after)
			default:
				return i, true
			}
			if i >= len(s) {
				*fl |= FlagBackslash
				l.cut = true
			}
		default:
			return i, true
		}
	}
	return i, false
}

// pin reads formal=actual at i. White space around the '=' is allowed, as in
// VTR; after it a word with a '=' of its own is the next pin.
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
	eq := SkipBlank(s, end)
	if eq >= len(s) || s[eq] != '=' {
		l.token(end, end, true) // a word without '='
		return end
	}
	from := SkipBlank(s, eq+1)
	to := from
	if from < len(s) && s[from] != '\n' && s[from] != '#' && s[from] != '\\' {
		to = wordEnd(s, from)
	}
	next := SkipBlank(s, to)
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

// line reads a line that is not a directive and whose first visible byte is at i.
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
		l.pos = LineEnd(s, i)
		l.pragma(i)
		if end := i + len(strings.TrimRight(s[i:l.pos], "\r\n")); s[end-1] == '\\' {
			l.oddComment(end-1, 1, true)
		}
		return
	case '\\':
		if continues(s, i) { // a blank line joined to the next one
			st := &l.c.Stmts[len(l.c.Stmts)-1]
			var fl flags
			j, more := l.gap(i, &fl)
			st.Flags |= fl & (FlagJoinSpace | FlagBackslash)
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
			l.trailing(j)
			j = LineEnd(s, j) - 1
			if s[j] != '\n' {
				j++
			}
			continue
		}
		return false
	}
	l.pos = min(j+1, len(s))
	l.c.Stmts[len(l.c.Stmts)-1].Flags |= fl
	l.addRow(i, uint32(width)<<2|uint32(s[out]&1))
	return true
}

// skipJoined skips white space and joined line ends. A '\' in the last line stays.
func skipJoined(s string, i int, fl *flags) int {
	for i = SkipBlank(s, i); i < len(s) && s[i] == '\\'; {
		end := SkipBlank(s, i+1)
		if end+1 >= len(s) || s[end] != '\n' {
			break
		}
		if end > i+1 && s[i+1:end] != "\r" {
			*fl |= FlagJoinSpace
		}
		i = SkipBlank(s, end+1)
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
		for j < len(s) && !IsBlank(s[j]) && s[j] != '\n' && s[j] != '#' && !isJoin(s, j) {
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
	st := &l.c.Stmts[len(l.c.Stmts)-1]
	st.Flags |= fl & (FlagJoinSpace | FlagBackslash)
	l.addRow(i, uint32(max(end, i+1)-i)<<2|rowOdd)
}

func (l *lexer) addRow(i int, shape uint32) {
	st := &l.c.Stmts[len(l.c.Stmts)-1]
	r := RawRow{uint32(i - l.base), shape}
	switch st.Kind {
	case KindNames:
		if int(st.row) == len(l.c.rows) {
			l.first = shape & 1
			if shape&1 == 0 {
				st.Flags |= FlagOffSet
			}
		}
		if r.IsOdd() || r.Width() != l.columns || shape&1 != l.first {
			st.Flags |= FlagCover
		}
	case KindStartKiss, KindKissHeader, KindUnknown, KindMV:
	default:
		st.Flags |= FlagStray
	}
	l.c.rows = append(l.c.rows, r)
}

// pragma keeps a comment line that starts with "# prop:" or "# word:".
func (l *lexer) pragma(i int) {
	s := l.s[i:l.pos]
	at := SkipBlank(s, 1)
	if strings.HasPrefix(s[at:], wordline.Prefix) {
		l.word(i, at)
		return
	}
	if !strings.HasPrefix(s[at:], "prop:") {
		if n := PropertyPrefix(s); n > 0 {
			l.oddComment(i, n, false)
		}
		return
	}
	p := Pragma{Statement: uint32(len(l.c.Stmts) - 1), Start: uint32(i - l.base)}
	for j := at + len("prop:"); ; {
		j = SkipBlank(s, j)
		if j >= len(s) || s[j] == '\n' {
			break
		}
		end := j
		if s[j] == '"' {
			end = l.valueEnd(i+j) - i
		} else {
			for end < len(s) && !IsBlank(s[end]) && s[end] != '\n' {
				end++
			}
		}
		p.Tokens = append(p.Tokens, Token{uint32(i + j - l.base), uint32(end - j)})
		p.Names = append(p.Names, l.names.intern(s[j:end]))
		j = end
	}
	l.c.Pragmas = append(l.c.Pragmas, p)
}

// word keeps a comment line that makes a word, from which on the text says so.
func (l *lexer) word(i, at int) {
	w := Pragma{Statement: uint32(len(l.c.Stmts) - 1), Start: uint32(i - l.base)}
	for _, b := range wordline.Read(l.s[i:LineEnd(l.s, i)], at).Bits {
		if !b.IsMissing {
			w.Tokens = append(w.Tokens, Token{uint32(i + b.Name.From - l.base), uint32(b.Name.To - b.Name.From)})
			w.Names = append(w.Names, l.names.intern(b.Name.Text))
		}
	}
	l.c.Words = append(l.c.Words, w)
}

// IsBlank reports whether a byte is white space within a line.
func IsBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// SkipBlank returns the offset of the first byte from i on that is not blank.
func SkipBlank(s string, i int) int {
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

// LineEnd returns the start of the line after offset i.
func LineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}
