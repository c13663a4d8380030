package layers_test

import (
	"go/types"
	"strings"
	"testing"
)

// Bounds of a type of the server: what has more does more than one thing.
const (
	maxMethods = 40
	maxFields  = 15
)

// plain are the types with methods that may have more fields: they are written once, and
// then only read.
var plain = map[string]bool{"lsp.Options": true, "lsp.view": true}

// TestTypesAreSmall counts the methods and fields of the types of the server. A package may have
// as many files as there are things in it; what has state has a bound.
func TestTypesAreSmall(t *testing.T) {
	p, _ := load(t)
	count := 0
	for path := range p.packages {
		pkg := strings.TrimPrefix(path, module)
		if pkg != "lsp" && !strings.HasPrefix(pkg, "lsp/") {
			continue
		}
		scope := p.checked[path].types.Scope()
		for _, name := range scope.Names() {
			of, isType := scope.Lookup(name).(*types.TypeName)
			if !isType || of.IsAlias() {
				continue
			}
			named, isNamed := of.Type().(*types.Named)
			if !isNamed {
				continue
			}
			count++
			if n := named.NumMethods(); n > maxMethods {
				t.Errorf("%s.%s has %d methods; a type has at most %d", pkg, name, n, maxMethods)
			}
			s, isStruct := named.Underlying().(*types.Struct)
			if isStruct && named.NumMethods() > 0 && s.NumFields() > maxFields && !plain[pkg+"."+name] {
				t.Errorf("%s.%s has %d fields; a type with state has at most %d", pkg, name, s.NumFields(), maxFields)
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d types found: the test looks in the wrong place", count)
	}
}
