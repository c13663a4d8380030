package blif

import (
	"fmt"
	"slices"
	"sort"

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
		c.find(CodeRowStray, source.SpanFromTo(first.Span.Start, last.Span.End()), "a row belongs behind a .names or into a state table")
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

// cover reports the rows of a .names that are not as they should be.
func (c *checker) cover(k, i int) {
	ch := c.f.chunks[k]
	lo, hi := ch.tokens(i)
	inputs := int(hi-lo) - 2
	rows := ch.rowsOf(i)
	reference := -1 // the first row with an output
	for j, r := range rows {
		row := c.f.rowAt(k, r)
		if r.isOdd() {
			c.oddRow(row.Span, inputs)
			continue
		}
		if reference < 0 {
			reference = j
		}
		switch first := c.f.rowAt(k, rows[reference]); {
		case inputs == 0 && r.width() > 0:
			c.find(CodeConstantInputs, row.Cube, "a .names without inputs has rows of just 0 or 1")
		case r.width() != inputs:
			c.find(CodeCubeWidth, row.Cube, "%s for %s", count(r.width(), "literal"), count(inputs, "input"))
		case r.output() != rows[reference].output():
			d := c.f.finding(CodeCubePhase, row.Output, "a cover describes either where the output is 1 or where it is 0")
			d.Related = []source.Related{{Span: first.Output, Message: "the first row"}}
			c.report(d)
		}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// oddRow reports a row that is no cube and output: the first thing wrong.
func (c *checker) oddRow(span source.Span, inputs int) {
	words := splitWords(c.f.text.Slice(span), span.Start)
	last := words[len(words)-1]
	width := 0
	for _, w := range words[:len(words)-1] {
		if at := badLiteral(w.text); at >= 0 {
			c.badLiteral(w.text[at], w.at+at)
			return
		}
		width += len(w.text)
	}
	switch {
	case len(words) == 1 && badLiteral(last.text) >= 0:
		c.badLiteral(last.text[badLiteral(last.text)], last.at+badLiteral(last.text))
	case len(words) == 1:
		c.find(CodeCubeOutput, source.Span{Start: span.End()}, "the row needs an output value, 0 or 1, behind its %s", count(len(last.text), "literal"))
	case last.text != "0" && last.text != "1":
		c.find(CodeCubeOutput, source.Span{Start: last.at, Length: len(last.text)}, "the output value must be 0 or 1, found %s", last.text)
	case width != inputs:
		c.find(CodeCubeWidth, source.SpanFromTo(span.Start, words[len(words)-2].end()), "%s for %s", count(width, "literal"), count(inputs, "input"))
	default:
		c.find(CodeCubeSpaces, source.SpanFromTo(words[0].end(), words[1].at), "the literals of a cube stand without spaces between them")
	}
}

func (c *checker) badLiteral(found byte, at int) {
	if found == '2' || found == 'x' || found == 'X' {
		c.find(CodeCubeCharacter, source.Span{Start: at, Length: 1}, "a literal is 0, 1 or -; don't care is written -, not %c", found)
		return
	}
	length := 1
	for at+length < c.f.text.Len() && c.f.text.Byte(at+length)&0xC0 == 0x80 {
		length++ // the rest of a character
	}
	span := source.Span{Start: at, Length: length}
	c.find(CodeCubeCharacter, span, "a literal is 0, 1 or -, found %q", c.f.text.Slice(span))
}

// badLiteral returns where a word holds something other than 0, 1 and -, or -1.
func badLiteral(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '0' && s[i] != '1' && s[i] != '-' {
			return i
		}
	}
	return -1
}

// textWord is a word at its place.
type textWord struct {
	text string
	at   int
}

func (w textWord) end() int { return w.at + len(w.text) }

// splitWords returns the words of a row that starts at an offset; joined lines
// count as one, comments are left out.
func splitWords(s string, at int) []textWord {
	var words []textWord
	for i := 0; i < len(s); {
		switch {
		case isBlank(s[i]) || s[i] == '\n' || continues(s, i):
			i++
		case s[i] == '#':
			i = lineEnd(s, i)
		default:
			end := wordEnd(s, i)
			words = append(words, textWord{s[i:end], at + i})
			i = end
		}
	}
	if len(words) == 0 {
		words = append(words, textWord{s, at})
	}
	return words
}

// continues reports whether a '\' at i joins lines: nothing visible follows, or
// a comment after white space, as in lexer.gap.
func continues(s string, i int) bool {
	if s[i] != '\\' {
		return false
	}
	after := skipBlank(s, i+1)
	return after >= len(s) || s[after] == '\n' || s[after] == '#' && after > i+1
}

// joins returns the places of the '\' of a directive that white space or a
// comment follows.
func (f *File) joins(k, i int) []source.Span {
	var places []source.Span
	c := f.chunks[k]
	from, to := int(c.stmts[i].start), int(c.end(i))
	for at := from; at < to; {
		end := lineEnd(c.text, at)
		line := c.text[at:end]
		for j := 0; j < len(line) && line[j] != '#'; j++ {
			if line[j] != '\\' {
				continue
			}
			after := skipBlank(line, j+1)
			if after > j+1 && after < len(line) && (line[after] == '\n' && line[j+1:after] != "\r" || line[after] == '#') {
				places = append(places, source.Span{Start: int(f.starts[k]) + at + j, Length: 1})
			}
		}
		at = end
	}
	return places
}

// lastBackslash returns the place of the last '\' of the text.
func (f *File) lastBackslash() (source.Span, bool) {
	k := len(f.chunks) - 1
	s := f.chunks[k].text
	for at := len(s) - 1; at >= 0; at-- {
		if s[at] == '\\' {
			return source.Span{Start: int(f.starts[k]) + at, Length: 1}, true
		}
		if s[at] > ' ' {
			break
		}
	}
	return source.Span{}, false
}

// objects checks that names, attributes and parameters follow something.
func (c *checker) objects() {
	for k, ch := range c.f.chunks {
		if !ch.annotated {
			continue
		}
		for i := range ch.stmts {
			switch kind := ch.stmts[i].kind; kind {
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
	for _, e := range r.extra {
		span := c.f.drivenSpan(e.id, r.names[e.signal])
		if r.facts[e.signal]&(factInput|factClock) != 0 {
			c.inputDriven(e.signal, span)
			continue
		}
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
				c.inputDriven(s, c.f.drivenSpan(int(r.driver[s])-1, r.names[s]))
			}
		}
	}
}

func (c *checker) inputDriven(s Signal, span source.Span) {
	d := c.f.finding(CodeInputDriven, span, c.f.Name(s)+" is an input of the model and cannot be driven in it")
	if at, ok := c.f.portSpan(s); ok {
		d.Related = []source.Related{{Span: at, Message: "listed here"}}
	}
	for _, other := range c.found {
		if other.Code == d.Code && other.Span == d.Span {
			return
		}
	}
	c.report(d)
}

// portSpan returns where a signal is listed as an input.
func (f *File) portSpan(s Signal) (source.Span, bool) {
	m := f.SignalModel(s)
	for _, p := range slices.Concat(m.inputs, m.clocks) {
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
	return f.words.text(r.names[s]) != "unconn"
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

// nearestDirective returns the directive that a word is probably meant to be,
// or "".
func nearestDirective(word string) string {
	candidates := make([]string, 0, len(directives))
	for d := range directives {
		candidates = append(candidates, d)
	}
	sort.Strings(candidates)
	return nearest(word, candidates)
}

// nearest returns the candidate with the smallest edit distance, if that is at
// most two and less than half of the word; a swap of neighbours counts once.
func nearest(word string, candidates []string) string {
	best, least := "", min(3, (len(word)+1)/2)
	for _, c := range candidates {
		if d := editDistance(word, c, least); d < least {
			best, least = c, d
		}
	}
	return best
}

// editDistance returns the number of insertions, deletions, replacements and
// swaps of neighbours between two words, or limit if it is not below that.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
