package layers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reader is the one package with goroutines that any other may use: what it starts touches
// nothing but the buffer that it hands over at its end, and its own tests run under the race
// detector.
const reader = module + "internal/files"

// TestSequential: the packages that scripts/test.sh leaves out of the race detector start no
// goroutine, neither they nor their tests nor any package of ours that these use, except in
// tests that the script runs under the detector by name. A package that their tests use beside,
// and that knows nothing about them, may do so: its goroutines run none of their code.
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
	sequential := strings.Fields(string(found[1]))
	if len(sequential) < 10 {
		t.Errorf("only %q are sequential", sequential)
	}
	for _, path := range sequential {
		l := p.packages[path]
		if l == nil {
			t.Errorf("%s is not a package", path)
			continue
		}
		tests := append(l.TestGoFiles[:len(l.TestGoFiles):len(l.TestGoFiles)], l.XTestGoFiles...)
		for _, where := range goroutines(t, l.Dir, tests, func(function string) bool { return raced[path+" "+function] }) {
			t.Errorf("the tests of %s start goroutines: %s", path, where)
		}
		own, reached := map[string]bool{}, map[string]bool{}
		reach(p, path, own)
		for _, imports := range [][]string{l.TestImports, l.XTestImports} {
			for _, i := range imports {
				reach(p, i, reached)
			}
		}
		for used := range reached {
			of := map[string]bool{}
			if reach(p, used, of); of[path] {
				own[used] = true
			}
		}
		for used := range own {
			for _, where := range goroutines(t, p.packages[used].Dir, p.packages[used].GoFiles, nil) {
				t.Errorf("%s uses %s, which starts goroutines: %s", path, used, where)
			}
		}
	}
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
