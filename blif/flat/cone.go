package flat

import (
	"fmt"
	"slices"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/netlist"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Fault returns an error that forbids a verdict on p: one of the whole file,
// one in p's cone or in the cone of a constraint, or that the latches of the
// cone do not step together. It is nil when p may be checked. An error of
// another file stands at the instance through which it comes in.
//
// The cone is that of the text, not of the circuit, in which structural
// hashing may have folded an error away.
func (e *Elaboration) Fault(p circuit.Property) *source.Diagnostic {
	if fault, isAll := e.ofAll(); isAll {
		return fault
	}
	return e.cone(p).fault
}

// ofAll returns an error of the whole file, or nil. isAll says that no cone needs a search: there is such an error,
// or the file has no model.
func (e *Elaboration) ofAll() (fault *source.Diagnostic, isAll bool) {
	if s := diagnose.CheckupOf(e.file).Structural; s != nil || len(e.instances) == 0 {
		return s, true
	}
	return e.structural, e.structural != nil
}

// FaultAt returns an error that forbids an answer about literals of the circuit, as Fault does for a property. A
// literal stands for all nets that hashing has made it of, since any of them may be meant: an error in the
// cone of one counts, and one of an instance that holds it. Of a literal that is no net, any error counts.
func (e *Elaboration) FaultAt(lits ...circuit.Lit) *source.Diagnostic {
	if fault, isAll := e.ofAll(); isAll {
		return fault
	}
	isNet := map[circuit.Var]bool{}
	for _, l := range lits {
		isNet[l.Var()] = l.Var() == 0
	}
	c := e.newCone()
	for node, l := range e.lits {
		if l == unset {
			continue
		}
		if _, isAsked := isNet[l.Var()]; !isAsked {
			continue
		}
		isNet[l.Var()] = true
		c.visit(uint32(node))
		for in := &e.instances[e.instanceOf(uint32(node))]; in.parent >= 0; {
			around := &e.instances[in.parent]
			if d := around.faults.Faults[in.call]; d != nil {
				c.note(around, *d)
			}
			in = around
		}
	}
	c.run()
	for _, is := range isNet {
		if !is {
			fault, _ := e.Whole()
			return fault
		}
	}
	return c.fault
}

// cone walks from the nodes of a property and of the constraints to all that
// they depend on.
func (e *Elaboration) cone(p circuit.Property) *coneSearch {
	c := e.newCone()
	if p.Kind == circuit.PropertyJustice {
		if e.fairnessFault != nil {
			c.keep(*e.fairnessFault)
		}
		for _, node := range e.fairness {
			c.visit(node)
		}
	}
	if f := e.rootFaults[p]; f != nil {
		c.keep(*f)
	}
	for _, node := range e.rootsOf(p) {
		c.visit(node)
	}
	c.run()
	return c
}

// newCone returns a search that begins with the constraints.
func (e *Elaboration) newCone() *coneSearch {
	c := &coneSearch{e: e, seen: make([]bool, len(e.lits)), clocks: map[uint32]bool{},
		nets: map[uint32]uint32{}, origins: map[uint32]uint32{}}
	if e.commonFault != nil {
		c.keep(*e.commonFault)
	}
	for _, node := range e.common {
		c.visit(node)
	}
	return c
}

// Whole returns the first error in what the circuit is made of, whether a
// property depends on it or not, and the warnings on its free inputs: all that
// stands between the text and the circuit written in another format.
func (e *Elaboration) Whole() (fault *source.Diagnostic, cuts []source.Diagnostic) {
	if fault, isAll := e.ofAll(); isAll {
		return fault, nil
	}
	c := e.newCone()
	if e.fairnessFault != nil {
		c.keep(*e.fairnessFault)
	}
	for _, p := range e.properties {
		if f := e.rootFaults[p.ID]; f != nil {
			c.keep(*f)
		}
	}
	for _, list := range append(slices.Clone(e.roots), e.fairness, e.latchOf, e.inputOf, e.instances[0].body.Outputs) {
		for _, node := range list {
			if node != noNode {
				c.visit(node)
			}
		}
	}
	c.run()
	return c.fault, c.cuts
}

// rootsOf returns the nodes of a property.
func (e *Elaboration) rootsOf(p circuit.Property) []uint32 {
	for i, q := range e.properties {
		if q.ID == p {
			return e.roots[i]
		}
	}
	if outputs := e.instances[0].body.Outputs; p.Kind == circuit.PropertyOutput && p.Index >= 0 && p.Index < len(outputs) {
		return outputs[p.Index : p.Index+1]
	}
	return nil
}

type coneSearch struct {
	e     *Elaboration
	seen  []bool // by node
	todo  []uint32
	fault *source.Diagnostic
	cuts  []source.Diagnostic
	// unstarted are the latches that start with any value, because the text gives none.
	unstarted []uint32
	clock     domain          // of the first latch that has one
	latch     uint32          // that latch
	clocks    map[uint32]bool // nodes that clocks come through
	// nets and origins hold, by node, where the clock there comes from: by ports,
	// .conn and .short alone, and through buffers and inverters too.
	nets, origins map[uint32]uint32
}

func (c *coneSearch) visit(node uint32) {
	if !c.seen[node] {
		c.seen[node] = true
		c.todo = append(c.todo, node)
	}
}

func (c *coneSearch) run() {
	e := c.e
	for len(c.todo) > 0 {
		node := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		d, in := e.driver(node)
		if f := e.faults[node]; f != nil {
			c.note(in, *f.diag)
		}
		if s := in.faults.Structural; s != nil {
			c.note(in, *s)
		}
		if cut, ok := e.cuts[node]; ok && !c.clocks[node] {
			c.cuts = append(c.cuts, e.anchor(in, cut))
		}
		if to, ok := e.aliasOf(node); ok {
			if d.Statement >= 0 && in.faults.Faults[int(d.Statement)] != nil {
				c.note(in, *in.faults.Faults[int(d.Statement)])
			}
			c.visit(to)
			continue
		}
		if d.Kind == netlist.DriverLatch {
			c.step(node, in)
			if _, ok := e.unstarted[node]; ok {
				c.unstarted = append(c.unstarted, node)
			}
		}
		for _, op := range in.body.Operands[d.From:d.To] {
			c.visit(in.base + op)
		}
	}
}

// note keeps an error of the file of an instance.
func (c *coneSearch) note(in *instance, d source.Diagnostic) { c.keep(c.e.anchor(in, d)) }

// keep keeps the first error in text order.
func (c *coneSearch) keep(d source.Diagnostic) {
	if c.fault == nil || d.Span.Start < c.fault.Span.Start {
		c.fault = &d
	}
}

// anchor returns a diagnostic of the file of an instance as one of the top
// file: it stands at the instance through which the other file comes in.
func (e *Elaboration) anchor(in *instance, d source.Diagnostic) source.Diagnostic {
	if in.model.File == e.file {
		return d
	}
	line, _ := in.model.File.Text().LineColumn(d.Span.Start)
	d.Message = fmt.Sprintf("model %s, %s line %d: %s", in.model.Name, fileName(in.model.File), line, d.Message)
	d.Span = e.file.DirectiveSpan(in.entry)
	d.Related, d.Fixes = nil, nil
	return d
}

func fileName(f *blif.File) string {
	if f.Options().FileName == "" {
		return "another file"
	}
	return f.Options().FileName
}
