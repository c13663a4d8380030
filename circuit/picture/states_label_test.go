package picture_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/picture"
)

// TestLabels: vectors and the other latches that are 1; all that are 1 where these are many;
// digits of what changes where those are; the number of the state where even these are too many.
func TestLabels(t *testing.T) {
	named := func(form string, n int) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf(form, i))
		}
		return names
	}
	scattered := []string{"a", "b", "c", "d", "e", "f"}
	for _, test := range []struct {
		names  []string
		vector int    // so many latches are one
		want   string // labels of the first and last state
	}{
		{[]string{"a", "b", "c"}, 0, "all 0, a b c"},
		{[]string{"a", "b", "c"}, 2, "v=0, v=2 c"},
		{named("q%d", 6), 6, "v=0, v=6"},
		{append(named("q%d", 5), "on"), 5, "v=0, v=5 on"},
		{append([]string{"q0"}, scattered...), 2, "0000000, 1111111"},
		{scattered, 0, "000000, 111111"},
		{named("%d", 40), 0, "state 0, state 40"},
	} {
		g := filling(t, len(test.names))
		order := make([]int, len(test.names))
		for i := range order {
			order[i] = i
		}
		var vectors []picture.Vector
		if test.vector > 0 {
			vectors = []picture.Vector{{Name: "v", Latches: order[:test.vector], Text: func(values []bool) string {
				return fmt.Sprint(strings.Count(picture.Digits(values, order[:test.vector]), "1"))
			}}}
		}
		dot := g.DOT(test.names, vectors, order, nil)
		var labels []string
		for _, found := range regexp.MustCompile(`class="state.* label="(.*)"`).FindAllStringSubmatch(dot, -1) {
			labels = append(labels, found[1])
		}
		if got := strings.Join([]string{labels[0], labels[len(labels)-1]}, ", "); got != test.want {
			t.Errorf("%q: %s, expected %s", test.names, got, test.want)
		}
	}
}

// filling returns the states of latches that become 1 one after the other, and stay so.
func filling(t *testing.T, n int) *picture.StateGraph {
	t.Helper()
	b := circuit.NewBuilder(100)
	before := circuit.True
	for range n {
		l := b.Latch(0)
		b.SetNext(l, before)
		before = l
	}
	g, err := picture.SearchStates(context.Background(), b.Build(), circuit.False, 500)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAlong: a run is found again, also one that is not a shortest; what is not a run is not.
func TestAlong(t *testing.T) {
	b := circuit.NewBuilder(100) // a latch that an input sets and clears
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	g, err := picture.SearchStates(context.Background(), b.Build(), l, 500)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		run  [][]bool
		want string
	}{
		{[][]bool{{false}, {true}}, "[0 1] true"},
		{[][]bool{{false}, {true}, {false}, {false}, {true}}, "[0 1 0 0 1] true"},
		{[][]bool{{true}}, "[] false"},
		{[][]bool{{false}}, "[0] false"},
		{[][]bool{{false, true}, {true}}, "[] false"},
		{nil, "[] false"},
	} {
		path, ok := g.Along(test.run)
		if got := fmt.Sprint(path, ok); got != test.want {
			t.Errorf("%v: %s, expected %s", test.run, got, test.want)
		}
	}
}

func TestManySteps(t *testing.T) {
	b := circuit.NewBuilder(100) // from each of 128 states to each
	for range 7 {
		b.SetNext(b.Latch(0), b.Input(0))
	}
	_, err := picture.SearchStates(context.Background(), b.Build(), circuit.False, 500)
	if err == nil || !strings.Contains(err.Error(), "too many steps between the states: more than 10000") {
		t.Errorf("%v", err)
	}
}

// TestOnlyState: where no latch changes there are no digits to be explained.
func TestOnlyState(t *testing.T) {
	b := circuit.NewBuilder(100)
	names, order := []string{"a", "b", "c", "d", "e"}, []int{0, 1, 2, 3, 4}
	for range names {
		l := b.Latch(0)
		b.SetReset(l, circuit.True)
		b.SetNext(l, l)
	}
	g, err := picture.SearchStates(context.Background(), b.Build(), circuit.False, 500)
	if err != nil {
		t.Fatal(err)
	}
	if dot := g.DOT(names, nil, order, nil); !strings.Contains(dot, `label="the only state"`) || strings.Contains(dot, "digits") {
		t.Error(dot)
	}
}
