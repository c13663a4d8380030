package life

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/explicit"
	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
)

// status is what aiglens/status and aiglens.properties say of a property.
type status struct {
	Property, Name, Verdict, Freshness, Text, Message string
	Range                                             lsptest.Range
	Seconds                                           float64
	Depth                                             int
	Cached                                            bool
}

// diagnostic is one of those that the server publishes.
type diagnostic struct {
	Range         lsptest.Range
	Severity      int
	Code, Message string
}

// file is what the editor knows of a file, open or not.
type file struct {
	uri, language string
	isOpen        bool
	buffer        lsptest.Buffer
	version       int
	texts         map[int]*oracle // by version
	// anyVerdict says that the text was not made to be decided by explicit search.
	anyVerdict bool
	// dependsOnOthers says that the text means what other files make of it, of which the
	// oracle knows nothing.
	dependsOnOthers bool

	toldVersion int
	statuses    []status // as aiglens/status has told
	told        []time.Time
	diagnostics []diagnostic
	published   int // version
}

func (f *file) opened(language, text string) {
	f.language, f.isOpen = language, true
	f.buffer = lsptest.Buffer{Text: text, Encoding: "utf-16"}
	if f.texts == nil {
		f.texts = map[int]*oracle{}
	}
	f.nextVersion()
}

func (f *file) nextVersion() {
	f.version++
	f.texts[f.version] = &oracle{uri: f.uri, language: f.language, text: f.buffer.Text, free: f.anyVerdict, knowsTooLittle: f.dependsOnOthers}
}

// oracle knows what is true of a text.
type oracle struct {
	uri, language, text string
	free                bool
	knowsTooLittle      bool // of other files
	doc                 *design.Design
	properties          []design.Property
	faults              map[string]int // lines
	steps               map[string]int // in which a property is violated first
}

// Bounds of circuits that are decided by explicit search.
const (
	maxExplicit = 14 // latches
	maxInputs   = 8
)

// know computes all but the steps.
func (o *oracle) know() {
	if o.doc != nil {
		return
	}
	kind := formats.All().Recognise(o.language, o.uri, o.text)
	o.doc = design.New(o.uri, kind, 0, source.NewText(o.text), design.Options{})
	o.properties = o.doc.Properties()
	o.faults, o.steps = map[string]int{}, map[string]int{}
	for _, p := range o.properties {
		if fault := o.doc.Fault(p.ID); fault != nil {
			o.faults[p.ID.String()] = o.doc.Text.LineAt(fault.Span.Start) + 1
		}
	}
}

// step returns the first step in which a property can be violated, 0 for a justice
// property that can be; ok is false when the circuit is too large for that.
func (o *oracle) step(p circuit.Property) (step int, ok bool) {
	step, known := o.steps[p.String()]
	if known {
		return step, true
	}
	if o.free {
		return 0, false
	}
	whole := o.doc.Circuit()
	if isSmall(whole) {
		step = firstViolation(whole, p)
	} else if cone, err := whole.Cone(p); err == nil && isSmall(cone.Circuit) {
		step = firstViolation(cone.Circuit, cone.Property())
	} else {
		return 0, false
	}
	o.steps[p.String()] = step
	return step, true
}

func firstViolation(c *circuit.Circuit, p circuit.Property) int {
	switch {
	case p.Kind != circuit.PropertyJustice:
		return explicit.FirstBadStep(c, p)
	case explicit.Violated(c, p):
		return 0
	}
	return explicit.NotViolated
}

func isSmall(c *circuit.Circuit) bool {
	return len(c.Latches()) <= maxExplicit && len(c.Inputs()) <= maxInputs
}

// takeStatus takes in what the server tells and looks whether it may be so.
func (e *editor) takeStatus(m lsptest.Message) {
	e.t.Helper()
	var p struct {
		URI        string
		Version    *int
		Whole      bool
		Properties []status
	}
	e.decode(m.Params, &p)
	f := e.files[p.URI]
	if f == nil { // of a survey
		f = &file{uri: p.URI, texts: map[int]*oracle{}}
		e.files[p.URI] = f
	}
	f.told = append(f.told, m.At)
	if p.Whole {
		f.statuses = p.Properties
	} else {
		for _, s := range p.Properties {
			i := slices.IndexFunc(f.statuses, func(old status) bool { return old.Property == s.Property })
			if i < 0 {
				e.t.Errorf("%s: told of %s, which is none of %v", f.uri, s.Property, f.statuses)
				return
			}
			f.statuses[i] = s
		}
	}
	var o *oracle
	if p.Version != nil {
		if o = f.texts[*p.Version]; o == nil || *p.Version < f.toldVersion {
			e.t.Errorf("%s: told of version %d after %d, the editor has %d", f.uri, *p.Version, f.toldVersion, f.version)
			return
		}
		f.toldVersion = *p.Version
	}
	for _, problem := range checkStatuses(o, f.statuses) {
		e.t.Errorf("%s: told of version %d: %s", f.uri, f.toldVersion, problem)
		if o != nil && len(o.text) < 4<<10 {
			e.t.Logf("its text:\n%s", o.text)
		}
	}
}

// checkStatuses holds statuses against the text that they are about; o is nil when
// that is not known.
func checkStatuses(o *oracle, all []status) (problems []string) {
	if o != nil && (o.knowsTooLittle || strings.Contains(o.text, "\n.search ")) {
		o = nil
	}
	if o != nil {
		o.know()
		if len(all) != len(o.properties) {
			return []string{fmt.Sprintf("%d properties of %d: %+v", len(all), len(o.properties), all)}
		}
	}
	for i, s := range all {
		say := func(format string, args ...any) {
			problems = append(problems, fmt.Sprintf(format, args...)+fmt.Sprintf(": %+v", s))
		}
		checkStatus(s, say)
		if o == nil {
			continue
		}
		p := o.properties[i]
		line := lsptest.Buffer{Text: o.text, Encoding: "utf-16"}.PositionOf(p.Row.Start).Line // also after a lone \r
		if s.Property != p.ID.String() || s.Name != p.Name || s.Range.Start.Line != line {
			say("expected %s %s on line %d", p.ID, p.Name, line+1)
		}
		at, hasFault := o.faults[s.Property]
		named, names := s.faultLine()
		switch {
		case hasFault && s.Freshness == "fresh" && (s.Verdict != "unknown" || !names):
			say("fresh beside an error on line %d, which it does not name", at)
		case names && (!hasFault || named != at):
			say("the error is on line %d", at)
		case !hasFault && s.isPresent():
			checkTruth(o, p.ID, s, say)
		}
	}
	return problems
}

// isPresent says that the status gives a verdict on the present text.
func (s status) isPresent() bool {
	return (s.Verdict == "proved" || s.Verdict == "refuted") && !strings.HasPrefix(s.Message, "stale · ")
}

var (
	refutedAt = regexp.MustCompile(`^refuted at step (\d+)`)
	checking  = regexp.MustCompile(`^checking · depth (\d+) · (1 lemma|[\d,]+ lemmas)$`)
)

// checkStatus looks whether the members fit each other.
func checkStatus(s status, say func(string, ...any)) {
	switch s.Freshness {
	case "fresh":
		if s.Verdict == "none" || strings.HasPrefix(s.Message, "stale") || s.Text != s.Message {
			say("not fresh")
		}
	case "stale":
		switch {
		case s.Verdict == "none":
			if s.Text != "check" || s.Message != "" {
				say("no verdict")
			}
		case s.Text != s.Message:
			say("the text is not the message")
		case !strings.HasPrefix(s.Message, "stale · ") && !s.isFaulty():
			say("not stale")
		}
	case "queued":
		if s.Text != "queued" {
			say("not queued")
		}
	case "running":
		if found := checking.FindStringSubmatch(s.Text); found == nil || found[1] != strconv.Itoa(s.Depth) {
			say("not running")
		}
	}
	words := strings.TrimPrefix(s.Message, "stale · ")
	if s.Verdict == "none" != (s.Message == "") || s.Verdict != "none" && !strings.HasPrefix(words, s.Verdict) {
		say("the message does not say the verdict")
	}
}

// checkTruth compares a verdict with explicit search.
func checkTruth(o *oracle, p circuit.Property, s status, say func(string, ...any)) {
	step, ok := o.step(p)
	if !ok {
		return
	}
	switch found := refutedAt.FindStringSubmatch(s.Message); {
	case s.Verdict == "proved" && step != explicit.NotViolated, s.Verdict == "refuted" && step == explicit.NotViolated:
		say("wrong: violated at step %d (−1: never)", step)
	case s.Verdict == "refuted" && p.Kind == circuit.PropertyJustice:
		if !strings.Contains(s.Message, "the loop of step") {
			say("no loop")
		}
	case s.Verdict == "refuted" && found == nil:
		say("no step")
	case s.Verdict == "refuted":
		if n, _ := strconv.Atoi(found[1]); n < step {
			say("wrong: violated at step %d at the earliest", step)
		}
	}
}

// takeDiagnostics takes in what the server publishes.
func (e *editor) takeDiagnostics(m lsptest.Message) {
	e.t.Helper()
	var p struct {
		URI         string
		Version     int
		Diagnostics []diagnostic
	}
	e.decode(m.Params, &p)
	f := e.files[p.URI]
	if f == nil {
		f = &file{uri: p.URI, texts: map[int]*oracle{}}
		e.files[p.URI] = f
	}
	f.diagnostics, f.published = p.Diagnostics, p.Version
	for _, d := range p.Diagnostics {
		if d.Code == "internal-error" && !e.killsWorkers {
			e.t.Errorf("%s: %s", f.uri, d.Message)
		}
	}
}

// verdictDiagnostics returns those that tell verdicts.
func (f *file) verdictDiagnostics() []string {
	var all []string
	for _, d := range f.diagnostics {
		switch d.Code {
		case "refuted", "proved", "unknown":
			// The message may go on about what the text leaves open, and that of the last
			// one about those that are not shown.
			message, _, _ := strings.Cut(d.Message, ";")
			message, _, _ = strings.Cut(message, " (and ")
			all = append(all, fmt.Sprintf("%d %d %s %s", d.Range.Start.Line, d.Severity, d.Code, message))
		}
	}
	slices.Sort(all)
	return all
}

// expectedDiagnostics returns what they must be for some statuses.
func (e *editor) expectedDiagnostics(statuses []status) []string {
	var all []string
	for _, s := range statuses {
		severity := 0
		switch stale := strings.HasPrefix(s.Message, "stale · "); {
		case s.isFaulty(), stale && s.Verdict != "refuted":
		case stale, s.Verdict == "proved" && e.showsProved:
			severity = 4
		case s.Verdict == "refuted":
			severity = 1
		case s.Verdict == "unknown":
			severity = 3
		}
		if severity > 0 {
			all = append(all, fmt.Sprintf("%d %d %s %s: %s", s.Range.Start.Line, severity, s.Verdict, s.Name, s.Message))
		}
	}
	slices.Sort(all)
	return all
}

// withoutProgress leaves out what changes while a check runs.
func withoutProgress(all []status) []status {
	all = slices.Clone(all)
	for i := range all {
		if all[i].Freshness == "running" {
			all[i].Text, all[i].Depth = "", 0
		}
	}
	return all
}

// agree asks for everything that shows the properties of a file, and waits until what
// the server tells by itself says the same. It returns their statuses.
func (e *editor) agree(f *file) []status {
	e.t.Helper()
	var last []status
	failed := e.t.Failed()
	defer func() {
		if e.t.Failed() && !failed {
			e.t.Logf("%s: asked %+v, told %+v, published %q, expected %q", f.uri, last, f.statuses, f.verdictDiagnostics(), e.expectedDiagnostics(last))
		}
	}()
	e.until(f.uri+" to agree with itself", func() bool {
		before := e.properties(f)
		titles := e.titles(f)
		hovers := e.hovers(f, before)
		after := e.properties(f)
		if !slices.Equal(before, after) {
			return false // a check has gone on meanwhile
		}
		if o := f.texts[f.version]; o != nil {
			for _, problem := range checkStatuses(o, after) {
				e.t.Errorf("%s, version %d: %s", f.uri, f.version, problem)
			}
		}
		last = after
		if problem := disagreement(titles, hovers, after); problem != "" {
			if !slices.ContainsFunc(after, status.isActive) {
				e.t.Errorf("%s: %s", f.uri, problem)
			}
			return false // a check may have been replaced by one that looks the same
		}
		e.take()
		return slices.Equal(withoutProgress(f.statuses), withoutProgress(after)) && slices.Equal(f.verdictDiagnostics(), e.expectedDiagnostics(after))
	})
	return last
}

var faultWords = regexp.MustCompile(`^unknown: error on line ([0-9]+): .`)

// faultLine returns the line of the error that forbids a verdict, where there is one.
func (s status) faultLine() (line int, ok bool) {
	found := faultWords.FindStringSubmatch(s.Message)
	if found == nil {
		return 0, false
	}
	line, err := strconv.Atoi(found[1])
	return line, err == nil
}

// isFaulty says that an error forbids a verdict.
func (s status) isFaulty() bool {
	_, ok := s.faultLine()
	return ok
}

// isActive says that a check is under way.
func (s status) isActive() bool { return s.Freshness == "queued" || s.Freshness == "running" }

// disagreement says where lenses and hovers differ from the status.
func disagreement(titles, hovers []string, all []status) string {
	if len(titles) != len(all) {
		return fmt.Sprintf("lenses %q, statuses %+v", titles, all)
	}
	for i, s := range all {
		text := s.Text
		if text == "check" {
			text = "not checked yet"
		}
		if titles[i] != s.Text || !strings.Contains(hovers[i], ": "+text) {
			return fmt.Sprintf("lens %q, hover %q, status %+v", titles[i], hovers[i], s)
		}
	}
	return ""
}

// titles returns the lenses of the properties, in order; those to latches are left
// out.
func (e *editor) titles(f *file) []string {
	e.t.Helper()
	var lenses []struct {
		Command struct{ Title, Command string }
	}
	e.MustCall("textDocument/codeLens", f.item(), &lenses)
	all := []string{}
	for _, l := range lenses {
		if l.Command.Command != "aiglens.goToLatch" {
			all = append(all, l.Command.Title)
		}
	}
	return all
}

// hovers returns the hovers over the rows of properties.
func (e *editor) hovers(f *file, properties []status) []string {
	e.t.Helper()
	all := make([]string, len(properties))
	for i, s := range properties {
		var hover struct{ Contents struct{ Value string } }
		params := f.item()
		params["position"] = s.Range.Start
		e.MustCall("textDocument/hover", params, &hover)
		all[i] = hover.Contents.Value
	}
	return all
}
