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

// FitNumber returns a number, which Number read from the text, as so many bits of a word have it, of a negative one in
// two's complement. Only decimal numbers have a sign. The error is a sentence for the user.
func FitNumber(word string, width int, isSigned bool, text string, n *big.Int, base int) (*big.Int, error) {
	isSigned = isSigned && base == 10
	least, greatest := Range(width, isSigned)
	if n.Cmp(least) < 0 || n.Cmp(greatest) > 0 {
		return nil, NoFit(word, width, isSigned, text)
	}
	if n.Sign() < 0 {
		return new(big.Int).Add(n, power(width)), nil
	}
	return n, nil
}

// NoFit says that a number does not fit a word, and which ones do.
func NoFit(word string, width int, isSigned bool, text string) error {
	least, greatest := Range(width, isSigned)
	between := " to "
	if width == 1 {
		between = " or "
	}
	return fmt.Errorf("%s does not fit %s, which has %s: %s%s%s", text, word, findings.Count(width, "bit", "bits"), short(least), between, short(greatest))
}

// Range returns the least and the greatest number of so many bits.
func Range(width int, isSigned bool) (least, greatest *big.Int) {
	least, greatest = new(big.Int), power(width)
	if isSigned {
		greatest.Rsh(greatest, 1)
		least.Neg(greatest)
	}
	return least, greatest.Sub(greatest, big.NewInt(1))
}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

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
