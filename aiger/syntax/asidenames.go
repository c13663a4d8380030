package syntax

import (
	"fmt"

	"aiglens/internal/wordline"
)

// numAsideSpaces is how many spaces of names there are. A line looks in one after the other.
const numAsideSpaces = 5

// namedElement is an element that has a name.
type namedElement struct {
	space   int   // of its name
	section uint8 // its kind, as the caller of add counts them
	index   int
	lit     uint32
}

// knownNames are the elements by name, one list for each space: of several that
// are the same literal, the first.
type knownNames map[string][numAsideSpaces][]namedElement

// want prepares to be told of a name.
func (n knownNames) want(name string) { n[name] = [numAsideSpaces][]namedElement{} }

// add records an element, if its name is wanted.
func (n knownNames) add(name string, e namedElement) {
	lists, ok := n[name]
	if !ok {
		return
	}
	for _, other := range lists[e.space] {
		if other.lit == e.lit {
			return
		}
	}
	lists[e.space] = append(lists[e.space], e)
	n[name] = lists
}

// find returns the elements that a name may mean: those of the first space that has any.
func (n knownNames) find(name string) []namedElement {
	for _, list := range n[name] {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// literal returns what an aside refers to. Of one that names nothing, or a number that is
// not defined, or several different literals, found is not 1.
func (a *asideLine) literal(names knownNames, isDefined func(uint32) bool) (e namedElement, found int) {
	if !a.isSound() {
		return e, 0
	}
	if a.IsNumber {
		e.lit = uint32(a.Number)
		if isDefined(e.lit) {
			found = 1
		}
	} else {
		list := names.find(a.Name.In(a.Text))
		if found = len(list); found > 0 {
			e = list[0]
		}
		if found == 1 && !isDefined(e.lit) {
			found = 0
		}
	}
	if a.IsNegated {
		e.lit ^= 1
	}
	return e, found
}

// spellAside chooses how to write a literal among some names of a literal and of its negation.
func spellAside(lit uint32, names []string, known knownNames) string {
	for _, name := range names {
		found := known.find(name)
		if len(found) != 1 || found[0].lit>>1 != lit>>1 {
			continue
		}
		if target, ok := wordline.SpellBit(name, found[0].lit != lit); ok {
			return target
		}
	}
	return fmt.Sprint(lit)
}
