package flat

import (
	"slices"

	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// LeftOpen is what the text does not say in a cone. It can make a property fail that holds in the
// design which the text is made of, never hold one that fails.
type LeftOpen struct {
	// Cuts are warnings on free inputs for what the text does not describe.
	Cuts []source.Diagnostic
	// Starts is the number of flip-flops that start with any value because the text does not say
	// with which, as 2 and 3 do, and Start is a diagnostic at the first of them.
	Starts int
	Start  source.Diagnostic
}

// LeftOpen returns what belongs to a verdict on p.
func (e *Elaboration) LeftOpen(p circuit.Property) LeftOpen {
	if len(e.cuts)+len(e.unstarted) == 0 || len(e.instances) == 0 {
		return LeftOpen{}
	}
	c := e.cone(p)
	return e.leftOpen(c.cuts, c.unstarted)
}

// LeftOpenAt returns what belongs to an answer about some literals of the circuit: what is in their
// cones and in those of the constraints.
func (e *Elaboration) LeftOpenAt(lits ...circuit.Lit) LeftOpen {
	if len(e.cuts)+len(e.unstarted) == 0 {
		return LeftOpen{}
	}
	c, seen := e.Circuit, circuit.NewTable[bool](e.Circuit)
	todo := slices.Clone(lits)
	for _, s := range c.Constraints() {
		todo = append(todo, s.Lit)
	}
	var cuts []source.Diagnostic
	var starts []uint32
	for len(todo) > 0 {
		v := todo[len(todo)-1].Var()
		todo = todo[:len(todo)-1]
		if seen.At(v) {
			continue
		}
		seen.Set(v, true)
		switch c.Kind(v) {
		case circuit.KindInput:
			node := e.inputOf[c.InputIndex(v)]
			if cut, ok := e.cuts[node]; ok {
				_, in := e.driver(node)
				cuts = append(cuts, e.anchor(in, cut))
			}
		case circuit.KindLatch:
			i := c.LatchIndex(v)
			if i < len(e.latchOf) {
				if _, ok := e.unstarted[e.latchOf[i]]; ok {
					starts = append(starts, e.latchOf[i])
				}
			}
			todo = append(todo, c.Latches()[i].Next, c.Latches()[i].Reset)
		case circuit.KindAnd:
			left, right, _ := c.Operands(v)
			todo = append(todo, left, right)
		}
	}
	return e.leftOpen(cuts, starts)
}

func (e *Elaboration) leftOpen(cuts []source.Diagnostic, unstarted []uint32) LeftOpen {
	open := LeftOpen{Cuts: cuts, Starts: len(unstarted)}
	hasCells, at, isFound := false, source.Span{}, false
	for _, node := range unstarted {
		drv, in := e.driver(node)
		hasCells = hasCells || e.unstarted[node]
		span := e.anchor(in, source.Diagnostic{Span: in.model.File.DirectiveSpan(int(drv.Statement))}).Span
		if !isFound || span.Start < at.Start {
			at, isFound = span, true
		}
	}
	if isFound {
		open.Start = codes.WithoutStart(len(unstarted), at, hasCells)
	}
	return open
}

// isCell reports whether what defines a latch is an instance of a cell.
func (in *instance) isCell(s uint32) bool {
	f := in.model.File
	k, i := f.Locate(int(in.body.Drivers[s].Statement))
	kind := f.Chunks[k].Stmts[i].Kind
	return kind == statement.KindSubckt || kind == statement.KindGate
}
