package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
)

// isolateFlags are the flags of isolate.
type isolateFlags struct {
	files  readFlags
	which  questionFlags
	total  time.Duration
	each   verify.Limits
	format string
}

// isolateHard finds out which latches make a property hard.
func isolateHard(ctx context.Context, e env, args []string) int {
	var f isolateFlags
	f.total, f.each.Wall = verify.DefaultWall, answers.IsolateEach
	return f.which.ask(ctx, e, "isolate", args, &f.files, &f.format, func(fs *flag.FlagSet) {
		fs.Var((*duration)(&f.total), "timeout", "wall `time` for all groups together; 0 is no limit")
		fs.Var((*duration)(&f.each.Wall), "each", "wall `time` for each group of latches; 0 is no limit")
		fs.Var((*duration)(&f.each.CPU), "cpu", "CPU `time` for each group of latches; 0 is no limit")
	}, func(ctx context.Context, q *propertyQuestion) int { return q.isolate(ctx, &f) })
}

// ask parses the flags of a command about one property of one file, and runs it.
func (f *questionFlags) ask(ctx context.Context, e env, name string, args []string, files *readFlags, format *string, more func(*flag.FlagSet), run func(context.Context, *propertyQuestion) int) int {
	fs := newFlags(name)
	f.register(fs)
	fs.StringVar(format, "format", "text", "output `format`: text or json")
	files.register(fs)
	more(fs)
	in, code, done := readOne(ctx, fs, e, args, files, func() error {
		if !slices.Contains(textOrJSON, *format) {
			return errNoFormat("format", *format, textOrJSON)
		}
		return f.validate()
	})
	if done {
		return code
	}
	q := &propertyQuestion{e: e, flags: f, file: in, isJSON: *format == "json"}
	var err error
	if q.property, err = soundFor(ctx, e, in, timeoutOf(fs), f.choose); err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	return run(ctx, q)
}

// propertyQuestion is a command about one property of one file.
type propertyQuestion struct {
	e        env
	flags    *questionFlags
	file     *design.Design
	property circuit.Property
	isJSON   bool
}

// name is what the user calls the property.
func (q *propertyQuestion) name() string {
	return orElse(q.file.PropertyName(q.property), q.property.String())
}

// question puts the command in terms that all surfaces share. live shows how far it is.
func (q *propertyQuestion) question(run verify.Limits, live *progressLine) answers.Question {
	p, _ := q.file.Property(q.property)
	return answers.Question{
		Document: q.file, Property: p, Engine: engineOf(q.flags.engine), Run: run,
		Show: func(doing string) {
			live.write(func() statusLine { return statusLine{"", q.file.URI, fmt.Sprintf(": %s: %s", q.name(), doing)} })
		},
	}
}

// say writes a line of text about the property.
func (q *propertyQuestion) say(words string) {
	fmt.Fprintf(plainWriter{q.e.stdout}, "%s: %s: %s\n", q.file.URI, q.name(), words)
}

// jsonTry is a line of isolate --format json.
type jsonTry struct {
	Type    string   `json:"type"` // freed
	File    string   `json:"file"`
	Name    string   `json:"property"`
	Latches []string `json:"latches"` // that were left free
	Indexes []int    `json:"indexes"` // of these among the latches of the circuit: names may be the same
	Verdict string   `json:"verdict"` // proved or unknown: more runs may violate what these do not
	Reason  string   `json:"reason"`  // of unknown
	Clauses int      `json:"clauses"` // of the invariant
	Seconds float64  `json:"seconds"` // wall
	Checked bool     `json:"checked"` // the proof passed against the circuit as it is
	Version string   `json:"version"`
}

// isolate leaves groups of latches free, one after another.
func (q *propertyQuestion) isolate(ctx context.Context, f *isolateFlags) int {
	live := newProgressLine(q.e)
	asked := q.question(f.each, live)
	asked.Limit = f.total
	found, err := answers.Isolate(ctx, asked, func(t answers.Freed) error {
		live.clear()
		q.freed(&t)
		return nil
	})
	live.clear()
	if err != nil && ctx.Err() == nil {
		return problem(q.e, "%s: %v", q.file.URI, err)
	}
	if !q.isJSON {
		q.say(found.Summary())
	}
	if found.Proofs() > 0 {
		return exitOK
	}
	return exitUnknown
}

// freed writes what came of leaving a group of latches free.
func (q *propertyQuestion) freed(t *answers.Freed) {
	q.internal(t.Freed)
	if t.Whole != nil {
		q.internal(*t.Whole)
	}
	if !q.isJSON {
		q.say(t.Words() + "\n  " + t.List())
		return
	}
	line := jsonTry{"freed", q.file.URI, q.name(), t.Names, t.Group, "unknown", t.Freed.Checked.Reason(), 0, t.Freed.Elapsed.Seconds(), false, versionText()}
	if t.Whole != nil {
		line.Verdict, line.Clauses, line.Seconds, line.Checked = "proved", len(t.Whole.Checked.Invariant()), t.Whole.Elapsed.Seconds(), t.Whole.Checked.Certified()
	}
	printLine(q.e.stdout, line)
}
