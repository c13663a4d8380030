package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// plainWriter writes text that names and messages of files have gone into. What a
// terminal would obey instead of showing it is written as an escape sequence of Go:
// control characters, bytes that are not UTF-8, and marks that change the direction of
// writing. Line feeds and tabs stay.
type plainWriter struct{ w io.Writer }

func (p plainWriter) Write(data []byte) (int, error) {
	if _, err := io.WriteString(p.w, plainText(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// plainText returns a text as plainWriter writes it.
func plainText(s string) string {
	if !strings.ContainsFunc(s, isObeyed) && utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case r == '\r':
			out.WriteString(`\r`)
		case isObeyed(r) && r < 0x100:
			fmt.Fprintf(&out, `\x%02x`, r)
		case isObeyed(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// isObeyed reports whether a terminal acts on a character other than by showing it.
func isObeyed(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || 0x7f <= r && r < 0xa0: // C0, DEL and C1
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0x2028 || r == 0x2029
}
