package debug

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aiglens/circuit"
	"aiglens/design/expression"
)

// breakpoint says at which steps a run stops. It hits where a value is another one than
// one step before, or, of a condition over names, where that becomes true.
type breakpoint struct {
	id     int
	reason string // of a stop at it
	// watched are the expressions whose values count.
	watched []*expression.Expr
	// rising says that only a change to 1 counts, and that being 1 in step 0 is one.
	rising    bool
	condition *expression.Expr // nil for none
	hits      hitCondition
	message   []piece // of a log point, which stops nothing; nil for none
	at        *place  // of the definition; nil for an expression

	counts []int // by step: how often it fired up to that step, as far as known
}

// fires reports whether the breakpoint would hit at a step, were there no condition on
// the number of hits.
func (b *breakpoint) fires(r expression.Run, step int) bool {
	fired := false
	for _, e := range b.watched {
		now, before := e.Eval(r, step), circuit.X
		if step > 0 {
			before = e.Eval(r, step-1)
		}
		if b.rising {
			fired = fired || now == circuit.One && before != circuit.One
		} else {
			fired = fired || step > 0 && now != before
		}
	}
	return fired && (b.condition == nil || b.condition.Eval(r, step) == circuit.One)
}

// hit reports whether the breakpoint hits at a step. Hits are counted from the first
// step on, so that it does not matter from which side the step is reached. When ctx ends
// before they are counted there is none.
func (b *breakpoint) hit(ctx context.Context, r expression.Run, step int) bool {
	if !b.fires(r, step) {
		return false
	}
	if b.hits == (hitCondition{}) {
		return true
	}
	for at := len(b.counts); at <= step; at++ {
		if ctx.Err() != nil {
			return false
		}
		n := 0
		if at > 0 {
			n = b.counts[at-1]
		}
		if b.fires(r, at) {
			n++
		}
		b.counts = append(b.counts, n)
	}
	return b.hits.holds(b.counts[step])
}

// hitCondition is a condition on the number of hits: "3" and "== 3" are the third,
// ">= 3" and the like compare, "% 3" is every third. The zero value is none.
type hitCondition struct {
	sign   string
	number int
}

func parseHits(text string) (hitCondition, error) {
	rest := strings.TrimSpace(text)
	if rest == "" {
		return hitCondition{}, nil
	}
	h := hitCondition{sign: "=="}
	for _, sign := range []string{">=", "<=", "==", "=", ">", "<", "%"} {
		if after, found := strings.CutPrefix(rest, sign); found {
			h.sign, rest = sign, after
			break
		}
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil || n < 1 {
		return h, fmt.Errorf("a hit count is a number like 3, >= 3 or %% 3, not %q", text)
	}
	h.number = n
	return h, nil
}

func (h hitCondition) holds(n int) bool {
	if h.sign == "%" {
		return n%h.number == 0
	}
	return expression.Compare(n, h.sign, h.number)
}

// piece is a part of the message of a log point: a text, or the value of an expression.
type piece struct {
	text string
	expr *expression.Expr
}

// maxMessage bounds the parts of a message.
const maxMessage = 100

// parseMessage reads the message of a log point, with expressions in braces.
func parseMessage(n expression.Names, text string) ([]piece, error) {
	var all []piece
	for text != "" && len(all) < maxMessage {
		before, rest, found := strings.Cut(text, "{")
		all = append(all, piece{text: before})
		if !found {
			return all, nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, errors.New("a { in the message is never closed")
		}
		e, err := n.Parse(inside)
		if err != nil {
			return nil, fmt.Errorf("{%s}: %w", inside, err)
		}
		all, text = append(all, piece{expr: e}), after
	}
	return all, nil
}

func messageAt(all []piece, r expression.Run, step int) string {
	var b strings.Builder
	for _, p := range all {
		if p.expr == nil {
			b.WriteString(p.text)
		} else {
			b.WriteString(p.expr.Text(r, step))
		}
	}
	return b.String()
}

// conditions are what a client may add to every breakpoint.
type conditions struct{ condition, hits, message string }

// newBreakpoint makes a breakpoint without a place.
func newBreakpoint(n expression.Names, watched []*expression.Expr, c conditions) (b *breakpoint, err error) {
	b = &breakpoint{watched: watched}
	if strings.TrimSpace(c.condition) != "" {
		if b.condition, err = n.Condition(c.condition); err != nil {
			return nil, fmt.Errorf("the condition, %w", err)
		}
	}
	if b.hits, err = parseHits(c.hits); err != nil {
		return nil, err
	}
	if c.message != "" {
		if b.message, err = parseMessage(n, c.message); err != nil {
			return nil, fmt.Errorf("the message: %w", err)
		}
	}
	return b, nil
}
