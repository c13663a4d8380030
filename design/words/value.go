package words

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/wordline"
)

// maxDecimal is the width up to which values are decimal unless a radix is given.
const maxDecimal = 64

// Value returns the value of a word, from the least significant bit on, of those of its
// signals; x for a bit that is missing.
func Value(w *design.Word, of func(circuit.Lit) circuit.Value) []circuit.Value {
	value := make([]circuit.Value, len(w.Bits))
	for i, b := range w.Bits {
		value[i] = circuit.X
		if !b.Missing {
			value[i] = of(b.Lit)
		}
	}
	return value
}

// Text returns a value as people read it: the name that it has, else a number. A number some of
// whose bits are x is binary, 0b1x0, and where it has many bits hexadecimal with an x for each
// digit that is not known. Missing bits are written -. A value of which nothing is known is x.
func Text(w *design.Word, value []circuit.Value) string {
	if name := NameOf(w, value); name != "" {
		return name
	}
	return Number(w, value)
}

// NameOf returns the name of a value, or "".
func NameOf(w *design.Word, value []circuit.Value) string {
	for _, v := range w.Values {
		if slices.Equal(v.Value, value) {
			return v.Name
		}
	}
	return ""
}

// Number is Text without names of values.
func Number(w *design.Word, value []circuit.Value) string {
	if !slices.ContainsFunc(value, func(v circuit.Value) bool { return v != circuit.X }) {
		return circuit.X.String()
	}
	_, isKnown := numberOf(value)
	radix := w.Radix
	if radix == design.DefaultRadix {
		radix = design.Decimal
		if len(value) > maxDecimal {
			radix = design.Hexadecimal
		}
	}
	switch {
	case radix == design.Hexadecimal || !isKnown && len(value) > maxDecimal:
		return "0x" + hexadecimal(value)
	case radix == design.Binary || !isKnown:
		return "0b" + binary(w, value)
	}
	return Integer(w, value).String()
}

// Integer returns the number that a value is. All its bits are known.
func Integer(w *design.Word, value []circuit.Value) *big.Int {
	n, _ := numberOf(value)
	if w.Signed && value[len(value)-1] == circuit.One {
		n.Sub(n, power(len(value)))
	}
	return n
}

// ValueOf returns a number, which is in the range of a word, as a value of it.
func ValueOf(w *design.Word, n *big.Int) []circuit.Value {
	value := make([]circuit.Value, len(w.Bits))
	for i := range value {
		value[i] = circuit.ValueOf(n.Bit(i) == 1)
	}
	return value
}

// Range returns the least and the greatest number that a word can be.
func Range(w *design.Word) (least, greatest *big.Int) {
	return wordline.Range(len(w.Bits), w.Signed)
}

func power(width int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(width)) }

// numberOf returns the number that bits are, without a sign; isKnown is false where one is x.
func numberOf(value []circuit.Value) (n *big.Int, isKnown bool) {
	n = new(big.Int)
	for i, v := range value {
		switch v {
		case circuit.X:
			return n, false
		case circuit.One:
			n.SetBit(n, i, 1)
		}
	}
	return n, true
}

func binary(w *design.Word, value []circuit.Value) string {
	var b strings.Builder
	for i := len(value) - 1; i >= 0; i-- {
		if w.Bits[i].Missing {
			b.WriteByte('-')
		} else {
			b.WriteString(value[i].String())
		}
	}
	return b.String()
}

// hexadecimal writes x for a digit with a bit that is x.
func hexadecimal(value []circuit.Value) string {
	var b strings.Builder
	for i := (len(value) - 1) / 4 * 4; i >= 0; i -= 4 {
		n, isKnown := numberOf(value[i:min(i+4, len(value))])
		if isKnown {
			b.WriteString(n.Text(16))
		} else {
			b.WriteByte('x')
		}
	}
	return b.String()
}

// Parse reads a value of a word: the name of one, or a number: decimal, 0x1f or 0b101. An x in a
// number leaves its bits open, and x alone leaves all of them open. The error is a sentence for
// the user.
func Parse(w *design.Word, text string) ([]circuit.Value, error) {
	text = strings.TrimSpace(text)
	for _, v := range w.Values {
		if v.Name == text {
			return slices.Clone(v.Value), nil
		}
	}
	lower := strings.ToLower(text)
	if lower == circuit.X.String() {
		return slices.Repeat([]circuit.Value{circuit.X}, len(w.Bits)), nil
	}
	for prefix, bits := range map[string]int{"0x": 4, "0b": 1} {
		if digits, ok := strings.CutPrefix(lower, prefix); ok && digits != "" {
			return parsePattern(w, text, digits, bits)
		}
	}
	n, base, ok := wordline.Number(text)
	if !ok {
		return nil, fmt.Errorf("%q is no value of %s: %s", text, w.Name, accepted(w))
	}
	n, err := wordline.FitNumber(w.Name, len(w.Bits), w.Signed, text, n, base)
	if err != nil {
		return nil, err
	}
	return ValueOf(w, n), nil
}

// parsePattern reads digits of some bits each, with an x for one that is open.
func parsePattern(w *design.Word, text, digits string, bits int) ([]circuit.Value, error) {
	value := make([]circuit.Value, 0, len(digits)*bits)
	for i := len(digits) - 1; i >= 0; i-- {
		c := digits[i]
		digit := strings.IndexByte("0123456789abcdef", c)
		isOpen := c == 'x' || c == '-'
		if c == '_' {
			continue
		}
		if !isOpen && (digit < 0 || digit >= 1<<bits) {
			return nil, fmt.Errorf("%q is no value of %s: %s", text, w.Name, accepted(w))
		}
		for k := range bits {
			if isOpen {
				value = append(value, circuit.X)
			} else {
				value = append(value, circuit.ValueOf(digit>>k&1 == 1))
			}
		}
	}
	for len(value) < len(w.Bits) {
		value = append(value, circuit.Zero)
	}
	for _, v := range value[len(w.Bits):] {
		if v == circuit.One {
			return nil, wordline.NoFit(w.Name, len(w.Bits), false, text)
		}
	}
	return value[:len(w.Bits)], nil
}

// mostNamed bounds the names of values that a message lists.
const mostNamed = 8

// accepted says what values can be written as.
func accepted(w *design.Word) string {
	var names []string
	for _, v := range w.Values[:min(len(w.Values), mostNamed)] {
		names = append(names, v.Name)
	}
	switch {
	case len(names) == 0:
		return "expected " + wordline.Numbers
	case len(w.Values) > mostNamed:
		return "expected one of " + strings.Join(names, ", ") + " and others, or " + wordline.Numbers
	}
	return "expected " + strings.Join(names, ", ") + ", or " + wordline.Numbers
}
