package lsp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/aiger"
	referee "aiglens/internal/explicit"
	"aiglens/lsp/wire"
)

func (b *bench) states(of wire.PropertyParams) (a wire.StateGraph) {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", command(wire.CommandStates.Name, of), &a)
	return a
}

// statesRefused returns the message with which the states are refused.
func (b *bench) statesRefused(of wire.PropertyParams) string {
	b.t.Helper()
	err := b.Call("workspace/executeCommand", command(wire.CommandStates.Name, of), nil)
	if err == nil {
		b.t.Fatal("not refused")
	}
	return err.Error()
}

// TestStates: the states of a property, with its counterexample once there is one, and never
// with that of an earlier text.
func TestStates(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	of := wire.PropertyParams{URI: doc, Position: &protocol.Position{Line: 3}}
	a := b.states(of)
	want := []wire.GraphState{
		{ID: "n0", Values: "00", Initial: true, Next: []int{1}}, {ID: "n1", Values: "10", Next: []int{2}},
		{ID: "n2", Values: "01", Next: []int{3}}, {ID: "n3", Values: "11", Bad: true, Next: []int{0}},
	}
	if !slices.EqualFunc(a.States, want, func(x, y wire.GraphState) bool { return fmt.Sprint(x) == fmt.Sprint(y) }) {
		t.Errorf("%+v, expected %+v", a.States, want)
	}
	if a.Property != "bad:0" || a.Title != "States of full" || a.Version != 1 || !slices.Equal(a.Latches, []string{"low", "high"}) || a.Position.Line != 3 {
		t.Errorf("%+v", a)
	}
	if !slices.Equal(a.Path, []int{0, 1, 2, 3}) || a.IsCounterexample {
		t.Errorf("before a check: %v, %v", a.Path, a.IsCounterexample)
	}
	if !strings.Contains(a.DOT, `class="state bad path"`) || !strings.Contains(a.DOT, `label="low high"`) {
		t.Errorf("the picture:\n%s", a.DOT)
	}
	b.save(doc)
	b.expectTitles("refuted at step 3")
	if a := b.states(of); !slices.Equal(a.Path, []int{0, 1, 2, 3}) || !a.IsCounterexample {
		t.Errorf("after a check: %v, %v", a.Path, a.IsCounterexample)
	}
	b.step("2", nil)
	if a := b.states(of); a.Shown == nil || a.Shown.Step != 2 || a.Shown.At != "step 2 of 3" {
		t.Errorf("while a step is shown: %+v", a.Shown)
	}
	for _, of := range []wire.PropertyParams{{URI: doc}, {URI: doc, Property: "bad:0"}, {URI: doc, Property: "bad:7", Position: &protocol.Position{Line: 3}}, {URI: doc, Position: &protocol.Position{Line: 1}}} {
		if a := b.states(of); a.Property != "bad:0" {
			t.Errorf("%+v: %s", of, a.Property)
		}
	}

	// It no longer counts: the property never fails.
	b.replace(doc, 2, strings.Replace(counting, "2 3\n", "2 2\n", 1))
	if a := b.states(of); len(a.States) != 1 || a.Version != 2 || len(a.Path) != 0 || a.IsCounterexample || a.Shown != nil || a.States[0].Bad {
		t.Errorf("after an edit: %+v", a)
	}
}

// TestStatesRefused: what cannot be drawn is said in a sentence.
func TestStatesRefused(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	var wide, many, alone strings.Builder // 13 inputs that matter; 9 free latches; one latch that follows 9 inputs
	fmt.Fprint(&wide, "aag 27 13 1 0 13 1\n")
	for i := range 13 {
		fmt.Fprintln(&wide, 2*(i+1))
	}
	fmt.Fprint(&wide, "28 54\n28\n")
	for i, last := range []int{2, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52} {
		fmt.Fprintln(&wide, 30+2*i, last, 2*(i+1))
	}
	fmt.Fprint(&many, "aag 9 0 9 0 0 1\n")
	for i := range 9 {
		fmt.Fprintf(&many, "%d %d %d\n", 2*(i+1), 2*((i+1)%9+1), 2*(i+1))
	}
	fmt.Fprintln(&many, 2)
	fmt.Fprint(&alone, "aag 1 1 0 0 0 1\n2\n2\n")
	for name, test := range map[string]struct{ text, want string }{
		"inputs":  {wide.String(), "the states of bad 0 cannot be drawn: too many inputs for a search of all states: 13, and at most 12"},
		"many":    {many.String(), "too many states: runs reach more than 500"},
		"alone":   {alone.String(), "depends on no latch"},
		"none":    {"aag 1 1 0 0 0\n2\n", "no property whose states"},
		"justice": {"aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n", "asks what happens infinitely often"},
		"broken":  {"aag 1 0 1 0 0 1\n2 3\n20\n", "cannot be drawn before the error on line 3 is repaired"},
	} {
		name = "file:///w/" + name + ".aag"
		b.open(name, test.text)
		if got := b.statesRefused(wire.PropertyParams{URI: uri.URI(name)}); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, expected %q", name, got, test.want)
		}
	}
	if got := b.statesRefused(wire.PropertyParams{URI: "file:///w/many.aag", Property: "bad:0", Position: &protocol.Position{Line: 1}}); !strings.Contains(got, "no property on line 2") {
		t.Errorf("%q", got)
	}
	if got := b.statesRefused(wire.PropertyParams{URI: "file:///w/many.aag", Property: "bad:7"}); !strings.Contains(got, "no property bad:7") {
		t.Errorf("%q", got)
	}
}

// TestStatesEqualEnumeration compares what is answered for random circuits with an enumeration
// from the text of the file, over all its latches, which shares nothing with the server.
func TestStatesEqualEnumeration(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	compared, fails, longest := 0, 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(22, seed))
		c := referee.RandomCircuit(r, referee.Shape{Inputs: 2, Latches: 7, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true})
		text := string(aiger.FromCircuit(c).AppendASCII(nil))
		name := fmt.Sprintf("file:///w/%d.aag", seed)
		b.open(name, text)
		of := wire.PropertyParams{URI: uri.URI(name), Property: "bad:0"}
		var a wire.StateGraph
		if err := b.Call("workspace/executeCommand", command(wire.CommandStates.Name, of), &a); err != nil {
			if !strings.Contains(err.Error(), "depends on no latch") {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			continue
		}
		compared++
		want := enumerate(t, text, a.Latches)
		got := enumeration{initial: map[string]bool{}, bad: map[string]bool{}, steps: map[[2]string]bool{}, reached: map[string]bool{}}
		for _, s := range a.States {
			got.reached[s.Values] = true
			if s.Initial {
				got.initial[s.Values] = true
			}
			if s.Bad {
				got.bad[s.Values] = true
			}
			for _, to := range s.Next {
				got.steps[[2]string{s.Values, a.States[to].Values}] = true
			}
		}
		if !maps.Equal(got.reached, want.reached) || !maps.Equal(got.initial, want.initial) || !maps.Equal(got.bad, want.bad) || !maps.Equal(got.steps, want.steps) || len(got.reached) != len(a.States) {
			t.Fatalf("seed %d: %+v\nexpected %+v\n%s", seed, got, want, text)
		}
		if len(a.Path) != want.shortest() {
			t.Fatalf("seed %d: a path of %d states, the shortest has %d\n%s", seed, len(a.Path), want.shortest(), text)
		}
		for k, at := range a.Path {
			here := a.States[at].Values
			if k == 0 && !want.initial[here] || k == len(a.Path)-1 && !want.bad[here] || k > 0 && !want.steps[[2]string{a.States[a.Path[k-1]].Values, here}] {
				t.Fatalf("seed %d: %v is not a path\n%s", seed, a.Path, text)
			}
		}
		if len(a.Path) > 0 {
			fails++
		}
		longest = max(longest, len(a.Path))
	}
	if compared < 100 || fails < 40 || longest < 4 {
		t.Errorf("%d circuits, %d that fail, %d states at most: the test shows little", compared, fails, longest)
	}
}

// enumeration is the states of a file, each as the values of some of its latches.
type enumeration struct {
	reached, initial, bad map[string]bool
	steps                 map[[2]string]bool
}

// enumerate tries all states and inputs of an ASCII file, one after the other, and says what is
// seen of the latches with these literals. Its properties are bad, its latches at most 20.
func enumerate(t *testing.T, text string, latches []string) enumeration {
	t.Helper()
	lines := strings.Split(text, "\n")
	head := append(numbersOf(lines[0]), 0, 0, 0, 0)
	row := 1
	take := func(n int) (all [][]int) {
		for range n {
			all = append(all, numbersOf(lines[row]))
			row++
		}
		return all
	}
	ins, lats, _, bads, constraints := take(head[1]), take(head[2]), take(head[3]), take(head[5]), take(head[6])
	gates := map[int][]int{}
	for _, g := range take(head[4]) {
		gates[g[0]] = g
	}
	type step struct {
		next         uint32
		allowed, bad bool
	}
	try := func(state, input uint32) step {
		values := map[int]bool{0: false}
		for i, in := range ins {
			values[in[0]] = input>>i&1 == 1
		}
		for i, l := range lats {
			values[l[0]] = state>>i&1 == 1
		}
		var value func(l int) bool
		value = func(l int) bool {
			v, known := values[l&^1]
			if !known {
				g := gates[l&^1]
				v = value(g[1]) && value(g[2])
				values[l&^1] = v
			}
			return v != (l&1 == 1)
		}
		s := step{allowed: true, bad: value(bads[0][0])}
		for _, k := range constraints {
			s.allowed = s.allowed && value(k[0])
		}
		for i, l := range lats {
			if value(l[1]) {
				s.next |= 1 << i
			}
		}
		return s
	}
	var seen []int
	for _, name := range latches {
		literal, err := strconv.Atoi(name)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, slices.IndexFunc(lats, func(l []int) bool { return l[0] == literal }))
	}
	shown := func(state uint32) string {
		all := make([]byte, len(seen))
		for k, i := range seen {
			all[k] = '0' + byte(state>>i&1)
		}
		return string(all)
	}
	e := enumeration{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[[2]string]bool{}}
	found := map[uint32]bool{}
	var queue []uint32
	add := func(state uint32) {
		if !found[state] {
			found[state] = true
			queue = append(queue, state)
		}
		e.reached[shown(state)] = true
	}
	for state := range uint32(1) << len(lats) {
		isStart := true
		for i, l := range lats {
			reset := 0
			if len(l) > 2 {
				reset = l[2]
			}
			isStart = isStart && (reset == l[0] || reset == int(state>>i&1))
		}
		if isStart {
			add(state)
			e.initial[shown(state)] = true
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for input := range uint32(1) << len(ins) {
			s := try(state, input)
			if !s.allowed {
				continue
			}
			add(s.next)
			e.steps[[2]string{shown(state), shown(s.next)}] = true
			if s.bad {
				e.bad[shown(state)] = true
			}
		}
	}
	return e
}

func numbersOf(line string) (all []int) {
	for _, word := range strings.Fields(line) {
		if n, err := strconv.Atoi(word); err == nil {
			all = append(all, n)
		} else if word == "aag" {
			continue
		}
	}
	return all
}

// shortest returns the number of states on a shortest path into a bad one, 0 for none.
func (e enumeration) shortest() int {
	now, seen := maps.Clone(e.initial), maps.Clone(e.initial)
	for n := 1; len(now) > 0; n++ {
		next := map[string]bool{}
		for s := range now {
			if e.bad[s] {
				return n
			}
		}
		for step := range e.steps {
			if now[step[0]] && !seen[step[1]] {
				next[step[1]], seen[step[1]] = true, true
			}
		}
		now = next
	}
	return 0
}

// counted is a counter of three bits that is one word; the second property depends on two of
// them.
const counted = `aag 10 0 3 0 7 2
2 3
4 12
6 18
20
8
8 4 2
10 5 3
12 9 11
14 6 8
16 7 9
18 15 17
20 6 2
l0 count[0]
l1 count[1]
l2 count[2]
b0 five
b1 three
`

// TestStatesInWords: labels say words, and of one that the cone has in part that part.
func TestStatesInWords(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counted)
	labels := func(p wire.PropertyID) string {
		t.Helper()
		var labels []string
		a := b.states(wire.PropertyParams{URI: doc, Property: p})
		for _, found := range regexp.MustCompile(`class="state.* label="(.*)"`).FindAllStringSubmatch(a.DOT, -1) {
			labels = append(labels, found[1])
		}
		if len(a.Words) != 1 || len(a.Words[0].Latches) != len(a.Latches) {
			t.Fatalf("%s: the words %+v of the latches %v", p, a.Words, a.Latches)
		}
		for i, s := range a.States {
			if said := a.Words[0].Name + "=" + s.Words[0]; said != labels[i] {
				t.Errorf("%s: state %d is %s, and its label %s", p, i, said, labels[i])
			}
		}
		return strings.Join(labels, " ")
	}
	for property, want := range map[wire.PropertyID]string{
		"bad:0": "count=0 count=1 count=2 count=3 count=4 count=5 count=6 count=7",
		"bad:1": "count[1:0]=0 count[1:0]=1 count[1:0]=2 count[1:0]=3",
	} {
		if got := labels(property); got != want {
			t.Errorf("%s: %s, expected %s", property, got, want)
		}
	}
	b.replace(doc, 2, counted+"c\nword: mode = !count[1] count[0] {idle = 0b10, wait = 0b11}\n")
	if got, want := labels("bad:1"), "mode=idle mode=wait mode=0 mode=1"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}
