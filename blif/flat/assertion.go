package flat

import (
	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/internal/source"
)

// tooManyCells leaves a circuit without verdicts where not all formal cells are
// listed.
func (x *elaborator) tooManyCells() {
	if !x.f.CellsAreMany() {
		return
	}
	d := codes.Finding(codes.TooLarge, x.f.Top().NameSpan(),
		"the flattened hierarchy has more than 10,000 formal cells such as $assert, or names of them that are longer than 4 MB together")
	x.e.structural = &d
}

// along returns the instance at a path; nil for one that is not there, in a
// hierarchy that is too large.
func (e *Elaboration) along(path []int) *instance {
	at := 0
	for _, i := range path {
		children := e.instances[at].children
		if i >= len(children) || children[i] < 0 {
			return nil
		}
		at = children[i]
	}
	return &e.instances[at]
}

// rootFault returns the error that a formal cell, or an instance around it, has
// by itself, or nil.
func (e *Elaboration) rootFault(cell blif.PlacedCell) *source.Diagnostic {
	var fault *source.Diagnostic
	if in := e.along(cell.Path); in != nil {
		e.blame(&fault, in, in.faults.Faults[cell.Statement])
		for ; in.parent >= 0; in = &e.instances[in.parent] {
			parent := &e.instances[in.parent]
			e.blame(&fault, parent, parent.faults.Faults[in.call])
		}
	}
	return fault
}

// blame keeps the first error that a formal cell has by itself.
func (e *Elaboration) blame(kept **source.Diagnostic, in *instance, d *source.Diagnostic) {
	if *kept == nil && d != nil {
		anchored := e.anchor(in, *d)
		*kept = &anchored
	}
}
