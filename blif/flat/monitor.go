package flat

import (
	"fmt"

	"aiglens/circuit"
)

// monitors are the elements of a circuit that stand for no net: they say what becomes of one
// from some step on. Their names begin with that of the net or cell, and their place is that of
// the property. Yosys' write_aiger makes such elements of the cells $live and $fair.
type monitors struct {
	inputs  map[int]string  // names by input of the circuit
	latches []string        // names of the latches, which stand after those of nets
	named   map[string]bool // what the names begin with
}

func newMonitors() *monitors { return &monitors{inputs: map[int]string{}, named: map[string]bool{}} }

// name returns what the names of elements begin with; something may be said twice.
func (m *monitors) name(of string) string {
	if m.named[of] {
		of = fmt.Sprintf("%s.%d", of, len(m.named))
	}
	m.named[of] = true
	return of
}

// staysZero returns a literal that is 1 infinitely often in a run iff a net is 0 in all of
// its steps from one on in which en is 1. The step is the first such one in which an input of
// its own is 1; one latch says that it has been, another that the net was 1 since.
func (m *monitors) staysZero(x *elaborator, of string, net, en circuit.Lit, o circuit.Origin) circuit.Lit {
	name := m.name(of)
	m.inputs[len(x.e.inputOf)] = name + ".live_from"
	x.e.inputOf = append(x.e.inputOf, noNode)
	from := x.b.Input(o)
	begun, broken := x.b.Latch(o), x.b.Latch(o)
	m.latches = append(m.latches, name+".live_begun", name+".live_broken")
	now := x.b.Or(begun, x.b.And(from, en))
	x.b.SetNext(begun, now)
	x.b.SetNext(broken, x.b.Or(broken, x.b.And(now, net)))
	return x.b.And(begun, broken.Not())
}

// isAnswered returns a literal that is 1 infinitely often in a run iff a is 1 in or after each
// step in which en is. A latch says that some step of en waits for a. The literal of Yosys is that
// latch, one step later.
func (m *monitors) isAnswered(x *elaborator, of string, a, en circuit.Lit, o circuit.Origin) circuit.Lit {
	if en == circuit.True {
		return a
	}
	waiting := x.b.Latch(o)
	m.latches = append(m.latches, m.name(of)+".fair_waiting")
	next := x.b.And(x.b.Or(waiting, en), a.Not())
	x.b.SetNext(waiting, next)
	return next.Not()
}
