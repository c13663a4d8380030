package debug

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/cache"
)

func TestLaunchRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/empty.aag", "aag 0 0 0 0 0\n")
	write(t, dir+"/broken.aag", "aag 2 1 0 0 1 1\n4\n2\n4 2 8\n")
	write(t, dir+"/justice.aag", "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n")
	write(t, dir+"/word.txt", "hello\n")
	write(t, dir+"/broken.aig", "aig 9 9\n")
	write(t, dir+"/large.aag", "aag 1 0 1 0 0 1\n2 3\n2\nc\n"+strings.Repeat("comment\n", 1<<17))
	writeMapped(t, dir)
	semaphore := example("semaphore2_broken.aag")
	steps := func(rows ...string) string {
		return `"witnessText":` + toJSON("1\nb0\n1001001\n"+strings.Join(rows, "\n")+"\n.\n")
	}
	for _, c := range []struct{ program, more, want string }{
		{"", "", `"program" is missing`},
		{dir + "/none.aag", "", "no such file"},
		{dir + "/word.txt", "", "not a circuit that can be read"},
		{dir + "/broken.aig", "", "broken.aig"},
		{dir + "/empty.aag", "", "has no property"},
		{dir + "/broken.aag", "", "cannot be checked: line"},
		{dir + "/justice.aag", "", "does not check justice properties"},
		{dir + "/justice.aag", `"witnessText":"1\nj0\n0\n\n.\n"`, "is not the state of an earlier step"},
		{example("counter.aag"), "", "there is no counterexample to walk through: count_is_15: proved"},
		{example("counter.aag"), `"property":"absent"`, `there is no property "absent" in`},
		{example("lift.aag"), `"property":"bad:0"`, "moves_with_open_door: proved"},
		{semaphore, `"witness":"` + dir + `/none.wit"`, "no such file"},
		{semaphore, `"witnessText":"hello"`, "the witness: line 1"},
		{semaphore, `"witnessText":"0\nb0\n.\n"`, "it holds no counterexample"},
		{semaphore, `"witnessText":` + toJSON(traceOfYosys("go", "0", "1")), "there is no map to the signals of the source; write_aiger -ywmap writes it, as semaphore2_broken.ywa"},
		{dir + "/mapped.aag", `"witnessText":` + toJSON(traceOfYosys("stop", "0", "1")), "no signal of the trace is in the map"},
		{dir + "/mapped.aag", `"witnessText":` + toJSON(traceOfYosys("go", "0", "1")), "the run violates no property"},
		{semaphore, steps("00", "00"), "the witness does not violate two_at_work: the bad literal is never 1; it is 0 in the last step, 1"},
		{semaphore, steps("000"), "step 0 has 3 values for 2 inputs"},
		{semaphore, `"witnessText":"1\nb0\n0001001\n00\n.\n"`, "latch 0 starts with 0, but its reset is 1"},
		{dir + "/large.aag", `"maxSize":1`, `larger than the limit of 1 MB; "maxSize" raises it`},
		{semaphore, `"radices":{"q":"octal"}`, `"radices" has "octal" for q, expected binary, decimal, hex or signed`},
		{semaphore, `"maxSize":-1`, `"maxSize" is -1, expected megabytes`},
		{semaphore, `"witness":"` + dir + `/large.aag","maxSize":1`, `"maxSize" raises it`},
		{semaphore, `"timeout":"soon"`, "the launch configuration"},
		{example("account.blif"), `"blif":{"genlib":"` + dir + `/none.genlib"}`, "no such file"},
	} {
		s := newClient(t, Options{})
		got := s.refused("launch", launchJSON(c.program, c.more))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %s: got %q, want %q", c.program, c.more, got, c.want)
		}
		if _, ok := s.read().(*dap.TerminatedEvent); !ok {
			t.Errorf("%s %s: the session does not end", c.program, c.more)
		}
		if got := s.refused("next", ""); !strings.Contains(got, "launch one first") {
			t.Errorf("a step without a counterexample: %s", got)
		}
	}
}

// writeMapped writes mapped.aag, which is bad one step after go, with the map to the name go.
func writeMapped(t *testing.T, dir string) {
	t.Helper()
	write(t, dir+"/mapped.aag", "aag 2 1 1 0 0 1\n2\n4 2\n4\n")
	write(t, dir+"/mapped.ywa", `{"version": "Yosys Witness Aiger map", "latch_count": 1, "input_count": 1, "clocks": [],
"inputs": [{"path": ["\\go"], "input": 0, "offset": 0}], "seqs": [], "inits": []}`)
}

// traceOfYosys is a witness trace of Yosys about one bit.
func traceOfYosys(name string, steps ...string) string {
	return `{"format": "Yosys Witness Trace", "clocks": [], "signals": [{"path": ["\\` + name + `"], "width": 1, "offset": 0, "init_only": false}], "steps": [{"bits": "` +
		strings.Join(steps, `"}, {"bits": "`) + `"}]}`
}

// TestTraceOfYosys walks through a witness trace of Yosys, by the map beside the circuit.
func TestTraceOfYosys(t *testing.T) {
	dir := t.TempDir()
	writeMapped(t, dir)
	c := newClient(t, Options{})
	c.launch(dir+"/mapped.aag", `"witnessText":`+toJSON(traceOfYosys("go", "0", "1", "?")))
}

// TestMaxSize: what is beyond one limit is within a larger one.
func TestMaxSize(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.aag")
	write(t, large, "aag 1 0 1 0 0 1\n2 3\n2\nc\n"+strings.Repeat("comment\n", 1<<17))
	c := newClient(t, Options{})
	c.launch(large, `"maxSize":2`)
}

// TestWitness walks through a witness: it may be longer than needed, and may leave
// values open.
func TestWitness(t *testing.T) {
	witness := filepath.Join(t.TempDir(), "a.wit")
	// a gets up and works, b gets up and works.
	write(t, witness, "1\nb0\n1001001\n10\n10\n01\n01\nxx\n11\n.\n")
	c := newClient(t, Options{Engine: func() verify.Engine { return unwanted }})
	c.launch(example("semaphore2_broken.aag"), `"witness":`+toJSON(witness))
	c.move("configurationDone", "")
	if got := c.evaluate("steps work_a", "repl"); got != "00111" {
		t.Errorf("work_a is %s", got)
	}
	if got := c.evaluate("steps move_b", "repl"); got != "0011x" {
		t.Errorf("move_b is %s", got)
	}
}

// unwanted is an engine that must not be asked.
var unwanted = verify.Engine{Name: "unwanted", Safety: true, Check: func(context.Context, verify.Task) verify.Report {
	panic("the engine is asked")
}}

// TestUnsavedText launches what the editor holds instead of the file.
func TestUnsavedText(t *testing.T) {
	proved, err := os.ReadFile(example("semaphore2.aag"))
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(proved), "46 44 18", "46 44 14", 1)
	if edited == string(proved) {
		t.Fatal("the example has another gate 46")
	}
	c := newClient(t, Options{})
	c.launch(example("semaphore2.aag"), `"text":`+toJSON(edited)+`,"source":"untitled:a%20b"`)
	if stop := c.move("configurationDone", ""); stop.Reason != "entry" {
		t.Errorf("%+v", stop)
	}
	if f := c.top(); f.Source.Path != "untitled:a%20b" || f.Source.SourceReference != 0 {
		t.Errorf("source %+v", f.Source)
	}
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"path":"untitled:a b"},"lines":[4]}`).Body.Breakpoints
	if len(set) != 1 || !set[0].Verified {
		t.Errorf("a breakpoint in the client's own source: %+v", set)
	}
}

// TestExtendedBLIF: a file is BLIF by its extension, however it begins.
func TestExtendedBLIF(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(example("vending.blif"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/vending.eblif", "# Generated by Yosys\n"+string(text))
	c := newClient(t, Options{})
	if got := c.refused("launch", launchJSON(dir+"/vending.eblif", `"property":"absent"`)); !strings.Contains(got, "drink_and_coin") {
		t.Errorf("the properties are not those of the file: %s", got)
	}
}

// TestBinary decodes a file that is not text.
func TestBinary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "toggle.aig")
	// A latch that is 1 in every other step.
	write(t, file, "aig 1 0 1 0 0 1\n3\n2\nl0 toggle\n")
	c := newClient(t, Options{})
	c.launch(file, "")
	c.move("configurationDone", "")
	f := c.top()
	if f.Source.SourceReference == 0 || f.Source.Path != "" {
		t.Fatalf("source %+v", f.Source)
	}
	text := ask[*dap.SourceResponse](c, "source", `{"sourceReference":1}`).Body.Content
	if lines := strings.Split(text, "\n"); !strings.HasPrefix(text, "aag 1 0 1 0 0 1") || lines[f.Line-1] != "2" {
		t.Errorf("line %d of\n%s", f.Line, text)
	}
	set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"sourceReference":1},"breakpoints":[{"line":2}]}`).Body.Breakpoints
	if !set[0].Verified || set[0].Message != "hits where toggle changes" {
		t.Errorf("a breakpoint in decoded text: %+v", set)
	}
}

// TestCache takes the counterexample from an earlier run, whose trace is checked again.
func TestCache(t *testing.T) {
	store, err := cache.Open(t.TempDir(), cache.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, Options{Cache: store})
	c.launch(example("lift.aag"), "")
	c.move("configurationDone", "")
	again := newClient(t, Options{Cache: store, Engine: func() verify.Engine { return unwanted }})
	again.launch(example("lift.aag"), "")
	again.move("configurationDone", "")
	if a, b := c.move("continue", "").Text, again.move("continue", "").Text; a != b || !strings.Contains(a, "runs_past_the_end") {
		t.Errorf("%q at first, %q from the cache", a, b)
	}
}

// slow returns an engine that comes to no end by itself.
func slow(started chan struct{}) verify.Engine {
	return verify.Engine{Name: "slow", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		t.Progress(verify.Progress{Depth: 7})
		close(started)
		<-ctx.Done()
		return verify.Report{Verdict: cert.Verdict{Depth: 7}, Err: ctx.Err()}
	}}
}

// startSlow launches a check that goes on until it is stopped.
func startSlow(t *testing.T) *client {
	started := make(chan struct{})
	c := newClient(t, Options{Engine: func() verify.Engine { return slow(started) }})
	ask[*dap.InitializeResponse](c, "initialize", `{"supportsProgressReporting":true}`)
	c.seq = 100
	c.raw(`{"seq":100,"type":"request","command":"launch","arguments":` + launchJSON(example("semaphore2_broken.aag"), "") + `}`)
	start, ok := c.read().(*dap.ProgressStartEvent)
	if !ok || !start.Body.Cancellable || !strings.Contains(start.Body.Message, "two_at_work") {
		t.Fatalf("progress: %s", toJSON(start))
	}
	<-started
	return c
}

func TestCancel(t *testing.T) {
	for _, how := range []string{`{"progressId":"check"}`, `{"requestId":100}`} {
		c := startSlow(t)
		if got := c.refused("next", ""); !strings.Contains(got, "launch one first") {
			t.Errorf("a step during the check: %s", got)
		}
		ask[*dap.CancelResponse](c, "cancel", `{"requestId":5}`) // something else
		ask[*dap.CancelResponse](c, "cancel", how)
		var failed *dap.ErrorResponse
		for ended := false; failed == nil; {
			switch m := c.read().(type) {
			case *dap.ProgressEndEvent:
				ended = true
			case *dap.ErrorResponse:
				if failed = m; !ended {
					t.Error("the progress has no end")
				}
			}
		}
		if failed.RequestSeq != 100 || failed.Message != "the check was cancelled" {
			t.Errorf("cancelled launch: %s", toJSON(failed))
		}
	}
}

// TestLeaving ends a session while its check goes on.
func TestLeaving(t *testing.T) {
	c := startSlow(t)
	ask[*dap.DisconnectResponse](c, "disconnect", "")
	if err := <-c.ended; err != nil {
		t.Errorf("after disconnect: %v", err)
	}
	c = startSlow(t)
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("after the client went away: %v", err)
	}
}

// TestStartNotGiven: that a counterexample may be due to flip-flops whose start the file does not give
// is said in the words of the other surfaces.
func TestStartNotGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "yosys.blif")
	write(t, file, ".model m\n.inputs clk d en\n.outputs\n.subckt $_DFFE_PP_ C=clk D=d E=en Q=q\n.subckt $assert A=q EN=$true\n.cname a_q\n.end\n")
	c := newClient(t, Options{})
	c.launch(file, `"property":"a_q"`)
	c.move("configurationDone", "")
	if got := c.console(); !strings.Contains(got, "the start of 1 flip-flop is not given") || !strings.Contains(got, "dffunmap") {
		t.Errorf("the console says %q", got)
	}
}
