package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// CompletionKind says what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompleteValue  CompletionKind = iota // the number of a row that has a value
	CompleteNumber                       // the number of a sort, of a new row, a bound
	CompleteTag
	CompleteForm // a row with places to fill in
)

// Completion is something that may be typed at a place.
type Completion struct {
	Kind    CompletionKind
	Label   string
	Insert  string
	Filter  string // what the word at the place is compared with
	Detail  string
	Ref     syntax.Ref // of CompleteValue
	Snippet string     // of CompleteForm, with ${1:default} for the places
}

// Completions are what may be typed at a place.
type Completions struct {
	Span       source.Span // of the word that is replaced
	Items      []Completion
	Incomplete bool // a longer word may bring others
}

// maxCompletions bounds an answer.
const maxCompletions = 200

// Complete returns what may be typed at an offset: the number of the next row, tags with what they need, sorts, and rows
// before this one whose sort fits. After the first digit of a row's number it returns nothing, so that Enter makes a new line
// and accepts no proposal.
func Complete(f *syntax.File, offset int) Completions {
	text := f.Text()
	line := text.LineAt(offset)
	span := text.LineSpan(line)
	before := text.Slice(source.SpanFromTo(span.Start, offset))
	from := strings.LastIndexAny(before, " \t") + 1
	after := text.Slice(source.SpanFromTo(offset, span.End()))
	end := strings.IndexAny(after+"\n", " \t\r\n;")
	m := f.Model()
	c := completer{
		f: f, m: m, line: line, word: before[from:],
		Completions: Completions{Span: source.SpanFromTo(span.Start+from, offset+end)},
	}
	c.rows, _ = slices.BinarySearchFunc(m.Nodes, line, func(n syntax.Node, line int) int { return n.Line - line })
	digits := strings.TrimPrefix(c.word, "-")
	if strings.HasPrefix(strings.TrimLeft(before, " "), ";") {
		c.aside(strings.Fields(strings.TrimLeft(before[:from], " ;")))
		return c.Completions
	}
	if strings.Contains(before, ";") || digits != "" && '0' <= digits[0] && digits[0] <= '9' {
		return c.Completions
	}
	switch words := strings.Fields(before[:from]); {
	case len(words) == 0:
		c.start()
	case len(words) == 1:
		c.tags()
	default:
		c.argument(syntax.OpOf(words[1]), words[2:])
	}
	return c.Completions
}

// aside offers what a comment that makes a property may say.
func (c *completer) aside(words []string) {
	keyword := func(word, detail string) {
		if strings.HasPrefix(word, c.word) {
			c.add(Completion{Kind: CompleteTag, Label: word, Insert: word, Filter: word, Detail: detail})
		}
	}
	switch {
	case len(words) == 0:
		keyword("prop:", "a lemma or a cover: properties beside those of the rows")
	case words[0] != "prop:":
	case len(words) == 1:
		keyword("lemma", "row that you take to be 1 always: proved first, then used to prove the others")
		keyword("cover", "row that is 1 in some run")
	case len(words) == 2 && (words[1] == "lemma" || words[1] == "cover"):
		c.values(isBit)
	}
}

type completer struct {
	f    *syntax.File
	m    *syntax.Model
	line int
	rows int    // how many stand before the line
	word string // before the cursor
	Completions
}

// add reports whether there was room for one more.
func (c *completer) add(item Completion) bool {
	if len(c.Items) == maxCompletions {
		c.Incomplete = true
		return false
	}
	c.Items = append(c.Items, item)
	return true
}

func (c *completer) number(n int64, detail string) {
	text := strconv.FormatInt(n, 10)
	c.add(Completion{Kind: CompleteNumber, Label: text, Insert: text, Filter: text, Detail: detail})
}

// start offers the number of a new row, and rows with it.
func (c *completer) start() {
	nodes := c.m.Nodes
	isEmpty := len(nodes) == 0 || len(nodes) == 1 && nodes[0].Line == c.line
	if isEmpty && strings.HasPrefix("circuit", c.word) {
		c.add(Completion{Kind: CompleteForm, Label: "circuit", Filter: "circuit", Snippet: circuitForm,
			Detail: "whole file: an input, a counter that it lets count, a property that holds"})
	}
	id, after := int64(1), c.rows
	if c.rows > 0 {
		id = c.m.NumberBefore(c.rows) + 1
	}
	if after < len(nodes) && nodes[after].Line == c.line {
		after++ // the row of the line itself
	}
	free := int64(maxForm)
	if next, ok := c.m.NumberFrom(after); ok {
		free = next - id
	}
	if free < 1 {
		return // no number is left
	}
	if c.word == "" {
		c.number(id, "the number of the next row")
	}
	c.forms(id, free)
}

// lastSort returns the last row before the line that defines bit-vectors; nil where there is none.
func (c *completer) lastSort() *syntax.Node {
	for i := c.rows - 1; i >= 0; i-- {
		if n := &c.m.Nodes[i]; n.Op == syntax.SortRow && n.Sound && !n.Sort.IsArray() {
			return n
		}
	}
	return nil
}

// tags offers the tags, those that are used most first.
func (c *completer) tags() {
	for _, op := range usual {
		c.tag(op)
	}
	for op := syntax.SortRow; op < syntax.NumOps; op++ {
		if !slices.Contains(usual, op) && !op.IsAside() {
			c.tag(op)
		}
	}
}

// usual are the tags that are used most.
var usual = []syntax.Op{
	syntax.SortRow, syntax.Input, syntax.State, syntax.Init, syntax.Next, syntax.Bad, syntax.Constraint,
	syntax.Zero, syntax.One, syntax.Constd, syntax.And, syntax.Or, syntax.Not, syntax.Eq, syntax.Ite, syntax.Add,
}

func (c *completer) tag(op syntax.Op) {
	name := op.String()
	if !strings.HasPrefix(name, c.word) {
		return
	}
	detail := strings.TrimPrefix(op.Form(), "ID "+name+" ")
	if widths := signature(op); widths != "" {
		detail += ": " + widths
	}
	c.add(Completion{Kind: CompleteTag, Label: name, Insert: name, Filter: name, Detail: detail})
}

// signature returns the bits of the operands and of the value of an operator.
func signature(op syntax.Op) string {
	switch {
	case op >= syntax.Not && op <= syntax.Neg:
		return "n → n bits"
	case op >= syntax.Redand && op <= syntax.Redxor:
		return "n → 1 bit"
	case op >= syntax.And && op <= syntax.Ror:
		return "n, n → n bits"
	case op == syntax.Eq || op == syntax.Neq:
		return "n, n → 1 bit, also of arrays"
	case op >= syntax.Ult && op <= syntax.Sdivo:
		return "n, n → 1 bit"
	case op == syntax.Iff || op == syntax.Implies:
		return "1, 1 → 1 bit"
	case op == syntax.Ite:
		return "1, n, n → n bits, also of arrays"
	case op == syntax.Concat:
		return "n, m → n + m bits"
	case op == syntax.Slice:
		return "n → UPPER - LOWER + 1 bits"
	case op == syntax.Uext || op == syntax.Sext:
		return "n → n + BITS bits"
	}
	return ""
}

// argument offers what may follow a tag and some words.
func (c *completer) argument(op syntax.Op, words []string) {
	at := len(words)
	switch {
	case op == syntax.SortRow && at == 0:
		for _, kind := range [][2]string{{"bitvec", "WIDTH: bit-vectors"}, {"array", "INDEX ELEMENT: sorts of bit-vectors"}} {
			if strings.HasPrefix(kind[0], c.word) {
				c.add(Completion{Kind: CompleteTag, Label: kind[0], Insert: kind[0], Filter: kind[0], Detail: kind[1]})
			}
		}
	case op == syntax.SortRow && at < 3 && words[0] == "array":
		c.sorts(func(s syntax.Sort) bool { return !s.IsArray() })
	case op == syntax.Justice:
		if n, err := strconv.Atoi(strings.Join(words[:min(at, 1)], "")); err == nil && at >= 1 && at <= n {
			c.values(isBit)
		}
	case op == syntax.Output && at == 0:
		c.values(isVector)
	case op.IsProperty() && at == 0:
		c.values(isBit)
	case op.HasSort() && at == 0 || op.IsConstant() && at == 0:
		c.sorts(sortFits(op))
	case op.HasSort() && at <= op.Operands():
		c.operand(op, words)
	case op.HasSort() && at <= op.Operands()+op.Numbers():
		c.bound(op, words)
	}
}

func isBit(s syntax.Sort) bool    { return s == syntax.Sort{Width: 1} }
func isVector(s syntax.Sort) bool { return !s.IsArray() }

// sortFits returns which sorts a row with a tag can have.
func sortFits(op syntax.Op) func(syntax.Sort) bool {
	switch {
	case op >= syntax.Redand && op <= syntax.Redxor, op >= syntax.Eq && op <= syntax.Implies:
		return isBit
	case op == syntax.Write:
		return syntax.Sort.IsArray
	case op == syntax.Input || op == syntax.State || op == syntax.Init || op == syntax.Next || op == syntax.Ite:
		return func(syntax.Sort) bool { return true }
	}
	return isVector
}

// sorts offers the sorts that fit, each once.
func (c *completer) sorts(fit func(syntax.Sort) bool) {
	seen := map[syntax.Sort]bool{}
	for i := range c.rows {
		if n := &c.m.Nodes[i]; n.Op == syntax.SortRow && n.Sound && fit(n.Sort) && !seen[n.Sort] {
			seen[n.Sort] = true
			c.number(n.ID, n.Sort.String())
		}
	}
}

// node returns the row that a word stands for; nil where it is none before the line.
func (c *completer) node(word string) *syntax.Node {
	id, err := strconv.ParseInt(strings.TrimPrefix(word, "-"), 10, 64)
	row, ok := c.f.NodeOf(id)
	if err != nil || !ok || row >= c.rows || !c.m.Nodes[row].Sound {
		return nil
	}
	return &c.m.Nodes[row]
}

// sortOf returns that of a word; the zero Sort where it is not known.
func (c *completer) sortOf(word string) syntax.Sort {
	if n := c.node(word); n != nil {
		return n.Sort
	}
	return syntax.Sort{}
}

// operand offers the values that fit as the operand after some words, the first of which is the sort of the row.
func (c *completer) operand(op syntax.Op, words []string) {
	sort, at := c.sortOf(words[0]), len(words)-1
	first := syntax.Sort{}
	if at > 0 {
		first = c.sortOf(words[1])
	}
	is := func(want syntax.Sort) func(syntax.Sort) bool {
		return func(s syntax.Sort) bool { return s == want || want == syntax.Sort{} }
	}
	switch {
	case (op == syntax.Init || op == syntax.Next) && at == 0:
		c.states(op, sort)
	case op == syntax.Init && sort.IsArray():
		c.values(func(s syntax.Sort) bool { return s == sort || s == syntax.Sort{Width: sort.Width} })
	case op == syntax.Ite && at == 0, op == syntax.Iff, op == syntax.Implies:
		c.values(isBit)
	case op == syntax.Concat && at == 0:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() && (s.Width < sort.Width || sort.Width == 0) })
	case op == syntax.Concat && first.Width > 0 && sort.Width > first.Width:
		c.values(is(syntax.Sort{Width: sort.Width - first.Width}))
	case op == syntax.Concat:
		c.values(isVector)
	case op == syntax.Slice:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() && s.Width >= sort.Width })
	case op == syntax.Uext, op == syntax.Sext:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() && (s.Width <= sort.Width || sort.Width == 0) })
	case op == syntax.Read && at == 0:
		c.values(func(s syntax.Sort) bool { return s.IsArray() && (s.Width == sort.Width || sort.Width == 0) })
	case op == syntax.Read || op == syntax.Write && at == 1:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() && (s.Width == first.IndexWidth || !first.IsArray()) })
	case op == syntax.Write && at == 2:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() && (s.Width == first.Width || !first.IsArray()) })
	case op >= syntax.Redand && op <= syntax.Redxor:
		c.values(isVector)
	case op >= syntax.Eq && op <= syntax.Sdivo && at == 0:
		c.values(func(s syntax.Sort) bool { return !s.IsArray() || op <= syntax.Neq })
	case op >= syntax.Eq && op <= syntax.Sdivo:
		c.values(is(first))
	default:
		c.values(is(sort))
	}
}

// bound offers the number that makes the value of a slice or an extension as wide as its sort.
func (c *completer) bound(op syntax.Op, words []string) {
	width, of := c.sortOf(words[0]).Width, c.sortOf(words[1]).Width
	switch {
	case width == 0 || of == 0:
	case op != syntax.Slice && width >= of:
		c.number(int64(width-of), "the bits that are missing")
	case op == syntax.Slice && len(words) == 2 && of >= width:
		c.number(int64(of-1), "the upper bits")
		if of > width {
			c.number(int64(width-1), "the lower bits")
		}
	case op == syntax.Slice && len(words) == 3:
		if upper, err := strconv.Atoi(words[2]); err == nil && upper+1 >= width {
			c.number(int64(upper+1-width), "the lowest bit")
		}
	}
}

// states offers states of a sort that have no such row yet.
func (c *completer) states(op syntax.Op, sort syntax.Sort) {
	has := c.m.Init
	if op == syntax.Next {
		has = c.m.Next
	}
	c.rowsThat(func(row int) bool {
		n := &c.m.Nodes[row]
		other, taken := has[row]
		return n.Op == syntax.State && (n.Sort == sort || sort == syntax.Sort{}) && (!taken || c.m.Nodes[other].Line == c.line)
	})
}

// values offers rows with a value of a sort that fits.
func (c *completer) values(fit func(syntax.Sort) bool) {
	c.rowsThat(func(row int) bool {
		n := &c.m.Nodes[row]
		return n.Op.HasValue() && fit(n.Sort) && !(n.Sort.IsArray() && strings.HasPrefix(c.word, "-"))
	})
}

// rowsThat offers rows before the line: those with names first, then the last ones.
func (c *completer) rowsThat(fit func(row int) bool) {
	sign := ""
	if strings.HasPrefix(c.word, "-") {
		sign = "-"
	}
	part := strings.ToLower(c.word[len(sign):])
	for _, wantsName := range []bool{true, false} {
		for row := c.rows - 1; row >= 0; row-- {
			name, isNamed := c.m.Names[row]
			n := &c.m.Nodes[row]
			if isNamed != wantsName || !n.Sound || !fit(row) {
				continue
			}
			if !isNamed {
				name = fmt.Sprintf("n%d", n.ID)
			}
			if !strings.Contains(strings.ToLower(name), part) {
				continue
			}
			ref := syntax.Ref(2 * row)
			if sign != "" {
				ref++
			}
			item := Completion{Kind: CompleteValue, Label: sign + name, Insert: c.m.Operand(ref), Filter: sign + name,
				Detail: fmt.Sprintf("%s, %s", n.Op, n.Sort), Ref: ref}
			if !c.add(item) {
				return
			}
		}
	}
}
