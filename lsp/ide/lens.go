package ide

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Lens is a text above a row, which runs a command.
type Lens struct {
	Span    source.Span
	Title   string
	Tooltip string
	Command Command
	// Properties are what the command is about: one, or several of a row that the lens
	// refers to together. There is none where it is about the file.
	Properties []design.Property
}

// maxNamed is how many properties of a row have a lens each.
const maxNamed = 3

// Lenses returns the lenses of all properties, row by row; offers says which commands the
// client runs of those that not every client can. A file without properties has one that
// says why, where the client can explain it. The error is that of ctx.
func Lenses(ctx context.Context, d *design.Design, status Statuses, supports func(Command) bool) ([]Lens, error) {
	var all []Lens
	if design.HasClauses(d) {
		return nil, ctx.Err()
	}
	for _, row := range rowsOf(d) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := rowLenses{d: d, status: status, supports: supports, row: row}
		switch {
		case len(row) == 1:
			l.single(row[0])
		case len(row) <= maxNamed:
			for _, p := range row {
				l.named(p)
			}
		default:
			l.together()
		}
		all = append(all, l.all...)
	}
	if !supports(ExplainNone) {
		return all, nil
	}
	switch none := d.NoProperties(); {
	case none.Unwritten != "":
		all = append([]Lens{{Span: d.Text.LineSpan(0), Title: none.Unwritten, Tooltip: "What is missing", Command: ExplainNone}}, all...)
	case len(all) == 0 && none.Why != "":
		all = append(all, Lens{Span: d.Text.LineSpan(0), Title: "no properties: " + none.Why, Tooltip: "What can be checked here", Command: ExplainNone})
	}
	return all, nil
}

// rowsOf returns the properties by the lines that they begin in, in text order of the
// first of each.
func rowsOf(d *design.Design) [][]design.Property {
	var rows [][]design.Property
	at := map[int]int{}
	for _, p := range d.Properties() {
		line := d.Text.LineAt(p.Row.Start)
		i, known := at[line]
		if !known {
			i = len(rows)
			at[line], rows = i, append(rows, nil)
		}
		rows[i] = append(rows[i], p)
	}
	return rows
}

// rowLenses are the lenses of one row as they are put together.
type rowLenses struct {
	d        *design.Design
	status   Statuses
	supports func(Command) bool
	row      []design.Property
	all      []Lens
}

func (l *rowLenses) add(title, tooltip string, c Command, properties ...design.Property) {
	l.all = append(l.all, Lens{Span: properties[0].Row, Title: title, Tooltip: tooltip, Command: c, Properties: properties})
}

// single has a property that is alone in its row say what is known of it, and where a
// counterexample leads.
func (l *rowLenses) single(p design.Property) {
	s := l.status(p.ID)
	l.verdict(p, s, "")
	if s.hasObstacle() && l.supports(ShowObstacle) {
		l.add("what stands in the way", "Why the check of "+p.Name+" has no answer yet", ShowObstacle, p)
	}
	if s.LacksAnswer() && l.supports(Suggest) {
		l.add("suggest lemmas", "Guess facts that might help to prove "+p.Name+", to be added to the text", Suggest, p)
	}
	if s.Counterexample == nil || s.Activity != Idle {
		return
	}
	more := []runLens{
		{ShowTrace, "trace", "The values of %s over all steps"},
		{ShowWhy, "why", "What makes %s fail, cause by cause"},
		{Debug, "debug", "Walk through the counterexample of %s in the debugger"},
	}
	if p.ID.Kind == circuit.PropertyCover {
		more = []runLens{
			{ShowTrace, "run", "The values of %s over all steps"},
			{ShowWhy, "why", "What makes %s 1, cause by cause"},
		}
	}
	for _, more := range more {
		if more.Command == ShowWhy && s.OnlyChecked != nil {
			continue
		}
		// The debugger reads a witness, which has no name for lemmas and covers.
		if l.supports(more.Command) && (more.Command != Debug || p.ID.Kind != circuit.PropertyLemma) {
			l.add(more.title, fmt.Sprintf(more.tooltip, p.Name), more.Command, p)
		}
	}
	l.latches(p, s, "")
}

// runLens is a lens that leads to a run.
type runLens struct {
	Command
	title, tooltip string // that of the latter is a format for the name
}

// named is single for one of a few properties in a row. Its trace leads to the rest.
func (l *rowLenses) named(p design.Property) {
	s := l.status(p.ID)
	l.verdict(p, s, p.Name+": ")
	if !l.supports(ShowTrace) && s.Activity == Idle {
		l.latches(p, s, p.Name+": ")
	}
}

func (l *rowLenses) verdict(p design.Property, s Status, prefix string) {
	command, tooltip := l.click(s)
	l.add(prefix+s.String(), fmt.Sprintf(tooltip, p.Name), command, p)
}

// latches leads to the latches of a counterexample that has some.
func (l *rowLenses) latches(p design.Property, s Status, prefix string) {
	if len(runs.FirstLatches(l.d, s.Counterexample, 1)) > 0 {
		tooltip := "The latches in the counterexample of "
		if p.ID.Kind == circuit.PropertyCover {
			tooltip = "The latches in the run that reaches "
		}
		l.add(prefix+"latches…", tooltip+p.Name, GoToLatch, p)
	}
}

// click returns what a click on a verdict does, and says so.
func (l *rowLenses) click(s Status) (c Command, tooltip string) {
	outcome, fresh := s.outcome()
	switch {
	case s.Activity != Idle:
		return Stop, "Stop checking %s"
	case fresh && outcome == cert.Refuted && s.Counterexample != nil && l.supports(ShowTrace):
		if s.Counterexample.LoopSteps() > 0 {
			return ShowTrace, "The counterexample of %s, a loop that repeats for ever"
		}
		if s.Kind == circuit.PropertyCover {
			return ShowTrace, "The run that reaches %s, at the step in which it is 1"
		}
		return ShowTrace, "The counterexample of %s, at the step in which it fails"
	case fresh && s.OnlyChecked == nil && outcome == cert.Proved && l.supports(ShowProof):
		if s.Kind == circuit.PropertyCover {
			return ShowProof, "What proves that %s is never reached"
		}
		return ShowProof, "What proves %s"
	case s.FaultLine > 0:
		return Check, "%s cannot be checked as long as there is an error"
	case s.Result == nil:
		return Check, "Check %s"
	case s.Freshness == Stale:
		return Check, "What %s depends on has changed since: check it again"
	}
	return Check, "Check %s again"
}

// together sums up the properties of a row that are too many to have a lens each; what
// is refuted has one all the same, up to a few.
func (l *rowLenses) together() {
	kinds := kindOf(l.row)
	counts, active, refuted := l.counts()
	switch {
	case active > 0:
		l.add(fmt.Sprintf("%d %s: %s", len(l.row), kinds, counts), "Stop checking them", Stop, l.row...)
	case counts == notChecked:
		l.add(fmt.Sprintf("check %d %s", len(l.row), kinds), "Check all of them", Check, l.row...)
	default:
		l.add(fmt.Sprintf("%d %s: %s", len(l.row), kinds, counts), "Check all of them again", Check, l.row...)
	}
	for _, p := range refuted[:min(len(refuted), maxNamed)] {
		l.named(p)
	}
}

// coverWords say in few words what is known of a cover.
var coverWords = map[cert.Outcome]string{cert.Refuted: "reached", cert.Proved: "never reached", cert.Unknown: "unknown"}

const notChecked = "not checked"

// counts counts the properties of the row by what is known of them, or being done, and
// returns those with a counterexample.
func (l *rowLenses) counts() (words string, active int, refuted []design.Property) {
	order := [...]string{"refuted", "never reached", "proved", "reached", "unknown", "stale", notChecked, "being checked", "queued"}
	count := map[string]int{}
	for _, p := range l.row {
		s := l.status(p.ID)
		outcome, fresh := s.outcome()
		word := "stale"
		switch {
		case s.Activity == Checking:
			word = "being checked"
		case s.Activity == Queued:
			word = "queued"
		case s.FaultLine > 0:
			word = "unknown"
		case s.Result == nil:
			word = notChecked
		case fresh:
			word = outcome.String()
			if p.ID.Kind == circuit.PropertyCover {
				word = coverWords[outcome]
			}
		}
		if s.Activity != Idle {
			active++
		} else if s.Counterexample != nil {
			refuted = append(refuted, p)
		}
		count[word]++
	}
	var parts []string
	for _, word := range order {
		switch n := count[word]; {
		case n == len(l.row):
			return word, active, refuted
		case n > 0:
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", "), active, refuted
}

// Summary says what is known of some properties together; active says that some are being checked, or
// are to be.
func Summary(properties []design.Property, status Statuses) (words string, active bool) {
	l := rowLenses{status: status, row: properties}
	counts, running, _ := l.counts()
	many := kindOf(properties)
	one := strings.TrimSuffix(many, "s")
	if many == "properties" {
		one = "property"
	}
	return findings.Count(len(properties), one, many) + ": " + counts, running > 0
}

// kindOf returns what several properties are called together.
func kindOf(all []design.Property) string {
	for _, p := range all {
		if p.ID.Kind != circuit.PropertyOutput && !p.Implicit {
			return "properties"
		}
	}
	return "outputs"
}
