package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordedIn writes a table and reads the peer of a name from it.
func recordedIn(t *testing.T, text, name string) ([]Row, error) {
	t.Helper()
	table := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(table, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return ReadRecorded(table, name)
}

func TestReadRecorded(t *testing.T) {
	rows, err := recordedIn(t, `file,property,expected,tier,p_s,p_verdict,p_kb,q_s
a.aig,o0,safe,one,1.5,safe,2048,x
b.aig,b1,unsafe,,0.5,safe,,
c.aig,b0,,,20.1,unknown,5,
d.aig,b0,,,,,,
`, "p")
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	want := Row{File: "a.aig", Property: "output:0", Tier: "one", Expected: Proved, Checker: "p", Verdict: Proved, Certificate: Recorded, CPU: 1.5, Peak: 2048}
	if rows[0] != want {
		t.Errorf("got %+v", rows[0])
	}
	Cut(rows, math.Inf(1))
	if solved := []bool{rows[0].Solved(), rows[1].Solved(), rows[2].Solved()}; !solved[0] || solved[1] || solved[2] {
		t.Errorf("solved: %v; the second is wrong, the third unknown", solved)
	}
	if !rows[1].Wrong() || rows[1].Failed() || rows[2].Definite() {
		t.Errorf("%+v\n%+v", rows[1], rows[2])
	}
	for name, part := range map[string]string{"q": "a.aig, column q_s", "none": "column none_s"} {
		if _, err := recordedIn(t, "file,q_s\na.aig,x\n", name); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := recordedIn(t, "file,q_s,q_kb\na.aig,1,much\n", "q"); err == nil || !strings.Contains(err.Error(), "q_kb") {
		t.Error(err)
	}
}

// TestCut: at another limit a run that took longer is not solved and counts twice the limit,
// and rows that differ in their limits alone are one checker's.
func TestCut(t *testing.T) {
	rows := []Row{
		{File: "a", Checker: "x", Verdict: Proved, Certificate: Checked, CPU: 3, CPULimit: 4},
		{File: "b", Checker: "x", Verdict: Proved, Certificate: Checked, CPU: 12, CPULimit: 30},
		{File: "c", Checker: "x", Verdict: Unknown, CPU: 4, CPULimit: 4},
		{File: "d", Checker: "x", Verdict: Refuted, Certificate: Checked, CPU: 9, CPULimit: 30},
	}
	Cut(rows, 10)
	groups := Groups(rows)
	if len(groups) != 1 || len(groups[0].Rows) != 4 {
		t.Fatalf("%+v", groups)
	}
	s := Summarize(Medians(groups[0].Rows))
	if s.Solved != 2 || s.PAR2 != (3+20+20+9)/4.0 {
		t.Errorf("%+v", s)
	}
	Scale(rows, 2)
	if s := Summarize(Medians(rows)); s.Solved != 1 || rows[0].CPU != 6 {
		t.Errorf("scaled: %+v", s)
	}
	kept := Only(rows, map[Question]Row{{File: "b"}: {}, {File: "d"}: {}, {File: "e"}: {}})
	if len(kept) != 2 || kept[0].File != "b" || kept[1].File != "d" {
		t.Errorf("kept: %+v", kept)
	}
}
