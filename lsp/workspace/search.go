package workspace

import (
	"sort"
	"strings"
)

// Search collects the names that fit a query.
type Search struct {
	query []rune // lower case
	hits  []hit
}

type hit struct {
	Name
	rank int
}

// NewSearch returns a search that has found nothing yet.
func NewSearch(query string) *Search { return &Search{query: []rune(strings.ToLower(query))} }

// Add looks through names.
func (s *Search) Add(names []Name) {
	for _, n := range names {
		if rank, ok := s.rank(n.Name); ok {
			s.hits = append(s.hits, hit{n, rank})
		}
	}
}

// rank says how well a name fits, 0 best: it starts with the query, holds it, or
// holds its letters in order.
func (s *Search) rank(name string) (rank int, ok bool) {
	lower := strings.ToLower(name)
	switch query := string(s.query); {
	case strings.HasPrefix(lower, query):
		return 0, true
	case strings.Contains(lower, query):
		return 1, true
	}
	rest := s.query
	for _, r := range lower {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return 2, len(rest) == 0
}

// Best returns the names that fit best, at most limit of them.
func (s *Search) Best(limit int) []Name {
	sort.Slice(s.hits, func(i, j int) bool {
		a, b := s.hits[i], s.hits[j]
		switch {
		case a.rank != b.rank:
			return a.rank < b.rank
		case a.Name.Name != b.Name.Name:
			return a.Name.Name < b.Name.Name
		case a.Location.URI != b.Location.URI:
			return a.Location.URI < b.Location.URI
		}
		return a.Location.Range.Start.Line < b.Location.Range.Start.Line
	})
	var all []Name
	for _, h := range s.hits[:min(len(s.hits), limit)] {
		all = append(all, h.Name)
	}
	return all
}
