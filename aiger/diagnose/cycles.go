package diagnose

import (
	"context"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Cycles is what there is to say about cycles of ANDs and of resets.
type Cycles struct {
	Diagnostics []*source.Diagnostic
	Faults      []syntax.Fault
}

// FindCycles reports ANDs that depend on each other in a cycle, and latches whose
// resets do. The error is that of ctx.
func FindCycles(ctx context.Context, f *syntax.File) (Cycles, error) {
	var n *net
	if !isOrdered(f) {
		var err error
		if n, err = newNet(ctx, f); err != nil {
			return Cycles{}, err
		}
	}
	return report(ctx, f, n)
}

// isOrdered reports whether every gate has a larger variable than its
// operands, which rules cycles out and holds for nearly every file.
func isOrdered(f *syntax.File) bool {
	for _, rows := range f.Runs(f.RowsOf(syntax.SectionAnds)) {
		for i := range rows {
			if r := &rows[i]; r.N >= 3 && r.Num[0]>>1 <= max(r.Num[1], r.Num[2])>>1 {
				return false
			}
		}
	}
	return true
}

// report turns the cycles into diagnostics; n is nil when there are none of ANDs.
func report(ctx context.Context, f *syntax.File, n *net) (Cycles, error) {
	var c Cycles
	resets, err := ResetCycles(ctx, f)
	if err != nil {
		return c, err
	}
	d := findings.NewList(syntax.Catalogue)
	if n != nil {
		for _, cycle := range n.cycles {
			diag := d.StandIn(syntax.CodeAndCycle, n.reportCycle(&d, cycle))
			c.Faults = append(c.Faults, syntax.Fault{Row: uint32(n.first(cycle)), Diagnostic: diag})
		}
	}
	c.Faults = append(c.Faults, reportResets(f, resets, &d)...)
	c.Diagnostics = d.Finish()
	return c, nil
}

// first returns the first row of a cycle.
func (n *net) first(cycle []int32) int { return n.lo + int(slices.Min(cycle)) }

// maxRelated bounds the gates of a cycle that are shown.
const maxRelated = 100

// reportCycle reports a cycle on its first row.
func (n *net) reportCycle(d *findings.List, cycle []int32) *source.Diagnostic {
	f := n.f
	at := n.first(cycle)
	row := f.Numbers(at)
	if len(cycle) == 1 {
		i := 1
		if row.Num[1]>>1 != row.Num[0]>>1 {
			i = 2
		}
		return d.Add(syntax.CodeAndCycle, f.NumberSpan(at, i), "AND %d has itself as operand", row.Num[0])
	}
	diag := d.Add(syntax.CodeAndCycle, f.NumberSpan(at, 0), "%d ANDs depend on each other in a cycle", len(cycle))
	first := slices.Index(cycle, int32(at-n.lo))
	for i := range min(len(cycle), maxRelated) {
		r := n.lo + int(cycle[(first+i)%len(cycle)])
		to := n.lo + int(cycle[(first+i+1)%len(cycle)])
		diag.Relate(f.NumberSpan(r, 0), "AND %d depends on %d", f.Numbers(r).Num[0], f.Numbers(to).Num[0])
	}
	return diag
}
