// Package expression reads and evaluates expressions over the signals of a circuit and
// the steps of a run, as people type them: conditions of breakpoints, rows of a trace.
// It knows names and values, but neither where values come from nor what shows them.
package expression

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"aiglens/circuit"
	"aiglens/design"
)

// operator is what an expression does with its arguments.
type operator uint8

const (
	opConstant operator = iota // value
	opSignal                   // lit
	opNot
	opAnd
	opOr
	opXor
	opEqual
	opPrev           // the value one step before
	opNext           // the value one step later
	opAt             // the value at step
	opChanged        // the value is another one than one step before
	opRose           // 1 and not 1 before
	opFell           // 0 and not 0 before
	opKnown          // 0 or 1, not x
	opStep           // the number of the step: no value, but for comparisons
	opCompare        // the number of the step against step, by the sign in name
	opWord           // word: no value, but for comparisons, and so are the next three
	opNumber         // number
	opSum            // of numbers
	opDifference     // of numbers
	opCompareNumbers // by the sign in name
)

// Expr is an expression over the signals of a circuit and the steps of a run. Its
// values are 0, 1 and x, as in three-valued simulation: x is any value that does not
// follow, and so is what lies before the first step or after the last.
type Expr struct {
	op     operator
	args   []*Expr
	lit    circuit.Lit
	value  circuit.Value
	step   int
	word   *design.Word
	number integer
	name   string // of a signal or word; the sign of a comparison
	at     int    // where it begins
	// cost is the number of values that one evaluation looks at.
	cost int
}

// Run is what expressions are evaluated on.
type Run interface {
	// Value returns the value of a literal at a step; x outside of the run.
	Value(l circuit.Lit, step int) circuit.Value
}

// Eval returns the value of an expression at a step.
func (e *Expr) Eval(r Run, step int) circuit.Value {
	arg := func(i int) circuit.Value { return e.args[i].Eval(r, step) }
	switch e.op {
	case opConstant:
		return e.value
	case opSignal:
		return r.Value(e.lit, step)
	case opNot:
		return arg(0).Not()
	case opAnd:
		return and(arg(0), arg(1))
	case opOr:
		return and(arg(0).Not(), arg(1).Not()).Not()
	case opXor:
		return xor(arg(0), arg(1))
	case opEqual:
		return xor(arg(0), arg(1)).Not()
	case opPrev, opNext, opAt:
		return e.args[0].Eval(r, e.stepOf(step))
	case opChanged:
		if word := e.args[0]; word.op == opWord {
			return circuit.ValueOf(step > 0 && word.changed(r, step))
		}
		return circuit.ValueOf(step > 0 && arg(0) != e.args[0].Eval(r, step-1))
	case opRose:
		return circuit.ValueOf(step > 0 && arg(0) == circuit.One && e.args[0].Eval(r, step-1) != circuit.One)
	case opFell:
		return circuit.ValueOf(step > 0 && arg(0) == circuit.Zero && e.args[0].Eval(r, step-1) != circuit.Zero)
	case opKnown:
		if word := e.args[0]; word.op == opWord {
			return circuit.ValueOf(word.isKnownAt(r, step))
		}
		return circuit.ValueOf(arg(0) != circuit.X)
	case opCompare:
		return circuit.ValueOf(Compare(step, e.name, e.step))
	case opCompareNumbers:
		return compareNumbers(e.args[0].numberAt(r, step), e.args[1].numberAt(r, step), e.name)
	}
	return circuit.X
}

func and(a, b circuit.Value) circuit.Value {
	switch {
	case a == circuit.Zero || b == circuit.Zero:
		return circuit.Zero
	case a == circuit.One && b == circuit.One:
		return circuit.One
	}
	return circuit.X
}

func xor(a, b circuit.Value) circuit.Value {
	if a == circuit.X || b == circuit.X {
		return circuit.X
	}
	return circuit.ValueOf(a != b)
}

// Compare tells whether two numbers are in the order that a sign such as <= stands for.
func Compare(a int, sign string, b int) bool {
	switch sign {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "!=":
		return a != b
	}
	return a == b
}

// Text returns the value of an expression at a step as it is shown, with the one
// before where that was another.
func (e *Expr) Text(r Run, step int) string {
	if e.op == opStep {
		return strconv.Itoa(step)
	}
	if e.isNumber() {
		return e.numberText(r, step)
	}
	now := e.Eval(r, step)
	if step > 0 && e.op != opAt {
		if before := e.Eval(r, step-1); before != now {
			return fmt.Sprintf("%s (was %s)", now, before)
		}
	}
	return now.String()
}

// Error says what is wrong with an expression and where.
type Error struct {
	Column int // in characters, from 1
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Reason) }

// MaxLength bounds the bytes of an expression.
const MaxLength = 100_000

// Bounds of expressions.
const (
	maxExprDepth = 200
	maxExprCost  = 100_000
)

// Names tells what the words of an expression mean.
type Names struct {
	// Signal returns the literal of a signal by its name.
	Signal func(name string) (circuit.Lit, bool)
	// Number returns the literal that a number of the text stands for; nil for a format
	// whose signals have names.
	Number func(n int) (circuit.Lit, bool)
	// Words returns the words that a name may stand for; nil for no words.
	Words func(name string) []*design.Word
	Steps int // of the run
}

// Parse reads an expression. From the loosest to the tightest its operators are
// -> (to the right), |, ^, &, comparisons, and + with - between numbers; ! and ~ are
// prefixes, @ with a number names the step.
func (n Names) Parse(text string) (*Expr, error) {
	if len(text) > MaxLength {
		return nil, &Error{1, fmt.Sprintf("the expression is longer than %d bytes", MaxLength)}
	}
	p := &parser{Names: n, text: text}
	p.next()
	e, err := p.implication()
	if err != nil {
		return nil, err
	}
	if p.token.kind != tokenEnd {
		return nil, p.fail("expected an operator, found %s", p.token)
	}
	return e, nil
}

// Condition reads an expression whose value decides something.
func (n Names) Condition(text string) (*Expr, error) {
	e, err := n.Parse(text)
	if err == nil && e.isNumber() {
		return nil, &Error{utf8.RuneCountInString(text[:e.at]) + 1, e.onlyCompared()}
	}
	return e, err
}

// Watched reads an expression of which changes count: of a word those of its bits, where
// isWord is true.
func (n Names) Watched(text string) (all []*Expr, isWord bool, err error) {
	e, err := n.Parse(text)
	if err != nil || e.op != opWord {
		e, err = n.Condition(text)
		return []*Expr{e}, false, err
	}
	for l, name := range e.Names() {
		all = append(all, Signal(l, name))
	}
	return all, true, nil
}

// Signal returns the expression that a signal is.
func Signal(l circuit.Lit, name string) *Expr {
	return &Expr{op: opSignal, lit: l, name: name, cost: 1}
}

// Names yields the signals of an expression with what it calls them; those of a word
// by the name of the word.
func (e *Expr) Names() iter.Seq2[circuit.Lit, string] {
	return func(yield func(circuit.Lit, string) bool) { e.yieldNames(yield) }
}

func (e *Expr) yieldNames(yield func(circuit.Lit, string) bool) bool {
	if e.op == opSignal && !yield(e.lit, e.name) {
		return false
	}
	if e.op == opWord {
		for _, b := range e.word.Bits {
			if !b.Missing && !yield(b.Lit, e.name) {
				return false
			}
		}
	}
	for _, a := range e.args {
		if !a.yieldNames(yield) {
			return false
		}
	}
	return true
}

// Cost is the number of values that one evaluation looks at, at most.
func (e *Expr) Cost() int { return e.cost }

// isNumber says that an expression has no value of its own, but can be compared.
func (e *Expr) isNumber() bool {
	switch e.op {
	case opStep, opWord, opNumber, opSum, opDifference:
		return true
	case opPrev, opNext, opAt:
		return e.args[0].isNumber()
	}
	return false
}

// SignalAt returns the signal that an expression is about, at which step.
func (e *Expr) SignalAt(step int) (l circuit.Lit, at int, ok bool) {
	switch e.op {
	case opSignal:
		return e.lit, step, true
	case opNot:
		return e.args[0].SignalAt(step)
	case opPrev:
		return e.args[0].SignalAt(step - 1)
	case opNext:
		return e.args[0].SignalAt(step + 1)
	case opAt:
		return e.args[0].SignalAt(e.step)
	}
	return 0, 0, false
}

// WordAt returns the word that an expression is about, at which step.
func (e *Expr) WordAt(step int) (w *design.Word, at int, ok bool) {
	switch e.op {
	case opWord:
		return e.word, step, true
	case opPrev:
		return e.args[0].WordAt(step - 1)
	case opNext:
		return e.args[0].WordAt(step + 1)
	case opAt:
		return e.args[0].WordAt(e.step)
	}
	return nil, 0, false
}

const stepIsNumber = "step is a number: compare it, as in step >= 3"

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenQuoted
	tokenSign
	tokenBad // a quote that is never closed, or a character that means nothing
)

type token struct {
	kind tokenKind
	text string // without quotes
	at   int    // byte
}

func (t token) String() string {
	switch t.kind {
	case tokenEnd:
		return "the end"
	case tokenQuoted:
		return "the name " + t.text
	}
	return t.text
}

type parser struct {
	Names
	text  string
	pos   int
	token token // the next one
	depth int
}

func (p *parser) failAt(at int, format string, args ...any) error {
	return &Error{utf8.RuneCountInString(p.text[:at]) + 1, fmt.Sprintf(format, args...)}
}

func (p *parser) fail(format string, args ...any) error { return p.failAt(p.token.at, format, args...) }

// signs are the operators, longer ones before their beginnings.
var signs = []string{"->", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "&", "|", "^", "!", "~", "(", ")", "@", ",", "-"}

// next reads a token.
func (p *parser) next() {
	rest := strings.TrimLeft(p.text[p.pos:], " \t\r\n")
	at := len(p.text) - len(rest)
	set := func(kind tokenKind, text string, length int) {
		p.token = token{kind, text, at}
		p.pos = at + length
	}
	if rest == "" {
		set(tokenEnd, "", 0)
		return
	}
	if quote := rest[0]; quote == '`' || quote == '"' {
		name, _, closed := strings.Cut(rest[1:], rest[:1])
		if !closed {
			set(tokenBad, "a name that is never closed with "+rest[:1], len(rest))
			return
		}
		set(tokenQuoted, name, len(name)+2)
		return
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			set(tokenSign, s, len(s))
			return
		}
	}
	if n := NameLength(rest); n > 0 {
		set(tokenName, rest[:n], n)
		return
	}
	_, size := utf8.DecodeRuneInString(rest)
	set(tokenBad, strconv.Quote(rest[:size]), size)
}

// NameLength returns the length of the name at the beginning of s, one that needs no
// quotes: as most names of BLIF files and symbols are, with brackets, dots, slashes
// and indices like <3>.
func NameLength(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_.[]/$:\#%*+;{}'?`, r):
		case r == '-' && i > 0 && !strings.HasPrefix(s[i:], "->"):
		case r == '<' && i > 0 && indexLength(s[i:]) > 0:
			size = indexLength(s[i:])
		default:
			return i
		}
		i += size
	}
	return len(s)
}

// indexLength returns the length of an index like <3> at the beginning of s, else 0.
func indexLength(s string) int {
	inside, _, closed := strings.Cut(s[1:], ">")
	if !closed || !isNumber(inside) {
		return 0
	}
	return len(inside) + 2
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Quote returns a name as it stands in an expression.
func Quote(name string) string {
	switch {
	case NameLength(name) == len(name) && name != "" && !isNumber(name):
		return name
	case strings.Contains(name, "`"):
		return `"` + name + `"`
	}
	return "`" + name + "`"
}
