package torture

import (
	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/explicit"
)

// truth is what is right for one circuit.
type truth struct {
	first    map[circuit.Property]int  // first step in which it can be violated, or explicit.NotViolated
	violated map[circuit.Property]bool // of each justice property
	vacuous  bool                      // no initial state meets the constraints
}

// state is a bit for each latch.
type state = uint32

// machine evaluates the numbers of an AIGER file. It shares nothing with package
// circuit, so that a fault of the reader is a difference, too: 64 inputs at a time,
// gates in any order, by variable.
type machine struct {
	m      *aiger.Model
	gates  map[uint32]syntax.And
	values map[uint32]uint64 // by variable
}

func newMachine(m *aiger.Model) *machine {
	x := &machine{m: m, gates: map[uint32]syntax.And{}}
	for _, g := range m.Ands {
		x.gates[g.LHS/2] = g
	}
	return x
}

// load sets the state, and the inputs to all values that they can have together.
func (x *machine) load(s state) (lanes int) {
	x.values = map[uint32]uint64{0: 0}
	for i, lit := range x.m.Inputs {
		var w uint64
		for lane := range 64 {
			w |= uint64(lane>>i&1) << lane
		}
		x.values[lit/2] = w
	}
	for i, l := range x.m.Latches {
		x.values[l.Lit/2] = -uint64(s >> i & 1)
	}
	return 1 << len(x.m.Inputs)
}

func (x *machine) value(lit uint32) uint64 {
	w, known := x.values[lit/2]
	if !known {
		g := x.gates[lit/2]
		w = x.value(g.RHS0) & x.value(g.RHS1)
		x.values[lit/2] = w
	}
	return w ^ -uint64(lit&1)
}

// allowed returns the lanes in which all constraints hold.
func (x *machine) allowed(lanes int) uint64 {
	w := ^uint64(0) >> (64 - lanes)
	for _, lit := range x.m.Constraints {
		w &= x.value(lit)
	}
	return w
}

// starts returns the lanes in which latches with a reset function equal it.
func (x *machine) starts() uint64 {
	w := ^uint64(0)
	for _, l := range x.m.Latches {
		if l.Reset > 1 {
			w &= ^(x.value(l.Lit) ^ x.value(l.Reset))
		}
	}
	return w
}

// initial returns the states that the constant resets allow.
func (x *machine) initial() []state {
	states := []state{0}
	for i, l := range x.m.Latches {
		switch l.Reset {
		case 0:
		case 1:
			for j := range states {
				states[j] |= 1 << i
			}
		default:
			for _, s := range states {
				states = append(states, s|1<<i)
			}
		}
	}
	return states
}

// bads returns the literals of the properties that can be checked: bads, or outputs
// where there is neither a bad nor a justice property.
func bads(m *aiger.Model) map[circuit.Property]uint32 {
	found := map[circuit.Property]uint32{}
	for i, lit := range m.Bads {
		found[circuit.Property{Kind: circuit.PropertyBad, Index: i}] = lit
	}
	if len(m.Bads)+len(m.Justice) == 0 {
		for i, lit := range m.Outputs {
			found[circuit.Property{Kind: circuit.PropertyOutput, Index: i}] = lit
		}
	}
	return found
}

// maxInputs is the number of inputs that one word has room for.
const maxInputs = 6

// search finds the truth about the numbers of a file by a search of all states.
func search(m *aiger.Model) truth {
	x := newMachine(m)
	t := truth{first: map[circuit.Property]int{}, violated: map[circuit.Property]bool{}, vacuous: true}
	moves := newMoves(m)
	for p := range bads(m) {
		t.first[p] = explicit.NotViolated
	}
	seen := map[state]bool{}
	frontier := x.initial()
	if !hasResetFunctions(m) { // else a state is a start under some inputs only
		for _, s := range frontier {
			seen[s] = true
		}
	}
	for step := 0; len(frontier) > 0; step++ {
		var next []state
		for _, s := range frontier {
			lanes := x.load(s)
			allowed := x.allowed(lanes)
			if step == 0 {
				allowed &= x.starts()
			}
			t.vacuous = t.vacuous && allowed == 0
			for p, lit := range bads(m) {
				if t.first[p] == explicit.NotViolated && x.value(lit)&allowed != 0 {
					t.first[p] = step
				}
			}
			for lane := range lanes {
				if allowed>>lane&1 == 0 {
					continue
				}
				var to state
				for i, l := range m.Latches {
					to |= state(x.value(l.Next)>>lane&1) << i
				}
				if step > 0 || !hasResetFunctions(m) {
					moves.add(x, lane, s, to)
				}
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		frontier = next
	}
	for i := range m.Justice {
		t.violated[circuit.Property{Kind: circuit.PropertyJustice, Index: i}] = moves.canGoOn(i)
	}
	return t
}

// moves are the steps from one reachable state to another. For each justice property they
// have the goals that are 1 in one of the steps between two states: a bit for each of its
// literals, then one for each fairness condition.
type moves struct {
	goals [][]uint32
	met   []map[[2]state]uint64
}

func newMoves(m *aiger.Model) *moves {
	all := &moves{}
	for _, lits := range m.Justice {
		all.goals = append(all.goals, append(append([]uint32(nil), lits...), m.Fairness...))
		all.met = append(all.met, map[[2]state]uint64{})
	}
	return all
}

// add adds the step of a lane.
func (all *moves) add(x *machine, lane int, from, to state) {
	for j, goals := range all.goals {
		met := all.met[j][[2]state{from, to}]
		for i, lit := range goals {
			met |= x.value(lit) >> lane & 1 << i
		}
		all.met[j][[2]state{from, to}] = met
	}
}

// canGoOn reports whether a run can go on for ever so that each goal of a justice property
// is 1 infinitely often: what is left of the states when those go, again and again, that do
// not lead over others to a step with some goal. Emerson and Lei, "Efficient Model Checking
// in Fragments of the Propositional Mu-Calculus" (LICS 1986).
func (all *moves) canGoOn(justice int) bool {
	left := map[state]bool{}
	for move := range all.met[justice] {
		left[move[0]], left[move[1]] = true, true
	}
	for {
		before := len(left)
		for i := range max(1, len(all.goals[justice])) {
			leads := map[state]bool{}
			for changed := true; changed; {
				changed = false
				for move, met := range all.met[justice] {
					from, to := move[0], move[1]
					isMet := len(all.goals[justice]) == 0 || met>>i&1 == 1
					if left[from] && left[to] && !leads[from] && (isMet || leads[to]) {
						leads[from], changed = true, true
					}
				}
			}
			left = leads
		}
		if len(left) == before {
			return before > 0
		}
	}
}
