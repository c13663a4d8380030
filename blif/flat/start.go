package flat

import (
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Starts returns how many flip-flops in the cone of a property start with any value because the text
// does not say with which, as 2 and 3 do, and a diagnostic at the first of them. They can make a
// property fail that holds in the design which the text is made of, never hold one that fails.
func (e *Elaboration) Starts(p circuit.Property) (n int, d source.Diagnostic) {
	if len(e.unstarted) == 0 || len(e.instances) == 0 {
		return 0, d
	}
	nodes := e.cone(p).unstarted
	hasCells, at, isFound := false, source.Span{}, false
	for _, node := range nodes {
		drv, in := e.driver(node)
		hasCells = hasCells || e.unstarted[node]
		span := e.anchor(in, source.Diagnostic{Span: in.model.File.DirectiveSpan(int(drv.Statement))}).Span
		if !isFound || span.Start < at.Start {
			at, isFound = span, true
		}
	}
	if len(nodes) == 0 {
		return 0, d
	}
	return len(nodes), codes.WithoutStart(len(nodes), at, hasCells)
}

// isCell reports whether what defines a latch is an instance of a cell.
func (in *instance) isCell(s uint32) bool {
	f := in.model.File
	k, i := f.Locate(int(in.body.Drivers[s].Statement))
	kind := f.Chunks[k].Stmts[i].Kind
	return kind == statement.KindSubckt || kind == statement.KindGate
}
