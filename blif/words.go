package blif

import (
	"fmt"

	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// Word is a comment line "# word: …" that makes a word of signals.
type Word struct {
	wordline.Line          // its places are offsets in the line
	Signals       []Signal // by bit; 0 for one that is missing
	Span          source.Span
}

func wordLinesOf(f *File, m *Model) []PlacedPragma {
	return placed(f, m, func(c *statement.Chunk) []statement.Pragma { return c.Words })
}

// WordsOf returns the words of a model in text order, and what is wrong with lines that are to
// make one.
func WordsOf(f *File, m *Model) (words []Word, found []source.Diagnostic) {
	r := &wordReader{file: f, model: m}
	r.check.Report = r.problem
	r.hint = nearest.Hints(func(yield func(string) bool) {
		resolved := f.Resolved()
		for s := resolved.Bases[m.Index]; s < resolved.Bases[m.Index+1]; s++ {
			if resolved.IsDriven(s) && !yield(f.Name(s)) {
				return
			}
		}
	})
	for _, p := range wordLinesOf(f, m) {
		r.start = int(f.Starts[p.Chunk] + p.Pragma.Start)
		line := f.Text().LineSpan(f.Text().LineAt(r.start))
		text := f.Text().Slice(source.SpanFromTo(r.start, line.End()))
		w := Word{Line: wordline.Read(text, statement.SkipBlank(text, 1)), Span: source.SpanFromTo(r.start, line.End())}
		isBetween := m.End >= 0 && int(f.Firsts[p.Chunk]+p.Pragma.Statement) >= m.End && m.Index+1 < len(f.Structure().Models)
		switch {
		case isBetween && w.Error == nil:
			r.report(codes.WordSyntax, w.Name, "no word: it is not clear which model is meant: the comment stands between two")
		case r.read(&w):
			words = append(words, w)
		}
	}
	return words, r.found
}

// wordReader finds out what the bits of a line are, which starts at an offset.
type wordReader struct {
	file  *File
	model *Model
	start int
	check wordline.Check[Signal]
	hint  func(name string) string // asks whether another net was meant
	found []source.Diagnostic
}

func (r *wordReader) report(code source.Code, p wordline.Part, format string, args ...any) {
	r.found = append(r.found, codes.Finding(code, source.SpanFromTo(r.start+p.From, r.start+p.To), fmt.Sprintf(format, args...)))
}

var wordCodes = [...]source.Code{wordline.Syntax: codes.WordSyntax, wordline.Signal: codes.WordSignal, wordline.Repeated: codes.WordRepeated}

func (r *wordReader) problem(p wordline.Problem) {
	r.found = append(r.found, codes.Finding(wordCodes[p.Kind], p.Span, p.Message))
	if p.First.Length > 0 {
		r.found[len(r.found)-1].Relate(p.First, "the first word of this name")
	}
}

func (r *wordReader) read(w *Word) (isSound bool) {
	w.Signals = make([]Signal, len(w.Bits))
	isSound = r.check.Bits(&w.Line, r.start, func(i int, b wordline.Bit) (s Signal, ok bool) {
		if s = r.signal(b.Text); s == 0 && !r.check.IsWord(b, r.start) {
			r.report(codes.WordSignal, b.Part, "no word: model %s has no signal %s%s", r.model.Name, findings.Quote(b.Text), r.hint(b.Text))
		}
		w.Signals[i] = s
		return s, s != 0
	})
	if !isSound {
		return false
	}
	element := ""
	of := r.signal(w.Name.Text)
	if isOnlyBit := len(w.Bits) == 1 && w.Signals[0] == of && !w.Bits[0].IsNegated; of != 0 && !isOnlyBit {
		element = "a net of the model"
	}
	return r.check.Name(&w.Line, r.start, element)
}

// signal returns the signal of the model with a name, or 0.
func (r *wordReader) signal(name string) Signal {
	s := r.file.Resolved().Lookup(r.model.Index, r.file.FindName(name))
	if s == 0 || !r.file.Resolved().IsDriven(s) && !IsImplied(r.file, s) {
		return 0
	}
	return s
}
