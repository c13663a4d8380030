package syntax

import "strings"

// Numbers is a line of the body as numbers, 16 bytes whatever its length. Columns
// are not kept: a caller that needs them reads the line again.
type Numbers struct {
	Num   [3]uint32 // the first numbers; MaxUint32 for one that does not fit
	N     uint8     // how many numbers the line starts with; 4 stands for more than three
	flags rowFlags
}

type rowFlags uint8

const (
	rowText  rowFlags = 1 << iota // holds something that is not a number
	rowSpace                      // separators other than single spaces
	rowCR                         // ends in CR LF
	rowZero                       // a number has a leading zero
	rowHuge                       // a number exceeds 32 bits
)

// IsSound reports whether the line holds numbers only, all of which fit.
func (r Numbers) IsSound() bool { return r.flags&(rowText|rowHuge) == 0 }

// defines returns the variable that the row defines if its section holds
// definitions; ok is false for the constant and for what is not a number.
func (r Numbers) defines() (v uint32, ok bool) {
	isHuge := r.flags&rowHuge != 0 && r.Num[0] == maxLit
	return r.Num[0] >> 1, r.N > 0 && r.Num[0] > 1 && !isHuge
}

// lexRow reads the line of s that starts at pos and returns the start of the
// next one.
func lexRow(s string, pos int) (r Numbers, next int) {
	next = r.lex(s, pos)
	return r, next
}

// lex is lexRow into a row that is zero.
func (r *Numbers) lex(s string, pos int) (next int) {
	i := pos
	for {
		start := i
		var v uint64
		for ; i < len(s); i++ {
			c := s[i] - '0'
			if c > 9 {
				break
			}
			v = v*10 + uint64(c)
		}
		digits := i - start
		if digits == 0 || digits > 10 || v > maxLit || r.N == 3 {
			*r, next = lexOddRow(s, pos)
			return next
		}
		if digits > 1 && s[start] == '0' {
			r.flags |= rowZero
		}
		r.Num[r.N] = uint32(v)
		r.N++
		switch {
		case i == len(s):
			return i
		case s[i] == '\n':
			return i + 1
		case s[i] == ' ':
			i++
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			r.flags |= rowCR
			return i + 2
		default:
			*r, next = lexOddRow(s, pos)
			return next
		}
	}
}

// lexRows reads lines of s from pos on into rows, which are zero, as long as
// there is room and the lines start with a digit.
func lexRows(rows []Numbers, s string, pos int) (n, next int) {
	for n < len(rows) && pos < len(s) && isDigit(s[pos]) {
		pos = rows[n].lex(s, pos)
		n++
	}
	return n, pos
}

const maxLit = 1<<32 - 1

// lexOddRow is lexRow for lines that are not what the format asks for.
func lexOddRow(s string, pos int) (Numbers, int) {
	line, next := lineAt(s, pos)
	var r Numbers
	if strings.HasSuffix(line, "\r") {
		r.flags |= rowCR
		line = line[:len(line)-1]
	}
	end := 0
	for i, t := range tokens(line) {
		if t.start-end != min(i, 1) || end > 0 && line[end] != ' ' {
			r.flags |= rowSpace
		}
		end = t.end
		if !t.isNumber || r.flags&rowText != 0 {
			r.flags |= rowText
			continue
		}
		if t.leadingZero {
			r.flags |= rowZero
		}
		if t.isHuge {
			r.flags |= rowHuge
		}
		if r.N < 3 {
			r.Num[r.N] = t.value
		}
		r.N = min(r.N+1, 4)
	}
	if end != len(line) {
		r.flags |= rowSpace
	}
	return r, next
}

// lineAt returns the line of s at pos without its end, and the start of the
// next one.
func lineAt(s string, pos int) (line string, next int) {
	if n := strings.IndexByte(s[pos:], '\n'); n >= 0 {
		return s[pos : pos+n], pos + n + 1
	}
	return s[pos:], len(s)
}

// token is a word of a line.
type token struct {
	start, end  int
	value       uint32 // of a number; maxLit when it is huge
	isNumber    bool
	isHuge      bool
	leadingZero bool
}

// tokens splits a line at white space of any kind.
func tokens(line string) []token {
	var ts []token
	for i := 0; i < len(line); {
		if isSpace(line[i]) {
			i++
			continue
		}
		t := token{start: i, isNumber: true}
		var v uint64
		for ; i < len(line) && !isSpace(line[i]); i++ {
			if !isDigit(line[i]) {
				t.isNumber = false
			}
			v = min(v*10+uint64(line[i]-'0'), maxLit+1)
		}
		t.end = i
		t.isHuge = t.isNumber && v > maxLit
		t.leadingZero = t.isNumber && t.end-t.start > 1 && line[t.start] == '0'
		t.value = uint32(min(v, maxLit))
		ts = append(ts, t)
	}
	return ts
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

func isDigit(c byte) bool { return c-'0' <= 9 }

// lineClass says what a line looks like, whatever section it stands in.
type lineClass uint8

const (
	lineBlank   lineClass = iota
	lineRow               // starts with a number
	lineSymbol            // starts with a symbol kind and a digit
	lineComment           // just c
	lineText              // anything else
)

// symbolKinds holds the first letters of symbol lines in the order of the
// sections that they name.
const symbolKinds = "ilobcjf"

func classify(line string) lineClass {
	trimmed := strings.TrimRight(line, " \t\r\v\f")
	first := strings.TrimLeft(trimmed, " \t\r\v\f")
	switch {
	case first == "":
		return lineBlank
	case isDigit(first[0]):
		return lineRow
	case trimmed == "c":
		return lineComment
	case len(line) > 1 && strings.IndexByte(symbolKinds, line[0]) >= 0 && isDigit(line[1]):
		return lineSymbol
	}
	return lineText
}
