package findings

import (
	"slices"

	"aiglens/internal/source"
)

// Union returns diagnostics with those of others that are not among them: with the same
// place and message. found is not changed.
func Union(found, others []source.Diagnostic) []source.Diagnostic {
	if len(others) == 0 {
		return found
	}
	type key struct {
		offset  int
		message string
	}
	known := make(map[key]bool, len(found))
	for _, d := range found {
		known[key{d.Span.Start, d.Message}] = true
	}
	found = slices.Clip(found)
	for _, d := range others {
		if k := (key{d.Span.Start, d.Message}); !known[k] {
			known[k] = true
			found = append(found, d)
		}
	}
	return found
}
