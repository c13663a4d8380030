package expression

import (
	"slices"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
)

func (p *parser) isSign(signs ...string) bool {
	return p.token.kind == tokenSign && slices.Contains(signs, p.token.text)
}

// node makes an expression of others, unless that is too much to evaluate.
func (p *parser) node(op operator, args ...*Expr) (*Expr, error) {
	e := &Expr{op: op, args: args, at: args[0].at, cost: 1}
	for _, a := range args {
		if a.isNumber() && !accepts(op, a) {
			return nil, p.failAt(a.at, "%s", a.onlyCompared())
		}
		e.cost += a.cost
		if op == opChanged || op == opRose || op == opFell {
			e.cost += a.cost
		}
	}
	if e.cost > maxExprCost {
		return nil, p.fail("the expression is too large")
	}
	return e, nil
}

// accepts reports whether an operator can be used on a number.
func accepts(op operator, number *Expr) bool {
	switch op {
	case opPrev, opNext, opAt:
		return number.op != opStep
	case opChanged, opKnown:
		return number.op == opWord
	}
	return false
}

func (p *parser) implication() (*Expr, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxExprDepth {
		return nil, p.fail("the expression is nested too deeply")
	}
	left, err := p.binary(0)
	if err != nil || !p.isSign("->") {
		return left, err
	}
	p.next()
	right, err := p.implication()
	if err != nil {
		return nil, err
	}
	if left, err = p.node(opNot, left); err != nil {
		return nil, err
	}
	return p.node(opOr, left, right)
}

// levels are the operators between two arguments that group to the left, the loosest
// first.
var levels = []struct {
	signs []string
	op    operator
}{{[]string{"|", "||"}, opOr}, {[]string{"^"}, opXor}, {[]string{"&", "&&"}, opAnd}}

func (p *parser) binary(level int) (*Expr, error) {
	if level == len(levels) {
		return p.comparison()
	}
	left, err := p.binary(level + 1)
	for err == nil && p.isSign(levels[level].signs...) {
		p.next()
		var right *Expr
		if right, err = p.binary(level + 1); err != nil {
			break
		}
		left, err = p.node(levels[level].op, left, right)
	}
	return left, err
}

func (p *parser) comparison() (*Expr, error) {
	left, err := p.sum()
	for err == nil && p.isSign("==", "!=", "<", "<=", ">", ">=") {
		sign := p.token
		p.next()
		if left.op == opStep {
			n, isNumber := p.stepNumber()
			if !isNumber {
				return nil, p.fail("expected the number of a step after %s, found %s", sign.text, p.token)
			}
			p.next()
			left = &Expr{op: opCompare, name: sign.text, step: n, at: left.at, cost: 1}
			continue
		}
		if left = p.asWord(left); left.isNumber() {
			if left, err = p.numbers(left, sign); err != nil {
				return nil, err
			}
			continue
		}
		if sign.text != "==" && sign.text != "!=" {
			return nil, p.failAt(sign.at, "%s compares numbers: step, or a word such as q of q[1] and q[0]", sign.text)
		}
		var right *Expr
		if right, err = p.prefix(); err != nil {
			break
		}
		if right.op == opStep {
			return nil, p.failAt(sign.at, "step stands before the sign, as in step == 3")
		}
		if right.isNumber() {
			return nil, p.failAt(right.at, "%s is not a word: a word is compared with a number or a word, as in q == 3", strings.TrimSpace(p.text[left.at:sign.at]))
		}
		op := opXor
		if sign.text == "==" {
			op = opEqual
		}
		left, err = p.node(op, left, right)
	}
	return left, err
}

// stepNumber returns the number that the next token is.
func (p *parser) stepNumber() (n int, ok bool) {
	if p.token.kind != tokenName || !isNumber(p.token.text) {
		return 0, false
	}
	n, err := strconv.Atoi(p.token.text)
	return n, err == nil
}

func (p *parser) prefix() (*Expr, error) {
	negations := 0
	for ; p.isSign("!", "~"); p.next() {
		negations++
	}
	e, err := p.primary()
	for err == nil && p.isSign("@") {
		p.next()
		n, isNumber := p.stepNumber()
		switch {
		case !isNumber:
			return nil, p.fail("expected the number of a step after @, found %s", p.token)
		case n >= p.Steps:
			return nil, p.fail("there is no step %d: the last one is %d", n, p.Steps-1)
		}
		p.next()
		if e, err = p.node(opAt, e); err == nil {
			e.step = n
		}
	}
	if err == nil && negations%2 == 1 {
		return p.node(opNot, e)
	}
	return e, err
}

var functions = map[string]operator{
	"prev": opPrev, "next": opNext, "changed": opChanged, "rose": opRose, "fell": opFell, "known": opKnown,
}

func (p *parser) primary() (*Expr, error) {
	t := p.token
	switch {
	case p.isSign("("):
		p.next()
		return p.closed()
	case t.kind == tokenQuoted:
		p.next()
		return p.named(t)
	case t.kind != tokenName:
		return nil, p.fail("expected a name, found %s", t)
	}
	p.next()
	if p.isSign("(") {
		op, known := functions[t.text]
		if !known {
			return nil, p.failAt(t.at, "there is no function %s: use prev, next, changed, rose, fell or known", t.text)
		}
		p.next()
		arg, err := p.closed()
		if err != nil {
			return nil, err
		}
		e, err := p.node(op, arg)
		if err == nil {
			e.at = t.at
		}
		return e, err
	}
	if isNumber(t.text) {
		return p.numbered(t)
	}
	return p.named(t)
}

// closed reads the rest of a parenthesis.
func (p *parser) closed() (*Expr, error) {
	e, err := p.implication()
	if err != nil {
		return nil, err
	}
	if !p.isSign(")") {
		return nil, p.fail("expected ), found %s", p.token)
	}
	p.next()
	return e, nil
}

// numbered reads a constant, or a literal where the text has numbers; where it has
// none, a number may be a name.
func (p *parser) numbered(t token) (*Expr, error) {
	n, err := strconv.Atoi(t.text)
	switch {
	case err != nil:
		return nil, p.failAt(t.at, "the number %s is too large", t.text)
	case n <= 1:
		return &Expr{op: opConstant, value: circuit.ValueOf(n == 1), at: t.at, cost: 1}, nil
	case p.Number == nil:
		return p.named(t)
	}
	l, ok := p.Number(n)
	if !ok {
		return nil, p.failAt(t.at, "there is no literal %d in the file", n)
	}
	return &Expr{op: opSignal, lit: l, name: t.text, at: t.at, cost: 1}, nil
}

// named reads the name of a signal or a word; x and step mean something else only where none of the
// text is called so.
func (p *parser) named(t token) (*Expr, error) {
	if l, ok := p.Signal(t.text); ok {
		return &Expr{op: opSignal, lit: l, name: t.text, at: t.at, cost: 1}, nil
	}
	isCalled := func(w *design.Word) bool { return w.Name == t.text }
	if t.kind == tokenName && !slices.ContainsFunc(p.words(t.text), isCalled) {
		switch t.text {
		case "x", "X":
			return &Expr{op: opConstant, value: circuit.X, at: t.at, cost: 1}, nil
		case "step":
			return &Expr{op: opStep, at: t.at, cost: 1}, nil
		}
	}
	if e, isWord, err := p.word(t); isWord {
		return e, err
	}
	if at := strings.IndexAny(t.text, "+-"); at > 0 && t.kind == tokenName && len(p.words(t.text[:at])) > 0 {
		return nil, p.failAt(t.at, "there is no signal named %s; in a sum spaces stand around the sign, as in q + 1", t.text)
	}
	return nil, p.failAt(t.at, "there is no signal named %s; names with spaces and operators stand in backticks", t.text)
}
