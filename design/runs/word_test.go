package runs_test

import (
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/source"
)

// shuffled is a circuit whose latches each take the value of another one or of the input, negated
// or not, in words with offsets and gaps.
type shuffled struct {
	text  string
	from  []int    // of each latch: another one; -1 is the input
	not   []bool   // of each latch
	bits  [][]int  // of each word: latches by index from offset on; -1 for one that is missing
	names []string // of the words
}

func newShuffled(r *rand.Rand) shuffled {
	var c shuffled
	var names []string
	n := 4 + r.Intn(20)
	for free := n; free > 0; {
		w := []int{}
		name, offset := fmt.Sprintf("w%d", len(names)), r.Intn(3)
		for len(w) < 2 || free > 0 && r.Intn(4) > 0 {
			if len(w) > 0 && w[len(w)-1] >= 0 && free > 0 && r.Intn(5) == 0 {
				w = append(w, -1)
				continue
			}
			if free == 0 {
				n++
				free++
			}
			names = append(names, fmt.Sprintf("%s[%d]", name, offset+len(w)))
			w = append(w, len(names)-1)
			free--
		}
		for w[len(w)-1] < 0 {
			w = w[:len(w)-1]
		}
		if len(w) > 1 {
			c.bits, c.names = append(c.bits, w), append(c.names, name)
		}
	}
	var rows, symbols strings.Builder
	for i := range names {
		from, not := r.Intn(len(names)+1)-1, r.Intn(2)
		c.from, c.not = append(c.from, from), append(c.not, not == 1)
		fmt.Fprintf(&rows, "%d %d\n", 2*i+4, 2*from+4+not)
		fmt.Fprintf(&symbols, "l%d %s\n", i, names[i])
	}
	c.text = fmt.Sprintf("aag %d 1 %d 0 0\n2\n%s%s", len(names)+1, len(names), &rows, &symbols)
	return c
}

// after returns the latches in each step.
func (c shuffled) after(inputs []bool) (all [][]bool) {
	state := make([]bool, len(c.from))
	for _, in := range inputs {
		all = append(all, state)
		next := make([]bool, len(state))
		for i, from := range c.from {
			if next[i] = in != c.not[i]; from >= 0 {
				next[i] = state[from] != c.not[i]
			}
		}
		state = next
	}
	return all
}

// TestRandomWords compares the words of runs, and the bits that traces have of them, with a
// simulation of their own.
func TestRandomWords(t *testing.T) {
	seeds := int64(500)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 10_000
	}
	for seed := range seeds {
		r := rand.New(rand.NewSource(seed))
		c := newShuffled(r)
		d, err := formats.All().Open(t.Context(), "a.aag", []byte(c.text), design.Opening{})
		if err != nil {
			t.Fatal(err)
		}
		known, err := words.Of(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		inputs := make([]bool, 8)
		run := cert.Trace{Initial: make([]circuit.Value, len(c.from))}
		for step := range inputs {
			inputs[step] = r.Intn(2) == 1
			run.Inputs = append(run.Inputs, []circuit.Value{circuit.ValueOf(inputs[step])})
		}
		x, err := runs.NewRun(t.Context(), d.Circuit(), run, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkChanges(t, d, x, len(inputs))
		signals, _, err := runs.RunSignals(t.Context(), d, x, 1000, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		traced, err := runs.TraceWords(t.Context(), d, signals)
		if err != nil || len(traced) != len(c.bits) {
			t.Fatalf("seed %d: %d words, expected %d: %v\n%s", seed, len(traced), len(c.bits), err, c.text)
		}
		for step, state := range c.after(inputs) {
			for i, bits := range c.bits {
				want, isWhole := new(big.Int), true
				for k, latch := range bits {
					if isWhole = isWhole && latch >= 0; latch >= 0 && state[latch] {
						want.SetBit(want, k, 1)
					}
				}
				w, ok := known.Named(c.names[i])
				if !ok {
					t.Fatalf("seed %d: no word %s\n%s", seed, c.names[i], c.text)
				}
				value, _ := x.WordValue(w, step)
				if got := words.Number(w, value); isWhole && got != want.String() {
					t.Errorf("seed %d: %s is %s in step %d, expected %v", seed, w.Name, got, step, want)
				}
				for k, latch := range bits {
					if latch >= 0 && value[k] != circuit.ValueOf(state[latch]) || latch < 0 && value[k] != circuit.X {
						t.Errorf("seed %d: bit %d of %s is %v in step %d", seed, k, w.Name, value[k], step)
					}
				}
			}
			for _, w := range traced {
				value, _ := x.WordValue(w.Word, step)
				for k, b := range w.Bits {
					if shown := b.Signal >= 0; shown == w.Word.Bits[k].Missing || shown && signals[b.Signal].Values[step].NotIf(b.Negated) != value[k] {
						t.Errorf("seed %d: bit %d of %s in a trace is %+v", seed, k, w.Word.Name, b)
					}
				}
			}
		}
	}
}

// checkChanges compares the changes of what a text shows of its signals with the values in steps that
// follow each other.
func checkChanges(t *testing.T, d *design.Design, x *runs.Run, steps int) {
	t.Helper()
	inWords, err := x.WordsInText(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for o := range d.OccurrencesIn(source.SpanFromTo(0, d.Text.Len())) {
		var want []int
		for step := 1; step < steps; step++ {
			copied, _, ok := x.Copy(d, o.Lit)
			before, _ := x.Value(copied.Lit, step-1)
			now, _ := x.Value(copied.Lit, step)
			isNew := ok && before != now
			if p, isBit := inWords.At(o.Lit); isBit {
				before, _ := x.WordValue(p.Word, step-1)
				now, _ := x.WordValue(p.Word, step)
				isNew = !slices.Equal(before, now)
			}
			if isNew {
				want = append(want, step)
			}
		}
		if got, err := inWords.Changes(t.Context(), o.Lit, steps); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v changes in %v, want %v; %v\n%s", o.Lit, got, want, err, d.Text.Content())
		}
		p, isBit := inWords.At(o.Lit)
		if !isBit {
			continue
		}
		step, next, previous := steps/2, -1, -1
		for _, change := range want {
			if change < step {
				previous = change
			} else if change > step && next < 0 {
				next = change
			}
		}
		m, inside, err := x.MomentOfWord(t.Context(), p.Word, step, steps)
		if err != nil || inside && (m.Next != next || m.Previous != previous) {
			t.Fatalf("%s at step %d changes in %d and %d, want %d and %d; %v", p.Word.Name, step, m.Previous, m.Next, previous, next, err)
		}
	}
}

// TestChangesInLoops looks for the changes of words in many rounds of a loop, and of a loop whose
// rounds differ.
func TestChangesInLoops(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		c := newShuffled(r)
		if len(c.from) > 8 {
			continue
		}
		header, rest, _ := strings.Cut(c.text, "\n")
		first, symbols, hasSymbols := strings.Cut(rest, "l0 ")
		text := header + " 0 0 1\n" + first + "1\n4\n"
		if hasSymbols {
			text += "l0 " + symbols
		}
		d, err := formats.All().Open(t.Context(), "a.aag", []byte(text), design.Opening{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Elaborate(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := explicit.Answer(circuit.Problem{Circuit: d.Circuit(), Question: circuit.Liveness})
		if found.Outcome != cert.Refuted {
			continue
		}
		p := circuit.Property{Kind: circuit.PropertyJustice}
		lasso, _, err := trace.MinimizeLasso(t.Context(), d.Circuit(), d.Circuit().Goals(0), *found.Lasso, 0)
		if err != nil {
			t.Fatal(err)
		}
		checked, err := cert.Check(t.Context(), d.Circuit(), p, cert.Verdict{Outcome: cert.Refuted, Lasso: &lasso})
		if err != nil {
			t.Fatal(err)
		}
		x, ok := runs.NewCounterexample(t.Context(), d.Circuit(), p, verify.Result{Checked: checked})
		if !ok {
			t.Fatal("no counterexample")
		}
		for _, steps := range []int{1, x.Steps(), x.Recorded(), x.Recorded() + 1, 3*x.Recorded() + 2} {
			checkChanges(t, d, &x.Run, steps)
		}
	}
}

// TestOtherNamesOfBits: a signal has a part in a word only under the name of the bit, even where
// another name of it begins as the word does.
func TestOtherNamesOfBits(t *testing.T) {
	const text = `.model top
.inputs a b
.outputs queue q[2] alias
.latch a q[0] 0
.latch b q[1] 0
.names q[0] q[2]
1 1
.names q[1] queue
1 1
.names q[1] alias
1 1
.end
`
	d, err := formats.All().Open(t.Context(), "a.blif", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	run := cert.Trace{Initial: make([]circuit.Value, 2), Inputs: [][]circuit.Value{{circuit.Zero, circuit.One}}}
	x, err := runs.NewRun(t.Context(), d.Circuit(), run, nil)
	if err != nil {
		t.Fatal(err)
	}
	inWords, err := x.WordsInText(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var bits []string
	for o := range d.OccurrencesIn(source.SpanFromTo(0, d.Text.Len())) {
		if p, ok := inWords.At(o.Lit); ok && o.Role == design.RoleDefinition {
			bits = append(bits, fmt.Sprintf("%s is bit %d of %s", d.Name(o.Lit.Signal()), p.Position, p.Word.Name))
		}
	}
	want := []string{"q[0] is bit 0 of q", "q[1] is bit 1 of q", "q[2] is bit 2 of q"}
	if !slices.Equal(bits, want) {
		t.Errorf("%q, want %q", bits, want)
	}
}
