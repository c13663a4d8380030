package proof_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/proof"
)

// BenchmarkWordFacts finds facts about 10,000 words of eight bits that are at most 199, in parts of
// their own and all in one.
func BenchmarkWordFacts(b *testing.B) {
	for _, name := range []string{"apart", "joined"} {
		b.Run(name, func(b *testing.B) {
			const count, width, greatest = 10_000, 8, 199
			var words []proof.Word
			var inv cert.Invariant
			for i := range count {
				var w proof.Word
				for bit := range width {
					w.Bits = append(w.Bits, circuit.Var(1+i*width+bit).Lit())
				}
				for bit, l := range w.Bits {
					if greatest>>bit&1 == 1 {
						continue
					}
					clause := []circuit.Lit{l.Not()}
					for higher := bit + 1; higher < width; higher++ {
						if greatest>>higher&1 == 1 {
							clause = append(clause, w.Bits[higher].Not())
						}
					}
					inv = append(inv, clause)
				}
				if name == "joined" && i > 0 {
					inv = append(inv, []circuit.Lit{w.Bits[0], words[i-1].Bits[0], words[i-1].Bits[1].Not()})
				}
				words = append(words, w)
			}
			f, err := facts.Of(b.Context(), inv)
			if err != nil {
				b.Fatal(err)
			}
			plain := make([]facts.Word, count)
			for i, w := range words {
				plain[i] = w.Word
			}
			for b.Loop() {
				found, err := proof.FindWordFacts(b.Context(), f, words, proof.WordEffort)
				if err != nil {
					b.Fatal(err)
				}
				search := b.Elapsed()
				held, err := facts.Implied(b.Context(), facts.Step{}, inv, plain, found.Facts)
				if err != nil || len(held) != len(found.Facts) {
					b.Fatal(len(held), err)
				}
				b.ReportMetric(float64(len(found.Facts)), "facts")
				b.ReportMetric(float64(len(found.LeftOut)), "leftout")
				b.ReportMetric(float64((b.Elapsed() - search).Milliseconds()), "certify-ms")
			}
		})
	}
}
