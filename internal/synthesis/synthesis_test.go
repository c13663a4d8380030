package synthesis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/internal/peers"
)

func synthesise(t *testing.T, r Request) (*Output, *Failure) {
	t.Helper()
	peers.Program(t, "yosys")
	out, err := Run(t.Context(), r)
	failure, isFailure := errors.AsType[*Failure](err)
	if err != nil && !isFailure {
		t.Fatal(err)
	}
	return out, failure
}

func one(name, content string) Request {
	return Request{Files: []File{{Path: name, Content: content}}}
}

const counter = `module counter(input clk, input rst, output reg [3:0] n);
  always @(posedge clk) if (rst) n <= 0; else n <= n + 1;
  always @(posedge clk) if (!rst) a_n: assert (n < 9);
  c_n: cover property (n == 5);
endmodule
`

func TestRun(t *testing.T) {
	out, failure := synthesise(t, one("/somewhere/counter.sv", counter))
	if failure != nil {
		t.Fatal(failure)
	}
	if !out.Clocked || out.Clock != "clk" {
		t.Errorf("clocked %v by %q, want clk", out.Clocked, out.Clock)
	}
	var types []string
	for _, c := range out.Netlist.Cells {
		if !c.Private {
			types = append(types, c.Name+" "+c.Type)
		}
	}
	if want := []string{"a_n $assert", "c_n $assert"}; !slices.Equal(types, want) {
		t.Errorf("the cells with names are %v, want %v", types, want)
	}
	for _, w := range out.Netlist.Wires {
		if w.Name != "n" {
			continue
		}
		places := w.Attributes.Places()
		if len(places) != 1 || out.PathOf(places[0].File) != "/somewhere/counter.sv" || places[0].Line != 1 || places[0].Column != 55 {
			t.Errorf("n stands at %+v", places)
		}
	}
}

// TestClocks holds that a step is a cycle only where there is one clock.
func TestClocks(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		clocked bool
	}{
		"none":    {"module t(input a, output b); assign b = !a; assert property (a != b); endmodule", true},
		"one":     {counter, true},
		"falling": {"module t(input c, d, output reg q); always @(negedge c) q <= d; endmodule", true},
		"both":    {"module t(input c, d, output reg p, q); always @(negedge c) q <= d; always @(posedge c) p <= q; endmodule", false},
		"two":     {"module t(input c, e, d, output reg p, q); always @(posedge c) q <= d; always @(posedge e) p <= q; endmodule", false},
		"data":    {"module t(input c, d, output reg q, output x); always @(posedge c) q <= d; assign x = c & q; endmodule", false},
		"derived": {"module t(input c, d, output reg q, r); always @(posedge c) q <= !q; always @(posedge q) r <= d; endmodule", false},
		"memory":  {"module t(input c, e, d, a, output reg q); reg m[0:1]; always @(posedge c) m[a] <= d; always @(posedge e) q <= m[a]; endmodule", false},
	} {
		t.Run(name, func(t *testing.T) {
			out, failure := synthesise(t, one("t.sv", c.text))
			if failure != nil {
				t.Fatal(failure)
			}
			if out.Clocked != c.clocked {
				t.Errorf("clocked is %v, want %v", out.Clocked, c.clocked)
			}
		})
	}
}

// TestFailures holds that each error of Yosys has its place, with the path that the user knows.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		text, reason string
		line         int
	}{
		"syntax":                 {"module t(input a);\nassign = a;\nendmodule", "syntax error", 2},
		"module":                 {"module t(input a);\nfoo u(a);\nendmodule", "foo", 2},
		"module with parameters": {"module t(input a);\n\nfoo #(.A(1))\n u (a);\nendmodule", "foo", 3},
		"none":                   {"", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, failure := synthesise(t, one("/x/t.sv", c.text))
			if failure == nil || !failure.IsInstalled || !strings.Contains(failure.Reason, c.reason) {
				t.Fatalf("the failure is %v", failure)
			}
			if i := slices.IndexFunc(failure.Said, func(m Message) bool { return m.IsError }); c.line > 0 && (i < 0 || failure.Said[i].Path != "/x/t.sv" || failure.Said[i].Line != c.line) {
				t.Errorf("Yosys said %+v", failure.Said)
			}
			if strings.Contains(failure.Reason, "source.sv") {
				t.Errorf("the reason names a file of the run: %s", failure.Reason)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	for _, r := range []Request{
		{},
		{Files: []File{{Path: "t.v"}}, Top: "a; shell ls"},
		{Files: []File{{Path: "t.v"}}, Defines: []string{"A=1 t.v; shell ls"}},
		{Files: []File{{Path: "t.v"}}, Defines: []string{"A=\"x\"\n"}},
	} {
		if r.Validate() == nil {
			t.Errorf("%+v is taken", r)
		}
	}
	_, failure := synthesise(t, Request{Files: []File{{Path: "t.v", Content: "module t(input a); endmodule"}}, Program: "no-such-program"})
	if failure == nil || failure.IsInstalled || !strings.Contains(failure.Reason, "apt install yosys") {
		t.Errorf("without Yosys: %v", failure)
	}
}

// TestOtherPrograms holds that a program which is not Yosys, is too old or hangs has a clear message.
func TestOtherPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	program := func(script string) Request {
		path := filepath.Join(t.TempDir(), "yosys")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		return Request{Program: path, Files: []File{{Path: "t.v", Content: counter}}}
	}
	for script, want := range map[string]string{
		"echo hello":                                                          "does not say that it is Yosys",
		"echo 'Yosys 0.9 (git sha1 1979e0b)'":                                 "is too old: expected Yosys 0.20 or newer",
		"test $1 = -V && echo 'Yosys 0.40' || exit 3":                         "Yosys has failed: exit status 3",
		"test $1 = -V && echo 'Yosys 0.40' || true":                           "what Yosys has written cannot be read: circuit.aig: no such file or directory",
		"test $1 = -V && echo 'Yosys 0.40' || { echo ERROR: no >&2; false; }": "Yosys: no",
	} {
		_, err := Run(t.Context(), program(script))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", script, err, want)
		}
	}
	began := filepath.Join(t.TempDir(), "began")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	late := errors.New("late")
	go func() {
		for {
			if _, err := os.Stat(began); err == nil {
				cancel(late)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	hanging := program("test $1 = -V && { echo Yosys 0.40; exit; }; touch " + began + "; sleep 1000")
	if _, err := Run(ctx, hanging); !errors.Is(err, late) {
		t.Errorf("a run that is ended returns %v", err)
	}
}

// TestBounded holds that little is kept of a program that writes much, through whatever method of the
// writer it comes, with the error at the end.
func TestBounded(t *testing.T) {
	b := &bounded{most: 1000}
	if _, ok := any(b).(io.ReaderFrom); ok {
		t.Error("a reader is read past the bound")
	}
	written := ""
	for i := range 300 {
		line := fmt.Sprintf("Warning: %d\n", i)
		written += line
		if _, err := io.Copy(b, strings.NewReader(line)); err != nil {
			t.Fatal(err)
		}
		kept := b.String()
		if len(written) <= 1000 && kept != written || len(kept) > 1000 || len(b.head)+len(b.tail) > 2000 {
			t.Fatalf("after %d bytes %d are kept: %q", len(written), len(kept), kept)
		}
		if !strings.HasPrefix(kept, "Warning: 0\n") || !strings.HasSuffix(kept, line) {
			t.Fatalf("kept is %q", kept)
		}
		for l := range strings.Lines(kept) {
			if !strings.HasPrefix(l, "Warning: ") || !strings.Contains(written, l) {
				t.Fatalf("a line of what is kept is %q", l)
			}
		}
	}
}

// TestOthersFiles holds that files which a source includes or reads are found beside it, and named
// as the user does.
func TestOthersFiles(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{
		"defs.vh": "localparam MOST = 3;\nreg inside;\n", "rom.hex": "3 1 0 2\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, failure := synthesise(t, one(filepath.Join(folder, "t.v"), `module t(input clk, input [1:0] a, output [1:0] q);
  `+"`include \"defs.vh\""+`
  reg [1:0] rom [0:3];
  initial $readmemh("rom.hex", rom);
  assign q = rom[a];
  always @(posedge clk) inside <= a == MOST;
endmodule`))
	if failure != nil {
		t.Fatal(failure)
	}
	for _, w := range out.Netlist.Wires {
		if w.Name != "inside" {
			continue
		}
		if p := w.Attributes.Places(); len(p) != 1 || out.PathOf(p[0].File) != filepath.Join(folder, "defs.vh") || p[0].Line != 2 {
			t.Errorf("inside stands at %+v", p)
		}
		return
	}
	t.Error("there is no wire that the included file declares")
}

// TestMemoryFiles holds that no file which a source initialises a memory from takes the place of one
// that Yosys runs by, reaches the user's files through a link, or keeps a run from its end.
func TestMemoryFiles(t *testing.T) {
	peers.Program(t, "yosys")
	reads := func(name string) string {
		return `module t(input clk, input a, output q); reg m[0:1]; // $readmemh("unread")
  initial $readmemh("` + name + `", m);
  assign q = m[a];
  c: cover property (@(posedge clk) q);
endmodule`
	}
	write := func(t *testing.T, path, content string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"covers.v", "script.ys", "s0/source.sv", "i0/victim.sv", "source.sv", "./covers.v"} {
		folder := t.TempDir()
		ran, victim := filepath.Join(folder, "ran"), filepath.Join(folder, "victim.sv")
		write(t, filepath.Join(folder, name), `(* techmap_celltype = "$cover" *)
module c(input A, input EN); wire [1023:0] _TECHMAP_DO_ = "exec -- touch `+ran+`"; endmodule
`)
		write(t, victim, "as it was")
		_, err := Run(t.Context(), one(filepath.Join(folder, "t.sv"), reads(name)))
		if _, isFailure := errors.AsType[*Failure](err); !isFailure || !strings.Contains(err.Error(), "rename it") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: a command of the source has run", name)
		}
		if data, err := os.ReadFile(victim); string(data) != "as it was" {
			t.Errorf("%s: the user's file holds %q, %v", name, data, err)
		}
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a", "m.hex"), "0 1")
	write(t, filepath.Join(folder, "b", "m.hex"), "2 3")
	of := func(name string) string {
		return "module " + name + `(input a, output [1:0] q); reg [1:0] m[0:1]; initial $readmemh("m.hex", m); assign q = m[a]; endmodule
`
	}
	out, err := Run(t.Context(), Request{Files: []File{
		{Path: filepath.Join(folder, "a", "a.v"), Content: of("a")},
		{Path: filepath.Join(folder, "b", "b.v"), Content: of("b") + `module t(input x, output [1:0] p, q); a a(x, p); b b(x, q);
  always @* begin l: assert (p == x); h: assert (q == x + 2); end endmodule`},
	}, Top: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range out.Netlist.Cells {
		if a := c.Ports["A"]; c.Type == "$assert" && (len(a) != 1 || a[0].IsNet()) {
			t.Errorf("%s: the assert is not fixed: each source has its own file", c.Name)
		}
	}
}

// TestForeign holds that no source has Yosys call a function of the C library, however it spells the
// import, and that what only looks like one is read.
func TestForeign(t *testing.T) {
	const body = " function integer umask(integer x); localparam integer P = umask(18); always @* assert(a != P); endmodule\n"
	folder := t.TempDir()
	for name, content := range map[string]string{"x.vh": `import "DPI-C"`, "harmless.vh": "wire b;"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"plain":    `module t(input [3:0] a); import "DPI-C"` + body,
		"return":   "module t(input [3:0] a); import \"D\rPI-C\"" + body,
		"lines":    "module t(input [3:0] a); import\n\n\"DPI-C\"" + body,
		"macro":    "`define D \"DPI-C\"\nmodule t(input [3:0] a); import `D" + body,
		"joined":   "`define S(x) `\"x`\"\n`define I import\nmodule t(input [3:0] a); `I `S(DPI-C)" + body,
		"included": "module t(input [3:0] a);\n`include \"x.vh\"\n" + body,
	} {
		for _, files := range [][]File{
			{{Path: filepath.Join(folder, "t.sv"), Content: text}},
			{{Path: filepath.Join(folder, "m.v"), Content: "module m; endmodule"}, {Path: filepath.Join(folder, "t.sv"), Content: text}},
		} {
			_, failure := synthesise(t, Request{Files: files})
			if failure == nil || !strings.Contains(failure.Reason, "t.sv: it imports a function by DPI") {
				t.Errorf("%s: %v", name, failure)
			}
		}
	}
	for _, text := range []string{
		"`define W 3\nmodule t(input [`W:0] a);\n`include \"harmless.vh\"\nalways @* assert(a != 3); endmodule",
		"package p; localparam W = 3; endpackage\nmodule t(input [3:0] a); localparam DPI = 2; always @* assert(a != DPI); endmodule",
	} {
		if _, failure := synthesise(t, one(filepath.Join(folder, "t.sv"), text)); failure != nil {
			t.Errorf("%q: %v", text, failure)
		}
	}
	if _, failure := synthesise(t, one("t.sv", "module t;\x00 endmodule")); failure == nil || !strings.Contains(failure.Reason, "byte 0") {
		t.Errorf("with a byte 0: %v", failure)
	}
}

// TestTop holds that no module with properties goes unchecked because Yosys has chosen another one.
func TestTop(t *testing.T) {
	const two = `module a(input x); always @* a_x: assert (x); endmodule
module b(input x); always @* b_x: cover (x); endmodule
`
	const whole = `module p #(parameter W = 1)(input [W-1:0] x); always @* assert (x != 0); endmodule
module \x/y (input x); always @* assert (x); endmodule
module unused(input x, output y); assign y = x; endmodule
module t(input x); p #(3) u(x); p v(x); \x/y w(x); always @* assert (x); endmodule
`
	for text, tops := range map[string]map[string]bool{two: {"": false, "a": true, "b": true}, whole: {"": true, "t": true}} {
		for top, ok := range tops {
			r := one("t.sv", text)
			r.Top = top
			_, failure := synthesise(t, r)
			if (failure == nil) != ok {
				t.Errorf("with %q as the top module: %v\n%s", top, failure, text)
			}
			if failure != nil && !strings.Contains(failure.Reason, "with --top") {
				t.Errorf("the reason is %s", failure.Reason)
			}
		}
	}
}

// TestEqualProperties holds that asserts and covers of one condition, and constant ones, are all there.
func TestEqualProperties(t *testing.T) {
	out, failure := synthesise(t, one("t.sv", `module s(input clk, input [1:0] x); always @(posedge clk) in_s: assert (x != 3); endmodule
module t(input clk, input [1:0] x);
  s u1(clk, x); s u2(clk, x);
  always @(posedge clk) begin
    first: assert (x != 3);
    second: assert (x != 2'b11);
    c1: cover (x == 1);
    c2: cover (x == 2'b01);
    k1: assert (1);
    k2: assert (x[0] | ~x[0]);
  end
endmodule`))
	if failure != nil {
		t.Fatal(failure)
	}
	var names []string
	for _, c := range out.Netlist.Cells {
		if c.Type == "$assert" {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"c1", "c2", "first", "k1", "k2", "second", "u1.in_s", "u2.in_s"}; !slices.Equal(names, want) {
		t.Errorf("the asserts are %v, want %v", names, want)
	}
}

// TestUnreadMemory holds that a memory which nothing reads does not end a run.
func TestUnreadMemory(t *testing.T) {
	for name, content := range map[string]string{
		"initialised": "integer k; initial for (k = 0; k < 4; k = k + 1) m[k] = 0;",
		"written":     "always @(posedge clk) m[j] <= d;",
	} {
		_, failure := synthesise(t, one("t.sv", `module t(input clk, input [1:0] j, input [3:0] d);
  reg [3:0] m [0:3]; `+content+`
  always @(posedge clk) a: assert (d != 3);
endmodule`))
		if failure != nil {
			t.Errorf("%s: %v", name, failure)
		}
	}
}
