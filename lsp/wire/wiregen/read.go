package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// declaration is a type or a message, in the order of the sources. One of the two is nil.
type declaration struct {
	*shape
	*message
}

// shape is a type, in the words of TypeScript.
type shape struct {
	name    string
	doc     string
	alias   string   // what it stands for; empty for an object
	extends []string // objects whose members it has too
	members []member
}

type member struct {
	name     string
	optional bool
	typ      string
	doc      string
}

// message is a command, a request or a notification.
type message struct {
	name   string // of the constant
	doc    string
	kind   string   // Command, Request, ToServer or ToClient
	method string   // on the wire
	types  []string // of the parameters and, where there is one, of the answer
}

// names of the types that Go has and TypeScript calls otherwise.
var names = map[string]string{
	"string": "string", "bool": "boolean", "int": "number", "int32": "number", "uint32": "number", "float64": "number",
	"uri.URI": "string", "None": "null",
	"protocol.Position": "Position", "protocol.Range": "Range", "protocol.Location": "Location",
	"protocol.LSPAny": "unknown",
}

// readFolder reads the declarations of package wire, file by file.
func readFolder(folder string) ([]declaration, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go")) // sorted
	if err != nil {
		return nil, err
	}
	var all []declaration
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		found, err := readFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		all = append(all, found...)
	}
	return all, nil
}

func readFile(file *ast.File) (all []declaration, err error) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			return nil, fmt.Errorf("package wire holds no functions")
		}
		for _, spec := range group.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.TypeParams != nil || s.Name.Name == "None" { // which say what messages are
					continue
				}
				t, err := shapeFrom(s, docOf(s.Doc, group.Doc), wordsOf(file, s.Name.Name))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.Name, err)
				}
				all = append(all, declaration{shape: t})
			case *ast.ValueSpec:
				if group.Tok != token.VAR {
					continue // words of a type
				}
				m, err := messageFrom(s, docOf(s.Doc, group.Doc))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.Names[0], err)
				}
				all = append(all, declaration{message: m})
			}
		}
	}
	return all, nil
}

// docOf returns the text of the first comment, as one paragraph.
func docOf(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		if c != nil {
			return strings.Join(strings.Fields(c.Text()), " ")
		}
	}
	return ""
}

// withoutName takes away what a comment in Go begins with.
func withoutName(name, doc string) string {
	for _, start := range []string{" is ", " are ", " "} {
		if rest, ok := strings.CutPrefix(doc, name+start); ok {
			return sentence(rest)
		}
	}
	return doc
}

// wordsOf returns the constants of a type, as a union; empty when it has none.
func wordsOf(file *ast.File, name string) string {
	var words []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && len(s.Values) == 1 {
			typ, isNamed := s.Type.(*ast.Ident)
			value, isWord := s.Values[0].(*ast.BasicLit)
			if isNamed && isWord && typ.Name == name {
				words = append(words, "'"+strings.Trim(value.Value, `"`)+"'")
			}
		}
		return true
	})
	return strings.Join(words, " | ")
}

func shapeFrom(s *ast.TypeSpec, doc, words string) (*shape, error) {
	t := &shape{name: s.Name.Name, doc: withoutName(s.Name.Name, doc), alias: words}
	object, ok := s.Type.(*ast.StructType)
	if !ok {
		if t.alias != "" {
			return t, nil
		}
		alias, err := typeFrom(s.Type)
		t.alias = alias
		return t, err
	}
	for _, f := range object.Fields.List {
		typ, err := typeFrom(f.Type)
		if err != nil {
			return nil, err
		}
		if len(f.Names) == 0 {
			t.extends = append(t.extends, typ)
			continue
		}
		m, err := memberFrom(f, typ)
		if err != nil {
			return nil, err
		}
		t.members = append(t.members, m)
	}
	return t, nil
}

func memberFrom(f *ast.Field, typ string) (m member, err error) {
	if f.Tag == nil || len(f.Names) != 1 {
		return m, fmt.Errorf("%s has no name in JSON", f.Names[0])
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return m, err
	}
	tag := reflect.StructTag(text)
	name, options, _ := strings.Cut(tag.Get("json"), ",")
	m = member{name: name, optional: options == "omitempty" || options == "omitzero", typ: typ, doc: docOf(f.Doc, f.Comment)}
	if tag.Get("wire") == "or number" {
		m.typ += " | `${number}`"
	}
	_, isPointer := f.Type.(*ast.StarExpr)
	if isPointer && !m.optional {
		m.typ += " | null"
	}
	if options == "omitempty" && !isPointer && (typ == "number" || typ == "boolean") {
		return m, fmt.Errorf("%s: 0 and false are sent with omitempty, which JSON takes for no empty value; use omitzero", name)
	}
	return m, nil
}

// typeFrom is the name of a type in TypeScript. Of a pointer it is that of what it points
// to; whether there is such a thing is up to the member.
func typeFrom(e ast.Expr) (string, error) {
	name := ""
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeFrom(e.X)
	case *ast.ArrayType:
		element, err := typeFrom(e.Elt)
		return element + "[]", err
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = fmt.Sprintf("%v.%s", e.X, e.Sel)
	}
	if known, ok := names[name]; ok {
		return known, nil
	}
	if !ast.IsExported(name) {
		return "", fmt.Errorf("a type that has no name in TypeScript: %q", name)
	}
	return name, nil
}

// prefixes of the variables, which TypeScript has no need of: there the type says it.
var prefixes = []string{"Command", "Request", "Notification"}

func messageFrom(s *ast.ValueSpec, doc string) (*message, error) {
	m := &message{name: s.Names[0].Name}
	value, ok := s.Values[0].(*ast.CompositeLit)
	if !ok || len(value.Elts) != 1 {
		return nil, fmt.Errorf("is no message")
	}
	method, ok := value.Elts[0].(*ast.BasicLit)
	if !ok {
		return nil, fmt.Errorf("has no name")
	}
	m.method = strings.Trim(method.Value, `"`)
	var types []ast.Expr
	var kind ast.Expr
	switch e := value.Type.(type) {
	case *ast.IndexExpr:
		kind, types = e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		kind, types = e.X, e.Indices
	}
	m.kind = fmt.Sprint(kind)
	for _, e := range types {
		typ, err := typeFrom(e)
		if err != nil {
			return nil, err
		}
		m.types = append(m.types, typ)
	}
	m.doc = withoutName(m.name, doc)
	for _, p := range prefixes {
		m.name = strings.TrimPrefix(m.name, p)
	}
	m.name = strings.ToLower(m.name[:1]) + m.name[1:]
	return m, nil
}
