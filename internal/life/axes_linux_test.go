package life

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// TestAxes walks through both axes on an example: lens, hover, diagnostic and status
// agree at each step, and only what the edit touches is stale.
func TestAxes(t *testing.T) {
	e := start(t, options{})
	text := example(t, "traffic_light.aag")
	f := e.open("file:///w/traffic_light.aag", text)
	e.agree(f)
	if !f.hasTexts("check", "check") {
		t.Errorf("before any check: %+v", f.statuses)
	}
	e.save(f)
	e.awaitTexts(f, "proved…", "proved…")
	e.agree(f)
	e.expectRuns(f, 2)

	// The experiment that the example describes.
	e.edit(f, replaced(text, 21, "36 20 4"))
	e.awaitTexts(f, "stale · proved…", "stale · proved…")
	e.agree(f)
	e.save(f)
	e.awaitTexts(f, "refuted at step 4", "proved…")
	e.agree(f)
	e.expectRuns(f, 4)

	// An error in the cone of both, checked or not, is not a verdict.
	e.edit(f, replaced(text, 21, "36 20 x"))
	e.awaitTexts(f, `unknown: error on line 21: expected operand, found "x"`, `unknown: error on line 21: expected operand, found "x"`)
	e.agree(f)
	e.save(f)
	e.agree(f)
	e.expectRuns(f, 4)

	// Undo brings back the first verdicts without a run, in whatever worker.
	before := e.cpuOfWorkers()
	e.edit(f, replaced(text, 21, "36 20 4"))
	e.awaitTexts(f, "refuted at step 4", "proved…")
	e.edit(f, text)
	e.awaitTexts(f, "proved…", "proved…")
	e.agree(f)
	e.save(f)
	e.agree(f)
	e.expectRuns(f, 4)
	if after := e.cpuOfWorkers(); after-before > 2 { // ticks: an idle runtime has its own
		t.Errorf("the workers have computed for %d ticks", after-before)
	}
}

// TestOutsideTheCone: names, comments and rows that no property depends on leave a
// verdict fresh, whatever they do to the numbers of lines and latches.
func TestOutsideTheCone(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/quick.aag", quick())
	e.save(f)
	e.awaitTexts(f, "refuted at step 2", "proved…")
	mark := e.Mark()
	for _, text := range []string{
		quick() + "c\na comment\n",
		strings.Replace(quick(), "b0 reached", "b0 arrived", 1),
		strings.Replace(quick(), "b1 never\n", "", 1),
		"aag 8 1 7 0 0 2\n16\n" + strings.SplitN(quick(), "\n", 2)[1], // an input that no gate reads
	} {
		e.edit(f, text)
		e.agree(f)
		if !f.hasTexts("refuted at step 2", "proved…") {
			t.Errorf("%q: %+v", text, f.statuses)
		}
	}
	e.save(f)
	e.agree(f)
	e.expectRuns(f, 2)
	for _, m := range e.Received(mark) {
		if m.Method == "aiglens/status" && (strings.Contains(string(m.Params), `"stale"`) || strings.Contains(string(m.Params), `"running"`)) {
			t.Errorf("not fresh for a moment: %s", m.Params)
		}
	}
}

// TestRandomLife does at random what one can do with a file.
func TestRandomLife(t *testing.T) {
	for seed := range int64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { randomLife(t, rand.New(rand.NewSource(seed)), 60) })
	}
}

func randomLife(t *testing.T, r *rand.Rand, steps int) {
	e := start(t, options{})
	n := &netlist{}
	n.bad(n.counter(4, 0), "full")
	n.bad(n.shift(3, 1), "reached")
	n.bad(n.shift(4, 0), "never")
	f := e.open("file:///w/random.aag", n.String())
	past := []string{f.buffer.Text}
	for range steps {
		switch r.Intn(12) {
		case 0, 1, 2:
			e.save(f)
		case 3:
			e.execute("check", f.about(""), nil)
		case 4:
			e.execute("stop", f.about(""), nil)
		case 5:
			e.execute("recheckFailed", f.about(""), nil)
		case 6:
			e.edit(f, past[r.Intn(len(past))]) // undo, or redo
		case 7:
			e.close(f)
			e.open(f.uri, f.buffer.Text)
		case 8:
			e.edit(f, f.buffer.Text+"c\nwords\n")
		default:
			e.edit(f, randomEdit(r, f.buffer.Text))
			past = append(past, f.buffer.Text)
		}
		if r.Intn(3) == 0 {
			e.agree(f)
		}
	}
	e.edit(f, past[0])
	e.save(f)
	e.awaitTexts(f, "refuted at step 15", "refuted at step 2", "proved…")
	e.agree(f)
}

// randomEdit changes one number or one character of the rows above the comment.
func randomEdit(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	line := 1 + r.Intn(min(16, len(lines)-1))
	words := strings.Fields(lines[line])
	switch {
	case r.Intn(5) == 0 || len(words) == 0:
		lines[line] += string("x 1\n"[r.Intn(4)])
	default:
		words[r.Intn(len(words))] = fmt.Sprint(r.Intn(40))
		lines[line] = strings.Join(words, " ")
	}
	return strings.Join(lines, "\n")
}
