package horn_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"aiglens/horn/cert"
	"aiglens/horn/horntest"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestFiles solves the real files with each variant, and logs how many of each family it solves among those that z3
// solves. It takes long, and is made when AIGLENS_LONG is set; AIGLENS_SECONDS is the processor time for each file, else 20,
// AIGLENS_VARIANT names the only variant, and AIGLENS_FILES is a regular expression for the names of the only files.
func TestFiles(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("AIGLENS_LONG is not set")
	}
	limit, err := time.ParseDuration(cmp.Or(os.Getenv("AIGLENS_SECONDS"), "20") + "s")
	if err != nil {
		t.Fatal(err)
	}
	only, err := regexp.Compile(os.Getenv("AIGLENS_FILES"))
	if err != nil {
		t.Fatal(err)
	}
	files := horntest.Files(t)
	for _, variant := range horn.Variants() {
		if only := os.Getenv("AIGLENS_VARIANT"); only != "" && only != string(variant) {
			continue
		}
		counts := map[string]map[string]int{}
		for _, file := range files {
			if !only.MatchString(file.Name) {
				continue
			}
			family := filepath.Dir(file.Name)
			t.Run(fmt.Sprintf("%s/%s", variant, file.Name), func(t *testing.T) {
				got := solveFile(t, file, variant, limit)
				if counts[family] == nil {
					counts[family] = map[string]int{}
				}
				counts[family][file.Answer+" "+got]++
			})
		}
		var lines []string
		for family, c := range counts {
			solved := c["sat sat"] + c["unsat unsat"]
			lines = append(lines, fmt.Sprintf("%-16s %2d of %2d, and %d that z3 does not solve: %v", family,
				solved, solved+c["sat unknown"]+c["unsat unknown"], c["unknown sat"]+c["unknown unsat"], c))
		}
		slices.Sort(lines)
		for _, line := range lines {
			t.Logf("%s: %s", variant, line)
		}
	}
}

// solveFile returns the answer for a file, which z3 must not contradict.
func solveFile(t *testing.T, file horntest.File, variant horn.Variant, limit time.Duration) string {
	f, want := syntax.Parse(source.NewText(file.Read(t)), nil), file.Answer
	if f.Structural() != nil {
		return "unknown"
	}
	ctx, stop := shared.WithCPUTime(t, limit)
	outcome, a := certified(t, ctx, f.System(), horn.Options{Variant: variant})
	t.Logf("%s %s in %v: %+v", outcome, a.Reason, stop().Round(time.Millisecond), a.Stats)
	got := outcome.String()
	if f.HasRules() && outcome != cert.Unknown {
		got = map[cert.Outcome]string{cert.Sat: "unsat", cert.Unsat: "sat"}[outcome]
	}
	if got != "unknown" && want != "unknown" && got != want {
		t.Fatalf("%s, z3 says %s", got, want)
	}
	return got
}
