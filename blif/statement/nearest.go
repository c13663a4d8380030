package statement

import (
	"slices"
	"sort"
	"strings"

	"aiglens/internal/nearest"
)

// NearestDirective returns the directive that a word is probably meant to be,
// or "".
func NearestDirective(word string) string {
	if lower := strings.ToLower(word); kindOf(lower) != KindUnknown {
		return lower
	}
	others := make([]string, 0, len(directives))
	for d := range directives {
		others = append(others, d)
	}
	sort.Strings(others)
	return nearest.Word(word, append(slices.Clone(usual), others...))
}

// usual are the directives that go before others which are as near.
var usual = []string{".names", ".latch", ".inputs", ".outputs", ".subckt", ".model", ".end", ".gate"}
