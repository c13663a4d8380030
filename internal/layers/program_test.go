package layers_test

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
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

// TestPatterns: what lazy.Pattern is given is a regular expression, and the program compiles none
// at its start.
func TestPatterns(t *testing.T) {
	p, err := moduleProgram()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for path := range p.packages {
		c, err := p.check(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range c.files {
			for _, d := range f.Decls {
				if _, isFunction := d.(*ast.FuncDecl); isFunction {
					continue
				}
				ast.Inspect(d, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					switch types.ExprString(call.Fun) {
					case "lazy.Pattern":
						found++
						if _, err := regexp.Compile(constant.StringVal(c.info.Types[call.Args[0]].Value)); err != nil {
							t.Errorf("%s: %v", p.fset.Position(call.Pos()), err)
						}
					case "regexp.MustCompile":
						t.Errorf("%s: lazy.Pattern would compile it at its first use", p.fset.Position(call.Pos()))
					}
					return true
				})
			}
		}
	}
	if found == 0 {
		t.Error("no lazy.Pattern")
	}
}
