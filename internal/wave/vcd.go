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
// written %XX. A word is one variable, as a simulator writes it, and its bits are no others; one
// that is missing is x. VCD has no names of values, so they stand in a comment.

// vcdScope is a scope with its variables and the scopes inside.
type vcdScope struct {
	name   string
	vars   []vcdVar
	used   map[string]bool // names of vars, with their indices
	scopes []*vcdScope
	inside map[string]*vcdScope // scopes by name
}

// vcdVar is a scalar, or a vector from its most to its least significant bit.
type vcdVar struct {
	name  string
	index string // "[3:0]" of a vector
	group Group
	id    string
	bits  []string // the values of each bit; "" for one that is missing
}

func (w Wave) appendVCD(dst []byte) []byte {
	root := &vcdScope{name: "run"}
	for _, r := range w.rows() {
		root.add(r)
	}
	if w.Title != "" {
		dst = appendComment(dst, w.Title)
	}
	if words := w.loopWords(); words != "" {
		dst = appendComment(dst, words)
	}
	for _, word := range w.words() {
		if len(word.Names) > 0 {
			dst = appendComment(dst, word.Name+": "+strings.Join(word.Names, ", "))
		}
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

func appendComment(dst []byte, text string) []byte {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	return append(dst, "$comment "+strings.ReplaceAll(text, "$end", "%24end")+" $end\n"...)
}

// add adds a variable to a scope below s, under a name that is there only once.
func (s *vcdScope) add(r row) {
	path := r.path
	switch r.group {
	case Property:
		path = append([]string{"properties"}, path...)
	case Constraint:
		path = append([]string{"constraints"}, path...)
	}
	for _, name := range path {
		s = s.inner(vcdName(name))
	}
	v := vcdVar{name: vcdName(r.name), group: r.group, bits: []string{r.values}}
	if r.word != nil {
		v.index = r.word.index()
		v.bits = slices.Clone(r.word.Bits)
		slices.Reverse(v.bits)
	}
	once := v.name
	for n := 2; s.used[v.name+" "+v.index]; n++ {
		v.name = once + "~" + strconv.Itoa(n)
	}
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[v.name+" "+v.index] = true
	s.vars = append(s.vars, v)
}

func (s *vcdScope) inner(name string) *vcdScope {
	inner, ok := s.inside[name]
	if !ok {
		inner = &vcdScope{name: name}
		if s.inside == nil {
			s.inside = map[string]*vcdScope{}
		}
		s.inside[name] = inner
		s.scopes = append(s.scopes, inner)
	}
	return inner
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
		dst = fmt.Appendf(dst, "$var %s %d %s %s ", kind, len(v.bits), v.id, v.name)
		if v.index != "" {
			dst = append(dst, v.index+" "...)
		}
		dst = append(dst, "$end\n"...)
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
	return slices.ContainsFunc(v.bits, func(values string) bool { return bitChanges(values, step) })
}

func (v vcdVar) value(dst []byte, step int) []byte {
	if len(v.bits) == 1 {
		return append(append(append(dst, bitAt(v.bits[0], step, 'x')), v.id...), '\n')
	}
	dst = append(dst, 'b')
	for _, values := range v.bits {
		dst = append(dst, bitAt(values, step, 'x'))
	}
	return append(append(append(dst, ' '), v.id...), '\n')
}
