package diagnose

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/netlist"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// tables checks the state tables of a model.
func (c *checker) tables(m *blif.Model) {
	for _, t := range m.Tables {
		if !t.Closed {
			c.find(codes.KissNotClosed, c.f.DirectiveSpan(t.From), ".start_kiss without .end_kiss")
		}
		c.table(m, t, statement.ReadMachine(&c.f.Tree, t))
	}
}

func (c *checker) table(m *blif.Model, t statement.MachineTable, k *statement.Machine) {
	directive := c.f.DirectiveSpan(t.From)
	for _, h := range []struct {
		word  string
		value int
		ports int
		what  string
	}{{".i", k.Inputs, len(m.InputList), "input"}, {".o", k.Outputs, len(m.OutputList), "output"}} {
		span, ok := k.Headers[h.word]
		switch {
		case !ok:
			c.find(codes.KissHeader, directive, "the state table has no %s line", h.word)
		case h.value < 0:
			c.find(codes.KissHeader, span, "%s needs a number", h.word)
		case h.value != h.ports && m.HasPortLines:
			c.find(codes.KissCount, span, "the model has %s, %s says %d", findings.Count(h.ports, h.what, h.what+"s"), h.word, h.value)
		}
	}
	for _, r := range k.Rows {
		c.transition(k, r)
	}
	if span, ok := k.Headers[".p"]; ok && k.Products != len(k.Rows) {
		c.find(codes.KissCount, span, "the table has %s", findings.Count(len(k.Rows), "transition", "transitions"))
	}
	states := k.StateNames()
	if span, ok := k.Headers[".s"]; ok && k.States != len(states) {
		c.find(codes.KissCount, span, "the table has %s", findings.Count(len(states), "state", "states"))
	}
	if span, ok := k.Headers[".r"]; ok && !slices.Contains(states, k.Reset) {
		c.find(codes.KissReset, span, "the reset state %s occurs in no transition", k.Reset)
	}
}

func (c *checker) transition(k *statement.Machine, r statement.Transition) {
	if len(r.Words) != 4 {
		c.find(codes.KissWidth, r.Span, "a transition is input, present state, next state, output; found %s", findings.Count(len(r.Words), "word", "words"))
		return
	}
	for _, part := range []struct {
		word statement.Word
		n    int
		what string
		line string
	}{{r.Words[0], k.Inputs, "input", ".i"}, {r.Words[3], k.Outputs, "output", ".o"}} {
		span := source.Span{Start: part.word.At, Length: len(part.word.Text)}
		if at := badLiteral(part.word.Text); at >= 0 {
			c.find(codes.CubeCharacter, c.f.Text().Character(part.word.At+at), "a literal is 0, 1 or -")
		} else if part.n >= 0 && len(part.word.Text) != part.n {
			c.find(codes.KissWidth, span, "%s, %s says %d", findings.Count(len(part.word.Text), part.what, part.what+"s"), part.line, part.n)
		}
	}
}

// stateTable looks for transitions that contradict each other and for states
// that are never reached.
func (l *linter) stateTable(m *blif.Model, t statement.MachineTable) {
	k := statement.ReadMachine(&l.f.Tree, t)
	reset := k.Reset
	byState := map[string][]statement.Transition{}
	for _, r := range k.Rows {
		if len(r.Words) != 4 || badLiteral(r.Words[0].Text) >= 0 || badLiteral(r.Words[3].Text) >= 0 {
			return // reported with the diagnostics
		}
		if reset == "" {
			reset = r.Words[1].Text
		}
		for i, other := range byState[r.Words[1].Text] {
			if i == maxPairs {
				break
			}
			if meet(r.Words[0].Text, other.Words[0].Text) && (r.Words[2].Text != other.Words[2].Text || !meet(r.Words[3].Text, other.Words[3].Text)) {
				d := codes.Finding(codes.KissOverlap, r.Span, "another transition of "+r.Words[1].Text+" applies to the same input and differs in next state or output")
				d.Related = []source.Related{{Span: other.Span, Message: "the other transition"}}
				l.report(d)
				break
			}
		}
		byState[r.Words[1].Text] = append(byState[r.Words[1].Text], r)
	}
	reached := map[string]bool{reset: true}
	for todo := []string{reset}; len(todo) > 0; {
		state := todo[0]
		todo = todo[1:]
		for _, r := range byState[state] {
			if next := r.Words[2].Text; !reached[next] {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	for _, r := range k.Rows {
		if state := r.Words[1].Text; !reached[state] {
			reached[state] = true
			l.find(codes.KissReach, source.Span{Start: r.Words[1].At, Length: len(state)}, "state %s is never reached from %s", state, reset)
		}
	}
	if !slices.ContainsFunc(netlist.Compile(m).Drivers, func(d netlist.Driver) bool { return d.Kind == netlist.DriverLatch || d.Kind == netlist.DriverNames }) {
		l.find(codes.KissNoLogic, l.f.DirectiveSpan(t.From), "the state table has no latches and logic: encode it before checking")
	}
}

// meet reports whether two cubes have a point in common.
func meet(a, b string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != '-' && b[i] != '-' {
			return false
		}
	}
	return true
}
