package main

import (
	"testing"

	"aiglens/ic3"
	"aiglens/ic3/verify"
	"aiglens/internal/worker"
)

// TestEngineFromSpec: the words of a request are those of check.
func TestEngineFromSpec(t *testing.T) {
	engine, err := engineFromSpec(worker.Spec{})
	if e, ok := engine.(*verify.IC3); err != nil || !ok || !e.Search || e.Options.Switched != 0 {
		t.Errorf("by default %+v, %v", engine, err)
	}
	engine, err = engineFromSpec(worker.Spec{Engine: "ic3", Tactics: "-reduce,+infinite", Seed: 7})
	if e, ok := engine.(*verify.IC3); err != nil || !ok || e.Search || !e.NoReduce || e.Options.Seed != 7 || e.Options.Switched != ic3.InfiniteFrame {
		t.Errorf("%+v, %v", engine, err)
	}
	engine, err = engineFromSpec(worker.Spec{Variant: "ctg", Solver: "gini"})
	if _, ok := engine.(*verify.Classic); err != nil || !ok {
		t.Errorf("%+v, %v", engine, err)
	}
	for _, spec := range []worker.Spec{{Engine: "magic"}, {Variant: "magic"}, {Solver: "magic"}, {Tactics: "+magic"}, {Tactics: "-search", Variant: "ctg"}} {
		if _, err := engineFromSpec(spec); err == nil {
			t.Errorf("%+v makes an engine", spec)
		}
	}
}
