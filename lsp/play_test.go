package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/aiger"
	"aiglens/aiger/aigertest"
	referee "aiglens/internal/explicit"
	"aiglens/lsp/wire"
)

func (b *bench) play(params wire.PlayParams) (a wire.Played) {
	b.t.Helper()
	params.URI = doc
	b.MustCall("workspace/executeCommand", command(wire.CommandPlay.Name, params), &a)
	return a
}

// TestPlayIsSimulation: runs that are played by messages have the values that a simulation has
// which reads the numbers of the file alone, and each change does to the inputs what it says.
func TestPlayIsSimulation(t *testing.T) {
	runs := everyDay(60, 2000)
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	version := 1
	b.open(doc, "aag 0 0 0 0 0\n")
	outcomes := map[wire.RunOutcome]int{}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 21))
		c := referee.RandomCircuit(r, referee.Shape{
			Inputs: 4, Latches: 5, Gates: 20, Constraints: int(seed % 3 / 2), FreeLatches: true, OneResets: true,
			ResetFunctions: seed%2 == 0, MoreBads: int(seed % 3),
		})
		text := string(aiger.FromCircuit(c).AppendASCII(nil))
		version++
		b.replace(doc, version, text)
		p := &player{bench: b, random: r, file: aigertest.ReadNumbers(text)}
		for i := range len(p.file.Gates) {
			p.gates = append(p.gates, protocol.Position{Line: uint32(p.file.FirstGate + i)})
		}
		p.last = b.play(wire.PlayParams{Positions: p.gates})
		p.judge("begin")
		for range 3 + r.IntN(5) {
			p.change()
		}
		outcomes[p.last.Outcome]++
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	for _, o := range []wire.RunOutcome{wire.RunOpen, wire.RunFails, wire.RunBroken} {
		if outcomes[o] == 0 {
			t.Errorf("no run ends as %s: %v", o, outcomes)
		}
	}
}

// player changes a run at random.
type player struct {
	*bench
	random *rand.Rand
	file   aigertest.Numbers
	gates  []protocol.Position
	last   wire.Played
}

func (p *player) change() {
	before := p.last
	x := wire.RunChange{Seed: 1 + p.random.Uint32N(1e9)}
	var settable []wire.TraceSignal
	for _, s := range before.Trace.Signals {
		if s.Settable != "" {
			settable = append(settable, s)
		}
	}
	check := func(ok bool, what string) {
		if !ok {
			p.t.Errorf("%+v: %s: %+v became %+v", x, what, before.Run, p.last.Run)
		}
	}
	switch k := p.random.IntN(5); {
	case k == 0 && len(settable) > 0:
		s := settable[p.random.IntN(len(settable))]
		x.Kind, x.Signal = wire.ChangeFlip, s.Signal
		if s.Settable == wire.SettableAlways {
			x.Step = p.random.IntN(before.Run.Steps)
		}
	case k == 1:
		x.Kind, x.Steps = wire.ChangeAdd, 1+p.random.IntN(3)
	case k == 2:
		x.Kind, x.Step = wire.ChangeCut, p.random.IntN(before.Run.Steps)
	case k == 3:
		x.Kind, x.Steps, x.Signal = wire.ChangeUntil, 30, before.Trace.Signals[p.random.IntN(len(before.Trace.Signals))].Signal
	default:
		x.Kind, x.Steps = wire.ChangeRandom, 1+p.random.IntN(8)
	}
	params := wire.PlayParams{Run: &before.Run, Change: &x, Positions: p.gates}
	if p.random.IntN(2) == 0 {
		params.Listed = before.List
	}
	p.last = p.play(params)
	check((p.last.Values != nil) == (params.Listed != ""), "what is listed is left out")
	p.last = withListed(before, p.last)
	p.judge(fmt.Sprintf("%+v", x))
	now, steps := p.last.Run, before.Run.Steps
	var differ int
	for i, s := range slices.Concat(before.Run.Inputs, before.Run.Latches) {
		values := slices.Concat(now.Inputs, now.Latches)[i].Values
		for at := range min(len(values), len(s.Values)) {
			if values[at] != s.Values[at] {
				differ++
			}
		}
		if isInput := i < len(now.Inputs); x.Kind == wire.ChangeAdd && isInput {
			check(values[steps:] == strings.Repeat(values[steps-1:steps], x.Steps), "the last inputs go on")
		}
	}
	switch x.Kind {
	case wire.ChangeFlip:
		check(differ == 1 && now.Steps == steps, "one value is another")
	case wire.ChangeCut:
		check(differ == 0 && now.Steps == x.Step+1, "the first steps stay")
	case wire.ChangeUntil:
		at := slices.IndexFunc(p.last.Trace.Signals, func(s wire.TraceSignal) bool { return s.Signal == x.Signal })
		values := p.last.Trace.Signals[at].Values
		check(differ == 0 && (now.Steps == steps || strings.IndexByte(values[steps:], '1') == now.Steps-steps-1), "the steps up to the first with a 1 come")
	default:
		check(differ == 0 && now.Steps == steps+x.Steps, "steps are added")
	}
}

// withListed returns an answer with what a client has of its signals from the answer before.
func withListed(before, a wire.Played) wire.Played {
	if a.Values == nil {
		return a
	}
	trace := *a.Trace
	trace.Signals = slices.Concat(slices.Clone(before.Trace.Signals[:len(a.Values.Signals)]), a.Trace.Signals)
	for i, values := range a.Values.Signals {
		trace.Signals[i].Values = values
	}
	a.Trace = &trace
	a.Run.Inputs, a.Run.Latches = slices.Clone(before.Run.Inputs), slices.Clone(before.Run.Latches)
	for i, values := range a.Values.Inputs {
		a.Run.Inputs[i].Values = values
	}
	for i, values := range a.Values.Latches {
		a.Run.Latches[i].Values = values
	}
	return a
}

// TestListedSignals: where the client has the list of an answer the next one has values alone; with
// other positions or another text it has all.
func TestListedSignals(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 3 1 1 1 1\n2\n4 6\n6\n6 2 4\n")
	size := func(a wire.Played) int {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return len(text)
	}
	gate := []protocol.Position{{Line: 4}}
	first := b.play(wire.PlayParams{Expressions: []string{"2 & 4"}})
	params := wire.PlayParams{Run: &first.Run, Change: &wire.RunChange{Kind: wire.ChangeFlip, Signal: 2}, Expressions: []string{"2 & 4"}}
	whole := b.play(params)
	params.Listed = first.List
	short := b.play(params)
	if short.Values == nil || size(short) > size(whole)*2/3 {
		t.Errorf("an answer of %d bytes takes %d where its signals are listed", size(whole), size(short))
	}
	got := withListed(whole, short)
	if got.Values = nil; !reflect.DeepEqual(got, whole) {
		t.Errorf("%+v\nwith what is listed, expected\n%+v", got, whole)
	}
	params.Positions = gate
	if a := b.play(params); a.Values != nil || a.List == first.List {
		t.Error("another signal is shown, and left out")
	}
	params.Positions = nil
	b.replace(doc, 2, "aag 3 1 1 1 1\n2\n4 6\n6\n6 2 4\ni0 go\n")
	params.Change.Kind = wire.ChangeCarry
	if a := b.play(params); a.Values != nil || a.List == first.List {
		t.Error("a signal has another name, which is left out")
	}
}

// judge compares the last answer with the file.
func (p *player) judge(what string) {
	run, steps := p.last.Run, p.last.Run.Steps
	n := &p.file
	at := func(signals []wire.PlayedSignal, i, step int) byte { return signals[i].Values[step] }
	free := slices.DeleteFunc(slices.Clone(n.Latches), func(l [3]int) bool { return l[2] != l[0] })
	words := n.Evaluate(steps,
		func(l, step int) byte { return at(run.Inputs, slices.Index(n.Inputs, l), step) },
		func(l, step int) byte {
			return at(run.Latches, slices.IndexFunc(free, func(f [3]int) bool { return f[0] == l }), 0)
		})
	properties, constraints := 0, 0
	asked, broken, fails := n.Bads, steps, false
	if len(n.Bads) == 0 {
		asked = n.Outputs
	}
	for _, l := range n.Constraints {
		if i := strings.IndexByte(aigertest.WordOf(words, l, steps), '0'); i >= 0 {
			broken = min(broken, i)
		}
	}
	seen := map[int]bool{}
	for _, s := range p.last.Trace.Signals {
		var l int
		switch s.Group {
		case wire.GroupProperty:
			l = asked[properties]
			properties++
			fails = fails || strings.Contains(aigertest.WordOf(words, l, steps)[:broken], "1")
		case wire.GroupConstraints:
			l = n.Constraints[constraints]
			constraints++
		default:
			l, _ = strconv.Atoi(s.Name)
			seen[l] = true
		}
		if want := aigertest.WordOf(words, l, steps); s.Values != want {
			p.t.Errorf("%s: %s %s (%d) is %s, expected %s", what, s.Group, s.Name, l, s.Values, want)
		}
	}
	if properties != len(asked) || constraints != len(n.Constraints) || len(seen) != len(n.Inputs)+len(n.Latches)+len(n.Gates) {
		p.t.Errorf("%s: %d properties, %d constraints and %d others are shown", what, properties, constraints, len(seen))
	}
	want := wire.RunOpen
	switch {
	case fails:
		want = wire.RunFails
	case broken < steps:
		want = wire.RunBroken
	}
	if p.last.Outcome != want {
		p.t.Errorf("%s: the outcome is %s, expected %s: %s", what, p.last.Outcome, want, p.last.Words)
	}
}

// TestPlayOfAnEarlierText: a run is not a run of a text with another circuit, which answers
// nothing; carried over, what has kept its name keeps its values.
func TestPlayOfAnEarlierText(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	const text = "aag 3 2 1 1 0\n2\n4\n6 2 6\n6\ni0 go\ni1 stop\nl0 on\n"
	b.open(doc, text)
	a := b.play(wire.PlayParams{Change: &wire.RunChange{Kind: wire.ChangeAdd, Steps: 2}})
	for _, s := range a.Trace.Signals {
		if s.Name == "go" || s.Name == "on" {
			a = b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeFlip, Signal: s.Signal}})
		}
	}
	if got := fmt.Sprint(a.Run.Inputs, a.Run.Latches); got != "[{go 100} {stop 000}] [{on 1}]" {
		t.Fatal(got)
	}
	b.replace(doc, 2, text+"c\nmore\n") // the same circuit
	if a := b.play(wire.PlayParams{Run: &a.Run}); a.Trace == nil {
		t.Error("a comment has ended the run")
	}
	for i, other := range []string{
		strings.Replace(text, "6 2 6", "6 4 6", 1),
		strings.NewReplacer("i0 go", "i0 stop", "i1 stop", "i1 go").Replace(text), // the values would be those of other inputs
		strings.Replace(text, "6 2 6", "6 2", 1),
	} {
		b.replace(doc, 3+i, other)
		if a := b.play(wire.PlayParams{Run: &a.Run}); a.Trace != nil || a.Run.Steps != 3 {
			t.Errorf("%d: a run of another circuit: %+v", i, a)
		}
		if err := b.Call("workspace/executeCommand", command(wire.CommandExportRun.Name, wire.ExportRunParams{URI: doc, Run: a.Run, Format: wire.FormatVCD}), nil); err == nil {
			t.Errorf("%d: a run of another circuit was written", i)
		}
	}
	carried := b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeCarry}})
	if got, want := fmt.Sprint(carried.Run.Inputs, carried.Run.Latches), "[{go 100} {stop 000}] []"; got != want || !strings.Contains(carried.Words, "no longer has the signals: on.") {
		t.Errorf("%s, expected %s: %s", got, want, carried.Words)
	}
	b.replace(doc, 6, strings.NewReplacer("i0 go", "i0 stop", "i1 stop", "i1 go").Replace(text))
	if carried := b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeCarry}}); fmt.Sprint(carried.Run.Inputs, carried.Run.Latches) != "[{stop 000} {go 100}] [{on 1}]" {
		t.Errorf("%+v", carried.Run)
	}
}

// enabled counts with two bits while go is 1, and is bad at 3.
const enabled = `aag 11 1 2 0 8 1
2
4 15
6 21
22
8 4 2
10 4 3
12 5 2
14 13 11
16 9 6
18 8 7
20 19 17
22 6 4
i0 go
l0 low
l1 high
b0 full
`

// TestPlayRefuses: what is not a run of the circuit, or no change of one, is refused.
func TestPlayRefuses(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, enabled)
	good := b.play(wire.PlayParams{}).Run
	refused := func(what string, p wire.PlayParams) {
		t.Helper()
		p.URI = doc
		if err := b.Call("workspace/executeCommand", command(wire.CommandPlay.Name, p), nil); err == nil {
			t.Error(what)
		}
	}
	short, wrong, long := good, good, good
	short.Inputs = nil
	wrong.Inputs = []wire.PlayedSignal{{Name: "2", Values: "x"}}
	long.Steps = 1_000_000
	other := uint32(1 << 31)
	goal := good
	goal.Goal = &other
	latch := b.play(wire.PlayParams{}).Trace.Signals
	for what, run := range map[string]wire.PlayedRun{"a run without inputs": short, "a run with x": wrong, "a run without end": long, "a goal that is not a signal": goal} {
		refused(what, wire.PlayParams{Run: &run})
	}
	for what, x := range map[string]wire.RunChange{
		"a step that is not there":   {Kind: wire.ChangeFlip, Signal: 2, Step: 1},
		"a signal that is not there": {Kind: wire.ChangeFlip, Signal: 1 << 31},
		"a latch with a reset":       {Kind: wire.ChangeFlip, Signal: latch[len(latch)-1].Signal},
		"no steps":                   {Kind: wire.ChangeAdd},
		"too many steps":             {Kind: wire.ChangeRandom, Steps: 1 << 31},
		"a step to cut behind":       {Kind: wire.ChangeCut, Step: -1},
		"until no signal":            {Kind: wire.ChangeUntil, Signal: 1 << 31, Steps: 3},
		"no kind":                    {Kind: "sideways"},
	} {
		refused(what, wire.PlayParams{Run: &good, Change: &x})
	}
	refused("a counterexample that is not there", wire.PlayParams{Property: "bad:0"})
	refused("a property that is not there", wire.PlayParams{Property: "bad:7"})
}

// TestWhatIf: the inputs of a counterexample with other values, and how the run goes on from a
// step of it.
func TestWhatIf(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, enabled)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	a := b.play(wire.PlayParams{Property: "bad:0"})
	if a.Words != "full still fails, in step 3." || a.Outcome != wire.RunFails || a.Run.Property != "bad:0" {
		t.Errorf("%s: %s", a.Outcome, a.Words)
	}
	at := slices.IndexFunc(a.Trace.Signals, func(s wire.TraceSignal) bool { return s.Settable == wire.SettableAlways })
	flipped := b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeFlip, Signal: a.Trace.Signals[at].Signal, Step: 1}})
	if flipped.Words != "full no longer fails; latches differ from step 2 on: low, high." || flipped.Outcome != wire.RunOpen {
		t.Errorf("%s: %s", flipped.Outcome, flipped.Words)
	}
	on := b.play(wire.PlayParams{Property: "bad:0", Change: &wire.RunChange{Kind: wire.ChangeCut, Step: 1}})
	if on.Words != "No property fails in these steps." || on.Run.Steps != 2 || on.Run.Property != "" {
		t.Errorf("%+v", on)
	}
}

// TestReach: a signal that is 1 in some run, with that run, and one that never is.
func TestReach(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, enabled)
	for _, test := range []struct {
		line, character uint32
		verdict         wire.ReachVerdict
		words           string
	}{
		{3, 0, wire.ReachFound, "high is 1 in step 2."},
		{2, 2, wire.ReachFound, "15 is 1 in step 0."},
	} {
		var a wire.Reached
		b.MustCall("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: doc, Position: protocol.Position{Line: test.line, Character: test.character}}), &a)
		if a.Verdict != test.verdict || a.Message != test.words {
			t.Errorf("%+v, expected %s", a, test.words)
			continue
		}
		if played := b.play(wire.PlayParams{Run: a.Run}); played.Outcome != wire.RunReaches || played.Words != a.Message+" No property fails in these steps." {
			t.Errorf("%s: %s", played.Outcome, played.Words)
		}
	}
	for _, spelled := range []string{"file:///c%3A/w/a b.aag", "file:///w/a%2Bb+c.aag"} {
		b.open(spelled, enabled)
		var a wire.Reached
		b.MustCall("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: uri.URI(spelled), Position: protocol.Position{Line: 3}}), &a)
		if a.Verdict != wire.ReachFound || a.Message != "high is 1 in step 2." {
			t.Errorf("%s: %+v", spelled, a)
		}
	}
	b.replace(doc, 2, "aag 2 1 1 1 0\n2\n4 4\n4\nl0 stuck\n")
	var a wire.Reached
	b.MustCall("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: doc, Position: protocol.Position{Line: 2}}), &a)
	if a.Verdict != wire.ReachNever || !strings.HasPrefix(a.Message, "stuck is never 1: proved") || a.Run != nil {
		t.Errorf("%+v", a)
	}
	b.replace(doc, 3, "aag 2 1 1 1 0\n2\n4 40\n4\nl0 stuck\n")
	if err := b.Call("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: doc, Position: protocol.Position{Line: 2}}), nil); err == nil {
		t.Error("a text with errors has an answer")
	}
	const starts = "file:///w/starts.blif" // as check says of a property
	b.openAs("blif", starts, ".model m\n.inputs d\n.outputs q\n.latch d q\n.end\n")
	b.MustCall("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: starts, Position: protocol.Position{Line: 3, Character: 9}}), &a)
	if a.Message != "q is 1 in step 0 · the start of 1 flip-flop is not given." {
		t.Errorf("%+v", a)
	}
}

// countingData counts from 0 to 5 and again, and has a word of inputs.
const countingData = `aag 14 3 3 0 8 0
2
4
6
8 20
10 24
12 29
14 10 8
16 11 9
18 12 8
20 9 19
22 17 15
24 22 19
26 12 9
28 27 15
i0 data[0]
i1 data[1]
i2 data[2]
l0 count[0]
l1 count[1]
l2 count[2]
`

// TestReachExpression: a run in which an expression holds says so, also when it is played on.
func TestReachExpression(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, countingData)
	reach := func(expression string) (a wire.Reached, err error) {
		err = b.Call("workspace/executeCommand", command(wire.CommandReach.Name, wire.ReachParams{URI: doc, Expression: expression}), &a)
		return a, err
	}
	a, err := reach("count == 3 & data[1]")
	if err != nil || a.Verdict != wire.ReachFound || !strings.HasPrefix(a.Message, "count == 3 & data[1] holds in step ") || a.Run.Expression != "count == 3 & data[1]" {
		t.Fatalf("%+v, %v", a, err)
	}
	if played := b.play(wire.PlayParams{Run: a.Run}); played.Outcome != wire.RunReaches || !strings.HasPrefix(played.Words, a.Message) {
		t.Errorf("%s: %s", played.Outcome, played.Words)
	}
	if a, err := reach("count[0] & !count[0]"); err != nil || a.Verdict != wire.ReachNever || !strings.HasPrefix(a.Message, "count[0] & !count[0] never holds: proved") {
		t.Errorf("%+v, %v", a, err)
	}
	for expression, want := range map[string]string{
		"count == 8": "count == 8, column 10: 8 does not fit count, which has 3 bits: 0 to 7", "count": "count, column 1: count is a word", "cuont": `there is no signal "cuont"`, "prev(count) == 1": "column 1: this is about another step",
	} {
		if _, err := reach(expression); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", expression, err, want)
		}
	}
}

// TestReachBesideErrors: an error on which the answer does not depend forbids none.
func TestReachBesideErrors(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	const beside = "file:///w/beside.blif"
	b.openAs("blif", beside, ".model m\n.inputs a\n.outputs q t\n.latch a q 0\n.names ghost t\n1 1\n.end\n")
	for _, test := range []struct {
		params     wire.ReachParams
		words, err string
	}{
		{wire.ReachParams{Position: protocol.Position{Line: 3, Character: 9}}, "q is 1 in step 1.", ""},
		{wire.ReachParams{Expression: "q & !a"}, "q & !a holds in step 1.", ""},
		{wire.ReachParams{Position: protocol.Position{Line: 4, Character: 13}}, "", "there is an error on line 5: nothing drives ghost"},
		{wire.ReachParams{Position: protocol.Position{Line: 4, Character: 7}}, "", "there is an error on line 5: nothing drives ghost"},
		{wire.ReachParams{Expression: "q | t"}, "", "there is an error on line 5: nothing drives ghost"},
	} {
		test.params.URI = beside
		var a wire.Reached
		err := b.Call("workspace/executeCommand", command(wire.CommandReach.Name, test.params), &a)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: %v, want %s", test.params, err, test.err)
			}
			continue
		}
		if err != nil || a.Message != test.words {
			t.Errorf("%+v: %+v, %v, want %s", test.params, a, err, test.words)
			continue
		}
		var played wire.Played
		b.MustCall("workspace/executeCommand", command(wire.CommandPlay.Name, wire.PlayParams{URI: beside, Run: a.Run}), &played)
		if !strings.HasPrefix(played.Words, test.words) {
			t.Errorf("%s: %s", played.Outcome, played.Words)
		}
	}
}

// TestPlayWords: a word of inputs is set by a number, and random steps are added until an
// expression holds.
func TestPlayWords(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, countingData)
	a := b.play(wire.PlayParams{})
	change := func(x wire.RunChange) (next wire.Played, err error) {
		err = b.Call("workspace/executeCommand", command(wire.CommandPlay.Name, wire.PlayParams{URI: doc, Run: &a.Run, Change: &x}), &next)
		return next, err
	}
	next, err := change(wire.RunChange{Kind: wire.ChangeSet, Word: "data", Value: "6"})
	if err != nil {
		t.Fatal(err)
	}
	a = next
	got := ""
	for _, input := range a.Run.Inputs {
		got += input.Values
	}
	if got != "011" {
		t.Errorf("data is 6 as %s", got)
	}
	for x, want := range map[wire.RunChange]string{
		{Kind: wire.ChangeSet, Word: "data", Value: "8"}:                          "8 does not fit data, which has 3 bits: 0 to 7",
		{Kind: wire.ChangeSet, Word: "data", Value: "six"}:                        `"six" is no value of data: expected a number such as 5, 0x1f or 0b101`,
		{Kind: wire.ChangeSet, Word: "data", Value: "1", Step: 1}:                 "the run has no step 1",
		{Kind: wire.ChangeSet, Word: "dat", Value: "1"}:                           `there is no word "dat"`,
		{Kind: wire.ChangeSet, Word: "count", Value: "1"}:                         "bit 0 of count cannot be set here: only inputs can, and in step 0 latches without a reset",
		{Kind: wire.ChangeUntil, Expression: "data == 9", Steps: 10}:              "data == 9, column 9: 9 does not fit data, which has 3 bits: 0 to 7",
		{Kind: wire.ChangeUntil, Expression: "data == prev(data) + 1", Steps: 10}: "column 9: this is about another step",
	} {
		if _, err := change(x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", x, err, want)
		}
	}
	if a, err := change(wire.RunChange{Kind: wire.ChangeUntil, Expression: "data == 5", Steps: 1000, Seed: 1}); err != nil || a.Words != fmt.Sprintf("data == 5 holds in step %d.", a.Run.Steps-1) {
		t.Errorf("%+v, %v", a.Words, err)
	}
	if a, err := change(wire.RunChange{Kind: wire.ChangeUntil, Expression: "data == 5 & data == 4", Steps: 10, Seed: 1}); err != nil || a.Words != "data == 5 & data == 4 held in none of 10 random steps. That proves nothing: other inputs may make it hold." {
		t.Errorf("%+v, %v", a.Words, err)
	}
}
