package pragma

import "fmt"

// NumSpaces is how many spaces of names there are. A line looks in one after the other.
const NumSpaces = 5

// Element is an element that has a name.
type Element struct {
	Space   int   // of its name
	Section uint8 // its kind, as the caller of Add counts them
	Index   int
	Lit     uint32
}

// Names are the elements by name, one list for each space: of several that
// are the same literal, the first.
type Names map[string][NumSpaces][]Element

// Want prepares to be told of a name.
func (n Names) Want(name string) { n[name] = [NumSpaces][]Element{} }

// Add records an element, if its name is wanted.
func (n Names) Add(name string, e Element) {
	lists, ok := n[name]
	if !ok {
		return
	}
	for _, other := range lists[e.Space] {
		if other.Lit == e.Lit {
			return
		}
	}
	lists[e.Space] = append(lists[e.Space], e)
	n[name] = lists
}

// find returns the elements that a name may mean: those of the first space that has any.
func (n Names) find(name string) []Element {
	for _, list := range n[name] {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// Literal returns what a pragma speaks of. Of one that names nothing, or a number that is
// not defined, or several different literals, found is not 1.
func (a *Line) Literal(names Names, isDefined func(uint32) bool) (e Element, found int) {
	if a.form != sound {
		return e, 0
	}
	if a.isNumber {
		e.Lit = a.number
		if isDefined(e.Lit) {
			found = 1
		}
	} else {
		list := names.find(a.name.in(a.text))
		if found = len(list); found > 0 {
			e = list[0]
		}
		if found == 1 && !isDefined(e.Lit) {
			found = 0
		}
	}
	if a.isNegated {
		e.Lit ^= 1
	}
	return e, found
}

// Spell chooses how to write a literal among some names of a literal and of its negation.
func Spell(lit uint32, names []string, known Names) string {
	for _, name := range names {
		found := known.find(name)
		if len(found) != 1 || found[0].Lit>>1 != lit>>1 {
			continue
		}
		if target, ok := spelled(name, found[0].Lit != lit); ok {
			return target
		}
	}
	return fmt.Sprint(lit)
}
