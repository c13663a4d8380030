package syntax

import (
	"crypto/sha256"
	"slices"

	"aiglens/horn"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// reading is what a form says. It depends on the text of the form and on the declarations of the names that it looks
// up, and on nothing else: versions of a file share the reading of a form while these stay. Places count from the
// start of the form. Terms are not kept, but for those of definitions: a form is read again for them.
type reading struct {
	command  command // noCommand for a form that is none, or has not the parts of one
	word     string  // of set-logic and of set-info :status
	findings []*finding
	symbols  []symbol // by place
	locals   []local
	uses     []use
	declares *declaration // nil for none
	node     int32        // of the name that it declares
	clauses  []shape
	digest   Fingerprint // of the clauses
	growth   int         // arguments of terms that are not written
	failed   bool        // an error has been found: the clauses do not count
	quiet    bool        // its characters are wrong, which is said: what follows from that is not
}

// finding is a diagnostic of a form.
type finding struct {
	source.Diagnostic
	about, says string // refers to the declaration of a name, if not empty
	// unknown is a name that is not declared, inner the one most like it that the form binds there. Which name was meant
	// depends on all that are declared before.
	unknown, inner string
}

// relateTo has the finding refer to the declaration of a name.
func (d *finding) relateTo(name, says string) { d.about, d.says = name, says }

// symbol is a symbol of a form with what it stands for: one of its locals, or isDeclared.
type symbol struct{ node, local int32 }

// isDeclared stands for the declaration of the name, in this form or one before.
const isDeclared = -1

// local is a variable of a quantifier or definition, or what let binds.
type local struct {
	node       int32
	sort       term.Sort // NoSort after an error
	isVariable bool      // which is not bound by let
}

// use is a name that a form looks up, with the declaration that it finds; nil for none.
type use struct {
	name        string
	declaration *declaration
}

// declaration is a symbol that a command declares. It stays the same object while what it says stays, so that forms
// which use it are not read again.
type declaration struct {
	name   string
	kind   SymbolKind // KindUnknown after an error
	sort   term.Sort  // of what it stands for
	params []term.Sort
	definition
}

// definition is what a function stands for: body, with the variables vars for its parameters.
type definition struct {
	terms    *term.Pool
	body     term.Term
	vars     []term.Term
	preds    []*declaration // those that body numbers
	bound    []term.Term    // variables of its quantifiers
	size     int            // terms and arguments
	variable *declaration   // one of declare-var that it uses, or nil
}

// says reports whether two declarations say the same.
func (d *declaration) says(e *declaration) bool {
	return d.name == e.name && d.kind == e.kind && d.sort == e.sort && slices.Equal(d.params, e.params) && (d.kind != KindFunction ||
		term.Same(d.terms, e.terms) && d.body == e.body && slices.Equal(d.vars, e.vars) && slices.Equal(d.preds, e.preds) && d.variable == e.variable)
}

// shape is a clause without its terms; head is nil in a query.
type shape struct {
	head *declaration
	body []*declaration
}

// maxGrowth is how many arguments of terms a text can stand for beyond those that are written: uses of definitions
// repeat what these hold, distinct compares all pairs, and a sum repeats those that it adds up.
const maxGrowth = 400_000

// binding is a local with its term; term.None after an error.
type binding struct {
	local
	index int32
	term  term.Term
}

// scope is what is declared before a form.
type scope interface {
	find(name string) *declaration // nil for none
}

// resolver reads the terms of one form.
type resolver struct {
	reading
	form     *form
	scope    scope
	terms    *term.Pool
	preds    []*declaration // ∀i: terms call preds[i] predicate i
	numbers  map[*declaration]int
	found    map[string]*declaration // uses
	inner    map[string][]*binding   // of names that the form binds, the innermost last
	bindings []*binding
	used     map[string]bool   // names of its variables
	places   map[term.Term]int // the nodes where terms are written, asked for after an error; nil else
	variable *declaration      // of a definition
}

// formReader reads one form.
type formReader struct {
	resolver
	made []horn.Clause // its clauses
}

// newReader returns one that has read nothing.
func newReader(f *form, s scope) *formReader {
	return &formReader{resolver: resolver{
		form: f, scope: s, terms: term.NewPool(), numbers: map[*declaration]int{}, found: map[string]*declaration{},
		inner: map[string][]*binding{}, used: map[string]bool{},
	}}
}

// nothing is the reading of a form without a list.
var nothing = &reading{}

// readForm reads a form after the declarations of a scope.
func readForm(f *form, s scope) *reading {
	if len(f.nodes) == 0 {
		return nothing
	}
	r := newReader(f, s)
	r.read()
	for _, b := range r.bindings {
		r.locals = append(r.locals, b.local)
	}
	slices.SortFunc(r.symbols, func(a, b symbol) int { return int(a.node - b.node) }) // a definition is seen after its body
	if !r.failed && len(r.made) > 0 {
		r.summarize()
	}
	done := r.reading // without what only reading needs
	return &done
}

// summarize notes what others need to know of the clauses.
func (r *formReader) summarize() {
	hash := sha256.New()
	r.encode(hash)
	hash.Sum(r.digest[:0])
	for i := range r.made {
		c := &r.made[i]
		var s shape
		if !c.IsQuery() {
			s.head = r.preds[c.Head.Pred]
		}
		for _, a := range c.Body {
			s.body = append(s.body, r.preds[a.Pred])
		}
		r.clauses = append(r.clauses, s)
	}
}

// system returns the clauses of the form as a system of their own.
func (r *formReader) system() *horn.System {
	return &horn.System{Terms: r.terms, Preds: predicates(r.preds), Clauses: r.made}
}

// predicates returns predicates as a system has them.
func predicates(list []*declaration) []horn.Predicate {
	all := make([]horn.Predicate, len(list))
	for i, d := range list {
		all[i] = horn.Predicate{Name: d.name, Args: d.params}
	}
	return all
}

// find looks up a name that the form does not bind.
func (r *resolver) find(name string) *declaration {
	d, ok := r.found[name]
	if !ok {
		d = r.scope.find(name)
		r.found[name] = d
		r.uses = append(r.uses, use{name, d})
	}
	return d
}

// numberOf returns the number that the terms of the form have for a predicate.
func (r *resolver) numberOf(d *declaration) int {
	n, ok := r.numbers[d]
	if !ok {
		n = len(r.preds)
		r.numbers[d], r.preds = n, append(r.preds, d)
	}
	return n
}

// report adds a diagnostic at a node.
func (r *resolver) report(code source.Code, node int, format string, args ...any) *finding {
	if r.quiet {
		return &finding{}
	}
	r.failed = r.failed || Catalogue.Reach(code) == findings.ReachFile
	d := &finding{Diagnostic: Catalogue.Diagnostic(code, r.form.span(node), format, args...)}
	r.findings = append(r.findings, d)
	return d
}

// read reads the form.
func (r *formReader) read() {
	for _, x := range r.form.faults {
		r.failed = r.failed || x.kind != faultZero
	}
	r.quiet = r.failed
	args := r.form.args(0)
	if len(args) == 0 || r.form.nodes[args[0]].kind != kindSymbol {
		r.report(codeUnknown, 0, "expected a command such as (assert …)")
		return
	}
	c, ok := commands[r.form.word(args[0])]
	if !ok {
		r.unknownCommand(args[0], r.form.word(args[0]))
		return
	}
	r.command = c
	if !r.parts(c, args) {
		r.command = noCommand
	}
}
