package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design/answers"
	"aiglens/design/btor2design"
	"aiglens/design/runs"
	"aiglens/design/verilogdesign"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
)

// printer writes answers in one output format.
type printer interface {
	// file comes before the answers about the file.
	file(*fileReport)
	answer(*answer)
	end()
	// code turns the exit code of check into that of the format.
	code(int) int
}

// formatHWMCC is the format of answers that the competitions read.
const formatHWMCC = "hwmcc"

var formats = map[string]func(io.Writer, *checkFlags) printer{
	"text":      func(w io.Writer, f *checkFlags) printer { return &textPrinter{w: plainWriter{w}, styled: w, flags: f} },
	"json":      func(w io.Writer, f *checkFlags) printer { return &jsonPrinter{w: w, flags: f} },
	formatHWMCC: func(w io.Writer, f *checkFlags) printer { return &hwmccPrinter{w: w} },
	"sarif":     func(w io.Writer, f *checkFlags) printer { return &sarifPrinter{w: w} },
	"junit":     func(w io.Writer, f *checkFlags) printer { return &junitPrinter{w: w} },
}

// label names a property for a person: bad:0 (name), or assert name.
func label(a *answer) string { return runs.PropertyTitle(a.in, a.property) }

// place returns the file, and where statements of its language are properties also the line and
// the column.
func (a *answer) place() string {
	p, _ := a.in.Property(a.property)
	if p.Statement == "" || p.Row.Length == 0 {
		return a.in.URI
	}
	line, column := a.in.Text.LineColumn(p.Row.Start)
	return fmt.Sprintf("%s:%d:%d", a.in.URI, line, column)
}

// verdict says an answer in the words that every surface uses.
func (a *answer) verdict() string {
	if a.fault != nil {
		return "unknown: " + a.reason()
	}
	if r := a.clauses(); r != nil {
		return r.WordsWithin(a.query.limits.Wall)
	}
	words := a.result.Words(a.property.Kind) + a.leftOpen().Words()
	if a.vacuity != "" {
		words += " · vacuous: " + a.vacuity
	}
	if used := a.lemmas(); len(used) > 0 {
		words += " · with lemma " + strings.Join(used, ", ")
	}
	if len(a.missing) > 0 {
		words += " · not worked out: " + strings.Join(a.missing, ", ")
	}
	return words
}

// standingStyles are those of the first word of a verdict.
var standingStyles = map[verify.Standing]string{verify.Passed: green, verify.Failed: red, verify.Open: yellow}

type textPrinter struct {
	w      io.Writer
	styled io.Writer // gets the line of a verdict, with its style
	flags  *checkFlags
}

// file says whether the deadline has left it unread: the diagnostics are on standard error.
func (p *textPrinter) file(f *fileReport) {
	if f.unread {
		fmt.Fprintf(p.w, "%s: %s\n", f.name, f.unchecked())
	}
}

func (p *textPrinter) answer(a *answer) {
	words := a.verdict()
	if a.result.Cached {
		words += " · from an earlier run"
	}
	if a.fault != nil {
		words += ": " + a.fault.Message
	}
	place, words := plainText(a.place()+": "+label(a)), plainText(words)
	if hasColours(p.styled) {
		word := len(words) - len(strings.TrimLeftFunc(words, unicode.IsLetter))
		words = standingStyles[a.standing()] + words[:word] + plainStyle + words[word:]
	}
	fmt.Fprintf(p.styled, "%s: %s\n", place, words)
	if p.flags.stats {
		for _, key := range slices.Sorted(maps.Keys(a.result.Stats)) {
			fmt.Fprintf(p.w, "  %-20s %.6g\n", key, a.result.Stats[key])
		}
	}
	if a.unneeded != nil {
		fmt.Fprintf(p.w, "  can change without breaking this proof: %s\n", a.unneeded.Shares())
	}
	if a.facts != nil {
		for _, fact := range a.facts.All() {
			fmt.Fprintf(p.w, "  %s\n", fact)
		}
		if text := a.facts.MissedWords(); text != "" {
			fmt.Fprintf(p.w, "  %s\n", text)
		}
	}
}
func (p *textPrinter) end()           {}
func (p *textPrinter) code(c int) int { return c }

// jsonAnswer is one line of --format json.
type jsonAnswer struct {
	File     string               `json:"file"`
	Property answers.PropertyData `json:"property"`
	Verdict  string               `json:"verdict"` // proved, refuted or unknown; of a cover reached, never or unknown
	Reason   string               `json:"reason"`  // of unknown
	Engine   string               `json:"engine"`
	Solver   string               `json:"solver"`           // of this run; of an earlier one it is not known
	Depth    int                  `json:"depth"`            // frames or bound reached
	Clauses  int                  `json:"clauses"`          // of the invariant
	Ranks    int                  `json:"ranks,omitempty"`  // of the proof of a justice property
	Steps    int                  `json:"steps"`            // input vectors of the trace; the bad step is steps − 1
	Loop     *int                 `json:"loop,omitempty"`   // of a justice property: the step from which on the steps repeat for ever
	Seconds  float64              `json:"seconds"`          // wall
	Checked  bool                 `json:"checked"`          // the certificate passed
	Cached   bool                 `json:"cached,omitempty"` // the answer of an earlier run, of Engine
	Vacuous  bool                 `json:"vacuous"`
	Vacuity  string               `json:"vacuity,omitempty"`      // why: a sentence
	Lemmas   []string             `json:"lemmas,omitempty"`       // those that the proof was given
	Missing  []string             `json:"notWorkedOut,omitempty"` // of certificate, vacuity, facts and unneeded what a limit has cut off
	LeftOpen bool                 `json:"leftOpen,omitempty"`     // the counterexample goes through parts that the file leaves open
	// Starts is the number of flip-flops whose start the file does not give, to which the
	// counterexample may be due.
	Starts int `json:"startsNotGiven,omitempty"`
	// Synthesis says what the circuit is that of, where the file is Verilog.
	Synthesis string `json:"synthesis,omitempty"`
	// Diagnostics are what stands in the way of a verdict, or what it leaves open.
	Diagnostics []jsonDiagnostic `json:"diagnostics,omitempty"`

	Seed    int64  `json:"seed"`
	Options string `json:"options"`
	Version string `json:"version"`

	Stats map[string]float64 `json:"stats,omitempty"`
	Facts []jsonFact         `json:"facts,omitempty"` // what the proof says, with --facts
	// FactsMissed are words about which the proof may say more.
	FactsMissed []string `json:"factsMissed,omitempty"`
	// Unneeded is what the proof does not need, with --unneeded: the last field, which unneededLists writes.
	Unneeded *jsonUnneeded `json:"unneeded,omitempty"`
}

// jsonUnchecked is the line of a file of which nothing was checked, which is not an error.
type jsonUnchecked struct {
	File    string `json:"file"`
	Verdict string `json:"verdict,omitempty"` // unknown: the file was not read; none of a file without properties
	Reason  string `json:"reason"`
}

// verdictWord is the outcome in one word: of a cover, whether some run makes it 1.
func (a *answer) verdictWord() string {
	switch o := a.outcome(); {
	case a.property.Kind != circuit.PropertyCover || o == cert.Unknown:
		return o.String()
	case o == cert.Refuted:
		return inquiry.Reached.String()
	}
	return inquiry.Never.String()
}

type jsonPrinter struct {
	w     io.Writer
	flags *checkFlags
	line  []byte         // the last one, whose room the next one takes
	lists *unneededLists // of the file of the last answer with --unneeded
}

// file says why there is no answer. The diagnostics are on standard error, and those
// of a property with its answer.
func (p *jsonPrinter) file(f *fileReport) {
	switch {
	case f.err != nil:
		printLine(p.w, jsonError{f.name, f.err.Error()})
	case f.unread:
		printLine(p.w, jsonUnchecked{f.name, cert.Unknown.String(), notRead})
	case f.without != "":
		printLine(p.w, jsonUnchecked{File: f.name, Reason: f.without})
	}
}

func (p *jsonPrinter) answer(a *answer) {
	checked, open := a.result.Checked, a.leftOpen()
	line := jsonAnswer{
		File:        a.in.URI,
		Property:    answers.PropertyDataOf(a.in, a.property),
		Verdict:     a.verdictWord(),
		Reason:      a.reason(),
		Engine:      a.result.Engine,
		Solver:      p.flags.engine.Solver,
		Depth:       checked.Depth(),
		Clauses:     len(checked.Invariant()),
		Steps:       checked.Trace().Steps(),
		Seconds:     a.result.Elapsed.Seconds(),
		Checked:     checked.Certified(),
		Cached:      a.result.Cached,
		Vacuous:     a.vacuity != "",
		Vacuity:     a.vacuity,
		Facts:       jsonFacts(a.facts),
		FactsMissed: a.facts.Missed(),
		LeftOpen:    len(open.Parts) > 0,
		Starts:      open.Starts,
		Lemmas:      a.lemmas(),
		Missing:     a.missing,
		Seed:        p.flags.engine.Seed,
		Options:     p.flags.options(),
		Version:     versionText(),
	}
	if r := a.clauses(); r != nil {
		line.Depth, line.Clauses, line.Steps = int(r.Stats["levels"]), hornverify.Lemmas(r.Checked.Model()), len(r.Checked.Derivation())
		line.Checked, line.Solver = a.outcome() != cert.Unknown, ""
	}
	if first, ok := checked.Loop(); ok {
		line.Loop = &first
	}
	if s := verilogdesign.SynthesisOf(a.in); s != nil {
		line.Synthesis = s.Words()
	}
	if r := checked.Ranking(); r != nil {
		line.Ranks = len(r.Ranks)
	}
	if line.Cached {
		line.Solver = ""
	}
	for _, d := range a.reasons() {
		line.Diagnostics = append(line.Diagnostics, jsonDiagnosticOf(a.in, d))
	}
	if p.flags.stats {
		line.Stats = a.result.Stats
	}
	text, _ := json.Marshal(line) // strings and numbers always encode
	p.line = append(p.line[:0], text...)
	if u := a.unneeded; u != nil {
		if p.lists == nil || p.lists.parts != u.Parts {
			p.lists = newUnneededLists(u.Parts)
		}
		p.line = append(p.line[:len(p.line)-1], `,"unneeded":`...)
		p.line = append(p.lists.appendTo(p.line, u), '}')
	}
	p.line = append(p.line, '\n')
	_, _ = p.w.Write(p.line) // as printLine does
}
func (p *jsonPrinter) end()           {}
func (p *jsonPrinter) code(c int) int { return c }

// hwmccPrinter answers as the hardware model checking competitions want it.
type hwmccPrinter struct {
	w        io.Writer
	outcome  cert.Outcome
	answered bool
	unread   bool // some file was not read
}

func (p *hwmccPrinter) file(f *fileReport) { p.unread = p.unread || f.unread }

func (p *hwmccPrinter) answer(a *answer) {
	p.answered = true
	p.outcome = a.outcome()
	comment := "c"
	if a.in.Kind == btor2design.Format {
		comment = ";"
	}
	w := a.witness
	if p.outcome == cert.Refuted && a.unwritten != nil {
		p.outcome = cert.Unknown // the answer could not be checked: it is left out where answers are checked
	}
	if p.outcome != cert.Refuted {
		w = runs.WithoutRun(a.in, a.property, p.outcome == cert.Proved)
	}
	data, err := w.Append(nil)
	if err != nil { // no property of the competitions
		p.outcome = cert.Unknown
		data = fmt.Appendf(nil, "%s %s; no witness: %v\n", comment, a.verdict(), err)
	}
	// The program that reads this sees a short write as an end of file.
	_, _ = p.w.Write(data)
	if a.unwritten != nil {
		fmt.Fprintf(p.w, "%s %s; no witness: %v\n", comment, a.verdict(), a.unwritten)
	}
	if words := a.leftOpen().Words(); words != "" {
		fmt.Fprintf(p.w, "%s %s\n", comment, strings.TrimPrefix(words, " · "))
	}
}

// end answers for files that were not read: which property they have is not known.
func (p *hwmccPrinter) end() {
	if p.unread && !p.answered {
		fmt.Fprint(p.w, "2\n.\n")
	}
}

// The exit codes of the competitions.
const (
	exitHWMCCRefuted = 10
	exitHWMCCProved  = 20
)

func (p *hwmccPrinter) code(c int) int {
	switch {
	case c == exitUsage:
		return c
	case p.outcome == cert.Refuted:
		return exitHWMCCRefuted
	case p.outcome == cert.Proved:
		return exitHWMCCProved
	}
	return 0
}
