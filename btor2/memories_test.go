package btor2_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// memories writes texts as people do: memories with ports, registers that keep what was read, shadows of one element, and
// questions about them.
type memories struct {
	*rand.Rand
	text                strings.Builder
	last                int
	index, width, array int // sorts, beside that of a bit, which is 1
	words               map[int][]int
	arrays              []int
}

func (m *memories) row(format string, args ...any) int {
	m.last++
	fmt.Fprintf(&m.text, "%d "+format+"\n", append([]any{m.last}, args...)...)
	return m.last
}

// word adds a row of a sort, which others can use.
func (m *memories) word(sort int, format string, args ...any) int {
	row := m.row(format, args...)
	m.words[sort] = append(m.words[sort], row)
	return row
}

// any returns a row of a sort, the last ones more often, and negates some.
func (m *memories) any(sort int) string {
	all := m.words[sort]
	if m.IntN(3) > 0 {
		all = all[len(all)/2:]
	}
	return m.maybe(all[m.IntN(len(all))])
}

func (m *memories) maybe(row int) string {
	if m.IntN(6) == 0 {
		return fmt.Sprintf("-%d", row)
	}
	return fmt.Sprint(row)
}

func (m *memories) anyArray() int { return m.arrays[m.IntN(len(m.arrays))] }

// bit adds a condition.
func (m *memories) bit() int {
	switch m.IntN(6) {
	case 0:
		return m.word(1, "eq 1 %s %s", m.any(m.index), m.any(m.index))
	case 1:
		return m.word(1, "ult 1 %s %s", m.any(m.width), m.any(m.width))
	case 2:
		return m.word(1, "and 1 %s %s", m.any(1), m.any(1))
	case 3:
		return m.word(1, "%s 1 %d %d", []string{"eq", "neq"}[m.IntN(2)], m.anyArray(), m.anyArray())
	case 4:
		return m.word(1, "redor 1 %s", m.any(m.width))
	}
	return m.word(1, "eq 1 %s %s", m.any(m.width), m.any(m.width))
}

func (m *memories) read() int {
	return m.word(m.width, "read %d %d %s", m.width, m.anyArray(), m.any(m.index))
}

// written adds an array that one is written to, one time or more, or another one in some case.
func (m *memories) written(array int) int {
	for range 1 + m.IntN(2) {
		index := m.any(m.index)
		next := m.row("write %d %d %s %s", m.array, array, index, m.any(m.width))
		switch m.IntN(5) {
		case 0:
			array = next
			continue
		case 1: // the same place again
			next = m.row("write %d %d %s %s", m.array, next, index, m.any(m.width))
		case 2:
			array = m.anyArray()
		}
		array = m.row("ite %d %s %d %d", m.array, m.any(1), next, array)
	}
	m.arrays = append(m.arrays, array)
	return array
}

func memoryText(seed uint64) string {
	m := &memories{Rand: rand.New(rand.NewPCG(seed, 12)), words: map[int][]int{}}
	m.row("sort bitvec 1")
	m.index = m.row("sort bitvec %d", 2+m.IntN(2))
	m.width = m.row("sort bitvec %d", 2+m.IntN(2))
	m.array = m.row("sort array %d %d", m.index, m.width)
	for _, sort := range []int{1, m.index, m.width} {
		m.word(sort, "zero %d", sort)
		m.word(sort, "one %d", sort)
		m.word(sort, "ones %d", sort)
		m.word(sort, "input %d", sort)
	}
	m.word(m.index, "input %d", m.index)
	var states [][2]int // with their sorts
	state := func(sort int) int {
		s := m.row("state %d", sort)
		states = append(states, [2]int{s, sort})
		if sort == m.array {
			m.arrays = append(m.arrays, s)
		} else {
			m.words[sort] = append(m.words[sort], s)
		}
		return s
	}
	constants := map[int]int{1: m.words[1][0], m.index: m.words[m.index][m.IntN(3)], m.width: m.words[m.width][m.IntN(3)]}
	constants[m.array] = constants[m.width]
	var late [][2]int
	begin := func(s, sort int) {
		switch m.IntN(4) {
		case 0:
		case 1:
			late = append(late, [2]int{s, sort})
		default:
			m.row("init %d %d %d", sort, s, constants[sort])
		}
	}
	for range 1 + m.IntN(2) {
		begin(state(m.array), m.array)
	}
	held := state(m.index) // one address that a shadow is of
	if m.IntN(2) == 0 {
		begin(held, m.index)
	}
	shadow := state(m.width)
	begin(shadow, m.width)
	for range m.IntN(3) {
		sort := []int{1, m.index, m.width}[m.IntN(3)]
		begin(state(sort), sort)
	}
	if m.IntN(6) == 0 {
		m.arrays = append(m.arrays, m.row("input %d", m.array))
	}
	for range 2 + m.IntN(6) {
		switch m.IntN(5) {
		case 0, 1:
			m.read()
		case 2:
			m.word(m.width, "ite %d %s %s %s", m.width, m.any(1), m.any(m.width), m.any(m.width))
		case 3:
			m.word(m.index, "inc %d %s", m.index, m.any(m.index))
		default:
			m.bit()
		}
	}
	address, data := m.any(m.index), m.any(m.width)
	port := m.row("write %d %d %s %s", m.array, m.arrays[0], address, data)
	for i, s := range states {
		if m.IntN(12) == 0 {
			continue
		}
		switch {
		case i == 0 && m.IntN(2) == 0: // a port that the shadow sees
			m.row("next %d %d %d", m.array, s[0], port)
		case s[1] == m.array && m.IntN(3) == 0:
			m.row("next %d %d %d", m.array, s[0], s[0])
		case s[1] == m.array:
			m.row("next %d %d %d", m.array, s[0], m.written(s[0]))
		case s[0] == held:
			m.row("next %d %d %d", m.index, held, held)
		case s[0] == shadow:
			here := m.row("eq 1 %s %d", address, held)
			m.row("next %d %d %d", m.width, shadow, m.row("ite %d %d %s %d", m.width, here, data, shadow))
		case s[1] == m.width && m.IntN(3) > 0: // what was read is kept
			m.row("next %d %d %d", m.width, s[0], m.row("ite %d %s %s %d", m.width, m.any(1), m.maybe(m.read()), s[0]))
		default:
			m.row("next %d %d %s", s[1], s[0], m.any(s[1]))
		}
	}
	for _, s := range late {
		sort := s[1]
		if sort == m.array {
			sort = m.width
		}
		m.row("init %d %d %d", s[1], s[0], m.row("one %d", sort))
	}
	for range m.IntN(3) {
		m.row("constraint %s", m.maybe(m.bit()))
	}
	seen := m.row("read %d %d %d", m.width, m.arrays[0], held)
	differs := m.row("neq 1 %d %d", seen, shadow)
	for range 1 + m.IntN(3) {
		bad := m.bit()
		if m.IntN(2) == 0 {
			bad = differs
		}
		for range m.IntN(3) {
			bad = m.row("and 1 %s %s", m.maybe(bad), m.maybe(m.bit()))
		}
		m.row("bad %s", m.maybe(bad))
	}
	if m.IntN(3) == 0 {
		m.row("justice 1 %s", m.maybe(m.bit()))
	}
	return m.text.String()
}

// TestAbstractionAgainstBits: memories have the same verdicts with no array as bits as with all, as far as there are any.
// With AIGLENS_LONG these are 20,000.
func TestAbstractionAgainstBits(t *testing.T) {
	counts := map[string]int{}
	check := func(c *circuit.Circuit, p circuit.Property) verify.Result {
		return verify.Run(t.Context(), verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto()}, nil)
	}
	for seed := range numTexts() {
		text := memoryText(seed)
		f, e := elaborate(t, text, btor2.Options{MaxArrayGates: -1})
		if d := f.Structural(); d != nil {
			t.Fatalf("seed %d: %v\n%s", seed, d, text)
		}
		_, whole := elaborate(t, text, btor2.Options{})
		for _, p := range e.Circuit.Properties() {
			if d := whole.Fault(p); d != nil {
				t.Fatalf("seed %d: %v\n%s", seed, d, text)
			}
			if !e.IsCheckedByAbstraction(p) {
				counts["plain"]++
				continue
			}
			got := check(e.Circuit, p)
			if got.Internal != nil {
				t.Errorf("seed %d: %s: %v\n%s", seed, p, got.Internal, text)
			}
			outcome := got.Checked.Outcome()
			kind := fmt.Sprint(p.Kind, " ", outcome)
			counts[kind]++
			if outcome == cert.Unknown {
				continue
			}
			if want := check(whole.Circuit, p).Checked.Outcome(); want != outcome {
				if want == cert.Unknown {
					counts["unknown as bits"]++
					continue
				}
				t.Fatalf("seed %d: %s is %v, and as bits %v\n%s", seed, p, outcome, want, text)
			}
			if outcome == cert.Refuted {
				checkCounterexample(t, seed, text, e, p, got.Checked)
			}
		}
	}
	t.Log(counts)
}
