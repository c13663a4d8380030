package formats_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/blif/bliftest"
	"aiglens/btor2/btor2test"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
)

// signalsOf opens a text, and returns the signals that stand in it.
func signalsOf(t *testing.T, name, text string) (d *design.Design, all []design.Signal) {
	t.Helper()
	d, err := formats.All().Open(t.Context(), name, []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[design.Signal]bool{0: true}
	for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
		if v := o.Lit.Signal(); !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	return d, all
}

// TestUses: the first uses of a signal and their number are those of a walk over all its places, without what only
// mentions it.
func TestUses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	texts := map[string]string{
		"pins.blif": ".model top\n.inputs a b\n.outputs y z\n.subckt sub i=a o=y\n.subckt sub i=a o=z\n.subckt elsewhere p=a q=b\n# prop: bad y\n# word: w = a b\n.end\n.model sub\n.inputs i\n.outputs o\n.names i i2\n1 1\n.names i i2 o\n11 1\n.exdc\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n",
	}
	for seed := range uint64(150) {
		texts[fmt.Sprintf("%d.blif", seed)] = bliftest.Random(seed, bliftest.ForAll, false)
		texts[fmt.Sprintf("%d.btor2", seed)] = btor2test.Random(seed, btor2test.Tiny)
	}
	signals := 0
	for name, text := range texts {
		d, all := signalsOf(t, name, text)
		for _, v := range all {
			signals++
			most := r.IntN(5)
			first, n := design.Uses(d, v, most)
			wanted, all := design.FirstUses(slices.DeleteFunc(d.Occurrences(v), func(o design.Occurrence) bool {
				isMention := strings.HasSuffix(name, ".blif") && o.Use == design.NoUse && o.Role == design.RoleUse
				return o.Use == design.AsBit || isMention
			}), most)
			if n != all || fmt.Sprint(first) != fmt.Sprint(wanted) {
				t.Fatalf("%s, %s: %v of %d, expected %v of %d in\n%s", name, d.Name(v), first, n, wanted, all, text)
			}
		}
	}
	if signals < 3000 {
		t.Errorf("%d signals", signals)
	}
}

// TestUsesOfMany: uses beside those that are wanted cost nothing but to be counted.
func TestUsesOfMany(t *testing.T) {
	const n = 20_000
	var b, o strings.Builder
	fmt.Fprintf(&b, ".model m\n.inputs en\n.outputs y%d\n.names en y0\n1 1\n", n)
	fmt.Fprint(&o, "1 sort bitvec 1\n2 input 1 en\n3 and 1 2 2\n")
	for i := range n {
		fmt.Fprintf(&b, ".names en y%d y%d\n11 1\n", i, i+1)
		fmt.Fprintf(&o, "%d and 1 %d 2\n", 4+i, 3+i)
	}
	for name, text := range map[string]string{"m.blif": b.String() + ".end\n", "m.btor2": o.String()} {
		d, all := signalsOf(t, name, text)
		at := slices.IndexFunc(all, func(v design.Signal) bool { return d.Name(v) == "en" })
		en := all[at]
		got := testing.AllocsPerRun(3, func() {
			if first, all := design.Uses(d, en, 50); len(first) != 50 || all < n {
				t.Fatalf("%s: %d of %d", name, len(first), all)
			}
		})
		if got > 1000 {
			t.Errorf("%s: %.0f allocations", name, got)
		}
	}
}
