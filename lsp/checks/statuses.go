package checks

import (
	"slices"

	"aiglens/circuit"
	"aiglens/lsp/ide"
)

// Statuses is an immutable table of what is known of the properties of a file.
// A successor shares the chunks that do not differ, so that the next of
// thousands of verdicts does not cost a copy of all.
type Statuses [circuit.NumPropertyKinds][]*statusChunk

// statusChunk holds the properties of a kind with neighbouring indices.
type statusChunk [64]ide.Status

// At returns what is known of a property.
func (t *Statuses) At(p circuit.Property) ide.Status {
	chunk := p.Index / len(statusChunk{})
	if chunk >= len(t[p.Kind]) || t[p.Kind][chunk] == nil {
		return ide.Status{Kind: p.Kind}
	}
	return t[p.Kind][chunk][p.Index%len(statusChunk{})]
}

// With returns the table with other statuses for some properties.
func (t Statuses) With(changed map[circuit.Property]bool, status func(circuit.Property) ide.Status) Statuses {
	for kind := range t {
		t[kind] = slices.Clone(t[kind])
	}
	copied := map[*statusChunk]bool{}
	for p := range changed {
		chunks, i := &t[p.Kind], p.Index/len(statusChunk{})
		if missing := i + 1 - len(*chunks); missing > 0 {
			*chunks = append(*chunks, make([]*statusChunk, missing)...)
		}
		chunk := &(*chunks)[i]
		if !copied[*chunk] {
			next := statusChunk{}
			if *chunk != nil {
				next = **chunk
			}
			*chunk = &next
			copied[*chunk] = true
		}
		(*chunk)[p.Index%len(statusChunk{})] = status(p)
	}
	return t
}
