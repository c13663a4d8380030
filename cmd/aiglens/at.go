package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/horndesign"
	"aiglens/design/play"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/lsp"
	"aiglens/lsp/wire"
)

// atFlags are the flags of at, with those of its checks.
type atFlags struct {
	checkFlags
	signal string
	which  questionFlags
}

func (f *atFlags) register(fs *flag.FlagSet) {
	f.limits.Wall = verify.DefaultWall
	fs.StringVar(&f.signal, "signal", "", "the place is where the file defines the signal or word of this `name`")
	fs.Var(&f.which.names, "property", "the place is that of the property of this `name`")
	fs.Var(&f.which.indices, "index", "the place is that of this property, as `KIND:N`, such as bad:0")
	f.registerLimits(fs)
	registerEngine(fs, &f.engine)
	fs.IntVar(&f.workers, "workers", 0, "properties checked at a time; 0 is one for each core (for each --jobs cores with --engine portfolio), or one when --cpu or --memory is given")
	fs.StringVar(&f.format, "format", "text", "output `format`: text or json")
	fs.BoolVar(&f.noCache, "no-cache", false, "neither use results of earlier runs nor keep new ones")
	f.files.register(fs)
}

// validate says what is wrong with the flags, and completes them.
func (f *atFlags) validate() error {
	if !slices.Contains(textOrJSON, f.format) {
		return errNoFormat("format", f.format, textOrJSON)
	}
	if err := f.which.validate(); err != nil {
		return err
	}
	if f.signal != "" && f.which.isChosen() {
		return errors.New("choose --signal or a property")
	}
	f.facts = true
	return f.checkFlags.validate()
}

// isNamed reports whether the place is that of a signal or property, and not of a line.
func (f *atFlags) isNamed() bool { return f.signal != "" || f.which.isChosen() }

// placeOf returns the place that an argument names.
func (f *atFlags) placeOf(arg string) (p placeArgument, err error) {
	if f.isNamed() {
		return placeArgument{file: arg}, nil
	}
	return placeFrom(arg)
}

// offset is where the place is in the text of a file.
func (f *atFlags) offset(ctx context.Context, d *design.Design, where placeArgument) (int, error) {
	if !f.isNamed() {
		return where.offset(d)
	}
	if d.IsBinary() {
		return 0, fmt.Errorf("%s: a binary file has no lines", d.URI)
	}
	if err := d.Elaborate(ctx); err != nil {
		return 0, fmt.Errorf("%s: %w", d.URI, err)
	}
	if f.signal == "" {
		id, err := f.which.choose(d)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", d.URI, err)
		}
		p, _ := d.Property(id)
		return p.Row.Start, nil
	}
	l, _, err := play.LitNamed(d, f.signal)
	if word, isNone := play.WordNamed(ctx, d, f.signal); err != nil && isNone == nil {
		i := slices.IndexFunc(word.Bits, func(b design.Bit) bool { return !b.Missing })
		l, err = word.Bits[max(0, i)].Lit, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.URI, err)
	}
	found, ok := d.SourceOf(l)
	if !ok || found.Span.Length == 0 {
		return 0, fmt.Errorf("%s: the file does not say where %s is", d.URI, f.signal)
	}
	return found.Span.Start, nil
}

// placeArgument is FILE:LINE or FILE:LINE:COLUMN; both count from 1, and columns are bytes, as in messages.
type placeArgument struct {
	file         string
	line, column int
}

func placeFrom(arg string) (p placeArgument, err error) {
	var numbers []int
	for p.file = arg; len(numbers) < 2; {
		at := strings.LastIndexByte(p.file, ':')
		if at < 0 {
			break
		}
		n, err := strconv.Atoi(p.file[at+1:])
		if err != nil || n < 1 {
			break
		}
		p.file, numbers = p.file[:at], append(numbers, n)
	}
	switch {
	case len(numbers) == 0 || p.file == "":
		return p, fmt.Errorf("%s: expected FILE:LINE or FILE:LINE:COLUMN, counted from 1", arg)
	case len(numbers) == 1:
		p.line, p.column = numbers[0], 1
	default:
		p.line, p.column = numbers[1], numbers[0]
	}
	return p, nil
}

// offset is where the place is in the text of a file. A column after the end of the line is that end.
func (p placeArgument) offset(d *design.Design) (int, error) {
	lines := d.Text.NumLines()
	if d.Text.Line(lines-1) == "" { // after the last line feed
		lines--
	}
	switch {
	case d.IsBinary():
		return 0, fmt.Errorf("%s: a binary file has no lines", d.URI)
	case p.line > lines:
		return 0, fmt.Errorf("%s: there is no line %d: the file has %d", d.URI, p.line, lines)
	}
	line := d.Text.LineSpan(p.line - 1)
	return min(line.Start+p.column-1, line.End()), nil
}

// at says what is known of a place in a file.
func at(ctx context.Context, e env, args []string) int {
	var f atFlags
	fs := newFlags("at")
	f.register(fs)
	args, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(args) != 1:
		return problem(e, "at needs one place: FILE:LINE or FILE:LINE:COLUMN, or a file with --signal, --property or --index")
	}
	if err := f.validate(); err != nil {
		return problem(e, "%v", err)
	}
	where, err := f.placeOf(args[0])
	if err != nil {
		return problem(e, "%v", err)
	}
	d, err := readAny(ctx, e, where.file, &f.files)
	if err != nil {
		return problem(e, "%v", err)
	}
	offset, err := f.offset(ctx, d, where)
	if err != nil {
		return problem(e, "%v", err)
	}
	path, err := filepath.Abs(where.file)
	if err != nil {
		return problem(e, "%v", err)
	}
	f.openCache(e, fs)
	place, text, err := lsp.PlaceIn(ctx, path, d, offset, lsp.PlaceChecks{
		Circuit: func(all []circuit.Property) map[circuit.Property]*verify.Result { return f.check(ctx, e, d, all) },
		Clauses: func(q horndesign.Query) hornverify.Result { return *f.ask(ctx, e, d, q) },
	})
	if err != nil {
		return problem(e, "%s: %v", d.URI, err)
	}
	if f.format == "json" {
		printLine(e.stdout, jsonPlace{d.URI, place, versionText()})
		return exitOK
	}
	if strings.TrimSpace(text) == "" {
		fmt.Fprintf(plainWriter{e.stderr}, "%s: nothing is known of this place\n", args[0])
		return exitOK
	}
	fmt.Fprint(plainWriter{e.stdout}, text)
	return exitOK
}

// jsonPlace is the line of at --format json.
type jsonPlace struct {
	File string `json:"file"`
	*wire.Place
	Version string `json:"version"` // of the program
}

// ask checks a query of Horn clauses.
func (f *atFlags) ask(ctx context.Context, e env, d *design.Design, q horndesign.Query) *hornverify.Result {
	a := &answer{in: d, query: &queried{Query: q, limits: f.limits}}
	a.solve(ctx)
	if a.result.Internal != nil {
		fmt.Fprintf(e.stderr, "aiglens: internal error on %s, please report it: %v\n", d.URI, a.result.Internal)
	}
	return a.clauses()
}

// check checks properties, and finds out what their proofs say.
func (f *atFlags) check(ctx context.Context, e env, d *design.Design, all []circuit.Property) map[circuit.Property]*verify.Result {
	var answers []*answer
	common := verify.NewCommon(d.Circuit())
	for _, p := range all {
		answers = append(answers, &answer{in: d, circuit: d.Circuit(), property: p, common: common, result: &notJudged})
	}
	results := map[circuit.Property]*verify.Result{}
	judge(ctx, e, answers, &f.checkFlags, func(ctx context.Context, a *answer) { a.explain(ctx, e, &f.checkFlags) }, func(a *answer) {
		if a.result.Internal != nil {
			fmt.Fprintf(e.stderr, "aiglens: internal error on %s, please report it: %v\n", d.URI, a.result.Internal)
		}
		results[a.property] = a.result
	})
	return results
}
