package verify_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// BenchmarkStopAll queues the properties of a large file and cancels them, in no order,
// which the user waits for.
func BenchmarkStopAll(b *testing.B) {
	const n = 20_000
	c := circuit.NewBuilder(1)
	in := c.Input(circuit.Origin(0))
	for range n {
		c.Bad(in, circuit.Origin(0))
	}
	problem := c.Build()
	for b.Loop() {
		b.StopTimer()
		s := verify.NewScheduler(b.Context(), 1, func(verify.Event) {})
		ids := map[verify.ID]bool{}
		for i := range n {
			id := verify.ID{Document: "f", Property: circuit.Property{Kind: circuit.PropertyBad, Index: i}}
			ids[id] = true
			s.Submit(id, verify.Job{Circuit: problem, Property: id.Property, Engine: engine(waiting), Size: i})
		}
		b.StartTimer()
		for id := range ids {
			s.Cancel(id)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}
