package equiv

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/ic3/reduce"
)

// Bounds of SAT sweeping, of the first product. Each round may ask more of a query than the one
// before; another one follows as long as some gates could not be decided.
const (
	sweepEffort    = 2_000_000 // see reduce.MergeOptions
	sweepPerVar    = 600       // and for each variable of the product
	maxSweepEffort = 30_000_000
)

var sweepConflicts = []int64{100, 1_000, 10_000} // by round

// Bounds of the search for signals that are equal in all runs, of the first product.
const (
	correspondEffort    = 5_000_000 // see reduce.Equals
	correspondPerVar    = 2_500     // and for each variable of the product
	maxCorrespondEffort = 40_000_000
)

// sweepableVars is the largest product that is looked through: of a larger one simulation
// alone would use up the effort.
const sweepableVars = 4_000_000

// efforts is what sweeping and the search for signals that are equal in all runs may still
// take, of all products of a comparison: these become more as latches turn out to be two. Each
// may take half of what is left, so that the last has some, too.
type efforts struct {
	sweep, correspond int64
}

// newEfforts returns those of a comparison whose first product has so many variables.
func newEfforts(vars int) *efforts {
	if vars > sweepableVars {
		return &efforts{}
	}
	return &efforts{
		sweep:      2 * min(sweepEffort+sweepPerVar*int64(vars), maxSweepEffort),
		correspond: 2 * min(correspondEffort+correspondPerVar*int64(vars), maxCorrespondEffort),
	}
}

// swept returns a product with those of its gates merged that are equal in all states, and
// with what is equal in all runs where that answers all questions. What package reduce has
// found is tested by circuit/cert, which makes the circuit: so what is found of it is found
// of the product, by the same certificates.
func (c *comparison) swept(ctx context.Context, p *compare.Product) *compare.Product {
	all := p.All().Index
	if c.Bound > 0 {
		return p
	}
	if c.efforts == nil {
		c.efforts = newEfforts(p.Circuit.NumVars())
	}
	share := c.efforts.sweep / 2
	for _, conflicts := range sweepConflicts {
		if p.Circuit.Bads()[all].Lit == circuit.False || share <= 0 {
			break
		}
		found, err := reduce.Merges(ctx, p.Circuit, reduce.MergeOptions{Effort: share, Conflicts: conflicts})
		share -= found.Effort
		c.efforts.sweep -= found.Effort
		if c.changeMerges != nil {
			found.Merges = c.changeMerges(found.Merges)
		}
		if err == nil && len(found.Merges) > 0 {
			var merged *circuit.Circuit
			if merged, err = cert.Merged(ctx, p.Circuit, found.Merges); err == nil {
				p = p.With(merged)
			}
		}
		if err != nil && ctx.Err() == nil {
			c.report.Internal = fmt.Errorf("sweeping: %w", err)
		}
		if !found.Again || err != nil {
			break
		}
	}
	return c.corresponding(ctx, p)
}

// corresponding returns a product with latches and gates merged that are equal in all runs,
// if that answers all questions with no, and else the product as it is. What package reduce has
// found is tested by circuit/cert. Reset functions are made part of the steps before.
func (c *comparison) corresponding(ctx context.Context, p *compare.Product) *compare.Product {
	all, of := p.All().Index, p.Circuit
	if c.efforts.correspond <= 0 || of.Bads()[all].Lit == circuit.False {
		return p
	}
	if of.HasResetFunctions() {
		of, _ = of.ConstantResets()
	}
	equals, effort, err := reduce.Equals(ctx, of, all, c.efforts.correspond/2)
	c.efforts.correspond -= effort
	if c.changeEquals != nil {
		equals = c.changeEquals(equals)
	}
	if err != nil || equals == nil {
		return p
	}
	merged, err := cert.Corresponding(ctx, of, equals)
	switch {
	case err == nil && merged.Bads()[all].Lit == circuit.False:
		return p.With(merged)
	case err != nil && ctx.Err() == nil:
		c.report.Internal = fmt.Errorf("signal correspondence: %w", err)
	}
	return p
}
