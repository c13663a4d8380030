package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// tableRow is a row of the table, as a command.
type tableRow struct{ answers.Row }

// ofFiles asks about each of some files.
func (q tableRow) ofFiles(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags(q.Name)
	options.register(fs)
	format := fs.String("format", "text", "output `format`: text or json")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "%s needs a file", q.Name)
	case !slices.Contains(textOrJSON, *format):
		return problem(e, "%v", errNoFormat("format", *format, textOrJSON))
	}
	for _, name := range files {
		in, err := readAny(ctx, e, name, &options)
		if err != nil {
			code = problem(e, "%v", err)
			continue
		}
		if err = soundIn(ctx, e, in); err == nil {
			if large := design.TooLarge(in); large != nil {
				said := *large
				said.Severity, said.Message = source.Warning, large.Message+". "+answers.LeftOut
				tell(e.stderr, in, said)
			}
			err = q.answer(ctx, e, answers.Asked{Design: in}, *format == "json")
		}
		if err != nil {
			code = problem(e, "%s: %v", name, err)
		}
	}
	return code
}

// ofProperty asks about one property of one file, which is checked first where the question wants
// a verdict.
func (q tableRow) ofProperty(ctx context.Context, e env, args []string) int {
	var files readFlags
	var format string
	which, limits := questionFlags{any: true}, verify.Limits{Wall: verify.DefaultWall}
	wanted, isChecked := q.Of.Wants()
	return which.ask(ctx, e, q.Name, args, &files, &format, func(fs *flag.FlagSet) {
		if isChecked {
			fs.Var((*duration)(&limits.Wall), "timeout", "wall `time` for the check; 0 is no limit")
			fs.Var((*duration)(&limits.CPU), "cpu", "CPU `time` for the check; 0 is no limit")
			files.registerLemmas(fs)
		}
	}, func(ctx context.Context, p *propertyQuestion) int {
		asked := answers.Asked{Design: p.file}
		asked.Property, _ = p.file.Property(p.property)
		if isChecked {
			r := p.check(ctx, limits, lemmasFirst(ctx, verify.Job{Circuit: p.file.Circuit(), Property: p.property, Engine: engineOf(which.engine), Limits: limits}))
			if r.Checked.Outcome() != wanted {
				p.otherwise(asked, r)
				return p.exitCode(r.Checked.Outcome())
			}
			asked.Result = &r
		}
		if err := q.answer(ctx, e, asked, p.isJSON); err != nil {
			return problem(e, "%s: %v", p.file.URI, err)
		}
		return exitOK
	})
}

// otherwise writes what a check has found that leaves nothing to ask.
func (q *propertyQuestion) otherwise(asked answers.Asked, r verify.Result) {
	words := r.Words(q.property.Kind)
	if q.isJSON {
		writeAnswer(q.e, asked, answers.Answer{Text: words + "\n"}, true)
		return
	}
	q.say(words)
}

// answer asks the question, and writes the answer.
func (q tableRow) answer(ctx context.Context, e env, asked answers.Asked, isJSON bool) error {
	asked.More = "; --format json lists all"
	a, err := q.Ask(ctx, asked)
	if err == nil {
		writeAnswer(e, asked, a, isJSON)
	}
	return err
}

// writeAnswer writes what there is to read, or for programs a line.
func writeAnswer(e env, asked answers.Asked, a answers.Answer, isJSON bool) {
	switch {
	case !isJSON:
		fmt.Fprintf(plainWriter{e.stdout}, "%s\n%s", asked.Design.URI, a.Text)
		return
	case a.Data == nil:
		a.Data = map[string]string{"text": a.Text}
	}
	about := struct {
		File string `json:"file"`
		Name string `json:"property,omitempty"`
	}{File: asked.Design.URI}
	if p := asked.Property; p.Name != "" {
		about.Name = orElse(p.Given, p.ID.String())
	}
	printLine(e.stdout, jsonJoined{about, a.Data, map[string]string{"version": versionText()}})
}

// jsonJoined are objects that are written as one.
type jsonJoined []any

// MarshalJSON implements json.Marshaler.
func (all jsonJoined) MarshalJSON() (text []byte, err error) {
	for _, object := range all {
		one, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		text = append(append(text, one[1:len(one)-1]...), ',')
	}
	return slices.Concat([]byte("{"), text[:len(text)-1], []byte("}")), nil
}
