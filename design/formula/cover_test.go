package formula

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/internal/source"
)

func TestCoversReadBack(t *testing.T) {
	check := func(rows, want string) {
		t.Helper()
		text := ".model m\n.inputs a b c\n.outputs y\n.names a b c y\n" + rows + ".end\n"
		d := design.New("file:///m.blif", blifdesign.Format, 1, source.NewText(text), design.Options{})
		y, ok := d.OccurrenceAt(len(".model m\n.inputs a b c\n.outputs y\n.names a b c "))
		if !ok {
			t.Fatalf("no output in\n%s", text)
		}
		if got := Expression(d, y.Lit, 1); got != want {
			t.Errorf("%q is %s, expected %s", rows, got, want)
		}
	}
	check("100 1\n010 1\n001 1\n111 1\n", "a ⊕ b ⊕ c")
	check("111 1\n001 1\n010 1\n100 1\n", "a ⊕ b ⊕ c")
	check("100 0\n010 0\n001 0\n111 0\n", "¬(a ⊕ b ⊕ c)")
	check("000 1\n110 1\n011 1\n101 1\n", "¬(a ⊕ b ⊕ c)")
	check("000 0\n110 0\n011 0\n101 0\n", "a ⊕ b ⊕ c")
	check("100 1\n010 1\n001 1\n", "(a ∧ ¬b ∧ ¬c) ∨ (¬a ∧ b ∧ ¬c) ∨ (¬a ∧ ¬b ∧ c)")
	check("100 1\n100 1\n001 1\n111 1\n", "(a ∧ ¬b ∧ ¬c) ∨ (¬a ∧ ¬b ∧ c) ∨ (a ∧ b ∧ c)")
	check("100 1\n010 1\n001 1\n110 1\n", "(a ∧ ¬b ∧ ¬c) ∨ (¬a ∧ b ∧ ¬c) ∨ (¬a ∧ ¬b ∧ c) ∨ (a ∧ b ∧ ¬c)")
	check("11- 1\n0-1 1\n", "a ? b : c")
}

// TestWideCover: a cover of many inputs is counted at any depth, and not written out.
func TestWideCover(t *testing.T) {
	const n = 100_000
	var inputs strings.Builder
	for i := range n {
		fmt.Fprintf(&inputs, " x%d", i)
	}
	head := ".model m\n.inputs" + inputs.String() + "\n.outputs y\n.names" + inputs.String() + " "
	text := head + "y\n" + strings.Repeat("1", n) + " 1\n.end\n"
	d := design.New("file:///m.blif", blifdesign.Format, 1, source.NewText(text), design.Options{})
	y, ok := d.OccurrenceAt(len(head))
	if !ok {
		t.Fatal("no output")
	}
	for depth := range 4 {
		if got, want := Expression(d, y.Lit, depth), "1 cube over 100,000 inputs"; depth > 0 && got != want {
			t.Errorf("depth %d: %s, expected %s", depth, got, want)
		}
	}
}
