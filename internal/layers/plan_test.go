package layers_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// planFile names the layers and says what each may import.
const planFile = "layers.txt"

// layer is some packages that are about one thing.
type layer struct {
	name, about string
	without     string     // what it never holds
	rows        [][]string // packages from above; those of a row do not import each other
	below       []string   // layers whose packages it may import
}

// rule forbids imports beyond what the layers do.
type rule struct {
	line       int
	isOnly     bool // nothing but from imports what; else from imports none of what
	from, what []string
}

// plan is what the file says.
type plan struct {
	layers []*layer
	rules  []rule
	at     map[string]place // by package, without the name of the module
}

// place is where a package stands.
type place struct {
	layer *layer
	row   int
}

func (p *plan) layer(name string) *layer {
	for _, r := range p.layers {
		if r.name == name {
			return r
		}
	}
	return nil
}

// readPlan reads the file.
func readPlan() (*plan, error) {
	f, err := os.Open(planFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &plan{at: map[string]place{}}
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		if err := p.add(number, lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", planFile, number, err)
		}
	}
	return p, lines.Err()
}

// add reads one line.
func (p *plan) add(number int, line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	if packages, ok := strings.CutPrefix(line, "\t"); ok {
		return p.addRow(strings.Fields(packages))
	}
	head, tail, _ := strings.Cut(line, ":")
	kind, names, _ := strings.Cut(head, " ")
	switch kind {
	case "layer":
		p.layers = append(p.layers, &layer{name: names, about: strings.TrimSpace(tail)})
	case "without":
		if r := p.layer(names); r != nil {
			r.without = strings.TrimSpace(tail)
		}
	case "imports":
		r := p.layer(names)
		if r == nil || r.below != nil {
			return fmt.Errorf("expected one line of imports for a layer, found those of %s", names)
		}
		r.below = append([]string{}, strings.Fields(tail)...)
	case "never", "only":
		p.rules = append(p.rules, rule{number, kind == "only", strings.Fields(names), strings.Fields(tail)})
	default:
		return fmt.Errorf("expected layer, without, imports, never or only, found %q", kind)
	}
	return nil
}

func (p *plan) addRow(packages []string) error {
	if len(p.layers) == 0 {
		return fmt.Errorf("expected a layer before its packages")
	}
	r := p.layers[len(p.layers)-1]
	for _, pkg := range packages {
		if _, twice := p.at[pkg]; twice {
			return fmt.Errorf("%s stands in two places", pkg)
		}
		p.at[pkg] = place{r, len(r.rows)}
	}
	r.rows = append(r.rows, packages)
	return nil
}

// mayImport reports whether layers and rows allow an import.
func (p *plan) mayImport(from, to string) bool {
	f, known := p.at[from]
	t, other := p.at[to]
	if !known || !other {
		return false
	}
	if f.layer == t.layer {
		return t.row > f.row
	}
	return slices.Contains(f.layer.below, t.layer.name)
}

// brokenBy returns the first rule that an import breaks; nil for none. What is imported is a
// package of this module, without its name, or one from elsewhere.
func (p *plan) brokenBy(from, to string) *rule {
	for i := range p.rules {
		r := &p.rules[i]
		if p.matches(r.what, to) && p.matches(r.from, from) != r.isOnly {
			return r
		}
	}
	return nil
}

// matches reports whether a package is one of some layers, packages and beginnings of them.
func (p *plan) matches(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
			return pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
		}
		at, known := p.at[pkg]
		return pattern == pkg || known && at.layer.name == pattern
	})
}
