package engines

import (
	"testing"

	"aiglens/ic3"
)

// TestChoice: what the words of flags, settings and requests choose.
func TestChoice(t *testing.T) {
	row, c, err := Spec{}.choose()
	if e := Auto().with(c); err != nil || row.Name != "auto" || !e.Search || e.Options.Switched != 0 {
		t.Errorf("by default %s: %+v, %v", row.Name, e, err)
	}
	row, c, err = Spec{Engine: "ic3", Tactics: "-reduce,+infinite", Seed: 7}.choose()
	if e := (IC3{}).with(c); err != nil || row.Name != "ic3" || e.Search || !e.NoReduce || e.Options.Seed != 7 || e.Options.Switched != ic3.InfiniteFrame {
		t.Errorf("%s: %+v, %v", row.Name, e, err)
	}
	row, c, err = Spec{Variant: "ctg", Solver: "gini"}.choose()
	if err != nil || row.make(c).Name != "ic3 ctg" || c.solver.Name != "gini" {
		t.Errorf("%+v, %v", row, err)
	}
}
