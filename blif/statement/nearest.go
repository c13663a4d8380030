package statement

import (
	"slices"
	"sort"
	"strings"
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
	return Nearest(word, append(slices.Clone(usual), others...))
}

// usual are the directives that go before others which are as near.
var usual = []string{".names", ".latch", ".inputs", ".outputs", ".subckt", ".model", ".end", ".gate"}

// Nearest returns the candidate with the smallest edit distance, if that is at
// most two and less than half of the word; a swap of neighbours counts once.
func Nearest(word string, candidates []string) string {
	best, least := "", min(3, (len(word)+1)/2)
	for _, c := range candidates {
		if d := editDistance(word, c, least); d < least {
			best, least = c, d
		}
	}
	return best
}

// editDistance returns the number of insertions, deletions, replacements and
// swaps of neighbours between two words, or limit if it is not below that.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
