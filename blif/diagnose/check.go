package diagnose

import (
	"fmt"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Checkup is what a look at a version has found.
type Checkup struct {
	diagnostics []source.Diagnostic
	// Faults are, by statement, the first error that spoils what depends on the
	// statement; Structural is one that spoils everything. Unlike the diagnostics
	// they are not bounded: a verdict rests on them.
	Faults     map[int]*source.Diagnostic
	Structural *source.Diagnostic
}

var checkups = blif.NewDerived(check)

// CheckupOf returns what is wrong with a file. It is worked out once for each
// version.
func CheckupOf(f *blif.File) *Checkup { return checkups.Of(f) }

// Diagnostics returns what is wrong with the file and shows in the
// statements and the drivers of their signals, sorted by place. Of each code
// there are at most a thousand. Cycles and what makes a circuit worse but not
// wrong is left to Lint.
func Diagnostics(f *blif.File) []source.Diagnostic { return CheckupOf(f).diagnostics }

// checker collects the diagnostics of a version.
type checker struct {
	f        *blif.File
	s        *blif.Structure
	r        *blif.Resolution
	list     findings.List
	reported int // how many diagnostics have been reported, those that list does not keep among them
	// faults are the first errors on statements that spoil what depends on
	// them; structural is one that spoils everything. Neither is bounded.
	faults     map[int]*source.Diagnostic
	structural *source.Diagnostic
	capitals   []source.Span // the directives that are written in capitals
	pins       []uint32      // by name: the token of the first pin of the current instance with it, or 0
}

func newChecker(f *blif.File) *checker {
	return &checker{
		f: f, s: f.Structure(), r: f.Resolved(), list: findings.NewList(codes.Catalogue), faults: map[int]*source.Diagnostic{},
	}
}

// check finds what Diagnostics returns.
func check(f *blif.File) *Checkup {
	c := newChecker(f)
	if d, ok := otherText(f); ok {
		c.report(d) // whatever else there is to say follows from it
		return &Checkup{c.sorted(), c.faults, c.structural}
	}
	for _, d := range c.s.Findings {
		if !isMisspelt(f, d) {
			c.report(d)
		}
	}
	c.statements()
	c.inCapitals()
	c.nulBytes()
	c.drivers()
	c.undriven()
	c.instances()
	for _, m := range c.s.Models {
		c.ports(m)
		c.tables(m)
		c.pragmas(m)
	}
	c.searches()
	return &Checkup{c.sorted(), c.faults, c.structural}
}

// report adds a diagnostic unless there are very many of its code.
func (c *checker) report(d source.Diagnostic) {
	switch codes.Catalogue.Reach(d.Code) {
	case findings.ReachFile:
		if c.structural == nil {
			first := d
			c.structural = &first
		}
	case findings.ReachCone:
		if d.Severity != source.Error {
			break
		}
		if id := c.f.StatementAt(d.Span.Start).ID; c.faults[id] == nil {
			first := d
			c.faults[id] = &first
		}
	}
	c.reported++
	c.list.Keep(d)
}

func (c *checker) find(code source.Code, span source.Span, format string, args ...any) {
	c.report(codes.Finding(code, span, fmt.Sprintf(format, args...)))
}

// sorted returns the diagnostics by place.
func (c *checker) sorted() []source.Diagnostic { return findings.Values(c.list.Sorted()) }

// statements looks at the statements that are marked or remarkable.
func (c *checker) statements() {
	for k, ch := range c.f.Chunks {
		for _, mark := range ch.Marks {
			c.marked(k, int(mark))
		}
		c.oddComments(k)
		if !ch.Remarked {
			continue
		}
		for i := range ch.Stmts {
			if ch.Stmts[i].Flags&statement.FlagRemarkable&^(statement.FlagIndented|statement.FlagComment) != 0 {
				c.remarkable(k, i)
			}
		}
	}
	c.objects()
}

// marked checks a directive that is not logic.
func (c *checker) marked(k, i int) {
	ch := c.f.Chunks[k]
	lo, hi := ch.TokensOf(i)
	if lo == hi {
		return
	}
	span := c.f.TokenSpan(k, ch.Tokens[lo])
	word := c.f.Text().Slice(span)
	switch ch.Stmts[i].Kind {
	case statement.KindUnknown:
		message := word + " is not a BLIF directive"
		near := statement.NearestDirective(word)
		if near != "" && isInCapitals(word, near) {
			c.capitals = append(c.capitals, span)
			return
		}
		if near != "" {
			message += "; did you mean " + near + "?"
		}
		c.find(codes.UnknownDirective, span, "%s", message)
	case statement.KindMV:
		c.find(codes.BlifMV, span, "%s belongs to BLIF-MV, which is another format", word)
	case statement.KindInputs, statement.KindOutputs:
		if word == ".input" || word == ".output" {
			c.find(codes.Singular, span, "other readers know only %ss", word)
		}
	case statement.KindSearch:
		if hi-lo < 2 {
			c.find(codes.DirectiveMissing, source.Span{Start: span.End()}, "%s needs the name of a file", word)
		}
	}
}

// remarkable checks a statement for what the lexer has noticed.
func (c *checker) remarkable(k, i int) {
	ch := c.f.Chunks[k]
	st := ch.Stmts[i]
	if st.Flags&statement.FlagJoinSpace != 0 {
		for _, at := range c.f.Joins(k, i) {
			c.find(codes.JoinSpace, at, "not every reader continues the line when white space or a comment follows the \\")
		}
	}
	if st.Flags&statement.FlagBackslash != 0 {
		if at, ok := c.f.LastBackslash(); ok {
			c.find(codes.JoinEnd, at, "there is no line that \\ could continue")
		}
	}
	if st.Flags&statement.FlagStray != 0 {
		c.strayRows(k, i)
	}
	if st.Flags&statement.FlagArguments != 0 {
		c.arguments(k, i)
	} else if st.Flags&statement.FlagCover != 0 {
		c.cover(k, i)
	}
}

func (c *checker) strayRows(k, i int) {
	rows := c.f.Chunks[k].RowsOf(i)
	first, last := c.f.RowAt(k, rows[0]), c.f.RowAt(k, rows[len(rows)-1])
	switch c.f.Chunks[k].Stmts[i].Kind {
	case statement.KindText:
		c.find(codes.RowStray, first.Span, "text before the first directive")
	default:
		d := codes.Finding(codes.RowStray, source.SpanFromTo(first.Span.Start, last.Span.End()), "a row belongs after a .names or into a state table")
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
		for i--; i < 0; i = len(c.f.Chunks[k].Stmts) - 1 {
			if k--; k < 0 {
				return 0, false
			}
		}
		switch st := c.f.Chunks[k].Stmts[i]; {
		case st.Kind == statement.KindNames:
			return int(c.f.Firsts[k]) + i, true
		case st.Kind == statement.KindModel, st.Flags&statement.FlagStray != 0:
			return 0, false
		}
	}
}

// arguments reports the arguments of a directive that are not of a legal shape.
func (c *checker) arguments(k, i int) {
	ch := c.f.Chunks[k]
	lo, hi := ch.TokensOf(i)
	directive := c.f.TokenSpan(k, ch.Tokens[lo])
	end := source.Span{Start: c.f.TokenSpan(k, ch.Tokens[hi-1]).End()}
	word := func(j int) string { return c.f.WordOf(k, ch.Tokens[lo+1+uint32(j)]) }
	at := func(j int) source.Span { return c.f.TokenSpan(k, ch.Tokens[lo+1+uint32(j)]) }
	n := int(hi - lo - 1)
	switch ch.Stmts[i].Kind {
	case statement.KindNames:
		c.find(codes.NamesEmpty, end, ".names needs the signal that it defines")
	case statement.KindAttr, statement.KindParam:
		c.find(codes.AttributeName, end, "%s needs a name", c.f.Text().Slice(directive))
	case statement.KindCname:
		c.find(codes.AttributeName, end, ".cname needs a name")
	case statement.KindConn, statement.KindShort:
		c.find(codes.DirectiveMissing, end, "%s needs two signals, found %d", c.f.Text().Slice(directive), n)
	case statement.KindLatch:
		switch statement.LatchFaultOf(n, word) {
		case statement.LatchCount:
			c.find(codes.LatchArguments, end, ".latch needs an input and an output, then at most type, control and initial value; found %d arguments", n)
		case statement.LatchType:
			c.find(codes.LatchType, at(2), "the type of a latch must be fe, re, ah, al or as, found %s", word(2))
		case statement.LatchInit:
			c.find(codes.LatchInit, at(n-1), "the initial value must be 0, 1, 2 (don't care) or 3 (unknown), found %s", word(n-1))
		case statement.LatchNoControl:
			c.find(codes.LatchControl, at(2), "latch type %s needs a control signal, or NIL, after it", word(2))
		}
	}
}

// objects checks that names, attributes and parameters follow something, and
// initial values.
func (c *checker) objects() {
	last, belongs := -1, false // of those that follow each other all belong to something, or none
	for k, ch := range c.f.Chunks {
		if !ch.Annotated {
			continue
		}
		for i := range ch.Stmts {
			switch kind := ch.Stmts[i].Kind; kind {
			case statement.KindGateInit:
				c.gateInit(k, i)
			case statement.KindCname, statement.KindAttr, statement.KindParam:
				id := int(c.f.Firsts[k]) + i
				if last < 0 || last != id-1 {
					belongs = hasObject(c.f, k, i)
				}
				last = id
				if ch.Stmts[i].Flags&statement.FlagArguments == 0 && !belongs {
					lo, _ := ch.TokensOf(i)
					span := c.f.TokenSpan(k, ch.Tokens[lo])
					c.find(codes.NothingToName, span, "%s has nothing before it to belong to", c.f.Text().Slice(span))
				}
			}
		}
	}
}

// hasObject reports whether an attribute belongs to a cell, function, latch or
// model before it.
func hasObject(f *blif.File, k, i int) bool {
	for {
		for i--; i < 0; i = len(f.Chunks[k].Stmts) - 1 {
			if k--; k < 0 {
				return false
			}
		}
		switch f.Chunks[k].Stmts[i].Kind {
		case statement.KindCname, statement.KindAttr, statement.KindParam:
		case statement.KindNames, statement.KindLatch, statement.KindMlatch, statement.KindGate, statement.KindSubckt, statement.KindConn, statement.KindShort, statement.KindFlop, statement.KindUnknown, statement.KindModel:
			return true
		default:
			return false
		}
	}
}
