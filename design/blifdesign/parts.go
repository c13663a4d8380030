package blifdesign

import (
	"context"
	"slices"

	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Parts returns the statements that define nets, each with all that it states in the instances of
// its model.
func (e elaboration) Parts(ctx context.Context) ([]design.Part, error) {
	own := e.syntax.file
	nets, err := e.NetGates(ctx, own)
	if err != nil {
		return nil, err
	}
	byStatement := map[int]*design.Part{}
	at := func(id int) *design.Part {
		p := byStatement[id]
		if p == nil {
			p = &design.Part{Span: e.syntax.rowSpan(id)}
			byStatement[id] = p
		}
		return p
	}
	for i := range e.Elaboration.Circuit.Latches() {
		place, ok := e.Place(e.Elaboration.Circuit.Latches()[i].Origin)
		if ok && e.IsNetLatch(i) && place.File == own {
			p := at(own.StatementAt(place.Span.Start).ID)
			p.Latches = append(p.Latches, i)
		}
	}
	gates := map[int][]circuit.Var{} // by net; none of its own where it is nil
	for _, n := range nets {
		gates[n.Net] = n.Own
	}
	for n := range e.NumNets() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		net := e.NetAt(n)
		if net.File != own {
			continue
		}
		id, ok := own.Driver(net.Signal)
		if !ok {
			continue
		}
		l, sound := e.NetLit(n)
		p := at(id)
		if p.Name == "" {
			p.Name = net.Name
		}
		if sound && e.Elaboration.Circuit.Kind(l.Var()) == circuit.KindLatch && len(p.Latches) > 0 {
			continue // what a latch statement defines
		}
		p.Gates = append(p.Gates, gates[n]...)
		p.IsShared = p.IsShared || len(gates[n]) == 0
	}
	var parts []design.Part
	for id, p := range byStatement {
		switch own.Statement(id).Kind {
		case statement.KindNames, statement.KindLatch, statement.KindMlatch, statement.KindGate, statement.KindSubckt, statement.KindFlop:
			slices.Sort(p.Gates)
			p.Gates = slices.Compact(p.Gates)
			parts = append(parts, *p)
		}
	}
	parts = append(parts, design.ConstraintParts(e.Elaboration.Circuit, func(i int) (source.Span, bool) {
		place, ok := e.Place(e.Elaboration.Circuit.Constraints()[i].Origin)
		return place.Span, ok && place.File == own
	})...)
	slices.SortFunc(parts, func(a, b design.Part) int { return a.Span.Start - b.Span.Start })
	return parts, nil
}
