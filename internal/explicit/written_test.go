package explicit_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/explicit"
)

// TestWritten writes random circuits, as many as AIGLENS_CIRCUITS says, with the verdicts of the search for tests that are
// no Go programs: a JSON list in the file AIGLENS_CIRCUITS_FILE. Without these it writes one nowhere.
func TestWritten(t *testing.T) {
	type written struct {
		Text    string `json:"text"`
		Verdict string `json:"verdict"`
	}
	n, err := strconv.Atoi(os.Getenv("AIGLENS_CIRCUITS"))
	if err != nil {
		n = 1
	}
	all := make([]written, n)
	for seed := range all {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(71, uint64(seed))), explicit.Shape{
			Inputs: 2, Latches: 6, Gates: 30, Constraints: seed % 2, FreeLatches: true, OneResets: true,
		})
		outcome := cert.Refuted
		if explicit.FirstBadStep(c, circuit.Property{Kind: circuit.PropertyBad}) == explicit.NotViolated {
			outcome = cert.Proved
		}
		all[seed] = written{string(aiger.FromCircuit(c).AppendASCII(nil)), outcome.String()}
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("AIGLENS_CIRCUITS_FILE"); path != "" {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
