package edit

import (
	"context"
	"fmt"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// Changes returns the changes that make sense for the places that span touches.
// Listing them is cheap; those of the whole file are listed only when file
// holds. To find out which of these would change anything they are made, which
// the end of the context cuts short; of a large file all are listed, and those that
// would change nothing have no edits.
func Changes(ctx context.Context, f *syntax.File, span source.Span, file bool) []source.Change {
	if structure(f) != nil {
		return nil
	}
	c := changes{file: f}
	c.additions(literalsIn(f, span))
	c.word(span)
	c.rewrites(span)
	if file {
		c.wholeFile(ctx)
	}
	return c.list
}

// literalsIn returns the first two defined literals that span touches.
func literalsIn(f *syntax.File, span source.Span) []uint32 {
	var lits []uint32
	for o := range f.OccurrencesIn(span) {
		if o.Span.End() < span.Start || o.Span.Start > span.End() {
			continue
		}
		_, defined := f.Definition(o.Var())
		if defined || o.Var() == 0 {
			lits = append(lits, o.Lit)
		}
		if len(lits) == 2 {
			break
		}
	}
	return lits
}

type changes struct {
	file *syntax.File
	list []source.Change
}

// add offers a change after which each literal is what it was.
func (c *changes) add(kind source.ChangeKind, id, title string, edits func() ([]source.Edit, error)) {
	c.addMapped(kind, id, title, func() ([]source.Edit, error) {
		list, err := edits()
		if err != nil {
			return nil, err
		}
		return keepAsides(c.file, list, same)
	})
}

// addMapped offers a change that takes care of lemmas and covers itself.
func (c *changes) addMapped(kind source.ChangeKind, id, title string, edits func() ([]source.Edit, error)) {
	c.list = append(c.list, source.Change{ID: id, Title: title, Kind: kind, Edits: edits})
}

// describe shows a literal with its name.
func (c *changes) describe(lit uint32) string {
	name := c.file.Name(lit / 2)
	switch {
	case name == "":
		return fmt.Sprint(lit)
	case lit&1 == 1:
		name = "¬" + name
	}
	return fmt.Sprintf("%d (%s)", lit, name)
}

// additions offers new elements that use the literals of the place.
func (c *changes) additions(lits []uint32) {
	f := c.file
	c.add(source.ChangeAdd, "add-input", "Add an input", func() ([]source.Edit, error) { return addInput(f) })
	if len(lits) == 0 {
		c.add(source.ChangeAdd, "add-latch", "Add a latch that stays 0", func() ([]source.Edit, error) { return addLatch(f, 0) })
		c.add(source.ChangeAdd, "add-gate", "Add a gate 1 ∧ 1", func() ([]source.Edit, error) { return addGate(f, 1, 1) })
		return
	}
	lit, other := lits[0], uint32(1)
	if len(lits) == 2 {
		other = lits[1]
	}
	c.add(source.ChangeAdd, "add-latch", fmt.Sprintf("Add a latch that delays %s by a step", c.describe(lit)),
		func() ([]source.Edit, error) { return addLatch(f, lit) })
	c.add(source.ChangeAdd, "add-gate", fmt.Sprintf("Add a gate %s ∧ %s", c.describe(lit), c.describe(other)),
		func() ([]source.Edit, error) { return addGate(f, lit, other) })
	c.properties(lit)
	c.asides(lit)
}

// properties offers rows that say something about a literal. A bad beside
// outputs that are checked by convention would end that, so such a file gets
// another output.
func (c *changes) properties(lit uint32) {
	f := c.file
	kind, word := syntax.SectionBads, "bad"
	if _, ok := f.Row(syntax.SectionOutputs, 0); ok && f.OutputsAreBads() {
		kind, word = syntax.SectionOutputs, "output"
	}
	for _, o := range []struct {
		id, title string
		kind      syntax.SectionKind
		lit       uint32
	}{
		{"add-never", fmt.Sprintf("Add a property: %s is never 1 (%s %d)", c.describe(lit), word, lit), kind, lit},
		{"add-always", fmt.Sprintf("Add a property: %s is always 1 (%s %d)", c.describe(lit), word, lit^1), kind, lit ^ 1},
		{"add-constraint", fmt.Sprintf("Add a constraint: %s is always 1", c.describe(lit)), syntax.SectionConstraints, lit},
	} {
		c.add(source.ChangeAdd, o.id, o.title, func() ([]source.Edit, error) { return addProperty(f, o.kind, o.lit) })
	}
}

// rewrites offers other ways to write what stands at the place.
func (c *changes) rewrites(span source.Span) {
	f := c.file
	_, outputs := f.Row(syntax.SectionOutputs, 0)
	_, bads := f.Row(syntax.SectionBads, 0)
	switch row, ok := f.RowAt(f.Text().LineAt(span.Start)); {
	case ok && row.Kind != syntax.SectionOutputs && row.Kind != syntax.SectionBads:
	case outputs && f.OutputsAreBads():
		c.add(source.ChangeRewrite, "outputs-to-bads", "Convert to AIGER 1.9: outputs become bads", func() ([]source.Edit, error) { return outputsToBads(f) })
	case outputs && (!ok || row.Kind == syntax.SectionOutputs):
		c.add(source.ChangeRewrite, "outputs-to-bads", "Turn all outputs into bads", func() ([]source.Edit, error) { return outputsToBads(f) })
	}
	if row, ok := f.RowAt(f.Text().LineAt(span.Start)); ok {
		c.otherKinds(row)
	}
	if row, ok := f.RowAt(f.Text().LineAt(span.Start)); bads && (!ok || row.Kind == syntax.SectionBads) {
		c.add(source.ChangeRewrite, "bads-to-outputs", "Turn all bads into outputs", func() ([]source.Edit, error) { return badsToOutputs(f) })
	}
	if o, ok := f.OccurrenceAt(span.Start); ok {
		v := o.Var()
		if d, ok := f.Definition(v); ok && d.Role == syntax.RoleLatch {
			c.addMapped(source.ChangeRewrite, "invert-latch", fmt.Sprintf("Store the negation of latch %s", c.describe(2*v)),
				func() ([]source.Edit, error) { return invertLatch(f, v) })
		}
	}
}

// largeFile is the size in bytes from which a change of the whole file is computed only
// when the user chooses it.
const largeFile = 16 << 10

// wholeFile offers the changes of the whole file that would change something, as far
// as that is known.
func (c *changes) wholeFile(ctx context.Context) {
	f := c.file
	isLarge := f.Text().Len() >= largeFile
	for _, o := range []struct {
		id, title string
		edits     func(context.Context) ([]source.Edit, error)
	}{
		{"reencode", "Reencode like aigtoaig: inputs, latches, gates, without gaps", func(ctx context.Context) ([]source.Edit, error) { return reencode(ctx, f) }},
		{"strip", "Strip unused gates and latches", func(context.Context) ([]source.Edit, error) { return strip(f, false) }},
		{"strip-inputs", "Strip unused gates, latches and inputs", func(context.Context) ([]source.Edit, error) { return strip(f, true) }},
		{"sort-symbols", "Sort the symbols", func(ctx context.Context) ([]source.Edit, error) { return sortSymbols(ctx, f) }},
	} {
		if ctx.Err() != nil {
			return
		}
		if isLarge {
			c.addMapped(source.ChangeFile, o.id, o.title, func() ([]source.Edit, error) { return o.edits(ctx) })
			continue
		}
		if o.id == "strip-inputs" && !slices.Contains(inCone(f)[syntax.SectionInputs], false) {
			continue // the same as strip
		}
		if edits, err := o.edits(ctx); err == nil && len(edits) > 0 {
			c.addMapped(source.ChangeFile, o.id, o.title, func() ([]source.Edit, error) { return edits, nil })
		}
	}
}
