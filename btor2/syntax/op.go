package syntax

import "strings"

// Op is what a row begins with behind its number: the tag.
type Op uint8

// The tags, in the groups of the paper (CAV 2018, table 1).
const (
	NoOp Op = iota // no tag of the language

	SortRow

	Input
	State
	Const  // the bits of a number
	Constd // decimal
	Consth // hexadecimal
	One
	Ones
	Zero

	Init
	Next
	Bad
	Constraint
	Fair
	Output
	Justice
	// Lemma and Cover are asides: lines of comments.
	Lemma
	Cover

	Not
	Inc
	Dec
	Neg
	Redand
	Redor
	Redxor

	And
	Nand
	Or
	Nor
	Xor
	Xnor
	Add
	Sub
	Mul
	Udiv
	Urem
	Sdiv
	Srem
	Smod
	Sll
	Srl
	Sra
	Rol
	Ror

	Eq
	Neq
	Ult
	Ulte
	Ugt
	Ugte
	Slt
	Slte
	Sgt
	Sgte
	Uaddo
	Umulo
	Usubo
	Saddo
	Smulo
	Ssubo
	Sdivo

	Iff
	Implies
	Ite
	Concat
	Slice
	Uext
	Sext
	Read
	Write

	NumOps
)

var opNames = [NumOps]string{
	SortRow: "sort",
	Input:   "input", State: "state", Const: "const", Constd: "constd", Consth: "consth", One: "one", Ones: "ones", Zero: "zero",
	Init: "init", Next: "next", Bad: "bad", Constraint: "constraint", Fair: "fair", Output: "output", Justice: "justice",
	Lemma: "lemma", Cover: "cover",
	Not: "not", Inc: "inc", Dec: "dec", Neg: "neg", Redand: "redand", Redor: "redor", Redxor: "redxor",
	And: "and", Nand: "nand", Or: "or", Nor: "nor", Xor: "xor", Xnor: "xnor", Add: "add", Sub: "sub", Mul: "mul",
	Udiv: "udiv", Urem: "urem", Sdiv: "sdiv", Srem: "srem", Smod: "smod", Sll: "sll", Srl: "srl", Sra: "sra", Rol: "rol", Ror: "ror",
	Eq: "eq", Neq: "neq", Ult: "ult", Ulte: "ulte", Ugt: "ugt", Ugte: "ugte", Slt: "slt", Slte: "slte", Sgt: "sgt", Sgte: "sgte",
	Uaddo: "uaddo", Umulo: "umulo", Usubo: "usubo", Saddo: "saddo", Smulo: "smulo", Ssubo: "ssubo", Sdivo: "sdivo",
	Iff: "iff", Implies: "implies", Ite: "ite", Concat: "concat", Slice: "slice", Uext: "uext", Sext: "sext", Read: "read", Write: "write",
}

// String returns the tag.
func (o Op) String() string { return opNames[o] }

var opsByName = func() map[string]Op {
	all := map[string]Op{}
	for o, name := range opNames {
		if name != "" && !Op(o).IsAside() {
			all[name] = Op(o)
		}
	}
	return all
}()

// OpOf returns the tag that a word is, or NoOp.
func OpOf(word string) Op { return opsByName[word] }

// HasSort reports whether the row names the sort of its value.
func (o Op) HasSort() bool {
	return o >= Input && o <= Next || o >= Not && o < NumOps
}

// IsConstant reports whether rows are constants.
func (o Op) IsConstant() bool { return Const <= o && o <= Zero }

// IsOperator reports whether the row computes a value of others.
func (o Op) IsOperator() bool { return o >= Not && o < NumOps }

// IsProperty reports whether the row says what is asked or what holds.
func (o Op) IsProperty() bool { return o >= Bad && o <= Cover }

// IsAside reports whether the row is a line of a comment.
func (o Op) IsAside() bool { return o == Lemma || o == Cover }

// Operands returns how many nodes a row uses; those of a justice row are counted in the row.
func (o Op) Operands() int {
	switch {
	case o == Justice || o < Init:
		return 0
	case o == Init, o == Next:
		return 2
	case o >= Bad && o <= Output, o.IsAside():
		return 1
	case o >= Not && o <= Redxor, o == Slice, o == Uext, o == Sext:
		return 1
	case o == Ite, o == Write:
		return 3
	default:
		return 2
	}
}

// Numbers returns how many plain numbers follow the operands: the bounds of a slice, the bits that an extension adds.
func (o Op) Numbers() int {
	switch o {
	case Slice:
		return 2
	case Uext, Sext:
		return 1
	}
	return 0
}

// HasValue reports whether other rows may use the row as a value.
func (o Op) HasValue() bool { return o >= Input && o <= Zero || o.IsOperator() }

// article returns the tag as one of its kind: "a state", "an input".
func (o Op) article() string {
	name := o.String()
	switch {
	case o == NoOp:
		return "of no known kind"
	case strings.IndexByte("aeio", name[0]) >= 0:
		return "an " + name
	}
	return "a " + name
}
