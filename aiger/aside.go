package aiger

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/wordline"
)

// Asides returns the lemmas and covers in the comment of the model, in their order.
func (m *Model) Asides() []syntax.AsideEntry {
	return slices.DeleteFunc((*syntax.Contents)(m).Asides(), func(a syntax.AsideEntry) bool { return a.IsDangling })
}

// AddAside puts a lemma or cover of a literal after the comment. The label may be "".
func (m *Model) AddAside(k syntax.AsideKind, lit uint32, label string) {
	endComment(m)
	target := (*syntax.Contents)(m).SpellLiteral(lit)
	if label == strings.Trim(target, `"`) {
		label = ""
	}
	m.Comment += syntax.WriteAside(k, target, label)
}

// AddWords puts lines that make words after the comment of a model, with their literals. A bit that stands in
// a word before is missing there, and a word without bits, or with a name that cannot be written, is left out.
func AddWords(m *Model, all []syntax.Word) {
	var lits []uint32
	for _, w := range all {
		lits = append(lits, w.Lits...)
	}
	spelled := (*syntax.Contents)(m).SpellLiterals(lits)
	for _, w := range all {
		bits := make([]string, len(w.Bits))
		seen, isEmpty := map[uint32]bool{}, true
		for i, b := range w.Bits {
			if l := w.Lits[i]; b.IsMissing || l > 1 && seen[l/2] {
				bits[i] = wordline.Missing
			} else {
				bits[i], isEmpty, seen[l/2] = spelled[l], false, true
			}
		}
		if line, ok := w.Write(bits); ok && !isEmpty {
			endComment(m)
			m.Comment += line + "\n"
		}
	}
}

// endComment makes room for a line at the end of the comment.
func endComment(m *Model) {
	if m.Comment != "" && !strings.HasSuffix(m.Comment, "\n") {
		m.Comment += "\n"
	}
	m.HasComment = true
}

// undefinedAside is put before an aside that refers to no literal, where it would begin to
// refer to one.
const undefinedAside = "undefined: "

// carryAsides rewrites the comment, which is still that of the model m: each aside of that
// refers to the literal that to gives for it, by a name where one means that; where keep is
// false its line goes, and a bit of a word is missing. What has the right meaning already stays as it is written. An aside
// that refers to nothing does so still.
func (n *Model) carryAsides(m *Model, to func(a syntax.AsideEntry) (lit uint32, keep bool)) {
	all := (*syntax.Contents)(m).Mentioned()
	if len(all) == 0 {
		return
	}
	now := map[int]syntax.AsideEntry{} // by the place of the literal
	for _, a := range (*syntax.Contents)(n).Mentioned() {
		now[a.Target.Start] = a
	}
	differs := func(a syntax.AsideEntry, lit uint32) bool {
		b, found := now[a.Target.Start]
		return !found || b.IsDangling || b.Lit != lit
	}
	type change struct {
		lit  uint32
		keep bool
	}
	isBegun := map[int]bool{} // lines that would begin to refer to something
	for _, a := range all {
		b, found := now[a.Target.Start]
		isBegun[a.Line.Start] = isBegun[a.Line.Start] || a.IsDangling && found && !b.IsDangling
	}
	changes := make([]change, len(all))
	var lits []uint32 // to be written
	for i, a := range all {
		if a.IsDangling {
			continue
		}
		lit, keep := to(a)
		if changes[i] = (change{lit, keep}); keep && differs(a, lit) {
			lits = append(lits, lit)
		}
	}
	spelled := (*syntax.Contents)(n).SpellLiterals(lits)
	var out strings.Builder
	at := 0
	upTo := func(next int) {
		out.WriteString(m.Comment[at:next])
		at = next
	}
	for i, a := range all {
		if isBegun[a.Line.Start] {
			isBegun[a.Line.Start] = false
			upTo(a.Line.Start)
			out.WriteString(undefinedAside)
		}
		switch {
		case a.IsDangling:
		case !changes[i].keep && a.Kind == syntax.AsideBit:
			upTo(a.Target.Start)
			out.WriteString(wordline.Missing)
			at = a.Target.End()
		case !changes[i].keep:
			upTo(a.Line.Start)
			at = a.Line.End()
		case differs(a, changes[i].lit):
			upTo(a.Target.Start)
			out.WriteString(spelled[changes[i].lit])
			at = a.Target.End()
		}
	}
	upTo(len(m.Comment))
	n.Comment = out.String()
}

// withAsidesOf returns the model, which was made of another one and has its comment, with the
// asides of that about the literals that to gives.
func (m *Model) withAsidesOf(from *Model, to func(a syntax.AsideEntry) (lit uint32, keep bool)) *Model {
	n := *m
	n.Comment, n.HasComment = from.Comment, from.HasComment
	n.carryAsides(from, to)
	return &n
}

// SubstituteAsides rewrites the asides of the model, numbers that dangle among them, as
// numbers: to gives what takes the place of a literal. Where keep is false the line goes. Names
// that mean no literal, or several, stay as they are written.
func (m *Model) SubstituteAsides(to func(a syntax.AsideEntry) (lit uint32, keep bool)) {
	m.rewriteAsides(func(a syntax.AsideEntry) (string, bool) {
		if a.IsDangling && a.IsNamed {
			return m.Comment[a.Target.Start:a.Target.End()], true
		}
		lit, keep := to(a)
		return fmt.Sprint(lit), keep
	})
}

// MarkUndefinedAsides has the asides by names that mean no literal, or several, never become
// properties, whatever becomes of the names.
func (m *Model) MarkUndefinedAsides() {
	var out strings.Builder
	at := 0
	for _, a := range (*syntax.Contents)(m).Mentioned() {
		if a.IsDangling && a.IsNamed && at <= a.Line.Start {
			out.WriteString(m.Comment[at:a.Line.Start] + undefinedAside)
			at = a.Line.Start
		}
	}
	m.Comment = out.String() + m.Comment[at:]
}

// WithNamedAsides returns the model with asides that write names where these mean their
// literals.
func (m *Model) WithNamedAsides() *Model {
	n := *m
	var lits []uint32
	for _, a := range (*syntax.Contents)(m).Mentioned() {
		lits = append(lits, a.Lit)
	}
	spelled := (*syntax.Contents)(m).SpellLiterals(lits)
	n.rewriteAsides(func(a syntax.AsideEntry) (string, bool) {
		if a.IsDangling && a.Kind == syntax.AsideBit && !a.IsNamed {
			return "", false
		}
		if a.IsDangling {
			return m.Comment[a.Target.Start:a.Target.End()], true
		}
		return spelled[a.Lit], true
	})
	return &n
}

func (m *Model) rewriteAsides(to func(a syntax.AsideEntry) (target string, keep bool)) {
	all := (*syntax.Contents)(m).Mentioned()
	if len(all) == 0 {
		return
	}
	var out strings.Builder
	at := 0
	for _, a := range all {
		target, keep := to(a)
		if !keep && a.Kind == syntax.AsideBit {
			target, keep = wordline.Missing, true
		}
		if keep {
			out.WriteString(m.Comment[at:a.Target.Start] + target)
			at = a.Target.End()
		} else {
			out.WriteString(m.Comment[at:a.Line.Start])
			at = a.Line.End()
		}
	}
	m.Comment = out.String() + m.Comment[at:]
}

// addAsides adds lemmas and covers to a circuit.
func (m *Model) addAsides(b *circuit.Builder, lit func(uint32) circuit.Lit) {
	for _, a := range m.Asides() {
		addAside(b, a.Kind, lit(a.Lit), 0)
	}
}

func addAside(b *circuit.Builder, k syntax.AsideKind, l circuit.Lit, o circuit.Origin) {
	if k == syntax.AsideLemma {
		b.Lemma(l, o)
	} else {
		b.Cover(l, o)
	}
}

// AsideKindOf returns the kind of aside that a kind of property is; ok is false for one that
// has rows.
func AsideKindOf(k circuit.PropertyKind) (kind syntax.AsideKind, ok bool) {
	switch k {
	case circuit.PropertyLemma:
		return syntax.AsideLemma, true
	case circuit.PropertyCover:
		return syntax.AsideCover, true
	}
	return 0, false
}

// AsideName returns the name of the property that an aside makes: its label, else what
// names its literal; "" where that is a number.
func AsideName(a syntax.AsideEntry) string {
	switch {
	case a.Label != "":
		return a.Label
	case a.IsNamed:
		return a.Text
	}
	return ""
}
