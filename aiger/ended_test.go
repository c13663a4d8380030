package aiger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// chain returns gates that each read the one before, in this order or the other one, and
// in a cycle with the last.
func chain(gates int, isReversed, isCycle bool) string {
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 1 0 0 %d 1\n2\n%d\n", gates+1, gates, 2*(gates+1))
	for i := range gates {
		if isReversed {
			i = gates - 1 - i
		}
		before := 2 * (i + 1)
		if isCycle && i == 0 {
			before = 2 * (gates + 1)
		}
		fmt.Fprintf(&s, "%d %d 2\n", 2*(i+2), before)
	}
	return s.String()
}

// TestElaborationEndsSoon: however the gates lie, the context is looked at every few
// thousand steps, and nothing goes on after the look at which it has ended.
func TestElaborationEndsSoon(t *testing.T) {
	const gates = 100_000
	for _, text := range []string{chain(gates, false, false), chain(gates, true, false), chain(gates, false, true)} {
		f := syntax.Parse(source.NewText(text))
		whole := shared.NewPolls(0)
		if e, err := aiger.ElaborateWithin(whole, f); err != nil || e == nil {
			t.Fatal(err)
		}
		if whole.Looks < gates/5_000 {
			t.Errorf("%d looks at %d gates", whole.Looks, gates)
		}
		for end := 1; end <= whole.Looks; end += 1 + whole.Looks/6 {
			ctx := shared.NewPolls(end)
			if e, err := aiger.ElaborateWithin(ctx, f); e != nil || err != context.Canceled {
				t.Fatalf("ended at look %d: %v, %v", end, e, err)
			}
			if ctx.Looks > end+3 {
				t.Errorf("ended at look %d, and looked %d times", end, ctx.Looks)
			}
		}
	}
}
