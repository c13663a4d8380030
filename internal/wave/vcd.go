package wave

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// VCD as in IEEE Std 1364-2001, section 18.2. One step is one unit of time; a last
// time stamp gives the last step its length. Latches are of type reg, all others
// wires. The scopes are those of the signals below one for the whole; properties and
// constraints, which often have the name of a net, stand in scopes of their own.
//
// A name there ends at white space. Bytes other than printable ASCII, and %, are
// written %XX. Signals a[0] … a[n] of a scope make one vector when they are all there
// and all of one group.

// vcdScope is a scope with its variables and the scopes inside.
type vcdScope struct {
	name   string
	vars   []vcdVar
	scopes []*vcdScope
}

// vcdVar is a scalar, or a vector from its most to its least significant bit.
type vcdVar struct {
	name  string
	index string // " [3:0]" of a vector
	group Group
	id    string
	bits  []string // the values of each bit
}

func (w Wave) appendVCD(dst []byte) []byte {
	root := &vcdScope{name: "run"}
	for scope, signals := range w.byScope(root) {
		scope.vars = joined(signals)
	}
	if w.Title != "" {
		dst = append(dst, "$comment "+strings.ReplaceAll(line(w.Title), "$end", "%24end")+" $end\n"...)
	}
	if words := w.loopWords(); words != "" {
		dst = append(dst, "$comment "+words+" $end\n"...)
	}
	dst = append(dst, "$version aiglens $end\n$timescale 1 ns $end\n"...)
	var vars []vcdVar
	dst = root.declare(dst, &vars)
	dst = append(dst, "$enddefinitions $end\n"...)
	for step := range w.Steps {
		dst = fmt.Appendf(dst, "#%d\n", step)
		if step == 0 {
			dst = append(dst, "$dumpvars\n"...)
		}
		for _, v := range vars {
			if step == 0 || v.changes(step) {
				dst = v.value(dst, step)
			}
		}
		if step == 0 {
			dst = append(dst, "$end\n"...)
		}
	}
	return fmt.Appendf(dst, "#%d\n", w.Steps)
}

func line(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// byScope makes the scopes below root and returns the signals of each, with names
// that VCD can carry.
func (w Wave) byScope(root *vcdScope) map[*vcdScope][]Signal {
	signals := map[*vcdScope][]Signal{}
	for _, s := range w.Signals {
		path := s.Path
		switch s.Group {
		case Property:
			path = append([]string{"properties"}, path...)
		case Constraint:
			path = append([]string{"constraints"}, path...)
		}
		scope := root
		for _, name := range path {
			scope = scope.inner(vcdName(name))
		}
		s.Name = vcdName(s.Name)
		signals[scope] = append(signals[scope], s)
	}
	return signals
}

func (s *vcdScope) inner(name string) *vcdScope {
	for _, scope := range s.scopes {
		if scope.name == name {
			return scope
		}
	}
	s.scopes = append(s.scopes, &vcdScope{name: name})
	return s.scopes[len(s.scopes)-1]
}

// vcdName escapes a name. Different names stay different.
func vcdName(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	switch b.String() {
	case "":
		return "%"
	case "$end":
		return "%24end"
	}
	return b.String()
}

// joined makes variables of the signals of a scope, each with a name of its own.
func joined(signals []Signal) []vcdVar {
	families := familiesOf(signals)
	var vars []vcdVar
	done := map[string]bool{}
	used := map[string]bool{}
	for _, s := range signals {
		base, _, _ := bit(s.Name)
		f := families[base]
		switch {
		case f == nil:
			name := s.Name
			for n := 2; used[name]; n++ {
				name = s.Name + "~" + strconv.Itoa(n)
			}
			used[name] = true
			vars = append(vars, vcdVar{name: name, group: s.Group, bits: []string{s.Values}})
		case !done[base]:
			done[base] = true
			v := vcdVar{name: base, index: fmt.Sprintf(" [%d:0]", len(f)-1), group: s.Group}
			for i := len(f) - 1; i >= 0; i-- {
				v.bits = append(v.bits, f[i])
			}
			vars = append(vars, v)
		}
	}
	return vars
}

// familiesOf returns the values of the bits of each vector, by its name.
func familiesOf(signals []Signal) map[string]map[int]string {
	families := map[string]map[int]string{}
	group := map[string]Group{}
	var spoilt []string
	for _, s := range signals {
		base, index, ok := bit(s.Name)
		if !ok {
			spoilt = append(spoilt, s.Name) // a net beside a vector of its name
			continue
		}
		f := families[base]
		if f == nil {
			f = map[int]string{}
			families[base], group[base] = f, s.Group
		}
		if _, twice := f[index]; twice || group[base] != s.Group {
			spoilt = append(spoilt, base)
		}
		f[index] = s.Values
	}
	for base, f := range families {
		highest := 0
		for index := range f {
			highest = max(highest, index)
		}
		if len(f) < 2 || highest != len(f)-1 {
			spoilt = append(spoilt, base)
		}
	}
	for _, base := range spoilt {
		delete(families, base)
	}
	return families
}

// bit splits a name such as a[3].
func bit(name string) (base string, index int, ok bool) {
	open := strings.LastIndexByte(name, '[')
	if open <= 0 || !strings.HasSuffix(name, "]") {
		return name, 0, false
	}
	digits := name[open+1 : len(name)-1]
	index, err := strconv.Atoi(digits)
	if err != nil || index < 0 || strconv.Itoa(index) != digits {
		return name, 0, false
	}
	return name[:open], index, true
}

// declare appends the scope and collects its variables, which it numbers.
func (s *vcdScope) declare(dst []byte, vars *[]vcdVar) []byte {
	dst = append(dst, "$scope module "+s.name+" $end\n"...)
	for _, v := range s.vars {
		v.id = vcdID(len(*vars))
		*vars = append(*vars, v)
		kind := "wire"
		if v.group == Latch {
			kind = "reg"
		}
		dst = fmt.Appendf(dst, "$var %s %d %s %s%s $end\n", kind, len(v.bits), v.id, v.name, v.index)
	}
	for _, inner := range s.scopes {
		dst = inner.declare(dst, vars)
	}
	return append(dst, "$upscope $end\n"...)
}

// vcdID is a short identifier code of printable characters.
func vcdID(n int) string {
	id := []byte{byte('!' + n%94)}
	for n /= 94; n > 0; n /= 94 {
		n--
		id = append(id, byte('!'+n%94))
	}
	slices.Reverse(id)
	return string(id)
}

func (v vcdVar) changes(step int) bool {
	return slices.ContainsFunc(v.bits, func(values string) bool { return values[step] != values[step-1] })
}

func (v vcdVar) value(dst []byte, step int) []byte {
	if v.index == "" {
		return append(append(append(dst, v.bits[0][step]), v.id...), '\n')
	}
	dst = append(dst, 'b')
	for _, values := range v.bits {
		dst = append(dst, values[step])
	}
	return append(append(append(dst, ' '), v.id...), '\n')
}
