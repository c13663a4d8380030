package shared

import "context"

// Polls is a context that counts how often work looks at it, and ends at its End-th look; 0 is
// never. So tests see without a clock that work ends soon. It is for work on one goroutine.
type Polls struct {
	context.Context
	Looks, End int
}

// NewPolls returns a context that ends at a look.
func NewPolls(end int) *Polls { return &Polls{Context: context.Background(), End: end} }

// Err is a look.
func (c *Polls) Err() error {
	if c.Looks++; c.End > 0 && c.Looks >= c.End {
		return context.Canceled
	}
	return nil
}
