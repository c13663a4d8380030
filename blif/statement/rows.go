package statement

import "aiglens/internal/source"

// Word is a word at its place.
type Word struct {
	Text string
	At   int
}

// End returns the offset after the word.
func (w Word) End() int { return w.At + len(w.Text) }

// SplitWords returns the words of a row that starts at an offset; joined lines
// count as one, comments are left out.
func SplitWords(s string, at int) []Word {
	var words []Word
	for i := 0; i < len(s); {
		switch {
		case IsBlank(s[i]) || s[i] == '\n' || continues(s, i):
			i++
		case s[i] == '#':
			i = LineEnd(s, i)
		default:
			end := wordEnd(s, i)
			words = append(words, Word{s[i:end], at + i})
			i = end
		}
	}
	if len(words) == 0 {
		words = append(words, Word{s, at})
	}
	return words
}

// continues reports whether a '\' at i joins lines: nothing visible follows, or
// a comment after white space, as in lexer.gap.
func continues(s string, i int) bool {
	if s[i] != '\\' {
		return false
	}
	after := SkipBlank(s, i+1)
	return after >= len(s) || s[after] == '\n' || s[after] == '#' && after > i+1
}

// Joins returns the places of the '\' of a directive that white space or a
// comment follows.
func (f *Tree) Joins(k, i int) []source.Span {
	var places []source.Span
	c := f.Chunks[k]
	from, to := int(c.Stmts[i].Start), int(c.End(i))
	for at := from; at < to; {
		end := LineEnd(c.Text, at)
		line := c.Text[at:end]
		for j := 0; j < len(line) && line[j] != '#'; j++ {
			if line[j] != '\\' {
				continue
			}
			after := SkipBlank(line, j+1)
			if after > j+1 && after < len(line) && (line[after] == '\n' && line[j+1:after] != "\r" || line[after] == '#') {
				places = append(places, source.Span{Start: int(f.Starts[k]) + at + j, Length: 1})
			}
		}
		at = end
	}
	return places
}

// LastBackslash returns the place of the last '\' of the text.
func (f *Tree) LastBackslash() (source.Span, bool) {
	k := len(f.Chunks) - 1
	s := f.Chunks[k].Text
	for at := len(s) - 1; at >= 0; at-- {
		if s[at] == '\\' {
			return source.Span{Start: int(f.Starts[k]) + at, Length: 1}, true
		}
		if s[at] > ' ' {
			break
		}
	}
	return source.Span{}, false
}

// TrailingComment returns the place of the comment after the last word of a
// directive.
func (f *Tree) TrailingComment(k, i int) (source.Span, bool) {
	c := f.Chunks[k]
	_, hi := c.TokensOf(i)
	last := c.Tokens[hi-1]
	at := SkipBlank(c.Text, int(last.Start+last.Length))
	if at >= len(c.Text) || c.Text[at] != '#' {
		return source.Span{}, false
	}
	end := LineEnd(c.Text, at)
	for end > at && (c.Text[end-1] == '\n' || c.Text[end-1] == '\r') {
		end--
	}
	return source.SpanFromTo(int(f.Starts[k])+at, int(f.Starts[k])+end), true
}
