package formats_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/findings"
	"aiglens/internal/shared"
	"aiglens/internal/source"
	"aiglens/lsp/settings"
)

// mayBeSecond are files in which an error follows from another, so that the text alone
// does not show it.
var mayBeSecond = map[string]bool{"blif-latch-one-argument.blif": true}

// TestFaultsAreShown: the error that forbids a verdict is among the diagnostics of the text,
// word for word, or one that only the flattened circuit can show. What is both is
// there once.
func TestFaultsAreShown(t *testing.T) {
	faults := 0
	for _, folder := range []string{"aiger", "blif", "broken", "fuzz"} {
		err := filepath.WalkDir(filepath.Join(shared.Dir(t), "corpus", folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			f := formats.All().ByPath(path)
			if info, err := e.Info(); err != nil || f == nil || info.Size() > 200_000 || strings.HasSuffix(path, ".gz") {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			d := design.New("file://"+path, f, 1, source.NewText(strings.ToValidUTF8(string(content), "\uFFFD")), settings.Default().Document)
			faults += expectFaultsShown(t, d)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if faults < 40 {
		t.Errorf("only %d errors forbid verdicts", faults)
	}
}

func expectFaultsShown(t *testing.T, d *design.Design) (n int) {
	t.Helper()
	if err := d.Lint(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := d.Diagnostics()
	for _, p := range d.Properties() {
		fault := d.Fault(p.ID)
		if fault == nil {
			continue
		}
		n++
		if fault.Severity != source.Error || fault.Brief() == "" {
			t.Errorf("%s, %s: %+v forbids a verdict", d.URI, p.Name, fault)
		}
		if len(findings.Union(found, []source.Diagnostic{*fault})) > len(found) && fault.Code != "clocks" && !mayBeSecond[filepath.Base(d.URI)] {
			t.Errorf("%s, %s: %s[%s] is not among the diagnostics", d.URI, p.Name, fault.Message, fault.Code)
		}
	}
	return n
}
