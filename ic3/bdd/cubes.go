package bdd

// Cube is a conjunction of literals: by variable 0 or 1, the value that it must have, or Any.
type Cube []int8

// Any is the entry of a variable without a literal.
const Any int8 = -1

// Pick sets the literals of a cube within f, which is not False. Variables that f does not
// need keep theirs.
func (d *Store) Pick(f Ref, cube Cube) {
	for f > True {
		v, _ := d.top(f)
		low, high := d.children(f)
		if cube[v] = 0; low == False {
			cube[v] = 1
			low = high
		}
		f = low
	}
}

// Cofactor returns f with the values of a cube.
func (d *Store) Cofactor(f Ref, cube Cube) Ref {
	seen := map[Ref]Ref{}
	var walk func(f Ref) Ref
	walk = func(f Ref) Ref {
		if f <= True {
			return f
		}
		if r, ok := seen[f]; ok {
			return r
		}
		d.step()
		v, _ := d.top(f)
		low, high := d.children(f)
		var r Ref
		switch cube[v] {
		case 0:
			r = walk(low)
		case 1:
			r = walk(high)
		default:
			r = d.make(v, walk(low), walk(high))
		}
		seen[f] = r
		return r
	}
	return walk(f)
}

// Outside is the complement of a function, for cubes to be enlarged in. It is valid until
// nodes are freed or variables move.
type Outside struct {
	*Store
	of Ref
	// apart and listed say of a Ref, in a round, whether it has nothing in common with the
	// cube, and at a level, in which lists it is: 2·round, plus 1 for yes, and 4·levels so far
	// plus inWithout and inWith.
	apart, listed []uint32
	round, levels uint32
}

// Outside returns that of f.
func (d *Store) Outside(f Ref) *Outside {
	return &Outside{Store: d, of: f, apart: make([]uint32, 2*len(d.nodes)), listed: make([]uint32, 2*len(d.nodes))}
}

// Enlarge drops literals from a cube that is outside, for as long as it stays there: none of
// those that are left can be dropped by itself. It begins with the variables at the top.
func (o *Outside) Enlarge(cube Cube) {
	o.round++
	at := []Ref{o.of} // where the function can be, after the variables that are done
	var without, with []Ref
	for _, v := range o.order {
		without, with = without[:0], with[:0]
		canDrop := true
		o.levels++
		for _, f := range at {
			o.step()
			low, high := f, f
			if w, _ := o.top(f); w == v {
				low, high = o.children(f)
			}
			for value, g := range [2]Ref{low, high} {
				if canDrop = canDrop && o.isApart(g, cube); canDrop {
					without = o.add(without, g, inWithout)
				}
				if cube[v] == Any || int(cube[v]) == value {
					with = o.add(with, g, inWith)
				}
			}
		}
		if canDrop {
			cube[v] = Any
			at, without = without, at
		} else {
			at, with = with, at
		}
	}
}

// The lists of Enlarge.
const (
	inWithout = 1 << iota
	inWith
)

// add adds f to a list, unless it is there.
func (o *Outside) add(refs []Ref, f Ref, list uint32) []Ref {
	in := &o.listed[f]
	if *in>>2 != o.levels {
		*in = o.levels << 2
	}
	if *in&list != 0 {
		return refs
	}
	*in |= list
	return append(refs, f)
}

// isApart reports whether the cube and f have nothing in common.
func (o *Outside) isApart(f Ref, cube Cube) bool {
	if f <= True {
		return f == False
	}
	if known := o.apart[f]; known>>1 == o.round {
		return known&1 == 1
	}
	o.step()
	v, _ := o.top(f)
	low, high := o.children(f)
	apart := (cube[v] == 1 || o.isApart(low, cube)) && (cube[v] == 0 || o.isApart(high, cube))
	if o.apart[f] = o.round << 1; apart {
		o.apart[f]++
	}
	return apart
}
