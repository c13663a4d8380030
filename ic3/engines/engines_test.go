package engines_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestValidate: what is wrong with the words of flags, settings and requests.
func TestValidate(t *testing.T) {
	for word, spec := range map[string]engines.Spec{
		"engine": {Engine: "magic"}, "variant": {Variant: "magic"}, "solver": {Solver: "magic"},
		"tactics": {Tactics: "+magic"}, "tactics: ": {Tactics: "-search", Variant: "ctg"}, "tactics: domains": {Tactics: "-domains", Solver: "gini"},
	} {
		if err := spec.Validate(); err == nil || !strings.HasPrefix(err.Error(), word) {
			t.Errorf("%+v: %v, which should begin with %q", spec, err, word)
		}
	}
}

// TestTable: every engine can be made with every solver that it takes, and answers
// something.
func TestTable(t *testing.T) {
	names := engines.Names()
	for i, e := range engines.All() {
		if slices.Index(names, e.Name) != i || e.About == "" {
			t.Errorf("row %d: %q, %q", i, e.Name, e.About)
		}
		for _, solver := range append(e.Solvers, "") {
			if err := (engines.Spec{Engine: e.Name, Solver: solver}).Validate(); err != nil {
				t.Error(err)
			}
		}
		if !e.Answers(circuit.Safety) && !e.Answers(circuit.Liveness) {
			t.Errorf("%s answers nothing", e.Name)
		}
	}
	for _, name := range engines.Variants() {
		if got := (engines.Spec{Variant: name}).Name(); got != "ic3 "+name {
			t.Errorf("the variant %s calls itself %q", name, got)
		}
	}
	if !mustNew(t, engines.Default()).TakesSeeds {
		t.Error("the default engine takes nothing from an earlier run")
	}
}

func mustNew(t *testing.T, s engines.Spec) verify.Engine {
	t.Helper()
	e, err := s.New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// setting is one of a manifest.
type setting struct {
	Enum             []string
	EnumDescriptions []string
	Default          string
}

// TestManifest: the extension offers what the table has.
func TestManifest(t *testing.T) {
	data, err := os.ReadFile("../../vscode-extension/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct {
			Configuration []struct{ Properties map[string]json.RawMessage } // in groups
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	settings := map[string]json.RawMessage{}
	for _, group := range manifest.Contributes.Configuration {
		maps.Copy(settings, group.Properties)
	}
	check := func(name string, want setting) {
		raw, ok := settings[name]
		if !ok {
			t.Errorf("no setting %s", name)
			return
		}
		var got setting
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Enum, want.Enum) || !slices.Equal(got.EnumDescriptions, want.EnumDescriptions) || got.Default != want.Default {
			t.Errorf("%s is\n%+v, want\n%+v", name, got, want)
		}
	}
	var engine, solver setting
	for _, e := range engines.All() {
		engine.Enum, engine.EnumDescriptions = append(engine.Enum, e.Name), append(engine.EnumDescriptions, sentence(e.About))
	}
	for _, s := range engines.Solvers() {
		solver.Enum, solver.EnumDescriptions = append(solver.Enum, s.Name), append(solver.EnumDescriptions, sentence(s.About))
	}
	engine.Default, solver.Default = engines.Default().Engine, engines.Default().Solver
	check("aiglens.check.engine", engine)
	check("aiglens.check.solver", solver)
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }
