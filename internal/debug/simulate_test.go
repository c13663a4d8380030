package debug

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/aiger"
	"aiglens/aiger/aigertest"
	"aiglens/internal/explicit"
)

// enabled counts with two bits while go is 1, from any value of low on, and is bad at 3.
const enabled = `aag 11 1 2 0 8 1
2
4 15 4
6 21
22
8 4 2
10 4 3
12 5 2
14 13 11
16 9 6
18 8 7
20 19 17
22 6 4
i0 go
l0 low
l1 high
b0 full
`

// simulated starts a simulation of a text in a file of its own.
func simulated(t *testing.T, text, more string) (c *client, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "c.aag")
	write(t, file, text)
	c = newClient(t, Options{})
	if more != "" {
		more = "," + more
	}
	c.launch(file, `"simulate":true`+more)
	return c, file
}

// set gives a variable a value in a frame.
func (c *client) set(frame int, group, name, value string) dap.SetVariableResponseBody {
	c.t.Helper()
	return ask[*dap.SetVariableResponse](c, "setVariable", c.setArguments(frame, group, name, value)).Body
}

func (c *client) setArguments(frame int, group, name, value string) string {
	c.t.Helper()
	for _, s := range ask[*dap.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, frame)).Body.Scopes {
		if s.Name == group {
			return fmt.Sprintf(`{"variablesReference":%d,"name":%q,"value":%q}`, s.VariablesReference, name, value)
		}
	}
	c.t.Fatalf("no group %s", group)
	return ""
}

// console returns what was written to the console since the last request.
func (c *client) console() (text string) {
	for _, m := range c.events {
		if o, ok := m.(*dap.OutputEvent); ok {
			text += o.Body.Output
		}
	}
	return text
}

// TestSimulate plays a circuit: steps on and back, inputs set in them, until a property fails.
func TestSimulate(t *testing.T) {
	c, _ := simulated(t, enabled, `"inputs":"last","steps":5`)
	if threads := ask[*dap.ThreadsResponse](c, "threads", "").Body.Threads; threads[0].Name != "run of c.aag" {
		t.Errorf("threads: %+v", threads)
	}
	if stop := c.move("configurationDone", ""); stop.Reason != "entry" || c.top().Name != "step 0" {
		t.Errorf("at reset: %+v, %s", stop, c.top().Name)
	}
	for name, isSet := range map[string]bool{"low": true, "high": false} {
		if readOnly := slices.Contains(c.variables(1, "Latches")[name].PresentationHint.Attributes, "readOnly"); readOnly == isSet {
			t.Errorf("%s can be set: %t", name, !readOnly)
		}
	}
	if stop := c.move("continue", ""); stop.Reason != "step" || !strings.Contains(c.console(), "Stopped after 5 new steps") || c.top().Name != "step 5" {
		t.Errorf("nothing happens: %+v, %s", stop, c.top().Name)
	}
	c.move("restart", "")
	if v := c.set(1, "Inputs", "go", "1"); v.Value != "1" {
		t.Errorf("go became %+v", v)
	}
	if stop := c.stopped(); stop.Text != "step 0" {
		t.Errorf("a client that knows no invalidated event: %+v", stop)
	}
	c.move("next", "")
	if low := c.variables(2, "Latches")["low"]; low.Value != "1 (was 0)" || len(low.PresentationHint.Attributes) == 0 {
		t.Errorf("in the next step: %+v", low)
	}
	if got := c.variables(1, "Inputs")["go"].Value + c.variables(2, "Inputs")["go"].Value; got != "10 (was 1)" {
		t.Errorf("go is %s in the first two steps", got)
	}
	// Set in the frame of the step before, a latch without a reset starts with the other value.
	c.set(1, "Latches", "low", "1")
	c.stopped()
	if c.evaluate("steps high", "repl") != "011111" || c.evaluate("steps low", "repl") != "100000" {
		t.Errorf("high %s, low %s", c.evaluate("steps high", "repl"), c.evaluate("steps low", "repl"))
	}
	c.set(2, "Inputs", "go", "1")
	if c.stopped(); !strings.Contains(c.console(), "Fails: full in step 2.") {
		t.Errorf("the console says %s", c.console())
	}
	stop := c.move("next", "")
	if stop.Reason != "exception" || !strings.Contains(stop.Text, "the property full fails here, in step 2") || !strings.HasPrefix(c.top().Name, "step 2: fails full") || c.top().Line != 5 {
		t.Errorf("where it fails: %+v, %+v", stop, c.top())
	}
	if info := ask[*dap.ExceptionInfoResponse](c, "exceptionInfo", `{"threadId":1}`).Body; info.ExceptionId != "full" || !strings.Contains(info.Details.StackTrace, "low = 1 at step 2") {
		t.Errorf("why: %+v %+v", info, info.Details)
	}
	if got := c.evaluate("why high", "repl"); !strings.HasPrefix(got, "high = 1 at step 2\n- ") {
		t.Errorf("why high: %s", got)
	}
	if c.move("stepBack", ""); c.top().Id != 2 {
		t.Errorf("a step back: %s", c.top().Name)
	}
	if got := c.refused("evaluate", `{"expression":"why","context":"repl"}`); !strings.Contains(got, "no property fails in step 1") {
		t.Errorf("why nothing: %s", got)
	}
	if stop := c.move("continue", ""); stop.Reason != "exception" || c.top().Id != 3 {
		t.Errorf("on to the failure: %+v", stop)
	}
	if c.move("reverseContinue", ""); c.top().Id != 1 {
		t.Errorf("back to reset: %s", c.top().Name)
	}
}

// TestSimulateRefuses: what cannot be set or launched is refused with the reason.
func TestSimulateRefuses(t *testing.T) {
	c, _ := simulated(t, enabled, "")
	c.move("configurationDone", "")
	c.move("next", "")
	for arguments, want := range map[string]string{
		c.setArguments(2, "Latches", "low", "1"):  "in step 0 alone",
		c.setArguments(1, "Latches", "high", "1"): "only inputs",
		c.setArguments(2, "Gates", "8", "1"):      "only inputs",
		c.setArguments(2, "Inputs", "go", "x"):    `"x" is not a value: expected 0 or 1`,
		c.setArguments(2, "Inputs", "stop", "1"):  "no variable stop",
		`{"variablesReference":99,"name":"go"}`:   "there are no variables 99",
	} {
		if got := c.refused("setVariable", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", arguments, got, want)
		}
	}
	if v := c.set(2, "Inputs", "go", "0 (was 1)"); v.Value != "0" || len(c.events) > 0 {
		t.Errorf("the value that it has: %+v %s", v, toJSON(c.events))
	}
	file := filepath.Join(t.TempDir(), "c.aag")
	write(t, file, enabled)
	for more, want := range map[string]string{
		`"property":"full"`:  `cannot be combined with "property"`,
		`"inputs":"zeroes"`:  `expected "random" or "last"`,
		`"steps":0`:          "expected 1 or more",
		`"text":"aag 0 0 0"`: "nothing to play",
	} {
		c := newClient(t, Options{})
		ask[*dap.InitializeResponse](c, "initialize", `{}`)
		if got := c.refused("launch", launchJSON(file, `"simulate":true,`+more)); !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", more, got, want)
		}
	}
	c = newClient(t, Options{})
	c.launch(file, "")
	c.move("configurationDone", "")
	if got := c.refused("setVariable", c.setArguments(1, "Inputs", "go", "1")); !strings.Contains(got, "a counterexample stays as it is") {
		t.Errorf("in a counterexample: %s", got)
	}
}

// TestSimulateUntil: continue stops at breakpoints, where steps are new and where they are not,
// and leaves out what lies after a new one.
func TestSimulateUntil(t *testing.T) {
	c, file := simulated(t, enabled, `"seed":4,"stopOnEntry":false`)
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":[{"line":4,"condition":"high"}]}`, toJSON(file))).Body.Breakpoints
	if !set[0].Verified {
		t.Fatalf("%+v", set)
	}
	stop := c.move("configurationDone", "")
	steps := c.evaluate("steps high", "repl")
	if stop.Reason != "breakpoint" || strings.IndexByte(steps, '1') != len(steps)-1 || c.top().Id != len(steps) {
		t.Errorf("%+v at %s of %s", stop, c.top().Name, steps)
	}
	if c.move("restart", ""); c.evaluate("steps high", "repl") != steps {
		t.Error("another run after a restart")
	}
	if stop := c.move("continue", ""); stop.Reason != "breakpoint" || c.top().Id != len(steps) || c.evaluate("steps high", "repl") != steps {
		t.Errorf("along the steps there are: %+v", stop)
	}
	c.request("setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":[]}`, toJSON(file)))
	if stop := c.move("continue", ""); stop.Reason != "exception" || !strings.Contains(c.console(), "Fails in step") {
		t.Errorf("on to the failure: %+v: %s", stop, c.console())
	}
}

// TestSimulateCountsHits: hits are those of the run as it is, after a change too.
func TestSimulateCountsHits(t *testing.T) {
	c, _ := simulated(t, enabled, `"inputs":"last"`)
	c.move("configurationDone", "")
	ask[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"low","hitCondition":"2"}]}`)
	c.set(1, "Inputs", "go", "1")
	c.stopped()
	for _, start := range []struct {
		low  string
		step int
	}{{"0", 3}, {"1", 2}} {
		c.move("restart", "")
		if start.low == "1" {
			c.set(1, "Latches", "low", "1")
			c.stopped()
		}
		if stop := c.move("continue", ""); len(stop.HitBreakpointIds) != 1 || c.top().Id-1 != start.step {
			t.Errorf("low starts as %s: %+v at %s", start.low, stop, c.top().Name)
		}
	}
}

// TestSimulateInvalidated: a client that knows the event is told which values are others, and
// need not stop again, nor ask for more than these.
func TestSimulateInvalidated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.aag")
	write(t, file, enabled)
	c := newClient(t, Options{})
	ask[*dap.InitializeResponse](c, "initialize", `{"supportsInvalidatedEvent":true}`)
	ask[*dap.LaunchResponse](c, "launch", launchJSON(file, `"simulate":true,"inputs":"last"`))
	c.move("configurationDone", "")
	told := func(want string) {
		t.Helper()
		if m, ok := c.read().(*dap.InvalidatedEvent); !ok || toJSON(m.Body) != want {
			t.Errorf("told %s, not %s", toJSON(m), want)
		}
	}
	c.set(1, "Inputs", "go", "1")
	told(`{"areas":["variables"],"stackFrameId":1}`)
	c.move("next", "")
	c.set(2, "Inputs", "go", "0")
	told(`{"areas":["variables"],"stackFrameId":2}`)
	// What a step before has does not leave this one as it was.
	c.set(1, "Inputs", "go", "0")
	told(`{"areas":["stacks","variables"]}`)
	if low := c.variables(2, "Latches")["low"]; low.Value != "0" {
		t.Errorf("low is %s", low.Value)
	}
}

// TestSimulateBroken: a step that breaks a constraint is none of the circuit, and nothing goes on
// from it.
func TestSimulateBroken(t *testing.T) {
	c, _ := simulated(t, "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\ni0 go\nb0 on\n", `"steps":3`)
	c.move("configurationDone", "")
	c.set(1, "Inputs", "go", "1")
	c.stopped()
	stop := c.move("continue", "")
	if !strings.Contains(c.console(), "Constraint 0 does not hold in step 0: no run of the circuit") || c.top().Name != "step 0: no run of the circuit" || stop.Reason == "exception" {
		t.Errorf("%+v at %s: %s", stop, c.top().Name, c.console())
	}
	c.set(1, "Inputs", "go", "0")
	c.stopped()
	if c.move("continue", ""); c.evaluate("steps go", "repl") != "0000" {
		t.Errorf("random inputs break the constraint: %s", c.evaluate("steps go", "repl"))
	}
}

// TestSimulateOpen: where an error of the text leaves a constraint open, a step may be one of the
// circuit, and a stop in the first one says so, too.
func TestSimulateOpen(t *testing.T) {
	c, _ := simulated(t, "aag 2 1 0 0 0 1 1\n2\n2\n4\n", `"stopOnEntry":false`)
	c.move("configurationDone", "")
	if got := c.top().Name; got != "step 0: may be no run of the circuit" {
		t.Errorf("the first step is called %s", got)
	}
	c, _ = simulated(t, "aag 2 1 0 0 0 1 1\n2\n2\n4\n", `"stopOnEntry":false`)
	c.request("configurationDone", "")
	c.events = nil
	if c.stopped(); !strings.Contains(c.console(), "It is not known whether constraint 0 holds in step 0") {
		t.Errorf("the console says %q", c.console())
	}
}

// TestSimulateManyFail: a stop names some of many properties, and is told again when a value that
// is set changes which of them fail.
func TestSimulateManyFail(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.aag")
	write(t, file, "aag 1 1 0 0 0 6\n2\n2\n2\n2\n2\n2\n2\ni0 go\n")
	c := newClient(t, Options{})
	ask[*dap.InitializeResponse](c, "initialize", `{"supportsInvalidatedEvent":true}`)
	ask[*dap.LaunchResponse](c, "launch", launchJSON(file, `"simulate":true`))
	c.move("configurationDone", "")
	c.set(1, "Inputs", "go", "1")
	if stop := c.stopped(); stop.Reason != "exception" || !strings.HasPrefix(stop.Text, "the properties ") || !strings.HasSuffix(stop.Text, " and 2 more fail here, in step 0") {
		t.Errorf("%+v", stop)
	}
	if got := c.top().Name; !strings.HasSuffix(got, " and 2 more") {
		t.Errorf("the step is called %s", got)
	}
	c.set(1, "Inputs", "go", "0")
	if stop := c.stopped(); stop.Reason != "entry" {
		t.Errorf("nothing fails any more: %+v", stop)
	}
}

// TestSimulateSameNames: of two inputs with one name none is set.
func TestSimulateSameNames(t *testing.T) {
	c, _ := simulated(t, "aag 2 2 0 0 0 1\n2\n4\n2\ni0 go\ni1 go\n", "")
	c.move("configurationDone", "")
	if got := c.refused("setVariable", c.setArguments(1, "Inputs", "go", "1")); !strings.Contains(got, "2 variables are called go") {
		t.Errorf("refused: %s", got)
	}
}

// TestSimulateLastSeed: the greatest seed gives one run, as every seed does.
func TestSimulateLastSeed(t *testing.T) {
	var rows [2]string
	for i := range rows {
		c, _ := simulated(t, "aag 1 1 0 0 0 1\n2\n0\ni0 go\n", `"seed":4294967295,"steps":100`)
		c.move("configurationDone", "")
		c.move("continue", "")
		rows[i] = c.evaluate("steps go", "repl")
	}
	if rows[0] != rows[1] || len(rows[0]) != 101 {
		t.Errorf("two runs: %s, %s", rows[0], rows[1])
	}
}

// TestSimulationIsSimulation: whatever is done by messages, the variables have the values of a
// simulation that reads the numbers of the file alone, under the inputs that are shown.
func TestSimulationIsSimulation(t *testing.T) {
	runs := 200
	if os.Getenv("AIGLENS_LONG") != "" {
		runs = 2000
	}
	stops := map[string]int{}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 23))
		text := string(aiger.FromCircuit(explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 4, Latches: 5, Gates: 20, Constraints: int(seed % 3 / 2), FreeLatches: true, OneResets: true,
			ResetFunctions: seed%2 == 0, MoreBads: int(seed % 3),
		})).AppendASCII(nil))
		inputs := []string{inputsRandom, inputsLast}[r.IntN(2)]
		c, _ := simulated(t, text, fmt.Sprintf(`"inputs":%q,"steps":%d,"seed":%d`, inputs, 1+r.IntN(40), 1+r.IntN(1e6)))
		p := &simulator{client: c, random: r, file: aigertest.ReadNumbers(text)}
		p.stop = c.move("configurationDone", "")
		for range 4 + r.IntN(6) {
			p.do()
			p.judge()
			stops[p.stop.Reason]++
		}
		c.request("disconnect", "")
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	for _, reason := range []string{"entry", "step", "exception", "function breakpoint"} {
		if stops[reason] < runs/10 {
			t.Errorf("too few stops for %s: %v", reason, stops)
		}
	}
}

// simulator does random things to a simulation.
type simulator struct {
	*client
	random *rand.Rand
	file   aigertest.Numbers
	stop   dap.StoppedEventBody
}

// do makes one move, and checks what it does to the steps and to the inputs.
func (p *simulator) do() {
	at, before := p.top().Id-1, p.rows()
	steps := len(before[p.file.Latches[0][0]])
	check := func(ok bool, what string) {
		p.t.Helper()
		if !ok {
			p.t.Errorf("%s: from step %d of %d to step %d: %v became %v", what, at, steps, p.top().Id-1, before, p.rows())
		}
	}
	switch k := p.random.IntN(6); {
	case k == 0 && len(p.file.Inputs) > 0:
		frame := 1 + p.random.IntN(at+1)
		l := p.file.Inputs[p.random.IntN(len(p.file.Inputs))]
		value := before[l][frame-1] ^ 1
		p.set(frame, "Inputs", fmt.Sprint(l), string(value))
		p.stop = p.stopped()
		for _, other := range p.file.Inputs {
			want := []byte(before[other])
			if other == l {
				want[frame-1] = value
			}
			check(p.rows()[other] == string(want), "one input at one step has another value")
		}
	case k == 1:
		p.stop = p.move("stepBack", "")
		check(p.top().Id-1 == max(0, at-1) && fmt.Sprint(p.rows()) == fmt.Sprint(before), "a step back")
	case k < 4:
		p.stop = p.move("next", "")
		check(p.top().Id-1 == at+1 && len(p.rows()[p.file.Latches[0][0]]) == max(steps, at+2), "a step on")
	default:
		watched := p.file.Latches[p.random.IntN(len(p.file.Latches))][0]
		p.request("setFunctionBreakpoints", fmt.Sprintf(`{"breakpoints":[{"name":"%d"}]}`, watched))
		p.stop = p.move("continue", "")
		p.checkContinue(at, steps, watched)
		p.request("setFunctionBreakpoints", `{"breakpoints":[]}`)
	}
	for l, word := range p.rows() {
		if k := min(len(word), steps); slices.Contains(p.file.Inputs, l) && k < steps {
			check(false, "no step is lost")
		}
	}
}

// checkContinue checks that it stopped at the first step with a reason, by the file alone.
func (p *simulator) checkContinue(at, steps, watched int) {
	p.t.Helper()
	words := p.words()
	now, last := p.top().Id-1, len(words[watched])-1
	word := func(l int) string { return aigertest.WordOf(words, l, last+1) }
	rises := func(l, step int) bool { return word(l)[step] == '1' && (step == 0 || word(l)[step-1] == '0') }
	broken := last + 1
	for _, l := range p.file.Constraints {
		if i := strings.IndexByte(word(l), '0'); i >= 0 {
			broken = min(broken, i)
		}
	}
	stops := func(step int) bool {
		fails := slices.ContainsFunc(p.file.Bads, func(l int) bool { return rises(l, step) })
		return rises(watched, step) || step == broken || step < broken && fails
	}
	if broken <= at {
		if now != at {
			p.t.Errorf("continue goes on from step %d to %d, after a broken constraint in step %d", at, now, broken)
		}
		return
	}
	for step := at + 1; step < now; step++ {
		if stops(step) {
			p.t.Errorf("continue passes by step %d", step)
		}
	}
	if !stops(now) && now != last || now >= steps && now != last {
		p.t.Errorf("continue stops at step %d of %d, from %d of %d", now, last, at, steps-1)
	}
}

// rows are the values of inputs and latches over all steps, as the console says them.
func (p *simulator) rows() map[int]string {
	p.t.Helper()
	rows := map[int]string{}
	for _, l := range p.file.Inputs {
		rows[l] = p.evaluate(fmt.Sprintf("steps %d", l), "repl")
	}
	for _, l := range p.file.Latches {
		rows[l[0]] = p.evaluate(fmt.Sprintf("steps %d", l[0]), "repl")
	}
	return rows
}

// words are the values of all literals by the file, under the inputs and the start that are shown.
func (p *simulator) words() map[int]string {
	p.t.Helper()
	rows := p.rows()
	value := func(l, step int) byte { return rows[l][step] }
	return p.file.Evaluate(len(rows[p.file.Latches[0][0]]), value, value)
}

// judge compares the variables in the present step with the file.
func (p *simulator) judge() {
	p.t.Helper()
	words, frame := p.words(), p.top().Id
	steps := len(words[p.file.Latches[0][0]])
	shown := func(l int) string {
		word := aigertest.WordOf(words, l, steps)
		if frame > 1 && word[frame-1] != word[frame-2] {
			return fmt.Sprintf("%c (was %c)", word[frame-1], word[frame-2])
		}
		return word[frame-1 : frame]
	}
	seen := 0
	for _, group := range []string{"Inputs", "Latches", "Gates"} {
		for name, v := range p.variables(frame, group) {
			var l int
			if _, err := fmt.Sscan(name, &l); err != nil {
				p.t.Fatal(err)
			}
			seen++
			if v.Value != shown(l) {
				p.t.Errorf("%s %s is %s in step %d, expected %s", group, name, v.Value, frame-1, shown(l))
			}
		}
	}
	if want := len(p.file.Inputs) + len(p.file.Latches); seen < want {
		p.t.Errorf("%d variables are shown, expected %d and gates", seen, want)
	}
	properties := p.variables(frame, "Property")
	for i, l := range p.file.Constraints {
		if got := properties[fmt.Sprintf("constraint %d", i)].Value; got != shown(l) {
			p.t.Errorf("constraint %d is %s in step %d, expected %s", i, got, frame-1, shown(l))
		}
	}
	for i, l := range p.file.Bads {
		if got := properties[fmt.Sprintf("bad %d", i)].Value; got != shown(l) {
			p.t.Errorf("bad %d is %s in step %d, expected %s: %+v", i, got, frame-1, shown(l), properties)
		}
	}
}

// TestScopes: the inputs come first, which clients open; where there are none, the property.
func TestScopes(t *testing.T) {
	for file, want := range map[string]string{
		"aag 2 1 1 0 0 1\n2\n4 2\n4\n": "Inputs",
		"aag 1 0 1 0 0 1\n2 3\n2\n":    "Property",
	} {
		for _, more := range []string{"", `"simulate":true,`} {
			c := newClient(t, Options{})
			ask[*dap.InitializeResponse](c, "initialize", `{}`)
			ask[*dap.LaunchResponse](c, "launch", launchJSON("one.aag", more+`"text":`+toJSON(file)))
			c.move("configurationDone", "")
			scopes := ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes
			var open []string
			for _, s := range scopes {
				if !s.Expensive {
					open = append(open, s.Name)
				}
			}
			if len(scopes) != int(numGroups) || len(open) == 0 || open[0] != want {
				t.Errorf("%q: %+v, expected that %s is opened", file, scopes, want)
			}
		}
	}
}
