package diagnose

import (
	"slices"
	"sync"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// drivers reports signals with several drivers.
func (c *checker) drivers() {
	r := c.r
	reported := map[source.Span]bool{} // the places where inputs are driven
	inputDriven := func(s blif.Signal, id int) {
		if span := c.f.DrivenSpan(id, r.Names[s]); !reported[span] {
			reported[span] = true
			c.inputDriven(s, span)
		}
	}
	open := map[blif.Signal]bool{} // of each model's open net whether it may have several drivers
	isOpen := func(s blif.Signal) bool {
		if _, known := open[s]; !known && c.f.Name(s) == blif.OpenNet {
			_, open[s] = c.f.OpenNetDriver(s)
		}
		return open[s]
	}
	for _, e := range r.Extra {
		if r.Facts[e.Signal]&(blif.FactInput|blif.FactClock) != 0 {
			inputDriven(e.Signal, e.Statement)
			continue
		}
		if isOpen(e.Signal) {
			continue
		}
		span := c.f.DrivenSpan(e.Statement, r.Names[e.Signal])
		first := int(r.Driver[e.Signal]) - 1
		d := codes.Finding(codes.DriversMany, span, c.f.Name(e.Signal)+" has another driver already")
		d.Related = []source.Related{{Span: c.f.DrivenSpan(first, r.Names[e.Signal]), Message: "the first driver"}}
		c.report(d)
	}
	for _, m := range c.s.Models {
		if !m.HasPortLines && len(m.Clocks) == 0 {
			continue
		}
		for _, p := range slices.Concat(m.InputList, m.Clocks) {
			if s := r.Lookup(m.Index, p.Name); s != 0 && r.Driver[s] != 0 {
				inputDriven(s, int(r.Driver[s])-1)
			}
		}
	}
}

// InputDriven says that an input is driven at a place.
func InputDriven(f *blif.File, s blif.Signal, span source.Span) source.Diagnostic {
	return codes.Finding(codes.InputDriven, span, f.Name(s)+" is an input of the model and cannot be driven in it")
}

func (c *checker) inputDriven(s blif.Signal, span source.Span) {
	d := InputDriven(c.f, s, span)
	if at, ok := c.f.PortSpan(s); ok {
		d.Related = []source.Related{{Span: at, Message: "listed here"}}
	}
	c.report(d)
}

// undriven reports each place that reads a signal which nothing drives.
func (c *checker) undriven() {
	counts := sync.OnceValue(func() []bool { return reached(c.f) })
	for _, m := range c.s.Models {
		var bad []blif.Signal
		r := c.r
		for s := r.Bases[m.Index]; s < r.Bases[m.Index+1]; s++ {
			if r.Driver[s] == 0 && r.Uses[s] > 0 && isUndriven(c.f, m, s) {
				bad = append(bad, s)
			}
		}
		if len(bad) > 0 {
			c.undrivenIn(m, bad, counts())
		}
	}
}

// isUndriven reports whether a signal is read and nothing can drive it.
func isUndriven(f *blif.File, m *blif.Model, s blif.Signal) bool {
	r := f.Resolved()
	if r.Uses[s] == 0 || r.IsDriven(s) || m.BlackBox {
		return false
	}
	if r.Facts[s]&blif.FactOutput != 0 && (len(m.Tables) > 0 || lacksDriver(f, m)) {
		return false // the table says what it is, or a faulty statement was to do so
	}
	return f.NameText(r.Names[s]) != blif.OpenNet && !blif.IsImplied(f, s)
}

// lacksDriver reports whether a latch or function of a model has no output.
func lacksDriver(f *blif.File, m *blif.Model) bool {
	for k, _ := f.Locate(m.From); k < len(f.Chunks) && int(f.Firsts[k]) < m.To; k++ {
		c := f.Chunks[k]
		if !c.Remarked {
			continue
		}
		for i, st := range c.Stmts {
			lo, hi := c.TokensOf(i)
			if id := int(f.Firsts[k]) + i; st.Flags&statement.FlagArguments != 0 && id >= m.From && id < m.To &&
				(st.Kind == statement.KindNames || st.Kind == statement.KindLatch && hi-lo < 3) {
				return true
			}
		}
	}
	return false
}

// undrivenIn reports the bad signals of a model; counts are by signal those on which a property may depend, or
// nil for all.
func (c *checker) undrivenIn(m *blif.Model, bad []blif.Signal, counts []bool) {
	marked, idle := make(map[statement.Name]bool, len(bad)), map[statement.Name]bool{}
	for _, s := range bad {
		marked[c.r.Names[s]] = true
		idle[c.r.Names[s]] = counts != nil && !counts[s]
	}
	f := c.f
	for k, _ := f.Locate(m.From); k < len(f.Chunks) && int(f.Firsts[k]) < m.BodyEnd; k++ {
		ch := f.Chunks[k]
		for i := range ch.Stmts {
			id := int(f.Firsts[k]) + i
			lo, hi := ch.TokensOf(i)
			if id < m.From || id >= m.BodyEnd || !slices.ContainsFunc(ch.Names[lo:hi], func(n statement.Name) bool { return marked[n] }) {
				continue
			}
			for _, o := range f.OccurrencesOfStatement(k, i) {
				if n := ch.Names[o.Token]; marked[n] && o.Role.Reads() {
					c.undrivenAt(o.Occurrence, f.NameText(n), idle[n])
				}
			}
		}
		if c.list.IsFull(codes.UndrivenSignal) {
			return
		}
	}
}

// undrivenAt reports a place that reads a signal. It is idle where no property depends on the signal:
// then no verdict is in doubt.
func (c *checker) undrivenAt(o blif.Occurrence, name string, idle bool) {
	var d source.Diagnostic
	switch o.Role {
	case blif.RoleOutput:
		d = codes.Finding(codes.UndrivenOutput, o.Span, "nothing drives the output "+name)
	case blif.RoleControl:
		d = codes.Finding(codes.ControlUndriven, o.Span, "the control signal "+name+" is not an input and nothing drives it")
	default:
		d = codes.Finding(codes.UndrivenSignal, o.Span, "nothing drives "+name)
	}
	if idle {
		d.Severity = source.Warning
		d.Message += "; no property depends on it"
		d.Several = "places name a signal that nothing drives; no property depends on these"
	}
	if c.f.Options().CutUndriven {
		d.Severity = source.Warning
	}
	c.report(d)
}
