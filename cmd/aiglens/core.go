package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"aiglens/design"
	"aiglens/design/answers"
)

// findUnneeded finds out what the proof of a safety property does not need.
func (a *answer) findUnneeded(ctx context.Context) error {
	if _, err := a.in.Sound(ctx); err != nil {
		return err
	}
	found, err := answers.CountUnneeded(ctx, a.in, a.property, a.result)
	if err == nil {
		a.unneeded = found
	}
	return err
}

// jsonUnneeded is what a proof does not need, by name: all of that may become something else, and
// the proof holds.
type jsonUnneeded struct {
	Gates       []string `json:"gates"` // rows, by what they define
	Latches     []string `json:"latches"`
	Constraints []string `json:"constraints"`
	// LatchIndexes and ConstraintIndexes are the positions of these in the circuit, of a row that
	// several instances have that of the first: names may be the same.
	LatchIndexes      []int `json:"latchIndexes"`
	ConstraintIndexes []int `json:"constraintIndexes"`
	// GatesOf, LatchesOf and ConstraintsOf are how many there are.
	GatesOf       int `json:"gatesOf"`
	LatchesOf     int `json:"latchesOf"`
	ConstraintsOf int `json:"constraintsOf"`
	// Bounded says that the search was given up: more may be left out.
	Bounded bool `json:"bounded"`
}

// unneededLists writes what proofs about one text do not need, as jsonUnneeded. The lists of many proofs
// are nearly all names of the text each: these are encoded once, and a list is copied from pieces between
// what is needed.
type unneededLists struct {
	parts                       *design.Parts
	gates, latches, constraints partList
}

func newUnneededLists(parts *design.Parts) *unneededLists {
	l := &unneededLists{parts: parts}
	for i := range parts.All {
		switch part := &parts.All[i]; {
		case part.IsShared:
		case part.Kind() == design.LatchPart:
			l.latches.add(i, part.Name, part.Latches[0])
		case part.Kind() == design.ConstraintPart:
			l.constraints.add(i, part.Name, part.Constraints[0])
		default:
			l.gates.add(i, part.Name, 0)
		}
	}
	return l
}

// appendTo appends the object of one proof.
func (l *unneededLists) appendTo(out []byte, u *answers.Unneeded) []byte {
	list := func(name string, of *partList, items *joinedItems) {
		out = append(out, name...)
		out = of.appendWithout(out, items, u.Needed)
	}
	list(`{"gates":`, &l.gates, &l.gates.names)
	list(`,"latches":`, &l.latches, &l.latches.names)
	list(`,"constraints":`, &l.constraints, &l.constraints.names)
	list(`,"latchIndexes":`, &l.latches, &l.latches.indexes)
	list(`,"constraintIndexes":`, &l.constraints, &l.constraints.indexes)
	return fmt.Appendf(out, `,"gatesOf":%d,"latchesOf":%d,"constraintsOf":%d,"bounded":%t}`, u.Gates.All, u.Latches.All, u.Constraints.All, u.IsBounded)
}

// partList is the parts of one kind that are not shared, in the order of the text.
type partList struct {
	at             []int // their positions among all parts
	names, indexes joinedItems
}

// joinedItems are items of a list in JSON: text[ends[i-1]:ends[i]] is item i and a comma.
type joinedItems struct {
	text []byte
	ends []int
}

func (l *partList) add(at int, name string, index int) {
	quoted, _ := json.Marshal(name) // a string always encodes
	l.at = append(l.at, at)
	l.names.add(quoted)
	l.indexes.add(strconv.AppendInt(nil, int64(index), 10))
}

func (j *joinedItems) add(item []byte) {
	j.text = append(append(j.text, item...), ',')
	j.ends = append(j.ends, len(j.text))
}

// appendWithout appends the list of all items but those of the parts at some positions, which are in order.
func (l *partList) appendWithout(out []byte, items *joinedItems, needed []int) []byte {
	out = append(out, '[')
	from := 0
	for _, at := range needed {
		i, is := slices.BinarySearch(l.at, at)
		if !is {
			continue
		}
		to := 0
		if i > 0 {
			to = items.ends[i-1]
		}
		out = append(out, items.text[from:to]...)
		from = items.ends[i]
	}
	out = append(out, items.text[from:]...)
	return append(bytes.TrimSuffix(out, []byte(",")), ']')
}
