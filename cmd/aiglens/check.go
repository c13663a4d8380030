package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/design/runs"
	"aiglens/design/verilogdesign"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// Exit codes of check.
const (
	exitRefuted = 1
	exitUnknown = 3
)

// answer is what is known of one property of one file.
type answer struct {
	in       *design.Design
	rank     int              // of the file among those of the command
	export   string           // what files about it are called; "" for the name of the file
	circuit  *circuit.Circuit // that of the file; empty where notBuilt, and of clauses
	property circuit.Property
	query    *queried // of Horn clauses; nil for a property of a circuit
	// fault is the error that forbade a check; result is then empty.
	fault *source.Diagnostic
	// notBuilt says that a limit was exceeded before there was a circuit; result says
	// which.
	notBuilt bool
	common   *verify.Common // to all answers about the circuit
	result   *verify.Result // not changed; that of notJudged before the check
	// witness is that of a refuted property, while it is reported in a way that needs one;
	// unwritten says why there is none.
	witness   runs.Written
	unwritten error
	// uncertified says why no witness circuit was written that was asked for.
	uncertified error
	explanation
	// renumbered says that a witness circuit of hwmcc is about the file with its inputs and
	// latches numbered one after another.
	renumbered bool
}

// explanation is what is known of a proof beyond the verdict.
type explanation struct {
	// vacuity says why it means little; "" when nothing was found.
	vacuity string
	// facts are what the proof says of the latches; nil without --facts.
	facts *answers.Facts
	// unneeded is what the proof does not need; nil without --unneeded.
	unneeded *answers.Unneeded
	// missing is what was asked and has no answer: a limit of time has ended the search, or arrays are too large for it.
	missing []string
}

// notJudged is the result of an unchecked property. There may be many of them.
var notJudged verify.Result

// name returns the user's name of the property, or "".
func (a *answer) name() string { return a.in.PropertyName(a.property) }

// outcome returns what was shown.
func (a *answer) outcome() cert.Outcome {
	if r := a.clauses(); r != nil {
		return outcomes[r.Checked.Outcome()]
	}
	return a.result.Checked.Outcome()
}

// standing returns what was shown of the design.
func (a *answer) standing() verify.Standing { return verify.StandingOf(a.property.Kind, a.outcome()) }

// isAside reports whether the property is a lemma or a cover, which formats of others do
// not have.
func (a *answer) isAside() bool {
	return isAside(a.property.Kind)
}

func isAside(k circuit.PropertyKind) bool {
	return k == circuit.PropertyLemma || k == circuit.PropertyCover
}

// lemmas returns the names of the lemmas that the proof was given.
func (a *answer) lemmas() (names []string) {
	if a.outcome() != cert.Proved || a.common == nil {
		return nil
	}
	for _, l := range a.common.LemmasOf(*a.result) {
		if name := a.in.PropertyName(l); name != "" {
			names = append(names, name)
		} else {
			names = append(names, l.String())
		}
	}
	return names
}

// reason says why the outcome is unknown.
func (a *answer) reason() string {
	if a.fault != nil {
		line, _ := a.in.Text.LineColumn(a.fault.Span.Start)
		return fmt.Sprintf("error on line %d", line)
	}
	if r := a.clauses(); r != nil {
		return r.Checked.Reason()
	}
	return a.result.Checked.Reason()
}

// leftOpen returns what the file leaves open, to which a counterexample may be due that does not
// exist in the whole design.
func (a *answer) leftOpen() design.LeftOpen {
	if a.outcome() != cert.Refuted {
		return design.LeftOpen{}
	}
	return a.in.LeftOpen(a.property)
}

// reasons returns the diagnostics that belong to the answer: the error that forbade a
// check, or what a refutation leaves open.
func (a *answer) reasons() []source.Diagnostic {
	if a.fault != nil {
		return []source.Diagnostic{*a.fault}
	}
	return a.leftOpen().Diagnostics()
}

// check model-checks the properties of files.
func check(ctx context.Context, e env, args []string) int {
	var flags checkFlags
	fs := newFlags("check")
	flags.register(fs)
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if err := flags.validate(); err != nil {
		return problem(e, "%v", err)
	}
	if len(files) == 0 {
		return problem(e, "check needs a file or a folder")
	}
	flags.clauses = clauseUse{true, onlyCircuits(fs)}
	inputs, faults := inputsOf(ctx, files, isRead)
	inputs = flags.files.verilog.expand(ctx, e, inputs, &flags.files)
	flags.files.use = newPatternUse(inputs)
	exports, err := exportNames(inputs, &flags)
	if err != nil {
		return problem(e, "%v", err)
	}
	closePool, err := flags.openPool()
	if err != nil {
		return problem(e, "%v", err)
	}
	defer closePool()
	within, end := flags.untilDeadline(ctx)
	defer end()
	began := time.Now()
	many := len(inputs) != 1 || inputs[0].folder != ""
	c := &checking{e: e, flags: &flags, inputs: inputs, exports: exports, out: formats[flags.format](e.stdout, &flags), tally: newTally(many)}
	for _, f := range faults {
		c.report(f)
	}
	leave, err := flags.on.open(within, e)
	switch {
	case err == nil:
		defer leave()
		flags.openCache(e, fs)
		if err := c.judge(ctx, within); err != nil {
			return problem(e, "%v", err)
		}
	case !isLate(within):
		return problem(e, "--on: %v", err)
	}
	c.unread(within)
	if f := flags.files.use.unused(flags.files.blif.patterns()); f != nil {
		c.report(f)
	}
	c.out.end()
	if err := flags.traceLog.close(); err != nil {
		problem(e, "%v", err)
		c.tally.unwritten = true
	}
	c.tally.tell(e, &flags, time.Since(began))
	return c.out.code(c.tally.code())
}

// checking is a check under way.
type checking struct {
	e       env
	flags   *checkFlags
	inputs  []input
	exports map[string]string // see exportNames
	out     printer
	tally   *tally
	given   int // of inputs, how many have been given out
}

// judge gives out what can be said of the inputs, in their order, until the deadline, the end of
// within. The error is about the flags.
func (c *checking) judge(ctx, within context.Context) (err error) {
	e, flags := c.e, c.flags
	read := func(e env, name string) *fileReport { return collect(within, e, name, flags) }
	if flags.isSingle() && len(c.inputs) > 0 {
		if read, err = readSingle(within, e, c.inputs, flags); err != nil {
			return err
		}
	}
	j := newJudging(ctx, e, flags, func(ctx context.Context, a *answer) {
		if a.outcome() == cert.Proved && flags.certificate != "" {
			a.certify(ctx, within, e, flags.certificate)
		}
		a.explain(ctx, e, flags)
	})
	j.live.of = len(c.inputs)
	stop := context.AfterFunc(within, j.end)
	e.remarks = newRemarks(len(c.inputs))
	ahead := startReading(within, e, j, defaultAhead, c.inputs, func(e env, in input) *fileReport {
		f := read(e, in.path)
		if in.folder != "" {
			f.excuse(e, flags)
		}
		if f.err != nil && isLate(within) && (errors.Is(f.err, within.Err()) || errors.Is(f.err, errDeadline)) {
			f.err, f.unread = nil, true
		}
		for _, a := range f.answers {
			a.export = c.exports[in.path]
		}
		return f
	})
	for f := range ahead.read {
		j.live.begin()
		_, _ = e.stderr.Write(f.messages)
		c.file(f)
		broken := 0
		for i, a := range f.answers {
			j.await(within, a)
			if isLate(within) {
				a.result = new(a.result.CutOff(errDeadline.Error()))
			}
			f.answers[i] = nil // of many properties the proofs would fill the memory
			if err := a.report(ctx, e, flags, c.out); err != nil {
				problem(e, "%v", err)
				c.tally.addUnwritten(err)
			}
			if a.fault != nil {
				broken++ // an error, which is not counted as an unknown property as well
			} else {
				c.tally.count(a.property, a.outcome())
			}
		}
		c.tally.addBroken(f.name, broken)
		ahead.release(f)
	}
	stop()
	j.scheduler.Close()
	j.live.clear()
	e.remarks.end(e.stderr)
	return nil
}

// file gives out what is known of the next input before its answers.
func (c *checking) file(f *fileReport) {
	c.given++
	c.report(f)
}

// report gives out what is known of a file or a folder.
func (c *checking) report(f *fileReport) {
	c.tally.addFile(f)
	c.out.file(f)
}

// unread lists the inputs to which the check has not come before the deadline.
func (c *checking) unread(within context.Context) {
	for isLate(within) && c.given < len(c.inputs) {
		c.file(&fileReport{name: c.inputs[c.given].path, unread: true})
	}
}

// isSingle reports whether the flags ask for something that is about one property alone.
func (f *checkFlags) isSingle() bool { return f.format == formatHWMCC || f.traceLog.path != "" }

// readSingle reads all files, and returns what gives them out. The error is that they have
// more properties, or fewer, than the one that the flags need.
func readSingle(ctx context.Context, e env, inputs []input, flags *checkFlags) (read func(env, string) *fileReport, err error) {
	var answers []*answer
	var reports []*fileReport
	for _, in := range inputs {
		f := collect(ctx, e, in.path, flags)
		reports = append(reports, f)
		answers = append(answers, f.answers...)
	}
	read = func(env, string) *fileReport {
		f := reports[0]
		reports = reports[1:]
		return f
	}
	if len(answers) == 0 && isLate(ctx) {
		return read, nil
	}
	if flags.format == formatHWMCC && len(answers) != 1 {
		for _, f := range reports {
			if f.err != nil {
				problem(e, "%v", f.err)
				err = &reportedError{f.err}
			}
		}
		if err != nil && len(answers) == 0 {
			return nil, err
		}
		return nil, fmt.Errorf("--format hwmcc answers one property, not %d; choose one with --index or --property", len(answers))
	}
	return read, flags.traceLog.open(answers)
}

// report writes what came of a check. The error is about a file that was asked for.
func (a *answer) report(ctx context.Context, e env, flags *checkFlags, out printer) (err error) {
	if a.result.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error on %s, please report it: %v\n", a.in.URI, a.result.Internal)
	}
	if a.result.Fault != nil {
		fmt.Fprintf(e.stderr, "aiglens: %s is answered, but a part of the engine failed, please report it: %v\n", a.in.URI, a.result.Fault)
	}
	if a.clauses() != nil {
		err = a.writeClauses(e, flags)
	} else {
		err = a.writeFiles(ctx, e, flags)
	}
	out.answer(a)
	a.witness = runs.Written{}
	return err
}

// writeFiles writes the witness of a counterexample, and says why there is no certificate of a proof.
func (a *answer) writeFiles(ctx context.Context, e env, flags *checkFlags) error {
	if a.outcome() == cert.Refuted && !a.isAside() && (flags.witnesses != "" || flags.format == formatHWMCC) {
		a.fillWitness(ctx)
	}
	if err := a.writeWitness(e, flags.witnesses); err != nil {
		return err
	}
	if a.uncertified != nil {
		return fmt.Errorf("%s: no certificate of %s: %w", a.in.URI, label(a), a.uncertified)
	}
	return nil
}

// collect reads a file, prints its errors and warnings, and finds the properties
// that were asked for, not yet judged.
func collect(ctx context.Context, e env, name string, flags *checkFlags) *fileReport {
	f := &fileReport{name: name}
	f.fill(func() (err error) {
		open := read
		if flags.clauses.taken {
			open = readAny
		}
		if f.in, err = open(ctx, e, name, &flags.files); err != nil {
			return err
		}
		if design.HasClauses(f.in) && !horndesign.IsOtherLogic(f.in) {
			if err = flags.takeClauses(e, f.in); err != nil {
				return err
			}
		}
		found, err := f.in.Diagnose(ctx, false)
		if err != nil {
			return err
		}
		for _, d := range found {
			if d.Severity <= source.Warning {
				tell(e.stderr, f.in, d)
				f.diagnostics = append(f.diagnostics, d)
			}
		}
		if f.answers, err = answersOf(ctx, e, f.in, flags); err != nil && ctx.Err() == nil {
			err = f.orBroken(err)
		}
		return err
	})
	return f
}

// orBroken returns an error about what a file has to check. Where the file has errors, there may be
// nothing to check because of the first of these, which standard error has; else it returns err.
func (f *fileReport) orBroken(err error) error {
	_, without := errors.AsType[*withoutPropertiesError](err)
	first := slices.IndexFunc(f.diagnostics, func(d source.Diagnostic) bool { return d.Severity == source.Error })
	if first < 0 || !without && !f.in.IsBinary() && verilogdesign.SynthesisOf(f.in) == nil {
		return err
	}
	d := f.diagnostics[first]
	line, column := f.in.Text.LineColumn(d.Span.Start)
	return &reportedError{fmt.Errorf("%s: line %d, column %d: %s", f.name, line, column, d.Message)}
}

const (
	// largeCircuit is the number of gates from which the heap of a check may become
	// hundreds of megabytes.
	largeCircuit = 50_000
	// soonerPercent is the value of GOGC for such ones: a fifth less memory for 6s30, of
	// 104,000 gates, and some 1 % of the time, for little of the heap is pointers.
	soonerPercent = 70
	usualPercent  = 100
)

// collectSooner makes the collector begin earlier, unless the user has set GOGC to another
// value than the usual one.
func collectSooner() {
	if before := debug.SetGCPercent(soonerPercent); before != usualPercent {
		debug.SetGCPercent(before)
	}
}

// answers returns the properties that were asked for. The error is that there are
// none, or not all that were named. A circuit that is not built within the limits of a
// property leaves all of them unknown.
func answersOf(ctx context.Context, e env, in *design.Design, flags *checkFlags) ([]*answer, error) {
	limited, stop := verify.WithLimits(ctx, flags.limits)
	defer stop()
	c, err := circuitOf(limited, in)
	notBuilt := err != nil && limited.Err() != nil && ctx.Err() == nil
	if err != nil && !notBuilt {
		return nil, err
	}
	if c.NumGates() > largeCircuit {
		collectSooner()
	}
	if len(in.Properties()) == 0 && !flags.anyCircuit { // not even a lemma
		return nil, &withoutPropertiesError{in.URI, in.WithoutProperties()}
	}
	if rule := in.PropertyRule(); rule != "" {
		e.remark(in.URI, rule)
	}
	var answers []*answer
	common := verify.NewCommon(c)
	for _, p := range in.PropertyIDs() {
		a := &answer{in: in, circuit: c, property: p, notBuilt: notBuilt, common: common, result: &notJudged}
		if notBuilt {
			a.result = new(verify.NotBuilt(limited, p, flags.newEngine().Name))
		}
		if flags.selects(a) {
			answers = append(answers, a)
		}
	}
	if err := flags.allFound(in, answers); err != nil {
		return nil, err
	}
	if design.HasClauses(in) {
		flags.ask(answers)
	}
	if !notBuilt {
		tellLeftOpen(e.stderr, in, answers)
	}
	return answers, nil
}

// circuitOf builds the circuit of a file. The error says that it has none, or is that of the
// context; then the circuit is empty.
func circuitOf(ctx context.Context, in *design.Design) (*circuit.Circuit, error) {
	err := in.Elaborate(ctx)
	switch {
	case err == nil:
		return in.Circuit(), nil
	case ctx.Err() == nil:
		err = fmt.Errorf("%s: %w", in.URI, err)
	}
	return circuit.NewBuilder(0).Build(), err
}

// tellLeftOpen writes the warnings that belong to the verdicts, each once; of flip-flops without
// a start the one that counts most of them.
func tellLeftOpen(w io.Writer, in *design.Design, answers []*answer) {
	type key struct {
		span    source.Span
		message string
	}
	seen := map[key]bool{}
	var most design.LeftOpen
	for _, a := range answers {
		open := in.LeftOpen(a.property)
		for _, d := range open.Parts {
			if k := (key{d.Span, d.Message}); !seen[k] {
				seen[k] = true
				tell(w, in, d)
			}
		}
		if open.Start.Severity == source.Warning && open.Starts > most.Starts {
			most = open
		}
	}
	if most.Starts > 0 {
		tell(w, in, most.Start)
	}
}

// selects reports whether the user asked for a property.
func (f *checkFlags) selects(a *answer) bool {
	if len(f.names) == 0 && len(f.indices) == 0 {
		return !f.isSingle() || !a.isAside()
	}
	// No choice can name the lemmas of --lemma, which the text lacks. Those of the text are checked with them.
	if len(f.files.lemmas) > 0 && a.property.Kind == circuit.PropertyLemma {
		return true
	}
	return slices.Contains(f.names, a.name()) || slices.Contains(f.indices, a.property)
}

// allFound says which property was asked for in vain.
func (f *checkFlags) allFound(in *design.Design, answers []*answer) error {
	for _, name := range f.names {
		if !slices.ContainsFunc(answers, func(a *answer) bool { return a.name() == name }) {
			return fmt.Errorf("%s: %w", in.URI, errNoProperty(in, name))
		}
	}
	for _, p := range f.indices {
		if !slices.ContainsFunc(answers, func(a *answer) bool { return a.property == p }) {
			return fmt.Errorf("%s: there is no property %s", in.URI, p)
		}
	}
	return nil
}

func (a *answer) job(flags *checkFlags) verify.Job {
	return verify.Job{
		Circuit:  a.circuit,
		Property: a.property,
		Engine:   flags.newEngineFor(a.in.URI),
		Limits:   flags.limits,
		Cache:    flags.cache,
		Common:   a.common,

		FindVacuity: flags.findsVacuity(),
	}
}

// findsVacuity reports whether the user is told why a proof means little.
func (f *checkFlags) findsVacuity() bool { return !f.noVacuity && f.format != formatHWMCC }

// exitCode applies the precedence 1, 2, 3, 0 to what all checks came to; 0 for code is no other error.
func exitCode(code int, standings map[verify.Standing]bool) int {
	switch {
	case standings[verify.Failed]:
		return exitRefuted
	case code != exitOK:
		return code
	case standings[verify.Open]:
		return exitUnknown
	}
	return exitOK
}
