package bench

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// rowOf reads "checker file verdict cpu expected seed" with a limit of 10 s.
func rowOf(checker, file, verdict string, cpu float64, expected string, seed int64) Row {
	r := Row{Checker: checker, File: file, Verdict: verdict, CPU: cpu, Expected: expected, Seed: seed, CPULimit: 10, Peak: 1000}
	if r.Definite() {
		r.Certificate = Checked
	}
	return r
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestSolved(t *testing.T) {
	good := rowOf("aiglens", "f", Proved, 1, "", 0)
	for _, test := range []struct {
		name           string
		change         func(*Row)
		solved, failed bool
	}{
		{"proved", func(*Row) {}, true, false},
		{"at the limit", func(r *Row) { r.CPU = 10 }, true, false},
		{"late", func(r *Row) { r.CPU = 10.001 }, false, false},
		{"unknown", func(r *Row) { r.Verdict, r.Certificate = Unknown, "" }, false, false},
		{"as expected", func(r *Row) { r.Expected = Proved }, true, false},
		{"wrong", func(r *Row) { r.Expected = Refuted }, false, false},
		{"unchecked", func(r *Row) { r.Certificate = Unchecked }, false, true},
		{"unchecked peer", func(r *Row) { r.Certificate, r.Checker = Unchecked, ABC }, true, false},
		{"rejected", func(r *Row) { r.Verdict, r.Certificate = Unknown, Rejected }, false, true},
		{"crash", func(r *Row) { r.Verdict, r.Certificate, r.Reason = Unknown, "", crash+"signal: killed" }, false, true},
		{"memory within", func(r *Row) { r.MemoryLimit = 1000 }, true, false},
		{"memory beyond", func(r *Row) { r.MemoryLimit = 999 }, false, false},
	} {
		r := good
		test.change(&r)
		if r.Solved() != test.solved || r.Failed() != test.failed {
			t.Errorf("%s: solved %v, failed %v, want %v, %v", test.name, r.Solved(), r.Failed(), test.solved, test.failed)
		}
	}
}

func TestMedians(t *testing.T) {
	for _, test := range []struct {
		name  string
		times []float64 // negative: unknown
		want  float64   // penalized time of the median
	}{
		{"one", []float64{3}, 3},
		{"three", []float64{5, 1, 2}, 2},
		{"even takes the worse", []float64{1, 2}, 2},
		{"most solve", []float64{-1, 4, 1}, 4},
		{"half is not most", []float64{1, -1}, 20},
		{"most do not", []float64{-1, 1, -1}, 20},
	} {
		var rows []Row
		for seed, cpu := range test.times {
			verdict := Proved
			if cpu < 0 {
				verdict = Unknown
			}
			rows = append(rows, rowOf("a", "f", verdict, cpu, "", int64(seed)))
		}
		m := Medians(rows)
		r := m[Question{File: "f"}]
		if len(m) != 1 || r.penalized() != test.want {
			t.Errorf("%s: %d questions, median %v, want %v", test.name, len(m), r.penalized(), test.want)
		}
	}
	r := rowOf("abc", "f", Unknown, 0, "", 0)
	r.Reason = notAsked + "why"
	if m := Medians([]Row{r}); len(m) != 0 {
		t.Errorf("a question that was not asked has a median: %v", m)
	}
}

func TestSummarize(t *testing.T) {
	s := Summarize(Medians([]Row{
		rowOf("a", "f1", Proved, 1, Proved, 0),
		rowOf("a", "f2", Refuted, 3, "", 0),
		rowOf("a", "f3", Unknown, 10.2, "", 0),
		rowOf("a", "f4", Proved, 1, Refuted, 0), // wrong
	}))
	want := Summary{Questions: 4, Solved: 2, Proved: 1, Refuted: 1, PAR2: (1 + 3 + 20 + 20) / 4.0, Median: 2, Peak: 1000}
	if s != want {
		t.Errorf("got %+v\nwant %+v", s, want)
	}
	late, failed, odd := rowOf("a", "f5", Proved, 11, "", 0), rowOf("a", "f6", Unknown, 1, "", 0), rowOf("a", "f7", Unknown, 1, "", 0)
	failed.Reason, odd.Reason = "error: f6: no header", "error: f7: truncated"
	got := Unsolved(Medians([]Row{late, failed, odd, rowOf("a", "f1", Proved, 1, Proved, 0), rowOf("a", "f2", Proved, 1, Refuted, 0)}))
	if want := map[string]int{"beyond a limit": 1, "error": 2, "wrong": 1}; !maps.Equal(got, want) {
		t.Errorf("unsolved %v, want %v", got, want)
	}
	if s := Summarize(nil); s != (Summary{}) {
		t.Errorf("of nothing: %+v", s)
	}
}

func TestPair(t *testing.T) {
	a := Medians([]Row{
		rowOf("a", "faster", Proved, 1, "", 0),
		rowOf("a", "slower", Proved, 8, "", 0),
		rowOf("a", "much slower", Proved, 0.9, "", 0),
		rowOf("a", "alike", Refuted, 1, "", 0),
		rowOf("a", "short", Proved, 0.1, "", 0),
		rowOf("a", "won", Proved, 2, "", 0),
		rowOf("a", "lost", Unknown, 10, "", 0),
		rowOf("a", "neither", Unknown, 10, "", 0),
		rowOf("a", "alone", Proved, 1, "", 0),
	})
	b := Medians([]Row{
		rowOf("b", "faster", Proved, 4, "", 0),
		rowOf("b", "slower", Proved, 4, "", 0),
		rowOf("b", "much slower", Proved, 0, "", 0), // below the resolution of 1 ms
		rowOf("b", "alike", Refuted, 1, "", 0),
		rowOf("b", "short", Proved, 0.01, "", 0), // neither above 0.1 s
		rowOf("b", "won", Unknown, 10, "", 0),
		rowOf("b", "lost", Proved, 2, "", 0),
		rowOf("b", "neither", Unknown, 10, "", 0),
	})
	p := Pair(a, b)
	if p.Questions != 8 || p.Both != 5 || p.Pairs != 4 || p.Memory != 1 {
		t.Errorf("%d questions, %d by both, %d pairs, memory %v", p.Questions, p.Both, p.Pairs, p.Memory)
	}
	if want := math.Pow(0.25*2*900*1, 0.25); !near(p.Ratio, want) {
		t.Errorf("ratio %v, want %v", p.Ratio, want)
	}
	names := func(list []Change) string {
		var s []string
		for _, c := range list {
			s = append(s, c.File)
		}
		return strings.Join(s, ",")
	}
	for _, list := range []struct {
		got  []Change
		want string
	}{{p.Faster, "faster"}, {p.Slower, "much slower,slower"}, {p.OnlyA, "won"}, {p.OnlyB, "lost"}} {
		if names(list.got) != list.want {
			t.Errorf("got %s, want %s", names(list.got), list.want)
		}
	}
	if p := Pair(a, nil); p.Questions != 0 || p.Ratio != 0 {
		t.Errorf("against nothing: %+v", p)
	}
	// Turned around, the ratio is the inverse.
	if q := Pair(b, a); !near(q.Ratio*p.Ratio, 1) {
		t.Errorf("ratios %v and %v", p.Ratio, q.Ratio)
	}
}

func TestFaults(t *testing.T) {
	crashed := rowOf("a", "f4", Unknown, 1, "", 0)
	crashed.Reason = crash + "exit code 66"
	faults := Faults([]Group{
		{Name: "a", Rows: []Row{
			crashed,
			rowOf("a", "f1", Proved, 1, Refuted, 3),
			rowOf("a", "f2", Proved, 1, "", 0),
			rowOf("a", "f3", Proved, 1, Proved, 0),
		}},
		{Name: "b", Rows: []Row{
			rowOf("b", "f2", Refuted, 1, "", 0),
			rowOf("b", "f3", Unknown, 1, Proved, 0),
		}},
	})
	var got []string
	for _, f := range faults {
		got = append(got, f.Row.Checker+" "+f.Row.File+" "+f.What)
	}
	want := []string{"a f1 proved, expected refuted", "b f2 refuted, but a says proved", "a f4 crash: exit code 66"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestGroups(t *testing.T) {
	old := rowOf("a", "f1", Proved, 1, "", 0)
	old.Version = "1"
	now := rowOf("a", "f1", Proved, 2, "", 0)
	now.Version = "2"
	also := rowOf("a", "f2", Proved, 2, "", 5)
	also.Version = "2"
	peer := rowOf("b", "f1", Proved, 3, "", 0)
	groups := Groups([]Row{old, now, peer, also})
	if len(groups) != 2 || groups[0].Name != "a" || groups[1].Name != "b" {
		t.Fatalf("groups %+v", groups)
	}
	if !slices.Equal(groups[0].Rows, []Row{now, also}) {
		t.Errorf("rows of the last version: %+v", groups[0].Rows)
	}
}
