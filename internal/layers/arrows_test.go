package layers_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// arrowsFile says which rooms there are and which way imports point.
const arrowsFile = "arrows.txt"

// room is some packages that are about one thing.
type room struct {
	name, about string
	without     string     // what it never holds
	rows        [][]string // packages from above; those of a row do not import each other
	below       []string   // rooms whose packages it may import
}

// rule forbids imports beyond what the rooms do.
type rule struct {
	line       int
	isOnly     bool // nothing but from imports what; else from imports none of what
	from, what []string
}

// plan is what the file says.
type plan struct {
	rooms []*room
	rules []rule
	at    map[string]place // by package, without the name of the module
}

// place is where a package stands.
type place struct {
	room *room
	row  int
}

func (p *plan) room(name string) *room {
	for _, r := range p.rooms {
		if r.name == name {
			return r
		}
	}
	return nil
}

// readPlan reads the file.
func readPlan() (*plan, error) {
	f, err := os.Open(arrowsFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &plan{at: map[string]place{}}
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		if err := p.add(number, lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", arrowsFile, number, err)
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
	case "room":
		p.rooms = append(p.rooms, &room{name: names, about: strings.TrimSpace(tail)})
	case "without":
		if r := p.room(names); r != nil {
			r.without = strings.TrimSpace(tail)
		}
	case "arrows":
		r := p.room(names)
		if r == nil || r.below != nil {
			return fmt.Errorf("expected one line of arrows for a room, found those of %s", names)
		}
		r.below = append([]string{}, strings.Fields(tail)...)
	case "never", "only":
		p.rules = append(p.rules, rule{number, kind == "only", strings.Fields(names), strings.Fields(tail)})
	default:
		return fmt.Errorf("expected room, without, arrows, never or only, found %q", kind)
	}
	return nil
}

func (p *plan) addRow(packages []string) error {
	if len(p.rooms) == 0 {
		return fmt.Errorf("expected a room before its packages")
	}
	r := p.rooms[len(p.rooms)-1]
	for _, pkg := range packages {
		if _, twice := p.at[pkg]; twice {
			return fmt.Errorf("%s stands in two places", pkg)
		}
		p.at[pkg] = place{r, len(r.rows)}
	}
	r.rows = append(r.rows, packages)
	return nil
}

// mayImport reports whether rooms and rows allow an import.
func (p *plan) mayImport(from, to string) bool {
	f, known := p.at[from]
	t, other := p.at[to]
	if !known || !other {
		return false
	}
	if f.room == t.room {
		return t.row > f.row
	}
	return slices.Contains(f.room.below, t.room.name)
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

// matches reports whether a package is one of some rooms, packages and beginnings of them.
func (p *plan) matches(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
			return pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
		}
		at, known := p.at[pkg]
		return pattern == pkg || known && at.room.name == pattern
	})
}
