package checks

import (
	"fmt"
	"testing"

	"aiglens/circuit"
	"aiglens/lsp/document"
)

// BenchmarkCarry relates the records of many rows to a text in which none has moved.
func BenchmarkCarry(b *testing.B) {
	var rows []document.Property
	for i := range 10_000 {
		id := circuit.Property{Kind: circuit.PropertyBad, Index: i}
		rows = append(rows, document.Property{ID: id, Name: fmt.Sprint("p", i), Lits: []document.Lit{document.Lit(2 * i)}})
	}
	f := New()
	for b.Loop() {
		f.Edited()
		f.carry(f.text, rows)
	}
}
