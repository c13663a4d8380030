package facts

import (
	"maps"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Bounds of the search for clauses that statements about words imply. What it does not try stays.
const (
	mostTriedBits = 16      // of the words of a table
	tableEffort   = 1 << 24 // operations on 64 states at once
	perTable      = 1 << 10 // those that a table costs beside its states
)

// ClausesBeside returns the clauses of f that statements about words do not imply. A clause is left
// out where the statements about one word imply it, or those about two words with their sums, given
// the constants and classes of f. That is found out by trying all values of the words. Clauses
// about words with too many bits for that stay.
func (f Facts) ClausesBeside(words []Word, statements []WordFact) cert.Invariant {
	if len(statements) == 0 || len(f.Clauses) == 0 {
		return f.Clauses
	}
	x := &besideWords{words: words, of: f.substitution(), effort: tableEffort, with: map[circuit.Var][]*valueTable{}}
	x.addTables(statements)
	var left cert.Invariant
	for _, clause := range f.Clauses {
		if !x.imply(clause) {
			left = append(left, clause)
		}
	}
	return left
}

// substitution returns what gives a literal in the terms of the clauses: a constant, or the first one
// of its class.
func (f Facts) substitution() func(circuit.Lit) circuit.Lit {
	to := map[circuit.Var]circuit.Lit{}
	for _, l := range f.Constants {
		to[l.Var()] = circuit.True.NotIf(l.IsNegated())
	}
	for _, class := range f.Equal {
		for _, l := range class[1:] {
			to[l.Var()] = class[0].NotIf(l.IsNegated())
		}
	}
	return func(l circuit.Lit) circuit.Lit {
		if other, ok := to[l.Var()]; ok {
			return other.NotIf(l.IsNegated())
		}
		return l
	}
}

// besideWords is a call of ClausesBeside.
type besideWords struct {
	words  []Word
	of     func(circuit.Lit) circuit.Lit
	with   map[circuit.Var][]*valueTable // by variables of their words
	effort int
}

// valueTable has the values of one word or two with which all statements about them hold.
type valueTable struct {
	statements []WordFact
	isMade     bool
	at         map[circuit.Var]int // bits of variables in the numbers of states
	// allowed has a bit for each state: bit i of element b is that of state 64·b + i. With fewer
	// than six variables the states repeat. It is nil where no effort was left.
	allowed []uint64
}

// addTables prepares a table for each word with statements, and for each two with sums.
func (x *besideWords) addTables(statements []WordFact) {
	own, sums := map[int][]WordFact{}, map[[2]int][]WordFact{}
	for _, f := range statements {
		if pair := [2]int{f.Word, f.Other}; f.Kind == Sum {
			sums[pair] = append(sums[pair], f)
		} else {
			own[f.Word] = append(own[f.Word], f)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(own)) {
		x.addTable(own[word], word)
	}
	for _, pair := range slices.SortedFunc(maps.Keys(sums), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		x.addTable(slices.Concat(own[pair[0]], own[pair[1]], sums[pair]), pair[:]...)
	}
}

// addTable prepares the table of statements about words, unless these have too many values.
func (x *besideWords) addTable(statements []WordFact, words ...int) {
	open := 0
	vars := map[circuit.Var]int{}
	for _, word := range words {
		for _, l := range x.words[word].Bits {
			if l == Open {
				open++
			} else if v := x.of(l).Var(); v != 0 {
				vars[v] = -1
			}
		}
	}
	if len(vars)+open > mostTriedBits {
		return
	}
	t := &valueTable{statements: statements, at: vars}
	for v := range vars {
		x.with[v] = append(x.with[v], t)
	}
}

// imply reports whether the statements of a table imply a clause.
func (x *besideWords) imply(clause []circuit.Lit) bool {
	var tried []*valueTable
	for _, l := range clause {
		for _, t := range x.with[l.Var()] {
			if slices.Contains(tried, t) {
				continue
			}
			if tried = append(tried, t); x.implies(t, clause) {
				return true
			}
		}
	}
	return false
}

// implies reports whether the states of a table are none in which all literals of a clause about its
// variables are 0.
func (x *besideWords) implies(t *valueTable, clause []circuit.Lit) bool {
	if !t.isMade {
		x.make(t)
	}
	if x.effort -= len(t.allowed) * len(clause); t.allowed == nil || x.effort < 0 {
		return false
	}
	var bits []int
	var signs []uint64
	for _, l := range clause {
		if bit, ok := t.at[l.Var()]; ok {
			bits, signs = append(bits, bit), append(signs, -uint64(l&1))
		}
	}
	for block, left := range t.allowed {
		for i, bit := range bits {
			left &^= bitOfStates(bit, block) ^ signs[i]
		}
		if left != 0 {
			return false
		}
	}
	return true
}

// make finds the states of a table.
func (x *besideWords) make(t *valueTable) {
	t.isMade = true
	b := circuit.NewBuilder(64)
	inputs := map[circuit.Var]circuit.Lit{}
	literals := NewWordLiterals(b, x.words, func(l circuit.Lit) circuit.Lit {
		l = x.of(l)
		if l.Var() == 0 {
			return l
		}
		own, ok := inputs[l.Var()]
		if !ok {
			own = b.Input(0)
			inputs[l.Var()] = own
		}
		return own.NotIf(l.IsNegated())
	})
	all := circuit.True
	for _, f := range t.statements {
		all = b.And(all, literals.Literal(f))
	}
	c := b.Build()
	for v, l := range inputs {
		t.at[v] = c.InputIndex(l.Var())
	}
	blocks := 1 << max(len(c.Inputs())-len(lowBits), 0)
	if x.effort -= perTable + blocks*c.NumVars(); x.effort < 0 {
		return
	}
	t.allowed = make([]uint64, blocks)
	states, values := circuit.NewParallel(c), make([]uint64, len(c.Inputs()))
	for block := range t.allowed {
		for bit := range values {
			values[bit] = bitOfStates(bit, block)
		}
		states.Eval(values)
		t.allowed[block] = states.Value(all)
	}
}

// lowBits are the six lowest bits of the numbers of the 64 states of a block.
var lowBits = [...]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// bitOfStates returns a bit of the numbers of the 64 states of a block.
func bitOfStates(bit, block int) uint64 {
	if bit < len(lowBits) {
		return lowBits[bit]
	}
	return -uint64(block >> (bit - len(lowBits)) & 1)
}
