package wordline

import (
	"fmt"
	"math/big"
	"strings"

	"aiglens/internal/findings"
)

// Numbers says how a number is written.
const Numbers = "a number such as 5, 0x1f or 0b101"

// Number reads a number: a decimal one, which may be negative, or one as 0x1f and 0b101.
func Number(text string) (n *big.Int, base int, ok bool) {
	text, base = strings.ToLower(text), 10
	switch {
	case strings.HasPrefix(text, "0x"):
		text, base = text[2:], 16
	case strings.HasPrefix(text, "0b"):
		text, base = text[2:], 2
	}
	if strings.ContainsAny(text, "+_") || base != 10 && strings.Contains(text, "-") {
		return nil, base, false
	}
	n, ok = new(big.Int).SetString(text, base)
	return n, base, ok
}

// FitNumber returns a number as so many bits of a word have it, of a negative one in two's complement. Only
// decimal numbers have a sign. The error is a sentence for the user.
func FitNumber(word string, width int, isSigned bool, n *big.Int, base int) (*big.Int, error) {
	all := new(big.Int).Lsh(big.NewInt(1), uint(width)) // values
	least, end := new(big.Int), all
	if isSigned && base == 10 {
		end = new(big.Int).Rsh(all, 1)
		least.Neg(end)
	}
	if n.Cmp(least) < 0 || n.Cmp(end) >= 0 {
		return nil, fmt.Errorf("%s has %s, from %s to %s", word, findings.Count(width, "bit", "bits"), short(least), short(new(big.Int).Sub(end, big.NewInt(1))))
	}
	if n.Sign() < 0 {
		return new(big.Int).Add(n, all), nil
	}
	return n, nil
}

// maxDecimal is the number of bits up to which a bound is written in digits.
const maxDecimal = 64

// short writes a bound, which may be very long.
func short(n *big.Int) string {
	switch {
	case n.BitLen() <= maxDecimal:
		return n.String()
	case n.Sign() < 0:
		return fmt.Sprintf("-2^%d", n.BitLen()-1)
	}
	return fmt.Sprintf("2^%d - 1", n.BitLen())
}
