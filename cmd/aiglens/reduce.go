package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
	"aiglens/ic3/verify"
	"aiglens/internal/minimize"
	"aiglens/internal/nearest"
)

// exitNotAtStart is the exit code of reduce for a file of which does not hold what is to
// stay.
const exitNotAtStart = 1

// finishGrace is how long reduce may take to write what it has when a signal ends it.
const finishGrace = 3 * time.Second

// Without --timeout a try may take patience times as long as the first one, which is given
// up otherwise, but at least shortest.
const (
	patience = 4
	shortest = time.Second
)

// reduceFlags are the flags of reduce. What there is of check names the property, the engine
// and its limits.
type reduceFlags struct {
	check   checkFlags
	command string
	verdict string
	crashes bool
	steps   bool
	names   bool
	out, to string
	force   bool
}

func (f *reduceFlags) register(fs *flag.FlagSet) {
	f.check.limits.Wall = verify.DefaultWall
	fs.StringVar(&f.command, "while", "", "go on while this shell `command` exits with 0; {} in it stands for the file to try, which is appended otherwise")
	fs.StringVar(&f.verdict, "while-verdict", "", "go on while a property has this `verdict`: refuted, proved or unknown")
	fs.BoolVar(&f.steps, "same-steps", false, "for --while-verdict refuted: the counterexample must keep its number of steps")
	fs.BoolVar(&f.crashes, "while-crashes", false, "go on while check fails with an internal error, or the command of --while is ended by a signal")
	fs.Var(&f.check.names, "property", "for --while-verdict: the `name` of the property; without it the first one with the verdict")
	fs.Var(&f.check.indices, "index", "for --while-verdict: the property, as `KIND:N` (bad:0, output:2, justice:1)")
	f.check.registerLimits(fs)
	fs.Lookup("timeout").Usage = fmt.Sprintf("wall `time` for each try; without it a minute for the first, then %d times what that took; 0 is no limit", patience)
	registerEngine(fs, &f.check.engine)
	fs.BoolVar(&f.names, "names", true, "keep the names of what is left; --names=false drops them")
	fs.StringVar(&f.out, "o", "-", "write to `file`, whose extension decides the format; - is standard output")
	fs.StringVar(&f.to, "to", "", "`format` aag, aig, blif or btor2; the files to try have it too; without it that of the output's extension, else that of the input")
	fs.BoolVar(&f.force, "force", false, "overwrite an existing output file")
	f.check.files.register(fs)
}

// validate says what is wrong with the flags.
func (f *reduceFlags) validate() error {
	chosen := len(f.check.names) + len(f.check.indices)
	switch {
	case f.command == "" && f.verdict == "" && !f.crashes:
		return fmt.Errorf("reduce needs a condition: --while, --while-verdict or --while-crashes")
	case f.verdict != "" && (f.command != "" || f.crashes):
		return fmt.Errorf("--while-verdict cannot be combined with --while or --while-crashes")
	case f.verdict != "" && !slices.Contains([]string{cert.Refuted.String(), cert.Proved.String(), cert.Unknown.String()}, f.verdict):
		return fmt.Errorf("--while-verdict: there is no verdict %q%s", f.verdict, nearest.Choose(f.verdict, []string{"refuted", "proved", "unknown"}))
	case f.steps && f.verdict != cert.Refuted.String():
		return fmt.Errorf("--same-steps is for --while-verdict refuted")
	case chosen > 0 && f.verdict == "":
		return fmt.Errorf("--property and --index choose the property for --while-verdict")
	case chosen > 1:
		return fmt.Errorf("--while-verdict is about one property")
	}
	if err := f.check.engine.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if _, err := os.Lstat(f.out); f.out != "-" && err == nil && !f.force {
		return fmt.Errorf("%s exists; --force overwrites it", f.out)
	}
	return nil
}

// reduce writes the smallest circuit for which something still holds.
func reduce(ctx context.Context, e env, args []string) int {
	var f reduceFlags
	fs := newFlags("reduce")
	f.register(fs)
	in, code, done := readOne(ctx, fs, e, args, &f.check.files, f.validate)
	if done {
		return code
	}
	encoding, err := encodingLike(in, f.to, f.out)
	if err == nil {
		err = e.keepsBinary(fs, encoding, f.out)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	limited := false
	fs.Visit(func(x *flag.Flag) { limited = limited || x.Name == "timeout" })
	dir := "" // for the files of a command; a verdict needs none
	if f.verdict == "" {
		if dir, err = os.MkdirTemp("", "aiglens-reduce-*"); err != nil {
			return problem(e, "%v", err)
		}
		defer os.RemoveAll(dir)
	}
	line := newSizeLine(e, in.URI)
	r := &reduction{
		goal: f.goal(filepath.Join(dir, exportBase(in.URI)+"."+encoding), limited), in: in, name: in.URI, encoding: encoding, engine: f.check.newEngine(),
		begun: line.begin, found: line.show,
	}
	e.partial.allow(finishGrace)
	left, err := r.run(ctx, e)
	switch {
	case err != nil && ctx.Err() != nil:
		return problem(e, "%v", context.Cause(ctx))
	case err != nil:
		return problem(e, "%s: %v", in.URI, err)
	case left == nil:
		fmt.Fprintf(e.stderr, "%s: %s, in the file as reduce writes it\n", in.URI, f.notHeld())
		return exitNotAtStart
	}
	line.end(left.size, r.tries, left.interrupted)
	if err := e.output(f.out, r.best, f.force); err != nil {
		return problem(e, "%v", err)
	}
	return exitOK
}

// goal returns what is to stay, as the flags say it; path is that of a file to try.
func (f *reduceFlags) goal(path string, limited bool) reduceGoal {
	g := reduceGoal{verdict: f.verdict, steps: f.steps, names: f.names, limits: f.check.limits, limited: limited, bytes: f.check.files.limit}
	if len(f.check.names) > 0 {
		g.property = f.check.names[0]
	}
	if len(f.check.indices) > 0 {
		g.index = &f.check.indices[0]
	}
	if f.verdict == "" {
		g.holds = (&trial{f, path}).holds
	}
	return g
}

// reduceGoal is what is to stay of a circuit that is made smaller, and on which terms that is
// tried.
type reduceGoal struct {
	verdict  string            // that a property has; "" where holds says what is to stay
	property string            // the name of the property; "" for any
	index    *circuit.Property // which it is; nil for any
	steps    bool              // its counterexample keeps its number of steps
	names    bool              // what is left keeps its names
	limits   verify.Limits     // of a try
	limited  bool              // the user has said how long a try may take
	bytes    size              // of a file that is read; 0 is no limit
	holds    func(ctx context.Context, file []byte, limits verify.Limits) bool
}

// reduction makes a circuit smaller as long as its goal holds.
type reduction struct {
	goal     reduceGoal
	in       *design.Design
	name     string // of the file
	encoding string
	engine   verify.Engine // of each try
	// begun is called with the size at first, found with each smaller one; nil for no listener.
	begun func(fileSize)
	found func(s fileSize, pass string, tries int)

	kind  circuit.PropertyKind
	tries int
	steps int           // of the counterexample of the first try, for goal.steps; 0: not known yet
	took  time.Duration // the last try
	best  []byte        // the smallest file so far, as it was tried
}

// reduced is what is left of a file.
type reduced struct {
	before      fileSize // of the whole file
	size        fileSize
	interrupted bool
}

// run makes the file smaller, in rows of BTOR2 where these are written, and as AIGER otherwise. It returns nil when what is to
// stay does not hold of the file.
func (r *reduction) run(ctx context.Context, e env) (*reduced, error) {
	if r.in.Kind == btor2design.Format && r.encoding == formatBTOR2 {
		if err := soundIn(ctx, e, r.in); err != nil {
			return nil, err
		}
		f, _ := btor2design.FileOf(r.in)
		return minimized(ctx, r, r.rowsOfBTOR2(), f)
	}
	m, err := numbers(ctx, e, r.in)
	if err != nil {
		return nil, err
	}
	return minimized(ctx, r, r.elements(), m)
}

// shrinking is how files of a kind are made smaller.
type shrinking[S any] struct {
	passes, tidy []minimize.Pass[S]
	names        minimize.Pass[S]
	encode       func(context.Context, S) ([]byte, error) // the file, as it is tried and written
	open         func(context.Context, S) (*design.Design, error)
	only         func(S, circuit.Property) S // a file with one of its properties
	size         func(S) fileSize
	tidied       func(S) (S, bool) // one that is tried in place of what is left; false for none
}

// minimized returns how small the smallest file is for which what is to stay holds, nil when it does not hold of s. Where ctx ends
// once that is known, the smallest one so far is the result.
func minimized[S any](ctx context.Context, r *reduction, of shrinking[S], s S) (*reduced, error) {
	g, before := &r.goal, of.size(s)
	s, holds, err := start(ctx, r, of, s)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || !holds:
		return nil, err
	}
	if g.verdict != cert.Unknown.String() && !g.limited {
		g.limits.Wall = max(shortest, min(g.limits.Wall, patience*r.took))
	}
	if r.begun != nil {
		r.begun(of.size(s))
	}
	passes := of.passes
	if !g.names {
		passes = append(passes, of.names)
	}
	min := minimize.Minimizer[S]{
		Passes: passes, Tidy: of.tidy,
		Try: func(ctx context.Context, s S) (S, bool) { return s, try(ctx, r, of, s) },
		Found: func(s S, pass string) {
			if r.found != nil {
				r.found(of.size(s), pass, r.tries)
			}
		},
	}
	s, err = min.Run(ctx, s)
	if small, ok := of.tidied(s); ok && ctx.Err() == nil && try(ctx, r, of, small) {
		s = small
	}
	return &reduced{before, of.size(s), err != nil}, nil
}

// start returns the file of which everything begins: for --while-verdict the one with the
// property alone. holds is false when what is to stay does not hold.
func start[S any](ctx context.Context, r *reduction, of shrinking[S], s S) (first S, holds bool, err error) {
	if _, err := of.encode(ctx, s); err != nil {
		return s, false, err
	}
	if r.goal.verdict == "" {
		return s, try(ctx, r, of, s), nil
	}
	d, err := of.open(ctx, s)
	if err != nil {
		return s, false, err
	}
	properties, err := r.chosen(d)
	if err != nil {
		return s, false, err
	}
	for _, p := range properties {
		r.kind = p.Kind
		if alone := of.only(s, p); try(ctx, r, of, alone) {
			return alone, true, nil
		}
	}
	return s, false, nil
}

// chosen returns the properties that --while-verdict may be about.
func (r *reduction) chosen(d *design.Design) ([]circuit.Property, error) {
	g := &r.goal
	if g.index != nil && isAside(g.index.Kind) {
		return nil, errNotReduced(r.in, g.index.Kind)
	}
	found := slices.DeleteFunc(d.PropertyIDs(), func(p circuit.Property) bool {
		return isAside(p.Kind) || g.property != "" && d.PropertyName(p) != g.property || g.index != nil && p != *g.index
	})
	switch {
	case len(found) > 0:
		return found, nil
	case g.property != "":
		return nil, errNoProperty(d, g.property)
	case g.index != nil:
		return nil, fmt.Errorf("there is no property %s", *g.index)
	}
	return nil, fmt.Errorf("the circuit has no property")
}

// notHeld says what does not hold.
func (f *reduceFlags) notHeld() string {
	switch {
	case f.verdict != "":
		return "no property is " + f.verdict
	case f.crashes:
		return "nothing crashes"
	}
	return "the command does not exit with 0"
}

// errNotReduced says what to do instead of reducing a file to a lemma or cover.
func errNotReduced(in *design.Design, k circuit.PropertyKind) error {
	instead := map[circuit.PropertyKind]string{circuit.PropertyCover: "a bad of the same literal", circuit.PropertyLemma: "a bad of its negation"}
	if !in.HasNumbers() {
		instead = map[circuit.PropertyKind]string{circuit.PropertyCover: `"# prop: bad" of the same net`, circuit.PropertyLemma: `"# prop: assert" of the same net`}
	}
	return fmt.Errorf("a circuit cannot be reduced to a %s; use %s instead", k, instead[k])
}

// try reports whether what is to stay holds of a file.
func try[S any](ctx context.Context, r *reduction, of shrinking[S], s S) bool {
	r.tries++
	data, err := of.encode(ctx, s)
	if err != nil {
		return false
	}
	holds, begin := false, time.Now()
	if r.goal.verdict != "" {
		holds = r.hasVerdict(ctx, data)
	} else {
		holds = r.goal.holds(ctx, data, r.goal.limits)
	}
	r.took = time.Since(begin)
	if holds = holds && ctx.Err() == nil; holds {
		r.best = data
	}
	return holds
}

// sizeLine says how far reduce has come: a line that changes on a terminal, and for others
// one whenever half of the gates and latches, or of the operators and states, are gone.
type sizeLine struct {
	e         env
	name      string
	announced int
}

func newSizeLine(e env, name string) *sizeLine { return &sizeLine{e: e, name: name} }

func (l *sizeLine) begin(s fileSize) {
	l.announced = s.weight
	fmt.Fprintf(l.e.stderr, "%s: %s\n", l.name, s.text)
}

func (l *sizeLine) show(s fileSize, pass string, tries int) {
	if l.e.terminal != nil {
		l.e.terminal.show(func() statusLine {
			return statusLine{"", l.name, fmt.Sprintf(": %s · %s · %s", s.text, pass, answers.Count(tries, "try", "tries"))}
		})
		return
	}
	if 2*s.weight <= l.announced {
		l.announced = s.weight
		fmt.Fprintf(l.e.stderr, "%s: %s after %s\n", l.name, s.text, answers.Count(tries, "try", "tries"))
	}
}

func (l *sizeLine) end(s fileSize, tries int, interrupted bool) {
	l.e.terminal.clear()
	how := "nothing smaller found"
	if interrupted {
		how = "interrupted"
	}
	fmt.Fprintf(l.e.stderr, "%s: %s after %s, %s\n", l.name, s.text, answers.Count(tries, "try", "tries"), how)
}
