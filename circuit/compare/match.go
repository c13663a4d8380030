package compare

import (
	"fmt"
	"slices"

	"aiglens/circuit"
)

// Options say how elements are matched, beside by their names.
type Options struct {
	// Map holds pairs of names that are taken for the same, before all others.
	Map [][2]string
	// Positions matches by position what names leave alone, also where both sides have
	// names.
	Positions bool
	// Pruned says that one side may have been made of the other by leaving out inputs and
	// latches on which nothing depends that is observed. Where it has fewer of them, positions
	// are those among the others.
	Pruned bool
	// Combinational makes a matching of single steps. Latches that are matched become inputs
	// that are, and their next values and resets outputs that are.
	Combinational bool
}

// Matching says which elements of two circuits are taken for the same.
type Matching struct {
	Sides           [2]Side
	Inputs, Latches []Pair // Latches need not have the same values
	Observed        []Pair // what must have the same value
	// Unmatched are the elements of each side without a partner. A property is none of
	// them whose signal is observed as an output.
	Unmatched [2][]Element
	// Covered are such properties. There are none on a side as long as one of the other is
	// left over: the two may be meant for each other.
	Covered [2][]Element
}

// Match matches the elements of two circuits, in this order:
//
//   - by the map,
//   - by names that stand once on either side,
//   - by names as converters respell them,
//   - by position, in lists of the same length: the same name that stands there more than
//     once, and what has no name on one side, unless names say that the order differs.
//
// Bads are matched with outputs, too, since some programs write them as outputs. The error is
// that of a wrong map, or ErrNothing.
func Match(a, b Side, o Options) (*Matching, error) {
	m := &matcher{Matching: Matching{Sides: [2]Side{a, b}}, options: o}
	for k := range m.taken {
		for side := range m.taken[k] {
			m.taken[k][side] = make([]bool, m.Sides[side].count(Kind(k)))
		}
	}
	for side := range m.Sides {
		for i, hidden := range m.Sides[side].Names.Hidden {
			if hidden && i < len(m.taken[Output][side]) {
				m.taken[Output][side][i] = true
			}
		}
	}
	if err := m.byMap(); err != nil {
		return nil, err
	}
	for k := Input; k <= Fairness; k++ {
		m.byNames(k, k)
		m.byPosition(k)
	}
	m.byNames(Bad, Output)
	m.byNames(Output, Bad)
	m.acrossKinds()
	m.finish()
	if o.Combinational {
		m.cut()
	}
	if len(m.Observed) == 0 {
		return nil, ErrNothing
	}
	return &m.Matching, nil
}

// matcher is a matching that is not complete.
type matcher struct {
	Matching
	options Options
	taken   [Fairness + 1][2][]bool // by kind, side and position
	pairs   [Fairness + 1][]Pair    // by the kind of A
}

func (m *matcher) pair(ka Kind, a int, kb Kind, b int, how How) {
	m.taken[ka][0][a], m.taken[kb][1][b] = true, true
	p := Pair{A: Element{Kind: ka, Index: a}, B: Element{Kind: kb, Index: b}, How: how}
	if how != ByPosition { // what is matched by its name
		p.Negated = ka == Bad && kb == Output && at(m.Sides[0].Names.Asserts, a) ||
			ka == Output && kb == Bad && at(m.Sides[1].Names.Asserts, b)
	}
	m.pairs[ka] = append(m.pairs[ka], p)
}

// byMap matches what the map says. A name may be that of an input, a latch, an output and
// a property at once; each of these is matched with its like.
func (m *matcher) byMap() error {
	for _, names := range m.options.Map {
		found := false
		missing := [2]bool{true, true}
		for _, kinds := range [][2]Kind{{Input, Input}, {Latch, Latch}, {Output, Output}, {Bad, Bad}, {Justice, Justice}, {Fairness, Fairness}, {Bad, Output}, {Output, Bad}} {
			var at [2]int
			for side, k := range kinds {
				places := m.places(side, k, names[side])
				if len(places) > 1 {
					return fmt.Errorf("%q is the name of %d elements of kind %s", names[side], len(places), k)
				}
				if at[side] = -1; len(places) == 1 {
					at[side], missing[side] = places[0], false
				}
			}
			if across := kinds[0] != kinds[1]; at[0] < 0 || at[1] < 0 || across && found {
				continue
			}
			found = true
			if m.taken[kinds[0]][0][at[0]] || m.taken[kinds[1]][1][at[1]] {
				return fmt.Errorf("%q or %q is mapped twice", names[0], names[1])
			}
			m.pair(kinds[0], at[0], kinds[1], at[1], ByMap)
		}
		switch {
		case missing[0]:
			return fmt.Errorf("the first circuit has nothing named %q", names[0])
		case missing[1]:
			return fmt.Errorf("the second circuit has nothing named %q", names[1])
		case !found:
			return fmt.Errorf("%q and %q are elements of different kinds", names[0], names[1])
		}
	}
	return nil
}

// places returns the positions of a name in a list, or the position that a label like
// output:3 tells where there is no such name.
func (m *matcher) places(side int, k Kind, name string) (places []int) {
	for i := range m.taken[k][side] {
		if at(m.Sides[side].Names.list(k), i) == name && !(k == Output && at(m.Sides[side].Names.Hidden, i)) {
			places = append(places, i)
		}
	}
	for i := range m.taken[k][side] {
		if len(places) == 0 && fmt.Sprintf("%s:%d", k, i) == name {
			return []int{i}
		}
	}
	return places
}

// byNames matches what is left of a kind of A and a kind of B by names that stand once on
// either side: first in the spellings in which most are the same, since a name that is
// respelled may have become that of another element.
func (m *matcher) byNames(ka, kb Kind) {
	a, b := m.spellings(0, ka), m.spellings(1, kb)
	type order struct{ a, b, same int }
	var orders []order
	for i := range a {
		for j := range b {
			orders = append(orders, order{i, j, len(m.sameNames(ka, kb, a[i], b[j]))})
		}
	}
	slices.SortStableFunc(orders, func(x, y order) int { return y.same - x.same })
	for _, of := range orders {
		how := ByRespelling
		if of.a == 0 && of.b == 0 {
			how = ByName
		}
		for _, p := range m.sameNames(ka, kb, a[of.a], b[of.b]) {
			m.pair(ka, p[0], kb, p[1], how)
		}
	}
}

// sameNames returns the positions of the elements that have the same name, which is made
// up for one of them at most: it says nothing else than the position.
func (m *matcher) sameNames(ka, kb Kind, a, b []string) (same [][2]int) {
	x, y := m.unique(0, ka, a), m.unique(1, kb, b)
	ownA, ownB := m.Sides[0].Names.list(ka), m.Sides[1].Names.list(kb)
	for i, name := range a {
		if first, ok := x[name]; !ok || first != i || name == "" {
			continue
		}
		if j, ok := y[name]; ok && (at(ownA, i) != "" || at(ownB, j) != "") {
			same = append(same, [2]int{i, j})
		}
	}
	return same
}

// spellings returns the names of a list, as they are and as they are respelled.
func (m *matcher) spellings(side int, k Kind) [][]string {
	s := &m.Sides[side]
	all := [][]string{s.Names.list(k)}
	for i := range s.Respelled {
		all = append(all, s.Respelled[i].list(k))
	}
	return all
}

// unique returns where each name stands among what is left of a list, of the names that
// stand there once. A name that an element which is matched bears as well is no such name.
func (m *matcher) unique(side int, k Kind, names []string) map[string]int {
	places, many := map[string]int{}, map[string]bool{}
	for i, taken := range m.taken[k][side] {
		name := at(names, i)
		if k == Output && at(m.Sides[side].Names.Hidden, i) {
			continue
		}
		if _, twice := places[name]; twice {
			many[name] = true
		}
		if places[name] = i; taken {
			many[name] = true
		}
	}
	for name := range many {
		delete(places, name)
	}
	return places
}

// byPosition matches what names do not tell apart in lists of the same length.
func (m *matcher) byPosition(k Kind) {
	lists := [2][]int{indices(len(m.taken[k][0])), indices(len(m.taken[k][1]))}
	if len(lists[0]) != len(lists[1]) && m.options.Pruned && (k == Input || k == Latch) {
		lists = [2][]int{m.needed(0, k), m.needed(1, k)}
	}
	var all [2][]Element
	for side, places := range lists {
		for _, i := range places {
			all[side] = append(all[side], Element{Kind: k, Index: i})
		}
	}
	m.inPlace(all)
}

// inPlace matches what names do not tell apart and stands at the same places of two lists,
// if these have the same length: what bears the same name, and what has none on one side or
// both as long as no pair so far moves, or if all of one side has no names.
func (m *matcher) inPlace(lists [2][]Element) {
	if len(lists[0]) != len(lists[1]) {
		return
	}
	kept := m.keepPlaces(lists)
	bare := m.isBare(0, lists[0]) || m.isBare(1, lists[1])
	for i, a := range lists[0] {
		b := lists[1][i]
		if m.taken[a.Kind][0][a.Index] || m.taken[b.Kind][1][b.Index] {
			continue
		}
		x, y := m.Sides[0].Name(a), m.Sides[1].Name(b)
		if m.options.Positions || bare || x == y && x != "" || kept && (x == "" || y == "") {
			m.pair(a.Kind, a.Index, b.Kind, b.Index, ByPosition)
		}
	}
}

// keepPlaces reports whether each pair so far stands at the same place of both lists, or in
// neither. Otherwise one side has another order, as names or the map say.
func (m *matcher) keepPlaces(lists [2][]Element) bool {
	var places [2]map[Element]int
	for side, list := range lists {
		places[side] = make(map[Element]int, len(list))
		for i, e := range list {
			places[side][e] = i
		}
	}
	for _, pairs := range m.pairs {
		for _, p := range pairs {
			i, inA := places[0][p.A]
			j, inB := places[1][p.B]
			if inA != inB || i != j {
				return false
			}
		}
	}
	return true
}

// isBare reports whether no element of a list has a name.
func (m *matcher) isBare(side int, list []Element) bool {
	return !slices.ContainsFunc(list, func(e Element) bool { return m.Sides[side].Name(e) != "" })
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// needed returns the inputs or latches of a side that its outputs, properties and constraints
// depend on.
func (m *matcher) needed(side int, k Kind) (places []int) {
	s := &m.Sides[side]
	var roots []circuit.Lit
	for of := Output; of <= Fairness; of++ {
		for i := range m.taken[of][side] {
			if of == Justice {
				roots = append(roots, goals(s.Circuit.Justice()[i])...)
			} else {
				roots = append(roots, s.Lit(Element{Kind: of, Index: i}))
			}
		}
	}
	for _, c := range s.Circuit.Constraints() {
		roots = append(roots, c.Lit)
	}
	in := s.cone(roots)
	for i := range m.taken[k][side] {
		if in[s.Lit(Element{Kind: k, Index: i}).Var()] {
			places = append(places, i)
		}
	}
	return places
}

// acrossKinds matches outputs and bads without names where one side has all of them in one
// list: some programs write outputs and then bads as outputs, or outputs as bads.
func (m *matcher) acrossKinds() {
	var all [2][]Element
	var kinds [2]map[Kind]bool
	for side := range all {
		kinds[side] = map[Kind]bool{}
		for _, k := range []Kind{Output, Bad} {
			for i := range m.taken[k][side] {
				if k != Output || !at(m.Sides[side].Names.Hidden, i) {
					all[side] = append(all[side], Element{Kind: k, Index: i})
					kinds[side][k] = true
				}
			}
		}
	}
	if len(kinds[0]) < 2 || len(kinds[1]) < 2 {
		m.inPlace(all)
	}
}

// finish puts the pairs in order, takes justice properties apart and says what is left.
func (m *matcher) finish() {
	for k := range m.pairs {
		slices.SortFunc(m.pairs[k], func(x, y Pair) int { return x.A.Index - y.A.Index })
	}
	m.Inputs, m.Latches = m.pairs[Input], m.pairs[Latch]
	m.Observed = slices.Concat(m.pairs[Output], m.pairs[Bad])
	for _, p := range m.pairs[Justice] {
		a, b := goals(m.Sides[0].Circuit.Justice()[p.A.Index]), goals(m.Sides[1].Circuit.Justice()[p.B.Index])
		if len(a) != len(b) {
			m.taken[Justice][0][p.A.Index], m.taken[Justice][1][p.B.Index] = false, false
			continue
		}
		for i := range a {
			q := p
			q.A.Literal, q.B.Literal = i, i
			m.Observed = append(m.Observed, q)
		}
	}
	m.Observed = append(m.Observed, m.pairs[Fairness]...)
	for side := range m.Unmatched {
		for k := range m.taken {
			for i, taken := range m.taken[k][side] {
				e := Element{Kind: Kind(k), Index: i}
				switch {
				case taken:
				case Kind(k) == Bad && !slices.Contains(m.taken[Bad][1-side], false) && m.isObserved(side, e):
					m.Covered[side] = append(m.Covered[side], e)
				default:
					m.Unmatched[side] = append(m.Unmatched[side], e)
				}
			}
		}
	}
}

// isObserved reports whether the signal of a property, or its negation, is observed as an
// output.
func (m *matcher) isObserved(side int, e Element) bool {
	s := &m.Sides[side]
	return slices.ContainsFunc(m.Observed, func(p Pair) bool {
		same := p.On(side)
		return same.Kind == Output && s.Lit(same).Var() == s.Lit(e).Var()
	})
}

// On returns the element of a side, 0 or 1.
func (p Pair) On(side int) Element {
	if side == 0 {
		return p.A
	}
	return p.B
}

// NotCompared returns the elements of a side that would have to be observed and have no
// partner. With any of them the circuits are not equal, whatever else is found.
func (m *Matching) NotCompared(side int) (all []Element) {
	for _, e := range m.Unmatched[side] {
		if e.Kind != Input && e.Kind != Latch {
			all = append(all, e)
		}
	}
	return all
}

// HasConstraints reports whether some runs may not be allowed.
func (m *Matching) HasConstraints() bool {
	return len(m.Sides[0].Circuit.Constraints())+len(m.Sides[1].Circuit.Constraints()) > 0
}
