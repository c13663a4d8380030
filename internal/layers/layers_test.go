// Package layers holds the code to the plan of ARCHITECTURE.md: which way imports point, how large
// types are and what packages export. What may be imported stands in layers.txt.
package layers_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "aiglens/"

// imports calls visit for each import of each Go file of the module, with the names of packages
// of the module without that of the module.
func imports(t *testing.T, visit func(from, to string, file string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "node_modules", "out", "testdata", ".git", "bin":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(filepath.ToSlash(rel), strings.TrimPrefix(imported, module), path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestImportsPointDownwards holds every import to layers.txt. Tests may import anything
// but the command.
func TestImportsPointDownwards(t *testing.T) {
	p, err := readPlan()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	imports(t, func(from, to, file string) {
		_, isOwn := p.at[to]
		isTest := strings.HasSuffix(file, "_test.go")
		if isOwn {
			seen++
		}
		switch {
		case isTest && to == "cmd/aiglens", isOwn && !isTest && !p.mayImport(from, to):
			t.Errorf("%s imports %s against %s", file, to, planFile)
		case !isTest:
			if r := p.brokenBy(from, to); r != nil {
				t.Errorf("%s imports %s against %s:%d", file, to, planFile, r.line)
			}
		}
	})
	if seen < 500 {
		t.Errorf("only %d imports found: the test looks in the wrong place", seen)
	}
}

// TestEveryPackageHasItsLayer: layers.txt names the packages that there are.
func TestEveryPackageHasItsLayer(t *testing.T) {
	p, err := readPlan()
	if err != nil {
		t.Fatal(err)
	}
	program, err := moduleProgram()
	if err != nil {
		t.Fatal(err)
	}
	for path := range program.packages {
		if _, known := p.at[strings.TrimPrefix(path, module)]; !known {
			t.Errorf("%s stands in no layer of %s", path, planFile)
		}
	}
	for pkg := range p.at {
		if program.packages[module+pkg] == nil {
			t.Errorf("%s names %s, which does not exist", planFile, pkg)
		}
	}
}

// TestAllowedImportsAreUsed: a layer may import what one of its packages does import, and what alone may
// import something does so.
func TestAllowedImportsAreUsed(t *testing.T) {
	p, err := readPlan()
	if err != nil {
		t.Fatal(err)
	}
	used := map[[2]string]bool{}
	need := map[string]bool{} // an only rule and a package
	imports(t, func(from, to, file string) {
		if strings.HasSuffix(file, "_test.go") && p.at[from].layer.name != "Tests" {
			return
		}
		if t, isOwn := p.at[to]; isOwn {
			used[[2]string{p.at[from].layer.name, t.layer.name}] = true
		}
		for _, r := range p.rules {
			if r.isOnly && p.matches(r.what, to) {
				need[fmt.Sprint(r.line, from)] = true
			}
		}
	})
	for i, r := range p.layers {
		for _, below := range r.below {
			if !slices.Contains(p.layers[i+1:], p.layer(below)) {
				t.Errorf("%s: there is no layer %s below %s", planFile, below, r.name)
			} else if !used[[2]string{r.name, below}] {
				t.Errorf("%s may import %s and does not", r.name, below)
			}
		}
	}
	for _, r := range p.rules {
		for _, from := range r.from {
			if r.isOnly && !need[fmt.Sprint(r.line, from)] {
				t.Errorf("%s:%d: %s does not import it", planFile, r.line, from)
			}
			matched := false
			for pkg := range p.at {
				matched = matched || p.matches([]string{from}, pkg)
			}
			if !matched {
				t.Errorf("%s:%d: %s is neither a layer nor a package", planFile, r.line, from)
			}
		}
	}
}
