package words_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
)

var update = flag.Bool("update", false, "write the texts of testdata/texts.json")

// textCase is a value of a word with how it is written: by itself, and where a reader wants
// another radix. The trace panel, which writes values itself, is tested with the same file.
type textCase struct {
	Bits    string `json:"bits"`    // from the most significant on
	Missing []int  `json:"missing"` // positions in bits
	Signed  bool   `json:"signed"`
	Radix   string `json:"radix"`
	Values  []struct {
		Name string `json:"name"`
		Bits string `json:"bits"`
	} `json:"values"`
	Texts  map[string]string `json:"texts"`
	Chosen map[string]string `json:"chosen"` // in a radix that a reader has chosen for the word
}

func TestTexts(t *testing.T) {
	const file = "testdata/texts.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []textCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	radices := map[string]design.Radix{"": design.DefaultRadix, "binary": design.Binary, "decimal": design.Decimal, "hex": design.Hexadecimal}
	for i := range cases {
		c := &cases[i]
		w := &design.Word{Name: "w", Bits: make([]design.Bit, len(c.Bits)), Signed: c.Signed, Radix: radices[c.Radix]}
		for _, at := range c.Missing {
			w.Bits[len(c.Bits)-1-at].Missing = true
		}
		for _, v := range c.Values {
			w.Values = append(w.Values, design.NamedValue{Name: v.Name, Value: valueFrom(v.Bits)})
		}
		value := valueFrom(c.Bits)
		texts := map[string]string{"": words.Text(w, value)}
		for name, radix := range radices {
			if other := *w; name != "" {
				other.Radix = radix
				texts[name] = words.Number(&other, value)
			}
		}
		for name, text := range texts {
			if !*update && c.Texts[name] != text {
				t.Errorf("%+v: %q in radix %q, expected %q", *c, text, name, c.Texts[name])
			}
		}
		chosen := map[string]string{}
		for _, name := range []string{"binary", "decimal", "hex", "signed"} {
			radix, ok := words.RadixNamed(name)
			if chosen[name] = words.TextIn(radix, w, value); !ok || !*update && c.Chosen[name] != chosen[name] {
				t.Errorf("%+v: %q in radix %q by choice, expected %q", *c, chosen[name], name, c.Chosen[name])
			}
		}
		if text := words.TextIn(design.DefaultRadix, w, value); text != texts[""] {
			t.Errorf("%+v: %q without a choice, expected %q", *c, text, texts[""])
		}
		c.Texts, c.Chosen = texts, chosen
	}
	if *update {
		data, _ := json.MarshalIndent(cases, "", "  ")
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// valueFrom reads bits from the most significant on.
func valueFrom(bits string) (value []circuit.Value) {
	for _, c := range bits {
		switch c {
		case '0':
			value = append(value, circuit.Zero)
		case '1':
			value = append(value, circuit.One)
		default:
			value = append(value, circuit.X)
		}
	}
	slices.Reverse(value)
	return value
}
