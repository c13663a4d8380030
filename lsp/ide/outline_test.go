package ide_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// longAIGER has names for all inputs and latches, and for the only bad.
func longAIGER(inputs, latches, gates int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d %d %d 0 %d 1\n", inputs+latches+gates, inputs, latches, gates)
	for i := range inputs {
		fmt.Fprintln(&b, 2*i+2)
	}
	for i := range latches {
		fmt.Fprintln(&b, 2*(inputs+i)+2, 2)
	}
	fmt.Fprintln(&b, 2*(inputs+latches+gates))
	for i := range gates {
		fmt.Fprintln(&b, 2*(inputs+latches+i)+2, 2, 4)
	}
	for i := range inputs {
		fmt.Fprintf(&b, "i%d in%d\n", i, i)
	}
	for i := range latches {
		fmt.Fprintf(&b, "l%d reg%d\n", i, i)
	}
	return b.String() + "b0 wrong\n"
}

func longBLIF(models, latches, covers int) string {
	var b strings.Builder
	for m := range models {
		fmt.Fprintf(&b, ".model m%d\n.inputs x\n.outputs y\n", m)
		for i := range latches {
			fmt.Fprintf(&b, ".latch x q%d 0\n", i)
		}
		for i := range covers {
			fmt.Fprintf(&b, ".names x n%d\n1 1\n", i)
		}
		b.WriteString(".names x y\n1 1\n.end\n")
	}
	return b.String()
}

// TestOutlineOfLongFile counts what an outline shows of files with many rows: names of all
// kinds, and parts that hold the others.
func TestOutlineOfLongFile(t *testing.T) {
	const limit = 1000 // rows
	for _, c := range []struct {
		name, language, text string
		rows                 int      // shown
		most                 int      // sections and parts
		has                  []string // names of rows, sections and parts
	}{
		{"AIGER", "aiger", longAIGER(30_000, 20, 1_000_000), limit, 30 + 100 + 5,
			[]string{"in0", "in900", "reg19", "wrong", "inputs 29000–29999", "ANDs 0–9999", "ANDs 990000–999999"}},
		{"AIGER, few names", "aiger", longAIGER(3, 300, 900), 304, 6, []string{"in2", "reg299", "ANDs"}},
		{"AIGER, few rows", "aiger", longAIGER(3, 3, 200), 207, 6, []string{"in2", "408"}},
		{"BLIF, one model", "blif", longBLIF(1, 5_000, 50_000), limit, 60,
			[]string{"model m0", "x", "y", "q900", "lines 1–1000"}},
		{"BLIF, many models", "blif", longBLIF(3_000, 1, 1), limit, 500 + 3, []string{"model m0", "model m499", "models 1–1000", "models 2001–3000"}},
		{"BLIF, small models", "blif", longBLIF(10, 1, 1), 10 * 5, 10, []string{"n0", "q0", "model m9"}},
	} {
		d := design.New("file:///w/a", formats.All().ByLanguage(c.language), 1, source.NewText(c.text), design.Options{})
		names, rows, sections := map[string]bool{}, 0, 0
		var walk func(all []design.Section, within source.Span)
		walk = func(all []design.Section, within source.Span) {
			at := within.Start
			for _, s := range all {
				sections++
				names[s.Name] = true
				if s.Span.Start < at || s.Span.End() > within.End() {
					t.Errorf("%s: %s at %v, after %d in %v", c.name, s.Name, s.Span, at, within)
				}
				at = s.Span.End()
				for _, r := range s.Rows {
					rows++
					names[r.Name] = true
					if r.Span.Start < s.Span.Start || r.Span.End() > s.Span.End() {
						t.Errorf("%s: %s at %v in %s at %v", c.name, r.Name, r.Span, s.Name, s.Span)
					}
				}
				walk(s.Parts, s.Span)
			}
		}
		walk(ide.Symbols(d), source.Span{Length: d.Text.Len()})
		if rows > c.rows || rows < c.rows-1 || sections > c.most {
			t.Errorf("%s: %d rows in %d sections and parts, expected %d in %d", c.name, rows, sections, c.rows, c.most)
		}
		for _, name := range c.has {
			if !names[name] {
				t.Errorf("%s: %s is missing", c.name, name)
			}
		}
	}
}
