package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/internal/source"
)

// CompletionKind says what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompleteSymbol CompletionKind = iota // a declared one
	CompleteWord                         // a sort, an operator at the start of a list
	CompleteForm                         // a list with places to fill in
)

// Completion is one thing that may be typed.
type Completion struct {
	Kind   CompletionKind
	Label  string
	Insert string
	Detail string
	Symbol syntax.Symbol // of CompleteSymbol
	// Snippet is that of a CompleteForm, as the language server protocol writes it.
	Snippet string
}

// Completions are what may be typed at a place.
type Completions struct {
	Span       source.Span // of the word that is replaced
	Items      []Completion
	Incomplete bool
}

// maxCompletions bounds the symbols that are offered.
const maxCompletions = 300

// Complete returns what may be typed at an offset: commands, sorts, and in terms what has the sort of the place.
// Where that is open, all symbols that can be used there.
func Complete(f *syntax.File, offset int) Completions {
	c := Completions{Span: source.Span{Start: offset}}
	token, onToken := f.TokenAt(offset)
	if onToken {
		c.Span = token.Span
		if token.Kind == syntax.TokenNumber || token.Kind == syntax.TokenOther {
			return c
		}
	}
	place := f.PlaceAt(c.Span.Start)
	switch place.Kind {
	case syntax.PlaceCommand:
		c.commands(!place.InList)
	case syntax.PlaceSort:
		for _, sort := range []string{"Bool", "Int", "Real"} {
			c.Items = append(c.Items, Completion{Kind: CompleteWord, Label: sort, Insert: sort, Detail: "sort"})
		}
	case syntax.PlaceTerm:
		c.symbols(f, place, offset)
		c.operators(place)
	}
	return c
}

// commandForms are the commands with places to fill in.
var commandForms = map[string]string{
	"set-logic": "(set-logic HORN)", "set-info": "(set-info :status ${1|sat,unsat,unknown|})",
	"declare-fun": "(declare-fun ${1:P} (${2:Int}) Bool)", "declare-const": "(declare-const ${1:P} Bool)",
	"define-fun":  "(define-fun ${1:f} ((${2:x} ${3:Int})) ${4:Bool}\n  $0)",
	"declare-rel": "(declare-rel ${1:P} (${2:Int}))", "declare-var": "(declare-var ${1:x} ${2:Int})",
	"assert": "(assert\n  (forall ((${1:x} ${2:Int}))\n    (=> $0)))", "rule": "(rule (=> $0))", "query": "(query ${1:P})",
	"check-sat": "(check-sat)", "get-model": "(get-model)", "get-proof": "(get-proof)", "exit": "(exit)",
}

func (c *Completions) commands(asLists bool) {
	for name := range syntax.Commands() {
		snippet, known := commandForms[name]
		if asLists && known {
			c.Items = append(c.Items, Completion{Kind: CompleteForm, Label: name, Detail: "command", Snippet: snippet})
		} else if !asLists {
			c.Items = append(c.Items, Completion{Kind: CompleteWord, Label: name, Insert: name, Detail: "command"})
		}
	}
}

// symbols offers what is declared, the innermost first.
func (c *Completions) symbols(f *syntax.File, place syntax.Place, offset int) {
	all := slices.Collect(f.VisibleAt(offset))
	seen := map[string]bool{}
	for _, o := range slices.Backward(all) {
		if seen[o.Name] { // an inner one hides it
			continue
		}
		seen[o.Name] = true
		if !fits(o, place) {
			continue
		}
		if len(c.Items) == maxCompletions {
			c.Incomplete = true
			return
		}
		item := Completion{Kind: CompleteSymbol, Label: o.Name, Insert: term.Quote(o.Name), Detail: Signature(o), Symbol: o.Symbol}
		if len(o.Params) > 0 && !place.IsHead {
			item.Kind, item.Snippet = CompleteForm, applied(o)
		}
		c.Items = append(c.Items, item)
	}
}

// fits reports whether a symbol can stand at a place.
func fits(o syntax.Occurrence, place syntax.Place) bool {
	if place.IsHead && len(o.Params) == 0 {
		return false
	}
	return place.Sort == term.NoSort || o.Sort == term.NoSort || o.Sort == place.Sort || place.Sort == term.Real && o.Sort == term.Int
}

// applied returns a symbol applied to places for its arguments.
func applied(o syntax.Occurrence) string {
	var b strings.Builder
	escape := strings.NewReplacer("$", "\\$", "}", "\\}")
	b.WriteString("(" + escape.Replace(term.Quote(o.Name)))
	for i, sort := range o.Params {
		fmt.Fprintf(&b, " ${%d:%s}", i+1, sort)
	}
	return b.String() + ")"
}

// operators offers the operators that have the sort of a place.
func (c *Completions) operators(place syntax.Place) {
	for name := range syntax.Operators() {
		s, _ := syntax.Signature(name)
		isConstant := len(s.Params) == 0
		if place.Sort != term.NoSort && s.Result != term.NoSort && s.Result != place.Sort && !(place.Sort == term.Real && s.Result == term.Int) ||
			s.Result == term.NoSort && place.Sort == term.Bool && len(s.Params) > 0 && s.Params[0] == "Number" || isConstant && place.IsHead {
			continue
		}
		item := Completion{Kind: CompleteWord, Label: name, Insert: name, Detail: s.Text(name)}
		if !isConstant && !place.IsHead {
			item.Kind, item.Snippet = CompleteForm, "("+name+" $0)"
		}
		c.Items = append(c.Items, item)
	}
}

// Signature returns how a declared symbol is applied, with its sort: "(P Int Real) · predicate".
func Signature(o syntax.Occurrence) string {
	if len(o.Params) == 0 {
		return fmt.Sprintf("%s · %s", o.Sort, o.Kind)
	}
	var b strings.Builder
	b.WriteString("(" + term.Quote(o.Name))
	for _, sort := range o.Params {
		fmt.Fprintf(&b, " %s", sort)
	}
	return b.String() + ") · " + o.Kind.String()
}
