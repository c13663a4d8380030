package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif/flat"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// verdicts returns what is found out about each property, by name.
func verdicts(t *testing.T, in *design.Design) []string {
	t.Helper()
	c := circuitIn(t, in)
	var all []string
	for _, p := range in.PropertyIDs() {
		outcome := "unknown"
		if in.Fault(p) == nil {
			r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engines.IC3{}.Engine()}, nil)
			outcome = fmt.Sprint(r.Checked.Outcome())
		}
		all = append(all, in.PropertyName(p)+" "+outcome)
	}
	slices.Sort(all)
	return all
}

// converted returns a file in another format, read again.
func converted(t *testing.T, in *design.Design, format string) (*design.Design, string) {
	t.Helper()
	var stderr bytes.Buffer
	data, err := encode(t.Context(), env{stderr: &stderr}, in, format, nil)
	if err != nil {
		t.Fatalf("%v %s", err, stderr.String())
	}
	return readText(t, string(data)), string(data)
}

func readText(t *testing.T, text string) *design.Design {
	t.Helper()
	in, err := read(context.Background(), env{stdin: strings.NewReader(text)}, "-", &readFlags{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return in
}

// TestConversionsKeepVerdicts checks that properties keep names and verdicts,
// also where the names of outputs mean something in BLIF. In AIGER two properties of one
// name get different ones.
func TestConversionsKeepVerdicts(t *testing.T) {
	many := "aag 1 0 1 30 0\n2 2\n" + strings.Repeat("2\n", 29) + "3\n"
	for i := range 30 {
		many += fmt.Sprintf("o%d y%d\n", i, i)
	}
	const twoOfOneName = ".model m\n.inputs a\n.outputs y assume_x\n.latch a y 0\n.latch a assume_x 1\n# prop: assert y\n# prop: bad y\n.end\n"
	const model = ".model m\n.inputs a\n.outputs y assume_x\n.latch a y 0\n.latch a assume_x 1\n"
	for _, text := range []string{
		"aag 1 0 1 1 0\n2 2\n2\no0 assert_ok\n",
		"aag 1 0 1 1 0\n2 2\n3\no0 assert_ok\n",
		"aag 2 1 1 2 0\n2\n4 2\n2\n4\no0 assume_x\no1 bad_y\n",
		"aag 1 1 0 1 0\n2\n2\no0 y\n",
		"aag 1 1 0 1 0 1\n2\n2\n2\nb0 two words\no0 y\n",
		many,
		model + ".end\n",
		twoOfOneName,
		model + "# prop: assert ok\n.names y ok\n0 1\n.end\n",
		model + "# prop: bad y \"two words\"\n.end\n",
		".model m\n.inputs a e\n.outputs y\n.latch a q 0\n.names q y\n1 1\n.subckt $assert A=y EN=e\n.subckt $assume A=a EN=e\n.cname c\n.end\n",
		".model m\n.inputs a e\n.outputs bad_y\n.latch a q 0\n.names q bad_y\n1 1\n.end\n",
	} {
		in := readText(t, text)
		want := verdicts(t, in)
		for _, format := range []string{"blif", "aag"} {
			if text == twoOfOneName && format == "aag" {
				want = []string{"y refuted", "y_2 refuted"}
			}
			out, data := converted(t, in, format)
			if got := verdicts(t, out); !slices.Equal(got, want) {
				t.Errorf("%s: %v have become %v\n%s", format, want, got, data)
			}
			again, data := converted(t, out, "blif")
			if got := verdicts(t, again); !slices.Equal(got, want) {
				t.Errorf("%s and blif: %v have become %v\n%s", format, want, got, data)
			}
		}
	}
}

// TestConversionsKeepNets checks that a net keeps its meaning, and constraints
// their names.
func TestConversionsKeepNets(t *testing.T) {
	in := readText(t, ".model m\n.inputs a c\n.outputs y\n# prop: assert ok\n# prop: assume k\n# prop: fair f\n"+
		".latch a q 0\n.names q y\n1 1\n.names q ok\n0 1\n.names c k\n0 1\n.names q f\n0 1\n.end\n")
	out, data := converted(t, in, "blif")
	a, b := blifOf(in), blifOf(out)
	for _, name := range []string{"ok", "k", "f", "y"} {
		was, _ := flat.Elaborate(a).LitIn(0, a.Top().Signal(name))
		is, ok := flat.Elaborate(b).LitIn(0, b.Top().Signal(name))
		if !ok || was != is {
			t.Errorf("%s was %v and is %v\n%s", name, was, is, data)
		}
	}
	if again, twice := converted(t, out, "blif"); len(blifOf(again).Top().Outputs()) != len(b.Top().Outputs()) {
		t.Errorf("another conversion adds outputs:\n%s", twice)
	}
	if _, data := converted(t, in, "aag"); !strings.Contains(data, "\nc0 k\n") || !strings.Contains(data, "\nf0 f\n") {
		t.Errorf("no names of constraints:\n%s", data)
	}
}

// TestConversionsRefused checks that a circuit is not written where no verdict
// on all of it is possible, whatever its properties are about.
func TestConversionsRefused(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub2.blif")
	if err := os.WriteFile(sub, []byte(".model sub2\n.inputs i\n.outputs o\n.names i u o\n11 1\n.end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	clocks := ".model m\n.inputs a c1 c2\n.outputs y z\n# prop: bad y\n.latch a y re c1 0\n.latch a z re c2 0\n.end\n"
	for _, test := range []struct {
		text  string
		flags readFlags
		want  string
	}{
		{clocks, readFlags{}, "do not step together"},
		{strings.Replace(clocks, "# prop: bad y\n", "", 1), readFlags{}, "do not step together"},
		{clocks, readFlags{blif: blifFlags{Option: blifdesign.Option{OneStep: true}}}, ""},
		{".model top\n.inputs a\n.outputs y\n.subckt sub2 i=a o=y\n.end\n", readFlags{}, "nothing drives u"},
		{".model top\n.inputs a\n.outputs y\n.subckt sub2 i=a o=y\n.end\n", readFlags{blif: blifFlags{Option: blifdesign.Option{CutUndriven: true}}}, ""},
	} {
		in, err := open(t.Context(), filepath.Join(dir, "top.blif"), []byte(test.text), &test.flags)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		_, err = encode(t.Context(), env{stderr: &stderr}, in, "aag", nil)
		if (err != nil) != (test.want != "") || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%v, %q, expected %q\n%s", err, stderr.String(), test.want, test.text)
		}
	}
}
