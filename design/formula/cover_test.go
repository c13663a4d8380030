package formula

import (
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
