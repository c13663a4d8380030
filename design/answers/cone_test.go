package answers

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
)

func newAIGER(text string) *design.Design {
	return design.New("file:///w/a.aag", aigerdesign.Format, 1, source.NewText(text), design.Options{})
}

// gates returns a circuit of two inputs and n gates with operands anywhere
// before them.
func gates(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 2 0 0 %d\n2\n4\n", n+2, n)
	r := rand.New(rand.NewSource(1))
	for i := range n {
		lhs := 2*i + 6
		fmt.Fprintf(&s, "%d %d %d\n", lhs, lhs-2-r.Intn(2), 2+r.Intn(max(2, lhs-4)))
	}
	return s.String()
}

// TestCone compares sizes and levels with those of a plain recursion.
func TestCone(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		const signals = 12
		var s strings.Builder
		fmt.Fprintf(&s, "aag %d 2 3 0 %d\n2\n4\n", signals, signals-5)
		for latch := 3; latch <= 5; latch++ {
			fmt.Fprintf(&s, "%d %d\n", 2*latch, 2+r.Intn(2*signals))
		}
		for gate := 6; gate <= signals; gate++ {
			fmt.Fprintf(&s, "%d %d %d\n", 2*gate, r.Intn(2*gate), r.Intn(2*gate))
		}
		d := newAIGER(s.String())
		for v := design.Signal(1); v <= signals; v++ {
			var want ConeSize
			wantCone(d, v, map[design.Signal]bool{}, &want)
			if got := Cone(t.Context(), d, v); got != want {
				t.Fatalf("cone of %d is %v, expected %v\n%s", v, got, want, s.String())
			}
			if got, ok := Level(d, v); !ok || got != wantLevel(d, v) {
				t.Fatalf("level of %d is %d, expected %d\n%s", v, got, wantLevel(d, v), s.String())
			}
		}
	}
}

func wantCone(d *design.Design, v design.Signal, seen map[design.Signal]bool, size *ConeSize) {
	if seen[v] {
		return
	}
	seen[v] = true
	def, _ := d.Definition(v)
	switch def.Kind {
	case design.Input:
		size.Inputs++
	case design.Latch:
		size.Latches++
		wantCone(d, def.Next.Signal(), seen, size)
	case design.Gate:
		size.Gates++
		for _, l := range def.Operands {
			wantCone(d, l.Signal(), seen, size)
		}
	}
}

func wantLevel(d *design.Design, v design.Signal) int {
	def, _ := d.Definition(v)
	level := 0
	for _, l := range def.Operands {
		level = max(level, wantLevel(d, l.Signal()))
	}
	if def.Kind == design.Gate {
		level++
	}
	return level
}

func TestLargeConesAreCut(t *testing.T) {
	d := newAIGER(gates(2 * maxCone))
	if size := Cone(t.Context(), d, 2*maxCone+2); !size.Cut {
		t.Errorf("cone %v is not cut", size)
	}
	if _, ok := Level(d, 2*maxCone+2); ok {
		t.Error("the level is known")
	}
	for _, cycle := range []string{"aag 2 0 0 0 2\n2 4 4\n4 2 2\n", "aag 1 0 0 0 1\n2 2 2\n", "aag 1 0 1 0 0\n2 2\n"} {
		Cone(t.Context(), newAIGER(cycle), 1)
		if level, ok := Level(newAIGER(cycle), 1); ok && strings.Contains(cycle, " 4\n") || ok && strings.HasSuffix(cycle, "2 2 2\n") {
			t.Errorf("%q: the level %d of a gate in a cycle", cycle, level)
		}
	}
}

func BenchmarkCone(b *testing.B) {
	const n = 1_000_000
	d := newAIGER(gates(n))
	d.Diagnostics()
	r := rand.New(rand.NewSource(1))
	b.Run("cone", func(b *testing.B) {
		for range b.N {
			Cone(b.Context(), d, design.Signal(n/2+r.Intn(n/2)))
		}
	})
	b.Run("level", func(b *testing.B) {
		for range b.N {
			Level(d, design.Signal(n/2+r.Intn(n/2)))
		}
	})
	b.Run("uses", func(b *testing.B) {
		for range b.N {
			d.CountUses(design.Signal(n/2 + r.Intn(n/2)))
		}
	})
}
