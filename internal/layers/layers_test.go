// Package layers tests the plan of ARCHITECTURE.md: which way imports point, how
// large types are and what packages export.
package layers_test

import (
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

// allowed gives, for each package, the packages of this module that its code
// may import. Tests may import anything below internal besides.
var allowed = map[string][]string{
	"internal/source":   {},
	"internal/findings": {"internal/source"},
	"circuit":           {},
	"circuit/cert":      {"circuit"},
	"circuit/trace":     {"circuit", "circuit/cert"},
	"circuit/certify":   {"circuit", "circuit/cert"},
	"circuit/extract":   {"circuit"},
	"circuit/measure":   {"circuit"},
	"circuit/picture":   {"circuit"},
	"circuit/compare":   {"circuit", "circuit/cert", "circuit/trace"},
	"circuit/facts":     {"circuit", "circuit/cert"},
	"internal/wave":     {},
	"aiger/pragma":      {"internal/source", "internal/findings"},
	"aiger/syntax":      {"internal/source", "internal/findings", "aiger/pragma"},
	"aiger/diagnose":    {"internal/source", "internal/findings", "aiger/syntax"},
	"aiger":             {"internal/files", "internal/source", "internal/findings", "circuit", "circuit/cert", "circuit/certify", "aiger/pragma", "aiger/syntax", "aiger/diagnose"},
	"aiger/shrink":      {"aiger", "aiger/syntax"},
	"aiger/edit":        {"internal/source", "internal/findings", "aiger", "aiger/pragma", "aiger/syntax", "aiger/diagnose"},
	"blif/statement":    {"internal/source"},
	"blif/codes":        {"internal/source", "internal/findings"},
	"blif/cells":        {"circuit"},
	"blif/kiss":         {"internal/source", "blif/statement"},
	"blif":              {"internal/source", "circuit", "blif/statement", "blif/codes", "blif/cells", "blif/kiss"},
	"blif/netlist":      {"internal/findings", "blif", "blif/statement", "blif/cells"},
	"blif/diagnose":     {"internal/source", "internal/findings", "blif", "blif/statement", "blif/codes", "blif/kiss", "blif/netlist"},
	"blif/flat":         {"internal/source", "circuit", "blif", "blif/statement", "blif/codes", "blif/cells", "blif/netlist", "blif/diagnose"},
	"blif/edit":         {"internal/source", "internal/findings", "blif", "blif/statement", "blif/codes", "blif/cells", "blif/kiss", "blif/diagnose"},
	"internal/files":    {},
	"internal/lazy":     {"internal/fault"},
	"internal/polltest": {},
	"internal/fault":    {},
	"ic3/sat":           {"circuit"},
	"ic3/encode":        {"circuit", "ic3/sat"},
	"ic3":               {"circuit", "circuit/cert", "ic3/encode", "ic3/sat"},
	"ic3/bmc":           {"circuit", "circuit/cert", "ic3/encode", "ic3/sat"},
	"ic3/reduce":        {"circuit", "circuit/cert", "ic3/encode", "ic3/sat"},
	"ic3/minimize":      {"circuit", "circuit/cert", "circuit/facts", "ic3/encode", "ic3/sat"},
	"ic3/ivc":           {"circuit", "circuit/cert", "ic3/encode", "ic3/sat"},
	"ic3/vacuity":       {"circuit", "ic3/encode", "ic3/sat"},
	"ic3/live":          {"circuit", "circuit/cert", "ic3", "ic3/bmc", "ic3/reduce", "ic3/encode", "ic3/sat"},
	"ic3/classic":       {"circuit", "circuit/cert", "ic3/encode", "ic3/sat"},
	"ic3/verify":        {"circuit", "circuit/cert", "circuit/trace", "ic3/bmc", "ic3/minimize", "ic3/vacuity"},
	"ic3/portfolio":     {"circuit", "circuit/cert", "ic3", "ic3/verify"},
	"ic3/engines":       {"circuit", "circuit/cert", "ic3", "ic3/bmc", "ic3/classic", "ic3/live", "ic3/portfolio", "ic3/reduce", "ic3/sat", "ic3/verify"},
	"ic3/inquiry":       {"circuit", "circuit/cert", "circuit/facts", "circuit/trace", "ic3", "ic3/bmc", "ic3/verify"},
	"ic3/equiv":         {"circuit", "circuit/cert", "circuit/compare", "ic3/reduce", "ic3/verify"},
	"internal/worker":   {"circuit", "circuit/cert", "aiger", "ic3", "ic3/engines", "ic3/portfolio", "ic3/verify"},
	"internal/cache":    {"circuit", "circuit/cert", "aiger", "ic3/verify"},
	"internal/cluster":  {"circuit", "circuit/cert", "aiger", "ic3", "ic3/engines", "ic3/portfolio", "ic3/verify"},
	"design/hierarchy":  {"internal/files", "design/format", "internal/source", "blif", "blif/statement", "blif/edit"},
	"design/format":     {},
	"design":            {"internal/lazy", "internal/files", "design/format", "internal/source", "circuit", "circuit/compare"},
	"design/aigerdesign": {
		"design/format", "internal/source", "circuit", "circuit/compare", "aiger", "aiger/syntax", "aiger/diagnose", "aiger/edit", "design"},
	"design/blifdesign": {"design/format", "internal/findings", "internal/source", "design/hierarchy", "circuit", "circuit/compare", "blif", "blif/statement", "blif/cells",
		"blif/diagnose", "blif/flat", "blif/edit", "design"},
	"design/formats":    {"design", "design/aigerdesign", "design/blifdesign"},
	"design/expression": {"internal/source", "circuit", "design"},
	"design/proofs":     {"internal/source", "circuit", "circuit/cert", "circuit/facts", "circuit/trace", "ic3/inquiry", "ic3/ivc", "ic3/minimize", "ic3/verify", "design"},
	"lsp/advice":        {"internal/source", "circuit/cert", "ic3/inquiry", "ic3/verify", "design", "design/proofs"},
	"lsp/ide":           {"internal/source", "circuit", "circuit/cert", "circuit/trace", "ic3/vacuity", "ic3/verify", "design", "design/proofs", "design/formula", "design/runs"},
	"design/stats":      {"internal/source", "circuit", "circuit/measure", "design"},
	"design/drawing":    {"internal/source", "circuit", "circuit/picture", "design", "design/runs"},
	"design/formula":    {"design"},
	"design/runs":       {"aiger", "circuit", "circuit/cert", "circuit/trace", "design", "design/expression", "design/formula", "ic3/verify", "internal/source"},
	"lsp/wire":          {},
	"lsp/wire/wiregen":  {},
	"lsp/checks":        {"internal/source", "circuit", "circuit/cert", "ic3/verify", "design", "lsp/ide", "design/runs"},
	"lsp":               {"internal/fault", "internal/source", "internal/findings", "design/hierarchy", "internal/wave", "internal/files", "circuit", "circuit/compare", "circuit/trace", "ic3/inquiry", "ic3/engines", "ic3/equiv", "ic3/verify", "design/format", "lsp/advice", "lsp/checks", "design/comparison", "design", "design/blifdesign", "design/drawing", "design/formats", "lsp/ide", "lsp/offer", "design/play", "lsp/position", "design/proofs", "lsp/queue", "lsp/rpc", "lsp/settings", "design/stats", "lsp/wire", "lsp/workspace", "design/formula", "design/runs"},
	"design/difference": {"internal/wave", "circuit", "circuit/compare", "circuit/trace", "aiger", "ic3/equiv"},
	"design/comparison": {"design/difference", "design/hierarchy", "internal/wave", "internal/source", "circuit", "circuit/compare", "circuit/trace", "ic3/equiv", "design", "design/blifdesign", "lsp/position", "lsp/wire"},
	"design/play":       {"circuit", "circuit/cert", "circuit/trace", "ic3/inquiry", "design", "design/formula", "design/runs"},
	"lsp/workspace":     {"internal/files", "internal/source", "design/hierarchy", "design", "lsp/position", "lsp/queue"},
	"lsp/position":      {"internal/source"},
	"lsp/queue":         {},
	"lsp/rpc":           {"lsp/queue"},
	"lsp/offer":         {"circuit", "circuit/cert", "aiger", "ic3/engines", "ic3/verify"},
	"lsp/settings":      {"ic3/engines", "ic3/verify", "design", "lsp/offer"},
	"internal/debug":    {"internal/fault", "internal/files", "internal/source", "design/hierarchy", "circuit", "circuit/cert", "circuit/trace", "ic3/verify", "design", "design/blifdesign", "design/expression", "design/formats", "design/play", "design/formula", "design/runs"},
	"docs":              {},
	"internal/bench":    {"design/format"},
	"cmd/aiglens": {"docs", "internal/fault", "design/format", "internal/source", "internal/findings", "design/hierarchy", "circuit", "circuit/cert", "circuit/facts", "circuit/trace", "circuit/certify", "circuit/extract", "circuit/measure", "circuit/picture", "circuit/compare", "aiger", "aiger/syntax", "aiger/edit", "aiger/shrink", "blif", "blif/cells", "blif/diagnose", "blif/flat", "blif/edit", "ic3/classic", "ic3/engines",
		"ic3/inquiry", "ic3/equiv", "ic3/ivc", "ic3/verify", "internal/files", "design/difference", "internal/wave", "lsp", "design", "design/blifdesign", "lsp/offer", "design/proofs", "internal/bench", "internal/cache", "internal/cluster", "internal/debug", "internal/worker"},
	// Only tests use these.
	"blif/bliftest":           {"internal/source", "internal/shared", "blif", "blif/cells", "blif/diagnose"},
	"ic3/classic/classictest": {"circuit", "internal/randcircuit"},
	"lsp/lsptest/toy":         {"design/format", "internal/source", "circuit", "design"},
	"internal/explicit":       {"circuit", "circuit/cert"},
	"internal/wave/wavetest":  {},
	"internal/randcircuit":    {"circuit"},
	"internal/peers":          {"circuit", "aiger", "aiger/syntax"},
	"aiger/aigertest":         {"internal/source", "internal/findings", "internal/shared", "circuit"},
	"internal/shared":         {},
	"internal/layers":         {},
	"internal/life":           {},
	"internal/torture":        {},
}

// keepers are the packages that alone may import what begins with a path.
var keepers = map[string]string{"github.com/nats-io/": "internal/cluster"}

// isKept reports whether a package may not import a path from elsewhere.
func isKept(from, path string) bool {
	for prefix, keeper := range keepers {
		if strings.HasPrefix(path, prefix) && from != keeper {
			return true
		}
	}
	return false
}

func TestImportsPointDownwards(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
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
		pkg := filepath.ToSlash(rel)
		seen[pkg] = true
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, ok := strings.CutPrefix(imported, module); ok && !mayImport(pkg, to, strings.HasSuffix(path, "_test.go")) {
				t.Errorf("%s imports %s against ARCHITECTURE.md", path, imported)
			}
			if isKept(pkg, imported) {
				t.Errorf("%s imports %s, which is a matter of another package", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"circuit", "circuit/cert", "ic3", "ic3/sat", "internal/source"} {
		if !seen[pkg] {
			t.Errorf("no Go file found in %s: the test looks in the wrong place", pkg)
		}
	}
}

func mayImport(from, to string, test bool) bool {
	if test {
		return to != "cmd/aiglens"
	}
	list, known := allowed[from]
	if !known {
		// A package below a listed one, such as a test harness, or the examples,
		// has no rules: it must be listed.
		return false
	}
	for _, pkg := range list {
		if to == pkg {
			return true
		}
	}
	return false
}

// TestAllowedImportsAreUsed checks that nothing is allowed which no file needs.
func TestAllowedImportsAreUsed(t *testing.T) {
	p, err := moduleProgram()
	if err != nil {
		t.Fatal(err)
	}
	for from, list := range allowed {
		l := p.packages[module+from]
		if l == nil {
			t.Errorf("there is no package %s", from)
			continue
		}
		for _, to := range list {
			if !slices.Contains(l.Imports, module+to) {
				t.Errorf("%s may import %s and does not", from, to)
			}
		}
	}
}
