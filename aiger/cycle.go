package aiger

import (
	"context"
	"slices"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// cycleReport is what there is to say about circles of ANDs.
type cycleReport struct {
	diags  []*source.Diagnostic
	faults []fault
}

// findCycles reports ANDs that depend on each other in a circle.
func (f *File) findCycles() cycleReport {
	if f.isOrdered() {
		return cycleReport{}
	}
	n, _ := newNet(context.Background(), f)
	return n.report()
}

// isOrdered reports whether every gate has a larger variable than its
// operands, which rules circles out and holds for nearly every file.
func (f *File) isOrdered() bool {
	for _, rows := range f.Runs(f.rowsOf(SectionAnds)) {
		for i := range rows {
			if r := &rows[i]; r.n >= 3 && r.num[0]>>1 <= max(r.num[1], r.num[2])>>1 {
				return false
			}
		}
	}
	return true
}

// report turns the circles into diagnostics.
func (n *net) report() cycleReport {
	var c cycleReport
	d := findings.NewList(catalogue)
	for _, cycle := range n.cycles {
		diag := d.StandIn(CodeAndCycle, n.reportCycle(&d, cycle))
		c.faults = append(c.faults, fault{uint32(n.first(cycle)), diag})
	}
	c.diags = d.Finish()
	return c
}

// first returns the first row of a circle.
func (n *net) first(cycle []int32) int { return n.lo + int(slices.Min(cycle)) }

// maxRelated bounds the gates of a circle that are shown.
const maxRelated = 100

// reportCycle reports a circle on its first row.
func (n *net) reportCycle(d *findings.List, cycle []int32) *source.Diagnostic {
	f := n.f
	at := n.first(cycle)
	row := f.Numbers(at)
	if len(cycle) == 1 {
		i := 1
		if row.num[1]>>1 != row.num[0]>>1 {
			i = 2
		}
		return d.Add(CodeAndCycle, f.numberSpan(at, i), "AND %d has itself as operand", row.num[0])
	}
	diag := d.Add(CodeAndCycle, f.numberSpan(at, 0), "%d ANDs depend on each other in a circle", len(cycle))
	first := slices.Index(cycle, int32(at-n.lo))
	for i := range min(len(cycle), maxRelated) {
		r := n.lo + int(cycle[(first+i)%len(cycle)])
		to := n.lo + int(cycle[(first+i+1)%len(cycle)])
		diag.Relate(f.numberSpan(r, 0), "AND %d depends on %d", f.Numbers(r).num[0], f.Numbers(to).num[0])
	}
	return diag
}
