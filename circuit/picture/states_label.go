package picture

import (
	"slices"
	"strconv"
	"strings"
)

// Bounds of labels.
const (
	shownParts  = 4  // names or vectors in a label; where a state needs more, all are labelled with digits
	shownDigits = 32 // where more latches change, states are labelled with their number
	namedDigits = 12 // latches that the legend of the digits names
)

// labels says how states are labelled: with the latches that are 1; where these are many, with
// vectors as numbers; else with the digits of the latches that change, which the legend
// explains.
func (g *StateGraph) labels(names, others []string, order []int) (label func(State) string, legend string) {
	for _, parts := range [][]part{partsOf(names, others, order, false), partsOf(names, others, order, true)} {
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

// part is what a label says of a latch, or of a vector of latches.
type part struct {
	name string
	bits []int // positions of the latches, the most significant first; one for a latch by itself
}

// partsOf returns the latches in order, with vectors those of one together where the first of
// it stands.
func partsOf(names, others []string, order []int, vectors bool) (parts []part) {
	at := map[string]int{} // by name
	for _, i := range order {
		at[names[i]] = i
	}
	inVector := make([]bool, len(names))
	for _, i := range order {
		if inVector[i] {
			continue
		}
		p := part{Shortened(names[i]), []int{i}}
		if base, open, end, ok := indexed(names[i]); vectors && ok {
			if bits := vector(at, base, open, end); slices.Contains(bits, i) {
				for _, bit := range bits {
					inVector[bit] = true
				}
				p = part{vectorName(base, open, end, len(bits), names, others), bits}
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// indexed splits q[3], q<3> and q3.
func indexed(name string) (base, open, end string, ok bool) {
	rest := name
	if n := len(name); n > 0 && (name[n-1] == ']' || name[n-1] == '>') {
		rest, end = name[:n-1], name[n-1:]
		open = map[string]string{"]": "[", ">": "<"}[end]
	}
	base = strings.TrimRight(rest, "0123456789")
	hasDigits := base != rest
	base, hasOpen := strings.CutSuffix(base, open)
	return base, open, end, hasDigits && hasOpen && base != ""
}

// vector returns the bits from index 0 on, the most significant first; nil for less than two.
func vector(at map[string]int, base, open, end string) (bits []int) {
	for index := 0; ; index++ {
		i, ok := at[base+open+strconv.Itoa(index)+end]
		if !ok {
			break
		}
		bits = append(bits, i)
	}
	if len(bits) < 2 || len(bits) > 64 {
		return nil
	}
	slices.Reverse(bits)
	return bits
}

// vectorName returns the name of the bits from 0 to n−1: q where the text has no others, else
// q[5:0], since the number is not that of q.
func vectorName(base, open, end string, n int, names, others []string) string {
	short := Shortened(base)
	isMore := func(name string) bool {
		b, o, e, ok := indexed(name)
		if !ok || b != base || o != open || e != end {
			return false
		}
		index, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, base+open), end))
		return err != nil || index >= n
	}
	switch {
	case !slices.ContainsFunc(names, isMore) && !slices.ContainsFunc(others, isMore):
		return short
	case open == "":
		return short + "0.." + short + strconv.Itoa(n-1)
	}
	return short + open + strconv.Itoa(n-1) + ":0" + end
}

// words returns what a label says of a part; "" of a latch that is 0.
func (p part) words(s State) string {
	if len(p.bits) == 1 {
		if s.Values[p.bits[0]] {
			return p.name
		}
		return ""
	}
	value := uint64(0)
	for _, i := range p.bits {
		value <<= 1
		if s.Values[i] {
			value |= 1
		}
	}
	return p.name + "=" + strconv.FormatUint(value, 10)
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
