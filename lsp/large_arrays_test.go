package lsp

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestLargeArrays: properties of arrays that are too large have lenses and diagnostics as others do. What a text does not decide
// names its own array, though the circuit of another text is the same.
func TestLargeArrays(t *testing.T) {
	archive, err := txtar.ParseFile("../cmd/aiglens/testdata/script/btor2_memory.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	b := newBench(t, nil, func(o *Options) {
		o.Engine = func(engines.Spec) verify.Engine { return engines.NewAuto() }
		o.ExplainProofs = true
	})
	b.Initialize(capable, nil)
	memory, sum := files["memory.btor2"], files["sum.btor2"]
	b.openAs("btor2", doc, memory)
	b.checkAll()
	starts := func(want ...string) func([]string) bool {
		return func(titles []string) bool {
			if len(titles) != len(want) {
				return false
			}
			for i := range want {
				if !strings.HasPrefix(titles[i], want[i]) {
					return false
				}
			}
			return true
		}
	}
	found := []string{"proved", "refuted at step 1", "refuted at step 2", "proved"}
	b.awaitTitles(doc, "the verdicts", starts(found...))
	var said []string
	for _, d := range b.diagnostics(doc) {
		if d.Severity < 4 {
			said = append(said, d.Message)
		}
	}
	if strings.Join(said, "\n") != "five: refuted at step 1\nheld: refuted at step 2" {
		t.Errorf("diagnostics: %q", said)
	}

	b.replace(doc, 2, strings.Replace(memory, "11 constd 3 7", "11 constd 3 4", 1))
	b.awaitTitles(doc, "verdicts of an earlier text", starts("stale · proved", "stale · refuted", "stale · refuted", "stale · proved"))
	b.checkAll()
	b.awaitTitles(doc, "other verdicts", starts("proved", "proved", "proved", "proved"))
	b.replace(doc, 3, memory+"; as before\n")
	b.awaitTitles(doc, "the verdicts again, without a check", starts(found...))

	b.replace(doc, 4, sum)
	b.awaitTitles(doc, "another text", func(titles []string) bool { return len(titles) == 1 })
	b.checkAll()
	unknown := "unknown: the counterexample found is spurious: the array "
	b.awaitTitles(doc, "no answer", starts(unknown+"mem of "))
	b.replace(doc, 5, strings.Replace(sum, " mem\n", " ram\n", 1))
	b.awaitTitles(doc, "an array of another name", starts("stale · "+unknown+"mem of "))
	b.save(doc)
	b.awaitTitles(doc, "no answer about another name", starts(unknown+"ram of "))
}
