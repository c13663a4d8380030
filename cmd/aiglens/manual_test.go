package main

import (
	"os"
	"strings"
	"testing"

	aiger "aiglens/aiger/syntax"
	"aiglens/blif/codes"
	btor2 "aiglens/btor2/syntax"
	"aiglens/docs"
	horn "aiglens/horn/syntax"
	"aiglens/internal/findings"
)

// TestManual finds every code at its heading in the file that was written.
func TestManual(t *testing.T) {
	folder := t.TempDir()
	explain, err := manual(folder)
	if err != nil {
		t.Fatal(err)
	}
	for format, kinds := range map[string][]findings.Kind{
		"AIGER": aiger.Codes(), "BLIF": codes.Catalogue.Kinds(), "BTOR2": btor2.Catalogue.Kinds(), "SMT-LIB": horn.Catalogue.Kinds(),
	} {
		for _, kind := range kinds {
			path, line, ok := explain(format, string(kind.Code))
			if !ok {
				t.Errorf("%s: %s is not explained", format, kind.Code)
				continue
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Split(string(content), "\n")[line-1]; got != "### "+string(kind.Code) {
				t.Errorf("%s: %s is said to be at line %d, which is %q", format, kind.Code, line, got)
			}
		}
	}
	if _, err := manual(folder); err != nil {
		t.Errorf("the second time: %v", err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != len(docs.Diagnostics) {
		t.Errorf("files %v, %v", files, err)
	}
}
