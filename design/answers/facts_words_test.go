package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
	"aiglens/design/blifdesign"
	"aiglens/design/verilogdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/peers"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
)

// fsm is two machines of two latches each, of which the proof says that both are never 1.
const fsm = `aag 28 1 4 1 23 1
2
4 21
6 31
8 41
10 51 1
4
57
12 5 2
14 12 7
16 4 3
18 16 7
20 19 15
22 4 2
24 22 7
26 5 3
28 26 6
30 29 25
32 9 2
34 32 11
36 8 3
38 36 11
40 39 35
42 8 2
44 42 11
46 9 3
48 46 10
50 49 45
52 6 4
54 10 8
56 55 53
i0 go
l0 s0
l1 s1
l2 t0
l3 t1
o0 o
b0 dead
c
`

// later is two latches that start with the same input, and are opposite afterwards.
const later = "aag 6 1 3 0 2 1\n2\n4 2 2\n6 3 2\n8 1\n12\n10 6 4\n12 10 8\nl0 q[0]\nl1 q[1]\n"

// counters are three that count together: from 0, and two from 2.
const counters = `.model counters
.inputs go
.outputs o
# prop: bad apart
.latch n0 a[0] 0
.latch n1 a[1] 0
.latch n2 a[2] 0
.latch m0 b[0] 0
.latch m1 b[1] 1
.latch m2 b[2] 0
.latch m0 c[0] 0
.latch m1 c[1] 1
.latch m2 c[2] 0
.names go a[0] n0
10 1
01 1
.names go a[0] a[1] n1
110 1
0-1 1
-01 1
.names go a[0] a[1] a[2] n2
1110 1
0--1 1
-0-1 1
--01 1
.names go b[0] m0
10 1
01 1
.names go b[0] b[1] m1
110 1
0-1 1
-01 1
.names go b[0] b[1] b[2] m2
1110 1
0--1 1
-0-1 1
--01 1
.names a[0] b[0] x0
10 1
01 1
.names a[1] b[1] x1
11 1
00 1
.names a[1] a[2] b[2] x2
011 0
000 0
110 0
101 0
.names c[0] b[0] y0
10 1
01 1
.names c[1] b[1] y1
10 1
01 1
.names c[2] b[2] y2
10 1
01 1
.names x0 x1 x2 y0 y1 y2 apart
000000 0
.names a[2] o
1 1
.end
`

// instances are two of a counter that stops at 5.
const instances = `.model top
.inputs go
.outputs o
# prop: bad over
.subckt counter go=go q2=x over=over1
.subckt counter go=x q2=o over=over2
.names over1 over2 over
00 0
.end
.model counter
.inputs go
.outputs q2 over
.latch n0 q[0] 0
.latch n1 q[1] 0
.latch n2 q[2] 0
.names q[0] q[2] last
11 1
.names go last q[0] n0
100 1
0-1 1
-11 1
.names go last q[0] q[1] n1
1010 1
0--1 1
-1-1 1
--01 1
.names go last q[0] q[1] q[2] n2
10110 1
0---1 1
-1--1 1
--0-1 1
---01 1
.names q[1] q[2] over
11 1
.names q[2] q2
1 1
.end
`

// TestFactsOfWords says what proofs imply for words, in the names of the text, and on which rows.
func TestFactsOfWords(t *testing.T) {
	tests := []struct {
		name   string
		format *design.Format
		text   string
		facts  string // about words
		rows   string // on which they stand
	}{
		{"values with names", aigerdesign.Format, fsm + "word: state = s1 s0 {idle = 0, wait = 1, work = 2, dead = 3}\nword: other = t1 t0\n",
			"state is at most 2; state is never dead; other is at most 2",
			"6 31: state is at most 2; 6 31: state is never dead; 10 51 1: other is at most 2"},
		{"a bit is missing", aigerdesign.Format, fsm + "word: wide = t1 - t0\n", "wide is at most 6; wide is never 5",
			"10 51 1: wide is at most 6; 10 51 1: wide is never 5"},
		{"an input in a word", aigerdesign.Format, fsm + "word: mixed = t1 t0 go\n", "", ""},
		{"from step 1 on", aigerdesign.Format, later, "q is at most 2 from step 1 on", "6 3 2: q is at most 2 from step 1 on"},
		{"sums", blifdesign.Format, counters, "b = a + 2 modulo 8; c = b",
			".latch m2 b[2] 0: b = a + 2 modulo 8; .latch n2 a[2] 0: b = a + 2 modulo 8; .latch m2 c[2] 0: c = b; .latch m2 b[2] 0: c = b"},
		{"instances", blifdesign.Format, instances, "x/q is at most 5; o/q is at most 5",
			".latch n2 q[2] 0: x/q is at most 5; .latch n2 q[2] 0: o/q is at most 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, result := checked(t, tt.format, tt.text)
			f, err := answers.FactsOf(t.Context(), d, bad0, &result)
			if err != nil {
				t.Fatal(err)
			}
			var found, rows []string
			text := source.NewText(tt.text)
			for _, fact := range f.All() {
				if fact.Kind == answers.Word {
					found = append(found, fact.String())
				}
			}
			for _, row := range f.Rows(100) {
				if slices.Contains(found, row.Text) {
					rows = append(rows, fmt.Sprintf("%s: %s", text.Line(text.LineAt(row.Span.Start)), row.Text))
				}
			}
			if got := strings.Join(found, "; "); got != tt.facts {
				t.Errorf("facts are %q", got)
			}
			if got := strings.Join(rows, "; "); got != tt.rows {
				t.Errorf("rows are %q", got)
			}
		})
	}
}

// TestRowsOfRegisters: all bits of a register, in all instances, have one row. A fact about one of them
// says which one it is.
func TestRowsOfRegisters(t *testing.T) {
	peers.Program(t, "yosys")
	const text = `module half (input wire clk, input wire in, output reg [1:0] q);
  initial q = 1;
  always @(posedge clk) q <= {in, ~in};
endmodule
module top (input wire clk, input wire in);
  wire [1:0] a, b;
  half one (clk, in, a);
  half two (clk, ~in, b);
  always @* assert (a[0] != a[1]);
endmodule
`
	out, err := synthesis.Run(t.Context(), synthesis.Request{Files: []synthesis.File{{Path: "top.sv", Content: text}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := verilogdesign.NewSynthesis([]verilogdesign.Source{{Path: "top.sv", Text: source.NewText(text)}}, out, "")
	if err != nil {
		t.Fatal(err)
	}
	d := verilogdesign.New(s, "top.sv", false)
	result := verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: bad0, Engine: engines.NewAuto()}, nil)
	f, err := answers.FactsOf(t.Context(), d, bad0, &result)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range f.Rows(100) {
		rows = append(rows, fmt.Sprintf("%s, %s", d.Text.Slice(row.Span), row.Text))
	}
	const want = "q, one.q is at least 1; q, one.q is at most 2; q, one.q[0]: equals not one.q[1]; q, one.q[1]: equals not one.q[0]"
	if got := strings.Join(rows, "; "); got != want {
		t.Errorf("rows are %q", got)
	}
}
