package syntax

import (
	"slices"
	"strings"

	"aiglens/horn"
	"aiglens/horn/term"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// resolution is what the forms mean together.
type resolution struct {
	system     *horn.System
	declared   []source.Span // the name of each predicate
	diags      []*source.Diagnostic
	structural *source.Diagnostic
	status     string
	hasRules   bool
	seen       [][]seen // of each form, in the order of the text
	bindings   []*binding
}

// seen is a symbol with what it stands for.
type seen struct {
	node    int
	binding *binding
}

// maxGrowth is how many arguments of terms a text can stand for beyond those that are written: uses of definitions
// repeat what these hold, distinct compares all pairs, and a sum repeats those that it adds up.
const maxGrowth = 2_000_000

// bindingKind says what a symbol stands for.
type bindingKind uint8

const (
	bindNothing   bindingKind = iota // declared with an error, which is reported there
	bindPredicate                    // of the system
	bindMacro                        // a function with a definition
	bindTerm                         // a variable, or what let binds
)

// binding is a symbol with what it stands for.
type binding struct {
	kind bindingKind
	id   int // its place among those of the resolution
	form int // where its name stands
	node int
	// isGlobal holds for a symbol that a command declares: others stand in one form.
	isGlobal bool
	pred     horn.Pred
	// term is that of bindTerm, and the body of a macro with params; term.None after an error.
	term   term.Term
	params []term.Term // the parameters of a macro, which are variables with names of their own
	sort   term.Sort   // of the term
	// isVariable holds for a bindTerm that is a variable, and not bound by let.
	isVariable bool
}

// scope is what one form says about its symbols.
type scope struct {
	form   *form
	number int
	locals map[string][]*binding // the innermost last
	used   map[string]bool       // names of its variables
	failed bool                  // an error has been found
	isRule bool                  // which is for all values of the variables of declare-var
	quiet  bool                  // its characters are wrong, which is said: what follows from that is not
	places map[term.Term]int     // the nodes where terms are written, asked for after an error; nil else
	seen   []seen                // its symbols, and what they stand for
}

// questions says what has been asked so far.
type questions struct {
	first               source.Span // its length is 0 before it
	hasExit, warnedExit bool
}

func (q *questions) add(span source.Span) {
	if q.first.Length == 0 {
		q.first = span
	}
}

// resolver reads the forms of a text one after the other.
type resolver struct {
	scope
	file    *File
	terms   *term.Pool
	preds   []horn.Predicate
	globals map[string]*binding
	clauses []horn.Clause
	list    findings.List
	res     *resolution
	growth  int  // of all forms
	full    bool // maxGrowth has been passed, which is said

	hasLogic, warnedLogic bool
	hasCheck              bool // (check-sat) has been read
	asked                 questions
}

// resolve works out what the text means.
func (f *File) resolve() *resolution {
	r := &resolver{
		file: f, terms: term.NewPool(), globals: map[string]*binding{}, list: findings.NewList(Catalogue), res: &resolution{},
	}
	r.res.seen = make([][]seen, len(f.forms))
	for k := range f.forms {
		r.read(k)
		slices.SortFunc(r.seen, func(a, b seen) int { return a.node - b.node }) // a definition is seen after its body
		r.res.seen[k] = r.seen
	}
	r.res.system = &horn.System{Terms: r.terms, Preds: r.preds, Clauses: r.clauses}
	for p := range r.preds {
		b := r.globals[r.preds[p].Name]
		r.res.declared = append(r.res.declared, f.span(b.form, b.node))
	}
	r.whole()
	r.res.diags = r.list.Finish()
	for _, d := range r.res.diags {
		if d.Severity == source.Error {
			r.res.structural = d
			break
		}
	}
	return r.res
}

// report adds a diagnostic at a node of the form.
func (r *resolver) report(code source.Code, node int, format string, args ...any) *source.Diagnostic {
	return r.reportAt(code, r.file.span(r.number, node), format, args...)
}

func (r *resolver) reportAt(code source.Code, span source.Span, format string, args ...any) *source.Diagnostic {
	if r.quiet {
		return &source.Diagnostic{}
	}
	r.failed = r.failed || Catalogue.Reach(code) == findings.ReachFile
	return r.list.Add(code, span, format, args...)
}

// read reads a form.
func (r *resolver) read(k int) {
	r.scope = scope{form: r.file.forms[k], number: k, locals: map[string][]*binding{}, used: map[string]bool{}}
	if r.asked.hasExit {
		if !r.asked.warnedExit && len(r.form.nodes) > 0 {
			r.asked.warnedExit = true
			rest := source.SpanFromTo(r.file.FormSpan(k).Start, r.file.FormSpan(len(r.file.forms)-1).End())
			r.reportAt(codeAfterExit, rest, "nothing reads what stands after (exit)").Unnecessary = true
		}
		return
	}
	r.characters()
	r.quiet = r.failed
	if len(r.form.nodes) == 0 {
		return
	}
	args := r.form.args(0)
	if len(args) == 0 || r.form.nodes[args[0]].kind != kindSymbol {
		r.report(codeUnknown, 0, "expected a command such as (assert …)")
		return
	}
	word := r.form.word(args[0])
	c, ok := commands[word]
	if !ok {
		r.unknownCommand(args[0], word)
		return
	}
	r.command(c, args)
}

// characters reports what is wrong with the characters of the form.
func (r *resolver) characters() {
	start := r.file.starts[r.number]
	for _, x := range r.form.faults {
		span := source.SpanFromTo(start+int(x.start), start+int(x.end))
		word := r.form.text[x.start:x.end]
		switch x.kind {
		case faultOpen:
			d := r.reportAt(codeParenMissing, span, "expected ')': the list that starts with %s has no end", findings.Quote(firstLine(r.form.text[x.open:])))
			d.Relate(source.Span{Start: start + int(x.open), Length: 1}, "the list starts here")
		case faultSurplus:
			d := r.reportAt(codeParenSurplus, span, "')' without '(': the command before ends already")
			d.AddFix("Delete the parenthesis", source.Edit{Span: span})
		case faultStray:
			r.reportAt(codeStrayWord, span, "expected '(' and a command, found %s", findings.Quote(word))
		case faultCharacter:
			r.reportAt(codeBadCharacter, span, "SMT-LIB has no %s here; between bars a symbol can hold it: |…|", findings.Quote(word))
		case faultBar:
			r.reportAt(codeBarOpen, span, "expected a second '|': the symbol has no end")
		case faultString:
			r.reportAt(codeStringOpen, span, "expected a second '\"': the string has no end")
		case faultNumber:
			r.reportAt(codeNotNumber, span, "expected a number such as 12 or 1.5, found %s", findings.Quote(word))
		case faultZero:
			r.reportAt(codeLeadingZero, span, "a number does not start with 0: other tools refuse it").
				AddPreferredFix("Delete the zeros", source.Edit{Span: span, NewText: withoutZeros(word)})
		case faultDeep:
			r.reportAt(codeTooDeep, span, "lists are nested more than %d deep", maxDepth)
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
