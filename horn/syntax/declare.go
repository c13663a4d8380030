package syntax

import (
	"slices"

	"aiglens/horn"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// unknownCommand reports a command that SMT-LIB does not have.
func (r *resolver) unknownCommand(node int, word string) {
	d := r.report(codeUnknown, node, "SMT-LIB has no command %s", findings.Quote(word))
	names := make([]string, 0, len(commands))
	for name := range commands {
		names = append(names, name)
	}
	r.suggest(d, node, word, names)
}

// command reads a form; args are the nodes of its list, the first of which is the command.
func (r *resolver) command(c command, args []int) {
	r.isRule = c == rule || c == query
	switch c {
	case setLogic:
		r.setLogic(args)
	case setInfo:
		r.setInfo(args)
	case declareFun, declareRel, declareConst, declareVar:
		r.declare(c, args)
	case defineFun:
		r.define(args)
	case assert, rule:
		r.assertion(c, args)
	case query:
		r.query(args)
	case checkSat:
		r.expectArgs(args, 0, "(check-sat)")
		r.asked.add(r.file.FormSpan(r.number))
		r.hasCheck = true
	case exit:
		r.asked.hasExit = true
	case outside:
		r.report(codeOutside, args[0], "aiglens does not read %s", r.form.word(args[0]))
	}
}

// expectArgs reports a command that has not n words after its own; form is what it looks like.
func (r *resolver) expectArgs(args []int, n int, form string) bool {
	if len(args) == n+1 {
		return true
	}
	r.report(codeMalformed, 0, "expected %s", form)
	return false
}

func (r *resolver) setLogic(args []int) {
	if !r.expectArgs(args, 1, "(set-logic HORN)") {
		return
	}
	r.hasLogic = true
	if !r.form.isSymbol(args[1], "HORN") {
		r.report(codeLogic, args[1], "expected HORN, found the logic %s", findings.Quote(r.form.word(args[1]))).
			AddFix("Write HORN", source.Edit{Span: r.file.span(r.number, args[1]), NewText: "HORN"})
	}
}

func (r *resolver) setInfo(args []int) {
	if len(args) < 2 || r.form.nodes[args[1]].kind != kindKeyword {
		r.report(codeMalformed, 0, "expected (set-info :keyword value)")
		return
	}
	if r.form.word(args[1]) != ":status" {
		return
	}
	if !r.expectArgs(args, 2, "(set-info :status sat), or unsat or unknown") {
		return
	}
	switch status := r.form.word(args[2]); status {
	case "sat", "unsat", "unknown":
		r.res.status = status
	default:
		r.report(codeStatus, args[2], "expected sat, unsat or unknown, found %s", findings.Quote(status))
	}
}

// declare reads a declaration without definition.
func (r *resolver) declare(c command, args []int) {
	var params, result int // the nodes
	switch {
	case c == declareFun && r.expectArgs(args, 3, "(declare-fun NAME (SORT …) Bool)"):
		params, result = args[2], args[3]
	case c == declareRel && r.expectArgs(args, 2, "(declare-rel NAME (SORT …))"):
		params = args[2]
	case c == declareConst && r.expectArgs(args, 2, "(declare-const NAME Bool)"), c == declareVar && r.expectArgs(args, 2, "(declare-var NAME SORT)"):
		result = args[2]
	default:
		return
	}
	b := &binding{kind: bindNothing, form: r.number, node: args[1]}
	if !r.declareName(b) {
		return
	}
	sorts, ok := r.sortsOf(params)
	sort := term.Bool
	if result > 0 {
		sort = r.sortOf(result)
	}
	name := r.form.name(args[1])
	switch {
	case !ok || sort == term.NoSort:
	case c == declareVar:
		b.kind, b.sort, b.term, b.isVariable = bindTerm, sort, r.terms.Var(name, sort), true
	case sort != term.Bool && len(sorts) > 0:
		r.report(codeFunction, args[1], "expected a predicate, with the sort Bool, or a definition: functions without one lie outside of HORN")
	case sort != term.Bool:
		r.report(codeConstant, args[1], "the number %s has no value; bind it by forall, or define it", findings.Quote(name))
	default:
		b.kind, b.pred, b.sort = bindPredicate, horn.Pred(len(r.preds)), term.Bool
		r.preds = append(r.preds, horn.Predicate{Name: name, Args: sorts})
	}
}

// declareName makes the name of a binding known; false if it is none.
func (r *resolver) declareName(b *binding) bool {
	if r.form.nodes[b.node].kind != kindSymbol {
		r.report(codeMalformed, b.node, "expected a name, found %s", findings.Quote(r.form.word(b.node)))
		return false
	}
	name := r.form.name(b.node)
	if IsReserved(name) {
		r.report(codeReserved, b.node, "%s is a word of SMT-LIB: it names nothing else", name)
		return false
	}
	if before, ok := r.globals[name]; ok {
		r.report(codeDeclaredTwice, b.node, "%s is declared already", findings.Quote(name)).
			Relate(r.file.span(before.form, before.node), "the first declaration")
		return false
	}
	b.isGlobal = true
	r.globals[name] = b
	r.see(b.node, b)
	return true
}

// sortsOf reads a list of sorts; none for node 0.
func (r *resolver) sortsOf(node int) (sorts []term.Sort, ok bool) {
	if node == 0 {
		return nil, true
	}
	if r.form.nodes[node].kind != kindList {
		r.report(codeMalformed, node, "expected a list of sorts, found %s", findings.Quote(r.form.word(node)))
		return nil, false
	}
	ok = true
	for _, a := range r.form.args(node) {
		s := r.sortOf(a)
		sorts, ok = append(sorts, s), ok && s != term.NoSort
	}
	return sorts, ok
}

// sortOf reads a sort; NoSort after an error.
func (r *resolver) sortOf(node int) term.Sort {
	if r.form.nodes[node].kind == kindSymbol {
		switch word := r.form.name(node); word {
		case "Bool":
			return term.Bool
		case "Int":
			return term.Int
		case "Real":
			return term.Real
		case "String", "RegLan", "RoundingMode", "Float32", "Float64":
			r.report(codeSortOutside, node, "aiglens reads Bool, Int and Real, not %s", word)
		default:
			d := r.report(codeSort, node, "there is no sort %s; expected Bool, Int or Real", findings.Quote(word))
			r.suggest(d, node, word, []string{"Bool", "Int", "Real"})
		}
		return term.NoSort
	}
	r.report(codeSortOutside, node, "aiglens reads Bool, Int and Real, not %s", findings.Quote(r.form.word(node)))
	return term.NoSort
}

// suggest offers the name that is most like a word.
func (r *resolver) suggest(d *source.Diagnostic, node int, word string, names []string) {
	slices.Sort(names)
	if name := nearest.Near(word, names); name != "" {
		d.AddFix("Write "+name, source.Edit{Span: r.file.span(r.number, node), NewText: term.Quote(name)})
	}
}

// define reads (define-fun NAME ((PARAM SORT) …) SORT BODY).
func (r *resolver) define(args []int) {
	if !r.expectArgs(args, 4, "(define-fun NAME ((PARAMETER SORT) …) SORT TERM)") {
		return
	}
	b := &binding{kind: bindNothing, form: r.number, node: args[1]}
	params, ok := r.bindVars(args[2])
	sort := r.sortOf(args[3])
	body := r.expr(args[4])
	r.unbind(params)
	if !r.declareName(b) { // after the body, which cannot use it
		return
	}
	if !ok || sort == term.NoSort || body == term.None {
		return
	}
	if body = r.fit(body, sort, args[4]); body == term.None || r.failed {
		return
	}
	b.kind, b.term, b.sort = bindMacro, body, sort
	for _, p := range params {
		b.params = append(b.params, p.binding.term)
	}
}

// assertion reads (assert FORMULA), or (rule FORMULA) with a name after it.
func (r *resolver) assertion(c command, args []int) {
	if c == rule && len(args) == 3 {
		args = args[:2] // without its name
	}
	if !r.expectArgs(args, 1, "("+r.form.word(args[0])+" FORMULA)") {
		return
	}
	if c == rule {
		r.res.hasRules = true
	} else if !r.hasLogic && !r.warnedLogic {
		r.warnedLogic = true
		r.report(codeLogicMissing, args[0], "expected (set-logic HORN) before the first assertion").
			AddPreferredFix("Insert (set-logic HORN)", source.Edit{Span: source.Span{Start: r.file.FormSpan(r.number).Start}, NewText: "(set-logic HORN)\n"})
	}
	if r.asked.first.Length > 0 {
		r.report(codeAfterQuestion, 0, "the question before is asked without this clause: expected the clause before it").
			Relate(r.asked.first, "the question")
		return
	}
	before := len(r.clauses)
	if r.formula(args[1], false); len(r.clauses) == before && !r.failed {
		r.report(codeNoEffect, 0, "this holds whatever the predicates are").Unnecessary = true
	}
}

// query reads (query FORMULA): what can be derived is refuted.
func (r *resolver) query(args []int) {
	r.res.hasRules = true
	if len(args) > 2 {
		args = args[:2] // without its options
	}
	if !r.expectArgs(args, 1, "(query PREDICATE)") {
		return
	}
	if r.hasCheck {
		r.report(codeAfterQuestion, 0, "(check-sat) before is asked without this query: expected one of them").
			Relate(r.asked.first, "the question")
	}
	r.formula(args[1], true)
	r.asked.add(r.file.FormSpan(r.number))
}

// formula adds the clauses of a formula, or of its negation, for a query: that can be the name of a predicate alone.
func (r *resolver) formula(node int, negated bool) {
	t := term.None
	var b *binding
	if negated && r.form.nodes[node].kind == kindSymbol {
		b = r.globals[r.form.name(node)]
	}
	if b != nil && b.kind == bindPredicate {
		r.see(node, b)
		args := make([]term.Term, len(r.preds[b.pred].Args))
		for i, sort := range r.preds[b.pred].Args {
			args[i] = r.newVar("x", sort)
		}
		t = r.terms.Apply(int(b.pred), args...)
	} else {
		t = r.expr(node)
	}
	if t != term.None {
		t = r.fit(t, term.Bool, node)
	}
	if t == term.None || r.failed {
		return
	}
	if negated {
		t = r.terms.Not(t)
	}
	clauses, err := horn.Normalize(r.terms, t, r.number)
	if err != nil {
		r.notHorn(node, err.(*horn.NotHornError))
	}
	r.clauses = append(r.clauses, clauses...)
}

// notHorn reports a formula that is no conjunction of clauses at the part that is to blame. The formula is read
// again, to find where that stands.
func (r *resolver) notHorn(node int, err *horn.NotHornError) {
	r.places, r.used, r.quiet = map[term.Term]int{}, map[string]bool{}, true
	r.expr(node)
	r.quiet = false
	at, ok := r.places[err.Term]
	if !ok { // a comparison can be the negation of another one
		at, ok = r.places[r.terms.Not(err.Term)]
	}
	if !ok {
		at = node
	}
	switch err.Reason {
	case horn.TwoHeads:
		r.report(codeTwoHeads, at, "the clause has a second predicate that is not negated: a clause has one head at most")
	case horn.WrongQuantifier:
		r.report(codeQuantifier, at, "the variables of this quantifier are existential: those of a clause are universal")
	case horn.InsideTerm:
		r.report(codeInside, at, "a predicate or quantifier stands inside of a term: expected it in the body or head of a clause")
	case horn.TooMany:
		r.report(codeTooMany, at, "the assertion makes too many clauses: its disjunctions multiply, beyond a limit of %d", horn.MaxClauses)
	}
}

// whole reports what only all forms together show.
func (r *resolver) whole() {
	if len(r.file.forms) == 0 || len(r.file.forms) == 1 && len(r.file.forms[0].nodes) == 0 && len(r.file.forms[0].faults) == 0 {
		r.list.Add(codeEmptyFile, source.Span{}, "the file holds no command")
		return
	}
	if r.list.HasFrom(0) { // an error or warning: what follows from it is not reported
		return
	}
	uses := horn.UsesOf(r.res.system)
	if len(r.clauses) > 0 && !uses.HasQuery {
		last := len(r.file.forms) - 1
		for len(r.file.forms[last].nodes) == 0 {
			last--
		}
		r.list.Add(codeNoQuery, r.file.FormSpan(last), "no clause has the head false: the system is satisfiable")
	}
	for p, pred := range r.preds {
		span := r.res.declared[p]
		switch {
		case uses.InBody[p] && !uses.Derived[p]:
			r.list.Add(codeUnderived, span, "no clause derives %s: it is false", findings.Quote(pred.Name))
		case uses.HasQuery && !uses.Asked[p]:
			r.list.Add(codeUnused, span, "no query depends on %s", findings.Quote(pred.Name)).Unnecessary = true
		}
	}
}
