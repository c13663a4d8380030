package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aiglens/blif"
	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
	"aiglens/design/blifdesign"
	"aiglens/design/btor2design"
	table "aiglens/design/formats"
	"aiglens/ic3/verify"
	"aiglens/internal/files"
	"aiglens/internal/source"
)

// readFlags say how files are read.
type readFlags struct {
	blif    blifFlags
	verilog verilogFlags
	mapFile string // of Yosys, for AIGER files
	btor2   btor2design.Option
	ignored formFlag
	limit   size       // 0: the default
	lemmas  stringList // expressions that the files are read with as lemmas
	// use is that of the patterns by all files of the command; nil: each file must use all of them.
	use *patternUse
}

func (f *readFlags) register(fs *flag.FlagSet) {
	f.registerLimit(fs)
	fs.StringVar(&f.mapFile, "map", "", "AIGER: map of Yosys with the names of the circuit, a `file` in the place of the .ywa and .aim beside it; * in it stands for the name of the circuit")
	fs.Var(&f.ignored, "ignore-names", "take no names of this `form` for bits of words: [], <>, (), _, . or digits; may be repeated")
	f.registerArrays(fs)
	f.blif.register(fs)
	f.verilog.register(fs)
}

// registerArrays registers the flag that says which arrays of BTOR2 become bits.
func (f *readFlags) registerArrays(fs *flag.FlagSet) {
	fs.IntVar(&f.btor2.ArrayGates, "array-gates", 0, fmt.Sprintf("BTOR2: arrays become bits as long as they take at most `n` gates together, and else are abstracted to some addresses; 0 is %d, -1 none", btor2.DefaultMaxArrayGates))
}

// registerLemmas registers the flag of lemmas that the text lacks.
func (f *readFlags) registerLemmas(fs *flag.FlagSet) {
	fs.Var(&f.lemmas, "lemma", "check, too, that this `expression` over one step, such as 'count <= 8', holds in every step, and let proofs rest on it once it is proved; may be repeated")
}

// registerLimit registers the flag that holds for every format.
func (f *readFlags) registerLimit(fs *flag.FlagSet) {
	fs.Var(&f.limit, "max-input", "largest `size` of an input file after unpacking, such as 512M; 0 is 1/64 of the memory of this machine, but at least 64M and at most 1024M")
}

// blifFlags say how BLIF files are read.
type blifFlags struct {
	blifdesign.Option
	bad, assert, assume stringList
}

func (f *blifFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.bad, "bad", "BLIF: outputs that match this `pattern` must never be 1; may be repeated, replaces the default patterns")
	fs.Var(&f.assert, "assert", "BLIF: outputs that match this `pattern` must always be 1; may be repeated")
	fs.Var(&f.assume, "assume", "BLIF: outputs that match this `pattern` are constraints, 1 in every step; may be repeated")
	fs.IntVar(&f.OutputLimit, "output-limit", 0, "BLIF: where there is no other property, check up to `n` outputs as bad; 0 is 25, -1 none")
	fs.BoolVar(&f.Combinational, "combinational", false, "BLIF: check the outputs of a model without latches, too")
	f.registerReading(fs)
}

// registerReading registers the flags that say what the circuit of a file is, without
// those that choose its properties.
func (f *blifFlags) registerReading(fs *flag.FlagSet) {
	fs.StringVar(&f.Genlib, "genlib", "", "BLIF: cell library of .gate and .mlatch, a `file` in genlib format")
	fs.BoolVar(&f.CutUndriven, "free-undriven", false, "BLIF: a signal that nothing drives, and the outputs of an unknown model, take any value instead of being errors")
	fs.BoolVar(&f.OneStep, "one-step", false, "BLIF: let all latches step together, whatever their clocks and edges")
}

// option returns how BLIF files are read. Patterns that are all empty match no name.
func (f *blifFlags) option() blifdesign.Option {
	o := f.Option
	o.Bad, o.Assert, o.Assume = strings.Join(f.bad, " "), strings.Join(f.assert, " "), strings.Join(f.assume, " ")
	given := len(f.bad)+len(f.assert)+len(f.assume) > 0
	o.NoNames = given && strings.TrimSpace(o.Bad+o.Assert+o.Assume) == ""
	return o
}

// maxInput returns the largest number of bytes that is read of one file.
func (f *readFlags) maxInput() int64 {
	if f.limit > 0 {
		return int64(f.limit)
	}
	return files.DefaultLimit()
}

// content returns the bytes of a file, unpacked, or those of standard input for "-".
func (f *readFlags) content(ctx context.Context, e env, name string) (data []byte, err error) {
	if name == design.StandardInput {
		const called = "standard input"
		if data, err = files.From(ctx, called, e.stdin, f.maxInput()); files.IsPacked(data) {
			data, err = files.Unpack(ctx, called, bytes.NewReader(data), f.maxInput())
		}
	} else {
		data, err = files.Read(ctx, name, f.maxInput())
	}
	if _, large := errors.AsType[*files.TooLargeError](err); large {
		return nil, fmt.Errorf("%w; --max-input raises it", err)
	}
	if path, is := errors.AsType[*fs.PathError](err); is {
		return nil, fmt.Errorf("%s: %w", name, path.Err)
	}
	return data, err
}

// read loads a file of a circuit, or standard input for "-".
func read(ctx context.Context, e env, name string, flags *readFlags) (*design.Design, error) {
	d, err := readAny(ctx, e, name, flags)
	if err == nil && design.HasClauses(d) {
		return nil, errClauses(name)
	}
	return d, err
}

// readAny is read for files of Horn clauses, too.
func readAny(ctx context.Context, e env, name string, flags *readFlags) (*design.Design, error) {
	if isVerilog(name) {
		return flags.verilog.open(ctx, e, name, flags)
	}
	data, err := flags.content(ctx, e, name)
	if err != nil {
		return nil, err
	}
	d, err := open(ctx, name, data, flags)
	if err == nil && len(flags.lemmas) > 0 {
		d, err = flags.withLemmas(ctx, name, d)
	}
	if err != nil {
		return nil, err
	}
	if flags.mapFile != "" && d.Kind != aigerdesign.Format {
		return nil, fmt.Errorf("%s: --map is about AIGER files", d.URI)
	}
	idle, why := flags.blif.idle(d)
	isBelow := flags.use.add(name, flags.blif.patterns(), idle)
	switch _, isBLIF := blifdesign.FileOf(d); {
	case why == nil:
	case !isBelow:
		return nil, fmt.Errorf("%s: %w", d.URI, why)
	case isBLIF:
		e.remark(d.URI, why.Error())
	}
	return d, nil
}

// withLemmas reads a text as if it had lemmas.
func (f *readFlags) withLemmas(ctx context.Context, name string, d *design.Design) (*design.Design, error) {
	var lemmas []design.Lemma
	for _, text := range f.lemmas {
		lemma, err := answers.LemmaFrom(ctx, d, text)
		if err != nil {
			return nil, fmt.Errorf("%s: --lemma %q: %w", d.URI, text, err)
		}
		lemmas = append(lemmas, lemma)
	}
	edits, err := d.AddLemmas(lemmas)
	if err != nil {
		return nil, fmt.Errorf("%s: --lemma: %w", d.URI, err)
	}
	text, err := d.Text.Apply(edits)
	if err != nil {
		return nil, err
	}
	return open(ctx, name, []byte(text.Content()), f)
}

// patterns returns those that were given.
func (f *blifFlags) patterns() (all []blif.Pattern) {
	for _, list := range []struct {
		flag     string
		patterns stringList
	}{{"bad", f.bad}, {"assert", f.assert}, {"assume", f.assume}} {
		for _, pattern := range strings.Fields(strings.Join(list.patterns, " ")) {
			all = append(all, blif.Pattern{List: list.flag, Text: pattern})
		}
	}
	return all
}

// idle returns the patterns that have no effect on a file, and why the first has none.
func (f *blifFlags) idle(d *design.Design) (patterns []blif.Pattern, why error) {
	given := f.patterns()
	if len(given) == 0 {
		return nil, nil
	}
	file, isBLIF := blifdesign.FileOf(d)
	if !isBLIF {
		return given, fmt.Errorf("--%s is about BLIF files; an AIGER file says itself what is checked", given[0].List)
	}
	idle := blif.IdlePatterns(file)
	patterns = slices.Concat(idle.Unmatched, idle.Taken)
	switch first := given[0]; {
	case idle.By != "":
		return given, fmt.Errorf("--%s %s has no effect, because each %s says what is checked; write a line '# prop: %s NET' instead", first.List, first.Text, idle.By, first.List)
	case len(idle.Unmatched) > 0:
		why = fmt.Errorf("--%s %s: no output of the top model matches this pattern", patterns[0].List, patterns[0].Text)
	case len(idle.Taken) > 0:
		why = fmt.Errorf("--%s %s: other patterns take all outputs that match this one", patterns[0].List, patterns[0].Text)
	}
	return patterns, why
}

// patternUse says which patterns have an effect on files of which some were found below a folder: there
// a pattern may be without effect on a file, but not on all of them.
type patternUse struct {
	inputs []input
	below  map[string]bool // the paths of files that were found below a folder
	read   int             // how many of the inputs were read
	used   map[blif.Pattern]bool
}

func newPatternUse(inputs []input) *patternUse {
	u := &patternUse{inputs: inputs, below: map[string]bool{}, used: map[blif.Pattern]bool{}}
	for _, in := range inputs {
		if in.folder != "" {
			u.below[in.path] = true
		}
	}
	return u
}

// add counts a file on which some of the patterns have no effect. It reports whether the file was found
// below a folder.
func (u *patternUse) add(name string, given, idle []blif.Pattern) (isBelow bool) {
	if u == nil {
		return false
	}
	u.read++
	for _, g := range given {
		if !slices.Contains(idle, g) {
			u.used[g] = true
		}
	}
	return u.below[name]
}

// unused returns a report on the first pattern that has no effect on any file, once all are read; nil
// where there is none, or no folder: of a file that was named that is an error anyway.
func (u *patternUse) unused(given []blif.Pattern) *fileReport {
	if u.read < len(u.inputs) || len(u.below) == 0 {
		return nil
	}
	for _, g := range given {
		if !u.used[g] {
			folder := u.inputs[slices.IndexFunc(u.inputs, func(in input) bool { return in.folder != "" })].folder
			return &fileReport{name: folder, err: fmt.Errorf("--%s %s: the pattern has no effect on any of the files", g.List, g.Text)}
		}
	}
	return nil
}

// isBelow reports whether a file was found below a folder.
func (u *patternUse) isBelow(name string) bool { return u != nil && u.below[name] }

// open returns the design of a file's content. What is recognised as no format is AIGER, whose
// diagnostics say what is wrong with it.
func open(ctx context.Context, name string, data []byte, flags *readFlags) (*design.Design, error) {
	if areClauses(name, data) {
		return openClauses(name, data)
	}
	var naming aigerdesign.Option
	if flags.mapFile != "" {
		path, err := filepath.Abs(flags.mapFile)
		if err != nil {
			return nil, err
		}
		naming.Map = path
	}
	return table.All().Open(ctx, name, data, design.Opening{
		Options: design.Options{}.With(blifdesign.Format, flags.blif.option()).With(aigerdesign.Format, naming).With(btor2design.Format, flags.btor2).WithoutWords(design.WordForms(flags.ignored)),
		Disk: design.Disk{
			Read:  func(ctx context.Context, path string) ([]byte, error) { return flags.content(ctx, env{}, path) },
			Limit: flags.maxInput(),
		},
		Fallback: aigerdesign.Format,
	})
}

// sound builds the circuit, and says what is wrong with a file whose circuit has free inputs in
// the place of errors. That is an error, or the end of the context.
func sound(ctx context.Context, e env, d *design.Design) error {
	found, err := d.Sound(ctx)
	for _, diagnostic := range found {
		tell(e.stderr, d, diagnostic)
	}
	if err != nil && hasErrors(found) {
		return &reportedError{err}
	}
	return err
}

// soundIn is sound for the values of some literals alone: of a file without errors, what is too large elsewhere does not matter.
func soundIn(ctx context.Context, e env, d *design.Design, asked ...circuit.Lit) error {
	if err := d.Elaborate(ctx); err != nil || design.TooLarge(d) == nil {
		return sound(ctx, e, d)
	}
	return design.SoundIn(d, asked...)
}

// leastBuild is the time that every circuit has to be built, however short a check may be: a small one
// is built in less, and its command can say what is unknown.
const leastBuild = 100 * time.Millisecond

// soundWithin is sound up to a limit of wall time, 0 for none. The error is an unbuiltError when that has
// passed.
func soundWithin(ctx context.Context, e env, d *design.Design, wall time.Duration) error {
	if wall > 0 {
		wall = max(wall, leastBuild)
	}
	limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: wall})
	defer stop()
	return soundUnder(ctx, limited, e, d)
}

// soundFor is soundWithin for a property that is chosen then: of a file without errors, what is too large does not matter where the
// property does not depend on it.
func soundFor(ctx context.Context, e env, d *design.Design, wall time.Duration, choose func(*design.Design) (circuit.Property, error)) (p circuit.Property, err error) {
	err = soundWithin(ctx, e, d, wall)
	if _, isUnbuilt := errors.AsType[*unbuiltError](err); err != nil && (isUnbuilt || d.Elaborate(ctx) != nil || design.TooLarge(d) == nil) {
		return p, err
	}
	p, none := choose(d)
	if none != nil || d.Fault(p) == nil {
		err = none
	}
	return p, err
}

// soundUnder is sound until the end of limited, which ends with ctx.
func soundUnder(ctx, limited context.Context, e env, d *design.Design) error {
	err := sound(limited, e, d)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return &unbuiltError{verify.ReasonFor(limited, limited.Err())}
	}
	return err
}

// unbuiltError says which limit has passed before there was a circuit: what is asked of it is unknown.
type unbuiltError struct{ limit string }

func (e *unbuiltError) Error() string { return "unknown: " + e.limit + " while the circuit was built" }

// tell writes a diagnostic as compilers do.
func tell(w io.Writer, d *design.Design, found source.Diagnostic) {
	line, column := d.Text.LineColumn(found.Span.Start)
	fmt.Fprintf(w, "%s:%d:%d: %s[%s]: %s\n", d.URI, line, column, found.Severity, found.Code, found.Message)
}
