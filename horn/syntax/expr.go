package syntax

import (
	"slices"
	"strconv"

	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/nearest"
	"aiglens/internal/source"
)

// bound is a variable of a quantifier, a definition or a let.
type bound struct {
	name    string
	binding *binding
}

// see notes what a symbol stands for: a binding of the form, or nil for a declaration.
func (r *resolver) see(node int, b *binding) {
	local := int32(isDeclared)
	if b != nil {
		local = b.index
	}
	r.symbols = append(r.symbols, symbol{int32(node), local})
}

// newBinding notes a local of the form.
func (r *resolver) newBinding(node int, sort term.Sort, t term.Term, isVariable bool) *binding {
	b := &binding{local{int32(node), sort, isVariable}, int32(len(r.bindings)), t}
	r.bindings = append(r.bindings, b)
	r.see(node, b)
	return b
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
				Relate(r.form.span(before), "bound here before")
			ok = false
			continue
		}
		here[name] = parts[0]
		v := term.None
		if sort != term.NoSort {
			v = r.newVar(name, sort)
		} else {
			ok = false
		}
		vars = append(vars, bound{name, r.newBinding(parts[0], sort, v, true)})
	}
	r.bind(vars)
	return vars, ok
}

// newVar returns a variable for a name, under a name that nothing else of the form and no declaration has.
func (r *resolver) newVar(name string, sort term.Sort) term.Term {
	isTaken := func(name string) bool { return r.used[name] || r.find(name) != nil }
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

func (r *resolver) bind(vars []bound) {
	for _, v := range vars {
		r.inner[v.name] = append(r.inner[v.name], v.binding)
	}
}

func (r *resolver) unbind(vars []bound) {
	for _, v := range vars {
		r.inner[v.name] = r.inner[v.name][:len(r.inner[v.name])-1]
	}
}

// lookup returns what a symbol stands for, one of the two, and reports one that stands for nothing.
func (r *resolver) lookup(node int) (b *binding, d *declaration) {
	name := r.form.name(node)
	if list := r.inner[name]; len(list) > 0 {
		b = list[len(list)-1]
	} else if d = r.find(name); d == nil {
		r.undeclared(node, name)
		return nil, nil
	}
	r.see(node, b)
	return b, d
}

func (r *resolver) undeclared(node int, name string) {
	if outsideOps[name] {
		r.report(codeTermOutside, node, "%s is no operator of linear arithmetic over Bool, Int and Real", name)
		return
	}
	if len(name) > 1 && name[0] == '-' && isNumber(name[1:]) {
		r.report(codeUndeclared, node, "%s is a symbol in SMT-LIB; the number is written (- %s)", name, name[1:]).
			AddPreferredFix("Write (- "+name[1:]+")", source.Edit{Span: r.form.span(node), NewText: "(- " + name[1:] + ")"})
		return
	}
	d := r.report(codeUndeclared, node, "%s is not declared", findings.Quote(name))
	d.unknown = name
	if len(r.findings) < findings.MaxPerCode {
		d.inner = r.innerLike(name)
	}
}

// innerLike returns the name that is most like a word of those that the form binds here.
func (r *resolver) innerLike(word string) string {
	var names []string
	for name, list := range r.inner {
		if len(list) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return nearest.Near(word, names)
}

func isNumber(s string) bool {
	_, ok := rational.Parse(s)
	return ok && s[0] != '-'
}

// grow counts arguments that are not written, and reports a form that stands for too many; false then.
func (r *resolver) grow(node, n int) bool {
	before := r.growth
	if r.growth += max(0, n); r.growth <= maxGrowth {
		return true
	}
	if before <= maxGrowth {
		r.report(codeTooLarge, node, "definitions, sums and distinct stand for more than %d terms", maxGrowth)
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
	return r.meaning(node, node, nil)
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
		return r.annotated(node, args)
	case "_", "as", "match", "par":
		r.report(codeTermOutside, head, "%s is no operator of linear arithmetic over Bool, Int and Real", word)
		return term.None
	default:
		if op, ok := operators[word]; ok {
			return r.operator(node, op, args)
		}
	}
	return r.meaning(node, head, args[1:])
}

// annotated reads (! TERM :keyword …). The annotations say nothing about its value.
func (r *resolver) annotated(node int, args []int) term.Term {
	if len(args) < 2 || r.form.nodes[args[1]].kind == kindKeyword {
		r.report(codeMalformedTerm, node, "expected (! TERM :named NAME): the term comes first")
		return term.None
	}
	for i, a := range args {
		if r.form.nodes[a].kind == kindKeyword && r.form.word(a) == ":named" && (i+1 == len(args) || r.form.nodes[args[i+1]].kind != kindSymbol) {
			r.report(codeMalformedTerm, a, "expected a name after :named")
		}
	}
	return r.expr(args[1])
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

// meaning returns what a symbol stands for, applied to arguments; node is all of it.
func (r *resolver) meaning(node, head int, args []int) term.Term {
	b, d := r.lookup(head)
	values, ok := r.exprs(args)
	switch {
	case !ok:
		return term.None
	case b != nil:
		if b.term == term.None {
			r.failed = true // its own error is reported
		}
		return r.alone(node, head, args, b.term)
	case d != nil:
		return r.applied(node, head, d, args, values)
	}
	return term.None
}

// alone returns the term of a variable, which takes no arguments.
func (r *resolver) alone(node, head int, args []int, t term.Term) term.Term {
	if len(args) > 0 {
		r.report(codeArguments, node, "%s is a variable and takes no arguments", findings.Quote(r.form.name(head)))
		return term.None
	}
	return t
}

// applied returns a declared symbol applied to arguments.
func (r *resolver) applied(node, head int, d *declaration, nodes []int, values []term.Term) term.Term {
	switch d.kind {
	case KindUnknown:
		r.failed = true // its declaration is reported
		return term.None
	case KindVariable:
		r.needVariable(node, d, d)
		return r.alone(node, head, nodes, r.terms.Var(d.name, d.sort))
	}
	if len(values) != len(d.params) {
		r.report(codeArguments, node, "expected %s of %s, found %d", arguments(len(d.params)), findings.Quote(d.name), len(values)).
			relateTo(d.name, "declared here")
		return term.None
	}
	for i := range values {
		if values[i] = r.fit(values[i], d.params[i], nodes[i]); values[i] == term.None {
			return term.None
		}
	}
	if d.kind == KindPredicate {
		return r.terms.Apply(r.numberOf(d), values...)
	}
	if d.variable != nil {
		r.needVariable(node, d, d.variable)
	}
	return r.expand(node, d, values)
}

// needVariable notes in a definition that it uses a variable of declare-var, and reports any other use for which no
// rule gives it values. d is the variable or a definition that uses it.
func (r *resolver) needVariable(node int, d, variable *declaration) {
	switch {
	case r.command == defineFun:
		r.variable = variable
	case r.command == assert && d == variable:
		r.report(codeConstant, node, "%s has no value here: only rule and query are for all values of declare-var; bind it by forall", findings.Quote(d.name)).
			relateTo(d.name, "declared here")
	case r.command == assert:
		r.report(codeConstant, node, "%s uses %s, which has no value here: only rule and query are for all values of declare-var", findings.Quote(d.name), findings.Quote(variable.name)).
			relateTo(variable.name, "declared here")
	}
}

// expand puts arguments into a definition. Its quantifiers get variables with names of their own, so that no
// variable stands for two things in one form.
func (r *resolver) expand(node int, d *declaration, values []term.Term) term.Term {
	if !r.grow(node, d.size) {
		return term.None
	}
	put := term.NewCopy(r.terms, d.terms)
	put.Pred = func(p int) int { return r.numberOf(d.preds[p]) }
	for i, p := range d.vars {
		put.Put(p, values[i])
	}
	for _, v := range d.bound {
		put.Put(v, r.newVar(d.terms.Name(v), d.terms.SortOf(v)))
	}
	return put.Copy(d.body)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return strconv.Itoa(n) + " arguments"
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
			AddPreferredFix("Write to_real", source.Edit{Span: r.form.span(node), NewText: "(to_real " + word + ")"})
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
				Relate(r.form.span(before), "bound here before")
			ok = false
			continue
		}
		here[name] = parts[0]
		t, sort := r.expr(parts[1]), term.NoSort
		if t != term.None {
			sort = r.terms.SortOf(t)
		}
		vars = append(vars, bound{name, r.newBinding(parts[0], sort, t, false)})
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
