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
func (r *formReader) unknownCommand(node int, word string) {
	d := r.report(codeUnknown, node, "SMT-LIB has no command %s", findings.Quote(word))
	names := make([]string, 0, len(commands))
	for name := range commands {
		names = append(names, name)
	}
	r.suggest(d, node, word, names)
}

// parts reads what stands in a form after its command; args are the nodes of its list, the first of which is the
// command. It returns false if the command has not the parts that it needs.
func (r *formReader) parts(c command, args []int) bool {
	switch c {
	case setLogic:
		return r.setLogic(args)
	case setInfo:
		return r.setInfo(args)
	case declareFun, declareRel, declareConst, declareVar:
		return r.declare(c, args)
	case defineFun:
		return r.define(args)
	case assert, rule:
		return r.assertion(c, args)
	case query:
		return r.query(args)
	case checkSat:
		r.expectArgs(args, 0, "(check-sat)")
	case outside:
		r.report(codeOutside, args[0], "aiglens does not read %s", r.form.word(args[0]))
	}
	return true
}

// expectArgs reports a command that has not n words after its own; form is what it looks like.
func (r *formReader) expectArgs(args []int, n int, form string) bool {
	if len(args) == n+1 {
		return true
	}
	r.report(codeMalformed, 0, "expected %s", form)
	return false
}

func (r *formReader) setLogic(args []int) bool {
	if !r.expectArgs(args, 1, "(set-logic HORN)") {
		return false
	}
	r.word = r.form.word(args[1])
	if !r.form.isSymbol(args[1], "HORN") {
		r.report(codeLogic, args[1], "expected HORN, found the logic %s", findings.Quote(r.word)).
			AddFix("Write HORN", source.Edit{Span: r.form.span(args[1]), NewText: "HORN"})
	}
	return true
}

func (r *formReader) setInfo(args []int) bool {
	if len(args) < 2 || r.form.nodes[args[1]].kind != kindKeyword {
		r.report(codeMalformed, 0, "expected (set-info :keyword value)")
		return false
	}
	if r.form.word(args[1]) != ":status" {
		return true
	}
	if !r.expectArgs(args, 2, "(set-info :status sat), or unsat or unknown") {
		return false
	}
	switch status := r.form.word(args[2]); status {
	case "sat", "unsat", "unknown":
		r.word = status
	default:
		r.report(codeStatus, args[2], "expected sat, unsat or unknown, found %s", findings.Quote(status))
	}
	return true
}

// declare reads a declaration without definition.
func (r *formReader) declare(c command, args []int) bool {
	var params, result int // the nodes
	switch {
	case c == declareFun && r.expectArgs(args, 3, "(declare-fun NAME (SORT …) Bool)"):
		params, result = args[2], args[3]
	case c == declareRel && r.expectArgs(args, 2, "(declare-rel NAME (SORT …))"):
		params = args[2]
	case c == declareConst && r.expectArgs(args, 2, "(declare-const NAME Bool)"), c == declareVar && r.expectArgs(args, 2, "(declare-var NAME SORT)"):
		result = args[2]
	default:
		return false
	}
	d := r.declareName(args[1])
	if d == nil {
		return false
	}
	sorts, ok := r.sortsOf(params)
	sort := term.Bool
	if result > 0 {
		sort = r.sortOf(result)
	}
	switch {
	case !ok || sort == term.NoSort:
	case c == declareVar:
		d.kind, d.sort = KindVariable, sort
	case sort != term.Bool && len(sorts) > 0:
		r.report(codeFunction, args[1], "expected a predicate, with the sort Bool, or a definition: functions without one lie outside of HORN")
	case sort != term.Bool:
		r.report(codeConstant, args[1], "the number %s has no value; bind it by forall, or define it", findings.Quote(d.name))
	default:
		d.kind, d.sort, d.params = KindPredicate, term.Bool, sorts
	}
	return true
}

// declareName makes the name at a node known; nil if it is none.
func (r *formReader) declareName(node int) *declaration {
	if r.form.nodes[node].kind != kindSymbol {
		r.report(codeMalformed, node, "expected a name, found %s", findings.Quote(r.form.word(node)))
		return nil
	}
	name := r.form.name(node)
	if IsReserved(name) {
		r.report(codeReserved, node, "%s is a word of SMT-LIB: it names nothing else", name)
		return nil
	}
	r.declares, r.node = &declaration{name: name}, int32(node)
	r.see(node, nil)
	return r.declares
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
func (r *resolver) suggest(d *finding, node int, word string, names []string) {
	slices.Sort(names)
	writeInstead(&d.Diagnostic, r.form.span(node), nearest.Near(word, names))
}

// writeInstead offers a name, if not empty, for what stands at a place.
func writeInstead(d *source.Diagnostic, span source.Span, name string) {
	if name != "" {
		d.AddFix("Write "+name, source.Edit{Span: span, NewText: term.Quote(name)})
	}
}

// define reads (define-fun NAME ((PARAM SORT) …) SORT BODY).
func (r *formReader) define(args []int) bool {
	if !r.expectArgs(args, 4, "(define-fun NAME ((PARAMETER SORT) …) SORT TERM)") {
		return false
	}
	params, ok := r.bindVars(args[2])
	sort := r.sortOf(args[3])
	body := r.expr(args[4])
	r.unbind(params)
	d := r.declareName(args[1]) // after the body, which cannot use it
	if d == nil {
		return false
	}
	if !ok || sort == term.NoSort || body == term.None {
		return true
	}
	if body = r.ofSort(body, sort, args[4]); body == term.None || r.failed {
		return true
	}
	d.kind, d.sort = KindFunction, sort
	d.definition = definition{terms: r.terms, body: body, preds: r.preds, variable: r.variable}
	for _, p := range params {
		d.params, d.vars = append(d.params, p.binding.sort), append(d.vars, p.binding.term)
	}
	d.measure()
	return true
}

// ofSort returns the body of a definition, which has its sort: unlike arguments, it is not made Real.
func (r *formReader) ofSort(body term.Term, sort term.Sort, node int) term.Term {
	if sort != term.Real || r.terms.SortOf(body) != term.Int {
		return r.fit(body, sort, node)
	}
	word := r.form.word(node)
	d := r.report(codeSortMismatch, node, "expected Real, found %s of sort Int: z3 refuses this definition", findings.Quote(word))
	if r.form.nodes[node].kind == kindNumeral {
		d.AddPreferredFix("Write "+word+".0", source.Edit{Span: r.form.span(node), NewText: word + ".0"})
	} else {
		d.AddPreferredFix("Write to_real", source.Edit{Span: r.form.span(node), NewText: "(to_real " + word + ")"})
	}
	return term.None
}

// measure notes what each use of a definition needs to know.
func (d *definition) measure() {
	d.terms.Walk([]term.Term{d.body}, nil, func(t term.Term) {
		args := d.terms.Args(t)
		d.size += 1 + len(args)
		if op := d.terms.Op(t); op == term.OpForall || op == term.OpExists {
			for _, v := range args[:len(args)-1] {
				if !slices.Contains(d.bound, v) {
					d.bound = append(d.bound, v)
				}
			}
		}
	})
}

// assertion reads (assert FORMULA), or (rule FORMULA) with a name after it.
func (r *formReader) assertion(c command, args []int) bool {
	if c == rule && len(args) == 3 {
		args = args[:2] // without its name
	}
	if !r.expectArgs(args, 1, "("+r.form.word(args[0])+" FORMULA)") {
		return false
	}
	if r.formula(args[1], false); len(r.made) == 0 && !r.failed {
		r.report(codeNoEffect, 0, "this holds whatever the predicates are").Unnecessary = true
	}
	return true
}

// query reads (query FORMULA): what can be derived is refuted.
func (r *formReader) query(args []int) bool {
	if len(args) > 2 {
		args = args[:2] // without its options
	}
	if !r.expectArgs(args, 1, "(query PREDICATE)") {
		return false
	}
	r.formula(args[1], true)
	return true
}

// formula makes the clauses of a formula, or of its negation, for a query: that can be the name of a predicate alone.
func (r *formReader) formula(node int, negated bool) {
	t := r.formulaOf(node, negated)
	if t != term.None {
		t = r.fit(t, term.Bool, node)
	}
	if t == term.None || r.failed {
		return
	}
	if negated {
		t = r.terms.Not(t)
	}
	clauses, err := horn.Normalize(r.terms, t, 0)
	if err != nil {
		r.notHorn(node, negated, err.(*horn.NotHornError))
	}
	r.made = clauses
}

func (r *formReader) formulaOf(node int, negated bool) term.Term {
	if negated && r.form.nodes[node].kind == kindSymbol {
		if d := r.find(r.form.name(node)); d != nil && d.kind == KindPredicate {
			r.see(node, nil)
			args := make([]term.Term, len(d.params))
			for i, sort := range d.params {
				args[i] = r.newVar("x", sort)
			}
			return r.terms.Apply(r.numberOf(d), args...)
		}
	}
	return r.expr(node)
}

// notHorn reports a formula that is no conjunction of clauses at the part that is to blame. The formula is read
// again, to find where that stands.
func (r *formReader) notHorn(node int, negated bool, err *horn.NotHornError) {
	again := newReader(r.form, r.scope)
	again.command, again.places = r.command, map[term.Term]int{}
	again.formulaOf(node, negated)
	at, ok := again.places[err.Term]
	if !ok { // a comparison can be the negation of another one
		at, ok = again.places[r.terms.Not(err.Term)]
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
