package diagnose

import (
	"fmt"

	"aiglens/blif/codes"
	"aiglens/blif/netlist"
	"aiglens/internal/source"
)

// cycles reports combinational cycles of the models, those through instances
// too: what a cycle goes through inside of one is not said.
func (l *linter) cycles() {
	for _, c := range netlist.CyclesOf(l.f) {
		f := l.f
		path, instances := "", ""
		for i, s := range c {
			if i == 5 && len(c) > 6 {
				path += fmt.Sprintf("(%d more) → ", len(c)-5)
				break
			}
			path += f.Name(s) + " → "
		}
		for _, s := range c {
			if k, i := f.Locate(int(l.r.Driver[s]) - 1); f.Chunks[k].Stmts[i].Kind.IsInstance() && f.InstanceOf(k, i).Model != nil {
				instances = ", through instances"
			}
		}
		id := int(l.r.Driver[c[0]]) - 1
		d := codes.Finding(codes.Cycle, f.OperandSpan(id, l.r.Names[c[1%len(c)]]), "combinational cycle "+path+f.Name(c[0])+instances)
		for _, s := range c[1:min(len(c), 10)] {
			other := int(l.r.Driver[s]) - 1
			d.Related = append(d.Related, source.Related{Span: f.DrivenSpan(other, l.r.Names[s]), Message: f.Name(s)})
		}
		l.report(d)
	}
}
