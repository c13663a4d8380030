package flat

import (
	"context"
	"slices"

	"aiglens/blif"
	"aiglens/circuit"
)

// NetGates is a net that stands for gates of the circuit.
type NetGates struct {
	Net int // by its number, see NetAt
	// Own are the gates that become something else with what drives the net, and with nothing
	// else; none where that is not so of all of them.
	Own []circuit.Var
}

// NetGates returns the nets of gates and constants, each with its gate and those inside of its
// cover. A net has none of its own where other nets have the same literal, or where a gate is that
// of another cover or cell as well, which need not read the net: it would not change with it. The
// elaboration is that of the file; the error is that of ctx.
func (e *Elaboration) NetGates(ctx context.Context, f *blif.File) ([]NetGates, error) {
	repeated, err := repeatedIn(ctx, f)
	if err != nil {
		return nil, err
	}
	c := e.Circuit
	names := map[circuit.Var]int{} // nets of a variable
	for i := range e.NumNets() {
		if l, ok := e.NetLit(i); ok {
			names[l.Var()]++
		}
	}
	var all []NetGates
	for i := range e.NumNets() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, ok := e.NetLit(i)
		if !ok || c.Kind(l.Var()) != circuit.KindAnd && l.Var() != 0 {
			continue
		}
		n := NetGates{Net: i}
		if names[l.Var()] == 1 && l.Var() != 0 {
			n.Own = []circuit.Var{l.Var()}
			for at := 0; at < len(n.Own); at++ {
				left, right, _ := c.Operands(n.Own[at])
				for _, v := range []circuit.Var{left.Var(), right.Var()} {
					if c.Kind(v) == circuit.KindAnd && names[v] == 0 && !slices.Contains(n.Own, v) {
						n.Own = append(n.Own, v)
					}
				}
			}
		}
		if slices.ContainsFunc(n.Own, func(v circuit.Var) bool { return repeated[v] }) {
			n.Own = nil
		}
		all = append(all, n)
	}
	return all, nil
}
