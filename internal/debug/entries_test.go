package debug

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// listed returns the names and values of the variables of a reference, in their order.
func (c *client) listed(reference int) (all []string) {
	c.t.Helper()
	for _, v := range ask[*dap.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, reference)).Body.Variables {
		all = append(all, v.Name+"="+v.Value)
	}
	return all
}

// scope returns the reference of a group in the first frame.
func (c *client) scope(group string) int {
	c.t.Helper()
	for _, s := range ask[*dap.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, c.top().Id)).Body.Scopes {
		if s.Name == group {
			return s.VariablesReference
		}
	}
	c.t.Fatalf("no group %s", group)
	return 0
}

// TestWordsOfInstances looks at the words of two equal instances.
func TestWordsOfInstances(t *testing.T) {
	text := `.model top
.inputs a
.outputs bad
.subckt twice d=a s=l0 t=l1
.subckt twice d=l0 s=r0 t=r1
# prop: bad bad
.names r0 r1 l1 bad
111 1
.end
.model twice
.inputs d
.outputs s t
.latch d q[0] 0
.latch q[0] q[1] 0
.names q[0] s
1 1
.names q[1] t
1 1
.end
`
	c := newClient(t, Options{})
	c.launch("a.blif", `"stopOnEntry":false,"text":`+toJSON(text))
	c.move("configurationDone", "")
	if got := c.top().Name; got != "step 3 of 3: fails · l0/q 3→0b1x, r0/q 1→3" {
		t.Errorf("the step says %q", got)
	}
	latches := c.variables(c.top().Id, "Latches")
	for _, path := range []string{"l0", "r0"} {
		scope, word := latches[path], latches[path+"/q"]
		if scope.Type != "scope" || scope.NamedVariables != 1 {
			t.Errorf("%s: %+v", path, scope)
		}
		if word.Type != "word of 2 bits" || word.NamedVariables != 2 {
			t.Errorf("the word of %s: %+v", path, word)
		}
		bits := c.listed(word.VariablesReference)
		if len(bits) != 2 || !strings.HasPrefix(bits[0], "q[1]=") || !strings.HasPrefix(bits[1], "q[0]=") {
			t.Errorf("the bits of %s: %q", path, bits)
		}
		if got := latches[path+"/q[1]"].EvaluateName; got != path+"/q[1]" {
			t.Errorf("an expression for the bit of %s: %q", path, got)
		}
	}
	if got := latches["r0/q"].Value; !strings.HasPrefix(got, "3") {
		t.Errorf("where it fails r0/q is %s, want 3", got)
	}
}

// TestSetWords sets inputs and free latches of a simulation as words.
func TestSetWords(t *testing.T) {
	// in[3:0] is an input, and free[1:0] keeps the value that it starts with; held[4] is not there.
	text := `aag 8 4 4 0 0 1
2
4
6
8
10 10 10
12 12 12
14 2
16 16 16
14
i0 in[0]
i1 in[1]
i2 in[2]
i3 in[3]
l0 free[0]
l1 free[1]
l2 held[3]
l3 held[5]
`
	c := newClient(t, Options{})
	c.launch("a.aag", `"simulate":true,"text":`+toJSON(text))
	c.move("configurationDone", "")
	inputs, latches := c.scope("Inputs"), c.scope("Latches")
	if got := c.listed(inputs); !slices.Equal(got, []string{"in=0"}) {
		t.Errorf("inputs: %q", got)
	}
	if got := c.listed(latches); !slices.Equal(got, []string{"free=0", "held=0b0-0"}) {
		t.Errorf("latches: %q", got)
	}
	set := func(reference int, name, value string) string {
		t.Helper()
		return ask[*dap.SetVariableResponse](c, "setVariable", fmt.Sprintf(`{"variablesReference":%d,"name":%q,"value":%q}`, reference, name, value)).Body.Value
	}
	for _, x := range []struct{ value, want string }{
		{"5", "5"}, {"0xc", "12"}, {"0b1xx1", "13"}, {"3 (was 1)", "3"}, {"3", "3"},
	} {
		if got := set(c.scope("Inputs"), "in", x.value); got != x.want {
			t.Errorf("%s makes the input %s, want %s", x.value, got, x.want)
		}
	}
	if got := set(c.scope("Latches"), "free", "2"); got != "2" {
		t.Errorf("free is %s", got)
	}
	in := c.variables(c.top().Id, "Inputs")
	if got := in["in[1]"].Value + in["in[2]"].Value; got != "10" {
		t.Errorf("bits 1 and 2 of 3 are %s", got)
	}
	if got := set(in["in"].VariablesReference, "in[3]", "1"); got != "1" {
		t.Errorf("a bit that is set is %s", got)
	}
	if got := c.listed(c.scope("Inputs")); !slices.Equal(got, []string{"in=11"}) {
		t.Errorf("after a bit was set: %q", got)
	}
	for _, x := range []struct{ group, name, value, want string }{
		{"Inputs", "in", "16", "16 does not fit in, which has 4 bits: 0 to 15"},
		{"Inputs", "in", "-1", "-1 does not fit in, which has 4 bits: 0 to 15"},
		{"Inputs", "in", "nine", `"nine" is no value of in`},
		{"Inputs", "in", "3 (was", "is no value of in"},
		{"Latches", "held", "0b101", "bit 5 of held cannot be set"},
		{"Latches", "held", "0b011", "held has no bit 4"},
		{"Latches", "absent", "1", "there is no variable absent"},
	} {
		if x.name == "held" && x.value == "0b101" {
			c.move("next", "")
		}
		got := c.refused("setVariable", fmt.Sprintf(`{"variablesReference":%d,"name":%q,"value":%q}`, c.scope(x.group), x.name, x.value))
		if !strings.Contains(got, x.want) {
			t.Errorf("%s = %s: %q, want %q", x.name, x.value, got, x.want)
		}
	}
	if got := c.listed(c.scope("Inputs")); !slices.Equal(got, []string{"in=11"}) {
		t.Errorf("after what was refused: %q", got)
	}
	if got := c.top().Name; got != "step 1: fails bad 0 · held 0b0-0→0b0-1" {
		t.Errorf("the step says %q", got)
	}
}

// TestNamedWords: a word of a line of the text has the names of its values, and of a bit that is
// negated the negated one.
func TestNamedWords(t *testing.T) {
	text := `aag 4 3 1 0 0 1
2
4
6
8 2
8
i0 a
i1 b
c
word: pair = !a b {none = 0, both = 3}
word: more = 8 !6
`
	c := newClient(t, Options{})
	c.launch("a.aag", `"simulate":true,"text":`+toJSON(text))
	c.move("configurationDone", "")
	inputs := c.variables(1, "Inputs")
	if pair := inputs["pair"]; pair.Value != "2" || pair.NamedVariables != 2 {
		t.Errorf("pair: %+v", pair)
	}
	if not := inputs["!a"]; not.Value != "1" || not.EvaluateName != "!a" {
		t.Errorf("!a: %+v", not)
	}
	if not := c.variables(1, "Latches")["!6"]; not.Value != "1" || not.EvaluateName != "7" {
		t.Errorf("!6: %+v", not)
	}
	for _, value := range []string{"both", "none (was both)", "3"} {
		ask[*dap.SetVariableResponse](c, "setVariable", fmt.Sprintf(`{"variablesReference":%d,"name":"pair","value":%q}`, c.scope("Inputs"), value))
	}
	if got := c.evaluate("pair == both & b & !a", "watch"); got != "1" {
		t.Errorf("both is %s", got)
	}
}

// TestOtherNamesOfBits: the bits of a word are called as such where their signals have other names,
// even ones that begin as the word does.
func TestOtherNamesOfBits(t *testing.T) {
	text := `.model top
.inputs a b
.outputs q[0] q[1] q[2]
.latch a queue 0
.latch b other 0
.names queue q[0]
1 1
.names other q[1]
1 1
.names other q[2]
1 1
.end
`
	c := newClient(t, Options{})
	c.launch("a.blif", `"simulate":true,"text":`+toJSON(text))
	c.move("configurationDone", "")
	word := c.variables(c.top().Id, "Latches")["q"]
	if got, want := c.listed(word.VariablesReference), []string{"q[2]=0", "q[1]=0", "q[0]=0"}; !slices.Equal(got, want) {
		t.Errorf("the bits of %+v: %q, want %q", word, got, want)
	}
}

// failing is a context that ends after it has been asked so many times whether it has.
type failing struct {
	context.Context
	left int
}

func (c *failing) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSetWordAtOnce: wherever it is cancelled that a word is set, the run has the whole value or the
// one before.
func TestSetWordAtOnce(t *testing.T) {
	s := newSession(t.Context(), io.Discard, Options{})
	receive := func(command, arguments string) {
		t.Helper()
		if err := s.receive(fmt.Appendf(nil, `{"seq":1,"type":"request","command":%q,"arguments":%s}`, command, arguments)); err != nil {
			t.Fatal(err)
		}
	}
	receive("initialize", `{"adapterID":"aiglens","supportsInvalidatedEvent":true}`)
	receive("launch", `{"program":"a.aag","simulate":true,"text":`+toJSON("aag 4 4 0 1 0\n2\n4\n6\n8\n8\ni0 in[0]\ni1 in[1]\ni2 in[2]\ni3 in[3]\n")+`}`)
	s.launched(<-s.launch.loaded)
	receive("configurationDone", "{}")
	w := s.walk
	before := w.t
	word := before.trees[groupInputs]().inside[0].word
	for asked := 0; ; asked++ {
		w.t = before
		tree := before.trees[groupInputs]()
		m := &dap.SetVariableRequest{Arguments: dap.SetVariableArguments{
			VariablesReference: w.handles.reference(handle{0, groupInputs, tree, 0, len(tree.inside)}), Name: "in", Value: "15",
		}}
		err := w.onSetVariable(&failing{t.Context(), asked}, m)
		got := entries{w.t}.text(word, 0)
		switch {
		case err == nil && got == "15" && asked > 0:
			return
		case !errors.Is(err, context.Canceled) || got != "0":
			t.Fatalf("cancelled when it is asked for the %d. time, the word is %s: %v", asked+1, got, err)
		}
	}
}

// TestGoToChangesOfWords: from the line of a bit lead the steps in which its word changes.
func TestGoToChangesOfWords(t *testing.T) {
	const text = "aag 5 0 2 0 3 1\n2 3\n4 10\n6\n6 4 2\n8 5 3\n10 9 7\nl0 count[0]\nl1 count[1]\nb0 full\n"
	file := filepath.Join(t.TempDir(), "a.aag")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, Options{})
	c.launch(file, "")
	c.move("configurationDone", "")
	var labels []string
	for _, to := range ask[*dap.GotoTargetsResponse](c, "gotoTargets", `{"source":{"path":`+toJSON(file)+`},"line":3}`).Body.Targets {
		labels = append(labels, to.Label)
	}
	if want := []string{"step 1: count 0→1", "step 2: count 1→2", "step 3: count 2→3"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}

// TestBitInWord: an input of one bit stands under its own name, also where a row makes its negation a bit of a word.
func TestBitInWord(t *testing.T) {
	c := newClient(t, Options{})
	c.launch("a.btor2", `"text":`+toJSON("1 sort bitvec 1\n2 sort bitvec 2\n3 input 1 go\n4 input 1 on\n5 concat 2 -3 4 both\n6 redand 1 5\n7 bad 6\n"))
	c.move("configurationDone", "")
	inputs := c.variables(c.top().Id, "Inputs")
	for name, want := range map[string]string{"go": "0", "on": "1", "both": "3"} {
		if got := inputs[name].Value; got != want {
			t.Errorf("%s is %q, want %s", name, got, want)
		}
	}
}

// TestBreakpointAtWord: a breakpoint at the line of a word is one on its bits, in both languages.
func TestBreakpointAtWord(t *testing.T) {
	for file, text := range map[string]string{
		"a.aag":  "aag 2 1 1 0 0 1\n2\n4 2\n4\ni0 in\nl0 kept\nc\nword: pair = in kept\n",
		"a.blif": ".model m\n.inputs in\n.outputs kept\n# prop: bad kept\n.latch in kept 0\n# word: pair = in kept\n.end\n",
	} {
		line := strings.Count(text[:strings.Index(text, "word:")], "\n") + 1
		c := newClient(t, Options{})
		c.launch(file, `"simulate":true,"source":"untitled:`+file+`","text":`+toJSON(text))
		c.move("configurationDone", "")
		set := ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":"untitled:%s"},"breakpoints":[{"line":%d}]}`, file, line)).Body.Breakpoints
		if len(set) != 1 || !set[0].Verified || set[0].Message != "hits where in, kept changes" {
			t.Errorf("%s: %+v", file, set)
		}
	}
}

// TestRadices: words are written in the radices of the launch among the variables, in the names of steps and in why;
// expressions have numbers of their own.
func TestRadices(t *testing.T) {
	const text = "aag 5 0 2 0 3 1\n2 3\n4 10\n6\n6 4 2\n8 5 3\n10 9 7\nl0 count[0]\nl1 count[1]\nb0 full\n"
	for radix, want := range map[string]string{"binary": "0b11", "decimal": "3", "hex": "0x3", "signed": "-1"} {
		c := newClient(t, Options{})
		c.launch("a.aag", `"text":`+toJSON(text)+`,"radices":{"count":"`+radix+`"}`)
		c.move("configurationDone", "")
		for range 3 {
			c.move("next", "")
		}
		top := c.top()
		if got := c.variables(top.Id, "Latches")["count"].Value; !strings.HasPrefix(got, want) {
			t.Errorf("%s: the variable is %s, expected %s", radix, got, want)
		}
		if !strings.Contains(top.Name, "→"+want) {
			t.Errorf("%s: the step is %s, expected %s", radix, top.Name, want)
		}
		if got := c.evaluate("why full", "repl"); !strings.Contains(got, "count = "+want) {
			t.Errorf("%s: %s, expected %s", radix, got, want)
		}
		if got := c.evaluate("count", "watch"); !strings.HasPrefix(got, "3") {
			t.Errorf("%s: the expression is %s", radix, got)
		}
	}
}
