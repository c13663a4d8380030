package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design/answers"
	"aiglens/design/comparison"
	"aiglens/ic3/equiv"
	"aiglens/internal/wave"
)

// equivPrinter writes a comparison in one output format.
type equivPrinter interface {
	matching() // what is compared, and what is not
	report(ctx context.Context) error
}

var equivFormats = map[string]func(*comparing) equivPrinter{
	"text": func(c *comparing) equivPrinter { return equivText{c, plainWriter{c.e.stdout}} },
	"json": func(c *comparing) equivPrinter { return equivJSON{c} },
}

// maxPairs bounds the pairs that are listed one by one where they are equal.
const maxPairs = 25

type equivText struct {
	*comparing
	w io.Writer
}

func (p equivText) matching() {
	m := p.comparing.matching
	for side, n := range p.files {
		var rest []compare.Element
		for _, e := range m.Unmatched[side] {
			if e.Kind != compare.Latch || m.Sides[side].Circuit.Latches()[e.Index].IsFree() {
				rest = append(rest, e)
			}
		}
		if len(rest) > 0 {
			fmt.Fprintf(p.w, "%s: without a partner: %s\n", n.URI, p.labels(side, rest))
		}
		if len(m.Covered[side]) > 0 {
			fmt.Fprintf(p.w, "%s: compared as an output: %s\n", n.URI, p.labels(side, m.Covered[side]))
		}
	}
	fmt.Fprintf(p.w, "matched: %s, %s, %s\n", counted(m.Inputs, "input", "inputs"), counted(m.Observed, "output or property", "outputs and properties"), counted(m.Latches, "latch", "latches"))
	if p.flags.startEqual {
		fmt.Fprintln(p.w, "assumed: latches that are matched start equal")
	}
}

// counted says how many pairs there are, and by what they were matched.
func counted(pairs []compare.Pair, one, many string) string {
	by := map[compare.How]int{}
	for _, p := range pairs {
		by[p.How]++
	}
	var parts []string
	for _, how := range []compare.How{compare.ByMap, compare.ByName, compare.ByRespelling, compare.ByPosition} {
		if by[how] > 0 {
			parts = append(parts, fmt.Sprintf("%d by %s", by[how], how))
		}
	}
	if len(parts) == 0 {
		return "no " + many
	}
	return fmt.Sprintf("%s (%s)", answers.Count(len(pairs), one, many), strings.Join(parts, ", "))
}

func (p equivText) report(ctx context.Context) error {
	r := p.comparing.report
	m := p.comparing.matching
	if r.Runs != nil {
		fmt.Fprintf(p.w, "constraints: %s\n", p.says(*r.Runs))
	}
	equal := 0
	for i, a := range r.Pairs {
		if a.Verdict == equiv.Equal && len(r.Pairs) > maxPairs {
			equal++
			continue
		}
		fmt.Fprintf(p.w, "%s: %s\n", p.sides().PairLabel(m.Observed[i]), p.says(a))
	}
	if equal > 0 {
		fmt.Fprintf(p.w, "equal: %s\n", answers.Count(equal, "output or property", "outputs and properties"))
	}
	if d := comparison.FirstDifference(p.comparing.report); d != nil {
		if err := p.show(ctx, d); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.w, "%s, %s: %s · %.2f s\n", p.files[0].URI, p.files[1].URI, comparison.Message(r), r.Elapsed.Seconds())
	return nil
}

// says puts an answer into words.
func (p equivText) says(a equiv.Answer) string {
	d := a.Difference
	switch {
	case a.Verdict == equiv.Unknown:
		return "unknown: " + a.Reason
	case a.Verdict == equiv.Equal:
		return "equal"
	case d.Pair < 0:
		return fmt.Sprintf("different at step %d: %s allows it, %s does not", d.Step, p.files[allowing(d)].URI, p.files[1-allowing(d)].URI)
	}
	return fmt.Sprintf("different at step %d: %s in %s, %s in %s", d.Step, d.Values[0], p.files[0].URI, d.Values[1], p.files[1].URI)
}

// allowing returns the side that allows a step which the other forbids.
func allowing(d *compare.Difference) int {
	if d.Values[0] == circuit.One {
		return 0
	}
	return 1
}

// show writes a difference as a table: the inputs that matter, and what differs on the way
// from them, on both sides.
func (p equivText) show(ctx context.Context, d *compare.Difference) error {
	w, err := p.sides().ShortWave(ctx, d, p.trails)
	if err != nil {
		return err
	}
	_, err = p.w.Write(append(w.AppendMarkdown([]byte("\n"), wave.DefaultColumns), '\n'))
	return err
}

type equivJSON struct{ *comparing }

// jsonMatching is the first line of equiv --format json.
type jsonMatching struct {
	Type     string           `json:"type"` // matching
	Files    [2]string        `json:"files"`
	Inputs   int              `json:"inputs"` // pairs
	Latches  int              `json:"latches"`
	Observed int              `json:"observed"`
	Alone    [2][]jsonElement `json:"alone"`   // by file: what has no partner
	Covered  [2][]jsonElement `json:"covered"` // properties whose signal is compared as an output
}

type jsonElement struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	Name  string `json:"name"`
}

// jsonPair is the line of a pair, or of the constraints.
type jsonPair struct {
	Type    string       `json:"type"` // pair, or constraints
	A       *jsonElement `json:"a,omitempty"`
	B       *jsonElement `json:"b,omitempty"`
	Literal int          `json:"literal,omitempty"` // of a justice property
	Negated bool         `json:"negated,omitempty"` // equal are opposite values
	Matched string       `json:"matched,omitempty"` // by name, respelled name, position or map
	Verdict string       `json:"verdict"`           // equal, different or unknown
	Reason  string       `json:"reason,omitempty"`
	Engine  string       `json:"engine"`
	Depth   int          `json:"depth"`
	Step    *int         `json:"step,omitempty"`   // at which they differ
	Values  []string     `json:"values,omitempty"` // in either file; of constraints 1 where the step is allowed
	Trail   []jsonChange `json:"trail,omitempty"`  // what differs first, on the way from the inputs
	Seconds float64      `json:"seconds"`
}

type jsonChange struct {
	Name   string    `json:"name"`
	Step   int       `json:"step"`
	Values [2]string `json:"values"`
}

// jsonResult is the last line.
type jsonResult struct {
	Type    string  `json:"type"` // result
	Verdict string  `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	Vacuous bool    `json:"vacuous"`
	Merged  int     `json:"merged"` // pairs of latches that were shown to be equal on the way
	Seconds float64 `json:"seconds"`
	Options string  `json:"options"`
	Version string  `json:"version"`
}

func (p equivJSON) element(side int, e compare.Element) jsonElement {
	return jsonElement{e.Kind.String(), e.Index, p.comparing.matching.Sides[side].Name(e)}
}

func (p equivJSON) matching() {
	m := p.comparing.matching
	line := jsonMatching{Type: "matching", Inputs: len(m.Inputs), Latches: len(m.Latches), Observed: len(m.Observed)}
	for side, n := range p.files {
		line.Files[side] = n.URI
		line.Alone[side], line.Covered[side] = []jsonElement{}, []jsonElement{}
		for _, e := range m.Unmatched[side] {
			line.Alone[side] = append(line.Alone[side], p.element(side, e))
		}
		for _, e := range m.Covered[side] {
			line.Covered[side] = append(line.Covered[side], p.element(side, e))
		}
	}
	printLine(p.e.stdout, line)
}

func (p equivJSON) report(ctx context.Context) error {
	r := p.comparing.report
	if r.Runs != nil {
		if err := p.line(ctx, jsonPair{Type: "constraints"}, *r.Runs); err != nil {
			return err
		}
	}
	for i, a := range r.Pairs {
		pair := p.comparing.matching.Observed[i]
		x, y := p.element(0, pair.A), p.element(1, pair.B)
		if err := p.line(ctx, jsonPair{Type: "pair", A: &x, B: &y, Literal: pair.A.Literal, Negated: pair.Negated, Matched: pair.How.String()}, a); err != nil {
			return err
		}
	}
	verdict, reason := r.Verdict()
	options := fmt.Sprintf("engine=%s solver=%s timeout=%s cpu=%s memory=%d", p.flags.engine.Engine, p.flags.engine.Solver, p.flags.limits.Wall, p.flags.limits.CPU, p.flags.limits.Memory)
	for name, on := range map[string]bool{" combinational": p.flags.combinational, " assume-equal-latches": p.flags.startEqual, " by-position": p.flags.positions} {
		if on {
			options += name
		}
	}
	if p.flags.bound > 0 {
		options += fmt.Sprintf(" bound=%d", p.flags.bound)
	}
	printLine(p.e.stdout, jsonResult{"result", verdict.String(), reason, r.Vacuous, r.Merged, r.Elapsed.Seconds(), options, versionText()})
	return nil
}

// line prints the line of an answer.
func (p equivJSON) line(ctx context.Context, line jsonPair, a equiv.Answer) error {
	line.Verdict, line.Reason, line.Engine, line.Depth, line.Seconds = a.Verdict.String(), a.Reason, a.Engine, a.Depth, a.Elapsed.Seconds()
	if d := a.Difference; d != nil {
		line.Step, line.Values = &d.Step, []string{d.Values[0].String(), d.Values[1].String()}
		changes, err := p.trails.Of(ctx, d)
		if err != nil {
			return err
		}
		for _, c := range changes {
			line.Trail = append(line.Trail, jsonChange{c.Name, c.Step, [2]string{c.Values[0].String(), c.Values[1].String()}})
		}
	}
	printLine(p.e.stdout, line)
	return nil
}
