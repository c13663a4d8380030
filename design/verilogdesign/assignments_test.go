package verilogdesign

import (
	"strings"
	"testing"
)

// TestAssignedNames: of the names that a statement has, those before its operator are assigned.
func TestAssignedNames(t *testing.T) {
	for text, want := range map[string]string{
		"assign full = count == 4;":                        "full",
		"if (push && count <= 4) count <= count + 1;":      "count",
		"if (a) x <= y <= z; else y = ~x;":                 "x y",
		"always @(posedge clk) begin q[i][3:0] <= d; end":  "q",
		"{carry, sum[1:0]} = a + b;":                       "carry sum",
		"a_count: assert (count <= 4);":                    "",
		"assert property (@(posedge clk) a <= b);":         "",
		"IDLE: state <= go ? WORK : state;":                "state",
		"a += 1; b<=-1; c=&d; e != f; g >= h; i <<= 2;":    "a b c i",
		"for (i = 0; i < 4; i = i + 1) mem[i] <= 0;":       "mem",
		`$display("x = 1", y); /* z = 1; */ // w <= 1;`:    "",
		"count c(.clk(clk), .n(n)); `N <= 1; \\esc <= 1; ": "",
		"= 3; } = 4; ] <= 1; x[ <= 2;":                     "",
	} {
		var names []string
		assigned := assignedNames(text)
		for span := range identifiers(text) {
			if assigned[span.Start] {
				names = append(names, text[span.Start:span.End()])
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
