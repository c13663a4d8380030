package syntax

import "aiglens/internal/nearest"

// maxLikely is of how many names that are not declared the pass searches the one that was meant: each costs a look at
// all that are.
const maxLikely = 20

// likely are the searches of a pass, by the name that is not declared.
type likely map[string]*search

// search has met the names of the first declarations.
type search struct {
	nearest.Search
	declared int
}

// name returns which of the names that are declared so far was meant by an unknown one, or inner, which the form
// declares; "" for none.
func (l *likely) name(unknown, inner string, r *resolution) string {
	s := (*l)[unknown]
	if s == nil {
		if len(*l) == maxLikely {
			return inner
		}
		if *l == nil {
			*l = likely{}
		}
		s = &search{Search: nearest.NewSearch(unknown)}
		(*l)[unknown] = s
	}
	for ; s.declared < len(r.declared); s.declared++ {
		s.Add(r.readings[r.declared[s.declared]].declares.name)
	}
	found := s.Search
	if inner != "" {
		found.Add(inner)
	}
	return found.Near()
}
