package syntax

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"aiglens/internal/source"
)

// Bounds of numbers, those of Btor2Tools.
const (
	maxID    = 1<<40 - 1
	maxWidth = 1<<31 - 1
)

// MaxWidth is the largest width that is read: beyond it constants alone take more memory than there is.
const MaxWidth = 1 << 18

// notNumber stands for a word that is not the number that the row needs there.
const notNumber = -1 << 62

// oddity says what is remarkable about the way in which a row is written. A row with one is looked at again.
type oddity uint16

const (
	oddBlanks  oddity = 1 << iota // other white space than one blank between two words, or a blank at the end
	oddTab                        // a tab before the comment
	oddCR                         // a CR at the end of the line
	oddComment                    // a comment follows without a blank
	oddID                         // the number of the row is missing or malformed
	oddTag                        // the tag is missing, unknown, or in upper case
	oddWord                       // a word is not the number, or the kind of sort, that is needed
	oddMissing                    // words are missing
	oddSurplus                    // words follow the symbol
	oddSymbol                     // the symbol looks like a number
	oddAside                      // the line of a comment that is to make a property
)

// word is a word of a line, from one byte to another.
type word struct{ from, to int }

func (w word) in(line string) string    { return line[w.from:w.to] }
func (w word) at(start int) source.Span { return source.SpanFromTo(start+w.from, start+w.to) }

// scan is a line taken to pieces. Its slices are used again for the next line.
type scan struct {
	line    string
	id, tag word // empty where there is none
	// words are those after the tag that the row needs; args are their values: the sort first where there
	// is one, ids with their signs, then the numbers. The digits of a constant stand for 1, and measure puts the
	// least width that holds them there. In a sort row the kind of sort is no argument.
	words   []word
	args    []int64
	symbol  word   // empty where there is none
	surplus []word // after the symbol
	label   word   // of an aside; empty where there is none
	comment int    // where the comment starts, or the length of the line
	number  int64  // 0 where there is none
	op      Op
	array   bool // of a sort row
	needed  int  // how many args the row needs
	odd     oddity

	next int // the first byte that is not read
}

// read takes a line apart. It reports whether there is a row on it.
func (s *scan) read(line string) bool {
	*s = scan{line: line, words: s.words[:0], args: s.args[:0], surplus: s.surplus[:0], comment: len(line)}
	w, ok := s.word(true)
	if !ok {
		return s.comment < len(line) && s.readAside()
	}
	s.readID(w)
	s.readOperands()
	s.readEnd()
	return true
}

// word returns the next word. One that may not hold a ';' ends before it.
func (s *scan) word(endsAtComment bool) (word, bool) {
	i, line := s.next, s.line
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	if gap := line[s.next:i]; gap != " " || i == len(line) {
		s.odd |= s.oddGap(gap, i == len(line))
	}
	if s.next = i; i == len(line) {
		return word{i, i}, false
	}
	if line[i] == ';' {
		s.comment, s.next = i, len(line)
		return word{i, i}, false
	}
	for i < len(line) && !isBlank(line[i]) && !(endsAtComment && line[i] == ';') {
		i++
	}
	from := s.next
	s.next = i
	return word{from, i}, true
}

// oddGap says what is remarkable about the white space before a word or a comment, or at the end of the line.
func (s *scan) oddGap(gap string, atEnd bool) (odd oddity) {
	plain := strings.TrimSuffix(gap, "\r")
	switch {
	case s.comment < len(s.line): // all is read
		return 0
	case strings.Contains(gap, "\t"):
		odd |= oddTab
	case atEnd && plain != "" && s.hasBegun(), !atEnd && gap != "" && s.hasBegun(), strings.Contains(plain, "\r"):
		odd |= oddBlanks
	case !atEnd && gap == "" && s.hasBegun():
		odd |= oddComment
	}
	if atEnd && len(plain) < len(gap) {
		odd |= oddCR
	}
	return odd
}

// hasBegun reports whether a word of the row has been read.
func (s *scan) hasBegun() bool { return s.id.to > 0 || s.tag.to > 0 }

// readID reads the number of the row and its tag; w is the first word.
func (s *scan) readID(w word) {
	if first := s.line[w.from]; 'a' <= first && first <= 'z' && OpOf(w.in(s.line)) != NoOp { // the number is missing
		s.id, s.tag, s.odd = word{w.from, w.from}, w, s.odd|oddID
		s.op = OpOf(w.in(s.line))
		return
	}
	s.id = w
	digits, hasMark := strings.CutPrefix(w.in(s.line), byteOrderMark)
	if s.number = number(digits, maxID); s.number <= 0 || digits[0] == '0' || hasMark {
		s.odd |= oddID
		s.number = max(s.number, 0)
	}
	tag, ok := s.word(true)
	if s.tag = tag; !ok {
		s.odd |= oddTag
		return
	}
	if s.op = OpOf(tag.in(s.line)); s.op == NoOp {
		s.odd |= oddTag
		s.op = OpOf(lower(tag.in(s.line)))
	}
}

// readOperands reads what the tag needs.
func (s *scan) readOperands() {
	switch op := s.op; {
	case op == NoOp:
		return
	case op == SortRow:
		s.readSort()
	case op == Justice:
		s.needed = 1
		if s.plain(maxWidth) {
			s.needed = 1 + int(min(s.args[0], int64(len(s.line))))
		}
		s.operands(s.needed - 1)
	default:
		s.needed = op.Operands() + op.Numbers()
		if op.HasSort() {
			s.needed++
			if op.hasDigits() {
				s.needed++
			}
			if !s.operands(1) {
				return
			}
		}
		switch {
		case op.hasDigits():
			s.digits()
		case s.operands(op.Operands()):
			for range op.Numbers() {
				if !s.plain(maxWidth) {
					return
				}
			}
		}
	}
}

// readSort reads the kind of a sort and what it needs.
func (s *scan) readSort() {
	s.needed = 1
	kind, ok := s.word(true)
	if !ok {
		s.odd |= oddMissing
		return
	}
	s.words = append(s.words, kind)
	switch name := kind.in(s.line); {
	case name == "bitvec":
		s.plain(maxWidth)
	case name == "array":
		s.array, s.needed = true, 2
		s.operands(2)
	default:
		s.odd |= oddWord
		s.needed = 0
		for { // do not take the rest for a symbol
			w, ok := s.word(true)
			if !ok {
				return
			}
			s.words = append(s.words, w)
		}
	}
}

// operands reads n ids; false when some are missing.
func (s *scan) operands(n int) bool {
	for range n {
		w, ok := s.word(true)
		if !ok {
			s.odd |= oddMissing
			return false
		}
		s.words = append(s.words, w)
		s.args = append(s.args, s.operand(w.in(s.line)))
	}
	return true
}

// operand returns the id that a word is, with its sign.
func (s *scan) operand(w string) int64 {
	digits := w
	if w[0] == '-' {
		digits = w[1:]
	}
	n := number(digits, maxID)
	if n <= 0 {
		s.odd |= oddWord
		return notNumber
	}
	if digits[0] == '0' {
		s.odd |= oddWord
	}
	if len(digits) < len(w) {
		return -n
	}
	return n
}

// plain reads a number; false when there is none.
func (s *scan) plain(most int64) bool {
	w, ok := s.word(true)
	if !ok {
		s.odd |= oddMissing
		return false
	}
	n := number(w.in(s.line), most)
	if n < 0 {
		n = notNumber
	}
	if n < 0 || s.line[w.from] == '0' && w.to > w.from+1 {
		s.odd |= oddWord
	}
	s.words, s.args = append(s.words, w), append(s.args, n)
	return n >= 0
}

// digits reads the digits of a constant.
func (s *scan) digits() {
	w, ok := s.word(true)
	if !ok {
		s.odd |= oddMissing
		return
	}
	value := int64(1)
	if !suits(s.op, w.in(s.line)) {
		s.odd |= oddWord
		value = notNumber
	}
	s.words, s.args = append(s.words, w), append(s.args, value)
}

// measure puts the least width of a constant in the place of its digits. It takes long for many digits, and so is left
// out where a row is only taken apart again.
func (s *scan) measure() {
	if s.op.hasDigits() && len(s.args) > 1 && s.args[1] != notNumber {
		s.args[1] = leastWidth(s.op, s.words[1].in(s.line))
	}
}

// readEnd reads the symbol, and what should not follow it.
func (s *scan) readEnd() {
	if s.odd&(oddTag|oddMissing) != 0 && s.op == NoOp {
		for { // of an unknown row nothing is known
			w, ok := s.word(true)
			if !ok {
				return
			}
			s.words = append(s.words, w)
		}
	}
	w, ok := s.word(false)
	if !ok {
		return
	}
	s.symbol = w
	if digits := strings.TrimPrefix(w.in(s.line), "-"); number(digits, 1<<61) >= 0 {
		s.odd |= oddSymbol
	}
	for {
		w, ok := s.word(false)
		if !ok {
			return
		}
		s.surplus = append(s.surplus, w)
		s.odd |= oddSurplus
	}
}

// byteOrderMark is what some editors write at the start of a text.
const byteOrderMark = "\ufeff"

// number returns the number that digits are, or -1 when they are none or more than most.
func number(digits string, most int64) int64 {
	n := int64(0)
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 || n > (1<<62)/10 {
			return -1
		}
		if n = 10*n + int64(d); n > most {
			return -1
		}
	}
	if digits == "" {
		return -1
	}
	return n
}

// suits reports whether digits are of the radix of a constant; a decimal number may have a sign.
func suits(op Op, digits string) bool {
	if op == Constd && digits[0] == '-' {
		digits = digits[1:]
	}
	for i := range len(digits) {
		c := digits[i]
		_, ok := hexDigit(c)
		if !ok || op == Constd && c > '9' || op == Const && c > '1' {
			return false
		}
	}
	return digits != ""
}

// leastWidth returns the least width that holds the digits of a constant, which suit it; for const their number. It is
// no more than MaxWidth + 1 for a decimal number that takes more.
func leastWidth(op Op, digits string) int64 {
	switch op {
	case Const:
		return int64(len(digits))
	case Consth:
		for len(digits) > 1 && digits[0] == '0' {
			digits = digits[1:]
		}
		first, _ := hexDigit(digits[0])
		return max(1, int64(bits.Len(uint(first)))+4*int64(len(digits)-1))
	default:
		return min(decimalWidth(digits), MaxWidth+1)
	}
}

// maxDecimals is a bound on the digits of a decimal number of MaxWidth bits: log10 2 is below 0.30103.
const maxDecimals = MaxWidth*30103/100000 + 1

func decimalWidth(digits string) int64 {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		if n < 0 {
			return int64(bits.Len64(uint64(-n-1))) + 1
		}
		return max(1, int64(bits.Len64(uint64(n))))
	}
	if len(strings.TrimLeft(digits, "-0")) > maxDecimals {
		return MaxWidth + 1
	}
	n, _ := new(big.Int).SetString(digits, 10)
	if n.Sign() < 0 {
		return int64(n.Not(n).BitLen()) + 1
	}
	return int64(n.BitLen())
}

func hexDigit(c byte) (int, bool) {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0'), true
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10, true
	}
	return 0, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// lower returns the word with small letters if it is one of few letters, else as it is.
func lower(w string) string {
	if len(w) > maxTag {
		return w
	}
	b := []byte(w)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// maxTag is the length of the longest tag.
const maxTag = len("constraint")

// hasDigits reports whether the row is a constant that is written out.
func (o Op) hasDigits() bool { return Const <= o && o <= Consth }
