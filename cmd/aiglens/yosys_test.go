package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit/cert"
	"aiglens/internal/shared"
)

// TestYosys compares the verdicts on the BLIF that Yosys writes of a design with those on its AIGER,
// which has all initial values. BLIF may lack them, and parts: then a property may fail that holds,
// and the verdict says so. None that fails may hold.
func TestYosys(t *testing.T) {
	aigs, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "yosys", "*.aig"))
	if err != nil {
		t.Fatal(err)
	}
	compared, remarked, unmapped := 0, 0, 0
	for _, aig := range aigs {
		base := strings.TrimSuffix(aig, ".aig")
		if info, err := os.Stat(aig); err != nil || info.Size() == 0 || strings.Contains(filepath.Base(base), ".") || strings.HasPrefix(filepath.Base(base), "abc") {
			continue // what Yosys could not write, and the same with other options
		}
		wanted := verdictsOf(t, aig)
		blifs, err := filepath.Glob(base + ".*blif")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range blifs {
			isUnmapped := strings.HasSuffix(file, ".ok.blif")
			for property, got := range verdictsOf(t, file) {
				want, ok := wanted[property]
				if !strings.HasPrefix(property, "bad") {
					continue
				}
				isRemarked := got.Starts > 0 || got.LeftOpen
				switch {
				case !ok:
					t.Errorf("%s: %s is not in the AIGER", file, property)
				case got.Verdict == cert.Unknown.String():
					if isUnmapped || !strings.HasSuffix(file, ".vcc.blif") { // a net that other tools know
						t.Errorf("%s: %s is unknown: %s", file, property, got.Reason)
					}
				case got.Verdict != want.Verdict && (!isRemarked || got.Verdict != cert.Refuted.String() || isUnmapped):
					t.Errorf("%s: %s is %s, and %s in the AIGER", file, property, got.Verdict, want.Verdict)
				case isUnmapped && isRemarked:
					t.Errorf("%s: %s may be due to what is left open", file, property)
				default:
					compared++
				}
				if got.Verdict != want.Verdict && isRemarked {
					remarked++
				}
				if isUnmapped {
					unmapped++
				}
			}
		}
	}
	if compared < 40 || remarked < 10 || unmapped < 5 {
		t.Errorf("%d verdicts compared, %d of them differ with a remark, %d of files after dffunmap", compared, remarked, unmapped)
	}
}

// verdictsOf checks a file without a cache and returns the answers by property.
func verdictsOf(t *testing.T, file string) map[string]jsonAnswer {
	t.Helper()
	var out bytes.Buffer
	run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard}, []string{"check", "--no-cache", "--format", "json", file})
	all := map[string]jsonAnswer{}
	for lines := json.NewDecoder(&out); lines.More(); {
		var a jsonAnswer
		if err := lines.Decode(&a); err != nil {
			t.Fatal(err)
		}
		all[a.Property.Kind+string(rune('0'+a.Property.Index))] = a
	}
	return all
}
