package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// suggestFlags are the flags of suggest.
type suggestFlags struct {
	files  readFlags
	which  questionFlags
	limits verify.Limits
	before time.Duration
	trial  time.Duration
	trials int
	first  int
	try    int
	again  bool
	format string
}

// questionFlags choose one property of a file, and an engine.
type questionFlags struct {
	names   stringList
	indices propertyList
	engine  engines.Spec
	any     bool // the property may be one of any kind
}

func (f *questionFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.names, "property", "the `name` of the property; the first bad-state property of the file unless one is chosen")
	fs.Var(&f.indices, "index", "the property as `KIND:N`, such as bad:0")
	registerEngine(fs, &f.engine)
}

// isChosen reports whether a property was named.
func (f *questionFlags) isChosen() bool { return len(f.names)+len(f.indices) > 0 }

// validate says what is wrong with the choice.
func (f *questionFlags) validate() error {
	if len(f.names)+len(f.indices) > 1 {
		return fmt.Errorf("choose one property, not %d", len(f.names)+len(f.indices))
	}
	if err := f.engine.Validate(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// choose returns the property of a file. Unless any may be chosen it is one of safety.
func (f *questionFlags) choose(n *design.Design) (p circuit.Property, err error) {
	isMeant := func(q circuit.Property) bool {
		switch {
		case len(f.names) > 0:
			return n.PropertyName(q) == f.names[0]
		case len(f.indices) > 0:
			return q == f.indices[0]
		}
		return q.Kind == circuit.PropertyBad || q.Kind == circuit.PropertyOutput
	}
	all := n.PropertyIDs()
	i := slices.IndexFunc(all, isMeant)
	switch {
	case i < 0 && len(f.names) > 0:
		return p, errNoProperty(n, f.names[0])
	case i < 0 && len(f.indices) > 0:
		return p, fmt.Errorf("there is no property %s", f.indices[0])
	case i < 0:
		return p, fmt.Errorf("the circuit has no bad-state property")
	}
	if p = all[i]; !f.any && p.Kind.Question() != circuit.Safety {
		return p, fmt.Errorf("%s is not a bad-state property", p)
	}
	return p, nil
}

func (f *suggestFlags) register(fs *flag.FlagSet) {
	f.limits.Wall = verify.DefaultWall
	f.which.register(fs)
	fs.Var((*duration)(&f.limits.Wall), "timeout", "wall `time` for each check; 0 is no limit")
	fs.Var((*duration)(&f.limits.CPU), "cpu", "CPU `time` for each check; 0 is no limit")
	fs.Var((*size)(&f.limits.Memory), "memory", "heap `size` at which a check ends, such as 512M or 2G; 0 is no limit")
	fs.Var((*duration)(&f.before), "before", "CPU `time` for the first check, whose clauses become guesses; 0 takes the limit of --cpu")
	f.trial = answers.SuggestTrial
	fs.Var((*duration)(&f.trial), "trial", "CPU `time` for each trial whether some guesses are enough for a proof")
	fs.IntVar(&f.trials, "trials", answers.SuggestTrials, "largest number of trials")
	fs.IntVar(&f.first, "first", 5, "number of suggestions to print")
	fs.IntVar(&f.try, "try", 0, "check again with so many of the suggestions as lemmas; those that are not proved are left out")
	fs.BoolVar(&f.again, "again", false, "check again with the lemmas of the first check and without suggestions, and compare")
	fs.StringVar(&f.format, "format", "text", "output `format`: text or json")
	f.files.registerLemmas(fs)
	f.files.register(fs)
}

// validate says what is wrong with the flags.
func (f *suggestFlags) validate() error {
	switch {
	case !slices.Contains(textOrJSON, f.format):
		return errNoFormat("format", f.format, textOrJSON)
	case f.first < 1 || f.try < 0 || f.trials < 0:
		return fmt.Errorf("--first, --try and --trials count: expected 1, 0 and 0 or more")
	}
	return f.which.validate()
}

// suggestLemmas checks a property and guesses lemmas when that has no answer.
func suggestLemmas(ctx context.Context, e env, args []string) int {
	var f suggestFlags
	fs := newFlags("suggest")
	f.register(fs)
	in, code, done := readOne(ctx, fs, e, args, &f.files, f.validate)
	if done {
		return code
	}
	p, err := soundFor(ctx, e, in, timeoutOf(fs), f.which.choose)
	if err != nil {
		return problem(e, "%s: %v", in.URI, err)
	}
	s := &suggesting{e: e, flags: &f, file: in, property: p}
	return s.run(ctx)
}

// suggesting is a run of suggest.
type suggesting struct {
	e        env
	flags    *suggestFlags
	file     *design.Design
	property circuit.Property
}

// jsonChecked is a line of suggest and isolate --format json about a check.
type jsonChecked struct {
	Type    string  `json:"type"` // check, again, lemma or tried
	File    string  `json:"file"`
	Name    string  `json:"property"`
	Verdict string  `json:"verdict"`
	Reason  string  `json:"reason"`
	Depth   int     `json:"depth"`
	Clauses int     `json:"clauses"` // of the invariant
	Left    int     `json:"left"`    // clauses that a check without an answer has left
	Seconds float64 `json:"seconds"` // wall
	Checked bool    `json:"checked"`
	Version string  `json:"version"`
}

// jsonSuggestion is a line of suggest --format json about a suggestion.
type jsonSuggestion struct {
	Type      string   `json:"type"` // suggestion
	File      string   `json:"file"`
	Rank      int      `json:"rank"` // from 1
	Kind      string   `json:"kind"`
	Facts     []string `json:"facts"`           // in words; together they are the lemma
	Lemma     string   `json:"lemma,omitempty"` // as an expression, such as check --lemma takes, where the text has one
	Clauses   int      `json:"clauses"`         // that they are
	Latches   int      `json:"latches"`         // that they refer to
	Enough    bool     `json:"enough"`          // with them the property was proved in a trial
	Inductive bool     `json:"inductive"`       // by themselves
	Stronger  bool     `json:"stronger"`        // the property follows at once
	Steps     int      `json:"steps"`           // in which a bounded search found no violation
	Seconds   float64  `json:"seconds"`         // until all were found
	Version   string   `json:"version"`
}

func (s *suggesting) run(ctx context.Context) int {
	live := newProgressLine(s.e)
	begin := time.Now()
	report := func(p verify.Progress) {
		live.write(func() statusLine {
			return statusLine{"", s.file.URI, fmt.Sprintf(": %s: depth %d · %s · %.0f s", s.property, p.Depth, answers.Count(p.Lemmas, "lemma", "lemmas"), time.Since(begin).Seconds())}
		})
	}
	job := verify.Job{Circuit: s.file.Circuit(), Property: s.property, Limits: s.flags.limits, Engine: engineOf(s.flags.which.engine)}
	if s.flags.before > 0 {
		job.Limits.CPU = s.flags.before
	}
	job.Common = lemmasFirst(ctx, job)
	first := verify.Run(ctx, job, report)
	job.Limits = s.flags.limits
	live.clear()
	s.say("check", first)
	if first.Checked.Outcome() != cert.Unknown || ctx.Err() != nil {
		return exitCode(exitOK, map[verify.Standing]bool{verify.StandingOf(s.property.Kind, first.Checked.Outcome()): true})
	}
	if s.flags.again {
		second := job
		second.Engine, second.Names = engineOf(s.flags.which.engine), positionNames(s.file.Circuit())
		second.Earlier = []*verify.Earlier{first.Earlier(ctx, s.file.Circuit(), second.Names)}
		s.say("again", verify.Run(ctx, second, report))
		live.clear()
	}
	property, _ := s.file.Property(s.property)
	found, err := answers.Guesses(ctx, answers.Question{
		Document: s.file, Property: property, Engine: engineOf(s.flags.which.engine), Run: verify.Limits{CPU: s.flags.trial, Memory: s.flags.limits.Memory},
		Show: func(doing string) { live.write(func() statusLine { return statusLine{"", s.file.URI, ": " + doing} }) },
	}, s.flags.trials, first)
	live.clear()
	if err != nil && ctx.Err() == nil {
		return problem(s.e, "%s: %v", s.file.URI, err)
	}
	took := time.Since(begin) - first.Elapsed
	shown := found[:min(len(found), s.flags.first)]
	for i, x := range shown {
		s.suggestion(i+1, x, took)
	}
	if err := s.paste(shown); err != nil {
		return problem(s.e, "%s: %v", s.file.URI, err)
	}
	if s.flags.try == 0 || len(found) == 0 {
		return exitUnknown
	}
	return s.tryOut(ctx, found[:min(len(found), s.flags.try)], first, report)
}

// lemmasFirst checks the lemmas of a circuit before the one that is asked about, each within limits, and returns what is
// known then.
func lemmasFirst(ctx context.Context, job verify.Job) *verify.Common {
	job.Common = verify.NewCommon(job.Circuit)
	asked := job.Property
	for i := range job.Circuit.Lemmas() {
		if job.Property = (circuit.Property{Kind: circuit.PropertyLemma, Index: i}); job.Property == asked {
			break
		}
		verify.Run(ctx, job, nil)
	}
	return job.Common
}

// positionNames calls latches and inputs by their positions.
func positionNames(c *circuit.Circuit) (names verify.Names) {
	for i := range c.Latches() {
		names.Latches = append(names.Latches, fmt.Sprintf("l%d", i))
	}
	for i := range c.Inputs() {
		names.Inputs = append(names.Inputs, fmt.Sprintf("i%d", i))
	}
	return names
}

// say writes what came of a check.
func (s *suggesting) say(what string, r verify.Result) {
	name := orElse(s.file.PropertyName(s.property), s.property.String())
	if r.Internal != nil {
		fmt.Fprintf(s.e.stderr, "aiglens: internal error on %s, please report it: %v\n", s.file.URI, r.Internal)
	}
	left := 0
	if r.HasUnfinished() {
		left = len(r.Unfinished(context.Background(), s.file.Circuit(), s.property))
	}
	if s.flags.format == "json" {
		printLine(s.e.stdout, jsonChecked{what, s.file.URI, name, r.Checked.Outcome().String(), r.Checked.Reason(), r.Checked.Depth(),
			len(r.Checked.Invariant()), left, r.Elapsed.Seconds(), r.Checked.Certified(), versionText()})
		return
	}
	words := map[string]string{"check": "", "again": "again, with the lemmas of the first check: ", "tried": "with the lemmas that are proved: "}[what]
	fmt.Fprintf(plainWriter{s.e.stdout}, "%s: %s: %s%s\n", s.file.URI, name, words, r)
}

// shownFacts bounds the facts of one suggestion that are printed.
const shownFacts = 12

// suggestion writes one.
func (s *suggesting) suggestion(rank int, x answers.Guess, took time.Duration) {
	words := x.Facts
	if s.flags.format == "json" {
		lemma, _ := answers.LemmaText(s.file, x.Clauses)
		printLine(s.e.stdout, jsonSuggestion{"suggestion", s.file.URI, rank, x.Kind.String(), words, lemma, len(x.Clauses), x.Latches, x.Enough, x.Inductive, x.Stronger, x.Steps, took.Seconds(), versionText()})
		return
	}
	w := plainWriter{s.e.stdout}
	fmt.Fprintf(w, "guess %d, not proved: %s\n", rank, x.Merits())
	for _, fact := range words[:min(len(words), shownFacts)] {
		fmt.Fprintf(w, "  %s\n", fact)
	}
	if more := len(words) - shownFacts; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// paste writes what adds guesses to the file as lemmas: lines where they all stand together, else the
// changes as patch reads them. They are the bytes of the file, but on a terminal as plainWriter writes them.
func (s *suggesting) paste(guesses []answers.Guess) error {
	if s.flags.format == "json" || len(guesses) == 0 {
		return nil
	}
	w := plainWriter{s.e.stdout}
	if s.file.IsBinary() {
		fmt.Fprint(w, "a binary file has no lines; of what aiglens convert --to aag writes, suggest shows the lines that add a guess as a lemma\n")
		return nil
	}
	edits, added, err := answers.WriteGuesses(s.file, guesses)
	if err != nil {
		return err
	}
	var exact io.Writer = s.e.stdout
	if s.e.onTerminal {
		exact = w
	}
	name := s.file.URI
	if left := len(guesses) - added; left > 0 {
		fmt.Fprintf(w, "%s: the file has no words for %d of the guesses\n", name, left)
	}
	switch {
	case added == 0:
		return nil
	case len(edits) == 1 && edits[0].Span.Length == 0:
		line, _ := s.file.Text.LineColumn(edits[0].Span.Start)
		fmt.Fprintf(w, "these lines before line %d of %s make lemmas of the guesses:\n", line, name)
		_, _ = io.WriteString(exact, edits[0].NewText)
		return nil
	}
	text, err := s.file.Text.Apply(edits)
	if err == nil {
		into := "; paste it into: patch " + name
		if name == design.StandardInput {
			into = ":"
		}
		fmt.Fprintf(w, "this makes lemmas of the guesses%s\n", into)
		writeDiff(exact, name, "", s.file.Text, text)
	}
	return err
}

// tryOut has suggestions proved as lemmas of the circuit, and then the property with those
// that are.
func (s *suggesting) tryOut(ctx context.Context, all []answers.Guess, before verify.Result, report func(verify.Progress)) int {
	b := circuit.NewBuilder(s.file.Circuit().NumVars())
	lit := s.file.Circuit().CopyTo(b)
	s.file.Circuit().CopyRoles(b, lit)
	first := len(s.file.Circuit().Lemmas())
	for _, x := range all {
		b.Lemma(b.Clauses(x.Clauses, lit), 0)
	}
	c := b.Build()
	common := verify.NewCommon(c)
	names := positionNames(c)
	earlier := []*verify.Earlier{before.Earlier(ctx, s.file.Circuit(), names)}
	judge := func(p circuit.Property) verify.Result {
		return verify.Run(ctx, verify.Job{Circuit: c, Property: p, Limits: s.flags.limits, Engine: engineOf(s.flags.which.engine), Common: common, Earlier: earlier, Names: names}, report)
	}
	for i := range all {
		r := judge(circuit.Property{Kind: circuit.PropertyLemma, Index: first + i})
		s.lemma(i+1, r)
	}
	r := judge(s.property)
	s.say("tried", r)
	return exitCode(exitOK, map[verify.Standing]bool{verify.StandingOf(s.property.Kind, r.Checked.Outcome()): true})
}

// lemma writes what came of the check of a suggestion.
func (s *suggesting) lemma(rank int, r verify.Result) {
	if s.flags.format == "json" {
		printLine(s.e.stdout, jsonChecked{"lemma", s.file.URI, fmt.Sprint(rank), r.Checked.Outcome().String(), r.Checked.Reason(), r.Checked.Depth(),
			len(r.Checked.Invariant()), 0, r.Elapsed.Seconds(), r.Checked.Certified(), versionText()})
		return
	}
	fmt.Fprintf(plainWriter{s.e.stdout}, "guess %d: %s\n", rank, r.Words(circuit.PropertyLemma))
}
