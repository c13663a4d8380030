package diagnose

import (
	"aiglens/blif/codes"
	"aiglens/blif/statement"
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
