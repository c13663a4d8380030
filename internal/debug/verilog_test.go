package debug

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/internal/peers"
)

const (
	topText = `module top(input clk, input go);
  wire [2:0] n, m;
  count first(clk, go, n);
  count second(clk, !go, m);
  reg [2:0] sum = 0;
  always @(posedge clk)
    sum <= n + m;
  always @* begin
    a_sum: assert (sum != 3);
  end
endmodule
`
	countText = `module count(input clk, input go, output reg [2:0] n);
  initial n = 0;
  always @(posedge clk)
    if (go && n <= 3) n <= n + 1; else n <= n;
  always @*
    a_count: assert (n != 2);
endmodule
`
)

// TestVerilog walks through a counterexample of a design of two sources: words by the names of the
// sources, below their instances, and breakpoints at the lines of both.
func TestVerilog(t *testing.T) {
	peers.Program(t, "yosys")
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write(t, path("top.sv"), topText)
	write(t, path("count.sv"), "module")
	write(t, path("aiglens.json"), `{"sources": ["top.sv", "count.sv"], "top": "top"}`)

	c := newClient(t, Options{})
	if got := c.refused("launch", launchJSON(path("top.sv"), "")); !strings.Contains(got, "count.sv:1: syntax error") {
		t.Errorf("a source with an error: %s", got)
	}
	c = newClient(t, Options{})
	c.launch(path("top.sv"), `"property":"a_sum","texts":`+toJSON(map[string]string{path("count.sv"): countText}))
	breakpoints := func(name string, lines ...int) (all []string) {
		asked := []map[string]int{}
		for _, line := range lines {
			asked = append(asked, map[string]int{"line": line})
		}
		for _, b := range ask[*dap.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%s},"breakpoints":%s}`, toJSON(path(name)), toJSON(asked))).Body.Breakpoints {
			all = append(all, fmt.Sprintf("%d: %s", b.Line, b.Message))
		}
		return all
	}
	if got, want := breakpoints("top.sv", 2, 5, 6, 9), []string{
		"2: hits where n, m changes", "5: hits where sum changes", "7: hits where sum changes", "9: hits where a_sum changes",
	}; !slices.Equal(got, want) {
		t.Errorf("breakpoints in the top module: %q, want %q", got, want)
	}
	breakpoints("top.sv")
	if got, want := breakpoints("count.sv", 4, 6), []string{
		"4: hits where first.n, second.n changes", "6: hits where first.a_count, second.a_count changes",
	}; !slices.Equal(got, want) {
		t.Errorf("breakpoints in the instances: %q, want %q", got, want)
	}
	breakpoints("count.sv", 4)
	c.move("configurationDone", "")
	if top := c.top(); top.Line != 9 || top.Source.Path != path("top.sv") {
		t.Errorf("at entry: %+v", top)
	}
	if stop := c.move("continue", ""); stop.Reason != "breakpoint" || c.top().Line != 4 || c.top().Source.Path != path("count.sv") || c.evaluate("step", "watch") != "1" {
		t.Errorf("the first stop: %+v at %+v", stop, c.top())
	}
	breakpoints("count.sv")
	if stop := c.move("continue", ""); stop.Text != "the property a_sum fails here, in step 4" || c.top().Line != 9 {
		t.Errorf("the end: %+v, %+v", stop, c.top())
	}
	if name := c.top().Name; !strings.Contains(name, "sum 2→3") {
		t.Errorf("the last frame is %s", name)
	}
	latches := c.variables(c.top().Id, "Latches")
	for _, name := range []string{"sum", "first/n", "second/n"} {
		if _, ok := latches[name]; !ok {
			t.Errorf("there is no %s among %v", name, toJSON(latches))
		}
	}
	if got := c.evaluate("sum", "watch"); !strings.HasPrefix(got, "3") {
		t.Errorf("sum is %s", got)
	}
}

// TestAsynchronousReset: a register whose reset does not wait for the clock is one of the latches, with the
// value that it has while the reset is active.
func TestAsynchronousReset(t *testing.T) {
	peers.Program(t, "yosys")
	path := filepath.Join(t.TempDir(), "async.sv")
	write(t, path, `module async(input clk, input rst_n, output reg [3:0] count);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) count <= 5; else count <= count + 1;
  reg first = 1;
  always @(posedge clk) first <= 0;
  always @* if (first) assume (!rst_n);
  always @* a: assert (count != 7);
endmodule
`)
	c := newClient(t, Options{})
	c.launch(path, "")
	c.move("configurationDone", "")
	for step, want := range []string{"5", "5", "6"} {
		if got := c.variables(c.top().Id, "Latches")["count"].Value; !strings.HasPrefix(got, want) {
			t.Errorf("step %d: count is %s, want %s; the latches are %v", step, got, want, c.variables(c.top().Id, "Latches"))
		}
		if step < 2 {
			c.move("next", "")
		}
	}
}

// TestSimulateVerilog: inputs are set by the names of the sources, and what fails in another source
// is shown there.
func TestSimulateVerilog(t *testing.T) {
	peers.Program(t, "yosys")
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write(t, path("top.sv"), topText)
	write(t, path("count.sv"), countText)
	write(t, path("aiglens.json"), `{"sources": ["top.sv", "count.sv"], "top": "top"}`)
	c := newClient(t, Options{})
	c.launch(path("top.sv"), `"simulate":true,"inputs":"last"`)
	c.move("configurationDone", "")
	c.set(c.top().Id, "Inputs", "go", "1")
	if stop := c.move("continue", ""); stop.Text != "the property first.a_count fails here, in step 2" {
		t.Errorf("the stop: %+v", stop)
	}
	if top := c.top(); top.Line != 6 || top.Source.Path != path("count.sv") {
		t.Errorf("what fails stands at %+v", top)
	}
	if got := c.evaluate("first.n", "watch"); !strings.HasPrefix(got, "2") {
		t.Errorf("first.n is %s", got)
	}
}

// TestVerilogRefused: without Yosys the launch says how to get it.
func TestVerilogRefused(t *testing.T) {
	folder := t.TempDir()
	write(t, folder+"/top.sv", topText)
	c := newClient(t, Options{})
	got := c.refused("launch", launchJSON(folder+"/top.sv", `"verilog":{"yosys":`+toJSON(folder+"/none")+`}`))
	if !strings.Contains(got, "apt install yosys") || !strings.Contains(got, `"verilog"`) {
		t.Errorf("without Yosys: %s", got)
	}
}
