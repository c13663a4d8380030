package syntax

import (
	"crypto/sha256"
	"encoding/binary"
	"io"

	"aiglens/horn"
	"aiglens/horn/term"
)

// again reads a form once more, for its terms.
func (r *resolution) again(k int) *formReader {
	x := newReader(r.file.forms[k], usesOf(r.readings[k]))
	x.read()
	return x
}

// foundBefore is the scope of a form that has been read already: what it found then, by name.
type foundBefore map[string]*declaration

func usesOf(x *reading) foundBefore {
	found := make(foundBefore, len(x.uses))
	for _, u := range x.uses {
		found[u.name] = u.declaration
	}
	return found
}

func (f foundBefore) find(name string) *declaration { return f[name] }

// system makes the clauses of all forms. It depends on nothing but what the digests of the forms are about.
func (r *resolution) system() *horn.System {
	s := &horn.System{Terms: term.NewPool(), Preds: predicates(r.preds)}
	for i, c := range r.clauses {
		if i > 0 && r.clauses[i-1].Origin == c.Origin {
			continue
		}
		x := r.again(c.Origin)
		to := term.NewCopy(s.Terms, x.terms)
		to.Pred = func(p int) int { return int(r.numbers[x.preds[p]]) }
		atom := func(a horn.Atom) horn.Atom {
			if a.Pred == horn.NoPred {
				return a
			}
			return horn.Atom{Pred: r.numbers[x.preds[a.Pred]], Args: to.All(a.Args)}
		}
		for _, c := range x.made {
			made := horn.Clause{Vars: to.All(c.Vars), Origin: r.clauses[i].Origin}
			for _, a := range c.Body {
				made.Body = append(made.Body, atom(a))
			}
			made.Constraint, made.Head = to.Copy(c.Constraint), atom(c.Head)
			s.Clauses = append(s.Clauses, made)
		}
	}
	return s
}

// Rows of encode that are no terms start with one of these bytes, which no term.Op is.
const (
	rowClause    = 0xff
	rowPredicate = 0xfe
)

// encode writes the clauses as bytes, which are the same for forms with the same clauses. Terms and names of predicates
// are written once for all clauses: disjunctions multiply clauses, which share most of what they say.
func (r *formReader) encode(to io.Writer) {
	terms := term.NewEncoding(r.terms, to)
	numbers, written := make([]int, len(r.preds)), 0
	var row []byte
	atom := func(a horn.Atom) { // writes what the atom is made of, and then adds it to the row
		if a.Pred == horn.NoPred {
			row = append(row, 0)
			return
		}
		if numbers[a.Pred] == 0 {
			written++
			numbers[a.Pred] = written
			_, _ = to.Write(term.AppendText([]byte{rowPredicate}, r.preds[a.Pred].name))
		}
		row = binary.AppendUvarint(row, uint64(numbers[a.Pred]))
		row = binary.AppendUvarint(row, uint64(len(a.Args)))
		for _, t := range a.Args {
			row = binary.AppendUvarint(row, uint64(terms.Number(t)))
		}
	}
	for i := range r.made {
		c := &r.made[i]
		row = binary.AppendUvarint(append(row[:0], rowClause), uint64(len(c.Body)))
		for _, a := range c.Body {
			atom(a)
		}
		row = binary.AppendUvarint(row, uint64(terms.Number(c.Constraint)))
		atom(c.Head)
		_, _ = to.Write(row)
	}
}

// Fingerprint is that of the clauses of a text: two texts with one fingerprint have the same predicates, and the same
// clauses in the same order.
type Fingerprint [sha256.Size]byte

func (r *resolution) fingerprint() (p Fingerprint) {
	hash := sha256.New()
	write := func(n int) { _ = binary.Write(hash, binary.LittleEndian, int64(n)) }
	write(len(r.preds))
	for _, d := range r.preds {
		write(len(d.name))
		_, _ = io.WriteString(hash, d.name)
		write(len(d.params))
		for _, sort := range d.params {
			write(int(sort))
		}
	}
	last := -1
	for _, c := range r.clauses {
		if c.Origin != last {
			hash.Write(r.readings[c.Origin].digest[:])
			last = c.Origin
		}
	}
	hash.Sum(p[:0])
	return p
}
