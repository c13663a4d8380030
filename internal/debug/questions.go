package debug

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/formula"
)

// questions are those about a run as it stands: the answers change nothing.
type questions struct {
	variables
	step int
	at   *place // of the definition at which a breakpoint hit; nil for the property
}

func (q questions) reasons() reasons { return reasons{q.t, q.step} }

// handle answers what changes nothing. An error may be that of ctx.
func (q questions) handle(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.StackTraceRequest:
		return q.onStackTrace(m)
	case *dap.ScopesRequest:
		step, err := q.stepOf(m.Arguments.FrameId)
		if err != nil {
			return err
		}
		q.onScopes(m, step)
	case *dap.VariablesRequest:
		return q.onVariables(m)
	case *dap.DataBreakpointInfoRequest:
		q.onDataBreakpointInfo(m)
	case *dap.EvaluateRequest:
		return q.onEvaluate(ctx, m)
	case *dap.ExceptionInfoRequest:
		return q.onExceptionInfo(ctx, m)
	case *dap.SourceRequest:
		if m.Arguments.SourceReference != sourceReference || !q.t.decoded {
			return refuse("there is no such source")
		}
		r := &dap.SourceResponse{Response: response(&m.Request)}
		r.Body.Content = q.t.doc.Text.Content()
		q.client.send(r)
	case *dap.LoadedSourcesRequest:
		r := &dap.LoadedSourcesResponse{Response: response(&m.Request)}
		r.Body.Sources = []dap.Source{*q.t.source("")}
		for path := range q.t.paths() {
			r.Body.Sources = append(r.Body.Sources, *q.t.source(path))
		}
		q.client.send(r)
	case *dap.GotoTargetsRequest:
		return q.onGotoTargets(ctx, m)
	case *dap.CompletionsRequest:
		q.onCompletions(m)
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
func (q questions) onEvaluate(ctx context.Context, m *dap.EvaluateRequest) error {
	step, err := q.stepOf(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	r := &dap.EvaluateResponse{Response: response(&m.Request)}
	text := strings.TrimSpace(m.Arguments.Expression)
	switch m.Arguments.Context {
	case "repl":
		r.Body.Result, err = q.command(ctx, text, step)
	case "hover":
		if l, ok := q.t.names.Lookup(text); ok { // a name as it stands in the text
			e := expression.Signal(l, text)
			r.Body.Result = e.Text(q.t, step)
			break
		}
		fallthrough
	default:
		var e *expression.Expr
		if e, err = q.t.vocabulary().Parse(text); err == nil {
			r.Body.Result = e.Text(q.t, step)
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refuse("%v", err)
	}
	q.client.send(r)
	return nil
}

const help = `Expressions over names: !a, a & b, a | b, a ^ b, a == b, a -> b, prev(a), next(a), a@3,
changed(a), rose(a), fell(a), known(a), step >= 3; over words q == 3, state == idle, q[3:0] < 5,
q == prev(q) + 1, changed(q). Odd names stand in ` + "`backticks`" + `.

EXPRESSION        its value in this step
steps EXPRESSION  its values in all steps; ↻ begins a round of a loop
why SIGNAL        why the signal has its value; also why SIGNAL@3
why               why the property fails, in a simulation in this step
help              this`

// command follows a line of the console.
func (q questions) command(ctx context.Context, text string, step int) (string, error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	vocabulary := q.t.vocabulary()
	if l, isName := q.t.names.Lookup(text); isName {
		return expression.Signal(l, text).Text(q.t, step), nil
	}
	switch {
	case word == "help" && rest == "" || text == "?":
		return help, nil
	case word == "why" && rest == "":
		return q.reasons().whyFails(ctx)
	case word == "why":
		e, err := vocabulary.Parse(rest)
		if err != nil {
			return "", fmt.Errorf("why: %w", err)
		}
		if w, at, ok := e.WordAt(step); ok {
			return q.reasons().whyWord(ctx, w, at)
		}
		l, at, ok := e.SignalAt(step)
		if !ok {
			return "", fmt.Errorf("why asks about one signal or word, as in: why a, why a@3, why prev(a)")
		}
		return q.reasons().why(ctx, l, at)
	case word == "steps" && rest != "":
		e, err := vocabulary.Condition(rest)
		if err != nil {
			return "", fmt.Errorf("steps: %w", err)
		}
		return q.overSteps(ctx, e)
	}
	e, err := vocabulary.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%w; help lists what can be asked", err)
	}
	return e.Text(q.t, step), nil
}

// maxShownSteps bounds the values of an expression over the steps.
const maxShownSteps = 10_000

func (q questions) overSteps(ctx context.Context, e *expression.Expr) (string, error) {
	var b strings.Builder
	steps := q.t.run.StepsOf(2) // the second round of a loop shows how it goes back
	for step := range min(steps, maxShownSteps) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if q.t.beginsRound(step) {
			b.WriteString(" ↻ ")
		}
		b.WriteString(e.Eval(q.t, step).String())
	}
	if steps > maxShownSteps || q.t.run.LoopSteps() > 0 {
		b.WriteString("…")
	}
	return b.String(), nil
}

// onExceptionInfo says why the property fails, in the last step.
func (q questions) onExceptionInfo(ctx context.Context, m *dap.ExceptionInfoRequest) error {
	switch {
	case q.t.fails(q.step):
	case q.t.simulation != nil:
		return refuse("no property begins to fail in step %d", q.step)
	default:
		return refuse("the property fails in step %d, not in step %d", q.t.last(), q.step)
	}
	r := &dap.ExceptionInfoResponse{Response: response(&m.Request)}
	why, err := q.reasons().whyFails(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		why = ""
	}
	r.Body.ExceptionId = q.t.failingNames(q.step)
	r.Body.Description = fmt.Sprintf("the property %s fails in step %d", r.Body.ExceptionId, q.step)
	if first, isLasso := q.t.run.Loop(); isLasso {
		r.Body.Description = fmt.Sprintf("the property %s fails: %s repeats for ever", q.t.property.Name, cert.LoopWords(first, q.t.last()))
	}
	r.Body.BreakMode = "always"
	r.Body.Details = &dap.ExceptionDetails{Message: r.Body.Description, StackTrace: why}
	q.client.send(r)
	return nil
}

// maxTargets bounds the steps to go to from a line.
const maxTargets = 50

// onGotoTargets answers with the steps in which the definitions of a line change, or the words that
// they are bits of, and with all near ones for a line without any.
func (q questions) onGotoTargets(ctx context.Context, m *dap.GotoTargetsRequest) error {
	r := &dap.GotoTargetsResponse{Response: response(&m.Request)}
	r.Body.Targets = []dap.GotoTarget{}
	path, ok := q.t.pathFrom(m.Arguments.Source)
	var signals []named
	if ok {
		signals = q.t.rows.definitionsOn(path, m.Arguments.Line-q.client.firstLine)
	}
	for step := 0; ok && step < q.t.steps() && len(r.Body.Targets) < maxTargets; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var changes []string
		seen := map[*design.Word]bool{}
		for _, n := range signals {
			if text, ok := n.change(q.t, step, seen); ok && len(changes) < maxNames {
				changes = append(changes, text)
			}
		}
		if len(changes) > 0 {
			r.Body.Targets = append(r.Body.Targets, dap.GotoTarget{
				Id: step + 1, Line: m.Arguments.Line, Label: fmt.Sprintf("step %d: %s", step, strings.Join(changes, ", ")),
			})
		}
	}
	if len(r.Body.Targets) == 0 {
		for step := range min(q.t.steps(), maxTargets) {
			r.Body.Targets = append(r.Body.Targets, dap.GotoTarget{Id: step + 1, Line: m.Arguments.Line, Label: q.t.stepName(step)})
		}
	}
	q.client.send(r)
	return nil
}

// maxCompletions bounds an answer.
const maxCompletions = 100

// onCompletions offers the names that begin as the one before the cursor does: those of the
// values that it is compared with, then those of signals and words.
func (q questions) onCompletions(m *dap.CompletionsRequest) {
	r := &dap.CompletionsResponse{Response: response(&m.Request)}
	r.Body.Targets = []dap.CompletionItem{}
	characters := []rune(m.Arguments.Text)
	typed := string(characters[:min(len(characters), max(0, m.Arguments.Column-q.client.firstColumn))])
	at := expression.WordBefore(typed)
	start, length := utf8.RuneCountInString(typed[:at]), utf8.RuneCountInString(typed[at:])
	offer := func(kind dap.CompletionItemType, name, text string) {
		if strings.HasPrefix(name, typed[at:]) && len(r.Body.Targets) < maxCompletions {
			r.Body.Targets = append(r.Body.Targets, dap.CompletionItem{Label: name, Text: text, Type: kind, Start: start, Length: length})
		}
	}
	for _, name := range q.t.names.ValueNames(typed[:at]) {
		offer("value", name, name)
	}
	for _, name := range q.allNames() {
		offer("variable", name, expression.Quote(name))
	}
	q.client.send(r)
}

// allNames returns the names that an expression may use, sorted.
func (q questions) allNames() []string {
	known := map[string]bool{}
	for name := range q.t.names.Labels() {
		known[name] = true
	}
	for _, name := range q.t.names.WordNames() {
		known[name] = true
	}
	for _, v := range q.t.groups[groupGates]()[:min(len(q.t.groups[groupGates]()), maxListedGates)] {
		if name, written := q.t.nameOf(v); written == expression.Quote(name) {
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
