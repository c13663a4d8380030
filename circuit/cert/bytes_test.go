package cert_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// TestReadBinaryWithoutLatches: a circuit without latches has no literal to read.
func TestReadBinaryWithoutLatches(t *testing.T) {
	b := circuit.NewBuilder(1)
	b.Bad(b.Input(0), 0)
	v := cert.Verdict{Outcome: cert.Proved}
	if err := cert.ReadBinary([]byte{1, 1, 0}, circuit.Problem{Circuit: b.Build()}, &v); err == nil {
		t.Error("a literal of a latch that is not there")
	}
}
