package verilogdesign

import (
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/source"
)

// TestInCircuit: from each name and statement of the sources to its row of the circuit, and back.
func TestInCircuit(t *testing.T) {
	const top = `module top(input clk, input go);
  wire [1:0] a, b;
  count u1(clk, go, a);
  count u2(clk, !go, b);
  always @(posedge clk) a_equal: assert (a != b);
endmodule
`
	const count = `module count(input clk, input go, output reg [1:0] n);
  initial n = 0;
  always @(posedge clk) if (go) n <= n + 1;
  always @(posedge clk) cover (n == 3);
endmodule
`
	sources := []Source{sourceOf("top.sv", top), sourceOf("count.sv", count)}
	s, err := NewSynthesis(sources, yosysOf(t, sources...), "")
	if err != nil {
		t.Fatal(err)
	}
	text := s.Circuit().Text
	for _, x := range []struct {
		file, at string
		want     []string // rows of the circuit
		back     []string // lines of the sources
	}{
		{"top.sv", "go);", []string{"input go"}, []string{"top.sv 1", "count.sv 1"}},
		{"top.sv", "a, b", []string{"latch u1.n[0]"}, []string{"top.sv 2", "count.sv 1"}},
		{"count.sv", "n <= n", []string{"latch u1.n[0]", "latch u2.n[0]"}, []string{"top.sv 2", "count.sv 1"}},
		{"top.sv", "a_equal", []string{"bad a_equal"}, []string{"top.sv 5"}},
		{"count.sv", "cover", []string{"cover u1.line4", "cover u2.line4"}, []string{"count.sv 4"}},
		{"top.sv", "clk,", []string{"input clk"}, []string{"top.sv 1", "count.sv 1"}},
		{"top.sv", "module", nil, nil},
	} {
		d := New(s, x.file, false)
		spans := s.InCircuit(d, strings.Index(d.Text.Content(), x.at))
		var got, back []string
		for _, span := range spans {
			got = append(got, rowOf(s.Circuit(), span))
			for _, p := range s.InSources(span.Start) {
				line, _ := p.Text.LineColumn(p.Span.Start)
				if at := p.Path + " " + string(rune('0'+line)); !slices.Contains(back, at) {
					back = append(back, at)
				}
			}
		}
		slices.Sort(back)
		slices.Sort(x.back)
		if !slices.Equal(got, x.want) || !slices.Equal(back, x.back) {
			t.Errorf("%s of %s is %q, which leads to %q; want %q and %q in\n%s", x.at, x.file, got, back, x.want, x.back, text.Content())
		}
	}
	for offset := range text.Len() {
		s.InSources(offset)
	}
}

// TestStoredInSources: what a latch keeps for a register leads to the declaration of the register.
func TestStoredInSources(t *testing.T) {
	d := designOf(t, sourceOf("negated.sv", negatedSource))
	s := d.Syntax().(*fileSyntax).synthesis
	for _, l := range s.model.Latches {
		b, isStored := s.stored.bits[l.Lit]
		def, ok := s.Circuit().Definition(design.Lit(l.Lit).Signal())
		if !isStored || !ok {
			continue
		}
		found := s.InSources(def.Span.Start)
		if !slices.ContainsFunc(found, func(p design.Target) bool { return p.Span == b.signal.place.span }) {
			t.Errorf("%s leads to %+v", b.name(), found)
		}
	}
}

// rowOf returns what a row of a circuit is, and its name.
func rowOf(d *design.Design, span source.Span) string {
	if row, ok := d.RowAt(span.Start); ok {
		if name := d.Name(row.Signal); name != "" {
			return strings.TrimRight(strings.Fields(row.Label)[0], ":") + " " + name
		}
	}
	for _, p := range d.Properties() {
		if p.Row == span {
			return p.ID.Kind.String() + " " + p.Name
		}
	}
	return d.Text.Slice(span)
}
