package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/btor2design"
	"aiglens/design/runs"
	"aiglens/design/verilogdesign"
	"aiglens/internal/source"
	"aiglens/internal/wave"
	"aiglens/internal/yosys"
)

// exitNotViolated is the exit code of replay when a witness does not violate its
// property.
const exitNotViolated = 1

// The formats of witnesses, beside those of package wave.
const (
	formatAIGER = "aiger"
	formatBTOR2 = "btor2"
)

// formatVerilog is that of test benches, for designs that were read from Verilog.
const formatVerilog = "verilog"

// replayFlags are the flags of replay.
type replayFlags struct {
	selected  checkFlags // names, indices and blif alone
	witness   string
	to        string
	out       string
	force     bool
	minimize  bool
	nets      bool
	rounds    int
	set       inputChanges
	formatSet []string
}

// writesWitnesses reports whether what is written are witnesses of properties, and not one run.
func (f *replayFlags) writesWitnesses() bool { return f.to == formatAIGER || f.to == formatBTOR2 }

func (f *replayFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.witness, "witness", "-", "`file` of AIGER or BTOR2 witnesses, or a witness trace of Yosys (.yw); - is standard input")
	fs.BoolVar(&f.minimize, "minimize", false, "leave out steps that the violation does not need, and set such values to x")
	f.registerRun(fs)
}

// registerRun registers what is said of any run.
func (f *replayFlags) registerRun(fs *flag.FlagSet) {
	f.formatSet = []string{formatAIGER, formatBTOR2, formatYosys, formatVerilog}
	for _, format := range wave.Formats() {
		f.formatSet = append(f.formatSet, string(format))
	}
	fs.Var(&f.selected.names, "property", "say only what becomes of the property of this `name`; may be repeated")
	fs.Var(&f.selected.indices, "index", "say only what becomes of this property, as `KIND:N` (bad:0, output:2, justice:1); may be repeated")
	fs.StringVar(&f.to, "to", "", "write the run in this `format`: "+strings.Join(f.formatSet, ", "))
	fs.StringVar(&f.out, "o", "-", "`file` for --to; - is standard output")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	fs.Var(&f.set, "set", "give an input, or a word of inputs, another value, as `STEP:INPUT=VALUE` such as 2:request=0 or 2:data=9, and simulate the run again, with 0 for each x; may be repeated")
	fs.BoolVar(&f.nets, "nets", false, "write all nets of the hierarchy, named outputs and words, for --to vcd, json and wavedrom")
	fs.IntVar(&f.rounds, "rounds", 0, fmt.Sprintf("write the loop of a justice property so often, except with --to aiger and btor2; 0 is %d, for markdown %d", wave.Rounds(wave.VCD), wave.Rounds(wave.Markdown)))
	f.selected.files.register(fs)
}

// replayed is a run that violates a property.
type replayed struct {
	answer *answer
	runs.Violation
	// isPlayed says that it stands for no property: that of answer is any, or none.
	isPlayed bool
}

// replay simulates the witnesses of a file on a circuit.
func replay(ctx context.Context, e env, args []string) int {
	var f replayFlags
	fs := newFlags("replay")
	f.register(fs)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 2 && !isSet(fs, "witness"):
		f.witness = files[1]
	case len(files) != 1:
		return problem(e, "replay needs one circuit")
	}
	switch {
	case f.witness == "-" && files[0] == "-":
		return problem(e, "the circuit and the witness cannot both be standard input")
	case len(f.set) > 0 && f.minimize:
		return problem(e, "--set changes the run as given: it cannot be combined with --minimize")
	}
	if err := f.validateOutput(); err != nil {
		return problem(e, "%v", err)
	}
	data, err := f.selected.files.content(ctx, e, f.witness)
	if err != nil {
		return problem(e, "%v", err)
	}
	run, isStimulus, err := readStimulus(f.witness, data)
	isTrace, isRun := yosys.IsTrace(data), btor2.IsRun(data)
	f.selected.anyCircuit = isStimulus || isTrace || isRun
	circuit := collect(ctx, e, files[0], &f.selected)
	if circuit.err != nil {
		return problem(e, "%v", circuit.err)
	}
	if isTrace {
		isStimulus = true
		run, err = f.readTrace(ctx, e, circuit.in, data)
	}
	var witnesses witnessFile
	if !isStimulus {
		witnesses, err = readWitnesses(ctx, e, circuit.in, f.witness, data)
	}
	if isRun && err == nil {
		isStimulus, run, witnesses.list = true, witnesses.list[0].Trace, nil
	}
	switch {
	case err != nil:
		return problem(e, "%v", err)
	case isStimulus && (f.minimize || len(f.set) > 0):
		return problem(e, "--set and --minimize are about violations, and %s stands for no property", f.witness)
	}
	p := &player{e: e, flags: &f, out: plainWriter{e.stdout}, answers: circuit.answers, text: witnesses.text}
	if f.to != "" && f.out == "-" {
		p.out = e.stderr
	}
	for _, w := range witnesses.list {
		if err := p.play(ctx, &w); err != nil {
			return problem(e, "%v", err)
		}
	}
	if isStimulus {
		p.isTrace = isTrace
		if err := p.stimulus(ctx, circuit.in, run); err != nil {
			return problem(e, "%v", err)
		}
	} else if p.tried == 0 {
		return problem(e, "%s: no witness of the chosen properties", f.witness)
	}
	if len(p.runs) > 0 && f.to != "" {
		if err := p.export(ctx); err != nil {
			return problem(e, "%v", err)
		}
	}
	if p.refused {
		return exitNotViolated
	}
	return exitOK
}

// witnessFile is the content of a file of witnesses.
type witnessFile struct {
	text source.Text
	list []runs.Witness
}

// readWitnesses reads a file of witnesses. A malformed one is an error.
func readWitnesses(ctx context.Context, e env, in *design.Design, name string, data []byte) (f witnessFile, err error) {
	list, diagnostics, err := runs.ReadWitnesses(ctx, in, data)
	if err != nil {
		return f, err
	}
	f = witnessFile{source.NewText(string(data)), list}
	for _, d := range diagnostics {
		line, column := f.text.LineColumn(d.Span.Start)
		fmt.Fprintf(e.stderr, "%s:%d:%d: %s[%s]: %s\n", name, line, column, d.Severity, d.Code, d.Message)
	}
	switch {
	case len(diagnostics) > 0:
		return f, &reportedError{fmt.Errorf("%s has errors", name)}
	case len(list) == 0:
		return f, fmt.Errorf("%s has no witness", name)
	}
	return f, nil
}

// player replays witnesses on the circuit of some properties.
type player struct {
	e       env
	flags   *replayFlags
	out     io.Writer // for what is said of each witness
	answers []*answer // those of the properties that were chosen
	text    source.Text
	tried   int // properties of witnesses, of those that were chosen
	refused bool
	isTrace bool // what is replayed is a trace of Yosys
	runs    []replayed
}

// chosen reports whether the user named properties.
func (p *player) chosen() bool {
	return len(p.flags.selected.names)+len(p.flags.selected.indices) > 0
}

// play replays a witness on each of its properties. The error says that the circuit
// does not allow that.
func (p *player) play(ctx context.Context, w *runs.Witness) error {
	for _, property := range w.Properties {
		if called, ok := runs.Called(p.answers[0].in, property); ok {
			property = called
		}
		at := slices.IndexFunc(p.answers, func(a *answer) bool { return a.property == property })
		if at < 0 && p.chosen() {
			continue
		}
		p.tried++
		switch {
		case at < 0:
			p.refuse(w.Lines[1], property.String(), "the circuit has no such property")
		case w.Status != "":
			p.refuse(w.Lines[0], p.title(property), "no counterexample: its status is "+w.Status)
		default:
			if err := p.replay(ctx, p.answers[at], w); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *player) title(property circuit.Property) string {
	return runs.PropertyTitle(p.answers[0].in, property)
}

// refuse says why a witness does not violate a property.
func (p *player) refuse(at source.Span, title, reason string) {
	p.refused = true
	line, _ := p.text.LineColumn(at.Start)
	fmt.Fprintf(p.out, "%s:%d: %s: not violated: %s\n", p.flags.witness, line, title, reason)
}

// replay simulates a witness of a property.
func (p *player) replay(ctx context.Context, a *answer, w *runs.Witness) error {
	if fault := design.FaultOfCheck(a.in, a.property); fault != nil {
		tell(p.e.stderr, a.in, *fault)
		return fmt.Errorf("%s: %s has an error in its cone", a.in.URI, p.title(a.property))
	}
	v, err := runs.Violate(ctx, a.in, a.property, w.Trace)
	found := replayed{answer: a, Violation: v}
	var refusal *trace.Refusal
	switch {
	case errors.As(err, &refusal):
		p.refuse(w.LineOf(refusal.Step), p.title(a.property), refusal.Reason)
		return nil
	case err != nil:
		return err
	}
	if len(p.flags.set) > 0 {
		if err := design.OnlyChecked(a.in, a.property); err != nil {
			return fmt.Errorf("%s: %w", a.in.URI, err)
		}
		return p.whatIf(ctx, found)
	}
	bounded := false
	switch isAbstract := circuit.OriginalOf(a.circuit, a.property) != nil; {
	case p.flags.minimize && isAbstract: // an x would be several runs
		fmt.Fprintf(p.e.stderr, "%s: %s: --minimize leaves the run as it is, because the property depends on an array that is too large to be bits\n", a.in.URI, p.title(a.property))
	case p.flags.minimize:
		if bounded, err = found.minimize(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.out, "%s: %s: %s%s", a.in.URI, p.title(a.property), found.verdict(), zeroWords(v.Zeroed))
	if bounded {
		fmt.Fprint(p.out, "; a minimal run takes too long to find")
	}
	fmt.Fprintln(p.out)
	p.runs = append(p.runs, found)
	return nil
}

// zeroWords say that a run fails with 0 for what it leaves open.
func zeroWords(zeroed bool) string {
	if zeroed {
		return ", with each x taken as 0"
	}
	return ""
}

// minimizeWork bounds the search for a minimal lasso, which compares all of its states.
const minimizeWork = 2_000_000_000

// minimize makes the run minimal, up to a bound for one with a loop, and checks it.
func (r *replayed) minimize(ctx context.Context) (bounded bool, err error) {
	c, p := r.answer.circuit, r.answer.property
	claim, stats := cert.Verdict{Outcome: cert.Refuted}, trace.Stats{}
	if bad, ok := c.Bad(p); ok {
		claim.Trace, stats, err = trace.Minimize(ctx, c, bad, r.Run, 0)
	} else {
		var l cert.Lasso
		l, stats, err = trace.MinimizeLasso(ctx, c, c.Goals(p.Index), cert.Lasso{Trace: r.Run, Loop: r.Loop}, minimizeWork)
		claim.Lasso = &l
	}
	if err != nil {
		return false, err
	}
	checked, err := cert.Check(ctx, c, p, claim)
	if err != nil {
		return false, err
	}
	r.Run = checked.Trace()
	if claim.Lasso != nil {
		r.Loop = claim.Lasso.Loop
	}
	return stats.Bounded, nil
}

// verdict says what the run shows.
func (r *replayed) verdict() string {
	if r.isPlayed {
		return runs.PlayedWords
	}
	return r.Words(r.answer.property)
}

// export writes the runs where the user asked for them.
func (p *player) export(ctx context.Context) error {
	var data []byte
	if !p.flags.writesWitnesses() && len(p.runs) > 1 {
		return fmt.Errorf("--to %s writes one run, not %d; choose one with --index or --property", p.flags.to, len(p.runs))
	}
	switch p.flags.to {
	case formatAIGER, formatBTOR2:
		for _, r := range p.runs {
			w, err := p.witness(ctx, r)
			if err != nil {
				return err
			}
			if data, err = w.Append(data); err != nil {
				return err
			}
		}
	case formatYosys:
		var err error
		if data, err = p.trace(ctx, p.runs[0]); err != nil {
			return err
		}
	case formatVerilog:
		var err error
		if data, err = p.testbench(ctx, p.runs[0]); err != nil {
			return err
		}
	default:
		w, err := p.wave(ctx, p.runs[0])
		if err != nil {
			return err
		}
		if data, err = w.Append(nil, wave.Format(p.flags.to)); err != nil {
			return err
		}
	}
	return p.e.output(p.flags.out, data, p.flags.force)
}

// witness returns a run as a witness of AIGER or BTOR2.
func (p *player) witness(ctx context.Context, r replayed) (runs.Written, error) {
	in := r.answer.in
	switch {
	case p.flags.to == formatAIGER:
		return runs.AIGERWitness(ctx, in, r.answer.property, r.Run, r.Loop)
	case in.Kind != btor2design.Format:
		return runs.Written{}, fmt.Errorf("--to btor2: %s is no BTOR2 file", in.URI)
	}
	return runs.WitnessOf(ctx, in, r.answer.property, r.Run, r.Loop)
}

// testbench returns a run as a test bench.
func (p *player) testbench(ctx context.Context, r replayed) ([]byte, error) {
	data, err := verilogdesign.Testbench(ctx, r.answer.in, r.answer.property, r.Run)
	if err != nil {
		return nil, fmt.Errorf("--to verilog: %s: %w", r.answer.in.URI, err)
	}
	return data, nil
}

// wave returns the signals of a run. For a table, which people read, it leaves out what the
// violation does not rest on.
func (p *player) wave(ctx context.Context, r replayed) (wave.Wave, error) {
	o := runs.WaveOptions{Rounds: p.flags.rounds, Short: p.flags.to == string(wave.Markdown), Nets: p.flags.nets}
	if o.Rounds == 0 {
		o.Rounds = wave.Rounds(wave.Format(p.flags.to))
	}
	if !r.isPlayed {
		return r.Wave(ctx, r.answer.in, r.answer.property, o)
	}
	var shown []circuit.Property
	for _, a := range p.answers {
		shown = append(shown, a.property)
	}
	return runs.PlayedWave(ctx, r.answer.in, r.Run, shown, o)
}
