package bdd

// Cube is a conjunction of literals: by variable 0 or 1, the value that it must have, or Any.
type Cube []int8

// Any is the entry of a variable without a literal.
const Any int8 = -1

// Pick sets the literals of a cube within f, which is not False. Variables that f does not
// need keep theirs.
func (m *Manager) Pick(f Ref, cube Cube) {
	for f > True {
		v, _ := m.top(f)
		low, high := m.children(f)
		if cube[v] = 0; low == False {
			cube[v] = 1
			low = high
		}
		f = low
	}
}

// Restrict returns f with the values of a cube. (It is the cofactor, not the operation of
// Coudert and Madre.)
func (m *Manager) Restrict(f Ref, cube Cube) Ref {
	seen := map[Ref]Ref{}
	var walk func(f Ref) Ref
	walk = func(f Ref) Ref {
		if f <= True {
			return f
		}
		if r, ok := seen[f]; ok {
			return r
		}
		m.step()
		v, _ := m.top(f)
		low, high := m.children(f)
		var r Ref
		switch cube[v] {
		case 0:
			r = walk(low)
		case 1:
			r = walk(high)
		default:
			r = m.make(v, walk(low), walk(high))
		}
		seen[f] = r
		return r
	}
	return walk(f)
}

// Enlarge drops literals from a cube that has nothing in common with f, for as long as
// that is so: none of those that are left can be dropped by itself. It begins with the
// variables at the top.
func (m *Manager) Enlarge(cube Cube, f Ref) {
	w := separation{m, cube, map[Ref]bool{False: true, True: false}}
	at := []Ref{f} // where f can be, after the variables that are done
	for level := range m.order {
		v := m.order[level]
		without, with := map[Ref]bool{}, map[Ref]bool{}
		var all, some []Ref
		canDrop := true
		for _, g := range at {
			low, high := g, g
			if w, _ := m.top(g); w == v {
				low, high = m.children(g)
			}
			for value, h := range []Ref{low, high} {
				if canDrop = canDrop && w.isApart(h); canDrop && !without[h] {
					without[h] = true
					all = append(all, h)
				}
				if (cube[v] == Any || int(cube[v]) == value) && !with[h] {
					with[h] = true
					some = append(some, h)
				}
			}
		}
		if canDrop {
			cube[v], at = Any, all
		} else {
			at = some
		}
	}
}

// separation is a cube, and whether functions have something in common with it.
type separation struct {
	*Manager
	cube  Cube
	known map[Ref]bool
}

// isApart reports whether the cube and f have nothing in common.
func (s separation) isApart(f Ref) bool {
	if apart, ok := s.known[f]; ok {
		return apart
	}
	s.step()
	v, _ := s.top(f)
	low, high := s.children(f)
	apart := (s.cube[v] == 1 || s.isApart(low)) && (s.cube[v] == 0 || s.isApart(high))
	s.known[f] = apart
	return apart
}
