package layers_test

import (
	"go/ast"
	"go/types"
	"sort"
	"strings"
	"testing"
)

// tight are the packages, with all below them, that export nothing without
// need.
var tight = []string{module + "aiger", module + "blif", module + "internal/findings"}

func isTight(path string) bool {
	for _, prefix := range tight {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return true
		}
	}
	return false
}

// TestExportsAreUsed checks that what the tight packages export is used in
// another folder, if only by a test there: functions, types, constants and
// variables, methods, and fields.
func TestExportsAreUsed(t *testing.T) {
	p, all := load(t)
	u := usage{used: map[types.Object]bool{}}
	for _, c := range all {
		u.collect(c)
	}
	u.spread()
	var unused []string
	count := 0
	for path := range p.packages {
		if !isTight(path) {
			continue
		}
		for _, o := range exportsOf(p.checked[path].types) {
			count++
			if !u.used[o.Object] && !u.satisfies(o) {
				unused = append(unused, p.fset.Position(o.Pos()).String()+": "+o.name())
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d exported names found: the test looks in the wrong place", count)
	}
	sort.Strings(unused)
	for _, name := range unused {
		t.Errorf("%s is exported and used by no other package", name)
	}
}

// export is something that a package exports.
type export struct {
	types.Object
	of *types.TypeName // the type of a method or field, else nil
}

func (e export) name() string {
	if e.of != nil {
		return e.of.Name() + "." + e.Name()
	}
	return e.Name()
}

func exportsOf(pkg *types.Package) (all []export) {
	add := func(o types.Object, of *types.TypeName) {
		if o.Exported() {
			all = append(all, export{o, of})
		}
	}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		add(o, nil)
		of, ok := o.(*types.TypeName)
		if !ok || of.IsAlias() {
			continue
		}
		named, ok := of.Type().(*types.Named)
		if !ok {
			continue
		}
		for m := range named.Methods() {
			add(m, of)
		}
		if s, ok := named.Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				// What has a tag is set by others than the compiler knows of.
				if f := s.Field(i); !f.Embedded() && s.Tag(i) == "" && f.Pkg() == pkg {
					add(f, of)
				}
			}
		}
	}
	return all
}

// usage collects what packages use of others.
type usage struct {
	used       map[types.Object]bool
	interfaces []*types.Interface
}

// use notes a use in package from.
func (u *usage) use(o types.Object, from string) {
	switch v := o.(type) {
	case *types.Func:
		o = v.Origin()
	case *types.Var:
		o = v.Origin()
	}
	if o != nil && o.Pkg() != nil && o.Pkg().Path() != from {
		u.used[o] = true
	}
}

func (u *usage) collect(c *checkedPackage) {
	for _, o := range c.info.Uses {
		u.use(o, c.path)
	}
	for _, s := range c.info.Selections {
		u.usePath(s, c.path)
	}
	for e, t := range c.info.Types {
		u.interfacesOf(t.Type)
		if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
			u.useFields(lit, t.Type, c.path)
		}
	}
}

// usePath notes the embedded fields through which a selector finds a field or a
// method.
func (u *usage) usePath(s *types.Selection, from string) {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		u.use(st.Field(i), from)
		t = st.Field(i).Type()
	}
}

// useFields notes the fields that a composite literal without keys sets.
func (u *usage) useFields(lit *ast.CompositeLit, t types.Type, from string) {
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			u.use(f, from)
		}
	}
}

// interfacesOf notes an interface, or those that the parameters of a function
// are of: what is passed for them must have their methods.
func (u *usage) interfacesOf(t types.Type) {
	switch t := t.(type) {
	case *types.Signature:
		for v := range t.Params().Variables() {
			u.interfacesOf(v.Type())
		}
	case *types.Named:
		if i, ok := t.Underlying().(*types.Interface); ok {
			u.interfacesOf(i)
		}
	case *types.Interface:
		if t.NumMethods() > 0 && t.IsMethodSet() {
			u.interfaces = append(u.interfaces, t)
		}
	}
}

// spread marks the types of what is used as used: a caller of a function
// uses the type of its result, even if it does not write the name.
func (u *usage) spread() {
	var todo []types.Object
	for o := range u.used {
		todo = append(todo, o)
	}
	seen := map[types.Type]bool{}
	var mark func(t types.Type)
	mark = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if o := t.Obj(); !u.used[o] {
				u.used[o] = true
			}
			for a := range t.TypeArgs().Types() {
				mark(a)
			}
		case *types.Alias:
			u.used[t.Obj()] = true
			mark(types.Unalias(t))
		case *types.Signature:
			for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
				for v := range tuple.Variables() {
					mark(v.Type())
				}
			}
		case *types.Map:
			mark(t.Key())
			mark(t.Elem())
		case interface{ Elem() types.Type }:
			mark(t.Elem())
		}
	}
	for _, o := range todo {
		mark(o.Type())
	}
}

// satisfies reports whether a method is there for the sake of an interface.
func (u *usage) satisfies(e export) bool {
	m, ok := e.Object.(*types.Func)
	if !ok || e.of == nil {
		return false
	}
	if e.Name() == "String" || e.Name() == "Error" {
		return true // of fmt.Stringer and error, which fmt looks for
	}
	for _, i := range u.interfaces {
		has := false
		for im := range i.Methods() {
			has = has || im.Name() == m.Name()
		}
		if has && (types.Implements(e.of.Type(), i) || types.Implements(types.NewPointer(e.of.Type()), i)) {
			return true
		}
	}
	return false
}
