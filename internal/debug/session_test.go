package debug

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// TestWalk walks through the counterexample of an example as an editor does.
func TestWalk(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("semaphore2_broken.aag"), "")
	threads := ask[*dap.ThreadsResponse](c, "threads", "").Body.Threads
	if len(threads) != 1 || threads[0].Name != "counterexample of two_at_work" {
		t.Errorf("threads: %+v", threads)
	}
	if stop := c.move("configurationDone", ""); stop.Reason != "entry" {
		t.Errorf("first stop: %+v", stop)
	}
	top := c.top()
	if top.Name != "step 0 of 4" || top.Line != 11 || !strings.HasSuffix(top.Source.Path, "semaphore2_broken.aag") {
		t.Errorf("frame at entry: %+v", top)
	}
	if got := c.evaluate("work_a | work_b", "watch"); got != "0" {
		t.Errorf("work_a | work_b at first: %s", got)
	}
	if stop := c.move("next", `{"threadId":1}`); stop.Reason != "step" {
		t.Errorf("a step: %+v", stop)
	}
	if got := c.evaluate("step", "watch"); got != "1" {
		t.Errorf("step %s after one step", got)
	}
	stop := c.move("continue", `{"threadId":1}`)
	if stop.Reason != "exception" || stop.Text != "the property two_at_work fails here, in step 4" {
		t.Errorf("the end: %+v", stop)
	}
	if got := c.top().Name; !strings.HasPrefix(got, "step 4 of 4: fails") {
		t.Errorf("last frame: %s", got)
	}
	if got := c.evaluate("two_at_work", "watch"); got != "1 (was 0)" {
		t.Errorf("the property is %s in the last step", got)
	}
	info := ask[*dap.ExceptionInfoResponse](c, "exceptionInfo", `{"threadId":1}`).Body
	if info.ExceptionId != "two_at_work" || !strings.Contains(info.Details.StackTrace, "work_b = 1 at step 4") {
		t.Errorf("why it fails: %+v %+v", info, info.Details)
	}
	before := c.variables(5, "Latches")
	if v := before["work_a"]; v.Value[0] != '1' || v.EvaluateName != "work_a" || v.Type != "latch, part of why the property fails" {
		t.Errorf("work_a: %+v", v)
	}
	if stop := c.move("stepBack", `{"threadId":1}`); stop.Reason != "step" || c.top().Id != 4 {
		t.Errorf("a step back: %+v, frame %+v", stop, c.top())
	}
	c.move("next", "")
	if after := c.variables(5, "Latches"); toJSON(after) != toJSON(before) {
		t.Errorf("a step back and forth changes\n%s\nto\n%s", toJSON(before), toJSON(after))
	}
	if stop := c.move("next", ""); !strings.Contains(stop.Text, "the last one") || c.top().Id != 5 {
		t.Errorf("after the end: %+v", stop)
	}
	if stop := c.move("reverseContinue", `{"threadId":1}`); stop.Reason != "entry" || c.top().Id != 1 {
		t.Errorf("back to the start: %+v", stop)
	}
	ask[*dap.TerminateResponse](c, "terminate", "")
	c.request("disconnect", "")
	if err := <-c.ended; err != nil {
		t.Errorf("the session ends with %v", err)
	}
}

func TestStackOfSteps(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("semaphore2_broken.aag"), `"stopOnEntry":false`)
	if stop := c.move("configurationDone", ""); stop.Reason != "exception" {
		t.Errorf("without stopping at entry: %+v", stop)
	}
	stack := ask[*dap.StackTraceResponse](c, "stackTrace", `{"threadId":1}`).Body
	if stack.TotalFrames != 5 || len(stack.StackFrames) != 5 {
		t.Fatalf("%d frames, want 5", stack.TotalFrames)
	}
	for i, f := range stack.StackFrames {
		if want := fmt.Sprintf("step %d of 4", 4-i); f.Id != 5-i || !strings.HasPrefix(f.Name, want) {
			t.Errorf("frame %d is %d, %s; want %s", i, f.Id, f.Name, want)
		}
	}
	// In step 1 one of the processes has got up; that is where its frame stands.
	switch f := stack.StackFrames[3]; f.Name {
	case "step 1 of 4 · sleep_a 1→0, wait_a 0→1":
		if f.Line != 4 {
			t.Errorf("a got up in line %d, want 4", f.Line)
		}
	case "step 1 of 4 · sleep_b 1→0, wait_b 0→1":
		if f.Line != 7 {
			t.Errorf("b got up in line %d, want 7", f.Line)
		}
	default:
		t.Errorf("the frame of step 1 does not tell what is new: %s", f.Name)
	}
	part := ask[*dap.StackTraceResponse](c, "stackTrace", `{"threadId":1,"startFrame":1,"levels":2}`).Body.StackFrames
	if len(part) != 2 || part[0].Id != 4 || part[1].Id != 3 {
		t.Errorf("frames 1 and 2: %+v", part)
	}
	if v := c.variables(1, "Latches")["sleep_a"]; v.Value != "1" {
		t.Errorf("sleep_a in the frame of step 0: %+v", v)
	}
	r := ask[*dap.EvaluateResponse](c, "evaluate", `{"expression":"wait_a","frameId":1,"context":"watch"}`)
	if r.Body.Result != "0" {
		t.Errorf("wait_a in the frame of step 0: %s", r.Body.Result)
	}
	c.move("restartFrame", `{"frameId":3}`)
	if f := c.top(); f.Id != 3 {
		t.Errorf("restarted at %+v, want step 2", f)
	}
	if got := c.refused("scopes", `{"frameId":5}`); !strings.Contains(got, "no frame") {
		t.Errorf("a frame that is to come: %s", got)
	}
}

// TestLineBreakpoints stops at definitions, forwards and backwards.
func TestLineBreakpoints(t *testing.T) {
	file := example("semaphore2_broken.aag")
	c := newClient(t, Options{})
	c.launch(file, "")
	set := func(breakpoints string) []dap.Breakpoint {
		t.Helper()
		return ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":%s}`, toJSON(file), breakpoints)).Body.Breakpoints
	}
	// Line 6 defines work_a, line 1 nothing: the next definition is in line 2.
	all := set(`[{"line":6},{"line":1},{"line":39},{"line":60},{"line":6,"condition":"a &"},{"line":6,"hitCondition":"often"}]`)
	want := []struct {
		verified bool
		line     int
		message  string
	}{
		{true, 6, "work_a"}, {true, 2, "move_a"}, {true, 39, "move_b"}, {false, 60, "no signal"}, {false, 6, "column 1: there is no signal named a"}, {false, 6, "hit count"},
	}
	for i, w := range want {
		if b := all[i]; b.Verified != w.verified || b.Line != w.line || !strings.Contains(b.Message, w.message) {
			t.Errorf("breakpoint %d: %+v, want %+v", i, b, w)
		}
	}
	set(`[{"line":6}]`)
	c.move("configurationDone", "")
	stop := c.move("continue", "")
	if stop.Reason != "breakpoint" || len(stop.HitBreakpointIds) != 1 {
		t.Errorf("at the breakpoint: %+v", stop)
	}
	if f := c.top(); f.Line != 6 || f.Column != 1 {
		t.Errorf("frame at the breakpoint: %+v", f)
	}
	if got := c.evaluate("work_a", "watch"); got != "1 (was 0)" {
		t.Errorf("work_a is %s where it changes", got)
	}
	hit := c.top().Id
	if c.move("continue", ""); c.top().Id != 5 {
		t.Errorf("the next stop is %s", c.top().Name)
	}
	if stop := c.move("reverseContinue", ""); stop.Reason != "breakpoint" || c.top().Id != hit {
		t.Errorf("from behind: %+v in %s, want frame %d", stop, c.top().Name, hit)
	}
	set(`[{"line":6,"condition":"!work_a"}]`)
	c.move("restart", "")
	if stop := c.move("continue", ""); stop.Reason != "exception" {
		t.Errorf("a condition that never holds: %+v", stop)
	}
	set(`[{"line":6,"logMessage":"a works: {work_a}, b: {work_b}"}]`)
	c.move("restart", "")
	if stop := c.move("continue", ""); stop.Reason != "exception" {
		t.Errorf("a log point stops: %+v", stop)
	}
	if len(c.events) != 1 || !strings.Contains(toJSON(c.events[0]), `a works: 1 (was 0), b: 0`) {
		t.Errorf("the log point says %s", toJSON(c.events))
	}
	other := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"path":"/nowhere.aag"},"breakpoints":[{"line":1}]}`).Body.Breakpoints
	if other[0].Verified {
		t.Errorf("a breakpoint in another file: %+v", other)
	}
}

func TestHitConditions(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("river_crossing.aag"), "")
	c.move("configurationDone", "")
	last := len(c.evaluate("steps all_across", "repl")) - 1
	functions := func(condition string) {
		t.Helper()
		ask[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", fmt.Sprintf(`{"breakpoints":[{"name":"changed(farmer)","hitCondition":%q}]}`, condition))
	}
	values := c.evaluate("steps farmer", "repl")
	var rises []int // of changed(farmer)
	for i := 1; i <= last; i++ {
		if values[i] != values[i-1] && (i == 1 || values[i-1] == values[i-2]) {
			rises = append(rises, i)
		}
	}
	if len(rises) < 1 {
		t.Fatalf("the example has too few changes of farmer: %s", values)
	}
	functions("1")
	if c.move("continue", ""); c.top().Id != rises[0]+1 {
		t.Errorf("first hit in %s, want step %d", c.top().Name, rises[0])
	}
	functions(">= 100")
	if stop := c.move("continue", ""); stop.Reason != "exception" {
		t.Errorf("a hundredth hit: %+v", stop)
	}
}

// TestFunctionAndDataBreakpoints continues to conditions over names.
func TestFunctionAndDataBreakpoints(t *testing.T) {
	c := newClient(t, Options{})
	c.launch(example("semaphore2_broken.aag"), "")
	c.move("configurationDone", "")
	set := ask[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints",
		`{"breakpoints":[{"name":"work_a & wait_b"},{"name":"work_a &"},{"name":"absent"}]}`).Body.Breakpoints
	if !set[0].Verified || set[1].Verified || set[2].Verified {
		t.Errorf("function breakpoints: %+v", set)
	}
	if want := "column 9: expected a name, found the end"; set[1].Message != want {
		t.Errorf("%q, want %q", set[1].Message, want)
	}
	if stop := c.move("continue", ""); stop.Reason != "function breakpoint" || stop.HitBreakpointIds[0] != set[0].Id {
		t.Errorf("at the condition: %+v", stop)
	}
	if got := c.evaluate("work_a & wait_b & !prev(work_a & wait_b)", "watch"); got[0] != '1' {
		t.Errorf("the condition is %s where it becomes true", got)
	}
	c.request("setFunctionBreakpoints", `{"breakpoints":[]}`)
	c.move("restart", "")
	ref := ask[*dap.ScopesResponse](c, "scopes", `{"frameId":1}`).Body.Scopes[groupLatches].VariablesReference
	info := ask[*dap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", fmt.Sprintf(`{"name":"free","variablesReference":%d}`, ref)).Body
	if info.DataId != "free" {
		t.Fatalf("data breakpoint: %+v", info)
	}
	if got := ask[*dap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", `{"name":"absent"}`).Body; got.DataId != nil {
		t.Errorf("a data breakpoint on an unknown signal: %+v", got)
	}
	c.request("setDataBreakpoints", `{"breakpoints":[{"dataId":"free"}]}`)
	if stop := c.move("continue", ""); stop.Reason != "data breakpoint" || c.evaluate("changed(free)", "watch")[0] != '1' {
		t.Errorf("where free changes: %+v", stop)
	}
}

func TestBLIF(t *testing.T) {
	file := example("vending.blif")
	c := newClient(t, Options{})
	c.launch(file, `"property":"drink_and_coin"`)
	c.move("configurationDone", "")
	if f := c.top(); f.Name != "step 0 of 2" {
		t.Errorf("entry: %+v", f)
	}
	latches := c.variables(1, "Latches")
	if len(latches) == 0 {
		t.Fatal("no latches")
	}
	for name, v := range latches {
		if v.Type == "scope" {
			continue
		}
		if got := c.evaluate(v.EvaluateName, "watch"); got != v.Value {
			t.Errorf("%s is %s as a variable and %s as an expression", name, v.Value, got)
		}
	}
	for name, v := range c.variables(1, "Gates") {
		if v.Type == "scope" {
			continue
		}
		if got := c.evaluate(v.EvaluateName, "watch"); v.EvaluateName == "" || got != v.Value {
			t.Errorf("%s is %s as a variable and %s as an expression %s", name, v.Value, got, v.EvaluateName)
		}
	}
	if stop := c.move("continue", ""); stop.Reason != "exception" {
		t.Errorf("the end: %+v", stop)
	}
	if why := c.evaluate("why", "repl"); !strings.Contains(why, "at step 2") {
		t.Errorf("why: %s", why)
	}
	if got := c.evaluate("help", "repl"); got != help {
		t.Errorf("help: %s", got)
	}
	if got := c.refused("evaluate", `{"expression":"why absent","context":"repl"}`); !strings.Contains(got, "no signal named absent") {
		t.Errorf("why absent: %s", got)
	}
}

// TestInstances looks at a model in another file with several instances.
func TestInstances(t *testing.T) {
	dir := t.TempDir()
	cell := ".model cell\n.inputs d\n.outputs q\n.latch n q 0\n.names d q n\n10 1\n01 1\n.end\n"
	top := ".model top\n.inputs a b\n.outputs bad\n.subckt cell d=a q=x\n.subckt cell d=b q=y\n# prop: bad bad\n.names x y bad\n11 1\n.end\n"
	write(t, dir+"/cell.blif", cell)
	write(t, dir+"/top.blif", top)
	c := newClient(t, Options{})
	c.launch(dir+"/top.blif", "")
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":[{"line":4}]}`, toJSON(dir+"/cell.blif"))).Body.Breakpoints
	if !set[0].Verified || set[0].Message != "hits where x/q, y/q changes" {
		t.Fatalf("a breakpoint in the model's file: %+v", set)
	}
	c.move("configurationDone", "")
	stop := c.move("continue", "")
	if stop.Reason != "exception" || len(stop.HitBreakpointIds) != 1 {
		t.Errorf("both instances change where the property fails: %+v", stop)
	}
	if got := c.evaluate("x/q & prev(!y/q)", "watch"); got[0] != '1' {
		t.Errorf("names with the paths of instances: %s", got)
	}
	if got := c.evaluate("bad == (x & y)", "watch"); got != "1" {
		t.Errorf("bad is not x & y: %s", got)
	}
	write(t, dir+"/whole.blif", strings.ReplaceAll(top+cell, "cell", "box"))
	c = newClient(t, Options{})
	c.launch(dir+"/whole.blif", "")
	set = ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":[{"line":13}]}`, toJSON(dir+"/whole.blif"))).Body.Breakpoints
	if !set[0].Verified || strings.Count(set[0].Message, "/q") != 2 {
		t.Errorf("a breakpoint in a model with two instances: %+v", set)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// counter counts from 0, and is bad at 5.
const counter = `aag 11 0 3 0 8 1
2 3
4 12
6 18
22
8 4 2
10 5 3
12 11 9
14 8 6
16 9 7
18 17 15
20 6 5
22 20 2
l0 count[0]
l1 count[1]
l2 count[2]
b0 five
`

// TestWords asks about a word by its name, and stops on it.
func TestWords(t *testing.T) {
	c := newClient(t, Options{})
	c.launch("counter.aag", `"text":`+toJSON(counter))
	c.move("configurationDone", "")
	set := ask[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints",
		`{"breakpoints":[{"name":"count == 3"},{"name":"count == 8"},{"name":"count","condition":"count > 3"}]}`).Body.Breakpoints
	if !set[0].Verified || set[1].Message != "column 10: 8 does not fit count, which has 3 bits: 0 to 7" || !set[2].Verified {
		t.Errorf("function breakpoints: %+v", set)
	}
	for _, want := range []int{0, 2} {
		if stop := c.move("continue", ""); stop.Reason != "function breakpoint" || stop.HitBreakpointIds[0] != set[want].Id {
			t.Errorf("at %+v: %+v", set[want], stop)
		}
	}
	for expression, want := range map[string]string{
		"count": "4", "prev(count)": "3", "count == prev(count) + 1": "1", "count[2:1]": "2", "changed(count)": "1", "count - 5": "-1",
	} {
		if got := c.evaluate(expression, "watch"); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
	info := ask[*dap.DataBreakpointInfoResponse](c, "dataBreakpointInfo", `{"name":"count"}`).Body
	if info.DataId != "count" {
		t.Errorf("data breakpoint: %+v", info)
	}
	c.request("setFunctionBreakpoints", `{"breakpoints":[]}`)
	c.request("setDataBreakpoints", `{"breakpoints":[{"dataId":"count"}]}`)
	c.move("restart", "")
	if stop := c.move("continue", ""); stop.Reason != "data breakpoint" || c.evaluate("count", "watch") != "1" {
		t.Errorf("where count changes: %+v", stop)
	}
	items := ask[*dap.CompletionsResponse](c, "completions", `{"text":"five & cou","column":11}`).Body.Targets
	if len(items) != 4 || items[0].Label != "count" || items[0].Start != 7 || items[0].Length != 3 {
		t.Errorf("completions: %+v", items)
	}
}

// TestValueNames stops where a word has a value that a line of the text names, and completes the
// names of values.
func TestValueNames(t *testing.T) {
	text := strings.ReplaceAll(counter, "count[", "c") // c0] and so on: not the names of bits
	text += "c\nword: state = c2] c1] c0] {idle = 0, wait = 1, work = 3}\n"
	c := newClient(t, Options{})
	c.launch("states.aag", `"text":`+toJSON(text))
	c.move("configurationDone", "")
	set := ask[*dap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"state == work"},{"name":"state == wirk"}]}`).Body.Breakpoints
	if !set[0].Verified || !strings.HasPrefix(set[1].Message, `column 10: there is no signal named wirk, and "wirk" is no value of state: expected idle, wait, work, or a number`) {
		t.Errorf("function breakpoints: %+v", set)
	}
	if stop := c.move("continue", ""); stop.Reason != "function breakpoint" || c.evaluate("state", "watch") != "work" || c.evaluate("prev(state)", "watch") != "2" || c.evaluate("state[2]", "watch")[0] != '0' {
		t.Errorf("at work: %+v", stop)
	}
	for typed, want := range map[string]string{"state == ": "idle wait work", "state != w": "wait work", "prev(state) == wo": "work", "sta": "state"} {
		labels := ""
		for _, item := range ask[*dap.CompletionsResponse](c, "completions", fmt.Sprintf(`{"text":%q,"column":%d}`, typed, len(typed)+1)).Body.Targets {
			if item.Type == "value" || typed == "sta" {
				labels += " " + item.Label
			}
		}
		if strings.TrimSpace(labels) != want {
			t.Errorf("%s: %s, want %s", typed, labels, want)
		}
	}
}
