package blif

import (
	"fmt"
	"slices"

	"aiglens/internal/source"
)

// maxFindings bounds how many diagnostics of one code are shown.
const maxFindings = 1000

// checker collects the diagnostics of a version.
type checker struct {
	f      *File
	s      *structure
	r      *resolution
	counts map[source.Code]int
	found  []source.Diagnostic
	// faults are the first errors on statements that spoil what depends on
	// them; structural is one that spoils everything. Neither is bounded.
	faults     map[int]*source.Diagnostic
	structural *source.Diagnostic
	pins       []uint32 // by name: the token of the first pin of the current instance with it, or 0
}

// checkup is what a look at a version has found.
type checkup struct {
	diagnostics []source.Diagnostic
	faults      map[int]*source.Diagnostic // by statement
	structural  *source.Diagnostic
}

func (f *File) newChecker() *checker {
	return &checker{
		f: f, s: f.structure(), r: f.resolved(), counts: map[source.Code]int{}, faults: map[int]*source.Diagnostic{},
	}
}

// report adds a diagnostic unless there are very many of its code.
func (c *checker) report(d source.Diagnostic) {
	switch codeInfos[d.Code].reach {
	case reachAlways:
		if c.structural == nil {
			c.structural = &d
		}
	case reachCone:
		if d.Severity != source.Error {
			break
		}
		if id := c.f.StatementAt(d.Span.Start).ID; c.faults[id] == nil {
			c.faults[id] = &d
		}
	}
	if c.counts[d.Code]++; c.counts[d.Code] <= maxFindings {
		c.found = append(c.found, d)
	}
}

func (c *checker) find(code source.Code, span source.Span, format string, args ...any) {
	c.report(c.f.finding(code, span, fmt.Sprintf(format, args...)))
}

// sorted returns the diagnostics by place.
func (c *checker) sorted() []source.Diagnostic {
	slices.SortStableFunc(c.found, func(a, b source.Diagnostic) int { return a.Span.Start - b.Span.Start })
	return c.found
}

// check finds what Diagnostics returns.
func (f *File) check() *checkup {
	c := f.newChecker()
	for _, d := range c.s.findings {
		c.report(d)
	}
	c.statements()
	c.drivers()
	c.undriven()
	c.instances()
	for _, m := range c.s.models {
		c.ports(m)
		c.tables(m)
		c.pragmas(m)
	}
	c.searches()
	return &checkup{c.sorted(), c.faults, c.structural}
}

// statements looks at the statements that are marked or remarkable.
func (c *checker) statements() {
	for k, ch := range c.f.chunks {
		for _, mark := range ch.marks {
			c.marked(k, int(mark))
		}
		c.oddComments(k)
		if !ch.remarked {
			continue
		}
		for i := range ch.stmts {
			if ch.stmts[i].flags&flagRemarkable&^(flagIndented|flagComment) != 0 {
				c.remarkable(k, i)
			}
		}
	}
	c.objects()
}

// marked checks a directive that is no logic.
func (c *checker) marked(k, i int) {
	ch := c.f.chunks[k]
	lo, hi := ch.tokens(i)
	if lo == hi {
		return
	}
	span := c.f.span(k, ch.toks[lo])
	word := c.f.text.Slice(span)
	switch ch.stmts[i].kind {
	case KindUnknown:
		message := word + " is no directive of BLIF"
		if near := nearestDirective(word); near != "" {
			message += "; did you mean " + near + "?"
		}
		c.find(CodeUnknownDirective, span, "%s", message)
	case KindMV:
		c.find(CodeBlifMV, span, "%s belongs to BLIF-MV, which is another format", word)
	case KindInputs, KindOutputs:
		if word == ".input" || word == ".output" {
			c.find(CodeSingular, span, "other readers know only %ss", word)
		}
	case KindSearch:
		if hi-lo < 2 {
			c.find(CodeDirectiveMissing, source.Span{Start: span.End()}, "%s needs the name of a file", word)
		}
	}
}

// remarkable checks a statement for what the lexer has noticed.
func (c *checker) remarkable(k, i int) {
	ch := c.f.chunks[k]
	st := ch.stmts[i]
	if st.flags&flagJoinSpace != 0 {
		for _, at := range c.f.joins(k, i) {
			c.find(CodeJoinSpace, at, "not every reader continues the line when white space or a comment follows the \\")
		}
	}
	if st.flags&flagBackslash != 0 {
		if at, ok := c.f.lastBackslash(); ok {
			c.find(CodeJoinEnd, at, "there is no line that \\ could continue")
		}
	}
	if st.flags&flagStray != 0 {
		c.strayRows(k, i)
	}
	if st.flags&flagArguments != 0 {
		c.arguments(k, i)
	} else if st.flags&flagCover != 0 {
		c.cover(k, i)
	}
}

func (c *checker) strayRows(k, i int) {
	rows := c.f.chunks[k].rowsOf(i)
	first, last := c.f.rowAt(k, rows[0]), c.f.rowAt(k, rows[len(rows)-1])
	switch c.f.chunks[k].stmts[i].kind {
	case KindText:
		c.find(CodeRowStray, first.Span, "text before the first directive")
	default:
		d := c.f.finding(CodeRowStray, source.SpanFromTo(first.Span.Start, last.Span.End()), "a row belongs behind a .names or into a state table")
		c.report(d)
		if id, ok := c.coverBefore(k, i); ok && c.faults[id] == nil {
			c.faults[id] = &d
		}
	}
}

// coverBefore returns the .names to which a stray row may belong: the one
// before, unless another stray row stands in between.
func (c *checker) coverBefore(k, i int) (id int, ok bool) {
	for {
		for i--; i < 0; i = len(c.f.chunks[k].stmts) - 1 {
			if k--; k < 0 {
				return 0, false
			}
		}
		switch st := c.f.chunks[k].stmts[i]; {
		case st.kind == KindNames:
			return int(c.f.stmts[k]) + i, true
		case st.kind == KindModel, st.flags&flagStray != 0:
			return 0, false
		}
	}
}

// arguments reports the arguments of a directive that are not of a legal shape.
func (c *checker) arguments(k, i int) {
	ch := c.f.chunks[k]
	lo, hi := ch.tokens(i)
	directive := c.f.span(k, ch.toks[lo])
	end := source.Span{Start: c.f.span(k, ch.toks[hi-1]).End()}
	word := func(j int) string { return c.f.word(k, ch.toks[lo+1+uint32(j)]) }
	at := func(j int) source.Span { return c.f.span(k, ch.toks[lo+1+uint32(j)]) }
	n := int(hi - lo - 1)
	switch ch.stmts[i].kind {
	case KindNames:
		c.find(CodeNamesEmpty, end, ".names needs the signal that it defines")
	case KindAttr, KindParam:
		c.find(CodeAttributeName, end, "%s needs a name", c.f.text.Slice(directive))
	case KindCname:
		c.find(CodeAttributeName, end, ".cname needs a name")
	case KindConn, KindShort:
		c.find(CodeDirectiveMissing, end, "%s needs two signals, found %d", c.f.text.Slice(directive), n)
	case KindLatch:
		switch latchFaultOf(n, word) {
		case latchCount:
			c.find(CodeLatchArguments, end, ".latch needs an input and an output, then at most type, control and initial value; found %d arguments", n)
		case latchType:
			c.find(CodeLatchType, at(2), "the type of a latch must be fe, re, ah, al or as, found %s", word(2))
		case latchInit:
			c.find(CodeLatchInit, at(n-1), "the initial value must be 0, 1, 2 (don't care) or 3 (unknown), found %s", word(n-1))
		case latchNoControl:
			c.find(CodeLatchControl, at(2), "latch type %s needs a control signal, or NIL, behind it", word(2))
		}
	}
}

// objects checks that names, attributes and parameters follow something, and
// initial values.
func (c *checker) objects() {
	for k, ch := range c.f.chunks {
		if !ch.annotated {
			continue
		}
		for i := range ch.stmts {
			switch kind := ch.stmts[i].kind; kind {
			case KindGateInit:
				c.gateInit(k, i)
			case KindCname, KindAttr, KindParam:
				if ch.stmts[i].flags&flagArguments == 0 && !c.f.hasObject(k, i) {
					lo, _ := ch.tokens(i)
					span := c.f.span(k, ch.toks[lo])
					c.find(CodeNothingToName, span, "%s has nothing before it to belong to", c.f.text.Slice(span))
				}
			}
		}
	}
}

// hasObject reports whether an attribute belongs to a cell, function, latch or
// model before it.
func (f *File) hasObject(k, i int) bool {
	for {
		for i--; i < 0; i = len(f.chunks[k].stmts) - 1 {
			if k--; k < 0 {
				return false
			}
		}
		switch f.chunks[k].stmts[i].kind {
		case KindCname, KindAttr, KindParam:
		case KindNames, KindLatch, KindMlatch, KindGate, KindSubckt, KindConn, KindShort, KindFlop, KindUnknown, KindModel:
			return true
		default:
			return false
		}
	}
}

// drivers reports signals with several drivers.
func (c *checker) drivers() {
	r := c.r
	reported := map[source.Span]bool{} // the places where inputs are driven
	inputDriven := func(s Signal, id int) {
		if span := c.f.drivenSpan(id, r.names[s]); !reported[span] {
			reported[span] = true
			c.inputDriven(s, span)
		}
	}
	open := map[Signal]bool{} // of each model's open net whether it may have several drivers
	isOpen := func(s Signal) bool {
		if _, known := open[s]; !known && c.f.Name(s) == openNet {
			_, open[s] = c.f.openNetDriver(s)
		}
		return open[s]
	}
	for _, e := range r.extra {
		if r.facts[e.signal]&(factInput|factClock) != 0 {
			inputDriven(e.signal, e.id)
			continue
		}
		if isOpen(e.signal) {
			continue
		}
		span := c.f.drivenSpan(e.id, r.names[e.signal])
		first := int(r.driver[e.signal]) - 1
		d := c.f.finding(CodeDriversMany, span, c.f.Name(e.signal)+" has another driver already")
		d.Related = []source.Related{{Span: c.f.drivenSpan(first, r.names[e.signal]), Message: "the first driver"}}
		c.report(d)
	}
	for _, m := range c.s.models {
		if !m.hasPortLines && len(m.clocks) == 0 {
			continue
		}
		for _, p := range slices.Concat(m.inputs, m.clocks) {
			if s := r.lookup(m.Index, p.id); s != 0 && r.driver[s] != 0 {
				inputDriven(s, int(r.driver[s])-1)
			}
		}
	}
}

func (c *checker) inputDriven(s Signal, span source.Span) {
	d := c.f.finding(CodeInputDriven, span, c.f.Name(s)+" is an input of the model and cannot be driven in it")
	if at, ok := c.f.portSpan(s); ok {
		d.Related = []source.Related{{Span: at, Message: "listed here"}}
	}
	c.report(d)
}

// portSpan returns where a signal is listed as an input.
func (f *File) portSpan(s Signal) (source.Span, bool) {
	m := f.SignalModel(s)
	if m.hasPortLines {
		if p, ok := m.portMap()[f.Name(s)]; ok && p.dir == dirIn && p.index < len(m.inputs) { // the clocks stand behind them
			return f.refSpan(m.inputs[p.index].ref), true
		}
	}
	for _, p := range m.clocks {
		if p.id == f.resolved().names[s] {
			return f.refSpan(p.ref), true
		}
	}
	return source.Span{}, false
}

// drivenSpan returns the place in a statement where a name is driven; else
// that of the directive.
func (f *File) drivenSpan(id int, n name) source.Span {
	k, i := f.at(id)
	for _, o := range f.occurrencesOfStatement(k, i) {
		if o.Role.drives() && f.chunks[k].ids[o.tok] == n {
			return o.Span
		}
	}
	return f.directiveSpan(id)
}

// undriven reports each place that reads a signal which nothing drives.
func (c *checker) undriven() {
	for _, m := range c.s.models {
		var bad []Signal
		r := c.r
		for s := r.bases[m.Index]; s < r.bases[m.Index+1]; s++ {
			if r.driver[s] == 0 && r.uses[s] > 0 && c.f.isUndriven(m, s) {
				bad = append(bad, s)
			}
		}
		if len(bad) > 0 {
			c.undrivenIn(m, bad)
		}
	}
}

// isUndriven reports whether a signal is read and nothing can drive it.
func (f *File) isUndriven(m *Model, s Signal) bool {
	r := f.resolved()
	if r.uses[s] == 0 || r.isDriven(s) || m.blackbox {
		return false
	}
	if r.facts[s]&factOutput != 0 && (len(m.tables) > 0 || f.lacksDriver(m)) {
		return false // the table says what it is, or a faulty statement was to do so
	}
	return f.words.text(r.names[s]) != openNet
}

// lacksDriver reports whether a latch or function of a model has no output.
func (f *File) lacksDriver(m *Model) bool {
	for k, _ := f.at(m.from); k < len(f.chunks) && int(f.stmts[k]) < m.to; k++ {
		c := f.chunks[k]
		if !c.remarked {
			continue
		}
		for i, st := range c.stmts {
			lo, hi := c.tokens(i)
			if id := int(f.stmts[k]) + i; st.flags&flagArguments != 0 && id >= m.from && id < m.to &&
				(st.kind == KindNames || st.kind == KindLatch && hi-lo < 3) {
				return true
			}
		}
	}
	return false
}

func (c *checker) undrivenIn(m *Model, bad []Signal) {
	marked := make(map[name]bool, len(bad))
	for _, s := range bad {
		marked[c.r.names[s]] = true
	}
	f := c.f
	for k, _ := f.at(m.from); k < len(f.chunks) && int(f.stmts[k]) < m.bodyEnd; k++ {
		ch := f.chunks[k]
		for i := range ch.stmts {
			id := int(f.stmts[k]) + i
			lo, hi := ch.tokens(i)
			if id < m.from || id >= m.bodyEnd || !slices.ContainsFunc(ch.ids[lo:hi], func(n name) bool { return marked[n] }) {
				continue
			}
			for _, o := range f.occurrencesOfStatement(k, i) {
				if n := ch.ids[o.tok]; marked[n] && o.Role.reads() {
					c.undrivenAt(o.Occurrence, f.words.text(n))
				}
			}
		}
		if c.counts[CodeUndrivenSignal] > maxFindings {
			return
		}
	}
}

func (c *checker) undrivenAt(o Occurrence, name string) {
	var d source.Diagnostic
	switch o.Role {
	case RoleOutput:
		d = c.f.finding(CodeUndrivenOutput, o.Span, "nothing drives the output "+name)
	case RoleControl:
		d = c.f.finding(CodeControlUndriven, o.Span, "the control signal "+name+" is no input and nothing drives it")
	default:
		d = c.f.finding(CodeUndrivenSignal, o.Span, "nothing drives "+name)
	}
	if c.f.options.CutUndriven {
		d.Severity = source.Warning
	}
	c.report(d)
}
