package debug

import (
	"fmt"
	"slices"
	"testing"
)

// TestStops compares the steps at which a run stops, forwards and backwards, with those
// that the values of all steps say.
func TestStops(t *testing.T) {
	for _, x := range []struct {
		file, property string
		expressions    []string
	}{
		{"semaphore2_broken.aag", "two_at_work", []string{"free", "work_a", "wait_b & !free", "wait_a | wait_b", "move_a -> x", "prev(move_b)"}},
		{"river_crossing.aag", "all_across", []string{"farmer", "!farmer", "farmer ^ prev(farmer)", "all_across"}},
		{"vending.blif", "drink_and_coin", []string{"drink_and_coin", "changed(drink_and_coin)", "1", "step > 0"}},
		{"fifo.btor2", "too_many", []string{"push", "count == 3", "count > prev(count)", "full & push", "step > 2"}},
	} {
		c := newClient(t, Options{})
		c.launch(example(x.file), `"property":"`+x.property+`"`)
		c.move("configurationDone", "")
		for _, expression := range x.expressions {
			values := c.evaluate("steps "+expression, "repl")
			last := len(values) - 1
			for _, kind := range []struct {
				name, request, key string
				hits               func(step int) bool
			}{
				{"rises", "setFunctionBreakpoints", "name", func(i int) bool {
					return values[i] == '1' && (i == 0 || values[i-1] != '1')
				}},
				{"changes", "setDataBreakpoints", "dataId", func(i int) bool { return i > 0 && values[i] != values[i-1] }},
			} {
				for _, every := range []int{1, 2} {
					var want []int
					n := 0
					for i := range values {
						if kind.hits(i) {
							if n++; n%every == 0 {
								want = append(want, i)
							}
						}
					}
					c.request(kind.request, fmt.Sprintf(`{"breakpoints":[{%q:%s,"hitCondition":"%% %d"}]}`, kind.key, toJSON(expression), every))
					c.move("restart", "")
					var forwards, backwards []int
					for at := 0; at < last; {
						stop := c.move("continue", "")
						if at = c.top().Id - 1; len(stop.HitBreakpointIds) > 0 {
							forwards = append(forwards, at)
						}
					}
					for at := last; at > 0; {
						stop := c.move("reverseContinue", "")
						if at = c.top().Id - 1; len(stop.HitBreakpointIds) > 0 {
							backwards = append(backwards, at)
						}
					}
					slices.Reverse(backwards)
					// The first step is never ahead, the last one never behind.
					ahead := slices.DeleteFunc(slices.Clone(want), func(i int) bool { return i == 0 })
					behind := slices.DeleteFunc(slices.Clone(want), func(i int) bool { return i == last })
					if !slices.Equal(forwards, ahead) || !slices.Equal(backwards, behind) {
						t.Errorf("%s: %s (%s) %s every %d: stops at %v, and backwards at %v; want %v and %v",
							x.file, expression, values, kind.name, every, forwards, backwards, ahead, behind)
					}
					c.request(kind.request, `{"breakpoints":[]}`)
				}
			}
		}
	}
}
