package expression

import (
	"context"
	"slices"
	"strings"
	"sync"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// Dictionary knows the names of the signals of a text. It may be used from several
// goroutines.
type Dictionary struct {
	doc    *design.Design
	labels func() map[string]circuit.Lit     // of symbols, latches, inputs and properties
	locals func() map[string][]design.Signal // definitions of the text by name
	others func() []Other
}

// Other is a signal that another file defines.
type Other struct {
	Name  string
	Lit   circuit.Lit // of the signal by its name
	Place *design.Target
}

// NewDictionary makes the dictionary of a text. Names are collected when they are first
// looked for.
func NewDictionary(doc *design.Design) *Dictionary {
	d := &Dictionary{doc: doc}
	d.labels, d.locals, d.others = sync.OnceValue(d.findLabels), sync.OnceValue(d.findLocals), sync.OnceValue(d.findOthers)
	return d
}

// Names returns what the words of an expression mean on a run of so many steps.
func (d *Dictionary) Names(steps int) Names {
	n := Names{Signal: d.Lookup, Words: d.Words, Steps: steps}
	if d.doc.HasNumbers() {
		n.Number = func(n int) (circuit.Lit, bool) {
			if n > 1<<32-1 {
				return 0, false
			}
			return d.doc.LitOf(design.Lit(n))
		}
	}
	return n
}

// Words returns the words that a name may stand for; none where the text has no circuit.
func (d *Dictionary) Words(name string) []*design.Word {
	if all, err := words.Of(context.Background(), d.doc); err == nil {
		return all.Find(name)
	}
	return nil
}

func (d *Dictionary) allWords() []*design.Word {
	if all, err := words.Of(context.Background(), d.doc); err == nil {
		return all.All()
	}
	return nil
}

// Labels returns the literals of symbols, latches, inputs and properties by their names.
func (d *Dictionary) Labels() map[string]circuit.Lit { return d.labels() }

// Others returns the signals that other files define.
func (d *Dictionary) Others() []Other { return d.others() }

// Lookup returns the literal of a signal by its name, with the path of its instance.
func (d *Dictionary) Lookup(name string) (circuit.Lit, bool) {
	if d.doc.HasNumbers() {
		l, ok := d.labels()[name]
		if !ok {
			return d.find(name)
		}
		return l, ok
	}
	// The name of a net may hold the sign that separates the names of instances.
	for i := -1; ; {
		path, local := "", name
		if i >= 0 {
			path, local = name[:i], name[i+1:]
		}
		for _, s := range d.locals()[local] {
			for _, c := range d.doc.Copies(s.Lit(), maxCopies) {
				if c.Path == path {
					return c.Lit, true
				}
			}
		}
		next := strings.IndexByte(name[i+1:], '/')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	for _, o := range d.others() {
		if o.Name == name {
			return o.Lit, true
		}
	}
	l, ok := d.labels()[name]
	return l, ok
}

// find looks for what only maps beside the text, gates and positions are called. It looks at the
// whole text.
func (d *Dictionary) find(name string) (circuit.Lit, bool) {
	if isNumber(name) || name == "x" || name == "X" || name == "step" || len(d.Words(name)) > 0 {
		return 0, false
	}
	found := d.doc.Names().Find(name)
	if len(found) == 0 || slices.ContainsFunc(found, func(l circuit.Lit) bool { return l != found[0] }) {
		return 0, false
	}
	return found[0], true
}

// maxCopies bounds the instances that are looked at for a signal of a model.
const maxCopies = 10_000

// findLabels returns what needs no look at the definitions: symbols (AIGER), latches,
// inputs and properties. Of two signals of one name the first in the text counts.
func (d *Dictionary) findLabels() map[string]circuit.Lit {
	found := map[string]circuit.Lit{}
	add := func(name string, l circuit.Lit) {
		if _, has := found[name]; !has && name != "" {
			found[name] = l
		}
	}
	if d.doc.HasNumbers() {
		for name, l := range d.doc.Names().Nets() {
			add(name, l)
		}
		for s := range d.doc.SymbolLines() {
			if l, ok := d.doc.LitOf(s.Lit); ok && s.HasLit {
				add(s.Name, l)
			}
		}
		for i, name := range d.doc.Names().Elements().Inputs {
			add(name, d.doc.Circuit().Inputs()[i].Lit)
		}
		for i := range d.doc.Circuit().Latches() {
			if l, found, ok := design.FlipFlop(d.doc, i); ok && !isNumber(found.Name) {
				add(found.Name, l)
			}
		}
	} else {
		latches, inputs := d.doc.ElementNames()
		for i, name := range latches {
			add(name, d.doc.Circuit().Latches()[i].Lit)
		}
		for i, name := range inputs {
			add(name, d.doc.Circuit().Inputs()[i].Lit)
		}
	}
	for _, p := range d.doc.Properties() {
		if l, ok := d.doc.Circuit().Bad(p.ID); ok {
			add(p.Name, l)
		}
	}
	return found
}

// findLocals returns the signals that the text defines by their names in id.
func (d *Dictionary) findLocals() map[string][]design.Signal {
	found := map[string][]design.Signal{}
	for o := range d.doc.OccurrencesIn(source.Span{Length: d.doc.Text.Len()}) {
		s := o.Lit.Signal()
		if o.Role != design.RoleDefinition || s == 0 {
			continue
		}
		if name := d.doc.Name(s); name != "" && !slices.Contains(found[name], s) {
			found[name] = append(found[name], s)
		}
	}
	return found
}

// findOthers returns the signals that other files define.
func (d *Dictionary) findOthers() []Other {
	if !d.doc.DependsOnOthers() {
		return nil
	}
	var all []Other
	for v := range circuit.Var(d.doc.Circuit().NumVars()) {
		if m, ok := d.doc.SourceOf(v.Lit()); ok && m.Other != nil {
			all = append(all, Other{m.Name, v.Lit().NotIf(m.Negated), m.Other})
		}
	}
	return all
}
