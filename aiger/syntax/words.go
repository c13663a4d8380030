package syntax

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/nearest"
	"aiglens/internal/propline"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// The codes of the diagnostics.
const (
	CodeWordSyntax  source.Code = "word-syntax"
	CodeWordSignal  source.Code = "word-signal"
	CodeWordRepeats source.Code = "word-repeated"
)

// Word is a line of the comment section that makes a word of signals.
type Word struct {
	wordline.Line // its places are offsets in the line
	// Lits are the literals of the bits; of one that is missing it says nothing.
	Lits []uint32
	Span source.Span // of the line, of a text without white space around; in Contents in the comment
}

// Words are the words that the comment section makes. All is in text order.
type Words struct {
	All []Word
	// bits are the literals of all lines that can be read, also of those that make no word
	// because another bit is in doubt; dangling are those that are not literals of the file.
	bits, dangling []Aside
	Diagnostics    []source.Diagnostic
}

// Words returns the words of the comment section, which are read when they are first asked
// for. They are shared.
func (f *File) Words() *Words { return f.words() }

// Mentioned returns the literals that the comment section mentions, in properties and words,
// in text order. Dangling ones are those of lines that mean none of the file.
func (f *File) Mentioned() (sound, dangling []Aside) {
	return inTextOrder(f.asides, f.Words().bits), inTextOrder(f.dangling, f.Words().dangling)
}

func inTextOrder(a, b []Aside) []Aside {
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b Aside) int { return cmp.Compare(a.Target.Start, b.Target.Start) })
	return all
}

// WordLine is a line of the comment that is to make a word.
type WordLine struct {
	wordline.Line
	number int         // from 0
	Span   source.Span // without white space at the end
}

// WordLines yields the lines of the comment that are to make words. They are read without a look at
// what their bits are.
func (f *File) WordLines() iter.Seq[WordLine] {
	return func(yield func(WordLine) bool) {
		first := f.symbols.commentLine + 1
		for _, l := range f.asideLines {
			number := first + int(l)
			line := f.text.Line(number)
			if !wordline.Is(line) {
				continue
			}
			span := source.Span{Start: f.text.LineStart(number), Length: len(line)}
			for isSpace(line[span.Length-1]) {
				span.Length--
			}
			if !yield(WordLine{wordline.Read(line, 0), number, span}) {
				return
			}
		}
	}
}

// wordsOf reads the words of the comment.
func wordsOf(f *File) *Words {
	t := &Words{}
	var lines []WordLine
	var wanted []string
	for w := range f.WordLines() {
		lines, wanted = append(lines, w), append(wanted, namesIn(w.Line)...)
	}
	list := newFindings()
	r := newWordReader(f.asideNames(wanted), f.isDefined, &list, func(yield func(string) bool) {
		for s := range f.EachSymbol() {
			if !yield(s.Name) {
				return
			}
		}
	})
	for _, w := range lines {
		word := Word{Line: w.Line, Span: w.Span}
		isSound := r.read(&word, f.text.LineStart(w.number), func(a Aside, found int) {
			if a.Line = w.number; found == 1 {
				t.bits = append(t.bits, a)
			} else {
				t.dangling = append(t.dangling, a)
			}
		})
		if isSound {
			t.All = append(t.All, word)
		}
	}
	t.Diagnostics = findings.Values(list.Finish())
	return t
}

// Words returns the words of the comment.
func (c *Contents) Words() (all []Word) {
	c.readWords(func(w Word, _ []AsideEntry, isSound bool) {
		if isSound {
			all = append(all, w)
		}
	})
	return all
}

// readWords calls visit for the lines of the comment that are to make words, with the bits that are
// not missing, and returns what is wrong with them.
func (c *Contents) readWords(visit func(w Word, bits []AsideEntry, isSound bool)) []*source.Diagnostic {
	if !strings.Contains(c.Comment, wordline.Prefix) {
		return nil
	}
	list := newFindings()
	r := newWordReader(c.asideNames(c.wantedNames()), c.definedLits(), &list, func(yield func(string) bool) {
		for _, s := range c.Symbols {
			if !yield(s.Name) {
				return
			}
		}
	})
	for line, read := range c.wordLines() {
		w := Word{Line: read, Span: line}
		var bits []AsideEntry
		isSound := r.read(&w, line.Start, func(a Aside, found int) {
			bits = append(bits, AsideEntry{
				Kind: AsideBit, Lit: a.Lit, Text: c.Comment[a.Target.Start:a.Target.End()],
				IsNamed: a.IsNamed, Line: line, Target: a.Target, IsDangling: found != 1,
			})
		})
		visit(w, bits, isSound)
	}
	return list.Finish()
}

// wordLines yields the lines of the comment that are to make words, with their line ends.
func (c *Contents) wordLines() iter.Seq2[source.Span, wordline.Line] {
	return func(yield func(source.Span, wordline.Line) bool) {
		for pos := 0; pos < len(c.Comment); {
			line, next := lineAt(c.Comment, pos)
			if wordline.Is(line) && !yield(source.SpanFromTo(pos, next), wordline.Read(line, 0)) {
				return
			}
			pos = next
		}
	}
}

// namesIn returns the name of the word of a line, and those of its bits.
func namesIn(w wordline.Line) (names []string) {
	names = append(names, w.Name.Text)
	for _, b := range w.Bits {
		if !b.IsMissing {
			names = append(names, b.Name.Text)
		}
	}
	return names
}

// wordReader finds out what the bits of words are.
type wordReader struct {
	names     knownNames
	isDefined func(uint32) bool
	hint      func(name string) string // asks whether another element was meant
	list      *findings.List
	check     wordline.Check[uint32] // by variable
}

var wordCodes = [...]source.Code{wordline.Syntax: CodeWordSyntax, wordline.Signal: CodeWordSignal, wordline.Repeated: CodeWordRepeats}

func newWordReader(names knownNames, isDefined func(uint32) bool, list *findings.List, elements iter.Seq[string]) wordReader {
	return wordReader{names, isDefined, nearest.Hints(elements), list, wordline.Check[uint32]{Report: func(p wordline.Problem) {
		d := list.Add(wordCodes[p.Kind], p.Span, "%s", p.Message)
		if p.First.Length > 0 {
			d.Relate(p.First, "the first word of this name")
		}
	}}}
}

// read completes a word whose line starts at an offset. It calls visit for each bit that is not
// missing, with the number of literals that it may be, and reports what is wrong.
func (r *wordReader) read(w *Word, at int, visit func(a Aside, found int)) (isSound bool) {
	w.Lits = make([]uint32, len(w.Bits))
	n := 0
	isSound = r.check.Bits(&w.Line, at, func(i int, b wordline.Bit) (variable uint32, ok bool) {
		read := bitLine(b)
		e, found := read.literal(r.names, r.isDefined)
		_, isNamed := read.named()
		a := Aside{
			Kind: AsideBit, Index: n, Lit: e.lit, Span: w.Span, Target: partSpan(b.Part, at), Name: partSpan(b.Name, at),
			IsNamed: isNamed, Section: SectionKind(e.section), At: e.index,
		}
		n++
		visit(a, found)
		w.Lits[i] = a.Lit
		if found != 1 {
			r.report(read, b, at, a, found)
		}
		return a.Lit / 2, found == 1
	})
	if !isSound {
		return false
	}
	element := ""
	of := r.names.find(w.Name.Text)
	if isOnlyBit := len(of) == 1 && len(w.Lits) == 1 && w.Lits[0] == of[0].lit && !w.Bits[0].IsMissing; len(of) > 0 && !isOnlyBit {
		element = fmt.Sprintf("%s %d", SectionKind(of[0].section).One(), of[0].index)
	}
	return r.check.Name(&w.Line, at, element)
}

// bitLine returns a bit as the literal of an aside.
func bitLine(b wordline.Bit) asideLine {
	text := b.Name.Text
	a := asideLine{propline.Line{Text: text, Name: propline.Part{To: len(text)}, IsNegated: b.IsNegated}, AsideBit}
	if !b.IsQuoted && strings.Trim(text, "0123456789") == "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if a.Number, a.IsNumber = n, true; err != nil {
			a.Number = maxLit
		}
	}
	return a
}

// report says that a bit is no literal, or may be several.
func (r *wordReader) report(read asideLine, b wordline.Bit, at int, a Aside, found int) {
	name := findings.Quote(read.Text)
	switch {
	case read.IsNumber:
		r.list.Add(CodeWordSignal, a.Target, "no word: no input, latch or AND defines %s", name)
	case found > 1:
		r.list.Add(CodeWordSignal, a.Target, "no word: %s names %d different literals; write the number of the one that is meant", name, found)
	case a.Lit > 1:
		r.list.Add(CodeWordSignal, a.Target, "no word: %s is literal %d, which nothing defines", name, a.Lit)
	case r.check.IsWord(b, at):
	default:
		r.list.Add(CodeWordSignal, a.Target, "no word: no input, latch, output, bad or constraint has the name %s%s", name, r.hint(read.Text))
	}
}

func partSpan(p wordline.Part, at int) source.Span { return source.SpanFromTo(at+p.From, at+p.To) }
