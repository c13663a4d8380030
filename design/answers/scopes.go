package answers

import (
	"context"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
)

// scopes are the instances of a design, as its language, a map or names say, and which signals lie
// inside of which.
type scopes struct {
	d   *design.Design
	all []scope
	of  []int32 // by variable; nil where there is only the top
}

// scope is an instance in the one around it; the first is the top.
type scope struct {
	parent   int
	name     string // in its parent
	sign     string // between it and its parent
	model    string
	instance int // of the hierarchy of the design; -1 for one that only names make
}

var derivedScopes = design.NewDerived(findScopes)

// findScopes places each signal that has a name where it is driven. One without a name lies where all lies that
// reads it: so does a signal that several instances compute.
func findScopes(ctx context.Context, d *design.Design) (*scopes, error) {
	s := &scopes{d: d, all: []scope{{parent: -1}}}
	c := d.Circuit()
	of := make([]int32, c.NumVars())
	for v := range of {
		of[v] = -1
	}
	byName := map[scopeName]int{}
	place := func(v circuit.Var, at int) { of[v] = s.meet(of[v], int32(at)) }
	if instances := d.Names().Instances(); instances != nil {
		for i, in := range instances[1:] {
			s.all = append(s.all, scope{in.Parent, in.Name, "/", in.Model, i + 1})
		}
		for v, home := range d.Names().Homes() {
			path, _ := words.Levels(home.Name)
			place(v, s.below(byName, home.Instance, path))
		}
	} else {
		for v, name := range namedSignals(d) {
			if strings.Contains(name, ".") {
				path, _ := words.Scopes(d, name)
				place(v, s.below(byName, 0, path))
			} else {
				place(v, 0)
			}
		}
	}
	if len(s.all) == 1 || ctx.Err() != nil {
		return s, ctx.Err()
	}
	s.of = of
	s.placeUnnamed(slices.Clone(of))
	return s, ctx.Err()
}

// scopeName is a scope by the one around it.
type scopeName struct {
	parent int
	name   string
}

// below returns the scope along some names inside of another one.
func (s *scopes) below(known map[scopeName]int, at int, path []string) int {
	for _, name := range path {
		key := scopeName{at, name}
		next, isKnown := known[key]
		if !isKnown {
			next = len(s.all)
			sign := "."
			if s.all[at].instance > 0 { // of a net in an instance of BLIF
				sign = "/"
			}
			s.all = append(s.all, scope{at, name, sign, "", -1})
			known[key] = next
		}
		at = next
	}
	return at
}

// namedSignals yields the names of inputs, latches and nets.
func namedSignals(d *design.Design) func(func(circuit.Var, string) bool) {
	return func(yield func(circuit.Var, string) bool) {
		c := d.Circuit()
		for i, l := range c.Latches() {
			if !yield(l.Lit.Var(), d.Names().LatchName(i)) {
				return
			}
		}
		for i, l := range c.Inputs() {
			if !yield(l.Lit.Var(), d.Names().InputName(i)) {
				return
			}
		}
		for name, l := range d.Names().Nets() {
			if c.Kind(l.Var()) == circuit.KindAnd && !yield(l.Var(), name) {
				return
			}
		}
	}
}

// placeUnnamed places the gates that named leaves at -1: operands come before what reads them.
func (s *scopes) placeUnnamed(named []int32) {
	c := s.d.Circuit()
	read := func(l circuit.Lit, from int32) {
		if v := l.Var(); named[v] < 0 && c.Kind(v) == circuit.KindAnd {
			s.of[v] = s.meet(s.of[v], from)
		}
	}
	for _, l := range c.Latches() {
		read(l.Next, max(s.of[l.Lit.Var()], 0))
		read(l.Reset, max(s.of[l.Lit.Var()], 0))
	}
	for v := circuit.Var(c.NumVars()); v > 0; {
		v--
		s.of[v] = max(s.of[v], 0)
		if left, right, ok := c.Operands(v); ok {
			read(left, s.of[v])
			read(right, s.of[v])
		}
	}
}

// meet returns the innermost scope that two lie in; -1 stands for none known.
func (s *scopes) meet(a, b int32) int32 {
	switch {
	case a < 0 || a == b:
		return b
	case b < 0:
		return a
	}
	around := map[int32]bool{}
	for ; a >= 0; a = int32(s.all[a].parent) {
		around[a] = true
	}
	for !around[b] {
		b = int32(s.all[b].parent)
	}
	return b
}

// at returns the scope of a variable; 0 is the top.
func (s *scopes) at(v circuit.Var) int {
	if s.of == nil {
		return 0
	}
	return int(s.of[v])
}

// name returns the names down to a scope, as the text has them in front of names of signals.
func (s *scopes) name(at int) string {
	var parts []string
	for ; at > 0; at = s.all[at].parent {
		parts = append(parts, s.all[at].name)
		if s.all[at].parent > 0 {
			parts = append(parts, s.all[at].sign)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

// inside returns a name without that of the scope that it lies in.
func (s *scopes) inside(at int, name string) string {
	if at == 0 {
		return name
	}
	around := s.name(at)
	if rest, ok := strings.CutPrefix(name, around); ok && len(rest) > 1 && (rest[0] == '/' || rest[0] == '.') {
		return rest[1:]
	}
	return name
}

// find returns the scope with a name as name says; ok is false where there is none.
func (s *scopes) find(name string) (at int, ok bool) {
	for at := range s.all {
		if at > 0 && strings.HasSuffix(name, s.all[at].name) && s.name(at) == name {
			return at, true
		}
	}
	return 0, false
}
