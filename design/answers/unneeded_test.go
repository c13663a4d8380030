package answers_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
	"aiglens/design/blifdesign"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

// checked opens a text and checks its first bad.
func checked(t *testing.T, f *design.Format, text string) (*design.Design, verify.Result) {
	t.Helper()
	d := design.New("file:///a", f, 1, source.NewText(text), design.Options{})
	return d, verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: bad0, Engine: engines.NewAuto()}, nil)
}

// randomText returns the lines of an AIGER file with rows that say the same as others, or nothing
// new: two inputs, four latches, a bad, a constraint and gates.
func randomText(r *rand.Rand) []string {
	const first, gates = 14, 24 // literal of the first gate
	last := first + 2*gates
	lines := []string{fmt.Sprintf("aag %d 2 4 0 %d 1 1", last/2-1, gates), "2", "4"}
	for i := range 4 {
		lines = append(lines, randomLatch(r, 6+2*i, last))
	}
	lines = append(lines, fmt.Sprint(r.IntN(last)), fmt.Sprint(2+r.IntN(last-2)))
	for lit := first; lit < last; lit += 2 {
		row := randomGate(r, lit)
		if lit > first && r.IntN(4) == 0 {
			_, operands, _ := strings.Cut(lines[9+r.IntN((lit-first)/2)], " ")
			row = fmt.Sprint(lit, " ", operands)
		}
		lines = append(lines, row)
	}
	return lines
}

func randomLatch(r *rand.Rand, lit, last int) string {
	return fmt.Sprint(lit, r.IntN(last), []int{0, 1, lit}[r.IntN(3)])
}

func randomGate(r *rand.Rand, lit int) string {
	left, right := r.IntN(lit), r.IntN(lit)
	return fmt.Sprint(lit, max(left, right), min(left, right))
}

// TestUnneededBy changes the rows that a proof does not need, all at once and at random: the
// invariant proves the property of the other text as well. With AIGLENS_LONG these are 2,000
// changes.
func TestUnneededBy(t *testing.T) {
	proved, changes, rows := 60, 2, 0
	if os.Getenv("AIGLENS_LONG") != "" {
		proved = 1000
	}
	for seed := uint64(0); proved > 0; seed++ {
		r := rand.New(rand.NewPCG(43, seed))
		lines := randomText(r)
		d, result := checked(t, aigerdesign.Format, strings.Join(lines, "\n")+"\n")
		if result.Checked.Outcome() != cert.Proved {
			continue
		}
		proved--
		u, err := answers.UnneededBy(t.Context(), d, bad0, &result)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		rows += len(u.Rows)
		f, err := answers.FactsOf(t.Context(), d, bad0, &result)
		if err != nil {
			t.Fatal(err)
		}
		for range changes {
			other := slices.Clone(lines)
			for _, row := range u.Rows {
				switch line := d.Text.LineAt(row.Start); {
				case line < 7:
					other[line] = randomLatch(r, 2*line, 62)
				case line == 8:
					other[line] = fmt.Sprint(r.IntN(62))
				default:
					other[line] = randomGate(r, 14+2*(line-9))
				}
			}
			c := design.New("file:///b", aigerdesign.Format, 1, source.NewText(strings.Join(other, "\n")+"\n"), design.Options{}).Circuit()
			var inv cert.Invariant
			for _, clause := range f.Result.Checked.Invariant() {
				var own []circuit.Lit
				for _, l := range clause {
					own = append(own, c.Latches()[d.Circuit().LatchIndex(l.Var())].Lit.NotIf(l.IsNegated()))
				}
				inv = append(inv, own)
			}
			if _, err := cert.Check(t.Context(), c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: inv}); err != nil {
				t.Errorf("seed %d: %v\n%s\nbecame\n%s", seed, err, strings.Join(lines, "\n"), strings.Join(other, "\n"))
			}
		}
	}
	t.Logf("%d rows are not needed", rows)
	if rows == 0 {
		t.Error("every row is needed")
	}
}

// TestJoined: what stands between two rows is none of them, be it a word of a line.
func TestJoined(t *testing.T) {
	const content = ".outputs c1 c2 c3 bad\nrow one\nrow two\n# note\nrow three\n"
	text := source.NewText(content)
	span := func(words string) source.Span {
		return source.Span{Start: strings.Index(content, words), Length: len(words)}
	}
	u := answers.Unneeded{Rows: []source.Span{span("c1"), span("c3"), span("row one"), span("row two"), span("row three")}}
	var got []string
	for _, s := range u.Joined(text) {
		got = append(got, text.Slice(s))
	}
	if want := []string{"c1", "c3", "row one\nrow two", "row three"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

// TestUnneededInInstances: a row of a model is needed as soon as that is so in one of the instances.
// Of two nets that say the same none can change alone.
func TestUnneededInInstances(t *testing.T) {
	const text = `.model top
.inputs go
.outputs bad
# prop: bad bad
.subckt cell a=go q=one
.subckt cell a=go q=two
.names go one same
10 1
.names go one again
10 1
.latch same free 0
.names go two lonely
01 1
.latch lonely alone 0
.names one go bad
11 1
.end
.model cell
.inputs a
.outputs q
.latch d q 0
.names q a d
11 1
.end
`
	d, result := checked(t, blifdesign.Format, text)
	u, err := answers.UnneededBy(t.Context(), d, bad0, &result)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range u.Rows {
		line, _, _ := strings.Cut(text[row.Start:row.End()], "\n")
		rows = append(rows, line)
	}
	if want := []string{".latch same free 0", ".names go two lonely", ".latch lonely alone 0"}; !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	if want := "3 rows can change at once without breaking the proof of bad: 1 of 7 gates, 2 of 3 latches"; !strings.HasPrefix(u.Words("bad"), want) {
		t.Errorf("%s, want %s", u.Words("bad"), want)
	}
	if want := "3 rows can change for bad; only the first are faded"; u.Notice("bad", true) != want {
		t.Errorf("%s, want %s", u.Notice("bad", true), want)
	}
	none := answers.Unneeded{Gates: answers.Share{All: 4}, IsBounded: true}
	if want := "among 4 rows of gates, latches and constraints none was found that can change without breaking the proof of bad; there may be some, because the search was given up"; none.Words("bad") != want {
		t.Errorf("%s, want %s", none.Words("bad"), want)
	}
	if want := "3 rows can change for bad; hover over one for details"; u.Notice("bad", false) != want {
		t.Errorf("%s, want %s", u.Notice("bad", false), want)
	}
}
