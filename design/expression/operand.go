package expression

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/wordline"
)

// sum reads a number with what is added to it and subtracted, or any other operand of a
// comparison.
func (p *parser) sum() (*Expr, error) {
	left, err := p.prefix()
	if err != nil || !left.isNumber() || left.op == opStep {
		return left, err
	}
	return p.terms(left)
}

// terms reads what is added to a number and subtracted from it.
func (p *parser) terms(left *Expr) (*Expr, error) {
	for {
		op, ok := p.plusOrMinus()
		if !ok {
			return left, nil
		}
		right, err := p.term(op)
		if err != nil {
			return nil, err
		}
		e := &Expr{op: op, args: []*Expr{left, right}, at: left.at, cost: left.cost + right.cost}
		if e.cost > maxExprCost {
			return nil, p.fail("the expression is too large")
		}
		left = e
	}
}

// term reads a number after a plus or minus.
func (p *parser) term(op operator) (*Expr, error) {
	if n, ok := p.constant(); ok {
		return n, nil
	}
	t := p.token
	e, err := p.prefix()
	if err == nil && (!e.isNumber() || e.op == opStep) {
		return nil, p.failAt(t.at, "expected a number or a word after %s, found %s", map[operator]string{opSum: "+", opDifference: "-"}[op], t)
	}
	return e, err
}

// plusOrMinus reads the sign between two terms. A name may begin with a plus, but none stands
// there.
func (p *parser) plusOrMinus() (op operator, ok bool) {
	switch {
	case p.isSign("-"):
		p.next()
		return opDifference, true
	case p.token.kind == tokenName && p.token.text[0] == '+':
		p.pos = p.token.at + 1
		p.next()
		return opSum, true
	}
	return 0, false
}

// constant reads a number: decimal, or as 0x1f and 0b101.
func (p *parser) constant() (*Expr, bool) {
	before := *p
	sign := p.isSign("-")
	if sign {
		p.next()
	}
	n, ok := numberFrom(p.token)
	if !ok {
		*p = before
		return nil, false
	}
	p.next()
	if sign {
		n.Neg(n)
	}
	return &Expr{op: opNumber, number: known(n), at: before.token.at, cost: max(1, n.BitLen())}, true
}

func numberFrom(t token) (*big.Int, bool) {
	text := t.text
	if t.kind != tokenName || text[0] < '0' || text[0] > '9' {
		return nil, false
	}
	n, _, ok := wordline.Number(text)
	return n, ok
}

// numbers reads what a number is compared with.
func (p *parser) numbers(left *Expr, sign token) (*Expr, error) {
	right, err := p.otherNumber(left, sign)
	if err != nil {
		return nil, err
	}
	e := &Expr{op: opCompareNumbers, name: sign.text, args: []*Expr{left, right}, at: left.at, cost: left.cost + right.cost}
	if e.cost > maxExprCost {
		return nil, p.fail("the expression is too large")
	}
	return e, nil
}

// otherNumber reads the number on the right of a comparison: a value of the word on the left, or
// any other number.
func (p *parser) otherNumber(left *Expr, sign token) (*Expr, error) {
	word, t := left.wordOf(), p.token
	if value, err := p.valueOf(word); value != nil || err != nil {
		return value, err
	}
	if n, ok := p.constant(); ok {
		return p.terms(n)
	}
	right, err := p.sum()
	switch {
	case err != nil && word != nil && t.kind == tokenName && !p.isFunction(t):
		return nil, p.notValue(word, t, err)
	case err != nil:
		return nil, err
	case !right.isNumber() || right.op == opStep:
		return nil, p.failAt(t.at, "expected a number or a word after %s, found %s", sign.text, t)
	}
	return right, nil
}

// asWord returns a signal that is a word of one bit as that word, where the next token is the name
// of a value of it.
func (p *parser) asWord(e *Expr) *Expr {
	t := p.token
	if e.op != opSignal || t.kind != tokenName || isNumber(t.text) {
		return e
	}
	if _, isSignal := p.Signal(t.text); isSignal {
		return e
	}
	if found := p.words(e.name); len(found) == 1 && len(found[0].Bits) == 1 && found[0].Bits[0].Lit == e.lit {
		if _, has := valueNamed(found[0], t); has {
			return &Expr{op: opWord, word: found[0], name: e.name, at: e.at, cost: 1}
		}
	}
	return e
}

// valueOf reads a name or a number that stands alone as a value of a word; nil for anything else.
func (p *parser) valueOf(w *design.Word) (*Expr, error) {
	if w == nil {
		return nil, nil
	}
	before := *p
	named, isName := valueNamed(w, p.token)
	if isName {
		p.next()
	} else if _, ok := p.constant(); !ok {
		return nil, nil
	}
	text := strings.TrimSpace(p.text[before.token.at:p.token.at])
	_, isSum := p.peekSum()
	if isSum || isName && p.isSign("(") {
		*p = before
		return nil, nil
	}
	if isName {
		if other := p.words(named.Name); len(other) > 0 && other[0].Name == named.Name {
			return nil, p.failAt(before.token.at, "%s is a value of %s and a word: write the word in backticks, the value as a number", named.Name, w.Name)
		}
		return &Expr{op: opNumber, number: ofBits(named.Value, w.Signed), at: before.token.at, cost: len(w.Bits)}, nil
	}
	value, err := words.Parse(w, strings.ReplaceAll(text, " ", ""))
	if err != nil {
		return nil, p.failAt(before.token.at, "%v", err)
	}
	return &Expr{op: opNumber, number: ofBits(value, w.Signed), at: before.token.at, cost: len(w.Bits)}, nil
}

// peekSum reports whether something is added to the number before the next token.
func (p *parser) peekSum() (op operator, ok bool) {
	ahead := *p
	return ahead.plusOrMinus()
}

func valueNamed(w *design.Word, t token) (design.NamedValue, bool) {
	if t.kind == tokenName {
		for _, v := range w.Values {
			if v.Name == t.text && len(v.Value) == len(w.Bits) {
				return v, true
			}
		}
	}
	return design.NamedValue{}, false
}

func (p *parser) isFunction(t token) bool {
	_, is := functions[t.text]
	return is
}

// notValue says of a name that is none of a signal what the values of a word are.
func (p *parser) notValue(w *design.Word, t token, err error) error {
	if _, isSignal := p.Signal(t.text); isSignal || len(p.words(t.text)) > 0 || len(w.Values) == 0 {
		return err
	}
	_, no := words.Parse(w, t.text)
	if no == nil {
		return err
	}
	return p.failAt(t.at, "there is no signal named %s, and %v", t.text, no)
}

// words returns those that a name may stand for.
func (p *parser) words(name string) []*design.Word {
	if p.Words == nil {
		return nil
	}
	return p.Words(name)
}

// word reads the name of a word, or of some of its bits: q[3:0], and q[3] where the bit has
// another name. isWord is false where there is none.
func (p *parser) word(t token) (e *Expr, isWord bool, err error) {
	base, indices := t.text, ""
	found := p.words(base)
	if len(found) == 0 {
		if base, indices = indexed(t.text); indices != "" {
			found = p.words(base)
		}
	}
	switch {
	case len(found) == 0:
		return nil, false, nil
	case len(found) > 1:
		return nil, true, p.failAt(t.at, "%s may be %s: write one of these names", t.text, namesOf(found))
	}
	w := found[0]
	if indices == "" {
		return wordExpr(t, w), true, nil
	}
	first, last, isRange := strings.Cut(indices, ":")
	high, err1 := strconv.Atoi(first)
	low, err2 := strconv.Atoi(last)
	if !isRange {
		low, err2 = high, err1
	}
	if err1 != nil || err2 != nil {
		return nil, false, nil
	}
	part, ok := words.Part(w, high, low)
	switch {
	case !ok:
		return nil, true, p.failAt(t.at, "%s has the bits %d to %d, in this order", w.Name, w.Index(len(w.Bits)-1), w.Low)
	case isRange:
		return wordExpr(t, part), true, nil
	case part.Bits[0].Missing:
		return nil, true, p.failAt(t.at, "%s", missingBit(w, high))
	}
	return &Expr{op: opSignal, lit: part.Bits[0].Lit, name: t.text, at: t.at, cost: 1}, true, nil
}

func wordExpr(t token, w *design.Word) *Expr {
	return &Expr{op: opWord, word: w, name: t.text, at: t.at, cost: max(1, len(w.Bits))}
}

// indexed splits q[3:0] and q[3]; indices are "" for other names.
func indexed(name string) (base, indices string) {
	at := strings.LastIndexByte(name, '[')
	if at <= 0 || !strings.HasSuffix(name, "]") {
		return name, ""
	}
	return name[:at], name[at+1 : len(name)-1]
}

// mostNamed bounds the words that a message lists.
const mostNamed = 4

func namesOf(all []*design.Word) string {
	var names []string
	for _, w := range all[:min(len(all), mostNamed)] {
		names = append(names, w.Name)
	}
	if more := len(all) - mostNamed; more > 0 {
		return strings.Join(names, ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// onlyCompared says what can be done with a number.
func (e *Expr) onlyCompared() string {
	switch {
	case e.op == opStep:
		return stepIsNumber
	case e.op == opWord:
		return e.name + " is a word: compare it, as in " + Quote(e.name) + " == 3"
	case e.wordOf() != nil:
		return "this is the value of a word: compare it, as in prev(q) == 3"
	}
	return "this is a number: compare it, as in q == prev(q) + 1"
}

// missingBit says that the bit of a word with an index is missing.
func missingBit(w *design.Word, index int) string {
	return fmt.Sprintf("the circuit does not have bit %d of %s", index, w.Name)
}
