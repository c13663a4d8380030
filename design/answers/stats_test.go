package answers

import (
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
)

// TestStatsOnce: the circuit of a text is measured once, however often it is asked for.
func TestStatsOnce(t *testing.T) {
	const text = "aag 3 1 1 0 1 1\n2\n4 6\n6\n6 2 4\n"
	d := design.New("c.aag", formats.All().Recognise("", "c.aag", text), 0, source.NewText(text), design.Options{})
	var found [2]Stats
	for i := range found {
		var err error
		if found[i], err = StatsOf(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if found[0].Stats != found[1].Stats {
		t.Error("the circuit was measured twice")
	}
}
