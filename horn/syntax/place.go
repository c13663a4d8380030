package syntax

import (
	"iter"
	"strings"

	"aiglens/horn/term"
	"aiglens/internal/source"
)

// Command returns the first word of a form: "assert"; "" where it has none.
func (f *File) Command(form int) string {
	if x := f.forms[form]; len(x.nodes) > 1 && x.nodes[1].kind == kindSymbol {
		return x.word(1)
	}
	return ""
}

// Word returns a word of a form's list, the command being number 0, and its place; ok is false where there is none.
func (f *File) Word(form, number int) (word string, span source.Span, ok bool) {
	x := f.forms[form]
	if len(x.nodes) == 0 {
		return "", span, false
	}
	args := x.args(0)
	if number >= len(args) {
		return "", span, false
	}
	return x.word(args[number]), f.span(form, args[number]), true
}

// HasFault reports whether the characters of a form are wrong, so that its lists may end elsewhere than they should.
func (f *File) HasFault(form int) bool { return len(f.forms[form].faults) > 0 }

// Logic returns what the text sets as its logic, and where; "" for nothing.
func (f *File) Logic() (name string, span source.Span) {
	for k := range f.forms {
		if f.Command(k) == "set-logic" {
			if word, at, ok := f.Word(k, 1); ok {
				return unquoted(word), at
			}
			return "", f.FormSpan(k)
		}
	}
	return "", span
}

// IsHorn reports whether the text says that it holds Horn clauses: its logic is HORN, or it is written with the rules
// of Z3's fixed points. Texts of other logics are SMT-LIB, too.
func (f *File) IsHorn() bool {
	for k := range f.forms {
		switch commands[f.Command(k)] {
		case setLogic:
			word, _, ok := f.Word(k, 1)
			return ok && unquoted(word) == "HORN"
		case rule, query, declareRel:
			return true
		}
	}
	return false
}

// NotHorn says that a text sets another logic, or none for its assertions; nil for a text of which IsHorn holds, and
// for one without assertions and logic, which is about to be written.
func NotHorn(f *File) *source.Diagnostic {
	if f.IsHorn() {
		return nil
	}
	name, span := f.Logic()
	if name != "" {
		d := &source.Diagnostic{Span: span, Severity: source.Information, Code: codeLogic, Message: "aiglens reads Horn clauses, with the logic HORN; it leaves a text of " + name + " alone"}
		d.AddFix("Write HORN", source.Edit{Span: span, NewText: "HORN"})
		return d
	}
	for k := range f.forms {
		if f.Command(k) == "assert" {
			_, at, _ := f.Word(k, 0)
			d := &source.Diagnostic{Span: at, Severity: source.Information, Code: codeLogicMissing, Message: "aiglens reads Horn clauses, with the logic HORN; it leaves a text that sets no logic alone"}
			d.AddFix("Insert (set-logic HORN)", source.Edit{Span: source.Span{Start: f.FormSpan(k).Start}, NewText: "(set-logic HORN)\n"})
			return d
		}
	}
	return nil
}

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenSymbol TokenKind = iota
	TokenCommand
	TokenOperator // of SMT-LIB: also let, forall, true …
	TokenSort
	TokenNumber
	TokenOther // keywords, strings, and what no token starts with
)

// Token is a word of the text.
type Token struct {
	Span source.Span
	Kind TokenKind
}

// TokenAt returns the word at an offset, or directly before it.
func (f *File) TokenAt(offset int) (found Token, ok bool) {
	for token := range f.TokensIn(source.Span{Start: offset}) {
		if token.Span.Contains(offset) {
			found, ok = token, true
		}
	}
	return found, ok
}

// TokensIn yields the words of the forms that span touches, in text order.
func (f *File) TokensIn(span source.Span) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		if len(f.forms) == 0 {
			return
		}
		for k := f.formAt(span.Start); k < len(f.forms) && f.starts[k] <= span.End(); k++ {
			for i, n := range f.forms[k].nodes {
				if n.kind != kindList && !yield(Token{f.span(k, i), tokenKind(f.forms[k], i)}) {
					return
				}
			}
		}
	}
}

func tokenKind(x *form, node int) TokenKind {
	switch x.nodes[node].kind {
	case kindNumeral, kindDecimal, kindBits:
		return TokenNumber
	case kindSymbol:
		switch word := x.word(node); {
		case node == 1:
			return TokenCommand
		case word == "Bool" || word == "Int" || word == "Real":
			return TokenSort
		case IsReserved(word):
			return TokenOperator
		}
		return TokenSymbol
	}
	return TokenOther
}

// ListsAt returns the lists that hold an offset, the innermost first.
func (f *File) ListsAt(offset int) (all []source.Span) {
	form, path := f.pathTo(offset)
	for i := len(path) - 1; i >= 0; i-- {
		all = append(all, f.span(form, path[i]))
	}
	return all
}

// pathTo returns the form at an offset and the lists in it that are open there, the outermost first. A list without
// end is open up to the end of the form.
func (f *File) pathTo(offset int) (form int, path []int) {
	if len(f.forms) == 0 {
		return 0, nil
	}
	form = f.formAt(offset)
	if form > 0 && offset == f.starts[form] && f.isOpen(form-1, 0) { // what is typed there belongs to the form before
		form--
	}
	at, x := offset-f.starts[form], f.forms[form]
	for i := 0; i < len(x.nodes); {
		n := x.nodes[i]
		if n.kind == kindList && int(n.start) < at && (at < int(n.end) || f.isOpen(form, i)) {
			path = append(path, i)
			i++
			continue
		}
		i = int(n.next)
	}
	return form, path
}

// isOpen reports whether a list has no end.
func (f *File) isOpen(form, list int) bool {
	x := f.forms[form]
	for _, fault := range x.faults {
		if fault.kind == faultOpen && list < len(x.nodes) && x.nodes[list].kind == kindList {
			n := x.nodes[list]
			return n.start <= fault.open && fault.open < n.end
		}
	}
	return false
}

// Argument is a place in a list.
type Argument struct {
	Head string // the word that the list starts with
	Span source.Span
	// Number counts from 1; 0 is the head itself.
	Number int
}

// ArgumentAt returns which part of the innermost list stands at an offset, or would.
func (f *File) ArgumentAt(offset int) (a Argument, ok bool) {
	form, path := f.pathTo(offset)
	if len(path) == 0 {
		return a, false
	}
	return f.argument(form, path[len(path)-1], offset), true
}

func (f *File) argument(form, list, offset int) (a Argument) {
	x := f.forms[form]
	for i, arg := range x.args(list) {
		n := x.nodes[arg]
		if i == 0 && n.kind == kindSymbol {
			a.Head, a.Span = x.name(arg), f.span(form, arg)
		}
		if offset-f.starts[form] <= int(n.end) || f.isOpen(form, arg) {
			a.Number = i
			return a
		}
		a.Number = i + 1
	}
	return a
}

// VisibleAt yields the declarations of the symbols that a term at an offset can use: those of commands before, in
// text order, then those of quantifiers, definitions and lets around it.
func (f *File) VisibleAt(offset int) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		if len(f.forms) == 0 {
			return
		}
		form, path := f.pathTo(offset)
		inside := map[int]bool{}
		for _, list := range path {
			inside[list] = true
		}
		for o := range f.Declarations() {
			if o.form < form && !yield(o) {
				return
			}
		}
		for o := range f.occurrencesOf(form) {
			if o.local != isDeclared && o.IsDeclaration() && isInScope(f.forms[form], int(f.resolved().readings[form].locals[o.local].node), inside, offset-f.starts[form]) && !yield(o) {
				return
			}
		}
	}
}

// isInScope reports whether a variable that is bound at a node, in ((NAME …) …) of a list, can be used at an offset:
// that lies in the list, after what binds it.
func isInScope(x *form, node int, inside map[int]bool, at int) bool {
	var around []int // the lists around the node
	for i := 0; i < node; {
		n := x.nodes[i]
		if n.kind == kindList && int(n.next) > node {
			around = append(around, i)
			i++
			continue
		}
		i = int(n.next)
	}
	if len(around) < 3 {
		return false
	}
	list, binders := around[len(around)-3], around[len(around)-2]
	return inside[list] && !inside[binders] && at >= int(x.nodes[binders].end)
}

// PlaceKind says what can be written at a place.
type PlaceKind uint8

// The kinds of places.
const (
	PlaceOther PlaceKind = iota // names, values, and what nothing is known of
	PlaceCommand
	PlaceSort
	PlaceTerm
)

// Place is what can be written at a place.
type Place struct {
	Kind   PlaceKind
	InList bool      // of a command: its parenthesis is there
	IsHead bool      // of a term: the list is there that the word is to start
	Sort   term.Sort // of a term; NoSort where it is open
}

// PlaceAt returns what can be written at an offset.
func (f *File) PlaceAt(offset int) Place {
	form, path := f.pathTo(offset)
	if len(path) == 0 {
		return Place{Kind: PlaceCommand}
	}
	args := make([]Argument, len(path))
	for i, list := range path {
		args[i] = f.argument(form, list, offset)
	}
	last := len(args) - 1
	if a := args[last]; last == 0 && a.Number == 0 {
		return Place{Kind: PlaceCommand, InList: true}
	}
	switch kind := kindOfPlace(args); kind {
	case PlaceTerm:
		return Place{Kind: kind, IsHead: args[last].Number == 0, Sort: f.SortAt(offset)}
	default:
		return Place{Kind: kind}
	}
}

// kindOfPlace returns what can be written at the end of a path of lists, each with the argument that it goes through.
func kindOfPlace(args []Argument) PlaceKind {
	kind := PlaceOther
	for i := 0; i < len(args); i++ {
		a, left := args[i], len(args)-1-i // lists within this argument
		if i > 0 && kind != PlaceTerm {
			break
		}
		switch command := commands[a.Head]; {
		case i == 0 && command == declareFun && (a.Number == 2 && left == 1 || a.Number == 3 && left == 0),
			i == 0 && (command == declareConst || command == declareVar) && a.Number == 2 && left == 0,
			i == 0 && command == declareRel && a.Number == 2 && left == 1,
			i == 0 && command == defineFun && a.Number == 3 && left == 0,
			i == 0 && command == defineFun && a.Number == 2 && left == 2 && args[i+2].Number == 1,
			i > 0 && (a.Head == "forall" || a.Head == "exists") && a.Number == 1 && left == 2 && args[i+2].Number == 1:
			return PlaceSort
		case i == 0 && (command == assert || command == rule || command == query) && a.Number == 1, i == 0 && command == defineFun && a.Number == 4:
			kind = PlaceTerm
		case i > 0 && a.Head == "let" && a.Number == 1:
			if left < 2 || args[i+2].Number != 1 {
				return PlaceOther
			}
			i += 2 // the term of a pair
		case i > 0 && (a.Head == "forall" || a.Head == "exists") && a.Number == 1, a.Head == "!" && a.Number > 1:
			return PlaceOther
		}
	}
	return kind
}

// SortAt returns the sort that a term at an offset should have; NoSort where that is open.
func (f *File) SortAt(offset int) term.Sort {
	form, path := f.pathTo(offset)
	if len(path) == 0 {
		return term.NoSort
	}
	a := f.argument(form, path[len(path)-1], offset)
	if a.Number == 0 && len(path) > 1 { // the head of a list has the sort of the list
		return f.SortAt(f.span(form, path[len(path)-1]).Start)
	}
	return sortOf(f, a, offset)
}

func sortOf(f *File, a Argument, offset int) term.Sort {
	switch a.Head {
	case "assert", "rule", "query", "not", "and", "or", "=>", "xor":
		return term.Bool
	case "forall", "exists":
		if a.Number == 2 {
			return term.Bool
		}
		return term.NoSort
	case "ite":
		if a.Number == 1 {
			return term.Bool
		}
	case "div", "mod", "abs", "to_real":
		return term.Int
	case "/":
		return term.Real
	}
	for o := range f.VisibleAt(offset) {
		if o.Name == a.Head && a.Number >= 1 && a.Number <= len(o.Params) {
			return o.Params[a.Number-1]
		}
	}
	return term.NoSort
}

// Signature returns how an operator of SMT-LIB is applied, with what it stands for: "(ite CONDITION THEN ELSE)";
// ok is false for a word that is none.
func Signature(word string) (s OperatorSignature, ok bool) {
	s, ok = signatures[word]
	return s, ok
}

// Operators yields the operators of SMT-LIB that are read, sorted.
func Operators() iter.Seq[string] { return sortedKeys(signatures) }

// Commands yields the commands that are read, sorted.
func Commands() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range sortedKeys(commands) {
			if commands[name] != outside && !yield(name) {
				return
			}
		}
	}
}

// OperatorSignature is how an operator is applied.
type OperatorSignature struct {
	Params []string // the last can end in …: it then stands for any number
	Result term.Sort
	Says   string
}

// Text returns the operator applied to its parameters.
func (s OperatorSignature) Text(word string) string {
	if len(s.Params) == 0 {
		return word
	}
	return "(" + word + " " + strings.Join(s.Params, " ") + ")"
}
