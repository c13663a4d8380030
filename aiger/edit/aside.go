package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// same is the function for keepAsides of a change after which each literal is what it was.
func same(lit uint32) uint32 { return lit }

// keepAsides completes the edits of a change so that the lemmas, covers and words of the comment
// refer to what they spoke of; to returns what has become of a literal. An aside that writes
// a name goes on to do so while the name means that. One that spoke of no literal does not
// begin to because of a number that the change has defined, or of a name that goes elsewhere;
// but it may well mean a name that the user gives on purpose. Lines that the change deletes
// stay deleted. Of a file with errors that leave open which line is what, nothing is known, and
// so nothing is changed.
func keepAsides(f *syntax.File, edits []source.Edit, to func(lit uint32) uint32, given ...string) ([]source.Edit, error) {
	sound, dangling := f.Mentioned()
	if len(edits) == 0 || len(sound)+len(dangling) == 0 || structure(f) != nil {
		return edits, nil
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		return nil, err
	}
	g := f.Reparse(text)
	mentioned := mentionedIn(g)
	after := func(a syntax.Aside) (syntax.Aside, bool) {
		b, ok := mentioned[placeOf(a, g.Text().LineAt(moved(edits, f.Text().LineStart(a.Line))))]
		return b, ok
	}
	own := slices.Clone(edits)
	for _, a := range sound {
		want := to(a.Lit)
		if b, ok := after(a); ok && b.Lit == want || isRewritten(edits, a) {
			continue
		}
		own = slices.DeleteFunc(own, func(e source.Edit) bool { return overlaps(e.Span, a.Target) && isWithin(e.Span, a.Target) })
		spelled := g.SpellLiteral(want)
		if _, ok := g.Definition(want / 2); a.Kind == syntax.AsideBit && want > 1 && !ok {
			spelled = wordline.Missing
		}
		following := f.Text().Slice(source.SpanFromTo(a.Target.End(), f.Text().LineSpan(a.Line).End()))
		own = append(own, source.Edit{Span: a.Target, NewText: wordline.Fit(spelled, following)})
	}
	marked := map[int]bool{}
	for _, a := range dangling {
		if a.IsNamed && slices.Contains(given, f.Text().Slice(a.Name)) {
			continue
		}
		if _, ok := after(a); ok && !isRewritten(edits, a) && !marked[a.Line] {
			marked[a.Line] = true
			own = append(own, source.Edit{Span: source.Span{Start: a.Span.Start}, NewText: "undefined: "})
		}
	}
	return own, nil
}

// place is where a comment mentions a literal: a line, and which of its literals it is.
type place struct{ line, index int }

func placeOf(a syntax.Aside, line int) place {
	if a.Kind != syntax.AsideBit {
		return place{line, 0}
	}
	return place{line, a.Index}
}

// mentionedIn returns the literals that the comment mentions by their places.
func mentionedIn(f *syntax.File) map[place]syntax.Aside {
	sound, _ := f.Mentioned()
	all := make(map[place]syntax.Aside, len(sound))
	for _, a := range sound {
		all[placeOf(a, a.Line)] = a
	}
	return all
}

// isRewritten reports whether edits delete the start of the line of an aside, or more of the
// line than its literal: what stands there then is theirs.
func isRewritten(edits []source.Edit, a syntax.Aside) bool {
	return slices.ContainsFunc(edits, func(e source.Edit) bool {
		return e.Span.Start <= a.Span.Start && a.Span.Start < e.Span.End() || overlaps(e.Span, a.Target) && !isWithin(e.Span, a.Target)
	})
}

func overlaps(s, t source.Span) bool { return s.Start < t.End() && t.Start < s.End() }

func isWithin(s, t source.Span) bool { return t.Start <= s.Start && s.End() <= t.End() }

// moved returns where an offset is after edits none of which covers it.
func moved(edits []source.Edit, offset int) int {
	to := offset
	for _, e := range edits {
		if e.Span.End() <= offset {
			to += len(e.NewText) - e.Span.Length
		}
	}
	return to
}

// addAside returns the edit that adds a lemma or cover after the comment, which it begins
// where there is none.
func addAside(f *syntax.File, k syntax.AsideKind, lit uint32) []source.Edit {
	return addLines(f, syntax.WriteAside(k, f.SpellLiteral(lit), ""))
}

// addLines returns the edit that adds lines after the comment.
func addLines(f *syntax.File, line string) []source.Edit {
	if _, ok := f.Comment(); !ok {
		line = "c\n" + line
	}
	if f.LacksNewline() {
		line = "\n" + line
	}
	return []source.Edit{{Span: source.Span{Start: f.Text().Len()}, NewText: line}}
}

// asides offers lines of the comment that say something about a literal.
func (c *changes) asides(lit uint32) {
	for _, o := range []struct {
		id, title string
		kind      syntax.AsideKind
	}{
		{"add-lemma", fmt.Sprintf("Add a lemma: %s is always 1", c.describe(lit)), syntax.AsideLemma},
		{"add-cover", fmt.Sprintf("Add a cover: %s is 1 in some run", c.describe(lit)), syntax.AsideCover},
	} {
		c.add(source.ChangeAdd, o.id, o.title, func() ([]source.Edit, error) { return addAside(c.file, o.kind, lit), nil })
	}
}

// asideFixes offers to delete the line of an aside that is of no use.
func asideFixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	line := f.Text().LineAt(d.Span.Start)
	if comment, ok := f.Comment(); !ok || d.Span.Start < comment.Start {
		return nil
	}
	span := source.SpanFromTo(f.Text().LineStart(line), f.Text().LineStart(line+1))
	return []source.Fix{{Title: "Delete the line", Edits: []source.Edit{{Span: span}}}}
}

// asideAt returns the aside whose literal stands at an offset.
func asideAt(f *syntax.File, offset int) (syntax.Aside, bool) {
	sound, _ := f.Mentioned()
	for _, a := range sound {
		if a.Target.Contains(offset) {
			return a, true
		}
	}
	return syntax.Aside{}, false
}

// aside offers what a line of the comment may say. Literals are offered by the names that
// mean them there.
func (c *completer) aside(words []string) {
	keyword := func(word, detail string) {
		if strings.HasPrefix(word, c.word) {
			c.add(Completion{Kind: CompleteComment, Label: word, Insert: word, Filter: word, Detail: detail})
		}
	}
	switch {
	case len(words) == 0:
		keyword("prop:", "a lemma or a cover: properties beside those of the rows")
		keyword(wordline.Prefix, "signals that are read as one value: NAME = BITS {VALUE = NUMBER}")
	case words[0] == wordline.Prefix:
		if slices.Contains(words, "=") && !strings.Contains(strings.Join(words, ""), "{") {
			c.asideLiterals()
		}
	case words[0] != "prop:" || len(words) > 2:
	case len(words) == 1:
		keyword("lemma", "literal that you take to be 1 always: proved first, then used to prove the others")
		keyword("cover", "literal that is 1 in some run")
	case words[1] == syntax.AsideLemma.String() || words[1] == syntax.AsideCover.String():
		c.asideLiterals()
	}
}

// asideLiterals offers literals as a line of the comment names them.
func (c *completer) asideLiterals() {
	name, negated := strings.CutPrefix(c.word, "!")
	c.eachNamedWith(strings.ToLower(strings.TrimPrefix(name, `"`)), func(lit uint32, name, detail string) bool {
		offer := func(lit uint32, sign string) bool {
			spelled := c.file.SpellLiteralAs(lit, name)
			return c.add(Completion{Kind: CompleteLiteral, Label: sign + name, Insert: spelled, Filter: sign + name, Detail: detail, Lit: lit})
		}
		return (negated || offer(lit, "")) && offer(lit^1, "!")
	})
}
