package diagnose_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/internal/source"
)

// said returns everything that is said of a text, as "line: message".
func said(t *testing.T, f *blif.File) []string {
	t.Helper()
	linted, err := diagnose.Lint(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range slices.Concat(diagnose.Diagnostics(f), linted) {
		line, _ := f.Text().LineColumn(d.Span.Start)
		all = append(all, fmt.Sprintf("%d: %s", line, d.Message))
	}
	return all
}

const and = ".model m\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n"

// TestOneCauseOneFinding checks that what follows from a fault is not said besides,
// and that the finding names the cause.
func TestOneCauseOneFinding(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"capitals", strings.NewReplacer(".model", ".MODEL", ".inputs", ".INPUTS", ".outputs", ".OUTPUTS", ".names", ".NAMES", ".end", ".END").Replace(and),
			"1: .MODEL is not a BLIF directive; did you mean .model? Directives are written in small letters (5 places)"},
		{"misspelt model", strings.Replace(and, ".model", ".modle", 1), "1: .modle is not a BLIF directive; did you mean .model?"},
		{"misspelt end", strings.Replace(and, ".end", ".ned", 1), "6: .ned is not a BLIF directive; did you mean .end?"},
		{"CR", strings.ReplaceAll(and, "\n", "\r"), "1: the lines end in CR alone, so that the whole text is one line: expected LF"},
		{"CR and a last LF", strings.ReplaceAll(and, "\n", "\r") + "\n", "1: the lines end in CR alone, so that the whole text is one line: expected LF"},
		{"NUL", strings.ReplaceAll(and, "b", "b\x00c"), "2: a NUL byte, at which programs written in C end the name or the text"},
		{"Verilog", "// a counter\n/* of\n four bits */\nmodule counter(\n .clk(clk),\n .rst(rst));\nendmodule\n", "4: this looks like Verilog, not like BLIF: let Yosys write AIGER or BLIF"},
		{"Verilog with a time scale", "`timescale 1ns/1ps\nmodule m;\nendmodule\n", "1: this looks like Verilog, not like BLIF: let Yosys write AIGER or BLIF"},
		{"VHDL", "-- a counter\nlibrary ieee;\nuse ieee.std_logic_1164.all;\n", "2: this looks like VHDL, not like BLIF: let Yosys write AIGER or BLIF"},
		{"AIGER", "aag 1 1 0 1 0\n2\n2\n", "1: this looks like AIGER, not like BLIF: let its name end in .aag"},
		{"a misspelt net", strings.Replace(and, ".names a b", ".names a bb", 1), "4: nothing drives bb"},
		{"mutual recursion", ".model top\n.inputs a\n.outputs y\n.subckt p i=a o=y\n.end\n" +
			".model p\n.inputs i\n.outputs o\n.subckt q i=i o=o\n.end\n.model q\n.inputs i\n.outputs o\n.subckt p i=i o=o\n.end\n",
			"14: model q holds an instance of itself through model p"},
		{"recursion", ".model m\n.inputs i\n.outputs o\n.subckt m i=i o=o\n.end\n", "4: model m holds an instance of itself"},
	} {
		f := blif.Options{Properties: blif.PropertyOptions{OutputLimit: -1}}.Parse(source.NewText(test.text))
		if got := said(t, f); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestOutputIsInput checks that an output that is an input is named in models of which
// there may be instances, and only there.
func TestOutputIsInput(t *testing.T) {
	passing := strings.Replace(and, ".outputs y", ".outputs y a", 1)
	for _, test := range []struct {
		text string
		want []string
	}{
		{passing, nil},
		{and + strings.Replace(passing, ".model m", ".model s", 1), []string{"9: output a is an input of the same name: ABC aborts at an instance of this model"}},
	} {
		if got := said(t, blif.Options{}.Parse(source.NewText(test.text))); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q", test.text, got)
		}
	}
}

// TestWordsLeaveTextAlone checks that the findings about a whole text do not show in
// texts that only resemble it.
func TestWordsLeaveTextAlone(t *testing.T) {
	for _, text := range []string{
		and, strings.ReplaceAll(and, "\n", "\r\n"), "# module m\n" + and, strings.ReplaceAll(and, "a", "module"), ".model m\r", "\r\r",
	} {
		for _, s := range said(t, blif.Options{}.Parse(source.NewText(text))) {
			if strings.Contains(s, "CR alone") || strings.Contains(s, "looks like") || strings.Contains(s, "NUL") {
				t.Errorf("%q: %s", text, s)
			}
		}
	}
}

// TestWholeTextForbidsVerdicts checks that no property of a text without line ends or
// in capitals is open to a check, and that the fix leaves nothing to say.
func TestWholeTextForbidsVerdicts(t *testing.T) {
	sequential := ".model m\n.inputs a\n.outputs bad\n.latch a bad 0\n.end\n"
	for _, text := range []string{
		strings.ReplaceAll(sequential, "\n", "\r"),
		strings.Replace(sequential, ".latch", ".LATCH", 1),
		strings.ReplaceAll(strings.ReplaceAll(sequential, ".e", ".E"), ".l", ".L"),
	} {
		f := blif.Options{}.Parse(source.NewText(text))
		e := flat.Elaborate(f)
		for _, p := range f.Properties() {
			if e.Fault(p.ID) == nil {
				t.Errorf("%q: %s can be checked", text, p.Name)
			}
		}
		fixed, err := f.Text().Apply(edit.FixAll(f))
		if err != nil || fixed.Content() != sequential {
			t.Errorf("%q becomes %q, %v", text, fixed.Content(), err)
		}
	}
}

// TestOutputsBeyondLimit checks that the number, the limit and what raises it are named.
func TestOutputsBeyondLimit(t *testing.T) {
	text := ".model m\n.inputs a\n.outputs"
	for i := range 30 {
		text += fmt.Sprintf(" o%d", i)
	}
	text += "\n"
	for i := range 30 {
		text += fmt.Sprintf(".latch a o%d 0\n", i)
	}
	text += ".end\n"
	want := []string{"3: 30 outputs are more than 25, the limit up to which every output is taken as a property (--output-limit, aiglens.blif.outputLimit): there is nothing to check"}
	if got := said(t, blif.Options{}.Parse(source.NewText(text))); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := said(t, blif.Options{Properties: blif.PropertyOptions{OutputLimit: 30}}.Parse(source.NewText(text))); len(got) != 1 || !strings.Contains(got[0], "taken as bad") {
		t.Errorf("%q", got)
	}
}
