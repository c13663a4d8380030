package debug

import (
	"path/filepath"
	"strings"
	"testing"
)

// starving is an arbiter that never serves its second requester as long as the first asks.
// Of the witness the last two steps are the loop.
const (
	starving = "aag 5 2 1 0 2 0 0 1 1\n2\n4\n6 10\n2\n6\n5\n4\n8 5 7\n10 9 2\ni0 r0\ni1 r1\nl0 wait\nj0 starves\n"
	lasso    = `1\nj0\n0\n11\n10\n11\n.\n`
)

// TestLasso follows the loop of a justice property, and back across its beginning.
func TestLasso(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starving.aag")
	write(t, file, starving)
	c := newClient(t, Options{})
	c.launch(file, `"witnessText":"`+lasso+`"`)
	c.move("configurationDone", "")
	for _, want := range []string{
		"step 2, loop of 1 to 2", "step 2 of round 2, loop of 1 to 2", "step 2 of round 3, loop of 1 to 2",
	} {
		stop := c.move("continue", "")
		if stop.Reason != "exception" || !strings.Contains(stop.Text, "repeats for ever") || c.top().Name != want {
			t.Errorf("%s, %s, %q, want %q", stop.Reason, stop.Text, c.top().Name, want)
		}
	}
	for _, want := range []string{"step 1 of round 3, loop of 1 to 2", "step 2 of round 2, loop of 1 to 2"} {
		if c.move("stepBack", ""); c.top().Name != want {
			t.Errorf("back at %q, want %q", c.top().Name, want)
		}
	}
	c.request("setFunctionBreakpoints", `{"breakpoints":[{"name":"r1"}]}`)
	for _, want := range []int{6, 8} {
		c.move("continue", "")
		if at := c.top().Id - 1; at != want {
			t.Errorf("r1 rises at step %d, want %d", at, want)
		}
	}
	if c.move("reverseContinue", ""); c.top().Id-1 != 6 {
		t.Errorf("r1 rises at step %d, backwards", c.top().Id-1)
	}
	for question, want := range map[string]string{
		"steps r1": "1 ↻ 01 ↻ 01…", "prev(r1)": "0", "wait@1000": "1",
		"why": "starves fails in the loop\n- wait = 1 at step 1", "why wait@3": "wait = 1 at step 1 of round 2\n- 10 = 1 at step 2\n",
	} {
		if got := c.evaluate(question, "repl"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
