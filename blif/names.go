package blif

import (
	"strconv"

	"aiglens/blif/statement"
)

// The nets of constants in what Yosys writes; UndefNet has no value.
const (
	TrueNet  = "$true"
	FalseNet = "$false"
	UndefNet = "$undef"
)

// IsImplied reports whether a net has its value by its name: it is one of the constants of Yosys,
// whose write_blif -impltf leaves out what drives them. What may drive it besides is some instance
// of something unknown, which reads it.
func IsImplied(f *File, s Signal) bool {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Names) || r.Driver[s] != 0 || r.Facts[s]&(FactInput|FactClock) != 0 {
		return false
	}
	return isConstantNet(f.Name(s))
}

func isConstantNet(name string) bool {
	return name == TrueNet || name == FalseNet || name == UndefNet
}

// InstanceName returns the name of an instance statement: that of its .cname,
// else the first net that it drives, else its model.
func (f *File) InstanceName(id int) string {
	if name, ok := f.Cname(id); ok {
		return name
	}
	k, i := f.Locate(id)
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	driven := ""
	f.Roles(k, i, f.InstanceOf(k, i), func(t uint32, role Role) {
		if role == RolePinOutput && driven == "" {
			driven = f.NameText(c.Names[t])
		}
	})
	if driven == "" && hi-lo > 1 {
		driven = f.NameText(c.Names[lo+1])
	}
	return driven
}

// Cname returns the name that a .cname gives a statement.
func (f *File) Cname(id int) (name string, ok bool) {
	annotations(f, id, func(kind statement.Kind, words []string) (more bool) {
		if ok = kind == statement.KindCname && len(words) > 0; ok {
			name = words[0]
		}
		return !ok
	})
	return name, ok
}

// AttributeOf returns the value that an .attr gives an attribute of a statement: of a string its
// text, else its bits.
func AttributeOf(f *File, id int, name string) (value string, ok bool) {
	annotations(f, id, func(kind statement.Kind, words []string) (more bool) {
		if ok = kind == statement.KindAttr && len(words) > 1 && words[0] == name; ok {
			value = words[1]
		}
		return !ok
	})
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	return value, ok
}

// annotations calls each for the lines after a statement that are about it, with their words, until
// it says that no more are wanted.
func annotations(f *File, id int, each func(kind statement.Kind, words []string) (more bool)) {
	for next := id + 1; next < f.NumStatements(); next++ {
		k, i := f.Locate(next)
		c := f.Chunks[k]
		kind := c.Stmts[i].Kind
		if kind != statement.KindAttr && kind != statement.KindParam && kind != statement.KindCname {
			return
		}
		lo, hi := c.TokensOf(i)
		var words []string
		for t := lo + 1; t < hi; t++ {
			words = append(words, f.WordOf(k, c.Tokens[t]))
		}
		if !each(kind, words) {
			return
		}
	}
}

// OpenNet is the net that VTR joins to pins that are open: outputs of any number
// of instances.
const OpenNet = "unconn"

// OpenNetDriver returns the statement that drives a net with several drivers when
// it is the open net: the only one that is not an instance, or -1. ok is false where
// they are too many.
func (f *File) OpenNetDriver(s Signal) (id int, ok bool) {
	if f.Name(s) != OpenNet {
		return 0, false
	}
	id = -1
	note := func(stmt int) bool {
		if k, i := f.Locate(stmt); f.Chunks[k].Stmts[i].Kind.IsInstance() {
			return true
		}
		ok := id < 0
		id = stmt
		return ok
	}
	r := f.Resolved()
	if r.Facts[s]&(FactInput|FactClock) != 0 || !note(int(r.Driver[s])-1) {
		return 0, false
	}
	for _, e := range r.Extra {
		if e.Signal == s && !note(e.Statement) {
			return 0, false
		}
	}
	return id, true
}
