package blif

import (
	"strings"

	"aiglens/blif/statement"
)

// PlacedPragma is a pragma at its place in a version.
type PlacedPragma struct {
	Chunk  int
	Pragma *statement.Pragma
}

// Signals returns the range of the words that are signals.
func (p PlacedPragma) Signals(f *File) (lo, hi int) {
	n := len(p.Pragma.Tokens)
	if n == 0 {
		return 0, 0
	}
	hi = n
	if strings.HasPrefix(f.WordOf(p.Chunk, p.Pragma.Tokens[n-1]), `"`) && n > 2 {
		hi--
	}
	if statement.PragmaKindOf(f.WordOf(p.Chunk, p.Pragma.Tokens[0])) != statement.PragmaJustice {
		hi = min(hi, 2)
	}
	return min(1, hi), hi
}

// PragmasOf returns the pragmas of a model in text order.
func (f *File) PragmasOf(m *Model) []PlacedPragma {
	return placed(f, m, func(c *statement.Chunk) []statement.Pragma { return c.Pragmas })
}

// placed returns pragmas of the chunks as far as they belong to a model.
func placed(f *File, m *Model, of func(*statement.Chunk) []statement.Pragma) []PlacedPragma {
	var all []PlacedPragma
	from := m.From
	if m.Index == 0 {
		from = 0 // comments before the first model
	}
	first, _ := f.Locate(from)
	for k := first; k < len(f.Chunks) && int(f.Firsts[k]) < m.To; k++ {
		pragmas := of(f.Chunks[k])
		for i := range pragmas {
			p := &pragmas[i]
			if id := int(f.Firsts[k] + p.Statement); from <= id && id < m.To {
				all = append(all, PlacedPragma{k, p})
			}
		}
	}
	return all
}
