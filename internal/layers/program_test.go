package layers_test

import (
	"slices"
	"testing"
)

// TestNoTemplates: no package of the program imports text/template or html/template. A template
// calls methods by name, so that the linker keeps every exported method of every type: 3.7 MB.
func TestNoTemplates(t *testing.T) {
	linked, err := list("-deps", "./cmd/aiglens")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range linked {
		for _, path := range []string{"text/template", "html/template"} {
			if slices.Contains(l.Imports, path) && l.ImportPath != "html/template" {
				t.Errorf("%s imports %s", l.ImportPath, path)
			}
		}
	}
}
