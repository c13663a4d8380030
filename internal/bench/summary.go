package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Group is the rows of one checker with one set of options.
type Group struct {
	Name string
	Rows []Row
}

// Groups sorts rows by checker. Of a checker whose rows differ in version,
// options or limits, those like its last row count.
func Groups(rows []Row) []Group {
	var groups []Group
	seen := map[string]bool{}
	for i := range slices.Backward(rows) {
		last := &rows[i]
		if seen[last.Checker] {
			continue
		}
		seen[last.Checker] = true
		g := Group{Name: last.Checker}
		for _, r := range rows {
			if r.config() == last.config() {
				g.Rows = append(g.Rows, r)
			}
		}
		groups = append(groups, g)
	}
	first := func(g Group) int { return slices.IndexFunc(rows, func(r Row) bool { return r.Checker == g.Name }) }
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(first(a), first(b)) })
	return groups
}

// config is the run without its task, seed and repeat.
func (r *Row) config() run {
	c := r.run()
	c.file, c.property, c.seed, c.repeat = "", "", 0, 0
	return c
}

// Question is what runs with different checkers and seeds have in common.
type Question struct{ File, Property string }

func (r *Row) question() Question { return Question{r.File, r.Property} }

// Medians returns for each question the row that stands for its runs: the
// median of CPU time, with unsolved runs after all others; of an even number
// the worse one. So a question counts as solved when most of its runs solve it.
// Questions that the checker was not asked are left out.
func Medians(rows []Row) map[Question]Row {
	runs := map[Question][]Row{}
	for _, r := range rows {
		if !r.Asked() {
			continue
		}
		runs[r.question()] = append(runs[r.question()], r)
	}
	medians := map[Question]Row{}
	for q, list := range runs {
		slices.SortStableFunc(list, func(a, b Row) int { return cmp.Compare(a.penalized(), b.penalized()) })
		medians[q] = list[len(list)/2]
	}
	return medians
}

// Summary is what a checker did on a set of questions.
type Summary struct {
	Questions, Solved, Proved, Refuted int
	// PAR2 is the mean CPU time in seconds, an unsolved question counted with
	// twice the limit (penalized average runtime, factor 2).
	PAR2 float64
	// Median and Peak are the medians of CPU seconds and KiB of what is solved.
	Median, Peak float64
}

// Summarize sums up the medians of one checker.
func Summarize(medians map[Question]Row) Summary {
	s := Summary{Questions: len(medians)}
	var times, peaks []float64
	for _, q := range questions(medians) {
		r := medians[q]
		s.PAR2 += r.penalized() / float64(len(medians))
		if !r.Solved() {
			continue
		}
		s.Solved++
		if r.Verdict == Proved {
			s.Proved++
		} else {
			s.Refuted++
		}
		times, peaks = append(times, r.CPU), append(peaks, float64(r.Peak))
	}
	s.Median, s.Peak = median(times), median(peaks)
	return s
}

// questions returns the keys in order, so that sums do not depend on it.
func questions(medians map[Question]Row) []Question {
	list := make([]Question, 0, len(medians))
	for q := range medians {
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b Question) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Property, b.Property))
	})
	return list
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// Unsolved counts the reasons why questions are not solved.
func Unsolved(medians map[Question]Row) map[string]int {
	count := map[string]int{}
	for _, r := range medians {
		switch {
		case r.Solved():
		case r.Wrong():
			count["wrong"]++
		case r.Definite():
			count["beyond a limit"]++
		default:
			// What follows tells one error from another.
			reason, _, _ := strings.Cut(r.Reason, ": ")
			count[reason]++
		}
	}
	return count
}

// Bounds of what counts in a comparison.
const (
	// MinSeconds is the CPU time that one of the two must exceed. Below it
	// starting a process is most of what is measured.
	MinSeconds = 0.1
	// Noise is the ratio of CPU times from which on one is called faster.
	Noise = 1.25
	// floor is the resolution of the times.
	floor = 0.001
)

// Change is a question in two sets of runs.
type Change struct {
	Question
	A, B  Row
	Ratio float64 // CPU time of A by that of B, when both solve it
}

// Pairing compares two sets of runs, A and B, on the questions that both have.
type Pairing struct {
	Questions int
	// Both is how many both solve; Pairs those of them that one takes more than
	// MinSeconds for.
	Both, Pairs int
	// Ratio is the geometric mean over Pairs of the CPU time of A by that of B;
	// 0 without pairs.
	Ratio float64
	// Memory is the median over Both of the peak memory of A by that of B.
	Memory float64
	// OnlyA and OnlyB are solved by one; Faster and Slower are the pairs in which
	// A differs by Noise or more, the largest difference first.
	OnlyA, OnlyB, Faster, Slower []Change
	All                          []Change
}

// Pair compares the medians of two sets of runs.
func Pair(a, b map[Question]Row) Pairing {
	var p Pairing
	var memory []float64
	logSum := 0.0
	for _, q := range questions(a) {
		rb, ok := b[q]
		if !ok {
			continue
		}
		c := Change{Question: q, A: a[q], B: rb}
		p.Questions++
		switch sa, sb := c.A.Solved(), c.B.Solved(); {
		case sa && sb:
			p.Both++
			c.Ratio = max(c.A.CPU, floor) / max(c.B.CPU, floor)
			if c.A.Peak > 0 && c.B.Peak > 0 {
				memory = append(memory, float64(c.A.Peak)/float64(c.B.Peak))
			}
			if max(c.A.CPU, c.B.CPU) <= MinSeconds {
				break
			}
			p.Pairs++
			logSum += math.Log(c.Ratio)
			switch {
			case c.Ratio >= Noise:
				p.Slower = append(p.Slower, c)
			case c.Ratio <= 1/Noise:
				p.Faster = append(p.Faster, c)
			}
		case sa:
			p.OnlyA = append(p.OnlyA, c)
		case sb:
			p.OnlyB = append(p.OnlyB, c)
		}
		p.All = append(p.All, c)
	}
	if p.Pairs > 0 {
		p.Ratio = math.Exp(logSum / float64(p.Pairs))
	}
	p.Memory = median(memory)
	slices.SortStableFunc(p.Faster, func(a, b Change) int { return cmp.Compare(a.Ratio, b.Ratio) })
	slices.SortStableFunc(p.Slower, func(a, b Change) int { return cmp.Compare(b.Ratio, a.Ratio) })
	return p
}

// Fault is a row that shows that something is wrong, and why.
type Fault struct {
	Row  Row
	What string
}

// Faults lists wrong verdicts, then checkers that contradict each other where
// nothing is expected, then crashes and rejected certificates.
func Faults(groups []Group) []Fault {
	var wrong, against, failed []Fault
	first := map[Question]Row{}
	for _, g := range groups {
		for _, r := range g.Rows {
			if r.Failed() {
				what := r.Reason
				if what == "" {
					what = r.Verdict + " without a checked certificate"
				}
				failed = append(failed, Fault{r, what})
			}
			if r.Wrong() {
				wrong = append(wrong, Fault{r, r.Verdict + ", expected " + r.Expected})
			}
			if !r.Definite() || r.Expected != "" {
				continue
			}
			if other, ok := first[r.question()]; !ok {
				first[r.question()] = r
			} else if other.Verdict != r.Verdict {
				against = append(against, Fault{r, r.Verdict + ", but " + other.Checker + " says " + other.Verdict})
			}
		}
	}
	return slices.Concat(wrong, against, failed)
}

// Restrict keeps the medians of a tier.
func Restrict(medians map[Question]Row, tier string) map[Question]Row {
	kept := map[Question]Row{}
	for q, r := range medians {
		if r.Tier == tier {
			kept[q] = r
		}
	}
	return kept
}
