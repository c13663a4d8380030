// Package polltest counts how often work looks at its context, and ends that at a chosen
// look: so tests see that work ends soon without a clock.
package polltest

import "context"

// Context ends at its End-th look; 0 is never. It is for work on one goroutine.
type Context struct {
	context.Context
	Looks, End int
}

// New returns a context that ends at a look.
func New(end int) *Context { return &Context{Context: context.Background(), End: end} }

// Err is a look.
func (c *Context) Err() error {
	if c.Looks++; c.End > 0 && c.Looks >= c.End {
		return context.Canceled
	}
	return nil
}
