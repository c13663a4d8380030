// Package classic holds the published variants of IC3 as engines of their own,
// so that the comparisons in the papers can be repeated:
//
//   - Bradley, "SAT-Based Model Checking without Unrolling" (VMCAI 2011), with
//     the options of its section 7;
//   - Pick, "A Model Checker Using IC3" (2016): five variants from the simplest
//     to the one with counterexamples to generalisation;
//   - the lecture notes "The IC3 symbolic model-checking algorithm": the
//     backward chain, clause by clause;
//   - Gurfinkel, "IC3, PDR, and Friends" (2015): the rules by their names;
//   - Awedh and Somenzi, "Automatic Invariant Strengthening to Prove Properties
//     in Bounded Model Checking" (DAC 2006), and the induction over simple paths
//     that it strengthens (Sheeran, Singh and Stålmarck, FMCAD 2000).
//
// They are made to be read beside their sources, not to be fast: package ic3 is
// the engine to use. All of them judge Mealy machines with constraints. The
// sources take the property for a formula over states; here a state is bad when
// the bad literal can become 1 in it now, under inputs that meet the
// constraints, so that bads and constraints are never primed.
//
// Notation: I initial states, C constraints, T transition relation; F_0 = I,
// F_1 … F_k the frames up to the frontier k, and F_{k+1}, which holds what is
// known to hold beyond it. Invariants between steps of every main loop: I ⇒ F_i;
// clauses(F_{i+1}) ⊆ clauses(F_i); F_i ∧ C ∧ T ⇒ F′_{i+1}; for i < k no state of
// F_i is bad.
//
// The package does no I/O, no logging and reads no clock: same circuit, same
// options, same run.
package classic

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// Variant names one of the published algorithms.
type Variant string

// The variants. The zero value is none of them.
const (
	Bradley             Variant = "bradley"                 // MIC with down
	BradleyUp           Variant = "bradley-up"              // MIC starts from what up finds
	BradleyImplicates   Variant = "bradley-implicates"      // prime implicates instead of inductive subclauses
	BradleyEquivalences Variant = "bradley-equivalences"    // and candidate equivalences of latches
	PickBasic           Variant = "basic"                   // whole states, literals dropped
	PickBetterCTI       Variant = "better-cti"              // and predecessors lifted
	PickBetterPropagate Variant = "better-propagation"      // and subsumed clauses removed
	PickPriorityQueue   Variant = "priority-queue"          // and obligations kept in a queue
	PickCTG             Variant = "ctg"                     // better-propagation with counterexamples to generalisation
	Clausewise          Variant = "clausewise"              // the lecture notes
	Gurfinkel           Variant = "gurfinkel"               // PDR as rules
	SimplePaths         Variant = "simple-paths"            // induction over simple paths
	InvariantStrengthen Variant = "invariant-strengthening" // Awedh and Somenzi
)

// Variants lists all variants in the order of their sources.
func Variants() []Variant {
	return []Variant{
		Bradley, BradleyUp, BradleyImplicates, BradleyEquivalences,
		PickBasic, PickBetterCTI, PickBetterPropagate, PickPriorityQueue, PickCTG,
		Clausewise, Gurfinkel, SimplePaths, InvariantStrengthen,
	}
}

// VariantNamed returns the variant of a name; the error lists those there are.
func VariantNamed(name string) (Variant, error) {
	var names []string
	for _, v := range Variants() {
		if string(v) == name {
			return v, nil
		}
		names = append(names, string(v))
	}
	return "", fmt.Errorf("there is no variant %q; choose %s", name, strings.Join(names, ", "))
}

// Options choose a variant.
type Options struct {
	Variant Variant
	// Solver makes the solvers; nil is sat.NewCore.
	Solver sat.Factory
	// Seed decides which literals Bradley's variants drop first, and the runs
	// from which candidate equivalences are taken. The others take no seed.
	Seed uint64
	// MaxGates bounds the paths that the last two variants unroll, about: the verdict is
	// unknown where a longer one is needed. 0 is no bound.
	MaxGates int
}

// Progress is how far a run has come.
type Progress struct {
	Depth       int // the frontier k
	Lemmas      int // clauses in all frames
	Obligations int // open proof obligations
}

// Stats counts what a run did: what Pick's checker prints, and some more.
type Stats struct {
	Frames        int
	Lemmas        int // in the frames at the end
	Learnt        int // lemmas ever learnt
	LemmaLiterals int // in all lemmas ever learnt
	CTIs          int // bad states and predecessors found
	CTGs          int // counterexamples to generalisation blocked
	Candidates    int // candidate invariants that hold in F_1 at least
	Bound         int // k of the bounded argument, for the variants that use one
	Useless       int // cubes shown to be on no shortest counterexample
	Solver        sat.Stats
	// Argument is the part of Solver up to the pass of a bounded argument; the rest makes
	// that an invariant. It is empty without a pass.
	Argument sat.Stats
}

// LiteralsPerClause is the mean size of the lemmas learnt.
func (s Stats) LiteralsPerClause() float64 {
	if s.Learnt == 0 {
		return 0
	}
	return float64(s.LemmaLiterals) / float64(s.Learnt)
}

// Rule is the name of a rule of Gurfinkel's.
type Rule string

// The rules of Gurfinkel 2015, section 2.
const (
	Unreachable Rule = "Unreachable" // F_{i+1} ⊆ F_i
	Reachable   Rule = "Reachable"   // (m, 0) ∈ Q
	Unfold      Rule = "Unfold"      // F_N ⇒ ¬bad: N grows
	Candidate   Rule = "Candidate"   // m ⇒ F_N ∧ bad: (m, N) joins Q
	Decide      Rule = "Decide"      // (m, i+1) ∈ Q has the predecessor m₀: (m₀, i) joins Q
	Conflict    Rule = "Conflict"    // φ blocks m: φ joins F_1 … F_{i+1}
	Leaf        Rule = "Leaf"        // (m, i) blocked: (m, i+1) joins Q
	Induction   Rule = "Induction"   // φ ∈ F_i holds one step on: φ joins F_{i+1}
)

// Event is one application of a rule. Cube holds the state cube that the rule
// refers to, the negation of φ for a clause φ; it is shared and must not be
// changed. Frame is the level of the cube, or N.
type Event struct {
	Rule  Rule
	Frame int
	Cube  []circuit.Lit
}

// Check decides whether bad 0 of c can become 1 under its constraints. It calls
// progress after every obligation and every frame, and trace for every rule
// applied, which only Gurfinkel does; both may be nil. An error is that of ctx
// or of an unknown variant; the verdict then still says the depth reached.
func Check(ctx context.Context, c *circuit.Circuit, o Options, progress func(Progress), trace func(Event)) (cert.Verdict, Stats, error) {
	run, ok := runs[o.Variant]
	if !ok {
		_, err := VariantNamed(string(o.Variant))
		return cert.Verdict{Reason: "no such variant"}, Stats{}, err
	}
	e := newEngine(ctx, c, o, progress, trace)
	v, err := run(e)
	switch {
	case errors.Is(err, errTooLarge):
		return cert.Verdict{Depth: e.k, Reason: errTooLarge.Error()}, e.finalStats(), nil
	case err != nil:
		v = cert.Verdict{Depth: e.k, Reason: "cancelled"}
	}
	return v, e.finalStats(), err
}

// runs holds the main function of each variant.
var runs = map[Variant]func(*engine) (cert.Verdict, error){
	Bradley:             func(e *engine) (cert.Verdict, error) { return newBradley(e, micDown).run() },
	BradleyUp:           func(e *engine) (cert.Verdict, error) { return newBradley(e, micUp).run() },
	BradleyImplicates:   func(e *engine) (cert.Verdict, error) { return newBradley(e, implicate).run() },
	BradleyEquivalences: func(e *engine) (cert.Verdict, error) { return newBradley(e, micDown).withEquivalences().run() },
	PickBasic:           func(e *engine) (cert.Verdict, error) { return (&pick{engine: e}).run() },
	PickBetterCTI:       func(e *engine) (cert.Verdict, error) { return (&pick{engine: e, lifts: true}).run() },
	PickBetterPropagate: func(e *engine) (cert.Verdict, error) { return (&pick{engine: e, lifts: true, subsumes: true}).run() },
	PickPriorityQueue: func(e *engine) (cert.Verdict, error) {
		return (&pick{engine: e, lifts: true, subsumes: true, queued: true}).run()
	},
	PickCTG: func(e *engine) (cert.Verdict, error) {
		return (&pick{engine: e, lifts: true, subsumes: true, maxCTGs: pickCTGs}).run()
	},
	Clausewise:          func(e *engine) (cert.Verdict, error) { return (&clausewise{engine: e}).run() },
	Gurfinkel:           func(e *engine) (cert.Verdict, error) { return (&pdr{engine: e}).run() },
	SimplePaths:         func(e *engine) (cert.Verdict, error) { return (&bounded{engine: e}).run() },
	InvariantStrengthen: func(e *engine) (cert.Verdict, error) { return (&bounded{engine: e, strengthens: true}).run() },
}
