package debug

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design/expression"
	"aiglens/design/formula"
	"aiglens/design/runs"
)

// handleQuestion answers what changes nothing. An error may be that of ctx.
func (s *session) handleQuestion(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.StackTraceRequest:
		return s.onStackTrace(m)
	case *dap.ScopesRequest:
		return s.onScopes(m)
	case *dap.VariablesRequest:
		return s.onVariables(m)
	case *dap.EvaluateRequest:
		return s.onEvaluate(ctx, m)
	case *dap.ExceptionInfoRequest:
		return s.onExceptionInfo(ctx, m)
	case *dap.SourceRequest:
		if m.Arguments.SourceReference != sourceReference || !s.t.decoded {
			return refuse("there is no such source")
		}
		r := &dap.SourceResponse{Response: response(&m.Request)}
		r.Body.Content = s.t.doc.Text.Content()
		s.client.send(r)
	case *dap.LoadedSourcesRequest:
		r := &dap.LoadedSourcesResponse{Response: response(&m.Request)}
		r.Body.Sources = []dap.Source{*s.source("")}
		for path := range s.t.others() {
			r.Body.Sources = append(r.Body.Sources, *s.source(path))
		}
		s.client.send(r)
	case *dap.GotoTargetsRequest:
		return s.onGotoTargets(ctx, m)
	case *dap.CompletionsRequest:
		s.onCompletions(m)
	case dap.RequestMessage:
		return refuse("the request %s is not supported", m.GetRequest().Command)
	}
	return nil
}

// function is what a gate computes, in short.
func (t *target) function(l circuit.Lit) string {
	if m, ok := t.doc.SourceOf(l); ok && m.Lit != 0 {
		return formula.Expression(t.doc, m.Lit, 1)
	}
	return ""
}

// onEvaluate answers a watch expression, a hover or a line of the console.
func (s *session) onEvaluate(ctx context.Context, m *dap.EvaluateRequest) error {
	step, err := s.stepOf(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	r := &dap.EvaluateResponse{Response: response(&m.Request)}
	text := strings.TrimSpace(m.Arguments.Expression)
	switch m.Arguments.Context {
	case "repl":
		r.Body.Result, err = s.command(ctx, text, step)
	case "hover":
		if l, ok := s.t.names.Lookup(text); ok { // a name as it stands in the text
			e := expression.Signal(l, text)
			r.Body.Result = e.Text(s.t, step)
			break
		}
		fallthrough
	default:
		var e *expression.Expr
		if e, err = s.t.vocabulary().Parse(text); err == nil {
			r.Body.Result = e.Text(s.t, step)
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refuse("%v", err)
	}
	s.client.send(r)
	return nil
}

const help = `Expressions over names: !a, a & b, a | b, a ^ b, a == b, a -> b, prev(a), next(a), a@3,
changed(a), rose(a), fell(a), known(a), step >= 3, q == 3 with the bits q[1] q[0]. Odd names stand in ` + "`backticks`" + `.

EXPRESSION        its value in this step
steps EXPRESSION  its values in all steps; ↻ begins a round of a loop
why SIGNAL        why the signal has its value; also why SIGNAL@3
why               why the property fails, in a simulation in this step
help              this`

// command follows a line of the console.
func (s *session) command(ctx context.Context, text string, step int) (string, error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	vocabulary := s.t.vocabulary()
	if l, isName := s.t.names.Lookup(text); isName {
		return expression.Signal(l, text).Text(s.t, step), nil
	}
	switch {
	case word == "help" && rest == "" || text == "?":
		return help, nil
	case word == "why" && rest == "":
		return s.whyFails(ctx)
	case word == "why":
		e, err := vocabulary.Parse(rest)
		if err != nil {
			return "", fmt.Errorf("why: %w", err)
		}
		l, at, ok := e.SignalAt(step)
		if !ok {
			return "", fmt.Errorf("why asks about one signal, as in: why a, why a@3, why prev(a)")
		}
		return s.why(ctx, l, at)
	case word == "steps" && rest != "":
		e, err := vocabulary.Condition(rest)
		if err != nil {
			return "", fmt.Errorf("steps: %w", err)
		}
		return s.overSteps(ctx, e)
	}
	e, err := vocabulary.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w; help lists what can be asked", err)
	}
	return e.Text(s.t, step), nil
}

// maxShownSteps bounds the values of an expression over the steps.
const maxShownSteps = 10_000

func (s *session) overSteps(ctx context.Context, e *expression.Expr) (string, error) {
	var b strings.Builder
	steps := s.t.run.StepsOf(2) // the second round of a loop shows how it goes back
	for step := range min(steps, maxShownSteps) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if s.t.beginsRound(step) {
			b.WriteString(" ↻ ")
		}
		b.WriteString(e.Eval(s.t, step).String())
	}
	if steps > maxShownSteps || s.t.run.LoopSteps() > 0 {
		b.WriteString("…")
	}
	return b.String(), nil
}

// whyLimit bounds an explanation.
var whyLimit = trace.Limit{Depth: 6, Nodes: 40}

// why says what forces the value of a signal at a step.
func (s *session) why(ctx context.Context, l circuit.Lit, step int) (string, error) {
	if s.t.simulation != nil {
		return s.whyInSimulation(ctx, l, step)
	}
	root, err := runs.Why(ctx, s.t.doc, s.t.x, l, step, whyLimit)
	switch {
	case errors.Is(err, runs.ErrOutside):
		if err := s.inRun(step); err != nil {
			return "", err
		}
		return "", fmt.Errorf("the property does not depend on this signal: its value has no part in why it fails")
	case err != nil:
		return "", err
	}
	return s.causes(root, s.t.x.LoopSteps() == 0 && l.Var() == s.t.x.Evidence()[0].Lit.Var()), nil
}

// whyFails says why the property fails.
func (s *session) whyFails(ctx context.Context) (string, error) {
	if s.t.simulation != nil {
		return s.whyFailsInSimulation(ctx)
	}
	root, err := runs.WhyFails(ctx, s.t.doc, s.t.x, whyLimit)
	if err != nil {
		return "", err
	}
	return s.causes(root, s.t.x.LoopSteps() == 0), nil
}

// causes writes an explanation, with the property in front if it is about its literal.
func (s *session) causes(root *runs.Cause, isProperty bool) string {
	var b strings.Builder
	if isProperty {
		fmt.Fprintf(&b, "%s: ", s.t.property.Name)
	}
	writeCause(&b, root, 0)
	return strings.TrimRight(b.String(), "\n")
}

func writeCause(b *strings.Builder, c *runs.Cause, depth int) {
	note := c.Because()
	switch {
	case c.Repeated:
		note = "as above"
	case c.Cut:
		note = "…"
	}
	if note != "" {
		note = " · " + note
	}
	if depth > 0 {
		b.WriteString(strings.Repeat("  ", depth-1) + "- ")
	}
	fmt.Fprintf(b, "%s%s\n", c, note)
	for _, cause := range c.Causes {
		writeCause(b, cause, depth+1)
	}
}

// onExceptionInfo says why the property fails, in the last step.
func (s *session) onExceptionInfo(ctx context.Context, m *dap.ExceptionInfoRequest) error {
	switch {
	case s.t.fails(s.step):
	case s.t.simulation != nil:
		return refuse("no property begins to fail in step %d", s.step)
	default:
		return refuse("the property fails in step %d, not in step %d", s.t.last(), s.step)
	}
	r := &dap.ExceptionInfoResponse{Response: response(&m.Request)}
	why, err := s.whyFails(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		why = ""
	}
	r.Body.ExceptionId = s.t.failingNames(s.step)
	r.Body.Description = fmt.Sprintf("the property %s fails in step %d", r.Body.ExceptionId, s.step)
	if first, isLasso := s.t.run.Loop(); isLasso {
		r.Body.Description = fmt.Sprintf("the property %s fails: %s repeats for ever", s.t.property.Name, cert.LoopWords(first, s.t.last()))
	}
	r.Body.BreakMode = "always"
	r.Body.Details = &dap.ExceptionDetails{Message: r.Body.Description, StackTrace: why}
	s.client.send(r)
	return nil
}

// maxTargets bounds the steps to go to from a line.
const maxTargets = 50

// onGotoTargets answers with the steps in which the definitions of a line change, and
// with all near ones for a line without any.
func (s *session) onGotoTargets(ctx context.Context, m *dap.GotoTargetsRequest) error {
	r := &dap.GotoTargetsResponse{Response: response(&m.Request)}
	r.Body.Targets = []dap.GotoTarget{}
	path, ok := s.pathFrom(m.Arguments.Source)
	var signals []named
	if ok {
		signals = s.t.definitionsOn(path, m.Arguments.Line-s.client.firstLine)
	}
	for step := 0; ok && step < s.t.steps() && len(r.Body.Targets) < maxTargets; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var words []string
		for _, n := range signals {
			if before, now := s.t.Value(n.lit, step-1), s.t.Value(n.lit, step); step > 0 && before != now && len(words) < maxNames {
				words = append(words, fmt.Sprintf("%s %s→%s", n.name, before, now))
			}
		}
		if len(words) > 0 {
			r.Body.Targets = append(r.Body.Targets, dap.GotoTarget{
				Id: step + 1, Line: m.Arguments.Line, Label: fmt.Sprintf("step %d: %s", step, strings.Join(words, ", ")),
			})
		}
	}
	if len(r.Body.Targets) == 0 {
		for step := range min(s.t.steps(), maxTargets) {
			r.Body.Targets = append(r.Body.Targets, dap.GotoTarget{Id: step + 1, Line: m.Arguments.Line, Label: s.t.stepName(step)})
		}
	}
	s.client.send(r)
	return nil
}

// maxCompletions bounds an answer.
const maxCompletions = 100

// onCompletions offers the names that begin as the word before the cursor does, those of
// inputs and latches first.
func (s *session) onCompletions(m *dap.CompletionsRequest) {
	r := &dap.CompletionsResponse{Response: response(&m.Request)}
	r.Body.Targets = []dap.CompletionItem{}
	typed := []rune(m.Arguments.Text)
	typed = typed[:min(len(typed), max(0, m.Arguments.Column-s.client.firstColumn))]
	start := len(typed)
	for start > 0 && expression.NameLength("_"+string(typed[start-1])) > 1 {
		start--
	}
	prefix := string(typed[start:])
	for _, name := range s.allNames() {
		if strings.HasPrefix(name, prefix) && len(r.Body.Targets) < maxCompletions {
			r.Body.Targets = append(r.Body.Targets, dap.CompletionItem{
				Label: name, Text: expression.Quote(name), Type: "variable", Start: start, Length: len(typed) - start,
			})
		}
	}
	s.client.send(r)
}

// allNames returns the names that an expression may use, sorted.
func (s *session) allNames() []string {
	known := map[string]bool{}
	for name := range s.t.names.Labels() {
		known[name] = true
	}
	for _, v := range s.t.groups[groupGates]()[:min(len(s.t.groups[groupGates]()), maxListedGates)] {
		if name, written := s.t.nameOf(v); written == expression.Quote(name) {
			known[name] = true
		}
	}
	all := make([]string, 0, len(known))
	for name := range known {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}

// maxListedGates bounds the gates among the completions.
const maxListedGates = 10_000
