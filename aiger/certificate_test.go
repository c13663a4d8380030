package aiger_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/certify"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// A latch that an input sets for good, and one that follows it a step later. The bad is
// that the second is 1 before the first; the justice property is that the first is set
// again and again.
const setModel = `aag 6 1 2 0 3 1 0 1
2
4 9
6 4
10
1
12
8 5 3
10 6 5
12 5 2
`

// The witness of setModel reads the first latch in the later step through input 4: a step
// ranks no higher than an earlier one when the latch is not smaller.
const setWitness = `aag 7 2 2 0 3 1 0 1
2
4
6 11
8 6
12
1
14
10 7 3
12 8 7
14 7 4
l0 < 4
`

// The witness of setModel with a latch that toggles: a step ranks no higher than an earlier
// one when that latch is different, too.
const toggleWitness = `aag 13 3 3 0 7 1 0 1
2
4
6
8 15
10 8
12 13
16
1
27
14 9 3
16 10 9
18 9 4
20 12 6
22 13 7
24 21 23
26 19 24
l0 < 4
l2 < 6
`

// A latch that toggles.
const toggleModel = `aag 1 0 1 0 0 0 0 1
2 3
2
2
3
`

func parsed(t testing.TB, text string) *aiger.Model {
	t.Helper()
	in, err := aiger.Read("test.aag", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if in.File == nil {
		if in.Model == nil {
			t.Fatalf("%v", in.Diagnostics)
		}
		return in.Model
	}
	m, err := aiger.ModelOf(in.File)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return m
}

// failures returns the names of the obligations that fail.
func failures(t testing.TB, model, witness string) string {
	t.Helper()
	return failuresOf(t, parsed(t, model), parsed(t, witness))
}

func failuresOf(t testing.TB, model, witness *aiger.Model) string {
	t.Helper()
	pair, err := aiger.NewPair(model, witness)
	if err != nil {
		t.Fatal(err)
	}
	found, err := certify.Check(context.Background(), pair)
	if err != nil {
		t.Fatal(err)
	}
	if found.Valid() != (len(found.Failed()) == 0) {
		t.Errorf("valid is %t, and these fail: %v", found.Valid(), found.Failed())
	}
	return strings.Join(found.Failed(), " ")
}

// edit replaces texts, each of which must be there once.
func edit(t testing.TB, text string, replacements ...string) string {
	t.Helper()
	for i := 0; i < len(replacements); i += 2 {
		if strings.Count(text, replacements[i]) != 1 {
			t.Fatalf("%q is not there once in\n%s", replacements[i], text)
		}
		text = strings.Replace(text, replacements[i], replacements[i+1], 1)
	}
	return text
}

// TestEachObligation breaks one obligation at a time.
func TestEachObligation(t *testing.T) {
	for name, test := range map[string]struct{ model, witness, fails string }{
		"valid":      {setModel, setWitness, ""},
		"reset":      {setModel, edit(t, setWitness, "6 11\n", "6 11 1\n"), "reset"},
		"transition": {setModel, edit(t, setWitness, "8 6\n", "8 0\n"), "transition"},
		"safety":     {setModel, edit(t, setWitness, "8 6\n12\n", "8 6\n0\n"), "safety"},
		"liveness":   {setModel, edit(t, setWitness, "1\n14\n", "1\n0\n"), "liveness"},
		"base":       {setModel, edit(t, setWitness, "8 6\n12\n", "8 6\n7\n"), "base"},
		"step":       {setModel, edit(t, setWitness, "0 3 1 0 1", "0 3 2 0 1", "8 6\n12\n", "8 6\n12\n6\n"), "step"},
		"decrease":   {setModel, edit(t, setWitness, "1\n14\n", "1\n1\n"), "decrease"},
		"closure":    {setModel, toggleWitness, "closure"},
		"consistent": {toggleModel, toggleModel, "consistent"},
		"a signal that the model does not have": {
			edit(t, toggleModel, "2\n2\n3\n", "1\n2\n"), edit(t, toggleModel, "2\n2\n3\n", "2\n1\n0\n"), "consistent"},
		"no signal at all": {edit(t, toggleModel, "2\n2\n3\n", "0\n"), edit(t, toggleModel, "2\n2\n3\n", "0\n"), "decrease"},
		"a missing signal that is 1": {
			edit(t, toggleModel, "2\n2\n3\n", "1\n0\n"), "aag 1 0 1 0 0\n2 3\n", ""},
		"a missing signal": {edit(t, toggleModel, "2\n2\n3\n", "1\n2\n"), "aag 1 0 1 0 0\n2 3\n", "liveness"},
	} {
		if got := failures(t, test.model, test.witness); got != test.fails {
			t.Errorf("%s: %q fail, expected %q", name, got, test.fails)
		}
	}
}

// TestGatesThatStandForLatches has a gate of the witness that is 0 for a latch that is
// not: in the formulas the latch has that value by definition.
func TestGatesThatStandForLatches(t *testing.T) {
	const model = "aag 1 0 1 1 0\n2 3\n2\n"
	const witness = "aag 3 1 1 1 1\n2\n4 4\n6\n6 4 4\nc\nMAPPING 1\n6 2\n"
	if got := failures(t, model, witness); got != "transition" {
		t.Errorf("%q fail, expected transition", got)
	}
	if got := failures(t, model, edit(t, witness, "4 4\n6\n", "4 4 1\n6\n")); got != "reset transition base" {
		t.Errorf("%q fail with another reset", got)
	}
	// The gate that is the latch of the model.
	if got := failures(t, edit(t, model, "2 3\n", "2 2\n"), witness); got != "" {
		t.Errorf("%q fail where the gate is equal", got)
	}
}

// TestPairsThatDoNotFit reads mappings that are none.
func TestPairsThatDoNotFit(t *testing.T) {
	for _, test := range []struct{ witness, message string }{
		{setWitness + "c\nMAPPING 1\n", "expected two literals"},
		{setWitness + "c\nMAPPING 7\n2 2\n", "7 pairs are announced"},
		{setWitness + "c\nMAPPING 1\nx 2\n", "expected two literals"},
		{setWitness + "c\nMAPPING 1\n2 8\n", "literal 8 of the model is neither an input nor a latch"},
		{setWitness + "c\nMAPPING 1\n2 0\n", "literal 0 of the model is neither"},
		{setWitness + "c\nMAPPING 1\n16 2\n", "the witness has no literal 16"},
		{setWitness + "c\nMAPPING 1\n99999999999 2\n", "expected two literals"},
		{setWitness + "c\nINTERVENTION 1\n2 1\n", "1 is not a literal that can replace another"},
		{setWitness + "c\nINTERVENTION 1\n18 2\n", "the witness has no literal 18"},
		{edit(t, setWitness, "l0 < 4", "l0 < 4000000000"), "4000000000 is not a literal"},
		{edit(t, setWitness, "l0 < 4", "l0 < 30"), "30 is not a literal that can replace another"},
		{edit(t, setWitness, "2\n4\n6 11", "4\n2\n6 11"), "not numbered consecutively"},
	} {
		_, err := aiger.NewPair(parsed(t, setModel), parsed(t, test.witness))
		if err == nil || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v, expected %q", test.witness, err, test.message)
		}
	}
	for _, twice := range []string{"MAPPING 2\n2 2\n2 4\n", "MAPPING 2\n2 2\n4 2\n"} {
		pair, err := aiger.NewPair(parsed(t, setModel), parsed(t, setWitness+"c\n"+twice))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := certify.Check(context.Background(), pair); err == nil {
			t.Errorf("%q is judged", twice)
		}
	}
}

// TestWaysToSay reads the same mapping and interventions from symbols and comments, and
// sentences that begin with their words.
func TestWaysToSay(t *testing.T) {
	for _, witness := range []string{
		setWitness,
		edit(t, setWitness, "l0 < 4\n", "c\nINTERVENTION 1\n6 4\n"),
		edit(t, setWitness, "l0 < 4\n", "i0 = 2\nl0 = 4 < 4\nl1 =6 and more\n"),
		edit(t, setWitness, "l0 < 4\n", "i0 = 2 clock\nl0 < 4 = 4\nl1 = 6\n"),
		edit(t, setWitness, "l0 < 4\n", "c\nMAPPING is said here:\nMAPPING 3 pairs\n2 2\n6 4\n9 7\nINTERVENTION 1\n6 4\n"),
	} {
		if got := failures(t, setModel, witness); got != "" {
			t.Errorf("%q fail for\n%s", got, witness)
		}
	}
}

// TestMappedBinary: a binary file whose numbers would be others than those that its comment
// and its symbols refer to is not written.
func TestMappedBinary(t *testing.T) {
	if _, err := parsed(t, setWitness).AppendBinary(nil); err != nil {
		t.Errorf("numbers stay, and %v", err)
	}
	gap := edit(t, setWitness, "aag 7", "aag 8", "1\n14\n", "1\n16\n", "14 7 4\n", "16 7 4\n")
	if _, err := parsed(t, gap).AppendBinary(nil); err != aiger.ErrMapped {
		t.Errorf("numbers change, and the error is %v", err)
	}
	if got := failures(t, setModel, gap); got != "" {
		t.Errorf("%q fail", got)
	}
}

// TestOnlyTheLiteralIsRead has two gates with the same operands, of which the signals
// read one in the other step.
func TestOnlyTheLiteralIsRead(t *testing.T) {
	twice := edit(t, setWitness, "aag 7 2 2 0 3 1 0 1", "aag 8 2 2 0 4 1 0 1", "14 7 4\n", "14 7 4\n16 7 4\n", "l0 < 4\n", "l0 < 4\nc\nINTERVENTION 2\n6 4\n1 16\n")
	if got := failures(t, setModel, twice); got != "" {
		t.Errorf("%q fail", got)
	}
	if got := failures(t, setModel, edit(t, twice, "1 16\n", "1 14\n")); got != "decrease" {
		t.Errorf("%q fail where the signal itself is read elsewhere, expected decrease", got)
	}
}

// TestCertifaigersPairs judges the pairs that come with Certifaiger, and each with an edit
// that breaks one obligation. They are read where they lie.
func TestCertifaigersPairs(t *testing.T) {
	dir := filepath.Join(shared.Dir(t), "benchmarks", "certifaiger-examples")
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, test := range []struct {
		name, fails string
		edits       []string
	}{
		{"01", "step", []string{"\n65\n", "\n30\n"}},
		{"02_forward", "safety", []string{"\n39\n", "\n0\n"}},
		{"03_factor", "base", []string{"\n25\n", "\n1\n"}},
		{"extending_liveness_signal", "decrease", []string{"\n3\n19\n21\n22\n", "\n2\n19\n21\n"}},
		{"extending_liveness_signal", "liveness", []string{"\n3\n19\n21\n", "\n3\n0\n21\n"}},
		{"extending_liveness_signal", "consistent", []string{"\n22\n8", "\n0\n8"}},
		{"intervention", "reset", []string{"\n6 19 0\n", "\n6 19 1\n"}},
		{"intervention", "liveness", []string{"\n31\n", "\n0\n"}},
		{"intervention_inputs", "decrease", []string{"\n35\n", "\n1\n"}},
		{"latch_to_input", "reset", []string{"\n4 13\n", "\n4 13 1\n"}},
		{"map_gate", "reset", []string{"\n12 2\n", "\n6 2\n"}},
	} {
		model, witness := text(test.name+"_model.aag"), text(test.name+"_witness.aag")
		if got := failures(t, model, witness); got != "" {
			t.Errorf("%s: %q fail", test.name, got)
		}
		if got := failures(t, model, edit(t, witness, test.edits...)); got != test.fails {
			t.Errorf("%s, edited: %q fail, expected %q", test.name, got, test.fails)
		}
	}
	if testing.Short() {
		return
	}
	model, witness := parsed(t, text("stress_model.aig")), parsed(t, text("stress_witness.aig"))
	if got := failuresOf(t, model, witness); got != "" {
		t.Errorf("stress: %q fail", got)
	}
	witness.Bads[0] = 1
	if got := failuresOf(t, model, witness); got != "base" {
		t.Errorf("stress with the bad 1: %q fail, expected base", got)
	}
}

// TestValidPairsProve judges random pairs in which gates may stand for latches and inputs,
// and signals may be more than those of the model: where they are valid no run violates the
// model.
func TestValidPairsProve(t *testing.T) {
	valid, gates, justice := 0, 0, 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		model := randomModel(r)
		w := randomWitness(r, model)
		relate(r, model, w)
		var comment strings.Builder
		isGate := r.IntN(2) == 0 && len(w.Ands) > 0
		if isGate {
			comment.WriteString("MAPPING 1\n")
			comment.WriteString(strings.Join([]string{number(r, w.Ands[r.IntN(len(w.Ands))].LHS), number(r, model.Latches[0].Lit)}, " ") + "\n")
		}
		comment.WriteString(w.Comment)
		w.Comment, w.HasComment = comment.String(), comment.Len() > 0
		pair, err := aiger.NewPair(model, w)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found, err := certify.Check(context.Background(), pair)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !found.Valid() || len(pair.Model.Properties()) == 0 {
			continue
		}
		valid++
		if isGate {
			gates++
		}
		for _, p := range pair.Model.Properties() {
			violated := false
			if p.Kind == circuit.PropertyJustice {
				violated = explicit.Violated(pair.Model, p)
				justice++
			} else {
				violated = explicit.FirstBadStep(pair.Model, p) != explicit.NotViolated
			}
			if violated {
				t.Fatalf("seed %d: %s is violated\n%s%s", seed, p, model.AppendASCII(nil), w.AppendASCII(nil))
			}
		}
	}
	if valid < 100 || gates < 10 || justice < 100 {
		t.Errorf("only %d pairs are valid, %d of them with gates, and have %d justice properties", valid, gates, justice)
	}
}

// FuzzNewPair reads any symbols and comment in a witness: what is read says what is
// written, and is judged.
func FuzzNewPair(f *testing.F) {
	f.Add("= 2", "< 4", "= 4 < 4", "")
	f.Add("", "", "", "MAPPING 2\n2 2\n6 4\nINTERVENTION 1\n6 4\n")
	f.Add("<12", "=6=4", "a = 2", "MAPPING 0\nINTERVENTION 0\n")
	f.Add("", "", "", "MAPPING 1\n15 7\n\nINTERVENTION 2\n1 14\n14 2\n")
	f.Fuzz(func(t *testing.T, input, latch, second, comment string) {
		w := parsed(t, setWitness)
		w.Symbols = []syntax.SymbolEntry{
			{Kind: syntax.SectionInputs, Index: 1, Name: input},
			{Kind: syntax.SectionLatches, Index: 0, Name: latch},
			{Kind: syntax.SectionLatches, Index: 1, Name: second},
			{Kind: syntax.SectionBads, Index: 0, Name: input},
		}
		w.Comment, w.HasComment = comment, true
		pair, err := aiger.NewPair(parsed(t, setModel), w)
		if err != nil {
			return
		}
		if len(pair.Shared) > 5*(1+strings.Count(comment, "\n")) || len(pair.Reads) != len(pair.Signals.Inputs())-4 {
			t.Fatalf("%d shared, %d read", len(pair.Shared), len(pair.Reads))
		}
		found, err := certify.Check(context.Background(), pair)
		if err != nil {
			return
		}
		if found.Valid() && !slices.ContainsFunc(pair.Shared, func(s certify.Shared) bool { return s.Model.Var() == pair.Model.Latches()[0].Lit.Var() }) {
			t.Fatalf("valid without the latch that the bad is about")
		}
	})
}

// number writes a literal or its negation.
func number(r *rand.Rand, lit uint32) string {
	return strconv.FormatUint(uint64(lit)+uint64(r.IntN(2)), 10)
}
