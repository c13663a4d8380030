package debug

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design/aigerdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

func TestUnknownRequests(t *testing.T) {
	c := newClient(t, Options{})
	for _, command := range []string{"attach", "next", "scopes", "setBreakpoints", "evaluate", "configurationDone"} {
		if got := c.refused(command, ""); !strings.Contains(got, "launch one first") {
			t.Errorf("%s before a launch: %s", command, got)
		}
	}
	if got := c.refused("dance", ""); got != "the request dance is not supported" {
		t.Errorf("dance: %s", got)
	}
	if got := c.refused("next", `{"threadId":"one"}`); !strings.Contains(got, "the arguments of next cannot be read") {
		t.Errorf("arguments of the wrong kind: %s", got)
	}
	c.raw(`{"seq":9,"type":"event","event":"stopped"}`)
	c.raw(`{"seq":10,"type":"response","command":"runInTerminal","request_seq":3}`)
	c.launch(example("semaphore2_broken.aag"), "")
	c.move("configurationDone", "")
	for _, command := range []string{"attach", "setVariable", "disassemble", "readMemory", "modules", "launch"} {
		c.refused(command, "")
	}
	for _, bad := range []struct{ command, arguments string }{
		{"variables", `{"variablesReference":4711}`}, {"variables", `{"variablesReference":-1}`}, {"scopes", `{"frameId":-3}`},
		{"goto", `{"targetId":99}`}, {"restartFrame", `{"frameId":0}`}, {"source", `{"sourceReference":7}`}, {"exceptionInfo", ""},
		{"evaluate", `{"expression":"a b"}`}, {"evaluate", `{"expression":"","context":"repl"}`}, {"breakpointLocations", "null"},
	} {
		c.refused(bad.command, bad.arguments)
	}
	if e := ask[*dap.ErrorResponse](c, "evaluate", `{"expression":"aag","context":"hover"}`); e.Body.Error.ShowUser {
		t.Error("a hover over a word that means nothing makes a message")
	}
	if e := ask[*dap.ErrorResponse](c, "launch", ""); !e.Body.Error.ShowUser {
		t.Error("a launch fails without a message")
	}
	if got := c.evaluate("work_a", "hover"); got != "0" {
		t.Errorf("the session goes on with %s", got)
	}
}

// TestOldReferences: references to variables end when the run moves.
func TestOldReferences(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("semaphore2_broken.aag"), "")
	c.move("configurationDone", "")
	ref := ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes[groupLatches].VariablesReference
	c.move("next", "")
	ask[*dap.ScopesResponse](c, "scopes", `{"frameId":2}`)
	if got := c.refused("variables", fmt.Sprintf(`{"variablesReference":%d}`, ref)); !strings.Contains(got, "moved on") {
		t.Error(got)
	}
}

func TestMalformed(t *testing.T) {
	for input, want := range map[string]string{
		"":                                 "",
		"Content-Length: 5\r\n\r\n{\"se":   "unexpected EOF",
		"What is this?":                    "cannot be read",
		"Content-Length: 3\r\n\r\n{]}":     "not a JSON object",
		"Content-Length: 2\r\n\r\n[]":      "not a JSON object",
		"Content-Length: -1\r\n\r\n":       "cannot be read",
		"Content-Length: 99999999\r\n\r\n": "cannot be read",
		"hello\r\n\r\n":                    "cannot be read",
	} {
		err := Serve(context.Background(), strings.NewReader(input), io.Discard, Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", input, err, want)
		}
	}
}

// broken is a client that cannot be reached.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestUnreachableClient(t *testing.T) {
	in, _ := io.Pipe()
	defer in.Close()
	var first bytes.Buffer
	if err := dap.WriteBaseMessage(&first, []byte(`{"seq":1,"type":"request","command":"initialize"}`)); err != nil {
		t.Fatal(err)
	}
	err := Serve(context.Background(), io.MultiReader(&first, in), broken{}, Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("got %v", err)
	}
}

// TestPanic: a fault of this program in one request leaves the session alive.
func TestPanic(t *testing.T) {
	var out, log bytes.Buffer
	s := newSession(context.Background(), &out, Options{Log: &log})
	s.walk = newWalk(s.client, launchArguments{}, &target{}) // without a circuit
	s.guard(&dap.Request{Command: "stackTrace"}, &dap.StackTraceRequest{})
	m, err := dap.ReadProtocolMessage(bufio.NewReader(&out))
	if e, ok := m.(*dap.ErrorResponse); err != nil || !ok || !strings.Contains(e.Message, "internal error in stackTrace") || log.Len() == 0 {
		t.Errorf("answer %s, %v; log %s", toJSON(m), err, log.String())
	}
}

// TestRandomRequests sends requests in any order; after each the session stands at a
// step of the run, and steps back and forth lead back.
func TestRandomRequests(t *testing.T) {
	for file, property := range map[string]string{"semaphore2_broken.aag": "two_at_work", "vending.blif": "drink_and_coin", "fifo.btor2": "too_many"} {
		r := rand.New(rand.NewSource(2))
		c := newClient(t, Options{})
		c.launch(example(file), `"property":"`+property+`"`)
		c.move("configurationDone", "")
		path := toJSON(example(file))
		steps := len(c.evaluate("steps 1", "repl"))
		moves := []string{"next", "stepIn", "stepOut", "stepBack", "continue", "reverseContinue", "restart", "pause"}
		words := []string{"1", "!step", "changed(work_a)", "prev(q0)", "count", "prev(count) < 3", "step > 1", "((", "why", "help", "", "drink", "work_a", "`", "12 & 13"}
		word := func() string { return toJSON(words[r.Intn(len(words))]) }
		for range 400 {
			switch r.Intn(9) {
			case 0:
				c.request("setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":[{"line":%d},{"line":%d,"column":%d,"condition":%s}]}`, path, r.Intn(90)-5, r.Intn(40), r.Intn(30), word()))
			case 1:
				c.request("setFunctionBreakpoints", fmt.Sprintf(`{"breakpoints":[{"name":%s,"condition":%s,"hitCondition":"%% 2"}]}`, word(), word()))
			case 2:
				c.request("setDataBreakpoints", fmt.Sprintf(`{"breakpoints":[{"dataId":%s}]}`, word()))
			case 3:
				c.request("evaluate", fmt.Sprintf(`{"expression":%s,"frameId":%d,"context":"repl"}`, word(), r.Intn(8)-1))
			case 4:
				c.request("variables", fmt.Sprintf(`{"variablesReference":%d,"start":%d,"count":%d}`, r.Intn(50)-2, r.Intn(9)-2, r.Intn(9)-2))
				c.request("scopes", fmt.Sprintf(`{"frameId":%d}`, r.Intn(8)-1))
			case 5:
				c.request("gotoTargets", fmt.Sprintf(`{"source":{"path":%s},"line":%d}`, path, r.Intn(90)-5))
				c.request("breakpointLocations", fmt.Sprintf(`{"source":{"path":%s},"line":%d,"endLine":%d}`, path, r.Intn(90)-5, r.Intn(90)))
				c.request("completions", fmt.Sprintf(`{"text":%s,"column":%d}`, word(), r.Intn(9)-2))
			case 6:
				c.request("stackTrace", fmt.Sprintf(`{"startFrame":%d,"levels":%d}`, r.Intn(9)-2, r.Intn(9)-2))
			default:
				if c.move(moves[r.Intn(len(moves))], ""); c.top().Id < 1 || c.top().Id > steps {
					t.Fatalf("frame %+v of %d steps", c.top(), steps)
				}
			}
		}
	}
}

// TestValues compares what the session shows in each step with the replay of the
// trace in circuit/trace and with that of the cone in lsp/ide, and walks k steps forth
// and back.
func TestValues(t *testing.T) {
	for _, x := range []struct{ file, property string }{
		{"semaphore2_broken.aag", "two_at_work"}, {"semaphore3_broken.aag", "two_at_work"}, {"lift.aag", "runs_past_the_end"},
		{"river_crossing.aag", "all_across"}, {"vending.blif", "drink_and_coin"}, {"fifo.btor2", "too_many"}, {"cpu.btor2", "makes_13"},
	} {
		o := Options{Engine: func() verify.Engine { return engines.IC3{Search: true}.Engine() }}
		target, err := o.load(t.Context(), launchArguments{Program: example(x.file), Property: x.property}, func(string, string) {})
		if err != nil {
			t.Fatal(err)
		}
		for step := range target.steps() {
			for v := range circuit.Var(target.doc.Circuit().NumVars()) {
				if own, ok := target.x.Value(v.Lit(), step); ok && own != target.Value(v.Lit(), step) {
					t.Errorf("%s: %d is %s in step %d of the cone, %s of the circuit", x.file, v, own, step, target.Value(v.Lit(), step))
				}
			}
		}
		c := newClient(t, Options{})
		c.launch(example(x.file), `"property":"`+x.property+`"`)
		c.move("configurationDone", "")
		var seen []string
		for step := range target.steps() {
			if step > 0 {
				c.move("next", "")
			}
			seen = append(seen, everything(c))
			for group, signals := range map[string][]signal{"Inputs": target.groups[groupInputs](), "Latches": target.groups[groupLatches](), "Gates": target.groups[groupGates]()} {
				shown := c.variables(step+1, group)
				if len(shown) == 0 && len(signals) > 0 {
					t.Errorf("%s: no %s", x.file, group)
				}
				for _, s := range signals {
					name, _ := target.nameOf(s)
					if want := target.Value(s.lit, step).String(); shown[name].Value[:1] != want {
						t.Errorf("%s: %s is %s in step %d, want %s", x.file, name, shown[name].Value, step, want)
					}
				}
			}
		}
		for k := 1; k < target.steps(); k++ {
			for range k {
				c.move("stepBack", "")
			}
			if got := everything(c); got != seen[target.last()-k] {
				t.Errorf("%s: %d steps back is\n%s\nwant\n%s", x.file, k, got, seen[target.last()-k])
			}
			for range k {
				c.move("next", "")
			}
			if got := everything(c); got != seen[target.last()] {
				t.Errorf("%s: %d steps back and forth is\n%s\nwant\n%s", x.file, k, got, seen[target.last()])
			}
		}
	}
}

// everything is the stack and the variables of the first frame, without references.
func everything(c *client) string {
	stack := ask[*dap.StackTraceResponse](c, "stackTrace", "{}").Body
	all := toJSON(stack)
	for group := range numGroups {
		variables := c.variables(stack.StackFrames[0].Id, groupNames[group])
		for name, v := range variables {
			v.VariablesReference = 0 // another one at each stop
			variables[name] = v
		}
		all += toJSON(variables)
	}
	return all
}

// TestNames: each name that a variable goes by means that variable in an expression.
func TestNames(t *testing.T) {
	text := "aag 4 1 2 0 1 1\n2\n4 8\n6 4 0\n8\n8 3 7\ni0 odd name\nl0 12\nl1 a&b\nb0 never `here`\n"
	c := newClient(t, Options{})
	c.launch("names.aag", `"text":`+toJSON(text))
	c.move("configurationDone", "")
	for group := range numGroups {
		for name, v := range c.variables(1, groupNames[group]) {
			if got := c.evaluate(v.EvaluateName, "watch"); v.EvaluateName == "" || got != v.Value {
				t.Errorf("%s is %s, its expression %s is %s", name, v.Value, v.EvaluateName, got)
			}
		}
	}
	for expression, want := range map[string]string{"`12`": "0", "12": "error", "4": "0", "5": "1", "`a&b`": "0", "8": "1"} {
		m := c.request("evaluate", fmt.Sprintf(`{"expression":%s}`, toJSON(expression)))
		got := "error"
		if r, ok := m.(*dap.EvaluateResponse); ok {
			got = r.Body.Result
		}
		if got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
	if got := c.evaluate("a&b", "hover"); got != "0" {
		t.Errorf("a name as it stands in the text: %s", got)
	}
}

// TestPaging shows many variables in parts.
func TestPaging(t *testing.T) {
	var b strings.Builder
	const n = 450
	fmt.Fprintf(&b, "aag %d %d 0 0 %d 1\n", 2*n-1, n, n-1)
	for i := range n {
		fmt.Fprintf(&b, "%d\n", 2*i+2)
	}
	fmt.Fprintf(&b, "%d\n", 2*(2*n-1))
	before := 2
	for i := range n - 1 {
		fmt.Fprintf(&b, "%d %d %d\n", 2*(n+1+i), before, 2*i+4)
		before = 2 * (n + 1 + i)
	}
	for _, paged := range []bool{true, false} {
		c := newClient(t, Options{})
		ask[*dap.InitializeResponse](c, "initialize", fmt.Sprintf(`{"supportsVariablePaging":%t}`, paged))
		ask[*dap.LaunchResponse](c, "launch", launchJSON("and.aag", `"text":`+toJSON(b.String())))
		c.move("configurationDone", "")
		inputs := ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes[groupInputs]
		vars := func(ref int, more string) []dap.Variable {
			return ask[*dap.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d%s}`, ref, more)).Body.Variables
		}
		if paged {
			if inputs.IndexedVariables != n {
				t.Errorf("%+v", inputs)
			}
			if part := vars(inputs.VariablesReference, `,"filter":"indexed","start":440,"count":100`); len(part) != 10 || part[9].Value != "1" {
				t.Errorf("the last part: %+v", part)
			}
			continue
		}
		parts, names := vars(inputs.VariablesReference, ""), map[string]bool{}
		for _, p := range parts {
			for _, v := range vars(p.VariablesReference, "") {
				names[v.Name] = true
			}
		}
		if len(parts) != 5 || len(names) != n {
			t.Errorf("%d parts with %d variables", len(parts), len(names))
		}
	}
}

// TestOrder: inputs and gates stand as in the text, named gates first.
func TestOrder(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("semaphore2_broken.aag"), "")
	c.move("configurationDone", "")
	scopes := ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes
	for group, want := range map[int]string{groupInputs: "move_a move_b ", groupGates: "two_at_work 20 22 24 26 28 30 "} {
		got := ""
		for _, v := range ask[*dap.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, scopes[group].VariablesReference)).Body.Variables {
			got += v.Name + " "
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", groupNames[group], got)
		}
	}
}

func TestQuestions(t *testing.T) {
	file := example("semaphore2_broken.aag")
	c := newClient(t, Options{})
	c.launch(file, "")
	c.move("configurationDone", "")
	targets := ask[*dap.GotoTargetsResponse](c, "gotoTargets", `{"source":{"path":`+toJSON(file)+`},"line":6}`).Body.Targets
	if len(targets) == 0 || !strings.Contains(targets[0].Label, "work_a 0→1") {
		t.Fatalf("steps in which work_a changes: %+v", targets)
	}
	if stop := c.move("goto", fmt.Sprintf(`{"threadId":1,"targetId":%d}`, targets[0].Id)); stop.Reason != "goto" || c.evaluate("rose(work_a)", "watch")[0] != '1' {
		t.Errorf("gone to %+v", stop)
	}
	items := ask[*dap.CompletionsResponse](c, "completions", `{"text":"!move_b & wor","column":14}`).Body.Targets
	if len(items) != 2 || items[0].Label != "work_a" || items[0].Start != 10 || items[0].Length != 3 {
		t.Errorf("completions: %+v", items)
	}
	places := ask[*dap.BreakpointLocationsResponse](c, "breakpointLocations", `{"source":{"path":`+toJSON(file)+`},"line":1,"endLine":4}`).Body.Breakpoints
	if len(places) != 3 || places[2].Line != 4 || places[2].Column != 1 {
		t.Errorf("places for breakpoints: %+v", places)
	}
	if all := ask[*dap.LoadedSourcesResponse](c, "loadedSources", "").Body.Sources; len(all) != 1 {
		t.Errorf("sources: %+v", all)
	}
	why := c.evaluate("why work_b@4", "repl")
	if !strings.HasPrefix(why, "work_b = 1 at step 4\n- ") {
		t.Errorf("why: %s", why)
	}
}

// TestFirstNumbers counts lines and columns as the client does.
func TestFirstNumbers(t *testing.T) {
	c := newClient(t, Options{})
	ask[*dap.InitializeResponse](c, "initialize", `{"linesStartAt1":false,"columnsStartAt1":false}`)
	ask[*dap.LaunchResponse](c, "launch", launchJSON(example("semaphore2_broken.aag"), ""))
	c.move("configurationDone", "")
	if f := c.top(); f.Line != 10 || f.Column != 0 {
		t.Errorf("the property stands at %d:%d, want 10:0", f.Line, f.Column)
	}
}

// TestColumns are UTF-16 code units.
func TestColumns(t *testing.T) {
	c := newClient(t, Options{})
	text := ".model m\n.inputs 𝔸 b c\n.outputs bad\n.names 𝔸 b c bad\n111 1\n# prop: bad bad\n.end\n"
	c.launch("a.blif", `"text":`+toJSON(text))
	c.move("configurationDone", "")
	all := ask[*dap.BreakpointLocationsResponse](c, "breakpointLocations", `{"source":{"path":"a.blif"},"line":2}`).Body.Breakpoints
	if len(all) != 3 || all[0].Column != 9 || all[1].Column != 12 || all[2].Column != 14 {
		t.Errorf("columns of three inputs: %+v", all)
	}
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"path":"a.blif"},"breakpoints":[{"line":2,"column":12},{"line":5}]}`).Body.Breakpoints
	if set[0].Message != "hits where b changes" || set[0].Column != 12 {
		t.Errorf("a breakpoint on one of three inputs: %+v", set[0])
	}
	if set[1].Line != 4 || set[1].Message != "hits where bad changes" {
		t.Errorf("a breakpoint on a row of a cover: %+v", set[1])
	}
}

// TestKinds: the documents of a launch are what the path says.
func TestKinds(t *testing.T) {
	for _, name := range []string{"a.aag", "a.aig", "untitled:a"} {
		text := "aag 1 1 0 0 0 1\n2\n2\n"
		x, err := launchArguments{Program: name, Text: &text}.read(t.Context())
		if err != nil || x.doc.Kind != aigerdesign.Format {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLargeNumbers asks for all that there is by the largest number.
func TestLargeNumbers(t *testing.T) {
	c := newClient(t, Options{})
	ask[*dap.InitializeResponse](c, "initialize", `{"supportsVariablePaging":true}`)
	ask[*dap.LaunchResponse](c, "launch", launchJSON(example("semaphore2_broken.aag"), ""))
	c.move("configurationDone", "")
	c.move("continue", "")
	const largest = "9223372036854775807"
	frames := ask[*dap.StackTraceResponse](c, "stackTrace", `{"startFrame":1,"levels":`+largest+`}`).Body
	if len(frames.StackFrames) != frames.TotalFrames-1 {
		t.Errorf("%d of %d frames", len(frames.StackFrames), frames.TotalFrames)
	}
	for _, s := range ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes {
		question := fmt.Sprintf(`{"variablesReference":%d,"start":1,"count":%s}`, s.VariablesReference, largest)
		if all := ask[*dap.VariablesResponse](c, "variables", question).Body.Variables; len(all) != max(0, s.NamedVariables-1) {
			t.Errorf("%s: %d of %d variables", s.Name, len(all), s.NamedVariables)
		}
	}
}
