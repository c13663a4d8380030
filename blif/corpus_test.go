package blif_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// faulty lists the files of the corpus that have errors, and why.
var faulty = map[string]struct {
	codes []source.Code
	why   string
}{
	"cudd-adj49.blif":              {[]source.Code{codes.CubeWidth}, "a row has ten literals for nine inputs"},
	"picotrav-not_b.blif":          {[]source.Code{codes.CubeSpaces}, "spaces inside the rows"},
	"gen-yosys-hier-plain.blif":    {[]source.Code{codes.UnknownModel}, "an instance of a black box whose model was not written"},
	"own/extended-attributes.blif": {[]source.Code{codes.UnknownModel}, "an instance of a cell without model"},
	"vtr-micro-mult8_ram8.blif":    {[]source.Code{codes.UnknownModel}, "black boxes without models"},
	"vtr-micro-ndff.blif":          {[]source.Code{codes.UnknownModel}, "black boxes without models"},
	"vtr-micro-sub_tiles.blif":     {[]source.Code{codes.UnknownModel}, "black boxes without models"},
	"vtr-micro-carry_chain.blif":   {[]source.Code{codes.UnknownModel}, "black boxes without models"},
	"vtr-eblif-test.blif":          {[]source.Code{codes.UndrivenSignal}, "a function of names that nothing drives"},
	"vtr-titan-tiny_murax.blif":    {[]source.Code{codes.UndrivenSignal}, "nets that nothing drives"},
}

// TestCorpus reads the valid files of the corpus. One that every reader takes
// has no error; any other has the errors that the table above explains.
func TestCorpus(t *testing.T) {
	seen := 0
	for _, row := range table(t, "READERS.csv") {
		if !strings.HasSuffix(row[0], ".blif") {
			continue
		}
		seen++
		name := strings.TrimPrefix(row[0], "blif/")
		f := bliftest.Open(t, filepath.Join(shared.Dir(t), "corpus", row[0]), blif.Options{})
		acceptedByAll := !slices.ContainsFunc(row[6:9], func(s string) bool { return !strings.HasPrefix(s, "accepted") })
		found := map[source.Code]bool{}
		linted, err := diagnose.Lint(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range slices.Concat(diagnose.Diagnostics(f), linted) {
			if d.Severity != source.Error {
				continue
			}
			if expected := faulty[name]; acceptedByAll || !slices.Contains(expected.codes, d.Code) {
				line, column := f.Text().LineColumn(d.Span.Start)
				t.Errorf("%s:%d:%d: %s: %s", name, line, column, d.Code, d.Message)
			}
			found[d.Code] = true
		}
		for _, code := range faulty[name].codes {
			if !found[code] {
				t.Errorf("%s: no %s, but %s", name, code, faulty[name].why)
			}
		}
		flat.Elaborate(f)
	}
	if seen < 100 {
		t.Errorf("only %d files", seen)
	}
}
