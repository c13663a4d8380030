package aiger_test

import (
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// TestWitnessNamesWhatItCan: a witness has letters for bads, outputs and justice properties, and
// names nothing else as one of these.
func TestWitnessNamesWhatItCan(t *testing.T) {
	run := cert.Trace{Initial: []circuit.Value{circuit.One}, Inputs: [][]circuit.Value{{circuit.X}}}
	for kind, want := range map[circuit.PropertyKind]string{
		circuit.PropertyBad: "1\nb2\n1\nx\n.\n", circuit.PropertyOutput: "1\nb2\n1\nx\n.\n", circuit.PropertyJustice: "1\nj2\n1\nx\n.\n",
		circuit.PropertyLemma: "", circuit.PropertyCover: "",
	} {
		p := circuit.Property{Kind: kind, Index: 2}
		got, err := aiger.NewWitness(p, run).Append(nil)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; expected %q", p, got, err, want)
		}
	}
}
