package syntax

import (
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// add notes what a form means after those before it.
func (r *pass) add(k int, x *reading) {
	for _, d := range x.findings {
		if r.list.IsFull(d.Code) {
			r.list.Keep(d.Diagnostic) // which counts it
			continue
		}
		r.list.Keep(r.placed(k, d))
	}
	if r.growth += x.growth; r.growth > maxGrowth && x.growth <= maxGrowth {
		r.report(codeTooLarge, k, 0, "definitions, sums and distinct stand for more than %d terms up to here", maxGrowth)
	}
	if x.declares != nil {
		r.declare(k, x)
	}
	switch x.command {
	case setLogic:
		r.setLogic(k, x)
	case setInfo:
		r.setStatus(k, x)
	case declareFun, declareConst, declareRel, declareVar, defineFun:
		note(&r.started, k)
	case assert, rule:
		note(&r.started, k)
		if x.command == assert && !x.quiet {
			note(&r.asserted, k)
		}
		r.hasRules = r.hasRules || x.command == rule
		r.oneDialect(k, x.command)
		if r.question >= 0 && (r.asks < 0 || r.rules < 0) {
			r.report(codeAfterQuestion, k, 0, "the question before is asked without this clause: expected the clause before it").
				Relate(r.file.FormSpan(r.question), "the question")
			return
		}
	case query:
		note(&r.started, k)
		r.hasRules = true
		r.oneDialect(k, x.command)
		note(&r.question, k)
	case checkSat:
		r.oneDialect(k, x.command)
		note(&r.question, k)
	case exit:
		r.exit = k
	}
	r.take(k, x)
}

// oneDialect reports the first command that has no effect on the questions of the other dialect: Z3 answers (check-sat)
// from assertions alone, and a query from rules alone.
func (r *pass) oneDialect(k int, c command) {
	mine, others, expected := &r.asks, r.rules, "a rule or a query"
	if c == rule || c == query {
		mine, others, expected = &r.rules, r.asks, "an assertion or (check-sat)"
	}
	if *mine < 0 && others >= 0 {
		r.report(codeTwoDialects, k, 0, "expected %s, as before: Z3 answers a query from rules alone, and (check-sat) from assertions alone", expected).
			Relate(r.file.FormSpan(others), "the first of them")
	}
	note(mine, k)
}

// note keeps the first form of a kind.
func note(first *int, form int) {
	if *first < 0 {
		*first = form
	}
}

// report adds a diagnostic at a node of a form, unless the characters of the form are wrong.
func (r *pass) report(code source.Code, form, node int, format string, args ...any) *source.Diagnostic {
	if r.readings[form].quiet {
		return &source.Diagnostic{}
	}
	return r.list.Add(code, r.file.span(form, node), format, args...)
}

// placed returns a finding of a form at its place in the text.
func (r *pass) placed(k int, f *finding) source.Diagnostic {
	d, start := f.Diagnostic, r.file.starts[k]
	d.Span.Start += start
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		d.Related[i].Span.Start += start
	}
	if g := r.globals[f.about]; g.declaration != nil {
		d.Relate(r.nameOf(g), "%s", f.says)
	}
	if f.unknown != "" {
		writeInstead(&d, f.Span, r.likely.name(f.unknown, f.inner, r.resolution))
	}
	d.Fixes = slices.Clone(d.Fixes)
	for i := range d.Fixes {
		d.Fixes[i].Edits = slices.Clone(d.Fixes[i].Edits)
		for j := range d.Fixes[i].Edits {
			d.Fixes[i].Edits[j].Span.Start += start
		}
	}
	return d
}

// nameOf returns the place of a declared name.
func (r *resolution) nameOf(g global) source.Span {
	return r.file.span(g.form, int(r.readings[g.form].node))
}

// declare makes the name known that a form declares, unless that is known already.
func (r *pass) declare(k int, x *reading) {
	d := x.declares
	if before, ok := r.globals[d.name]; ok {
		r.report(codeDeclaredTwice, k, int(x.node), "%s is declared already", findings.Quote(d.name)).
			Relate(r.nameOf(before), "the first declaration")
		return
	}
	r.globals[d.name] = global{d, k}
	r.declared = append(r.declared, k)
	if d.kind == KindPredicate {
		r.numbers[d] = horn.Pred(len(r.preds))
		r.preds = append(r.preds, d)
	}
}

// setLogic reports a logic that is set too late: other tools refuse it then.
func (r *pass) setLogic(k int, x *reading) {
	span := r.file.FormSpan(k)
	switch {
	case r.logic >= 0:
		d := r.report(codeLogicLate, k, 0, "the logic is set already: expected it once")
		d.Relate(r.file.FormSpan(r.logic), "set here")
		d.AddFix("Delete it", source.Edit{Span: span})
	case r.started >= 0:
		d := r.report(codeLogicLate, k, 0, "expected (set-logic %s) before all declarations and assertions", x.word)
		first := r.file.FormSpan(r.started)
		d.Relate(first, "the first of them")
		d.AddFix("Move it there", source.Edit{Span: source.Span{Start: first.Start}, NewText: r.file.text.Slice(span) + "\n"}, source.Edit{Span: span})
	}
	note(&r.logic, k)
}

// setStatus notes the status, and reports one that differs from that before.
func (r *pass) setStatus(k int, x *reading) {
	if x.word == "" {
		return
	}
	if r.statusAt >= 0 && r.status != x.word {
		r.report(codeStatusTwice, k, 0, "the status is %s here and %s before: expected one of them", x.word, r.status).
			Relate(r.file.FormSpan(r.statusAt), "the status before")
	}
	r.status, r.statusAt = x.word, k
}

// take adds the clauses of a form.
func (r *pass) take(k int, x *reading) {
	for _, c := range x.clauses {
		s := horn.Shape{Head: horn.NoPred, Origin: k}
		if c.head != nil {
			s.Head = r.numbers[c.head]
		}
		first := len(r.bodies)
		for _, d := range c.body {
			r.bodies = append(r.bodies, r.numbers[d])
		}
		s.Body = r.bodies[first:len(r.bodies):len(r.bodies)]
		r.clauses = append(r.clauses, s)
	}
}

// whole reports what only all forms together show.
func (r *pass) whole() {
	f := r.file
	if f.IsEmpty() {
		r.list.Add(codeEmptyFile, source.Span{}, "the file holds no command")
		return
	}
	if r.asserted >= 0 && r.logic < 0 && r.rules < 0 {
		r.report(codeLogicMissing, r.asserted, 1, "expected (set-logic HORN) before the first assertion").
			AddPreferredFix("Insert (set-logic HORN)", source.Edit{Span: source.Span{Start: f.FormSpan(r.started).Start}, NewText: "(set-logic HORN)\n"})
	}
	r.afterExit()
	if r.list.HasFrom(0) { // an error or warning: what follows from it is not reported
		return
	}
	uses := horn.UsesOf(len(r.preds), r.clauses)
	if len(r.clauses) > 0 && !uses.HasQuery {
		last := len(f.forms) - 1
		for len(f.forms[last].nodes) == 0 {
			last--
		}
		r.report(codeNoQuery, last, 0, "no clause has the head false: the system is satisfiable")
	}
	for p, d := range r.preds {
		span := r.nameOf(r.globals[d.name])
		switch {
		case uses.InBody[p] && !uses.Derived[p]:
			r.list.Add(codeUnderived, span, "no clause derives %s: it is false", findings.Quote(d.name))
		case uses.HasQuery && !uses.Asked[p]:
			r.list.Add(codeUnused, span, "no query depends on %s", findings.Quote(d.name)).Unnecessary = true
		}
	}
}

// afterExit reports what stands after exit, whatever that is.
func (r *pass) afterExit() {
	if r.exit < 0 {
		return
	}
	rest := source.Span{}
	for k := r.exit + 1; k < len(r.file.forms); k++ {
		if len(r.file.forms[k].nodes) == 0 && len(r.file.forms[k].faults) == 0 {
			continue
		}
		span := r.file.FormSpan(k)
		if len(r.file.forms[k].nodes) == 0 {
			span.Start = r.file.starts[k] + int(r.file.forms[k].faults[0].start)
		}
		if rest.Length == 0 {
			rest = span
		}
		rest = source.SpanFromTo(rest.Start, r.file.starts[k+1])
	}
	if rest.Length > 0 {
		r.list.Add(codeAfterExit, rest, "nothing reads what stands after (exit)").Unnecessary = true
	}
}

// characters reports what is wrong with the characters of a form.
func (r *pass) characters(f *form, start int) {
	for _, x := range f.faults {
		span := source.SpanFromTo(start+int(x.start), start+int(x.end))
		word := f.text[x.start:x.end]
		switch x.kind {
		case faultOpen:
			d := r.list.Add(codeParenMissing, span, "expected ')': the list that starts with %s has no end", findings.Quote(firstLine(f.text[x.open:])))
			d.Relate(source.Span{Start: start + int(x.open), Length: 1}, "the list starts here")
		case faultSurplus:
			d := r.list.Add(codeParenSurplus, span, "')' without '(': the command before ends already")
			d.AddFix("Delete the parenthesis", source.Edit{Span: span})
		case faultStray:
			r.list.Add(codeStrayWord, span, "expected '(' and a command, found %s", findings.Quote(word))
		case faultCharacter:
			r.list.Add(codeBadCharacter, span, "SMT-LIB has no %s here; between bars a symbol can hold it: |…|", findings.Quote(word))
		case faultBar:
			r.list.Add(codeBarOpen, span, "expected a second '|': the symbol has no end")
		case faultString:
			r.list.Add(codeStringOpen, span, "expected a second '\"': the string has no end")
		case faultNumber:
			r.list.Add(codeNotNumber, span, "expected a number such as 12 or 1.5, found %s", findings.Quote(word))
		case faultZero:
			r.list.Add(codeLeadingZero, span, "a number does not start with 0: other tools refuse it").
				AddPreferredFix("Delete the zeros", source.Edit{Span: span, NewText: withoutZeros(word)})
		case faultDeep:
			r.list.Add(codeTooDeep, span, "lists are nested more than %d deep", maxDepth)
		}
	}
}

// firstLine returns a text up to its first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// withoutZeros drops the zeros at the start of a number, but for the last digit.
func withoutZeros(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}
