package answers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// Unneeded are the rows of a text that a proof does not need: all of them may become something
// else at once, and the proof holds.
type Unneeded struct {
	Rows []source.Span // in text order
	// Of rows of each kind those that are unneeded, and all that there are.
	Gates, Latches, Constraints Share
	// IsBounded says that the search was given up: there may be more.
	IsBounded bool
	// Parts are those of the text, and Needed the positions of the needed ones among them, in order: all
	// others that are not shared are unneeded.
	Parts  *design.Parts
	Needed []int
}

// Share is a part of a number of rows.
type Share struct {
	Unneeded, All int
	Names         []string // of what the unneeded rows define, in text order
	// Indexes are the positions in the circuit of the latches or constraints that Names mean: names
	// may be the same.
	Indexes []int
}

// UnneededBy finds out what the proof of a property, one of safety, does not need of a text whose
// cone of it is that of the result. What is left is checked by package cert with all else free. The
// error is ErrNoProof, that of ctx, or says why nothing is known.
func UnneededBy(ctx context.Context, d *design.Design, p circuit.Property, r *verify.Result) (*Unneeded, error) {
	u, err := CountUnneeded(ctx, d, p, r)
	if err != nil {
		return nil, err
	}
	needed := u.Needed
	for i := range u.Parts.All {
		if len(needed) > 0 && needed[0] == i {
			needed = needed[1:]
			continue
		}
		part := &u.Parts.All[i]
		if part.IsShared {
			continue
		}
		share := u.shareOf(part.Kind())
		share.Names = append(share.Names, part.Name)
		switch part.Kind() {
		case design.LatchPart:
			share.Indexes = append(share.Indexes, part.Latches[0])
		case design.ConstraintPart:
			share.Indexes = append(share.Indexes, part.Constraints[0])
		}
		u.Rows = append(u.Rows, part.Span)
	}
	return u, nil
}

// CountUnneeded is UnneededBy without rows and names, which of many properties are much: they follow
// from what is needed.
func CountUnneeded(ctx context.Context, d *design.Design, p circuit.Property, r *verify.Result) (*Unneeded, error) {
	if r == nil || r.Checked.Outcome() != cert.Proved || p.Kind.Question() != circuit.Safety {
		return nil, ErrNoProof
	}
	parts, err := d.Parts(ctx)
	if err != nil {
		return nil, err
	}
	small, _, ok := r.WithSmallProof(ctx, d.Circuit(), p)
	bad, isBad := d.Circuit().Bad(p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok || !isBad {
		return nil, ErrNoProof
	}
	core, err := proof.CheckedCore(ctx, d.Circuit(), bad, small.Checked.Invariant(), proof.CoreEffort)
	if err != nil {
		return nil, err
	}
	needed := parts.Stating(core.Gates, func(i int) bool { return core.Next[i] || core.Reset[i] }, core.Constraints)
	u := &Unneeded{IsBounded: core.Bounded, Parts: parts, Needed: slices.Sorted(maps.Keys(needed))}
	for kind, n := range parts.Count {
		share := u.shareOf(design.PartKind(kind))
		share.All, share.Unneeded = n, parts.Own[kind]
	}
	for _, i := range u.Needed {
		u.shareOf(parts.All[i].Kind()).Unneeded--
	}
	return u, nil
}

func (u *Unneeded) shareOf(kind design.PartKind) *Share {
	switch kind {
	case design.LatchPart:
		return &u.Latches
	case design.ConstraintPart:
		return &u.Constraints
	}
	return &u.Gates
}

// Words says how much a proof does without, given the name of its property.
func (u *Unneeded) Words(property string) string {
	all := u.Gates.All + u.Latches.All + u.Constraints.All
	if len(u.Rows) == 0 {
		words := fmt.Sprintf("among %s of gates, latches and constraints none was found that can change without breaking the proof of %s", Count(all, "row", "rows"), property)
		if u.IsBounded {
			words += "; there may be some, because the search was given up"
		}
		return words
	}
	words := fmt.Sprintf("%s can change without breaking the proof of %s: %s", Count(len(u.Rows), "row", "rows"), property, u.Shares())
	if len(u.Rows) > 1 {
		words = strings.Replace(words, "can change", "can change at once", 1)
	}
	return words
}

// Shares says how many of the rows of each kind there is are unneeded.
func (u *Unneeded) Shares() string {
	var kinds []string
	for _, k := range []struct {
		Share
		what string
	}{{u.Gates, "gates"}, {u.Latches, "latches"}, {u.Constraints, "constraints"}} {
		if k.All > 0 {
			kinds = append(kinds, fmt.Sprintf("%d of %d %s", k.Unneeded, k.All, k.what))
		}
	}
	words := strings.Join(kinds, ", ")
	if u.IsBounded {
		words += "; there may be more, because the search was given up"
	}
	return words
}

// Notice is Words in short, for what shows one line and cuts it off: how many rows, and where
// the rest is said. With isCut only the first of them are faded.
func (u *Unneeded) Notice(property string, isCut bool) string {
	switch {
	case len(u.Rows) == 0:
		return "no row was found that the proof of " + property + " does without"
	case len(u.Rows) == 1:
		return "1 row can change for " + property + "; hover over it for details"
	case isCut:
		return fmt.Sprintf("%d rows can change for %s; only the first are faded", len(u.Rows), property)
	}
	return fmt.Sprintf("%d rows can change for %s; hover over one for details", len(u.Rows), property)
}

// Joined returns the rows, those with nothing but blanks between them as one: what stands
// between two others, such as a word of a line, may be needed.
func (u *Unneeded) Joined(text source.Text) []source.Span {
	var all []source.Span
	for _, row := range u.Rows {
		if n := len(all); n > 0 && isBlank(text, all[n-1].End(), row.Start) {
			all[n-1] = source.SpanFromTo(all[n-1].Start, max(all[n-1].End(), row.End()))
			continue
		}
		all = append(all, row)
	}
	return all
}

// isBlank reports whether there are but blanks between two places, which may overlap.
func isBlank(text source.Text, from, to int) bool {
	return to <= from || strings.TrimSpace(text.Slice(source.SpanFromTo(from, to))) == ""
}
