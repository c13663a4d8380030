package ide

import "strings"

// Plain returns the text of a hover without the marks of markdown, for clients that show them as they are:
// those of code and of strong words. Lists are readable with theirs.
func Plain(markdown string) string {
	var b strings.Builder
	for s := markdown; s != ""; {
		inner, length := codeAt(s)
		if length == 0 {
			inner, length = strongAt(s)
		}
		if length == 0 {
			length = max(1, leading(s, '`'))
			inner = s[:length]
		}
		b.WriteString(inner)
		s = s[length:]
	}
	return b.String()
}

// codeAt returns what stands in the code that a text begins with, and how long that is with its
// backquotes; 0 for none.
func codeAt(s string) (inner string, length int) {
	n := leading(s, '`')
	if n == 0 {
		return "", 0
	}
	for at := n; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			break
		}
		at += i
		m := leading(s[at:], '`')
		if m == n {
			inner = s[n:at]
			if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.Trim(inner, " ") != "" {
				inner = inner[1 : len(inner)-1]
			}
			return inner, at + m
		}
		at += m
	}
	return "", 0
}

// strongAt returns the strong words that a text begins with, and how long they are with their marks; 0 for
// none.
func strongAt(s string) (inner string, length int) {
	const mark = "**"
	if !strings.HasPrefix(s, mark) {
		return "", 0
	}
	inner, _, ok := strings.Cut(s[len(mark):], mark)
	if !ok || inner == "" || strings.ContainsAny(inner, "`\n") || strings.TrimSpace(inner) != inner {
		return "", 0
	}
	return inner, len(inner) + 2*len(mark)
}

// leading returns how many of a byte a text begins with.
func leading(s string, c byte) int { return len(s) - len(strings.TrimLeft(s, string(c))) }
