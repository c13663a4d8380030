package layers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reader is the one package with goroutines that any other may use: what it starts touches
// nothing but the buffer that it hands over at its end, and its own tests run under the race
// detector.
const reader = module + "internal/files"

// TestSequential: the packages that scripts/test.sh leaves out of the race detector are those that
// have tests and start no goroutine, neither they nor their tests nor any package of ours that these
// use, except in tests that the script runs under the detector by name. A package that their tests
// use beside, and that knows nothing about them, may do so: its goroutines run none of their code.
func TestSequential(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "scripts", "test.sh"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)\nsequential='([^']*)'`).FindSubmatch(script)
	if found == nil {
		t.Fatal("scripts/test.sh has no list of sequential packages")
	}
	raced := map[string]bool{} // tests, as package and name
	for _, m := range regexp.MustCompile(`go test -race -run (\w+) \./(\S+)`).FindAllSubmatch(script, -1) {
		raced[module+string(m[2])+" "+string(m[1])] = true
	}
	p, _ := load(t)
	listed := map[string]bool{}
	for _, path := range strings.Fields(string(found[1])) {
		if listed[path] = true; p.packages[path] == nil {
			t.Errorf("%s is not a package", path)
		}
	}
	started := map[string][]string{} // where the code of a package starts goroutines
	for path, l := range p.packages {
		started[path] = goroutines(t, l.Dir, l.GoFiles, nil)
	}
	for path, l := range p.packages {
		tests := slices.Concat(l.TestGoFiles, l.XTestGoFiles)
		if len(tests) == 0 || path == reader {
			continue
		}
		places := goroutines(t, l.Dir, tests, func(function string) bool { return raced[path+" "+function] })
		for used := range runsWith(p, path) {
			places = append(places, started[used]...)
		}
		switch {
		case listed[path] && len(places) > 0:
			slices.Sort(places)
			t.Errorf("%s is left out of the race detector, and it, its tests or what they use start goroutines:\n%s", path, strings.Join(places, "\n"))
		case !listed[path] && len(places) == 0:
			t.Errorf("%s starts no goroutine: it belongs to the sequential packages in scripts/test.sh", path)
		}
	}
}

// runsWith returns a package, what it imports, and of what its tests use beside that what imports the package.
func runsWith(p *program, path string) map[string]bool {
	own, reached := map[string]bool{}, map[string]bool{}
	reach(p, path, own)
	for _, i := range slices.Concat(p.packages[path].TestImports, p.packages[path].XTestImports) {
		reach(p, i, reached)
	}
	for used := range reached {
		of := map[string]bool{}
		if reach(p, used, of); of[path] {
			own[used] = true
		}
	}
	return own
}

// reach collects a package of the module and all that it imports.
func reach(p *program, path string, reached map[string]bool) {
	l := p.packages[path]
	if l == nil || reached[path] || path == reader {
		return
	}
	reached[path] = true
	for _, i := range l.Imports {
		reach(p, i, reached)
	}
}

// goroutines returns the places in files that start one: a go statement, a call of a method
// Go, and a test that runs beside others. Functions that are exempt are not looked at.
func goroutines(t *testing.T, dir string, names []string, isExempt func(function string) bool) (places []string) {
	fset := token.NewFileSet()
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return isExempt == nil || !isExempt(n.Name.Name)
			case *ast.GoStmt:
				places = append(places, fset.Position(n.Pos()).String())
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Go" || s.Sel.Name == "Parallel" && len(n.Args) == 0) {
					places = append(places, fset.Position(n.Pos()).String())
				}
			}
			return true
		})
	}
	return places
}
