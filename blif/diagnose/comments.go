package diagnose

import (
	"fmt"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// oddComments reports the comments of a chunk that are not what they seem.
func (c *checker) oddComments(k int) {
	for _, o := range c.f.Chunks[k].Odd {
		span := c.f.TokenSpan(k, statement.Token{Start: o.Start, Length: o.Length})
		switch {
		case o.Joins:
			c.find(codes.CommentJoin, span, "ABC and Yosys take the next line for a part of the comment")
		case c.f.IsOwnLine(span.Start):
			c.find(codes.PragmaIgnored, span, "no property: one is written \"# prop:\"")
		default:
			c.find(codes.PragmaIgnored, span, "no property: one stands on a line of its own")
		}
	}
}

// pragmas checks the "# prop:" comments of a model.
func (c *checker) pragmas(m *blif.Model) {
	seen := map[string]source.Span{} // by kind and signals
	for _, p := range c.f.PragmasOf(m) {
		start := int(c.f.Starts[p.Chunk] + p.Pragma.Start)
		lo, hi := p.Signals(c.f)
		if len(p.Pragma.Tokens) == 0 {
			c.find(codes.Pragma, c.f.Text().LineSpan(c.f.Text().LineAt(start)), "\"# prop:\" needs bad, assert, assume, justice, live, fair, lemma, cover or shown, and a signal")
			continue
		}
		kind := c.f.TokenSpan(p.Chunk, p.Pragma.Tokens[0])
		switch word := c.f.Text().Slice(kind); {
		case statement.PragmaKindOf(word) == statement.PragmaNone:
			c.find(codes.Pragma, kind, "%s is none of bad, assert, assume, justice, live, fair, lemma, cover and shown", word)
		case lo == hi:
			c.find(codes.Pragma, source.Span{Start: kind.End()}, "%s needs a signal", word)
		case hi < len(p.Pragma.Tokens) && !(hi+1 == len(p.Pragma.Tokens) && strings.HasPrefix(c.f.WordOf(p.Chunk, p.Pragma.Tokens[hi]), `"`)):
			c.find(codes.Pragma, c.f.TokenSpan(p.Chunk, p.Pragma.Tokens[hi]), "%s has one signal, and a label stands in quotes", word)
		case m.End >= 0 && int(c.f.Firsts[p.Chunk]+p.Pragma.Statement) >= m.End && m.Index+1 < len(c.s.Models):
			c.find(codes.Pragma, kind, "it is not clear which model is meant: the comment stands between two")
		case m.Index > 0 && statement.PragmaKindOf(word) != statement.PragmaAssume:
			c.find(codes.PragmaIgnored, kind, "no property: model %s is checked, and in others only assume and formal cells such as $assert count", c.s.Models[0].Name)
		}
		for i := lo; i < hi; i++ {
			if s := c.r.Lookup(m.Index, p.Pragma.Names[i]); s != 0 && !c.r.IsDriven(s) && !blif.IsImplied(c.f, s) {
				span := c.f.TokenSpan(p.Chunk, p.Pragma.Tokens[i])
				c.find(codes.PragmaSignal, span, "model %s has no signal %s", m.Name, c.f.Text().Slice(span))
			}
		}
		if lo < hi {
			c.repeated(seen, p, lo, hi)
		}
	}
}

// repeated reports a comment that says of the same signals what one before it has said.
func (c *checker) repeated(seen map[string]source.Span, p blif.PlacedPragma, lo, hi int) {
	var words []string
	for _, t := range p.Pragma.Tokens[:hi] {
		words = append(words, c.f.WordOf(p.Chunk, t))
	}
	span := source.SpanFromTo(c.f.TokenSpan(p.Chunk, p.Pragma.Tokens[0]).Start, c.f.TokenSpan(p.Chunk, p.Pragma.Tokens[hi-1]).End())
	key := strings.Join(words, " ")
	first, isRepeated := seen[key]
	if !isRepeated {
		seen[key] = span
		return
	}
	d := codes.Finding(codes.PragmaRepeated, span, fmt.Sprintf("the same as the comment on line %d", c.f.Text().LineAt(first.Start)+1))
	d.Relate(first, "the first")
	c.report(d)
}
