package verilogdesign

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
)

// asyncSource has registers with an asynchronous reset, of one bit and of several, in an instance
// and with indices that do not begin at 0.
const asyncSource = `
module part(input clk, input rst_n, input go, output reg [4:2] q);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 3'd5; else if (go) q <= q + 1;
endmodule
module async(input clk, input rst_n, input go, input other, output reg busy, output wire [2:0] seen, output reg plain);
  part u (.clk(clk), .rst_n(rst_n), .go(busy), .q(seen));
  always @(posedge clk or negedge rst_n)
    if (!rst_n) busy <= 0; else busy <= go;
  always @(posedge clk) plain <= other;
  always @* assert (seen != 3 || plain);
endmodule
`

// sampledSource has two clocks.
const sampledSource = `
module sampled(input a, input b, input rst, output reg [1:0] p, output reg [1:0] q);
  always @(posedge a or posedge rst) if (rst) p <= 1; else p <= p + 1;
  always @(posedge b) q <= p;
  always @* assert (q != 3);
endmodule
`

// negatedSource has registers of which a reset sets bits, so that latches hold the negation of these, and
// names for what the latches hold: a wire and the port of an instance.
const negatedSource = `
module held(input clk, input rst, input [1:0] d, output reg [1:0] q);
  always @(posedge clk or posedge rst) if (rst) q <= 1; else q <= d;
endmodule
module negated(input clk, input rst, input [1:0] in, output [1:0] seen);
  reg [1:0] r;
  wire [1:0] d = ~r;
  always @(posedge clk or posedge rst) if (rst) r <= 1; else r <= r + in;
  held h (.clk(clk), .rst(rst), .d(~r), .q(seen));
  always @* assert (r != 3 || seen != 2);
endmodule
`

// TestStored holds that latches which are no signal of the source are called after what they hold, and
// that registers are shown in their place: the literal of the register, at its declaration.
func TestStored(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		latches      []string // by their names, which register each stands for
		words        []string
	}{
		{"async", asyncSource, []string{
			"$stored(u.q)[2] for u.q[2] at q", "$stored(u.q)[3] for u.q[3] at q", "$stored(u.q)[4] for u.q[4] at q",
			"$stored(busy) for busy at busy", "plain for plain at plain",
		}, []string{"$stored(u.q)"}},
		{"sampled", sampledSource, []string{
			"$past(p)[0] for p[0] at p", "$past(p)[1] for p[1] at p", "$past(q)[0] for q[0] at q", "$past(q)[1] for q[1] at q",
			"$past(a) for $past(a) at a", "$past(b) for $past(b) at b", "$past(rst) for $past(rst) at rst",
			"$past(p)_2[0] for $past(p)_2[0] at p", "$past(p)_2[1] for $past(p)_2[1] at p",
		}, []string{"$past(p)", "$past(q)", "$past(p)_2"}},
		{"negated", negatedSource, []string{
			"$stored(h.q)[0] for h.q[0] at q", "$stored(h.q)[1] for h.q[1] at q",
			"$stored(r)[0] for r[0] at r", "$stored(r)[1] for r[1] at r",
		}, []string{"$stored(r)", "$stored(h.q)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := designOf(t, sourceOf(tt.name+".sv", tt.source))
			if err := d.Elaborate(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, l := range d.Circuit().Latches() {
				source, ok := d.LatchSource(i)
				lit, register, _ := design.FlipFlop(d, i)
				if !ok || strings.Trim(source.Name, "0123456789") == "" {
					continue
				}
				if found, err := d.SignalNamed(source.Name); err != nil || found != l.Lit {
					t.Errorf("%s is %v, %v, want %v", source.Name, found, err, l.Lit)
				}
				named, err := d.SignalNamed(register.Name)
				if at, ok := d.LitOf(register.Lit); err != nil || named != lit || !ok || at != lit || register.Negated || register.Span != source.Span {
					t.Errorf("%s stands for %+v, %v, whose name is that of %v, %v, and whose place is that of %v", source.Name, register, lit, named, err, at)
				}
				if at, err := design.LatchOf(t.Context(), d, lit.Var()); err != nil || at != i {
					t.Errorf("%s stands for %s, whose latch is %d, %v, want %d", source.Name, register.Name, at, err, i)
				}
				got = append(got, source.Name+" for "+register.Name+" at "+d.Text.Slice(register.Span))
			}
			slices.Sort(got)
			slices.Sort(tt.latches)
			if !slices.Equal(got, tt.latches) {
				t.Errorf("the latches are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.latches, "\n"))
			}
			all, err := words.Of(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tt.words {
				w, ok := all.Named(name)
				if !ok || slices.ContainsFunc(w.Bits, func(b design.Bit) bool { return b.Missing || d.Circuit().Kind(b.Lit.Var()) != circuit.KindLatch }) {
					t.Errorf("%s is %+v, %v", name, w, ok)
				}
			}
		})
	}
}

// TestStoredValues simulates both circuits: what is called $past(x) has the value of x in the step
// before, and what is called $stored(x) that of x wherever no reset is active.
func TestStoredValues(t *testing.T) {
	for name, text := range map[string]string{"async": asyncSource, "sampled": sampledSource} {
		d := designOf(t, sourceOf(name+".sv", text))
		if err := d.Elaborate(t.Context()); err != nil {
			t.Fatal(err)
		}
		c := d.Circuit()
		lit := func(name string) circuit.Lit {
			l, err := d.SignalNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		sim, random := circuit.NewParallel(c), rand.New(rand.NewPCG(1, 2))
		before, compared := map[string]uint64{}, 0
		for i := range c.Latches() {
			sim.SetLatch(i, random.Uint64())
		}
		for step := range 100 {
			if step > 0 {
				sim.Advance()
			}
			inputs := make([]uint64, len(c.Inputs()))
			for i := range inputs {
				inputs[i] = random.Uint64()
			}
			sim.Eval(inputs)
			for _, latch := range latchNames(d) {
				kind, rest, isStored := strings.Cut(latch, "(")
				if !isStored {
					continue
				}
				signal, index, _ := strings.Cut(rest, ")")
				signal += strings.TrimPrefix(index, "_2")
				got, want, counts := sim.Value(lit(latch)), sim.Value(lit(signal)), ^uint64(0)
				if kind == "$stored" {
					counts = sim.Value(lit("rst_n"))
				} else {
					want = before[signal]
					before["next "+signal] = sim.Value(lit(signal))
				}
				if kind == "$past" && step == 0 {
					continue
				}
				if compared++; (got^want)&counts != 0 {
					t.Errorf("step %d: %s is %x, %s %x, of which %x count", step, latch, got, signal, want, counts)
				}
			}
			for key, value := range before {
				if signal, ok := strings.CutPrefix(key, "next "); ok {
					before[signal] = value
				}
			}
		}
		if compared < 300 {
			t.Errorf("%s: %d values compared", name, compared)
		}
	}
}

func latchNames(d *design.Design) []string {
	latches, _ := d.ElementNames()
	return latches
}
