package facts

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Word is latches whose values are read as one number, from the least significant on. A bit
// may also be a constant, or Open, or a gate of a Step.
type Word struct {
	Bits   []circuit.Lit
	Signed bool // in two's complement
}

// Open stands for a bit that may have any value at any time.
const Open = ^circuit.Lit(0)

// WordKind says what kind of fact about words something is.
type WordKind uint8

// The kinds.
const (
	AtLeast    WordKind = iota // Word ≥ Value
	AtMost                     // Word ≤ Value
	Never                      // Word ≠ Value, in which x is any value of a bit
	Sum                        // Word = Other + Value, modulo 2 to the number of bits
	AtMostOne                  // of the bits of Word at most one is 1
	ExactlyOne                 // of the bits of Word one is 1, and no other
)

// WordFact is a statement about words, which are given by their positions in a list. It says
// something about states only: whether it holds is for Implied to say.
type WordFact struct {
	Kind  WordKind
	Word  int
	Other int             // of Sum
	Value []circuit.Value // of its kind, from the least significant bit on
	Exact bool            // of Sum, that it holds without the modulo, too, with Value ≥ 0
}

// Matches reports whether a value of a word is one of a pattern, in which x stands for 0 and 1.
func Matches(value, pattern []circuit.Value) bool {
	for i, v := range pattern {
		if v != circuit.X && v != value[i] {
			return false
		}
	}
	return true
}

// Step is what holds in the steps of runs beside an invariant, for words of which bits are gates. The
// zero value is that all bits are latches.
type Step struct {
	Circuit     *circuit.Circuit
	Constraints []circuit.Lit // of the circuit, that are taken into account
}

// Implied returns those of some statements about words that hold in all states of an invariant, or in
// all steps in such states.
// Each of them is one literal of a circuit in which the invariant is a constraint, and the
// solver of package cert finds no state in which it is 0. The error is that of ctx.
func Implied(ctx context.Context, step Step, inv cert.Invariant, words []Word, claims []WordFact) ([]WordFact, error) {
	if len(claims) == 0 {
		return nil, ctx.Err()
	}
	b := circuit.NewBuilder(64)
	lit := step.copied(b)
	for _, clause := range inv {
		b.Constraint(b.Clauses(cert.Invariant{clause}, lit), 0)
	}
	for _, l := range step.Constraints {
		b.Constraint(lit(l), 0)
	}
	x := NewWordLiterals(b, words, lit)
	all := make([]circuit.Lit, len(claims))
	for i, f := range claims {
		all[i] = x.Literal(f)
	}
	claims = slices.Clone(claims)
	c := b.Build()
	for {
		i, err := cert.FirstFalse(ctx, c, all)
		if err != nil || i < 0 {
			return claims, err
		}
		all, claims = slices.Delete(all, i, i+1), slices.Delete(claims, i, i+1)
	}
}

// copied returns what makes an input of each latch and input, so that any state is one step of the
// circuit, and a gate of each gate.
func (s Step) copied(b *circuit.Builder) func(circuit.Lit) circuit.Lit {
	made := map[circuit.Var]circuit.Lit{}
	var copied func(l circuit.Lit) circuit.Lit
	copied = func(l circuit.Lit) circuit.Lit {
		if l.Var() == 0 {
			return l
		}
		own, ok := made[l.Var()]
		if !ok {
			if left, right, isGate := s.operands(l.Var()); isGate {
				own = b.And(copied(left), copied(right))
			} else {
				own = b.Input(0)
			}
			made[l.Var()] = own
		}
		return own.NotIf(l.IsNegated())
	}
	return copied
}

func (s Step) operands(v circuit.Var) (left, right circuit.Lit, isGate bool) {
	if s.Circuit == nil {
		return left, right, false
	}
	return s.Circuit.Operands(v)
}

// WordLiterals says statements about words as literals of a circuit that is being built.
type WordLiterals struct {
	b     *circuit.Builder
	words []Word
	lit   func(circuit.Lit) circuit.Lit
	bits  map[int][]circuit.Lit // of words, in the circuit
}

// NewWordLiterals returns what says statements about words in b, whose literals for latches are
// those of lit. A bit that is open becomes an input.
func NewWordLiterals(b *circuit.Builder, words []Word, lit func(circuit.Lit) circuit.Lit) *WordLiterals {
	return &WordLiterals{b, words, lit, map[int][]circuit.Lit{}}
}

// Literal returns a literal that is 1 exactly when a statement holds.
func (x *WordLiterals) Literal(f WordFact) circuit.Lit {
	bits := x.of(f.Word)
	switch f.Kind {
	case AtLeast:
		return x.atLeast(bits, f.Value, x.words[f.Word].Signed)
	case AtMost: // as ~Word ≥ ~Value
		return x.atLeast(opposite(bits, circuit.Lit.Not), opposite(f.Value, circuit.Value.Not), x.words[f.Word].Signed)
	case Never:
		return x.is(bits, f.Value).Not()
	case Sum:
		return x.sum(bits, x.of(f.Other), f)
	}
	some, two := circuit.False, circuit.False
	for _, l := range bits {
		two = x.b.Or(two, x.b.And(some, l))
		some = x.b.Or(some, l)
	}
	if f.Kind == ExactlyOne {
		return x.b.And(some, two.Not())
	}
	return two.Not()
}

// of returns the bits of a word.
func (x *WordLiterals) of(word int) []circuit.Lit {
	if bits, ok := x.bits[word]; ok {
		return bits
	}
	bits := make([]circuit.Lit, len(x.words[word].Bits))
	for i, l := range x.words[word].Bits {
		if l == Open {
			bits[i] = x.b.Input(0)
		} else {
			bits[i] = x.lit(l)
		}
	}
	x.bits[word] = bits
	return bits
}

// atLeast compares from the least significant bit on. The highest bit of a signed word counts
// the other way around.
func (x *WordLiterals) atLeast(bits []circuit.Lit, value []circuit.Value, signed bool) circuit.Lit {
	is := circuit.True
	for i, l := range bits {
		one := value[i] == circuit.One
		if signed && i == len(bits)-1 {
			l, one = l.Not(), !one
		}
		if one {
			is = x.b.And(l, is)
		} else {
			is = x.b.Or(l, is)
		}
	}
	return is
}

// is compares with a value in which x is any.
func (x *WordLiterals) is(bits []circuit.Lit, value []circuit.Value) circuit.Lit {
	is := circuit.True
	for i, l := range bits {
		if value[i] != circuit.X {
			is = x.b.And(is, l.NotIf(value[i] == circuit.Zero))
		}
	}
	return is
}

// sum adds bit by bit. Given that, the sum is exact where Word ≥ Other.
func (x *WordLiterals) sum(bits, other []circuit.Lit, f WordFact) circuit.Lit {
	is, carry, atLeast := circuit.True, circuit.False, circuit.True
	for i, l := range bits {
		o, k := other[i], circuit.False.NotIf(f.Value[i] == circuit.One)
		half := x.b.Xor(o, k)
		is = x.b.And(is, x.b.Xor(l, x.b.Xor(half, carry)).Not())
		carry = x.b.Or(x.b.And(o, k), x.b.And(half, carry))
		if x.words[f.Word].Signed && i == len(bits)-1 {
			l, o = o, l
		}
		atLeast = x.b.Mux(x.b.Xor(l, o), l, atLeast)
	}
	if f.Exact {
		is = x.b.And(is, atLeast)
	}
	return is
}

// opposite returns the negations of all.
func opposite[T any](all []T, not func(T) T) []T {
	negated := make([]T, len(all))
	for i, v := range all {
		negated[i] = not(v)
	}
	return negated
}
