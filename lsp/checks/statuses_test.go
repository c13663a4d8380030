package checks

import (
	"math/rand"
	"testing"

	"aiglens/circuit"
	"aiglens/lsp/ide"
)

// TestStatuses compares the table, and those before it, with maps.
func TestStatuses(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	type version struct {
		table Statuses
		truth map[circuit.Property]int
	}
	versions := []version{{Statuses{}, map[circuit.Property]int{}}}
	for range 200 {
		last := versions[len(versions)-1]
		truth := map[circuit.Property]int{}
		for p, line := range last.truth {
			truth[p] = line
		}
		changed := map[circuit.Property]bool{}
		for range r.Intn(5) {
			p := circuit.Property{Kind: circuit.PropertyKind(r.Intn(3)), Index: r.Intn(300)}
			changed[p], truth[p] = true, r.Int()
		}
		table := last.table.With(changed, func(p circuit.Property) ide.Status { return ide.Status{FaultLine: truth[p]} })
		versions = append(versions, version{table, truth})
	}
	for i, v := range versions {
		for kind := range circuit.PropertyKind(3) {
			for index := range 400 {
				p := circuit.Property{Kind: kind, Index: index}
				if got := v.table.At(p).FaultLine; got != v.truth[p] {
					t.Fatalf("version %d, %s: %d, expected %d", i, p, got, v.truth[p])
				}
			}
		}
	}
}
