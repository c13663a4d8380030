package checks

import (
	"fmt"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
)

// BenchmarkCarry relates the records of many rows to a text in which none has moved.
func BenchmarkCarry(b *testing.B) {
	var rows []design.Property
	for i := range 10_000 {
		id := circuit.Property{Kind: circuit.PropertyBad, Index: i}
		rows = append(rows, design.Property{ID: id, Name: fmt.Sprint("p", i), Lits: []design.Lit{design.Lit(2 * i)}})
	}
	f := New()
	for b.Loop() {
		f.Edited()
		f.carry(f.text, rows)
	}
}
