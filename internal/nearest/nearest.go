// Package nearest finds the word of a list that a person probably meant by another. It knows no
// words itself.
package nearest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// leastPrefix is the least length of a word that may stand for a longer one that begins with it.
const leastPrefix = 3

// Word returns the candidate with the smallest edit distance, if that is at
// most two and less than half of the word; a swap of neighbours counts once.
func Word(word string, candidates []string) string {
	s := NewSearch(word)
	s.Add(candidates...)
	return s.best
}

// Near is Word, and takes also a candidate in letters of the other case, and the only one that begins
// with the word.
func Near(word string, candidates []string) string {
	s := NewSearch(word)
	s.Add(candidates...)
	return s.Near()
}

// Search is Near for candidates that come one after the other. A copy goes on alone.
type Search struct {
	word                string
	folded, best, begun string // the first in other case, that of the smallest distance, the first that begins with the word
	least, longer       int    // the distance of best, or the bound of one; how many begin with the word
}

// NewSearch returns a search that has met no candidate.
func NewSearch(word string) Search { return Search{word: word, least: min(3, (len(word)+1)/2)} }

// Add looks at candidates.
func (s *Search) Add(candidates ...string) {
	for _, c := range candidates {
		if s.folded == "" && strings.EqualFold(s.word, c) {
			s.folded = c
		}
		if len(s.word) >= leastPrefix && strings.HasPrefix(c, s.word) {
			if s.longer++; s.longer == 1 {
				s.begun = c
			}
		}
		if d := editDistance(s.word, c, s.least); d < s.least {
			s.best, s.least = c, d
		}
	}
}

// Near returns what Near does for the candidates so far.
func (s *Search) Near() string {
	switch {
	case s.folded != "":
		return s.folded
	case s.best == "" && s.longer == 1:
		return s.begun
	}
	return s.best
}

// Hint ends a sentence that says that there is no such word: it asks whether the one of Near was meant,
// and is "" where there is none.
func Hint(word string, candidates []string) string {
	near := Near(word, candidates)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", near)
}

// maxHints is how many words Hints looks for: each costs a look at all candidates.
const maxHints = 10

// Hints returns Hint for candidates that are collected once, when the first word is looked for. It
// gives no hints after the first few.
func Hints(candidates iter.Seq[string]) func(word string) string {
	left, all := maxHints, sync.OnceValue(func() []string { return slices.Collect(candidates) })
	return func(word string) string {
		if left == 0 {
			return ""
		}
		left--
		return Hint(word, all())
	}
}

// Choose is Hint, and where none is near the list of all.
func Choose(word string, candidates []string) string {
	if near := Hint(word, candidates); near != "" {
		return near
	}
	last := len(candidates) - 1
	if last <= 0 {
		return "; choose " + strings.Join(candidates, "")
	}
	return "; choose " + strings.Join(candidates[:last], ", ") + " or " + candidates[last]
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
