package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design/aigerdesign"
	"aiglens/design/runs"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/nearest"
)

// The modes of SymbiYosys that its AIGER engines know.
const (
	modeProve = "prove"
	modeBMC   = "bmc"
	modeLive  = "live"
)

var sbyModes = []string{modeProve, modeBMC, modeLive}

// boundedEngine is the engine that finds what fails in the first steps, and the shortest counterexample first.
const boundedEngine = "bmc"

// sbyDepth is how many steps SymbiYosys asks about unless its file says so.
const sbyDepth = 20

// sbyFlags are the flags of sby.
type sbyFlags struct {
	checkFlags
	mode      string
	depth     int // steps that mode bmc asks about; 0 for the default
	keepGoing bool
}

func (f *sbyFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.mode, "mode", modeProve, "`mode` of SymbiYosys: prove (all bads or none), bmc (the first steps alone) or live (justice properties)")
	fs.IntVar(&f.depth, "depth", 0, fmt.Sprintf("number `n` of steps that --mode bmc asks about; 0 is %d", sbyDepth))
	fs.BoolVar(&f.keepGoing, "keep-going", false, "answer each property, and not all of them at once")
	f.registerLimits(fs)
	f.limits.Wall = 0 // SymbiYosys ends its engines itself
	fs.IntVar(&f.workers, "workers", 0, "properties checked at a time; 0 is one for each core (for each --jobs cores with --engine portfolio), or one when --cpu or --memory is given")
	registerEngine(fs, &f.engine)
	f.files.registerLimit(fs)
}

// validate says what is wrong with the flags, and completes them.
func (f *sbyFlags) validate(fs *flag.FlagSet) error {
	isBMC := f.mode == modeBMC
	switch {
	case !slices.Contains(sbyModes, f.mode):
		return fmt.Errorf("--mode: there is no mode %q%s", f.mode, nearest.Choose(f.mode, sbyModes))
	case isSet(fs, "depth") && (!isBMC || f.depth < 1):
		return fmt.Errorf("--depth %d: expected 1 or more, with --mode bmc", f.depth)
	case isBMC && isSet(fs, engineFlags...):
		return errors.New("--mode bmc has an engine of its own: leave out flags of the engine")
	}
	if isBMC {
		f.engine.Engine = boundedEngine
		if f.depth == 0 {
			f.depth = sbyDepth
		}
	}
	f.format, f.noVacuity = "text", true
	return f.checkFlags.validate()
}

// asks reports whether the mode is about a property.
func (f *sbyFlags) asks(a *answer) bool {
	return !a.isAside() && (a.property.Kind == circuit.PropertyJustice) == (f.mode == modeLive)
}

// calledAs returns the command that a name of the program stands for, with its arguments: as suprove and
// aigbmc it takes what these do.
func calledAs(program string, args []string) []string {
	switch strings.TrimSuffix(filepath.Base(program), ".exe") {
	case "suprove":
		return append([]string{"sby"}, args...)
	case "aigbmc":
		idle := []string{"-v", "-m", "--lingeling", "--picosat"} // how much is said, outputs as bads, the solver
		rest := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return slices.Contains(idle, arg) })
		return append([]string{"sby", "--mode", modeBMC}, rest...)
	}
	return args
}

// operands takes the file out of the other arguments: +NAME, by which suprove is told its strategy, and the
// number of the last step, as aigbmc has it.
func (f *sbyFlags) operands(e env, fs *flag.FlagSet, words []string) (file string, err error) {
	var files []string
	for _, w := range words {
		last, err := strconv.Atoi(w)
		switch {
		case w == "+simple_liveness":
			f.mode = modeLive
		case strings.HasPrefix(w, "+"):
			fmt.Fprintf(e.stderr, "%s is a strategy of suprove, and means nothing here\n", w)
		case f.mode == modeBMC && err == nil && len(words) > 1 && !isSet(fs, "depth"):
			if f.depth != 0 || last < 0 || last >= math.MaxInt32 {
				return "", fmt.Errorf("expected one number of the last step, found %q", w)
			}
			f.depth = last + 1
		default:
			files = append(files, w)
		}
	}
	if len(files) != 1 {
		return "", errors.New("sby needs one AIGER file")
	}
	return files[0], nil
}

// answerSBY answers as SymbiYosys wants it of the solvers that read AIGER.
func answerSBY(ctx context.Context, e env, args []string) int {
	var lines sync.Mutex
	e.stdout, e.stderr = &lineWriter{w: e.stdout, mu: &lines}, &lineWriter{w: e.stderr, mu: &lines, prefix: "aiglens: ", atStart: true}
	var flags sbyFlags
	fs := newFlags("sby")
	flags.register(fs)
	words, code, done := parse(fs, e, args)
	if done {
		return code
	}
	file, err := flags.operands(e, fs, words)
	if err == nil {
		err = flags.validate(fs)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	f := collect(ctx, e, file, &flags.checkFlags)
	f.answers = slices.DeleteFunc(f.answers, func(a *answer) bool { return !flags.asks(a) })
	switch {
	case f.err != nil:
		return problem(e, "%v", f.err)
	case hasErrors(f.diagnostics):
		return exitUsage // which standard error has
	case f.in.Kind != aigerdesign.Format:
		return problem(e, "%s: sby reads AIGER files only", file)
	case len(f.answers) == 0 && flags.mode == modeLive:
		return problem(e, "%s: the file has no justice property", file)
	case len(f.answers) == 0:
		return problem(e, "%s: the file has neither a bad nor an output; justice properties are for --mode live", file)
	}
	p := &sbyProtocol{e: e, flags: &flags, clean: map[circuit.Property]int{}, witnesses: map[circuit.Property][]byte{}}
	p.answer(ctx, f.answers)
	return exitOK
}

// lineWriter writes for a reader who has standard output and standard error in one stream: lines of one
// never get into a write to the other, and with a prefix none is taken for a line of the protocol.
type lineWriter struct {
	w       io.Writer
	mu      *sync.Mutex // of both
	prefix  string
	atStart bool // of a line; guarded by mu
}

func (l *lineWriter) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.prefix == "" {
		return l.w.Write(data)
	}
	var text []byte
	for line := range bytes.Lines(data) {
		if l.atStart && !bytes.HasPrefix(line, []byte(l.prefix)) {
			text = append(text, l.prefix...)
		}
		text = append(text, line...)
		l.atStart = bytes.HasSuffix(line, []byte("\n"))
	}
	if _, err := l.w.Write(text); err != nil {
		return 0, err
	}
	return len(data), nil
}

// sbyProtocol gives the answers about one file.
type sbyProtocol struct {
	e     env
	flags *sbyFlags
	end   context.CancelFunc // of the round that is under way
	left  []*answer          // those that stay unknown

	mu      sync.Mutex               // guards all below
	clean   map[circuit.Property]int // of those without an answer: how many steps have no violation
	written int                      // the last bound that was written
	// witnesses are those of refuted properties; first is the one that was refuted first.
	witnesses map[circuit.Property][]byte
	first     *answer
}

// answer answers all properties, or each.
func (p *sbyProtocol) answer(ctx context.Context, all []*answer) {
	for _, a := range all {
		p.clean[a.property] = 0
	}
	open := all
	for _, r := range p.rounds(len(all)) {
		open = p.round(ctx, open, r)
		if len(open) == 0 || ctx.Err() != nil || p.first != nil && !p.flags.keepGoing {
			break
		}
	}
	switch {
	case ctx.Err() != nil: // a signal ends the program: how far it came is no answer
	case p.flags.keepGoing:
	case p.first != nil:
		p.say(p.first)
		_, _ = p.e.stdout.Write(withLatches(p.witnesses[p.first.property]))
	case len(p.left) > 0:
		p.status('2', p.left[0])
	default:
		p.status('0', all...)
	}
}

// withLatches gives a witness of a circuit without latches one that is 0: SymbiYosys drops empty lines, and
// would take the first row of inputs for that of the latches. Its converter does not count them.
func withLatches(witness []byte) []byte {
	lines := bytes.SplitAfterN(witness, []byte("\n"), 4) // status, property, latches
	if len(lines) == 4 && len(lines[2]) == 1 {
		lines[2] = []byte("0\n")
	}
	return bytes.Join(lines, nil)
}

// sbyRound is a check of all properties that have no answer yet.
type sbyRound struct {
	engine string
	steps  int           // that the question is about, the first ones; 0 is all
	wall   time.Duration // for each property; 0 is no limit
	isLast bool          // what has no answer then stays unknown
}

const (
	// provingTime is how long all properties of mode bmc together may take to be proved: most can be,
	// in less time than a bounded search takes.
	provingTime = 20 * time.Second
	leastTime   = 200 * time.Millisecond // of each
	mostTime    = 2 * time.Second        // of each
	// firstSteps is what the first round of a bounded search is about.
	firstSteps = 8
)

// rounds returns what is asked one after another. In mode bmc several properties get deeper together: one
// that is hard keeps no other from being refuted.
func (p *sbyProtocol) rounds(properties int) []sbyRound {
	wall, depth := p.flags.limits.Wall, p.flags.depth
	if p.flags.mode != modeBMC {
		return []sbyRound{{p.flags.engine.Engine, 0, wall, true}}
	}
	quick := min(max(leastTime, provingTime/time.Duration(properties)), mostTime)
	if wall > 0 {
		quick = min(quick, wall)
	}
	all := []sbyRound{{engines.Default().Engine, depth, quick, false}}
	for steps := firstSteps; properties > 1 && steps < depth; steps *= 2 {
		all = append(all, sbyRound{boundedEngine, steps, wall, false})
	}
	return append(all, sbyRound{boundedEngine, depth, wall, true})
}

// round judges properties, and returns those that the next round is about.
func (p *sbyProtocol) round(ctx context.Context, all []*answer, r sbyRound) (open []*answer) {
	ctx, p.end = context.WithCancel(ctx)
	defer p.end()
	p.flags.engine.Engine, p.flags.limits.Wall = r.engine, r.wall
	j := newJudging(ctx, p.e, &p.flags.checkFlags, p.judged)
	j.steps = r.steps
	j.progress = func(a *answer, now verify.Progress) { p.reached(a.property, now.CleanSteps()) }
	j.judge(ctx, all, func(a *answer) {
		witness := p.settle(a)
		switch outcome := p.outcome(a); {
		case outcome == cert.Unknown && ctx.Err() != nil: // the round has ended
		case outcome == cert.Unknown && p.goesOn(a, r):
			open = append(open, a)
		case outcome == cert.Proved:
			p.one(a, func() { p.status('0', a) })
		case outcome == cert.Refuted && witness != nil:
			p.one(a, func() { _, _ = p.e.stdout.Write(witness) })
		default:
			p.left = append(p.left, a)
			p.one(a, func() { p.status('2', a) })
		}
	})
	return open
}

// goesOn reports whether another round may have an answer that this one does not have: a search that has
// not come as far as it was to come meets a limit.
func (p *sbyProtocol) goesOn(a *answer, r sbyRound) bool {
	clean := a.result.Checked.Depth()
	return !r.isLast && clean < p.flags.depth && (r.engine != boundedEngine || clean >= r.steps)
}

// outcome is that of an answer. A counterexample that is longer than asked for is none.
func (p *sbyProtocol) outcome(a *answer) cert.Outcome {
	if p.flags.depth > 0 && a.outcome() == cert.Refuted && a.result.Checked.Trace().Steps() > p.flags.depth {
		return cert.Unknown
	}
	return a.outcome()
}

// one gives the answer about one property, where each has its own. Of a refuted one that ends all others
// the caller says so.
func (p *sbyProtocol) one(a *answer, write func()) {
	if a.result.Internal != nil {
		fmt.Fprintf(p.e.stderr, "internal error on %s, please report it: %v\n", a.in.URI, a.result.Internal)
	}
	if a.result.Fault != nil {
		fmt.Fprintf(p.e.stderr, "%s is answered, but a part of the engine failed, please report it: %v\n", a.in.URI, a.result.Fault)
	}
	if p.flags.keepGoing || a.outcome() != cert.Refuted {
		p.say(a)
	}
	if p.flags.keepGoing {
		write()
	}
}

// say writes an answer for people.
func (p *sbyProtocol) say(a *answer) {
	fmt.Fprintf(p.e.stderr, "%s: %s: %s\n", a.in.URI, label(a), a.verdict())
}

// judged takes an answer within the limits of its check: it makes the witness of a refuted property. One
// such ends the round where there is but one answer for all.
func (p *sbyProtocol) judged(ctx context.Context, a *answer) {
	if p.outcome(a) != cert.Refuted {
		return
	}
	data, err := a.concreteWitness(ctx)
	if err != nil {
		fmt.Fprintf(p.e.stderr, "%s: %s: no witness: %v\n", a.in.URI, label(a), withLimit(ctx, err))
		return
	}
	p.mu.Lock()
	p.witnesses[a.property] = data
	if p.first == nil {
		p.first = a
	}
	p.mu.Unlock()
	if !p.flags.keepGoing {
		p.end()
	}
}

// settle takes a property that is answered out of those that the bound is about, and returns the witness
// of a refuted one.
func (p *sbyProtocol) settle(a *answer) (witness []byte) {
	if p.outcome(a) == cert.Unknown {
		p.reached(a.property, a.result.Checked.Depth())
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.clean, a.property)
	p.tellBound()
	return p.witnesses[a.property]
}

// reached takes how many steps of a property have no violation.
func (p *sbyProtocol) reached(property circuit.Property, clean int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if before, isOpen := p.clean[property]; isOpen && clean > before {
		p.clean[property] = clean
		p.tellBound()
	}
}

// tellBound writes the bound up to which no property without an answer has a violation, once that has
// grown: u<k> says that of the steps 0 to k. SymbiYosys reads it as one step less, which holds as well. The
// caller holds mu.
func (p *sbyProtocol) tellBound() {
	if len(p.clean) == 0 || p.first != nil || p.flags.mode == modeLive {
		return
	}
	least := math.MaxInt
	for _, clean := range p.clean {
		least = min(least, clean)
	}
	if least-1 > p.written {
		p.written = least - 1
		fmt.Fprintf(p.e.stdout, "u%d\n", p.written)
	}
}

// status writes the answer of a status without a witness.
func (p *sbyProtocol) status(status byte, about ...*answer) {
	w := aiger.Witness{Status: status}
	for _, a := range about {
		w.Properties = append(w.Properties, a.property)
	}
	data, _ := w.Append(nil) // these are properties that witnesses have
	_, _ = p.e.stdout.Write(data)
}

// leaveUnnamed makes inputs x that the map of Yosys beside the circuit does not have, such as the one that
// write_aiger -I adds: yosys-witness 0.23 breaks off where such an input has a value.
func (a *answer) leaveUnnamed(t cert.Trace) {
	m, err := aigerdesign.WitnessMapOf(a.in)
	if err != nil {
		return
	}
	for i, isNamed := range m.Named() {
		for _, row := range t.Inputs {
			if !isNamed {
				row[i] = circuit.X
			}
		}
	}
}

// concreteWitness returns the witness of a refuted property without x, but for inputs that are nothing of
// the design, in a run that ends, once it has been read and simulated: Yosys simulates words, where one bit
// that is x may make all of a sum x.
func (a *answer) concreteWitness(ctx context.Context) ([]byte, error) {
	t := a.result.Checked.Trace()
	loop, isLasso := a.result.Checked.Loop()
	if !isLasso {
		t, loop = trace.Concrete(a.circuit, t), -1
		a.leaveUnnamed(t)
	}
	w, err := runs.WitnessOf(ctx, a.in, a.property, t, loop)
	if err != nil {
		return nil, err
	}
	data, err := w.Append(nil)
	if err != nil {
		return nil, err
	}
	return data, a.isViolatedBy(ctx, data)
}
