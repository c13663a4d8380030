package docs

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed glossary.md
var glossary string

// exported are the names that a package exports, members of types as "Type.Member", by
// the name of the package. Of two packages with one name it holds those of both.
type exported map[string]map[string]bool

// exports reads every package of the repository.
func exports(t *testing.T) exported {
	t.Helper()
	all := exported{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "bin" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		names := all[f.Name.Name]
		if names == nil {
			names = map[string]bool{}
			all[f.Name.Name] = names
		}
		for _, d := range f.Decls {
			addNames(names, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func addNames(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = true
			return
		}
		names[receiver(d.Recv.List[0].Type)+"."+d.Name.Name] = true
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names[n.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				for _, member := range members(s.Type) {
					names[s.Name.Name+"."+member] = true
				}
			}
		}
	}
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// members returns the fields of a struct and the methods of an interface.
func members(e ast.Expr) (all []string) {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}

var (
	entryPattern      = regexp.MustCompile(`^\*\*([^*]+)\*\*: `)
	identifierPattern = regexp.MustCompile("`([a-z0-9]+)\\.([A-Z]\\w*(?:\\.[A-Z]\\w*)?)`")
	codePattern       = regexp.MustCompile("`[^`]*`")
)

// TestGlossary holds the glossary to the code: every identifier that it names exists,
// every term has at least one, and terms stand in the order of the alphabet.
func TestGlossary(t *testing.T) {
	all := exports(t)
	terms, before := 0, ""
	for _, paragraph := range strings.Split(glossary, "\n\n") {
		paragraph = strings.ReplaceAll(paragraph, "\n", " ")
		for _, found := range identifierPattern.FindAllStringSubmatch(paragraph, -1) {
			if !all[found[1]][found[2]] {
				t.Errorf("no package exports %s.%s", found[1], found[2])
			}
		}
		if strings.HasPrefix(paragraph, "#") {
			before = ""
		}
		entry := entryPattern.FindStringSubmatch(paragraph)
		if entry == nil {
			continue
		}
		terms++
		term := entry[1]
		if key := strings.ToLower(term); key <= before {
			t.Errorf("%s stands after %s", term, before)
		} else {
			before = key
		}
		if !identifierPattern.MatchString(paragraph) {
			t.Errorf("%s names no identifier", term)
		}
		for _, code := range codePattern.FindAllString(paragraph, -1) {
			if strings.Contains(code, ".") && !identifierPattern.MatchString(code) {
				t.Errorf("%s: %s is not an exported identifier such as `circuit.Lit`", term, code)
			}
		}
	}
	if terms < 60 {
		t.Errorf("%d terms: the page is not read as it is written", terms)
	}
}
