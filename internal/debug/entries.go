package debug

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/expression"
	"aiglens/design/play"
	"aiglens/design/words"
)

// entry is a row among the variables of a group: a signal, or a word or scope with what is
// inside.
type entry struct {
	signal
	word   *design.Word
	label  string   // what it is called where it stands; "" for a signal that has its whole name
	inside []*entry // nil for a signal
}

// entries are the signals of a run as rows: words and scopes are made of them.
type entries struct{ t *target }

// tree returns the signals of a group under their scopes, the bits of a word as one. A word or
// scope stands where the first of its signals does; a signal of one bit that a word uses stands before it, under its own name.
func (es entries) tree(group int) *entry {
	b := treeBuilder{root: &entry{inside: []*entry{}}, scopes: map[string]*entry{}}
	seen := map[*design.Word]bool{}
	for _, s := range es.t.groups[group]() {
		if s.name != "" {
			b.root.inside = append(b.root.inside, &entry{signal: s})
			continue
		}
		p, isBit := es.t.words.At(s.lit)
		isBit = isBit && es.groupOf(p.Word) == group
		if m, ok := es.t.doc.SourceOf(s.lit); !isBit || ok && es.t.words.IsApart(m.Lit.Signal(), p) {
			name, _ := es.t.nameOf(s)
			path, local := words.Scopes(es.t.doc, name)
			b.add(path, &entry{signal: s, label: local})
		}
		if isBit && !seen[p.Word] {
			seen[p.Word] = true
			b.add(p.Word.Path, es.entryOf(p.Word))
		}
	}
	return b.root
}

// treeBuilder puts entries under their scopes.
type treeBuilder struct {
	root   *entry
	scopes map[string]*entry // by their paths
}

func (b *treeBuilder) add(path []string, e *entry) {
	at := b.scope(path)
	at.inside = append(at.inside, e)
}

func (b *treeBuilder) scope(path []string) *entry {
	if len(path) == 0 {
		return b.root
	}
	key := strings.Join(path, "\x00")
	if found, ok := b.scopes[key]; ok {
		return found
	}
	last := len(path) - 1
	made := &entry{label: path[last], inside: []*entry{}}
	b.scopes[key] = made
	b.add(path[:last], made)
	return made
}

// groupOf returns the group that has a word: that of its highest bit.
func (es entries) groupOf(w *design.Word) int {
	c, v := es.t.doc.Circuit(), w.Bits[max(0, es.t.words.Highest(w))].Lit.Var()
	if at, err := design.LatchOf(context.Background(), es.t.doc, v); err == nil && at >= 0 {
		return groupLatches // also of a register that a latch stands for
	}
	switch c.Kind(v) {
	case circuit.KindInput:
		return groupInputs
	}
	return groupGates
}

// entryOf returns a word with its bits, the most significant first.
func (es entries) entryOf(w *design.Word) *entry {
	e := &entry{word: w, label: w.Local, inside: []*entry{}}
	for i, b := range slices.Backward(w.Bits) {
		if b.Missing {
			continue
		}
		bit := &entry{signal: signal{lit: b.Lit}, label: w.Local + "[" + strconv.Itoa(w.Index(i)) + "]"}
		name, _ := es.t.nameOf(bit.signal)
		if named, ok := es.t.words.Bit(name); w.Origin != design.FromNames || ok && named.Word == w && named.Position == i {
			_, bit.label = words.Scopes(es.t.doc, name)
			if m, ok := es.t.doc.SourceOf(b.Lit); ok && m.Negated != b.Lit.IsNegated() {
				bit.label = "!" + bit.label
			}
		}
		e.inside = append(e.inside, bit)
	}
	return e
}

// calledBy returns what an entry is called where it stands, and the expression that means it;
// "" when there is none.
func (es entries) calledBy(e *entry) (name, written string) {
	switch {
	case e.word != nil:
		written = expression.Quote(e.word.Name)
		if _, err := es.t.vocabulary().Parse(written); err != nil {
			written = ""
		}
	case e.inside == nil:
		name, written = es.t.nameOf(e.signal)
	}
	if e.label != "" {
		name = e.label
	}
	return name, written
}

// valueOf returns the value of a word at a step, text as people read it.
func (es entries) valueOf(w *design.Word, step int) []circuit.Value {
	return words.Value(w, func(l circuit.Lit) circuit.Value { return es.t.Value(l, step) })
}

func (es entries) text(w *design.Word, step int) string {
	return es.written(w, es.valueOf(w, step))
}

// written is a value as the user wants it.
func (es entries) written(w *design.Word, value []circuit.Value) string {
	return words.TextIn(es.t.radices.Of(es.t.doc.URI, w.Name), w, value)
}

// change says how a signal changes at a step, or the word that it is a bit of unless that has
// been seen; ok is false where that does not change.
func (es entries) change(l circuit.Lit, name string, step int, seen map[*design.Word]bool) (text string, ok bool) {
	if p, isBit := es.t.words.At(l); isBit {
		return es.changeOf(p.Word, step, seen)
	}
	if before, now := es.t.Value(l, step-1), es.t.Value(l, step); step > 0 && before != now {
		return fmt.Sprintf("%s %s→%s", name, before, now), true
	}
	return "", false
}

// changeOf is change for a word.
func (es entries) changeOf(w *design.Word, step int, seen map[*design.Word]bool) (text string, ok bool) {
	if step == 0 || seen[w] {
		return "", false
	}
	seen[w] = true
	before, now := es.valueOf(w, step-1), es.valueOf(w, step)
	if slices.Equal(before, now) {
		return "", false
	}
	return w.Name + " " + es.written(w, before) + "→" + es.written(w, now), true
}

// hintOfWord says whether all bits of a word can be set in a step.
func (es entries) hintOfWord(w *design.Word, step int) *dap.VariablePresentationHint {
	return hintOf(!slices.ContainsFunc(w.Bits, func(b design.Bit) bool { return !b.Missing && !es.t.canSet(b.Lit, step) }))
}

// changeOfWord returns the change of a run that gives a word the value that is typed; nil where it
// has it.
func (es entries) changeOfWord(w *design.Word, step int, typed string) (*play.Change, error) {
	flips, err := play.FlipsOfWord(es.t.doc, w, es.valueOf(w, step), step, typed)
	switch {
	case err != nil:
		return nil, refuse("%v", err)
	case len(flips) == 0:
		return nil, nil
	}
	return &play.Change{Kind: play.Set, Word: w.Name, Step: step, Value: typed}, nil
}
