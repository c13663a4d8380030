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
	r := wordReader{file: f, model: m, known: map[string]source.Span{}}
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
		case w.Error != nil:
			r.report(codes.WordSyntax, w.Error.Part, "no word: %s", w.Error.Message)
		case isBetween:
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
	known map[string]source.Span   // words of the model by their names
	hint  func(name string) string // asks whether another net was meant
	found []source.Diagnostic
}

func (r *wordReader) span(p wordline.Part) source.Span {
	return source.SpanFromTo(r.start+p.From, r.start+p.To)
}

func (r *wordReader) report(code source.Code, p wordline.Part, format string, args ...any) {
	r.found = append(r.found, codes.Finding(code, r.span(p), fmt.Sprintf(format, args...)))
}

func (r *wordReader) read(w *Word) (isSound bool) {
	isSound = true
	w.Signals = make([]Signal, len(w.Bits))
	seen := map[Signal]bool{}
	for i, b := range w.Bits {
		if b.IsMissing {
			continue
		}
		s := r.signal(b.Text)
		switch {
		case s == 0:
			r.missing(b)
			isSound = false
		case seen[s]:
			r.report(codes.WordSignal, b.Part, "no word: %s stands in it twice", findings.Quote(b.Text))
			isSound = false
		}
		w.Signals[i], seen[s] = s, true
	}
	if !isSound {
		return false
	}
	of := r.signal(w.Name.Text)
	isOnlyBit := len(w.Bits) == 1 && w.Signals[0] == of && !w.Bits[0].IsNegated
	if of != 0 && !isOnlyBit {
		r.report(codes.WordRepeated, w.Name, "no word: a net of the model has the name %s", findings.Quote(w.Name.Text))
		return false
	}
	if first, has := r.known[w.Name.Text]; has {
		r.report(codes.WordRepeated, w.Name, "no word: another one of the model has the name %s", findings.Quote(w.Name.Text))
		r.found[len(r.found)-1].Relate(first, "the first word %s", w.Name.Text)
		return false
	}
	r.known[w.Name.Text] = r.span(w.Name)
	return true
}

// signal returns the signal of the model with a name, or 0.
func (r *wordReader) signal(name string) Signal {
	s := r.file.Resolved().Lookup(r.model.Index, r.file.FindName(name))
	if s == 0 || !r.file.Resolved().IsDriven(s) && !IsImplied(r.file, s) {
		return 0
	}
	return s
}

func (r *wordReader) missing(b wordline.Bit) {
	if _, isWord := r.known[b.Text]; isWord {
		r.report(codes.WordSignal, b.Part, "no word: %s is a word itself, not a signal; list its bits", findings.Quote(b.Text))
		return
	}
	r.report(codes.WordSignal, b.Part, "no word: model %s has no signal %s%s", r.model.Name, findings.Quote(b.Text), r.hint(b.Text))
}
