package picture

import (
	"slices"
	"strconv"
	"strings"
)

// Bounds of labels.
const (
	shownParts  = 4  // names and vectors in a label; where a state needs more, all are labelled with digits
	shownDigits = 32 // where more latches change, states are labelled with their number
	namedDigits = 12 // latches that the legend of the digits names
)

// Vector is latches that a label says as one: "q=3".
type Vector struct {
	Name    string
	Latches []int // positions
	// Text returns the value in a state, by the values of all latches.
	Text func(values []bool) string
}

// labels says how states are labelled: with vectors, and other latches that are 1; where these
// are many, with all latches that are 1; else with the digits of the latches that change, which
// the legend explains.
func (g *StateGraph) labels(names []string, vectors []Vector, order []int) (label func(State) string, legend string) {
	for _, parts := range [][]part{partsOf(names, vectors, order), partsOf(names, nil, order)} {
		if g.fits(parts) {
			return func(s State) string { return labelOf(parts, s) }, ""
		}
	}
	changing := slices.DeleteFunc(slices.Clone(order), func(i int) bool {
		return !slices.ContainsFunc(g.States, func(s State) bool { return s.Values[i] != g.States[0].Values[i] })
	})
	if len(changing) == 0 {
		return func(State) string { return "the only state" }, ""
	}
	if len(changing) > shownDigits {
		number := map[string]int{}
		for i, s := range g.States {
			number[keyOf(s.Values)] = i
		}
		return func(s State) string { return "state " + strconv.Itoa(number[keyOf(s.Values)]) }, ""
	}
	var named []string
	for k, i := range changing {
		if k == namedDigits {
			named = append(named, "…")
			break
		}
		named = append(named, Shortened(names[i]))
	}
	return func(s State) string { return Digits(s.Values, changing) }, "digits of a state: " + strings.Join(named, " ")
}

// part is what a label says of a latch, or of a vector.
type part struct {
	name  string
	latch int
	text  func(values []bool) string // nil for a latch by itself
}

// partsOf returns the latches in order, with vectors those of one together where the first of
// it stands.
func partsOf(names []string, vectors []Vector, order []int) (parts []part) {
	of := map[int]int{} // from latch to vector
	for v := range vectors {
		for _, i := range vectors[v].Latches {
			of[i] = v
		}
	}
	seen := map[int]bool{}
	for _, i := range order {
		v, ok := of[i]
		switch {
		case !ok:
			parts = append(parts, part{Shortened(names[i]), i, nil})
		case !seen[v]:
			seen[v] = true
			parts = append(parts, part{Shortened(vectors[v].Name), i, vectors[v].Text})
		}
	}
	return parts
}

// words returns what a label says of a part; "" of a latch that is 0.
func (p part) words(s State) string {
	switch {
	case p.text != nil:
		return p.name + "=" + p.text(s.Values)
	case s.Values[p.latch]:
		return p.name
	}
	return ""
}

// fits reports whether parts label all states.
func (g *StateGraph) fits(parts []part) bool {
	return !slices.ContainsFunc(g.States, func(s State) bool {
		n := 0
		for _, p := range parts {
			if p.words(s) != "" {
				n++
			}
		}
		return n > shownParts
	})
}

func labelOf(parts []part, s State) string {
	var all []string
	for _, p := range parts {
		if words := p.words(s); words != "" {
			all = append(all, words)
		}
	}
	if len(all) == 0 {
		return "all 0"
	}
	return strings.Join(all, " ")
}

// Digits writes some values as a word, in order.
func Digits(values []bool, order []int) string {
	all := make([]byte, len(order))
	for k, i := range order {
		all[k] = '0'
		if values[i] {
			all[k] = '1'
		}
	}
	return string(all)
}
