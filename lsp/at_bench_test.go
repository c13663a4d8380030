package lsp

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// placesText is a circuit of about so many lines: latches of which each follows another or a gate,
// gates over what stands near, a bad that fails in its fourth step, and one that is proved.
func placesText(lines int) string {
	latches := lines / 10
	gates := lines - latches - 10
	r := rand.New(rand.NewSource(1))
	var s strings.Builder
	signals := 2 + 5 + latches + gates
	first := 2 * (2 + 5 + latches + 1)
	fmt.Fprintf(&s, "aag %d 2 %d 0 %d 2\n2\n4\n", signals, latches+5, gates)
	fmt.Fprintf(&s, "6 2\n8 6\n10 8\n12 12\n14 14\n") // three of a shift register, and two that stay 0
	for i := range latches {
		fmt.Fprintf(&s, "%d %d\n", 16+2*i, first+2*r.Intn(gates)+r.Intn(2))
	}
	last := first + 2*gates - 6 // a gate of 0 that all the others lead to, and the two that fail and hold
	fmt.Fprintf(&s, "%d\n%d\n", last+2, last+4)
	for lhs := first; lhs < last; lhs += 2 {
		near := func() int { return max(2, lhs-2-r.Intn(min(lhs-2, 4000))) }
		other := near()
		if r.Intn(8) == 0 {
			other = 2 + r.Intn(lhs-2)
		}
		fmt.Fprintf(&s, "%d %d %d\n", lhs, near(), other)
	}
	fmt.Fprintf(&s, "%d 12 %d\n%d 10 %d\n%d 12 14\n", last, last-2, last+2, last+1, last+4)
	return s.String()
}

// placesBLIF is the circuit of an AIGER text as placesText writes it, in BLIF: two lines for each gate.
func placesBLIF(text string) string {
	var s strings.Builder
	rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var m, inputs, latches, outputs, gates, bads int
	fmt.Sscanf(rows[0], "aag %d %d %d %d %d %d", &m, &inputs, &latches, &outputs, &gates, &bads)
	rows = rows[1:]
	fmt.Fprintf(&s, ".model places\n.inputs n%s\n.outputs b0 b1\n# prop: bad b0\n# prop: bad b1\n", strings.Join(rows[:inputs], " n"))
	name := func(lit int) string { return fmt.Sprintf("n%d", lit&^1) }
	for i, row := range rows[inputs : inputs+latches] {
		var at, next int
		fmt.Sscanf(row, "%d %d", &at, &next)
		if next%2 == 1 {
			fmt.Fprintf(&s, ".names %s x%d\n0 1\n.latch x%d %s 0\n", name(next), i, i, name(at))
		} else {
			fmt.Fprintf(&s, ".latch %s %s 0\n", name(next), name(at))
		}
	}
	for i, row := range rows[inputs+latches : inputs+latches+bads] {
		var lit int
		fmt.Sscanf(row, "%d", &lit)
		fmt.Fprintf(&s, ".names %s b%d\n%d 1\n", name(lit), i, 1-lit%2)
	}
	for _, row := range rows[inputs+latches+bads:] {
		var out, a, b int
		fmt.Sscanf(row, "%d %d %d", &out, &a, &b)
		if a&^1 == b&^1 { // a cover has each input once
			fmt.Fprintf(&s, ".names %s %s\n%d 1\n", name(a), name(out), 1-a%2)
			continue
		}
		fmt.Fprintf(&s, ".names %s %s %s\n%d%d 1\n", name(a), name(b), name(out), 1-a%2, 1-b%2)
	}
	return s.String() + ".end\n"
}

// placesBTOR2 is the circuit of an AIGER text as placesText writes it, in BTOR2: a row for each gate, and two for each latch.
func placesBTOR2(text string) string {
	rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var m, inputs, latches, outputs, gates, bads int
	fmt.Sscanf(rows[0], "aag %d %d %d %d %d %d", &m, &inputs, &latches, &outputs, &gates, &bads)
	rows = rows[1:]
	var s, rest strings.Builder
	ids := map[int]int{}
	id := 2
	define := func(lit int, format string, args ...any) {
		id++
		ids[lit] = id
		fmt.Fprintf(&s, "%d "+format+"\n", append([]any{id}, args...)...)
	}
	use := func(lit int) int {
		if lit%2 == 1 {
			return -ids[lit&^1]
		}
		return ids[lit]
	}
	s.WriteString("1 sort bitvec 1\n2 zero 1\n")
	for _, row := range rows[:inputs] {
		var lit int
		fmt.Sscanf(row, "%d", &lit)
		define(lit, "input 1")
	}
	for _, row := range rows[inputs : inputs+latches] {
		var lit int
		fmt.Sscanf(row, "%d", &lit)
		define(lit, "state 1")
		id++
		fmt.Fprintf(&s, "%d init 1 %d 2\n", id, ids[lit])
	}
	for _, row := range rows[inputs+latches+bads:] {
		var out, a, b int
		fmt.Sscanf(row, "%d %d %d", &out, &a, &b)
		define(out, "and 1 %d %d", use(a), use(b))
	}
	for _, row := range rows[inputs : inputs+latches+bads] {
		id++
		var lit, next int
		if n, _ := fmt.Sscanf(row, "%d %d", &lit, &next); n == 2 {
			fmt.Fprintf(&rest, "%d next 1 %d %d\n", id, ids[lit], use(next))
		} else {
			fmt.Fprintf(&rest, "%d bad %d\n", id, use(lit))
		}
	}
	return s.String() + rest.String()
}

// placesEngine knows the answers of placesText, which are checked as any others.
func placesEngine(_ context.Context, c *circuit.Circuit, _ func(verify.Progress)) (cert.Verdict, error) {
	left, right, _ := c.Operands(c.Bads()[0].Lit.Var())
	for _, l := range c.Latches() {
		if l.Next == l.Lit && (l.Lit == left || l.Lit == right) {
			return cert.Verdict{Outcome: cert.Proved, Depth: 1, Invariant: cert.Invariant{{l.Lit.Not()}}}, nil
		}
	}
	t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
	for range 4 {
		row := make([]circuit.Value, len(c.Inputs()))
		for i := range row {
			row[i] = circuit.One
		}
		t.Inputs = append(t.Inputs, row)
	}
	return cert.Verdict{Outcome: cert.Refuted, Trace: t}, nil
}

// BenchmarkPlaces moves the cursor to random places while a step is shown, and asks for all that is known there, with
// a picture of two levels. The first answer, for which indexes of the circuit are made, is counted apart.
func BenchmarkPlaces(b *testing.B) {
	for _, lines := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) { benchmarkPlaces(b, "aiger", placesText(lines)) })
		b.Run(fmt.Sprint("blif ", lines), func(b *testing.B) {
			benchmarkPlaces(b, "blif", placesBLIF(placesText(lines/2)))
		})
		b.Run(fmt.Sprint("btor2 ", lines), func(b *testing.B) {
			benchmarkPlaces(b, "btor2", placesBTOR2(placesText(lines*5/6)))
		})
	}
}

// benchmarkPlaces asks about the first signals of rows.
func benchmarkPlaces(b *testing.B, language, text string) {
	rows := strings.Split(text, "\n")
	lines := len(rows) - 1
	client, _ := startForBenchAs(b, placesEngine, time.Minute, language, text)
	client.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": doc}), nil)
	var titles string
	for !strings.Contains(titles, "refuted") || !strings.Contains(titles, "proved") {
		var lenses []struct{ Command struct{ Title string } }
		client.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}}, &lenses)
		titles = fmt.Sprint(lenses)
		if strings.Contains(titles, "unknown") {
			b.Fatal(titles)
		}
	}
	client.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, map[string]any{"uri": doc, "property": "bad:1"}), nil)
	client.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, map[string]any{"uri": doc, "to": "2"}), nil)
	r := rand.New(rand.NewSource(1))
	found := latencies{}
	ask := func(line int) (p wire.Place) {
		character := 0
		if language == "blif" {
			for !strings.HasPrefix(rows[line], ".names") {
				line--
			}
			character = len(".names ")
		}
		start := time.Now()
		client.MustCall(wire.RequestAt.Name, map[string]any{"uri": doc, "cone": 2, "position": lsptest.Position{Line: line, Character: character}}, &p)
		found["at"] = append(found["at"], time.Since(start))
		return p
	}
	p := ask(lines / 2)
	first := found["at"][0]
	if !p.Settled || p.Now == nil || p.Always == nil || p.Around == nil {
		b.Fatalf("%+v", p)
	}
	found = latencies{}
	b.ResetTimer()
	for range b.N {
		ask(lines/10 + r.Intn(lines-lines/10-10))
	}
	b.StopTimer()
	b.ReportMetric(float64(first.Microseconds())/1000, "first-ms")
	shared.Percentiles(b, "", found["at"])
}
