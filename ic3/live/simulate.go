package live

import (
	"math/bits"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Bounds of the simulation.
const (
	simulationEffort = 1_000_000
	simulationShare  = 32      // variables of a step, with 64 lanes, that count as one effort
	prefixes         = 9       // 0, 1, 2, 4, … steps with inputs of their own
	periods          = 6       // 1, 2, 4, … steps after which inputs come again
	maxPeriods       = 1 << 10 // of a run
	redraws          = 32      // of inputs that a constraint forbids
	stepsAtOnce      = 16      // computed between two looks at whose turn it is
)

// simulation looks for lassos among runs whose inputs come again in turns. With them the
// circuit becomes periodic by itself, and that is the loop. It takes 64 runs at once, and
// finds long lassos of large circuits, but hardly any that need cunning.
type simulation struct {
	r      *circuit.Repetition
	sim    *circuit.Parallel
	rng    *rand.Rand
	turn   func(effort int64) error
	effort int64
	steps  int // computed so far
}

// simulate returns a lasso, or nil when it has found none within its effort. It calls
// turn with what it has spent. The error is that of turn.
func simulate(r *circuit.Repetition, turn func(effort int64) error) (*cert.Lasso, error) {
	s := &simulation{r: r, sim: circuit.NewParallel(r.Circuit), rng: rand.New(rand.NewPCG(5, 0)), turn: turn}
	for n := 0; s.effort < simulationEffort; n++ {
		if found, err := s.run(n); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// run simulates 64 runs. Each number stands for a prefix, a period and how rare 1 is.
func (s *simulation) run(n int) (*cert.Lasso, error) {
	prefix, period := 1<<(n%prefixes)>>1, 1<<(n/prefixes%periods)
	inputs := make([][]uint64, prefix+period)
	for i := range inputs {
		inputs[i] = s.randomInputs(n)
	}
	first := s.initial()
	lanes, rounds := ^uint64(0), uint64(0) // still allowed; with the end of a round since saved
	saved, loop := make([]uint64, len(first)), -1
	for step := 0; step < prefix+maxPeriods*period && lanes != 0; step++ {
		in := step
		if step >= prefix {
			in = prefix + (step-prefix)%period
		}
		if in == prefix {
			if closed := s.equal(saved) & lanes & rounds; loop >= 0 && closed != 0 {
				return laneOf(first, inputs, prefix, loop, step, bits.TrailingZeros64(closed)), nil
			}
			if k := (step - prefix) / period; k&(k-1) == 0 { // Brent's search for a cycle
				s.save(saved)
				loop, rounds = step, 0
			}
		}
		allowed, err := s.eval(inputs[in], step < len(inputs), lanes, n)
		if err != nil {
			return nil, err
		}
		lanes &= allowed
		rounds |= s.sim.Value(s.r.Round())
		s.sim.Advance()
	}
	return nil, nil
}

// eval computes a step, and returns the lanes in which the constraints hold. Inputs that
// are used for the first time are drawn again where they do not. The error is that of turn.
func (s *simulation) eval(inputs []uint64, isNew bool, lanes uint64, n int) (allowed uint64, err error) {
	for draw := 0; ; draw++ {
		if s.steps++; s.steps%stepsAtOnce == 1 {
			if err := s.turn(s.effort); err != nil {
				return 0, err
			}
		}
		s.sim.Eval(inputs)
		s.effort += int64(s.r.Circuit.NumVars()/simulationShare) + 1
		allowed = ^uint64(0)
		for _, x := range s.r.Circuit.Constraints() {
			allowed &= s.sim.Value(x.Lit)
		}
		if lanes&^allowed == 0 || !isNew || draw == redraws {
			return allowed, nil
		}
		for i, w := range s.randomInputs(n) {
			inputs[i] = inputs[i]&allowed | w&^allowed
		}
	}
}

// randomInputs returns 64 vectors for a step.
func (s *simulation) randomInputs(n int) []uint64 {
	in := make([]uint64, len(s.r.Circuit.Inputs()))
	for i := range in {
		in[i] = s.rng.Uint64()
		for range n % 3 {
			in[i] &= s.rng.Uint64()
		}
		if n%2 == 1 {
			in[i] = ^in[i]
		}
	}
	return in
}

// initial brings the simulation to the beginning, and returns the state there.
func (s *simulation) initial() []uint64 {
	s.sim.Reset(func(int) uint64 { return s.rng.Uint64() })
	state := make([]uint64, len(s.r.Circuit.Latches()))
	s.save(state)
	return state
}

func (s *simulation) save(state []uint64) {
	for i, l := range s.r.Circuit.Latches() {
		state[i] = s.sim.Value(l.Lit)
	}
}

// equal returns the lanes whose state is the saved one.
func (s *simulation) equal(saved []uint64) uint64 {
	same := ^uint64(0)
	for i, l := range s.r.Circuit.Latches() {
		if same &^= saved[i] ^ s.sim.Value(l.Lit); same == 0 {
			break
		}
	}
	return same
}

// laneOf returns one lane as a lasso, with the loop from a step to the end. The last of the inputs,
// from one on, come again and again.
func laneOf(first []uint64, inputs [][]uint64, again, loop, steps, lane int) *cert.Lasso {
	l := &cert.Lasso{Trace: cert.Trace{Initial: valuesOf(first, lane)}, Loop: loop}
	for step := range steps {
		if step >= again {
			step = again + (step-again)%(len(inputs)-again)
		}
		l.Inputs = append(l.Inputs, valuesOf(inputs[step], lane))
	}
	return l
}

func valuesOf(words []uint64, lane int) []circuit.Value {
	values := make([]circuit.Value, len(words))
	for i, w := range words {
		values[i] = circuit.ValueOf(w>>lane&1 == 1)
	}
	return values
}
