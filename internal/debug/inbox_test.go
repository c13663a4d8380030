package debug

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/ic3/verify"
)

// TestTakenBack takes back requests that look at 10,000 steps, each of which takes a
// while: a line of the console, and a run to a breakpoint.
func TestTakenBack(t *testing.T) {
	const steps = 10_000
	file := filepath.Join(t.TempDir(), "late.aag")
	write(t, file, "aag 2 1 1 0 0 1\n2\n4 2\n4\n")
	witness := "1\nb0\n0\n" + strings.Repeat("0\n", steps-2) + "1\n0\n.\n"
	c := newClient(t, Options{Engine: func() verify.Engine { return unwanted }})
	c.launch(file, `"witnessText":`+toJSON(witness))
	c.move("configurationDone", "")
	slow := strings.TrimSuffix(strings.Repeat("4|", 4000), "|") // a second or two over all steps
	c.request("setFunctionBreakpoints", fmt.Sprintf(`{"breakpoints":[{"name":%q}]}`, slow+"&step>20000"))

	// takeBack sends a request and the word that it is no longer wanted.
	takeBack := func(command, arguments string) (id int) {
		c.seq += 2
		id = c.seq - 1
		c.raw(fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, id, command, arguments))
		c.raw(fmt.Sprintf(`{"seq":%d,"type":"request","command":"cancel","arguments":{"requestId":%d}}`, c.seq, id))
		return id
	}
	id := takeBack("evaluate", fmt.Sprintf(`{"expression":%q,"context":"repl","frameId":1}`, "steps "+slow))
	answer := c.read()
	if failed, ok := answer.(*dap.ErrorResponse); !ok || failed.RequestSeq != id || failed.Message != "cancelled" {
		t.Errorf("answer %.200s", toJSON(answer))
	}
	cancelled(c)
	takeBack("continue", `{"threadId":1}`)
	if _, ok := c.read().(*dap.ContinueResponse); !ok {
		t.Error("no answer to continue")
	}
	stop := c.stopped()
	cancelled(c)
	if stop.Reason != "step" || c.top().Id >= steps {
		t.Errorf("a run that is taken back stops so: %+v", stop)
	}
	if got := c.evaluate("4", "repl"); got != "0" {
		t.Errorf("the session does not go on: %s", got)
	}
}

// cancelled reads the answer to a cancel.
func cancelled(c *client) {
	c.t.Helper()
	if m, ok := c.read().(*dap.CancelResponse); !ok {
		c.t.Errorf("no answer to the cancel: %s", toJSON(m))
	}
}

// TestInterrupted stops a simulation that would go on for 10,000 steps. Nothing of it goes on,
// for the session waits with its first answer until that is read.
func TestInterrupted(t *testing.T) {
	for _, command := range []string{"pause", "restart", "terminate", "disconnect"} {
		c, _ := simulated(t, enabled, `"inputs":"last","steps":10000`)
		c.move("configurationDone", "")
		for _, sent := range []string{"continue", command, "threads"} { // when the last is read, that before is
			c.seq++
			c.raw(fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":{"threadId":1}}`, c.seq, sent))
		}
		if _, ok := c.read().(*dap.ContinueResponse); !ok {
			t.Fatalf("%s: no answer to continue", command)
		}
		if stop := c.stopped(); stop.Text != "step 0" {
			t.Errorf("%s: the run goes on: %+v", command, stop)
		}
		answer, ok := c.read().(dap.ResponseMessage)
		if !ok || answer.GetResponse().Command != command || !answer.GetResponse().Success {
			t.Errorf("%s: answered %s", command, toJSON(answer))
		}
	}
}

// TestInterruptKeeps: a pause ends no request but those after which a run goes on.
func TestInterruptKeeps(t *testing.T) {
	b := inbox{early: map[int]bool{}}
	b.interrupt(3, "pause")
	for seq, command := range map[int]string{1: "setVariable", 2: "continue", 4: "continue"} {
		ctx, end := b.begin(t.Context(), seq, command)
		if got, want := ctx.Err() != nil, seq == 2; got != want {
			t.Errorf("%s with number %d is ended: %t", command, seq, got)
		}
		end()
	}
}
