package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/ic3/inquiry"
	"aiglens/internal/source"
)

// ErrNoObstacle says that nothing is known of what a proof of a property would need.
var ErrNoObstacle = errors.New("nothing is known here about what stands in the way: that needs a check of a bad-state property " +
	"that ended without an answer in this session, after at least two steps")

// ErrTooLarge says that a circuit is too large to look for what stands in the way.
var ErrTooLarge = inquiry.ErrTooLarge

// Bounds of what an obstacle lists.
const (
	obstacleRows    = 200
	obstacleLatches = 8
	obstacleFacts   = 20
	obstacleGuesses = 5
	guessFacts      = 6
)

// guessEffort bounds the search for lemmas that might help: a second or two.
const guessEffort = 5_000_000

// obstacleOf writes what stands in the way of a proof of a property: a step, not known to be
// reachable, that the clauses of the unfinished run allow, the latches that these refer to most
// and the shape of the cone. The error is ErrNoObstacle, that of ctx, or says why there is no
// such step to show.
func obstacleOf(ctx context.Context, a Asked) (Answer, error) {
	d, p, r := a.Design, a.Property, a.Result
	if r == nil || r.Checked.Outcome() != cert.Unknown || !r.HasUnfinished() {
		return Answer{}, ErrNoObstacle
	}
	if err := d.Elaborate(ctx); err != nil {
		return Answer{}, err
	}
	c := d.Circuit()
	clauses := r.Unfinished(ctx, c, p.ID)
	if clauses == nil {
		return Answer{}, cmp.Or(ctx.Err(), ErrNoObstacle)
	}
	step, err := inquiry.FindObstacle(ctx, c, p.ID, clauses)
	if err != nil {
		return Answer{}, err
	}
	w := &obstacleWriter{d: d, c: c, p: p, source: sourceIn(d)}
	fmt.Fprintf(w, "%s is %s.\n\n", p.Name, r)
	if err := w.step(ctx, step, len(clauses)); err != nil {
		return Answer{}, err
	}
	if err := w.lemmas(ctx, clauses); err != nil {
		return Answer{}, err
	}
	if err := w.guesses(ctx, clauses); err != nil {
		return Answer{}, err
	}
	if err := w.cone(ctx); err != nil {
		return Answer{}, err
	}
	data := obstacleData{Text: w.String()}
	if step != nil {
		data.Reachable = "unknown"
		if state, ok := LemmaText(d, w.state); ok {
			data.State = state
		}
	}
	return Answer{Text: data.Text, Links: w.links, Data: data}, nil
}

// obstacleData is an obstacle for programs.
type obstacleData struct {
	Text  string `json:"text"`
	State string `json:"state,omitempty"` // the step begins where this expression holds; what excludes it is a lemma
	// Reachable says of the state whether a run gets there: that is unknown. It is empty where there is no step.
	Reachable string `json:"reachable,omitempty"`
}

// obstacleWriter writes the text of an obstacle and keeps where its signals stand.
type obstacleWriter struct {
	strings.Builder
	d      *design.Design
	c      *circuit.Circuit
	p      design.Property
	source func(circuit.Lit) design.SourceSignal
	links  []Link
	state  cert.Invariant // the latches of the state in which the step begins, a clause for each
}

// name writes what the text calls a latch or input.
func (w *obstacleWriter) name(s design.SourceSignal) {
	w.links = append(w.links, Link{source.Span{Start: w.Len(), Length: len(s.Name)}, s})
	w.WriteString(s.Name)
}

// step writes a counterexample to induction.
func (w *obstacleWriter) step(ctx context.Context, s *inquiry.Obstacle, clauses int) error {
	if s == nil {
		fmt.Fprintf(w, "No step leads from a state that the lemmas so far (%d) allow to one in which a\n"+
			"lemma or the property fails. Check again: the next check begins with them.\n", clauses)
		return nil
	}
	switch {
	case s.Clause != nil:
		fmt.Fprintf(w, "The lemmas so far (%d) exclude every step to a violation, but not every step to a\n"+
			"state that one of them excludes. This is such a step:\n", clauses)
	case s.Trace.Steps() == 1:
		fmt.Fprintf(w, "The lemmas so far (%d) allow a state in which %s fails:\n", clauses, w.p.Name)
	default:
		fmt.Fprintf(w, "The lemmas so far (%d) allow the state on the left, and a step from there leads to\n"+
			"one in which %s fails:\n", clauses, w.p.Name)
	}
	if err := w.table(ctx, s); err != nil {
		return err
	}
	w.WriteString("\nThis is a counterexample to induction, and not one of the property:\n" +
		"it is NOT KNOWN whether a run from reset gets there. Values that are not listed, and x,\n" +
		"do not matter. If no run reaches the state on the left, a lemma that excludes its values\n" +
		"brings the proof nearer.\n")
	if s.Clause != nil {
		w.WriteString("\nThe lemma that fails after it: ")
		w.fact(factsIn(w.d, facts.Facts{}).clause(s.Clause))
		w.WriteString("\n")
	}
	return nil
}

// row is a signal in the two states of a step.
type row struct {
	source design.SourceSignal
	values []circuit.Value
}

// table writes the values that matter.
func (w *obstacleWriter) table(ctx context.Context, s *inquiry.Obstacle) error {
	r, err := trace.New(ctx, s.Circuit, s.Trace)
	if err != nil {
		return err
	}
	valuesOf := func(l circuit.Lit, isNegated bool) []circuit.Value {
		values := make([]circuit.Value, s.Trace.Steps())
		for i := range values {
			if values[i] = r.Value(l, i); isNegated {
				values[i] = values[i].Not()
			}
		}
		return values
	}
	var latches, inputs []row
	for i, l := range s.Circuit.Latches() {
		if s.Trace.Initial[i] == circuit.X {
			continue
		}
		named := w.source(w.c.Latches()[i].Lit)
		w.state = append(w.state, []circuit.Lit{w.c.Latches()[i].Lit.NotIf(s.Trace.Initial[i] == circuit.Zero)})
		latches = append(latches, row{named, valuesOf(l.Lit, named.Negated)})
	}
	for i, in := range s.Circuit.Inputs() {
		if values := valuesOf(in.Lit, false); slices.ContainsFunc(values, func(v circuit.Value) bool { return v != circuit.X }) {
			inputs = append(inputs, row{w.source(w.c.Inputs()[i].Lit), values})
		}
	}
	width := utf8.RuneCountInString("signal")
	for _, row := range slices.Concat(latches, inputs) {
		width = max(width, utf8.RuneCountInString(row.source.Name))
	}
	width = min(width, 60)
	heads := [...]string{"before", "after"}
	fmt.Fprintf(w, "\n  %-*s  %s\n", width, "", strings.Join(heads[:s.Trace.Steps()], "  "))
	for _, group := range [...]struct {
		word string
		rows []row
	}{{"latch", latches}, {"input", inputs}} {
		for i, row := range group.rows {
			if i == obstacleRows {
				fmt.Fprintf(w, "  and %d more\n", len(group.rows)-i)
				break
			}
			w.WriteString("  ")
			w.name(row.source)
			w.WriteString(strings.Repeat(" ", max(0, width-utf8.RuneCountInString(row.source.Name))))
			for i, v := range row.values {
				fmt.Fprintf(w, "  %-*s", len(heads[i]), v)
			}
			fmt.Fprintf(w, "  %s\n", group.word)
		}
	}
	return nil
}

// fact writes a fact with its links.
func (w *obstacleWriter) fact(f Fact) {
	for _, part := range f.Parts {
		if part.Source != nil {
			w.links = append(w.links, Link{source.Span{Start: w.Len(), Length: len(part.Text)}, *part.Source})
		}
		w.WriteString(part.Text)
	}
}

// facts writes the first facts of a list, a line each.
func (w *obstacleWriter) facts(all []Fact, most int, indent string) {
	for _, fact := range all[:min(len(all), most)] {
		w.WriteString(indent)
		w.fact(fact)
		w.WriteString("\n")
	}
	if more := len(all) - most; more > 0 {
		fmt.Fprintf(w, "%sand %d more\n", indent, more)
	}
}

// lemmas writes which latches the clauses refer to most, and those that say most.
func (w *obstacleWriter) lemmas(ctx context.Context, clauses cert.Invariant) error {
	in := map[circuit.Var]int{}
	for _, clause := range clauses {
		for _, l := range clause {
			in[l.Var()]++
		}
	}
	latches := make([]circuit.Var, 0, len(in))
	for v := range in {
		latches = append(latches, v)
	}
	slices.SortFunc(latches, func(a, b circuit.Var) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
	w.WriteString("\nLatches in most of the lemmas\n")
	for _, v := range latches[:min(len(latches), obstacleLatches)] {
		w.WriteString("  ")
		w.name(w.source(v.Lit()))
		fmt.Fprintf(w, ", in %d\n", in[v])
	}
	f, err := facts.Of(ctx, clauses)
	if err != nil {
		return err
	}
	all := factsIn(w.d, f).All()
	// In how many is not known: a bounded search, of which the verdict tells, may have gone further
	// than the frame that they are from.
	from := ""
	if w.c.HasResetFunctions() {
		from = ", step 0 excepted,"
	}
	fmt.Fprintf(w, "\nThe lemmas, which hold in the first steps%s and need not later\n", from)
	w.facts(all, obstacleFacts, "  ")
	return nil
}

// guesses writes lemmas that might help.
func (w *obstacleWriter) guesses(ctx context.Context, clauses cert.Invariant) error {
	found, err := inquiry.Suggest(ctx, w.c, w.p.ID, inquiry.Known{Clauses: clauses}, inquiry.Terms{Effort: guessEffort})
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(s inquiry.Suggestion) bool { return !w.canName(s.Clauses) })
	if len(found) == 0 {
		return nil
	}
	w.WriteString("\nGuesses of lemmas, which random runs and a bounded search have not refuted. They are\n" +
		"not proved: a lemma of the text is proved first, and not used when it is wrong.\n")
	for i, s := range found[:min(len(found), obstacleGuesses)] {
		f, err := facts.Of(ctx, s.Clauses)
		if err != nil {
			return err
		}
		words := ""
		if s.Inductive {
			words = ", which are inductive together"
		}
		guessed := factsIn(w.d, f)
		guessed.Later = w.c.HasResetFunctions()
		all := guessed.All()
		fmt.Fprintf(w, "  guess %d%s\n", i+1, words)
		w.facts(all, guessFacts, "    ")
	}
	return nil
}

// canName reports whether the text has all signals of clauses.
func (w *obstacleWriter) canName(clauses cert.Invariant) bool {
	for _, clause := range clauses {
		for _, l := range clause {
			if _, ok := w.d.SourceOf(l); !ok && w.c.LatchIndex(l.Var()) < 0 {
				return false
			}
		}
	}
	return true
}

// cone writes how many latches the property depends on, by the least number of steps in
// which one of them can have an effect on it.
func (w *obstacleWriter) cone(ctx context.Context) error {
	cone, err := w.c.ConeContext(ctx, w.p.ID)
	if err != nil {
		return err
	}
	layers := layersOf(cone.Circuit)
	widest := 0
	words := make([]string, len(layers))
	for i, n := range layers {
		words[i] = fmt.Sprint(n)
		if n > layers[widest] {
			widest = i
		}
	}
	if len(layers) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nThe cone has %s and %s. Latches by the smallest number of steps in which they\n"+
		"reach the property, from 0 on: %s.", Count(len(cone.Circuit.Latches()), "latch", "latches"), Count(cone.Circuit.NumGates(), "gate", "gates"), strings.Join(words, ", "))
	if len(layers) > 1 {
		fmt.Fprintf(w, " It is widest at %d.", widest)
	}
	w.WriteString("\n")
	return nil
}

// layersOf counts the latches of a cone by the least number of steps in which one has an
// effect on the bad or a constraint.
func layersOf(c *circuit.Circuit) (layers []int) {
	seen := make([]bool, c.NumVars())
	var roots []circuit.Lit
	for _, s := range slices.Concat(c.Bads(), c.Constraints()) {
		roots = append(roots, s.Lit)
	}
	for len(roots) > 0 {
		var latches []circuit.Lit
		for len(roots) > 0 {
			v := roots[len(roots)-1].Var()
			roots = roots[:len(roots)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			if left, right, isGate := c.Operands(v); isGate {
				roots = append(roots, left, right)
			} else if i := c.LatchIndex(v); i >= 0 {
				latches = append(latches, c.Latches()[i].Next)
			}
		}
		if len(latches) > 0 {
			layers = append(layers, len(latches))
		}
		roots = latches
	}
	return layers
}
