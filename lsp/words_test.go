package lsp

import (
	"testing"

	"aiglens/circuit/cert"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/wave"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// TestWords: what the packages below call things is what package wire declares, where
// messages take their words over.
func TestWords(t *testing.T) {
	for _, words := range [][2]string{
		{cert.Proved.String(), string(wire.OutcomeProved)}, {cert.Refuted.String(), string(wire.OutcomeRefuted)}, {cert.Unknown.String(), string(wire.OutcomeUnknown)},
		{cert.Proved.String(), string(wire.VerdictProved)}, {cert.Refuted.String(), string(wire.VerdictRefuted)}, {cert.Unknown.String(), string(wire.VerdictUnknown)},
		{ide.Status{}.Outcome(), string(wire.VerdictNone)},
		{string(ide.StateFresh), string(wire.FreshnessFresh)}, {string(ide.StateStale), string(wire.FreshnessStale)},
		{string(ide.StateQueued), string(wire.FreshnessQueued)}, {string(ide.StateRunning), string(wire.FreshnessRunning)},
		{string(verify.ReusedTrace), string(wire.ReuseTrace)}, {string(verify.ReusedLemmas), string(wire.ReuseLemmas)},
		{runs.GroupProperty, string(wire.GroupProperty)}, {runs.GroupConstraints, string(wire.GroupConstraints)},
		{runs.GroupLatches, string(wire.GroupLatches)}, {runs.GroupInputs, string(wire.GroupInputs)}, {runs.GroupGates, string(wire.GroupGates)},
		{runs.MoveFirst, string(wire.MoveFirst)}, {runs.MoveLast, string(wire.MoveLast)}, {runs.MoveNext, string(wire.MoveNext)}, {runs.MovePrevious, string(wire.MovePrevious)},
		{runs.MoveNextChange, string(wire.MoveNextChange)}, {runs.MovePreviousChange, string(wire.MovePreviousChange)}, {runs.MoveHide, string(wire.MoveHide)},
		{string(wave.VCD), string(wire.FormatVCD)}, {string(wave.JSON), string(wire.FormatJSON)},
		{string(wave.WaveDrom), string(wire.FormatWaveDrom)}, {string(wave.Markdown), string(wire.FormatMarkdown)},
	} {
		if words[0] != words[1] {
			t.Errorf("%q is declared as %q", words[0], words[1])
		}
	}
}
