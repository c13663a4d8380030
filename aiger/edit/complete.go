package edit

import (
	"fmt"
	"strconv"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// CompletionKind says what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompleteLiteral CompletionKind = iota // a literal by its name
	CompleteNumber                        // a free variable, a reset value, a number of the header
	CompleteSymbol                        // the start of a symbol line
	CompleteComment                       // the line that starts the comment
	CompleteForm                          // a row or a file with places to fill in
)

// Completion is something that may be typed at a place.
type Completion struct {
	Kind   CompletionKind
	Label  string
	Insert string
	Filter string // what the word at the place is compared with
	Detail string
	Lit    uint32 // of CompleteLiteral
	// Snippet is the text of a CompleteForm, with ${1:default} and ${1|one,other|}
	// for the places, as the language server protocol has it.
	Snippet string
}

// Completions are what may be typed at a place.
type Completions struct {
	Span  source.Span // of the word that is replaced
	Items []Completion
	// Incomplete says that there are more, which a longer word may bring.
	Incomplete bool
}

// The bounds of a completion: how many are offered, and at how many symbol
// lines or elements it looks, which takes a few milliseconds.
const (
	maxCompletions = 200
	maxLooked      = 100_000
)

// Complete returns what may be typed at offset. To a number that has been begun
// it has nothing to add: a line of numbers is ended with Enter,
// which must not take over a proposal.
func Complete(f *syntax.File, offset int) Completions {
	line := f.Text().LineAt(offset)
	start := f.Text().LineStart(line)
	before := f.Text().Slice(source.SpanFromTo(start, offset))
	word := start + strings.LastIndexAny(before, " \t") + 1
	c := completer{file: f, word: before[word-start:], Completions: Completions{Span: source.SpanFromTo(word, offset)}}
	fields := len(strings.Fields(before[:word-start]))
	header := f.Header()
	comment, hasComment := f.Comment()
	switch {
	case c.isNumber():
	case len(header) == 0 && fields == 0:
		rest := f.Text().Slice(source.SpanFromTo(offset, f.Text().Len()))
		if strings.TrimSpace(f.Text().Slice(source.Span{Length: word})) == "" {
			c.emptyFile(strings.TrimSpace(rest) == "")
		}
	case len(header) == 0 && line == 0 || len(header) > 0 && line == f.Text().LineAt(header[0].Span.Start):
		c.header(fields)
	case len(header) == 0:
	case hasComment && offset >= comment.Start:
		c.aside(strings.Fields(before[:word-start]))
	case line < f.Text().LineAt(header[0].Span.Start):
	case line >= lineBehind(f, syntax.SectionAnds) && fields == 0:
		c.symbols(hasComment)
		c.row(line, fields)
		c.rowForms(line)
	case line >= lineBehind(f, syntax.SectionAnds) && before != "" && isSymbolLetter(before[0]):
		// a name, which only its author knows
	default:
		c.row(line, fields)
		if fields == 0 {
			c.rowForms(line)
		}
	}
	return c.Completions
}

type completer struct {
	file *syntax.File
	word string // before the cursor
	Completions
}

func (c *completer) isNumber() bool { return c.word != "" && '0' <= c.word[0] && c.word[0] <= '9' }

// add reports whether there is room for more.
func (c *completer) add(item Completion) bool {
	if len(c.Items) == maxCompletions {
		c.Incomplete = true
		return false
	}
	c.Items = append(c.Items, item)
	return true
}

func (c *completer) number(n int, detail string) {
	text := strconv.Itoa(n)
	c.add(Completion{Kind: CompleteNumber, Label: text, Insert: text, Filter: text, Detail: detail})
}

// header offers the number that belongs at a place of the header.
func (c *completer) header(field int) {
	found := map[syntax.SectionKind]int{}
	for _, s := range c.file.Sections() {
		found[s.Kind] = s.Rows
	}
	if field == 1 {
		c.number(found[syntax.SectionInputs]+found[syntax.SectionLatches]+found[syntax.SectionAnds], "M: the variables that are defined")
	}
	if name, kind, ok := syntax.CountedSection(field - 1); ok {
		c.number(found[kind], fmt.Sprintf("%s: %s in the file", name, kind.Count(found[kind])))
	}
}

// row offers what may stand in a row: at a place that defines a variable a free
// one, elsewhere the literals that have names. On a line that is still empty
// both may come.
func (c *completer) row(line, field int) {
	row, isRow := c.file.RowAt(line)
	defines := row.Kind == syntax.SectionInputs || row.Kind == syntax.SectionLatches || row.Kind == syntax.SectionAnds
	if field == 0 && c.word == "" && (!isRow || defines) {
		if free := max(c.file.HeaderValues().Max, int(c.file.LargestDefined())) + 1; free <= syntax.MaxVar {
			c.number(2*free, "the next free variable")
		}
	}
	switch {
	case isRow && field == 0 && defines, isRow && row.Kind == syntax.SectionInputs:
	case isRow && row.Kind == syntax.SectionLatches && field == 2:
		c.number(0, "starts with 0")
		c.number(1, "starts with 1")
		c.number(int(row.Numbers[0]), "starts with either")
	case isRow && (row.Kind == syntax.SectionJustice || field >= row.Kind.NumLiterals()):
	default:
		c.literals()
	}
}

// literals offers what has a name, in either polarity. A word that starts with
// a sign of negation asks for the negated ones only.
func (c *completer) literals() {
	sign := ""
	for _, s := range []string{"¬", "!", "~", "-"} {
		if strings.HasPrefix(c.word, s) {
			sign = s
		}
	}
	part := strings.ToLower(c.word[len(sign):])
	c.eachNamedWith(part, func(lit uint32, name, detail string) bool {
		return (sign != "" || c.literal(lit, name, name, detail)) && c.literal(lit^1, "¬"+name, sign+name, detail)
	})
}

// eachNamedWith calls yield for the literals whose name has a part, in lower case, until it
// returns false.
func (c *completer) eachNamedWith(part string, yield func(lit uint32, name, detail string) bool) {
	looked := 0
	for sym := range c.file.EachSymbol() {
		if looked++; looked > maxLooked {
			c.Incomplete = true
			return
		}
		row, ok := c.file.Row(sym.Kind, sym.Index)
		name := sym.Name
		if !ok || sym.Kind == syntax.SectionJustice || strings.TrimSpace(name) == "" || !strings.Contains(strings.ToLower(name), part) {
			continue
		}
		if !yield(row.Numbers[0], name, fmt.Sprintf("%s %d", sym.Kind.One(), sym.Index)) {
			return
		}
	}
}

func (c *completer) literal(lit uint32, label, filter, detail string) bool {
	return c.add(Completion{Kind: CompleteLiteral, Label: label, Insert: strconv.FormatUint(uint64(lit), 10), Filter: filter, Detail: detail, Lit: lit})
}

// symbols offers the starts of symbol lines for what has no name, and the start
// of the comment.
func (c *completer) symbols(hasComment bool) {
	f := c.file
	if !hasComment && strings.HasPrefix("c", c.word) {
		c.add(Completion{Kind: CompleteComment, Label: "c", Insert: "c", Filter: "c", Detail: "comment, to the end of the file"})
	}
	looked := 0
	for _, kind := range syntax.NamedSections() {
		letter := string(kind.Letter())
		if c.word != "" && !strings.HasPrefix(c.word, letter) {
			continue
		}
		for i := 0; ; i++ {
			if looked++; looked > maxLooked {
				c.Incomplete = true
				return
			}
			row, ok := f.Row(kind, i)
			if !ok {
				break
			}
			start := letter + strconv.Itoa(i)
			if _, named := f.Symbol(kind, i); named || !strings.HasPrefix(start, c.word) {
				continue
			}
			if !c.add(Completion{Kind: CompleteSymbol, Label: start, Insert: start + " ", Filter: start,
				Detail: fmt.Sprintf("name for %s %d (%d)", kind.One(), i, row.Numbers[0])}) {
				return
			}
		}
	}
}

// isSymbolLetter reports whether symbol lines start with a letter.
func isSymbolLetter(c byte) bool {
	for _, kind := range syntax.NamedSections() {
		if kind.Letter() == c {
			return true
		}
	}
	return false
}
