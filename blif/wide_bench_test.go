package blif_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// wideInputs returns a model with n inputs, each of which is read, and also driven
// when that is asked for.
func wideInputs(n int, driven bool) string {
	var s strings.Builder
	s.WriteString(".model wide\n.inputs")
	for i := range n {
		fmt.Fprintf(&s, " x%d", i)
	}
	s.WriteString("\n.outputs bad\n.latch x0 q 0\n.names q x0 bad\n11 1\n")
	for i := 1; driven && i < n; i++ {
		fmt.Fprintf(&s, ".names q x%d\n1 1\n", i)
	}
	return s.String() + ".end\n"
}

// cyclicWide returns a model with a cycle and an instance of one with n inputs and
// a chain of signals after them.
func cyclicWide(inputs, signals int) string {
	var s strings.Builder
	s.WriteString(".model top\n.inputs a\n.outputs bad\n.names bad c bad\n11 1\n.subckt sub x0=bad y=c\n.end\n.model sub\n.inputs")
	for i := range inputs {
		fmt.Fprintf(&s, " x%d", i)
	}
	s.WriteString("\n.outputs y\n.names x0 n0\n1 1\n")
	for i := range signals {
		fmt.Fprintf(&s, ".names n%d x%d n%d\n11 1\n", i, i%inputs, i+1)
	}
	fmt.Fprintf(&s, ".names n%d y\n1 1\n.end\n", signals)
	return s.String()
}

// BenchmarkWide has models with very many inputs.
func BenchmarkWide(b *testing.B) {
	const n = 20_000
	b.Run("elaborate", func(b *testing.B) {
		text := source.NewText(wideInputs(n, false))
		for b.Loop() {
			if c := flat.Elaborate(blif.Options{}.Parse(text)).Circuit; len(c.Inputs()) != n {
				b.Fatal(len(c.Inputs()))
			}
		}
	})
	b.Run("driven", func(b *testing.B) {
		text := source.NewText(wideInputs(n, true))
		for b.Loop() {
			if found := diagnose.Diagnostics(blif.Options{}.Parse(text)); len(found) != findings.MaxPerCode {
				b.Fatal(len(found))
			}
		}
	})
	b.Run("cycle", func(b *testing.B) {
		text := source.NewText(cyclicWide(n/10, 10*n))
		for b.Loop() {
			if found, err := diagnose.Lint(context.Background(), blif.Options{}.Parse(text)); err != nil || len(found) == 0 {
				b.Fatal(found, err)
			}
		}
	})
}
