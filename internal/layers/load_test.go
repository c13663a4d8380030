package layers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// program is the module with the types of its packages and of their tests. The
// packages of the module are read from their sources, so that an object is the
// same wherever it is used; all others from what the compiler has exported.
type program struct {
	fset     *token.FileSet
	packages map[string]*listed // of the module, by import path
	exported map[string]string  // files of the compiler, by import path
	checked  map[string]*checkedPackage
	other    types.Importer
}

// checkedPackage is a package with the types of its files, or its tests.
type checkedPackage struct {
	path  string // without the ending of external tests
	test  bool
	types *types.Package
	files []*ast.File
	info  *types.Info
}

// moduleProgram loads the module once for all tests.
var moduleProgram = sync.OnceValues(func() (*program, error) {
	own, err := list("./...")
	if err != nil {
		return nil, err
	}
	p := &program{
		fset: token.NewFileSet(), packages: map[string]*listed{}, exported: map[string]string{}, checked: map[string]*checkedPackage{},
	}
	needed := map[string]bool{}
	for _, l := range own {
		p.packages[l.ImportPath] = l
		for _, imports := range [][]string{l.Imports, l.TestImports, l.XTestImports} {
			for _, path := range imports {
				needed[path] = true
			}
		}
	}
	args := []string{"-deps", "-export"}
	for path := range needed {
		if !strings.HasPrefix(path, module) && path != "C" && path != "unsafe" {
			args = append(args, path)
		}
	}
	others, err := list(args...)
	if err != nil {
		return nil, err
	}
	for _, l := range others {
		p.exported[l.ImportPath] = l.Export
	}
	p.other = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(p.exported[path]) })
	return p, nil
})

// list runs go list in the root of the module.
func list(args ...string) (all []*listed, err error) {
	const fields = "-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"
	cmd := exec.Command("go", append([]string{"list", fields}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New(problems.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		switch err := d.Decode(&l); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, &l)
	}
}

// Import returns a package for the type checker.
func (p *program) Import(path string) (*types.Package, error) {
	if p.packages[path] == nil {
		return p.other.Import(path)
	}
	c, err := p.check(path)
	return c.types, err
}

// check returns a package of the module without its tests.
func (p *program) check(path string) (*checkedPackage, error) {
	if c := p.checked[path]; c != nil {
		return c, nil
	}
	l := p.packages[path]
	c, err := p.checkFiles(l, path, l.GoFiles, p)
	p.checked[path] = c
	return c, err
}

// checkTests returns the tests of a package, those in it and the external ones.
// Where both kinds meet, types that are the same are not for the checker, so
// that its errors say nothing.
func (p *program) checkTests(path string) []*checkedPackage {
	l := p.packages[path]
	var tests []*checkedPackage
	for _, files := range [][]string{append(l.GoFiles[:len(l.GoFiles):len(l.GoFiles)], l.TestGoFiles...), l.XTestGoFiles} {
		if len(files) > 0 {
			c, _ := p.checkFiles(l, path, files, p)
			c.test = true
			tests = append(tests, c)
		}
	}
	return tests
}

func (p *program) checkFiles(l *listed, path string, names []string, from types.Importer) (*checkedPackage, error) {
	c := &checkedPackage{path: path, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, name := range names {
		f, err := parser.ParseFile(p.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return c, err
		}
		c.files = append(c.files, f)
	}
	var first error
	conf := types.Config{Importer: from, FakeImportC: true, Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	c.types, _ = conf.Check(path, p.fset, c.files, c.info)
	return c, first
}

// load returns the program and all packages of the module, tests included.
func load(t *testing.T) (*program, []*checkedPackage) {
	t.Helper()
	p, err := moduleProgram()
	if err != nil {
		t.Fatal(err)
	}
	var all []*checkedPackage
	for path := range p.packages {
		c, err := p.check(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(append(all, c), p.checkTests(path)...)
	}
	return p, all
}
