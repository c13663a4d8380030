package syntax

import (
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// bound is a variable of a quantifier, a definition or a let.
type bound struct {
	name    string
	binding *binding
}

// see notes what a symbol stands for.
func (r *resolver) see(node int, b *binding) {
	if r.places != nil { // the form is read again
		return
	}
	r.seen = append(r.seen, seen{node, b})
	if node == b.node && r.number == b.form {
		b.id = len(r.res.bindings)
		r.res.bindings = append(r.res.bindings, b)
	}
}

// bindVars reads ((NAME SORT) …) and binds the variables, each under a name that the form and the declarations use
// for nothing else; ok is false after an error.
func (r *resolver) bindVars(node int) (vars []bound, ok bool) {
	if r.form.nodes[node].kind != kindList {
		r.report(codeMalformedTerm, node, "expected ((NAME SORT) …), found %s", findings.Quote(r.form.word(node)))
		return nil, false
	}
	ok = true
	here := map[string]int{}
	for _, pair := range r.form.args(node) {
		parts := r.form.args(pair)
		if len(parts) != 2 || r.form.nodes[parts[0]].kind != kindSymbol {
			r.report(codeMalformedTerm, pair, "expected (NAME SORT), found %s", findings.Quote(r.form.word(pair)))
			ok = false
			continue
		}
		name, sort := r.form.name(parts[0]), r.sortOf(parts[1])
		if before, twice := here[name]; twice {
			r.report(codeBoundTwice, parts[0], "%s is bound twice", findings.Quote(name)).
				Relate(r.file.span(r.number, before), "bound here before")
			ok = false
			continue
		}
		here[name] = parts[0]
		b := &binding{kind: bindNothing, form: r.number, node: parts[0]}
		if sort != term.NoSort {
			b.kind, b.sort, b.term, b.isVariable = bindTerm, sort, r.newVar(name, sort), true
		} else {
			ok = false
		}
		vars = append(vars, bound{name, b})
		r.see(parts[0], b)
	}
	r.bind(vars)
	return vars, ok
}

// newVar returns a variable for a name, under a name that nothing else of the form and no declaration has.
func (r *resolver) newVar(name string, sort term.Sort) term.Term {
	isTaken := func(name string) bool { return r.globals[name] != nil || r.used[name] }
	v := term.None
	if isTaken(name) {
		for v == term.None || isTaken(r.terms.Name(v)) {
			v = r.terms.Fresh(name, sort)
		}
	} else {
		v = r.terms.Var(name, sort)
	}
	r.used[r.terms.Name(v)] = true
	return v
}

func (s *scope) bind(vars []bound) {
	for _, v := range vars {
		s.locals[v.name] = append(s.locals[v.name], v.binding)
	}
}

func (s *scope) unbind(vars []bound) {
	for _, v := range vars {
		s.locals[v.name] = s.locals[v.name][:len(s.locals[v.name])-1]
	}
}

// lookup returns what a symbol stands for, and reports one that stands for nothing.
func (r *resolver) lookup(node int) *binding {
	name := r.form.name(node)
	var b *binding
	if list := r.locals[name]; len(list) > 0 {
		b = list[len(list)-1]
	} else {
		b = r.globals[name]
	}
	if b == nil {
		r.undeclared(node, name)
		return nil
	}
	r.see(node, b)
	return b
}

func (r *resolver) undeclared(node int, name string) {
	if outsideOps[name] {
		r.report(codeTermOutside, node, "%s is no operator of linear arithmetic over Bool, Int and Real", name)
		return
	}
	if len(name) > 1 && name[0] == '-' && isNumber(name[1:]) {
		r.report(codeUndeclared, node, "%s is a symbol in SMT-LIB; the number is written (- %s)", name, name[1:]).
			AddPreferredFix("Write (- "+name[1:]+")", source.Edit{Span: r.file.span(r.number, node), NewText: "(- " + name[1:] + ")"})
		return
	}
	d := r.report(codeUndeclared, node, "%s is not declared", findings.Quote(name))
	var names []string
	for known := range r.globals {
		names = append(names, known)
	}
	for known, list := range r.locals {
		if len(list) > 0 {
			names = append(names, known)
		}
	}
	r.suggest(d, node, name, names)
}

func isNumber(s string) bool {
	_, ok := rational.Parse(s)
	return ok && s[0] != '-'
}

// grow counts arguments that are not written, and reports a text that stands for too many; false then.
func (r *resolver) grow(node, n int) bool {
	if r.growth += max(0, n); r.growth <= maxGrowth {
		return true
	}
	if !r.full {
		r.full = true
		r.report(codeTooLarge, node, "definitions, sums and distinct stand for more than %d million terms", maxGrowth/1_000_000)
	}
	r.failed = true
	return false
}

// expr reads a term; term.None after an error, which is reported.
func (r *resolver) expr(node int) term.Term {
	t := r.exprOf(node)
	if r.places != nil && t != term.None {
		if _, ok := r.places[t]; !ok {
			r.places[t] = node
		}
	}
	return t
}

func (r *resolver) exprOf(node int) term.Term {
	switch n := r.form.nodes[node]; n.kind {
	case kindSymbol:
		return r.symbol(node)
	case kindNumeral, kindDecimal:
		value, _ := rational.Parse(r.form.word(node))
		sort := term.Int
		if n.kind == kindDecimal {
			sort = term.Real
		}
		return r.terms.NumberOf(value, sort)
	case kindList:
		return r.listTerm(node)
	case kindBad:
		r.failed = true // its characters are reported
		return term.None
	}
	r.report(codeTermOutside, node, "%s is no term of linear arithmetic", findings.Quote(r.form.word(node)))
	return term.None
}

// symbol reads a symbol that stands alone.
func (r *resolver) symbol(node int) term.Term {
	switch r.form.word(node) {
	case "true":
		return term.True
	case "false":
		return term.False
	}
	if word := r.form.word(node); IsReserved(word) {
		r.report(codeMalformedTerm, node, "expected a term, found %s, which stands at the start of a list", word)
		return term.None
	}
	b := r.lookup(node)
	if b == nil {
		return term.None
	}
	return r.applied(node, b, nil, nil)
}

// listTerm reads a list.
func (r *resolver) listTerm(node int) term.Term {
	args := r.form.args(node)
	if len(args) == 0 {
		r.report(codeMalformedTerm, node, "expected a term, found an empty list")
		return term.None
	}
	head := args[0]
	if r.form.nodes[head].kind != kindSymbol {
		if word := r.form.args(head); len(word) > 0 && (r.form.isSymbol(word[0], "_") || r.form.isSymbol(word[0], "as")) {
			r.report(codeTermOutside, head, "%s is no operator of linear arithmetic over Bool, Int and Real", findings.Quote(r.form.word(head)))
			return term.None
		}
		r.report(codeMalformedTerm, head, "expected an operator or predicate, found %s", findings.Quote(r.form.word(head)))
		return term.None
	}
	switch word := r.form.word(head); word {
	case "let":
		return r.let(node, args)
	case "forall", "exists":
		return r.quantifier(node, args)
	case "!":
		if len(args) < 2 {
			r.report(codeMalformedTerm, node, "expected (! TERM :keyword …)")
			return term.None
		}
		return r.expr(args[1]) // the annotations say nothing about its value
	case "_", "as", "match", "par":
		r.report(codeTermOutside, head, "%s is no operator of linear arithmetic over Bool, Int and Real", word)
		return term.None
	default:
		if op, ok := operators[word]; ok {
			return r.operator(node, op, args)
		}
	}
	b := r.lookup(head)
	values, ok := r.exprs(args[1:])
	if b == nil || !ok {
		return term.None
	}
	return r.applied(node, b, args[1:], values)
}

// exprs reads terms; ok is false if one has an error.
func (r *resolver) exprs(nodes []int) (values []term.Term, ok bool) {
	values, ok = make([]term.Term, len(nodes)), true
	for i, n := range nodes {
		values[i] = r.expr(n)
		ok = ok && values[i] != term.None
	}
	return values, ok
}

// applied returns what a symbol stands for, applied to arguments.
func (r *resolver) applied(node int, b *binding, nodes []int, values []term.Term) term.Term {
	name := r.file.forms[b.form].name(b.node)
	var sorts []term.Sort
	switch b.kind {
	case bindNothing:
		r.failed = true // its declaration is reported
		return term.None
	case bindTerm:
		if len(nodes) > 0 {
			r.report(codeArguments, node, "%s is a variable and takes no arguments", findings.Quote(name))
			return term.None
		}
		if b.term == term.None {
			r.failed = true
		}
		if b.isVariable && b.isGlobal && !r.isRule {
			r.report(codeConstant, node, "%s has no value here: only rule and query are for all values of declare-var; bind it by forall", findings.Quote(name)).
				Relate(r.file.span(b.form, b.node), "declared here")
		}
		return b.term
	case bindPredicate:
		sorts = r.preds[b.pred].Args
	case bindMacro:
		for _, p := range b.params {
			sorts = append(sorts, r.terms.SortOf(p))
		}
	}
	if len(values) != len(sorts) {
		r.report(codeArguments, node, "expected %s of %s, found %d", arguments(len(sorts)), findings.Quote(name), len(values)).
			Relate(r.file.span(b.form, b.node), "declared here")
		return term.None
	}
	for i := range values {
		if values[i] = r.fit(values[i], sorts[i], nodes[i]); values[i] == term.None {
			return term.None
		}
	}
	if b.kind == bindPredicate {
		return r.terms.Apply(int(b.pred), values...)
	}
	return r.expand(node, b, values)
}

// expand puts arguments into a definition. Its quantifiers get variables with names of their own, so that no
// variable stands for two things in one form.
func (r *resolver) expand(node int, b *binding, values []term.Term) term.Term {
	by := make(map[term.Term]term.Term, len(values))
	for i, p := range b.params {
		by[p] = values[i]
	}
	size := 0
	r.terms.Walk([]term.Term{b.term}, nil, func(t term.Term) {
		size += 1 + len(r.terms.Args(t))
		if op := r.terms.Op(t); op == term.OpForall || op == term.OpExists {
			args := r.terms.Args(t)
			for _, v := range args[:len(args)-1] {
				if _, ok := by[v]; !ok {
					by[v] = r.newVar(r.terms.Name(v), r.terms.SortOf(v))
				}
			}
		}
	})
	if !r.grow(node, size) {
		return term.None
	}
	return r.terms.Substitute(b.term, by)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return itoa(n) + " arguments"
}

// fit returns a term in the sort of its place: an Int is made Real where one is expected, which other tools do with
// numbers only. It returns term.None after an error.
func (r *resolver) fit(t term.Term, want term.Sort, node int) term.Term {
	sort, word := r.terms.SortOf(t), r.form.word(node)
	if sort == want {
		return t
	}
	if sort != term.Int || want != term.Real {
		r.report(codeSortMismatch, node, "expected %s, found %s of sort %s", want, findings.Quote(word), sort)
		return term.None
	}
	if _, isNumber := r.terms.Number(t); !isNumber {
		r.report(codeMixedSorts, node, "%s is Int where a Real is expected", findings.Quote(word)).
			AddPreferredFix("Write to_real", source.Edit{Span: r.file.span(r.number, node), NewText: "(to_real " + word + ")"})
	}
	return r.terms.ToReal(t)
}

// let reads (let ((NAME TERM) …) BODY). Nested lets make no deeper calls than lists are nested.
func (r *resolver) let(node int, args []int) term.Term {
	if len(args) != 3 || r.form.nodes[args[1]].kind != kindList {
		r.report(codeMalformedTerm, node, "expected (let ((NAME TERM) …) BODY)")
		return term.None
	}
	var vars []bound
	here := map[string]int{}
	ok := true
	for _, pair := range r.form.args(args[1]) {
		parts := r.form.args(pair)
		if len(parts) != 2 || r.form.nodes[parts[0]].kind != kindSymbol {
			r.report(codeMalformedTerm, pair, "expected (NAME TERM), found %s", findings.Quote(r.form.word(pair)))
			ok = false
			continue
		}
		name := r.form.name(parts[0])
		if before, twice := here[name]; twice {
			r.report(codeBoundTwice, parts[0], "%s is bound twice", findings.Quote(name)).
				Relate(r.file.span(r.number, before), "bound here before")
			ok = false
			continue
		}
		here[name] = parts[0]
		b := &binding{kind: bindTerm, form: r.number, node: parts[0], term: r.expr(parts[1])}
		if b.term != term.None {
			b.sort = r.terms.SortOf(b.term)
		}
		vars = append(vars, bound{name, b})
		r.see(parts[0], b)
	}
	r.bind(vars) // after the terms, which stand outside
	body := r.expr(args[2])
	r.unbind(vars)
	if !ok {
		return term.None
	}
	return body
}

// quantifier reads (forall ((NAME SORT) …) FORMULA), and exists.
func (r *resolver) quantifier(node int, args []int) term.Term {
	if len(args) != 3 {
		r.report(codeMalformedTerm, node, "expected (%s ((NAME SORT) …) FORMULA)", r.form.word(args[0]))
		return term.None
	}
	vars, ok := r.bindVars(args[1])
	if ok && len(vars) == 0 {
		r.report(codeMalformedTerm, args[1], "expected a variable: %s binds one at least", r.form.word(args[0]))
		ok = false
	}
	body := r.expr(args[2])
	r.unbind(vars)
	if body == term.None || !ok {
		return term.None
	}
	if body = r.fit(body, term.Bool, args[2]); body == term.None {
		return term.None
	}
	terms := make([]term.Term, len(vars))
	for i, v := range vars {
		terms[i] = v.binding.term
	}
	op := term.OpForall
	if r.form.word(args[0]) == "exists" {
		op = term.OpExists
	}
	return r.terms.Quantified(op, terms, body)
}
