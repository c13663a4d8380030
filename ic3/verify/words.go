package verify

import (
	"strings"
	"unicode"
)

// MaxReason bounds, in bytes, what a verdict shows of the words of another process.
const MaxReason = 200

// OneLine returns a text of another process as one line of at most n bytes: what is not
// printable becomes a space.
func OneLine(text string, n int) string {
	return Shortened(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text), n)
}

// Shortened returns at most the first n bytes of a text, and no part of a letter.
func Shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
