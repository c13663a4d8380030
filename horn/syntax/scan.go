package syntax

import (
	"strings"

	"aiglens/horn/term"
	"aiglens/internal/source"
)

// kind says what a node of a form is.
type kind uint8

const (
	kindList   kind = iota // ( … )
	kindSymbol             // also between bars
	kindKeyword
	kindNumeral
	kindDecimal
	kindBits   // #b101, #x1F
	kindString // "…"
	kindBad    // what no token starts with
)

// node is a token or a list. The nodes of a form stand in the order of the text, each list before what it holds.
type node struct {
	start, end uint32 // in the text of the form
	next       uint32 // the place of the first node that is not inside of this one
	kind       kind
}

// fault is something wrong with the characters of a form.
type fault struct {
	kind       faultKind
	start, end uint32
	open       uint32 // of faultOpen: the parenthesis that is open
}

type faultKind uint8

const (
	faultOpen      faultKind = iota // a list has no end
	faultSurplus                    // ')' without '('
	faultStray                      // a word outside of all lists
	faultCharacter                  // a character that no word holds
	faultBar                        // a symbol between bars has no end
	faultString                     // a string has no end
	faultNumber                     // digits and other characters
	faultZero                       // a number starts with a 0 too many
	faultDeep                       // lists are nested too deeply
)

// maxDepth is how deeply lists can be nested. Files that tools write nest lists of some thousands.
const maxDepth = 20_000

// form is a run of a text: a list that stands in no other, with the blanks and comments before it. What stands after
// the last list is a form without nodes, and what is no list is a form with a fault.
//
// The forms of a text follow each other without gap. Where one ends depends only on the text from its start, on the
// word after its end, and on which commands the text declares as symbols. Versions of a file share forms; they are never changed.
type form struct {
	text   string
	nodes  []node
	faults []fault
}

// word returns the text of a node.
func (f *form) word(i int) string { return f.text[f.nodes[i].start:f.nodes[i].end] }

// span returns the place of a node in the form.
func (f *form) span(i int) source.Span {
	return source.SpanFromTo(int(f.nodes[i].start), int(f.nodes[i].end))
}

// name returns what a symbol is called: without the bars around it.
func (f *form) name(i int) string { return unquoted(f.word(i)) }

func unquoted(symbol string) string {
	if len(symbol) >= 2 && symbol[0] == '|' && symbol[len(symbol)-1] == '|' {
		return symbol[1 : len(symbol)-1]
	}
	return symbol
}

// args returns the nodes that a list holds.
func (f *form) args(i int) []int {
	var args []int
	if f.nodes[i].kind != kindList {
		return nil
	}
	for k := i + 1; k < int(f.nodes[i].next); k = int(f.nodes[k].next) {
		args = append(args, k)
	}
	return args
}

// isSymbol reports whether a node is the symbol of a name.
func (f *form) isSymbol(i int, name string) bool {
	return f.nodes[i].kind == kindSymbol && f.name(i) == name
}

// scanner reads one form.
type scanner struct {
	s     string
	words wordSet // commands that the text declares as symbols
	at    int
	form  *form
	open  []uint32 // the nodes of the lists that are open
	last  int      // the end of the last token of the form, or parenthesis
}

// scanForm reads the form that a text starts with; its text is the start of s, and not empty if s is not.
func scanForm(s string, words wordSet) *form {
	sc := scanner{s: s, words: words, form: &form{}}
	sc.run()
	sc.form.text = s[:sc.at]
	return sc.form
}

func (sc *scanner) run() {
	for {
		sc.skipBlanks()
		if sc.at == len(sc.s) {
			sc.leaveOpen()
			return
		}
		start := sc.at
		switch c := sc.s[sc.at]; {
		case c == '(':
			if len(sc.open) > 0 && sc.startsCommand() {
				sc.leaveOpen()
				return
			}
			if len(sc.open) == maxDepth {
				sc.fault(faultDeep, start, start+1)
				sc.skipDeep()
				return
			}
			sc.at++
			sc.open = append(sc.open, uint32(len(sc.form.nodes)))
			sc.token(kindList, start)
		case c == ')':
			sc.at++
			if len(sc.open) == 0 {
				sc.fault(faultSurplus, start, sc.at)
				return
			}
			sc.close(sc.at)
			if len(sc.open) == 0 {
				return
			}
		default:
			k := sc.skipToken()
			if len(sc.open) == 0 {
				if k != kindBad {
					sc.fault(faultStray, start, sc.at)
				}
				return
			}
			sc.token(k, start)
		}
	}
}

// close ends the innermost list.
func (sc *scanner) close(end int) {
	n := &sc.form.nodes[sc.open[len(sc.open)-1]]
	n.end, n.next = uint32(end), uint32(len(sc.form.nodes))
	sc.last = end
	sc.open = sc.open[:len(sc.open)-1]
}

// leaveOpen ends all lists where the form ends without their parentheses. Those can stand in a string or symbol that
// has no end: then that is the fault.
func (sc *scanner) leaveOpen() {
	if len(sc.open) > 0 && !sc.form.isOpenEnded() {
		sc.fault(faultOpen, sc.last-1, sc.last)
		sc.form.faults[len(sc.form.faults)-1].open = sc.form.nodes[sc.open[len(sc.open)-1]].start
	}
	sc.closeAll()
}

func (sc *scanner) closeAll() {
	for len(sc.open) > 0 {
		sc.close(sc.last)
	}
}

// skipDeep passes over what is nested too deeply: up to the end of the form.
func (sc *scanner) skipDeep() {
	for depth := len(sc.open); depth > 0; {
		sc.skipBlanks()
		if sc.at == len(sc.s) {
			break
		}
		switch sc.s[sc.at] {
		case '(':
			if sc.startsCommand() {
				depth = 0
				continue
			}
			depth++
			sc.at++
		case ')':
			depth--
			sc.at++
		default:
			sc.skipToken()
		}
	}
	sc.closeAll()
}

// skipBlanks passes over blanks, line ends and comments.
func (sc *scanner) skipBlanks() {
	for sc.at < len(sc.s) {
		switch sc.s[sc.at] {
		case ' ', '\t', '\n', '\r':
			sc.at++
		case ';':
			end := strings.IndexByte(sc.s[sc.at:], '\n')
			if end < 0 {
				sc.at = len(sc.s)
				return
			}
			sc.at += end + 1
		default:
			return
		}
	}
}

// startsCommand reports whether the parenthesis here starts a line and a command, which no list holds: one before
// has no end. A word that the text declares can be a symbol of a list.
func (sc *scanner) startsCommand() bool {
	if sc.s[sc.at-1] != '\n' {
		return false
	}
	end := sc.at + 1
	for end < len(sc.s) && isSymbolByte(sc.s[end]) {
		end++
	}
	word := sc.s[sc.at+1 : end]
	_, ok := commands[word]
	return ok && !sc.words[word]
}

// wordSet holds the words of commands that a text declares as symbols; nil, as most texts declare none.
type wordSet map[string]bool

// declaredWords looks for declarations of words that are commands, in comments and strings, too: for a word too many
// a parenthesis that is missing is found later.
func declaredWords(text string) (words wordSet) {
	for {
		_, after, ok := strings.Cut(text, "(de")
		if !ok {
			return words
		}
		text = after
		rest, ok := strings.CutPrefix(text, "clare-")
		if !ok {
			if rest, ok = strings.CutPrefix(text, "fine-"); !ok {
				continue
			}
		}
		sc := scanner{s: rest, form: &form{}}
		sc.skipWord() // fun, rel
		sc.skipBlanks()
		start := sc.at
		if start < len(rest) && rest[start] == '|' {
			sc.at++
		}
		sc.skipWord()
		word := strings.TrimPrefix(rest[start:sc.at], "|")
		if _, ok := commands[word]; ok {
			if words == nil {
				words = wordSet{}
			}
			words[word] = true
		}
	}
}

// isSymbolByte takes characters that are not ASCII for letters: they are a fault of the word.
func isSymbolByte(c byte) bool { return term.IsSymbolByte(c) || c >= 0x80 }

// token adds a node that ends here.
func (sc *scanner) token(k kind, start int) {
	sc.last = sc.at
	sc.form.nodes = append(sc.form.nodes, node{uint32(start), uint32(sc.at), uint32(len(sc.form.nodes) + 1), k})
}

func (sc *scanner) fault(k faultKind, start, end int) {
	sc.form.faults = append(sc.form.faults, fault{kind: k, start: uint32(start), end: uint32(end)})
}

// skipToken passes over a word, a string, or one character that starts neither.
func (sc *scanner) skipToken() kind {
	start := sc.at
	switch c := sc.s[start]; {
	case c == '"':
		return sc.skipString()
	case c == '|':
		end := strings.IndexByte(sc.s[start+1:], '|')
		if end < 0 {
			sc.at = start + 1
			sc.skipLine()
			sc.fault(faultBar, start, sc.at)
			return kindBad
		}
		sc.at += end + 2
		return kindSymbol
	case c == ':':
		sc.at++
		sc.skipWord()
		return kindKeyword
	case c == '#':
		sc.at++
		sc.skipWord()
		if sc.at < start+3 || sc.s[start+1] != 'b' && sc.s[start+1] != 'x' {
			sc.fault(faultCharacter, start, sc.at)
			return kindBad
		}
		return kindBits
	case c >= '0' && c <= '9':
		sc.skipWord()
		return sc.number(start)
	case isSymbolByte(c):
		sc.skipWord()
		return kindSymbol
	}
	sc.at++
	sc.fault(faultCharacter, start, sc.at)
	return kindBad
}

// skipLine passes over the rest of a line.
func (sc *scanner) skipLine() {
	if end := strings.IndexByte(sc.s[sc.at:], '\n'); end >= 0 {
		sc.at += end
		return
	}
	sc.at = len(sc.s)
}

// skipString passes over a string, in which "" stands for a quotation mark.
func (sc *scanner) skipString() kind {
	start := sc.at
	for at := start + 1; ; {
		end := strings.IndexByte(sc.s[at:], '"')
		if end < 0 {
			sc.at = start + 1
			sc.skipLine()
			sc.fault(faultString, start, sc.at)
			return kindBad
		}
		at += end + 1
		if at == len(sc.s) || sc.s[at] != '"' {
			sc.at = at
			return kindString
		}
		at++
	}
}

// skipWord passes over the characters of symbols.
func (sc *scanner) skipWord() {
	for sc.at < len(sc.s) && isSymbolByte(sc.s[sc.at]) {
		if sc.s[sc.at] < 0x80 {
			sc.at++
			continue
		}
		start := sc.at
		for sc.at < len(sc.s) && sc.s[sc.at] >= 0x80 {
			sc.at++
		}
		sc.fault(faultCharacter, start, sc.at)
	}
}

// number classifies a word that starts with a digit.
func (sc *scanner) number(start int) kind {
	word := sc.s[start:sc.at]
	whole, digits, isDecimal := strings.Cut(word, ".")
	if !isDigits(whole) || isDecimal && !isDigits(digits) {
		sc.fault(faultNumber, start, sc.at)
		return kindBad
	}
	if len(whole) > 1 && whole[0] == '0' {
		sc.fault(faultZero, start, start+len(whole))
	}
	if isDecimal {
		return kindDecimal
	}
	return kindNumeral
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
