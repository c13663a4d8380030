package syntax

import (
	"iter"
	"slices"
	"sort"

	"aiglens/horn"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// SymbolKind says what a symbol stands for.
type SymbolKind uint8

// The kinds of symbols.
const (
	KindUnknown   SymbolKind = iota // its declaration has an error
	KindPredicate                   // an unknown of the system
	KindFunction                    // a function with a definition
	KindVariable                    // of a quantifier, of a definition, or for all rules
	KindLet                         // a term that let binds
)

func (k SymbolKind) String() string {
	return [...]string{"symbol", "predicate", "function", "variable", "let"}[k]
}

// Occurrence is a symbol of the text that is declared somewhere in it.
type Occurrence struct {
	Span source.Span // with the bars around it
	// Declaration is where the symbol is declared or bound; the same place as Span there.
	Declaration source.Span
	Name        string // without bars
	Kind        SymbolKind
	Sort        term.Sort   // NoSort after an error
	Params      []term.Sort // of a predicate or function
	Pred        horn.Pred   // of a predicate; NoPred else
	Symbol      Symbol
	form, local int // where it is declared: the form, and its place among the locals there, or isDeclared
}

// Symbol is a declared symbol of one version of a text: its place among all of them, in the order in which they are
// declared.
type Symbol int

// IsDeclaration reports whether the symbol is declared or bound here.
func (o *Occurrence) IsDeclaration() bool { return o.Span == o.Declaration }

// OccurrencesIn yields the declared symbols of the forms that span touches, in text order.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		for k := f.formAt(span.Start); k < len(f.forms) && f.starts[k] <= span.End(); k++ {
			for o := range f.occurrencesOf(k) {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// occurrencesOf yields the declared symbols of a form.
func (f *File) occurrencesOf(k int) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		x := f.resolved().readings[k]
		if x == nil {
			return
		}
		for _, s := range x.symbols {
			if o, ok := f.occurrence(k, s); ok && !yield(o) {
				return
			}
		}
	}
}

// OccurrencesOf yields the symbols that stand for the same as an occurrence, in text order.
func (f *File) OccurrencesOf(o Occurrence) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		last := len(f.forms) - 1
		if o.local != isDeclared {
			last = o.form
		}
		for k := o.form; k <= last; k++ { // nothing is used before it is declared
			if k > o.form && !f.resolved().readings[k].mentions(o.Name) {
				continue
			}
			for same := range f.occurrencesOf(k) {
				if same.form == o.form && same.local == o.local && !yield(same) {
					return
				}
			}
		}
	}
}

// mentions reports whether a form looks up a name.
func (x *reading) mentions(name string) bool {
	return x != nil && slices.ContainsFunc(x.uses, func(u use) bool { return u.name == name })
}

// Declarations yields the symbols that commands declare, in text order, each where it is declared.
func (f *File) Declarations() iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		r := f.resolved()
		for _, k := range r.declared {
			if o, _ := f.occurrence(k, symbol{r.readings[k].node, isDeclared}); !yield(o) {
				return
			}
		}
	}
}

// NumSymbols returns the number of declared symbols.
func (f *File) NumSymbols() int { return f.resolved().symbols[len(f.forms)] }

// DeclarationOf returns the place where a symbol is declared.
func (f *File) DeclarationOf(s Symbol) Occurrence {
	r := f.resolved()
	k := sort.SearchInts(r.symbols, int(s)+1) - 1
	x, i := r.readings[k], int(s)-r.symbols[k]
	if x.declares != nil {
		if i--; i < 0 {
			o, _ := f.occurrence(k, symbol{x.node, isDeclared})
			return o
		}
	}
	o, _ := f.occurrence(k, symbol{x.locals[i].node, int32(i)})
	return o
}

// OccurrenceAt returns the declared symbol at an offset, or directly before it.
func (f *File) OccurrenceAt(offset int) (found Occurrence, ok bool) {
	res := f.resolved()
	for k := f.formAt(offset); k >= 0 && k < len(f.forms) && f.starts[k+1] >= offset && !ok; k-- {
		if res.readings[k] == nil {
			continue
		}
		list := res.readings[k].symbols
		i := sort.Search(len(list), func(i int) bool { return f.span(k, int(list[i].node)).Start > offset }) - 1
		if ok = i >= 0 && f.span(k, int(list[i].node)).Contains(offset); ok {
			found, ok = f.occurrence(k, list[i])
		}
	}
	return found, ok
}

// occurrence returns a symbol of form k; ok is false for the name of a second declaration.
func (f *File) occurrence(k int, s symbol) (o Occurrence, ok bool) {
	r, node := f.resolved(), int(s.node)
	x := r.readings[k]
	o = Occurrence{Span: f.span(k, node), Name: f.forms[k].name(node), Pred: horn.NoPred, form: k, local: int(s.local)}
	if s.local != isDeclared {
		l := x.locals[s.local]
		o.Declaration, o.Sort, o.Symbol = f.span(k, int(l.node)), l.sort, Symbol(r.symbols[k]+int(s.local))
		if x.declares != nil {
			o.Symbol++
		}
		switch {
		case !l.isVariable:
			o.Kind = KindLet
		case l.sort != term.NoSort:
			o.Kind = KindVariable
		}
		return o, true
	}
	g := r.globals[o.Name]
	if x.declares != nil && s.node == x.node && g.form != k {
		o.Declaration = o.Span
		return o, false
	}
	o.Declaration, o.Kind, o.Sort, o.Params, o.form = r.nameOf(g), g.kind, g.sort, g.params, g.form
	o.Symbol = Symbol(r.symbols[g.form])
	if g.kind == KindPredicate {
		o.Pred = r.numbers[g.declaration]
	}
	return o, true
}

// MeaningOf returns the term that a function or a name of let stands for, and the predicates that it numbers; ok is
// false for other symbols.
func (f *File) MeaningOf(o Occurrence) (terms *term.Pool, t term.Term, preds []horn.Predicate, ok bool) {
	r := f.resolved()
	switch o.Kind {
	case KindFunction:
		d := r.readings[o.form].declares
		return d.terms, d.body, predicates(d.preds), true
	case KindLet:
		x := r.again(o.form)
		t = x.bindings[o.local].term
		return x.terms, t, predicates(x.preds), t != term.None
	}
	return nil, term.None, nil, false
}
