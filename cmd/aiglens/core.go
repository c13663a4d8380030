package main

import (
	"context"

	"aiglens/design/answers"
)

// findUnneeded finds out what the proof of a safety property does not need, with names where
// they are listed.
func (a *answer) findUnneeded(ctx context.Context, listed bool) error {
	if _, err := a.in.Sound(ctx); err != nil {
		return err
	}
	find := answers.CountUnneeded
	if listed {
		find = answers.UnneededBy
	}
	found, err := find(ctx, a.in, a.property, a.result)
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

// jsonUnneededFrom lists all by name; nil where nothing is known.
func jsonUnneededFrom(u *answers.Unneeded) *jsonUnneeded {
	if u == nil {
		return nil
	}
	names := func(s answers.Share) []string { return append([]string{}, s.Names...) }
	return &jsonUnneeded{
		Gates: names(u.Gates), Latches: names(u.Latches), Constraints: names(u.Constraints),
		LatchIndexes: append([]int{}, u.Latches.Indexes...), ConstraintIndexes: append([]int{}, u.Constraints.Indexes...),
		GatesOf: u.Gates.All, LatchesOf: u.Latches.All, ConstraintsOf: u.Constraints.All, Bounded: u.IsBounded,
	}
}
