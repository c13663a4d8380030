package blif

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/source"
)

// instances checks the connections of the instances. One with the same pins in
// the same order as a sound one of its model before needs no second look.
func (c *checker) instances() {
	for _, m := range c.s.models {
		sound := map[block][]name{}
		for _, call := range c.r.calls[m.Index] {
			k, i := c.f.at(call.id)
			if !call.block.isKnown() {
				c.instance(k, i, call)
				continue
			}
			formals := c.f.formals(k, i)
			if slices.Equal(formals, sound[call.block]) && len(formals) > 0 {
				continue
			}
			before := len(c.found)
			c.instance(k, i, call)
			if len(c.found) == before {
				sound[call.block] = formals
			}
		}
	}
	c.recursion()
}

// formals returns the formals of an instance, 0 behind one whose pin is open; nil
// when a pin is not named.
func (f *File) formals(k, i int) []name {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	var ids []name
	for t := lo + 2; t+1 < hi; t += 2 {
		if c.toks[t+1].length == 0 && !f.chunks[k].isNamedPin(t) {
			return nil
		}
		ids = append(ids, c.ids[t])
		if c.toks[t+1].length == 0 {
			ids = append(ids, 0)
		}
	}
	return ids
}

func (c *checker) instance(k, i int, call call) {
	f, ch := c.f, c.f.chunks[k]
	kind := ch.stmts[i].kind
	lo, hi := ch.tokens(i)
	if !call.block.isKnown() {
		c.unknownBlock(f.span(k, ch.toks[lo+1]), kind)
	}
	if c.pins == nil {
		c.pins = make([]uint32, len(f.words.ends))
	}
	unknown, end := false, lo+2
	defer func() {
		for t := lo + 2; t < end; t += 2 {
			c.pins[ch.ids[t]] = 0
		}
	}()
	for t := lo + 2; t+1 < hi; t += 2 {
		span := f.span(k, ch.toks[t])
		if ch.toks[t+1].length == 0 && !f.chunks[k].isNamedPin(t) {
			if kind == KindMlatch && t >= lo+4 {
				continue // control and initial value
			}
			c.find(CodePinEquals, span, "a connection is written formal=actual, found %s", f.text.Slice(span))
			return
		}
		id := ch.ids[t]
		if first := c.pins[id]; first != 0 {
			d := f.finding(CodeFormalTwice, span, "port "+f.words.text(id)+" is connected twice")
			d.Related = []source.Related{{Span: f.span(k, ch.toks[first]), Message: "the first connection"}}
			c.report(d)
			continue
		}
		c.pins[id], end = t, t+2
		if !call.block.isKnown() {
			continue // whatever its ports are
		}
		if _, _, ok := call.block.port(f.words.text(id)); !ok {
			unknown = true
			c.unknownFormal(call.block, span)
		}
	}
	if !unknown {
		c.missingInputs(k, i, call.block)
	}
}

// name and ports describe a block.
func (b block) name() string {
	if b.model != nil {
		return "model " + b.model.Name
	}
	return "cell " + b.cell.Name
}

func (b block) inputs() []string {
	if b.model != nil {
		return b.model.Inputs()
	}
	if b.cell != nil {
		return b.cell.pins()
	}
	return nil
}

// pins returns the inputs of a cell, its clock among them.
func (c *Cell) pins() []string {
	if c.clock == "" {
		return c.Inputs
	}
	return append(slices.Clone(c.Inputs), c.clock)
}

// isFormal reports whether a cell is $assert or $assume.
func (c *Cell) isFormal() bool { return c == builtinCell("$assert") || c == builtinCell("$assume") }

// unconnected returns the inputs of a cell that an instance leaves open or does
// not name. The old value of a flip-flop with enable, its own output, is none.
func (f *File) unconnected(k, i int, cell *Cell) []string {
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	var open []string
	for _, pin := range cell.pins() {
		joined := pin == cell.Output
		for t := lo + 2; t+1 < hi && !joined; t += 2 {
			joined = c.word(c.toks[t]) == pin && c.toks[t+1].length > 0
		}
		if !joined {
			open = append(open, pin)
		}
	}
	return open
}

func (b block) ports() []string {
	switch {
	case b.model != nil:
		return append(b.model.Inputs(), b.model.Outputs()...)
	case b.cell != nil:
		return append(slices.Clone(b.cell.pins()), b.cell.Output)
	}
	return nil
}

func (c *checker) unknownFormal(b block, span source.Span) {
	d := c.f.finding(CodeUnknownFormal, span, fmt.Sprintf("%s has no port %s", b.name(), c.f.text.Slice(span)))
	if b.model != nil && b.model.File == c.f {
		d.Related = []source.Related{{Span: b.model.NameSpan(), Message: b.name()}}
	}
	c.report(d)
}

// missingInputs reports the inputs that no pin of the current instance joins. An
// open pin is meant to be open, but at a clock, and at an assertion or
// assumption, which then says nothing.
func (c *checker) missingInputs(k, i int, b block) {
	var missing []string
	for _, in := range b.inputs() {
		if id := c.f.names.find(in); int(id) >= len(c.pins) || c.pins[id] == 0 {
			missing = append(missing, in)
		} else if c.f.chunks[k].toks[c.pins[id]+1].length == 0 && b.cell != nil && (in == b.cell.clock || b.cell.isFormal()) {
			missing = append(missing, in)
		}
	}
	if b.cell != nil { // a flip-flop with enable reads its own output
		missing = slices.DeleteFunc(missing, func(in string) bool { return in == b.cell.Output })
	}
	if len(missing) == 0 {
		return
	}
	what := "input "
	if len(missing) > 1 {
		what = "inputs "
	}
	shown := missing[:min(len(missing), 5)]
	more := ""
	if len(shown) < len(missing) {
		more = fmt.Sprintf(" and %d more", len(missing)-len(shown))
	}
	span := c.f.directiveSpan(int(c.f.stmts[k]) + i)
	d := c.f.finding(CodeMissingInput, span, fmt.Sprintf("not connected: %s%s%s of %s", what, strings.Join(shown, ", "), more, b.name()))
	if b.model != nil && b.model.blackbox {
		d.Severity = source.Information // nothing depends on it here
	}
	if b.cell != nil && b.cell.isFormal() {
		d.Severity = source.Error
	}
	c.report(d)
}

// unknownBlock reports an instance of nothing known.
func (c *checker) unknownBlock(span source.Span, kind Kind) {
	f := c.f
	word := f.text.Slice(span)
	if kind != KindSubckt {
		if f.options.Cells == nil {
			c.find(CodeUnknownCell, span, "cell %s needs a cell library, and none is known; it is taken as a black box", word)
			return
		}
		c.find(CodeUnknownLibrary, span, "the cell library has no cell %s", word)
		return
	}
	if f.missesSearch() {
		return // the missing file is the cause
	}
	d := f.finding(CodeUnknownModel, span, "no model "+word+" is known")
	if f.isCell(word) {
		d.Severity = source.Warning
		d.Message += "; it is taken as a black box"
	}
	c.report(d)
}

// isCell reports whether an instance of an unknown model is a black box on
// purpose: a cell of Yosys, or what may be in a file that nobody can look into.
func (f *File) isCell(word string) bool {
	return strings.HasPrefix(word, "$") || len(f.structure().searches) > 0 && f.options.Library == nil
}

// missesSearch reports whether a .search line leads nowhere.
func (f *File) missesSearch() bool {
	if f.options.Library == nil {
		return false
	}
	for _, ref := range f.structure().searches {
		if f.options.Library.Search(f.text.Slice(f.refSpan(ref))) == nil {
			return true
		}
	}
	return false
}

func (c *checker) searches() {
	if c.f.options.Library == nil {
		return
	}
	for _, ref := range c.s.searches {
		span := c.f.refSpan(ref)
		if path := c.f.text.Slice(span); c.f.options.Library.Search(path) == nil {
			c.find(CodeSearchMissing, span, "there is no file %s", path)
		}
	}
}

// recursion reports instances through which a model of the file holds itself.
func (c *checker) recursion() {
	state := map[*Model]int{} // 1 being visited, 2 done
	var visit func(m *Model)
	visit = func(m *Model) {
		state[m] = 1
		for _, call := range c.r.calls[m.Index] {
			other := call.block.model
			if other == nil || other.File != c.f {
				continue
			}
			switch state[other] {
			case 0:
				visit(other)
			case 1:
				k, i := c.f.at(call.id)
				lo, _ := c.f.chunks[k].tokens(i)
				d := c.f.finding(CodeRecursion, c.f.span(k, c.f.chunks[k].toks[lo+1]), "model "+other.Name+" holds an instance of itself")
				d.Related = []source.Related{{Span: other.NameSpan(), Message: "model " + other.Name}}
				c.report(d)
			}
		}
		state[m] = 2
	}
	for _, m := range c.s.models {
		if state[m] == 0 {
			visit(m)
		}
	}
}

// ports checks the port lists of a model.
func (c *checker) ports(m *Model) {
	lists := []struct {
		ports []port
		code  source.Code
		what  string
	}{{m.inputs, CodeDuplicateInput, "input"}, {m.outputs, CodeDuplicateOutput, "output"}}
	for _, list := range lists {
		first := make(map[name]tokenRef, len(list.ports))
		for _, p := range list.ports {
			if ref, ok := first[p.id]; ok {
				d := c.f.finding(list.code, c.f.refSpan(p.ref), list.what+" "+c.f.words.text(p.id)+" is listed twice")
				d.Related = []source.Related{{Span: c.f.refSpan(ref), Message: "listed here first"}}
				c.report(d)
				continue
			}
			first[p.id] = p.ref
		}
	}
	for _, p := range m.exdcOutputs {
		if !hasPort(m.outputs, p.id) && !c.feedsLatch(m, p.id) {
			c.find(CodeExdcOutput, c.f.refSpan(p.ref), "%s is no output of the model %s", c.f.words.text(p.id), m.Name)
		}
	}
}

// feedsLatch reports whether a signal is the next state of a latch, which SIS
// counts among the outputs of the logic.
func (c *checker) feedsLatch(m *Model, id name) bool {
	s := c.r.lookup(m.Index, id)
	for o := range c.f.Occurrences(s) {
		if o.Role == RoleNext {
			return true
		}
	}
	return false
}

// pragmas checks the "# prop:" comments of a model.
func (c *checker) pragmas(m *Model) {
	for _, p := range c.f.pragmasOf(m) {
		start := int(c.f.starts[p.chunk] + p.p.start)
		lo, hi := p.signals(c.f)
		if len(p.p.toks) == 0 {
			c.find(CodePragma, c.f.text.LineSpan(c.f.text.LineAt(start)), "\"# prop:\" needs bad, assert, assume, justice, fair or lemma, and a signal")
			continue
		}
		kind := c.f.span(p.chunk, p.p.toks[0])
		switch word := c.f.text.Slice(kind); {
		case pragmaKinds[word] == pragmaNone:
			c.find(CodePragma, kind, "%s is none of bad, assert, assume, justice, fair and lemma", word)
		case lo == hi:
			c.find(CodePragma, source.Span{Start: kind.End()}, "%s needs a signal", word)
		case hi < len(p.p.toks) && !(hi+1 == len(p.p.toks) && strings.HasPrefix(c.f.word(p.chunk, p.p.toks[hi]), `"`)):
			c.find(CodePragma, c.f.span(p.chunk, p.p.toks[hi]), "%s has one signal, and a label stands in quotes", word)
		case m.end >= 0 && int(c.f.stmts[p.chunk]+p.p.stmt) >= m.end && m.Index+1 < len(c.s.models):
			c.find(CodePragma, kind, "it is not clear which model is meant: the comment stands between two")
		case m.Index > 0 && pragmaKinds[word] != pragmaAssume:
			c.find(CodePragmaIgnored, kind, "no property: model %s is checked, and in others only assume and $assert cells count", c.s.models[0].Name)
		}
		for i := lo; i < hi; i++ {
			if s := c.r.lookup(m.Index, p.p.ids[i]); s != 0 && !c.r.isDriven(s) {
				span := c.f.span(p.chunk, p.p.toks[i])
				c.find(CodePragmaSignal, span, "model %s has no signal %s", m.Name, c.f.text.Slice(span))
			}
		}
	}
}
