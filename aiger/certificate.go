package aiger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/certify"
)

// ErrMapped is returned where numbers would change that the comment or a symbol refers to.
// Changes that only take elements out, or correct a number that is none, leave these right.
var ErrMapped = errors.New("the comment (MAPPING, INTERVENTION) or a symbol (<) refers to literals of this file, and would keep their old numbers")

// MapsLiterals reports whether a comment refers to literals by their numbers; see NewPair.
func MapsLiterals(comment string) bool {
	for _, keyword := range []string{"MAPPING ", "INTERVENTION "} {
		if strings.HasPrefix(comment, keyword) || strings.Contains(comment, "\n"+keyword) {
			return true
		}
	}
	return false
}

// NamesLiteral reports whether the symbol of an input or a latch refers to a literal of
// its own file by its number; see NewPair.
func NamesLiteral(k syntax.SectionKind, name string) bool {
	_, ok, err := literalAfter(name, '<')
	return (k == syntax.SectionInputs || k == syntax.SectionLatches) && (ok || err != nil)
}

// mapsLiterals reports whether the comment or a symbol refers to literals of the model.
func (m *Model) mapsLiterals() bool {
	isNaming := func(s syntax.SymbolEntry) bool { return NamesLiteral(s.Kind, s.Name) }
	return MapsLiterals(m.Comment) || slices.ContainsFunc(m.Symbols, isNaming)
}

// litPair is an entry of a mapping: two literals, as they stand in the file.
type litPair struct{ left, right uint32 }

// NewPair returns a witness circuit with its model. The first of these that the witness has
// says what they share:
//
//   - a comment MAPPING n with n lines, each a literal of the witness and one of the model,
//   - symbols of inputs and latches that begin with = and a literal of the model,
//   - inputs and latches with the same position.
//
// The first of these says what its liveness signals read in the other of two steps:
//
//   - a comment INTERVENTION n with n lines, each a literal of the witness, which is read
//     there, and the literal that stands for it,
//   - symbols of inputs and latches that begin with < and the literal that stands for that
//     input or latch,
//   - the next-state literal of each latch, which stands for the latch, unless it is constant.
//
// A symbol may have both, = first or < first. Of two entries about the same literal of the
// signals the later one counts.
//
// The error says what is wrong with that, or with a model that is not a circuit. Inputs and
// latches must be numbered as the binary format has them.
func NewPair(model, witness *Model) (*certify.Pair, error) {
	p := &certify.Pair{}
	var toModel, toWitness func(uint32) circuit.Lit
	var err error
	if p.Model, toModel, err = model.numberedCircuit(); err != nil {
		return nil, fmt.Errorf("the model: %w", err)
	}
	if p.Witness, toWitness, err = witness.numberedCircuit(); err != nil {
		return nil, fmt.Errorf("the witness: %w", err)
	}
	shared, err := witness.shared(model)
	if err != nil {
		return nil, err
	}
	defined := witness.definedVars()
	for _, s := range shared {
		if s.right/2 == 0 || int(s.right/2) > len(model.Inputs)+len(model.Latches) {
			return nil, fmt.Errorf("the mapping: literal %d of the model is neither an input nor a latch", s.right)
		}
		if !defined(s.left) {
			return nil, fmt.Errorf("the mapping: the witness has no literal %d", s.left)
		}
		p.Shared = append(p.Shared, certify.Shared{Witness: toWitness(s.left), Model: toModel(s.right)})
	}
	reads, err := witness.interventions()
	if err != nil {
		return nil, err
	}
	for _, r := range reads {
		switch {
		case !defined(r.left):
			return nil, fmt.Errorf("the interventions: the witness has no literal %d", r.left)
		case !defined(r.right) || r.right <= 1:
			return nil, fmt.Errorf("the interventions: %d is not a literal that can replace another", r.right)
		}
	}
	return p, witness.signals(p, reads, toWitness)
}

// definedVars returns a function that reports whether a literal is defined, or constant.
func (m *Model) definedVars() func(lit uint32) bool {
	defined := make([]bool, m.largest()+1) // by variable
	defined[0] = true
	for _, lit := range m.Inputs {
		defined[lit/2] = true
	}
	for _, l := range m.Latches {
		defined[l.Lit/2] = true
	}
	for _, a := range m.Ands {
		defined[a.LHS/2] = true
	}
	return func(lit uint32) bool { return int(lit/2) < len(defined) && defined[lit/2] }
}

// FromCertificate returns a certificate as two files, which NewPair reads as the pair that it
// is.
func FromCertificate(x *certify.Certificate) (model, witness *Model) {
	witness, lit := fromCircuit(x.Witness)
	if len(x.Reads) > 0 {
		var comment strings.Builder
		fmt.Fprintf(&comment, "INTERVENTION %d\n", len(x.Reads))
		for _, r := range x.Reads {
			fmt.Fprintf(&comment, "%d %d\n", lit(r.At), lit(r.Input))
		}
		witness.Comment, witness.HasComment = comment.String(), true
	}
	return FromCircuit(x.Model), witness
}

// numberedCircuit returns the circuit of a model whose inputs and latches are numbered
// from 2 on, without gaps.
func (m *Model) numberedCircuit() (*circuit.Circuit, func(uint32) circuit.Lit, error) {
	if lit, place, found := m.outOfOrder(); found {
		return nil, nil, fmt.Errorf("inputs and latches are not numbered consecutively, as in binary files: found literal %d, expected %d", lit, place)
	}
	return m.elaborate()
}

// outOfOrder returns the first literal of an input or a latch that is not the one which its
// place has in a binary file.
func (m *Model) outOfOrder() (lit, place uint32, found bool) {
	for _, lit := range m.Inputs {
		if place += 2; lit != place {
			return lit, place, true
		}
	}
	for _, l := range m.Latches {
		if place += 2; l.Lit != place {
			return l.Lit, place, true
		}
	}
	return 0, 0, false
}

// IsInOrder reports whether inputs and latches are numbered one after another, from 2 on.
func (m *Model) IsInOrder() bool {
	_, _, found := m.outOfOrder()
	return !found
}

// InOrder returns the model numbered as the binary format has it, without symbols and
// comment, which may refer to the old numbers.
func (m *Model) InOrder() (*Model, error) {
	n := *m
	n.Symbols, n.Comment, n.HasComment = nil, "", false
	return n.Reencode()
}

// shared returns the mapping of a witness to its model.
func (m *Model) shared(model *Model) ([]litPair, error) {
	if pairs, err := m.commentPairs("MAPPING"); pairs != nil || err != nil {
		return pairs, err
	}
	if pairs, err := m.symbolPairs('='); pairs != nil || err != nil {
		return pairs, err
	}
	var pairs []litPair
	for i := range min(len(m.Inputs), len(model.Inputs)) {
		pairs = append(pairs, litPair{m.Inputs[i], model.Inputs[i]})
	}
	for i := range min(len(m.Latches), len(model.Latches)) {
		pairs = append(pairs, litPair{m.Latches[i].Lit, model.Latches[i].Lit})
	}
	return pairs, nil
}

// interventions returns what the signals of a witness read in the other of two steps.
func (m *Model) interventions() ([]litPair, error) {
	if pairs, err := m.commentPairs("INTERVENTION"); pairs != nil || err != nil {
		return pairs, err
	}
	if pairs, err := m.symbolPairs('<'); pairs != nil || err != nil {
		return pairs, err
	}
	var pairs []litPair
	for _, l := range m.Latches {
		if l.Next > 1 {
			pairs = append(pairs, litPair{l.Lit, l.Next})
		}
	}
	return pairs, nil
}

// commentPairs returns the pairs of literals after a line of a keyword and their number;
// nil when the comment has no such line. It is not nil when that number is 0.
func (m *Model) commentPairs(keyword string) ([]litPair, error) {
	lines := strings.Split(m.Comment, "\n")
	for at, line := range lines {
		rest, ok := strings.CutPrefix(line, keyword+" ")
		if !ok {
			continue
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		n, err := strconv.ParseUint(fields[0], 10, 32)
		if err != nil {
			continue // the word begins a sentence
		}
		if uint64(len(lines)-at-1) < n {
			return nil, fmt.Errorf("%s: %d pairs are announced, and there are fewer lines", keyword, n)
		}
		pairs := make([]litPair, 0, n)
		for _, line := range lines[at+1 : at+1+int(n)] {
			fields := strings.Fields(line)
			if len(fields) < 2 {
				return nil, fmt.Errorf("%s: expected two literals, not %q", keyword, line)
			}
			left, errLeft := strconv.ParseUint(fields[0], 10, 32)
			right, errRight := strconv.ParseUint(fields[1], 10, 32)
			if errLeft != nil || errRight != nil {
				return nil, fmt.Errorf("%s: expected two literals, not %q", keyword, line)
			}
			pairs = append(pairs, litPair{uint32(left), uint32(right)})
		}
		return pairs, nil
	}
	return nil, nil
}

// symbolPairs returns the inputs and latches whose symbols have a sign and a literal; nil when
// there is none.
func (m *Model) symbolPairs(sign byte) ([]litPair, error) {
	lits := make([]uint32, len(m.Inputs)+len(m.Latches)) // by position: the literal + 1
	for _, s := range m.Symbols {
		right, ok, err := literalAfter(s.Name, sign)
		at := s.Index
		switch {
		case s.Kind == syntax.SectionLatches:
			at += len(m.Inputs)
		case s.Kind != syntax.SectionInputs:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the symbol %q: %w", s.Name, err)
		}
		if ok {
			lits[at] = right + 1
		}
	}
	var pairs []litPair
	for i, right := range lits {
		if right > 0 {
			pairs = append(pairs, litPair{uint32(2 * (i + 1)), right - 1})
		}
	}
	return pairs, nil
}

// literalAfter returns the literal after a sign with which a name begins, or which stands
// after the other sign and its literal.
func literalAfter(name string, sign byte) (lit uint32, ok bool, err error) {
	for range 2 {
		name = strings.TrimLeft(name, " ")
		if name == "" || name[0] != '=' && name[0] != '<' {
			return 0, false, nil
		}
		found := name[0]
		digits := strings.TrimLeft(name[1:], " ")
		end := 0
		for end < len(digits) && '0' <= digits[end] && digits[end] <= '9' {
			end++
		}
		if end == 0 {
			return 0, false, nil
		}
		if found == sign {
			v, err := strconv.ParseUint(digits[:end], 10, 31)
			if err != nil {
				return 0, false, fmt.Errorf("%s is not a literal", digits[:end])
			}
			return uint32(v), true, nil
		}
		name = digits[end:]
	}
	return 0, false, nil
}

// signals gives a pair the liveness signals of the witness m. They are built of the
// file's gates, not of the circuit's: there gates with the same operands are one, of which
// only one may be read in the other step.
func (m *Model) signals(p *certify.Pair, reads []litPair, toWitness func(uint32) circuit.Lit) error {
	gates, err := m.sorted()
	if err != nil {
		return err
	}
	b := circuit.NewBuilder(len(m.Inputs) + len(m.Latches) + len(gates))
	top := m.largest()
	to := make([]circuit.Lit, top+1) // by variable
	isSet := make([]bool, top+1)
	set := func(v uint32, l circuit.Lit) { to[v], isSet[v] = l, true }
	lit := func(l uint32) circuit.Lit { return to[l/2].NotIf(l&1 == 1) }
	for v := range uint32(len(m.Inputs) + len(m.Latches)) {
		set(v+1, b.Input(0))
	}
	for _, r := range reads {
		p.Reads = append(p.Reads, toWitness(r.left))
		set(r.right/2, b.Input(0).NotIf(r.right&1 == 1))
	}
	for _, g := range gates {
		if !isSet[g.LHS/2] {
			set(g.LHS/2, b.And(lit(g.RHS0), lit(g.RHS1)))
		}
	}
	m.addJustice(b, lit)
	for _, l := range m.Fairness {
		b.Fairness(lit(l), 0)
	}
	p.Signals = b.Build()
	return nil
}
