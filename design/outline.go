package design

import (
	"slices"

	"aiglens/internal/source"
)

// Section is a part of a file with one kind of rows, or a range of them.
type Section struct {
	Name  string
	Span  source.Span
	Rows  []Row     // of a section with parts those outside of them
	Parts []Section // in text order; none of a section with few rows
}

// Row is one element of a section.
type Row struct {
	Name   string
	Detail string
	Span   source.Span // the line
	Focus  source.Span // what to select in it
	Kind   SignalKind  // Undefined for what defines no signal
}

// Outline returns the sections that have rows, in text order, with at most limit rows in
// all. Of long sections these are rows that the text names, and the section is divided
// into parts, whether they show rows or not.
func (d *Design) Outline(limit int) []Section { return d.parse().Outline(limit) }

// ManyRows is the number of rows from which an outline does not show those without a
// name.
const ManyRows = 250

// minPart and maxParts bound the parts of a section.
const (
	minPart  = 1000
	maxParts = 100
)

// PartSize returns how many rows each part of a section has, a power of ten; 0 for a
// section without parts.
func PartSize(rows int) int {
	if rows <= minPart {
		return 0
	}
	size := minPart
	for rows > size*maxParts {
		size *= 10
	}
	return size
}

// Share gives each of some sections places for rows, at most so many as it wants. Those
// that want few get all of them, the others the same number each.
func Share(places int, wants []int) []int {
	byWant := make([]int, len(wants))
	for i := range wants {
		byWant[i] = i
	}
	slices.SortStableFunc(byWant, func(a, b int) int { return wants[a] - wants[b] })
	shares := make([]int, len(wants))
	for n, i := range byWant {
		shares[i] = min(wants[i], places/(len(wants)-n))
		places -= shares[i]
	}
	return shares
}
