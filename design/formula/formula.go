// Package formula reads the signals of a design back as people write them: and-gates and covers
// become conjunctions, exclusive ors and multiplexers over names, as deep as the reader wants.
// It also says what a literal is called in a sentence. It knows no places and no values.
package formula

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"aiglens/design"
)

// operator is what an expression does with its arguments.
type operator uint8

const (
	opLeaf  operator = iota
	opConst          // a leaf that is 0 or 1
	opNot            // 1 argument
	opAnd            // 2 or more
	opOr             // 2 or more
	opXor            // 2 or more
	opEquiv          // 2
	opMux            // 3: condition, then, else
)

// Expr is a literal in the words of a circuit designer, read back from and
// gates.
type Expr struct {
	op     operator
	args   []Expr
	leaf   string
	signal design.Signal // of a leaf; 0 for one that stands for no signal
	// named reports whether some leaf is more than a number of the text.
	named bool
	// isWritten says that the leaf is a formula of the format.
	isWritten bool
}

// maxOperands bounds the parts of an expression. Each level of gates can double them, and covers do more.
const maxOperands = 1 << 9

// FromLit reads a literal back to a depth, or to the depth at which that is not too large. A named signal
// is a leaf, unless it is a gate and unfold is set; so is a gate below the depth, which goes by
// its number.
func FromLit(d *design.Design, l design.Lit, depth int, unfold bool) Expr {
	return within(d, depth, func(r *reader, depth int) Expr { return r.lit(l, depth, unfold) })
}

// FromGate reads a gate, or its negation, back: as exclusive or, as
// multiplexer, as a disjunction where that takes fewer negations, else as the
// conjunction that it is. Its depth is as that of FromLit.
func FromGate(d *design.Design, operands []design.Lit, depth int, negate bool) Expr {
	return within(d, depth, func(r *reader, depth int) Expr { return r.gate(operands, depth, negate) })
}

// within reads an expression to the given depth, or to the depth at which it is not too large.
func within(d *design.Design, depth int, read func(r *reader, depth int) Expr) Expr {
	for ; ; depth-- {
		r := &reader{d, maxOperands}
		if depth <= 1 {
			r.left = math.MaxInt
		}
		if e := read(r, depth); r.left >= 0 {
			return e
		}
	}
}

// reader reads one expression back.
type reader struct {
	d    *design.Design
	left int // how many literals may still be read; below 0 the expression is too large, and what is read of it means nothing
}

func (r *reader) lit(l design.Lit, depth int, unfold bool) Expr {
	d, s := r.d, l.Signal()
	if r.left--; s == 0 || r.left < 0 {
		return constant(l.IsNegated())
	}
	if text, ok := design.FormulaOf(d, l, depth, unfold); ok {
		return Expr{leaf: text, signal: s, named: true, isWritten: strings.Contains(text, " ")}
	}
	var buf [4]design.Lit
	kind, index, operands := d.Drivers(s, buf[:0])
	leaf := Expr{leaf: d.Name(s), signal: s, named: true}
	switch {
	case leaf.leaf != "" && (!unfold || kind != design.Gate):
	case kind == design.Gate && depth > 0:
		c, isCover := d.Cover(s)
		switch {
		case isCover && !c.Faulty:
			return r.cover(c, depth).notIf(l.IsNegated())
		case !isCover && len(operands) > 0:
			return r.gate(operands, depth, l.IsNegated())
		}
		leaf.leaf, leaf.named = numberOrName(d, s), false
	case kind == design.Input:
		leaf.leaf = fmt.Sprintf("i%d", index)
	case kind == design.Latch:
		leaf.leaf = fmt.Sprintf("l%d", index)
	default:
		leaf.leaf, leaf.named = numberOrName(d, s), false
	}
	return leaf.notIf(l.IsNegated())
}

// numberOrName is what the text calls a signal: its name where it has one.
func numberOrName(d *design.Design, s design.Signal) string {
	if name := d.Name(s); name != "" {
		return name
	}
	return fmt.Sprint(s.Lit())
}

func (e Expr) notIf(negate bool) Expr {
	if !negate {
		return e
	}
	return apply(opNot, e)
}

func (r *reader) gate(operands []design.Lit, depth int, negate bool) Expr {
	lit := func(l design.Lit) Expr { return r.lit(l, depth-1, false) }
	if cond, yes, no, ok := selection(r.d, operands); ok {
		if negate {
			yes, no = yes^1, no^1
		}
		if yes != no^1 {
			return apply(opMux, lit(cond), lit(yes), lit(no))
		}
		// cond ? ¬a : a is cond ⊕ a
		op := opXor
		if yes.IsNegated() == cond.IsNegated() {
			op = opEquiv
		}
		return apply(op, lit(cond&^1), lit(yes&^1))
	}
	conjuncts := r.flatten(nil, operands, depth-1)
	negated := 0
	for _, c := range conjuncts {
		if c.lit.IsNegated() {
			negated++
		}
	}
	isOr := negate && 2*negated >= len(conjuncts)
	var args []Expr
	for _, c := range conjuncts {
		if isOr {
			c.lit ^= 1
		}
		args = append(args, r.lit(c.lit, c.depth, false))
	}
	if isOr {
		return apply(opOr, args...)
	}
	return apply(opAnd, args...).notIf(negate)
}

// selection recognises ¬(c ∧ ¬yes) ∧ ¬(¬c ∧ ¬no), which is c ? yes : no. With
// no = ¬yes it is an exclusive or, in which c is either of the two.
func selection(d *design.Design, operands []design.Lit) (cond, yes, no design.Lit, ok bool) {
	if len(operands) != 2 {
		return 0, 0, 0, false
	}
	var sides [2][2]design.Lit
	for i, l := range operands {
		var buf [4]design.Lit
		kind, _, inner := d.Drivers(l.Signal(), buf[:0])
		if kind != design.Gate || len(inner) != 2 || !l.IsNegated() || d.Name(l.Signal()) != "" {
			return 0, 0, 0, false
		}
		sides[i] = [2]design.Lit{inner[0], inner[1]}
	}
	for i, a := range sides[0] {
		for j, b := range sides[1] {
			if a != b^1 || a.Signal() == 0 {
				continue
			}
			cond, yes, no = a, sides[0][1-i]^1, sides[1][1-j]^1
			if cond.IsNegated() {
				cond, yes, no = cond^1, no, yes
			}
			return cond, yes, no, true
		}
	}
	return 0, 0, 0, false
}

// conjunct is an operand of a conjunction with the depth left for it.
type conjunct struct {
	lit   design.Lit
	depth int
}

// flatten lists the conjuncts of a conjunction: an operand that is an unnamed
// conjunction itself stands for its own operands.
func (r *reader) flatten(all []conjunct, operands []design.Lit, depth int) []conjunct {
	d := r.d
	for _, l := range operands {
		if len(all) > r.left {
			return all // too large
		}
		var buf [4]design.Lit
		kind, _, inner := d.Drivers(l.Signal(), buf[:0])
		_, _, _, isSelection := selection(d, inner)
		if l.IsNegated() || kind != design.Gate || depth <= 0 || len(inner) == 0 || isSelection || d.Name(l.Signal()) != "" {
			all = append(all, conjunct{l, depth})
			continue
		}
		all = r.flatten(all, inner, depth-1)
	}
	return all
}

// String writes an expression with as few parentheses as leave no doubt.
func (e Expr) String() string { return e.text(" ") }

// text writes an expression with space around its operators.
func (e Expr) text(space string) string {
	var b strings.Builder
	e.Write(func(text string, _ bool) { b.WriteString(text) }, space)
	return b.String()
}

var signs = [...]string{opAnd: "∧", opOr: "∨", opXor: "⊕", opEquiv: "≡"}

// Write hands the parts of an expression to put, numbers of the text apart from the rest.
func (e Expr) Write(put func(text string, isNumber bool), space string) {
	operand := func(a Expr) {
		if a.op <= opNot && !a.isWritten {
			a.Write(put, space)
			return
		}
		put("(", false)
		a.Write(put, space)
		put(")", false)
	}
	switch e.op {
	case opLeaf, opConst:
		put(e.leaf, e.IsNumber())
	case opNot:
		put("¬", false)
		operand(e.args[0])
	case opMux:
		operand(e.args[0])
		put(space+"?"+space, false)
		operand(e.args[1])
		put(space+":"+space, false)
		operand(e.args[2])
	default:
		for i, a := range e.args {
			if i > 0 {
				put(space+signs[e.op]+space, false)
			}
			operand(a)
		}
	}
}

// IsConstant reports whether an expression is 0 or 1.
func (e Expr) IsConstant() bool { return e.op == opConst }

// IsNamed reports whether an expression holds more than numbers of the text.
func (e Expr) IsNamed() bool { return e.named }

// IsNumber reports whether an expression is no more than a number of the text.
func (e Expr) IsNumber() bool { return e.op == opLeaf && !e.named }

const (
	maxExpression = 400 // characters of an expression in a hover
	maxName       = 24  // of a short name
	nameDepth     = 3
)

// Expression writes a literal in names to the given depth, or to the depth at
// which that is not too long. A gate is unfolded even when it has a name.
func Expression(d *design.Design, l design.Lit, depth int) string {
	return Deepest(depth, maxExpression, func(depth int) Expr { return FromLit(d, l, depth, true) }).String()
}

const maxFormula = 80 // characters

// Of is how the text computes a signal that it gives a number and no name, or what
// it is: "l0" for the first latch. It is "" for all others.
func Of(d *design.Design, s design.SourceSignal) string {
	if !d.HasNumbers() || s.Other != nil || s.Lit.Signal() == 0 || d.Name(s.Lit.Signal()) != "" {
		return ""
	}
	text := Deepest(nameDepth, maxFormula, func(depth int) Expr { return FromLit(d, s.Lit.Signal().Lit(), depth, true) }).String()
	if text == s.Name {
		return ""
	}
	return text
}

// Constraint is what a constraint demands: a signal, or its negation.
func Constraint(d *design.Design, s design.SourceSignal, negated bool) string {
	if s.Other != nil || s.Lit.Signal() == 0 {
		return ""
	}
	return Deepest(nameDepth, maxFormula, func(depth int) Expr { return FromLit(d, s.Lit.Signal().Lit(), depth, false) }).notIf(negated).String()
}

// Deepest returns an expression to the given depth, or to the depth at which it has no
// more than so many characters.
func Deepest(depth, limit int, at func(depth int) Expr) Expr {
	for ; ; depth-- {
		e := at(depth)
		if depth <= 1 || utf8.RuneCountInString(e.String()) <= limit {
			return e
		}
	}
}

// ShortName returns what to call a literal: its symbol, the place of an unnamed
// input or latch ("i3", "l0"), or how an unnamed gate is computed, as deep as
// that stays short. It is "" for the constants and where there would be nothing
// but numbers.
func ShortName(d *design.Design, l design.Lit) string {
	for depth := nameDepth; depth >= 0; depth-- {
		e := FromLit(d, l, depth, false)
		if !e.named {
			return ""
		}
		text := e.text("")
		switch {
		case utf8.RuneCountInString(text) <= maxName:
			return text
		case depth == 0 || e.op == opLeaf:
			return shorten(text, l.IsNegated())
		}
	}
	return ""
}

// ShortExpression is how a gate is computed, named or not, as deep as that stays
// short; "" when it does not.
func ShortExpression(d *design.Design, l design.Lit) string {
	for depth := nameDepth; depth > 0; depth-- {
		e := FromLit(d, l, depth, true)
		if text := e.text(""); e.named && utf8.RuneCountInString(text) <= maxName {
			return text
		}
	}
	return ""
}

// shorten keeps the end of a name, which is where names of hierarchies differ.
func shorten(name string, negated bool) string {
	not := ""
	if negated {
		not = "¬"
	}
	runes := []rune(name)
	return not + "…" + string(runes[len(runes)-(maxName-2):])
}
