package syntax

import (
	"iter"
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
	binding     *binding
}

// Symbol is a declared symbol of one version of a text: its place among all of them, in the order in which they are
// declared.
type Symbol int

// IsDeclaration reports whether the symbol is declared or bound here.
func (o *Occurrence) IsDeclaration() bool { return o.Span == o.Declaration }

// OccurrencesIn yields the declared symbols of the forms that span touches, in text order.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		res := f.resolved()
		for k := f.formAt(span.Start); k < len(f.forms) && f.starts[k] <= span.End(); k++ {
			for _, s := range res.seen[k] {
				if !yield(f.occurrence(k, s)) {
					return
				}
			}
		}
	}
}

// OccurrencesOf yields the symbols that stand for the same as an occurrence, in text order.
func (f *File) OccurrencesOf(o Occurrence) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		all, first := f.resolved().seen, o.binding.form // nothing is used before it is declared
		if !o.binding.isGlobal {
			all = all[:first+1]
		}
		for k := first; k < len(all); k++ {
			for _, s := range all[k] {
				if s.binding == o.binding && !yield(f.occurrence(k, s)) {
					return
				}
			}
		}
	}
}

// NumSymbols returns the number of declared symbols.
func (f *File) NumSymbols() int { return len(f.resolved().bindings) }

// DeclarationOf returns the place where a symbol is declared.
func (f *File) DeclarationOf(s Symbol) Occurrence {
	b := f.resolved().bindings[s]
	return f.occurrence(b.form, seen{b.node, b})
}

// OccurrenceAt returns the declared symbol at an offset, or directly before it.
func (f *File) OccurrenceAt(offset int) (found Occurrence, ok bool) {
	res := f.resolved()
	for k := f.formAt(offset); k >= 0 && k < len(f.forms) && f.starts[k+1] >= offset && !ok; k-- {
		list := res.seen[k]
		i := sort.Search(len(list), func(i int) bool { return f.span(k, list[i].node).Start > offset }) - 1
		if ok = i >= 0 && f.span(k, list[i].node).Contains(offset); ok {
			found = f.occurrence(k, list[i])
		}
	}
	return found, ok
}

func (f *File) occurrence(form int, s seen) Occurrence {
	b := s.binding
	o := Occurrence{
		Span: f.span(form, s.node), Declaration: f.span(b.form, b.node), Name: f.forms[b.form].name(b.node),
		Sort: b.sort, Pred: horn.NoPred, Symbol: Symbol(b.id), binding: b,
	}
	system := f.resolved().system
	switch b.kind {
	case bindPredicate:
		o.Kind, o.Pred, o.Params = KindPredicate, b.pred, system.Preds[b.pred].Args
	case bindMacro:
		o.Kind = KindFunction
		for _, p := range b.params {
			o.Params = append(o.Params, system.Terms.SortOf(p))
		}
	case bindTerm:
		o.Kind = KindLet
		if b.isVariable {
			o.Kind = KindVariable
		}
	}
	return o
}

// MeaningOf returns the term that a function or a name of let stands for; ok is false for other symbols.
func (f *File) MeaningOf(o Occurrence) (t term.Term, ok bool) {
	return o.binding.term, o.binding.term != term.None && (o.Kind == KindFunction || o.Kind == KindLet)
}
