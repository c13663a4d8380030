package design

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// LatchSource returns the source of a latch of the circuit.
func (d *Design) LatchSource(index int) (SourceSignal, bool) {
	return d.elaborate().LatchSource(index)
}

// FlipFlop returns what the latch at a position stands for, at the place of the latch: the literal
// that has its value, and what the text calls it. But for circuits that a tool has made of another
// text, and says so, that is the latch itself. The source is never negated, and called by its
// literal where it has no name.
func FlipFlop(d *Design, index int) (l circuit.Lit, found SourceSignal, ok bool) {
	l, gate, isNamed := d.Names().FlipFlop(index)
	found, ok = d.LatchSource(index)
	if found.Negated = false; l.Var() != d.Circuit().Latches()[index].Lit.Var() {
		if !isNamed {
			gate, isNamed = d.SourceOf(l)
			isNamed = isNamed && !gate.Negated
		}
		switch {
		case isNamed && gate.Span == found.Span && (gate.Span.Length > 0 || gate.Other != nil): // both stand where the source declares a register
			found = gate
		case isNamed:
			found.Name = gate.Name
		}
	}
	if found.Name == "" {
		found.Name = fmt.Sprint(found.Lit)
	}
	return l, found, ok
}

// LatchOf returns the position of the latch with the value of a signal, or that stands for it as FlipFlop
// says; −1 where there is none. The error is that of ctx.
func LatchOf(ctx context.Context, d *Design, v circuit.Var) (index int, err error) {
	if index = d.Circuit().LatchIndex(v); index >= 0 {
		return index, nil
	}
	found, err := registers.Of(ctx, d)
	if at, ok := found[v]; ok && err == nil {
		return at, nil
	}
	return -1, err
}

// registers are the gates for which latches stand, with the positions of these.
var registers = NewDerived(func(ctx context.Context, d *Design) (map[circuit.Var]int, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	c, found := d.Circuit(), map[circuit.Var]int{}
	for i := range c.Latches() {
		if l, _, _ := d.Names().FlipFlop(i); c.Kind(l.Var()) == circuit.KindAnd {
			found[l.Var()] = i
		}
	}
	return found, ctx.Err()
})

// Copy is a signal in one instance of its model.
type Copy struct {
	Path string // of the instance; "" for the top model
	Lit  circuit.Lit
	Name string // with its instances, where that is not the path, a slash and the name
}

// Copies returns the circuit's literals for one of the document, at most limit of
// them: one in each instance of its model, those without a sound definition left
// out.
func (d *Design) Copies(l Lit, limit int) []Copy { return d.elaborate().Copies(l, limit) }

// Scopes splits the name of a latch or input of the circuit into those of the instances
// around it, outermost first, and the one inside. Names may hold the sign between them.
func (d *Design) Scopes(name string) (path []string, local string) {
	return d.elaborate().Scopes(name)
}

// FileReference is a word that names another file.
type FileReference struct {
	Span source.Span
	Path string // as written
}

// FileReferences returns the words, outside of comments, that name files.
func (d *Design) FileReferences() []FileReference { return d.parse().FileReferences() }

// DependsOnOthers reports whether the text, as far as it has been looked at,
// means something else when other files change.
func (d *Design) DependsOnOthers() bool {
	latest := Latest(d)
	return latest != nil && latest.DependsOnOthers()
}

// Target is a place in another file.
type Target struct {
	Word source.Span // of this document, what stands for the place
	Path string
	Text source.Text
	Span source.Span
	// Model is the model that the place is in, or "" for a whole file; Port is the
	// port that it defines, or "".
	Model, Port string
	IsInput     bool // of Port
	// Inputs and Outputs are the ports of Model.
	Inputs, Outputs []string
}

// TargetAt returns what the word at offset stands for in another file: a model,
// one of its ports, or the file itself.
func (d *Design) TargetAt(offset int) (Target, bool) { return d.parse().TargetAt(offset) }

// MayBeShared reports whether other files can use what the word at offset names. It looks
// at no other file.
func (d *Design) MayBeShared(offset int) bool { return d.parse().MayBeShared(offset) }

// TargetsIn returns what the words of a part of the text stand for in other
// files, at most limit of them: models and their ports.
func (d *Design) TargetsIn(span source.Span, limit int) []Target {
	return d.parse().TargetsIn(span, limit)
}
