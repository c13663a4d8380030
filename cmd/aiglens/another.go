package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/ic3/verify"
)

// anotherFlags are the flags of another.
type anotherFlags struct {
	files    readFlags
	which    questionFlags
	limits   verify.Limits
	count    int
	shortest bool
	format   string
}

// anotherRuns finds several counterexamples of a property, or the shortest.
func anotherRuns(ctx context.Context, e env, args []string) int {
	var f anotherFlags
	f.limits.Wall = verify.DefaultWall
	return f.which.ask(ctx, e, "another", args, &f.files, &f.format, func(fs *flag.FlagSet) {
		fs.Var((*duration)(&f.limits.Wall), "timeout", "wall `time` for each counterexample; 0 is no limit")
		fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for each counterexample; 0 is no limit")
		fs.IntVar(&f.count, "count", 3, fmt.Sprintf("largest number of counterexamples, 1 to %d", answers.MostRuns))
		fs.BoolVar(&f.shortest, "shortest", false, "find the shortest one instead, and prove that none is shorter")
	}, func(ctx context.Context, q *propertyQuestion) int { return q.another(ctx, &f) })
}

// jsonRun is a line of another --format json.
type jsonRun struct {
	Type    string     `json:"type"` // counterexample, none or unknown
	File    string     `json:"file"`
	Name    string     `json:"property"`
	Number  int        `json:"number"`            // from 1
	Steps   int        `json:"steps"`             // of a counterexample
	Run     []jsonRow  `json:"run,omitempty"`     // the latches that matter
	Inputs  []jsonRow  `json:"inputs,omitempty"`  // and the inputs
	Words   []jsonWord `json:"words,omitempty"`   // the words that these are bits of
	Witness string     `json:"witness,omitempty"` // as replay reads it, where its format has a letter for the property
	Bound   int        `json:"bound"`             // with --shortest: steps in which a search found no violation
	Proved  bool       `json:"proved"`            // a certificate says so: that none is shorter, or that there is none more
	Reason  string     `json:"reason"`            // of unknown
	Seconds float64    `json:"seconds"`
	Version string     `json:"version"`
}

// another checks the property, and finds more counterexamples.
func (q *propertyQuestion) another(ctx context.Context, f *anotherFlags) int {
	if f.count < 1 || f.count > answers.MostRuns {
		return problem(q.e, "--count %d: expected 1 to %d", f.count, answers.MostRuns)
	}
	first := q.check(ctx, f.limits, nil)
	if first.Checked.Outcome() != cert.Refuted {
		if !q.isJSON {
			fmt.Fprintf(plainWriter{q.e.stdout}, "%s: %s: %s\n", q.file.URI, q.name(), first.Words(q.property.Kind))
		} else {
			q.noMore(0, &answers.KnownRun{Result: first})
		}
		return q.exitCode(first.Checked.Outcome())
	}
	live := newProgressLine(q.e)
	asked, known := q.question(f.limits, live), []answers.KnownRun{{Result: first}}
	if f.shortest {
		all, at, err := answers.FindShortest(ctx, asked, known)
		live.clear()
		q.internal(all[at].Result)
		if s := all[at].Shortest; s != nil && s.Proof != nil {
			q.internal(*s.Proof)
		}
		// What was found until the end of ctx is a counterexample all the same.
		code, _ := q.tell(context.WithoutCancel(ctx), 1, &all[at])
		if err != nil {
			return problem(q.e, "%s: %v", q.file.URI, err)
		}
		return code
	}
	code, ok := q.tell(ctx, 1, &known[0])
	for ok && len(known) < f.count {
		r, err := answers.FindAnother(ctx, asked, known)
		live.clear()
		q.internal(r.Result)
		if err != nil {
			return problem(q.e, "%s: %v", q.file.URI, err)
		}
		if !r.IsRun() {
			q.noMore(len(known), &r)
			break
		}
		known = append(known, r)
		code, ok = q.tell(ctx, len(known), &r)
	}
	return code
}

// check checks the property with what is known of its circuit, and shows how far it is.
func (q *propertyQuestion) check(ctx context.Context, limits verify.Limits, known *verify.Common) verify.Result {
	live := newProgressLine(q.e)
	r := verify.Run(ctx, verify.Job{Circuit: q.file.Circuit(), Property: q.property, Engine: engineOf(q.flags.engine), Limits: limits, Common: known}, func(p verify.Progress) {
		live.write(func() statusLine {
			return statusLine{"", q.file.URI, fmt.Sprintf(": %s: depth %d · %s · bound %d", q.name(), p.Depth, answers.Count(p.Lemmas, "lemma", "lemmas"), p.Bound)}
		})
	})
	live.clear()
	q.internal(r)
	return r
}

// internal reports a fault of the program itself.
func (q *propertyQuestion) internal(r verify.Result) {
	if r.Internal != nil {
		fmt.Fprintf(q.e.stderr, "aiglens: internal error on %s, please report it: %v\n", q.file.URI, r.Internal)
	}
}

// noMore says that no further counterexample was found, or is.
func (q *propertyQuestion) noMore(known int, r *answers.KnownRun) {
	if !q.isJSON {
		q.say(r.Words)
		return
	}
	isProved := r.Result.Checked.Outcome() == cert.Proved
	printLine(q.e.stdout, jsonRun{Type: map[bool]string{true: "none", false: "unknown"}[isProved], File: q.file.URI, Name: q.name(), Number: known + 1,
		Proved: isProved, Reason: r.Result.Checked.Reason(), Seconds: r.Result.Elapsed.Seconds(), Version: versionText()})
}

// exitCode is that of check for an outcome: a cover that is reached is right, and a lemma that
// is refuted fails nothing.
func (q *propertyQuestion) exitCode(o cert.Outcome) int {
	return exitCode(exitOK, map[verify.Standing]bool{verify.StandingOf(q.property.Kind, o): true})
}

// tell writes a counterexample, or a run that reaches a cover. ok is false when there is none
// that can be written.
func (q *propertyQuestion) tell(ctx context.Context, number int, r *answers.KnownRun) (code int, ok bool) {
	matters, err := q.matters(ctx, r.Result.Checked.Trace())
	if err != nil {
		return problem(q.e, "%s: %v", q.file.URI, err), false
	}
	steps := r.Result.Checked.Trace().Steps()
	if q.isJSON {
		rows, err := matters.inWords(ctx, q.file, slices.Concat(matters.inputs, matters.latches))
		if err != nil {
			return problem(q.e, "%s: %v", q.file.URI, err), false
		}
		line := jsonRun{Type: "counterexample", File: q.file.URI, Name: q.name(), Number: number, Steps: steps,
			Run: matters.rows(q.file, matters.latches), Inputs: matters.rows(q.file, matters.inputs), Words: jsonWords(rows), Seconds: r.Result.Elapsed.Seconds(), Version: versionText()}
		if witness, err := runs.AppendWitness(ctx, nil, q.file, q.property, r.Result.Checked); err == nil {
			line.Witness = string(witness)
		}
		if s := r.Shortest; s != nil {
			line.Bound, line.Proved = s.Bound, s.Proof != nil
		}
		printLine(q.e.stdout, line)
		return q.exitCode(cert.Refuted), true
	}
	w := plainWriter{q.e.stdout}
	words := ""
	if r.Shortest != nil {
		words = " · " + r.Words
	}
	found := fmt.Sprintf("counterexample %d: fails in step", number)
	if q.property.Kind == circuit.PropertyCover {
		found = fmt.Sprintf("run %d: reached at step", number)
	}
	fmt.Fprintf(w, "%s: %s: %s %d%s\n", q.file.URI, q.name(), found, steps-1, words)
	rows, err := matters.inWords(ctx, q.file, matters.latches)
	if err != nil {
		return problem(q.e, "%s: %v", q.file.URI, err), false
	}
	writeRows(w, rows)
	return q.exitCode(cert.Refuted), true
}

// mattering are the latches and inputs that have a part in a counterexample.
type mattering struct {
	run             *trace.Replay
	latches, inputs []part
}

// part is the part that a signal has in a counterexample.
type part struct {
	lit   circuit.Lit
	name  string // as people read it
	bit   string // as the bit of a word goes by
	steps []bool // in which it has one
}

// matters returns what has a part in a counterexample.
func (q *propertyQuestion) matters(ctx context.Context, t cert.Trace) (m mattering, err error) {
	c := q.file.Circuit()
	if m.run, err = trace.New(ctx, c, t); err != nil {
		return m, err
	}
	bad, _ := c.Bad(q.property)
	support, err := m.run.Support(ctx, trace.Event{Lit: bad, Step: t.Steps() - 1})
	if err != nil {
		return m, err
	}
	names, err := answers.LatchNames(ctx, q.file)
	if err != nil {
		return m, err
	}
	for _, l := range support.Latches {
		_, found, _ := design.FlipFlop(q.file, l.Index)
		p := part{c.Latches()[l.Index].Lit, names[l.Index], found.Name, make([]bool, t.Steps())}
		for step := l.First; step <= l.Last; step++ {
			p.steps[step] = true
		}
		m.latches = append(m.latches, p)
	}
	called, at := elementNames(q.file), map[circuit.Lit]int{} // its place in m.inputs
	for _, leaf := range support.Leaves {
		if i := c.InputIndex(leaf.Lit.Var()); i < 0 || i >= q.file.NumInputs() {
			continue
		}
		i, has := at[leaf.Lit]
		if !has {
			i, at[leaf.Lit] = len(m.inputs), len(m.inputs)
			m.inputs = append(m.inputs, part{leaf.Lit, called(leaf.Lit), signalName(q.file, leaf.Lit.Var()), make([]bool, t.Steps())})
		}
		m.inputs[i].steps[leaf.Step] = true
	}
	return m, nil
}

// rows returns the values of signals over the steps, for programs: x where one has no part.
func (m mattering) rows(d *design.Design, parts []part) (rows []jsonRow) {
	for _, p := range parts {
		rows = append(rows, jsonRowOf(d, p.lit, p.name, strings.Join(m.values(p), "")))
	}
	return rows
}

// values returns what a signal is in each step.
func (m mattering) values(p part) (all []string) {
	for step, has := range p.steps {
		v := circuit.X
		if has {
			v = m.run.Value(p.lit, step)
		}
		all = append(all, v.String())
	}
	return all
}

// textRow is a signal or word over the steps of a run.
type textRow struct {
	name   string
	values []string // of each step
	isWord bool
}

// inWords returns the rows for people: a word stands where the first of its bits would, with the
// value that it has as long as one of them has a part.
func (m mattering) inWords(ctx context.Context, d *design.Design, parts []part) (rows []textRow, err error) {
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	at := map[*design.Word]int{} // its row
	for _, p := range parts {
		place, ok := runs.WordOf(known, p.bit, p.lit)
		if !ok {
			rows = append(rows, textRow{p.name, m.values(p), false})
			continue
		}
		word := place.Word
		row, has := at[word]
		if !has {
			row = len(rows)
			at[word] = row
			rows = append(rows, textRow{word.Name, slices.Repeat([]string{circuit.X.String()}, m.run.Steps()), true})
		}
		for step, has := range p.steps {
			if has {
				value := words.Value(word, func(bit circuit.Lit) circuit.Value { return m.run.Value(bit, step) })
				rows[row].values[step] = words.Text(word, value)
			}
		}
	}
	return rows, ctx.Err()
}

// jsonWord is a word over the steps of a run.
type jsonWord struct {
	Word   string   `json:"word"`
	Values []string `json:"values"` // for each step as people read it; x where no bit has a part
}

// jsonWords returns the words among some rows.
func jsonWords(rows []textRow) (all []jsonWord) {
	for _, r := range rows {
		if r.isWord {
			all = append(all, jsonWord{r.name, r.values})
		}
	}
	return all
}

// writeRows writes rows below each other. With a word among them the steps are columns.
func writeRows(w io.Writer, rows []textRow) {
	isInColumns := slices.ContainsFunc(rows, func(r textRow) bool { return r.isWord })
	width, widths := 0, map[int]int{}
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r.name))
		for step, value := range r.values {
			widths[step] = max(widths[step], utf8.RuneCountInString(value))
		}
	}
	for _, r := range rows {
		fmt.Fprintf(w, "  %-*s ", width, r.name)
		if !isInColumns {
			fmt.Fprintf(w, " %s\n", strings.Join(r.values, ""))
			continue
		}
		for step, value := range r.values {
			fmt.Fprintf(w, " %*s", widths[step], value)
		}
		fmt.Fprintln(w)
	}
}
