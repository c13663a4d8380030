package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/inquiry"
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
	f.total, f.each.Wall = verify.DefaultWall, 5*time.Second
	return f.which.ask(ctx, e, "isolate", args, &f.files, &f.format, func(fs *flag.FlagSet) {
		fs.Var((*duration)(&f.total), "timeout", "wall `time` for all groups together; 0 is no limit")
		fs.Var((*duration)(&f.each.Wall), "each", "wall `time` for each group of latches; 0 is no limit")
		fs.Var((*duration)(&f.each.CPU), "cpu", "CPU `time` for each group of latches; 0 is no limit")
	}, func(ctx context.Context, q *propertyQuestion) int { return q.isolate(ctx, &f) })
}

// ask parses the flags of a command about one property of one file, and runs it.
func (f *questionFlags) ask(ctx context.Context, e env, name string, args []string, files *readFlags, format *string, more func(*flag.FlagSet), run func(context.Context, *propertyQuestion) int) int {
	fs := newFlags(name, e.stderr)
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
	err := sound(ctx, e, in)
	if err == nil {
		q.property, err = f.choose(in)
	}
	if err != nil {
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

// latchNames returns what the file calls all latches.
func (q *propertyQuestion) latchNames() (names []string) {
	own := q.file.Names().Elements().Latches
	for i, l := range q.file.Circuit().Latches() {
		names = append(names, orElse(own[i], orElse(signalName(q.file, l.Lit.Var()), fmt.Sprintf("l%d", i))))
	}
	return names
}

// jsonTry is a line of isolate --format json.
type jsonTry struct {
	Type    string   `json:"type"` // freed
	File    string   `json:"file"`
	Name    string   `json:"property"`
	Latches []string `json:"latches"` // that were left free
	Verdict string   `json:"verdict"` // proved or unknown: more runs may violate what these do not
	Reason  string   `json:"reason"`  // of unknown
	Clauses int      `json:"clauses"` // of the invariant
	Seconds float64  `json:"seconds"` // wall
	Checked bool     `json:"checked"` // the proof passed against the circuit as it is
	Version string   `json:"version"`
}

// isolate leaves groups of latches free, one after another.
func (q *propertyQuestion) isolate(ctx context.Context, f *isolateFlags) int {
	all := q.latchNames()
	groups, err := inquiry.LatchGroups(ctx, q.file.Circuit(), q.property, all)
	if err != nil {
		return problem(q.e, "%s: %v", q.file.URI, err)
	}
	limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: f.total})
	defer stop()
	live := newProgressLine(q.e)
	w := plainWriter{q.e.stdout}
	proved := 0
	tries, err := inquiry.Isolate(limited, q.file.Circuit(), q.property, groups, inquiry.Terms{
		Engine: engineOf(q.flags.engine), Limits: f.each,
		Progress: func(p inquiry.Progress) {
			live.write(func() string {
				return fmt.Sprintf("%s: group %d of %d left free · depth %d · %d lemmas", q.file.URI, p.Part+1, len(groups), p.Run.Depth, p.Run.Lemmas)
			})
		},
	}, func(t inquiry.FreedGroup) {
		live.clear()
		names := make([]string, len(t.Group))
		for i, at := range t.Group {
			names[i] = all[at]
		}
		q.internal(t.Freed)
		if t.Whole != nil {
			q.internal(*t.Whole)
			proved++
		}
		if q.isJSON {
			line := jsonTry{"freed", q.file.URI, q.name(), names, "unknown", t.Freed.Checked.Reason(), 0, t.Freed.Elapsed.Seconds(), false, versionText()}
			if t.Whole != nil {
				line.Verdict, line.Clauses, line.Seconds, line.Checked = "proved", len(t.Whole.Checked.Invariant()), t.Whole.Elapsed.Seconds(), t.Whole.Checked.Certified()
			}
			printLine(q.e.stdout, line)
		} else if t.Whole != nil {
			fmt.Fprintf(w, "%s: %s: with these %d latches left free: %s\n  %s\n", q.file.URI, q.name(), len(names), t.Whole, shortList(names))
		}
	})
	live.clear()
	if err != nil && limited.Err() == nil {
		return problem(q.e, "%s: %v", q.file.URI, err)
	}
	if !q.isJSON {
		fmt.Fprintf(w, "%s: %s: %d of %d groups of latches tried, proved without %d of them\n", q.file.URI, q.name(), len(tries), len(groups), proved)
	}
	if proved > 0 {
		return exitOK
	}
	return exitUnknown
}

// shownLatches bounds the latches that a line names.
const shownLatches = 12

// shortList names the first of some latches.
func shortList(names []string) string {
	if more := len(names) - shownLatches; more > 0 {
		names = append(slices.Clone(names[:shownLatches]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
