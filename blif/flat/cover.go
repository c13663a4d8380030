package flat

import (
	"aiglens/blif/statement"
	"aiglens/circuit"
)

// gates builds functions as balanced trees. Its slices are reused.
type gates struct {
	b     *circuit.Builder
	cube  []circuit.Lit
	cubes []circuit.Lit
}

// all returns the conjunction of ls, which it overwrites.
func (g *gates) all(ls []circuit.Lit) circuit.Lit {
	if len(ls) == 0 {
		return circuit.True
	}
	for len(ls) > 1 {
		n := 0
		for i := 0; i+1 < len(ls); i += 2 {
			ls[n] = g.b.And(ls[i], ls[i+1])
			n++
		}
		if len(ls)%2 == 1 {
			ls[n] = ls[len(ls)-1]
			n++
		}
		ls = ls[:n]
	}
	return ls[0]
}

// cover returns the function of the rows of a .names over its inputs, cube by
// cube: their disjunction, or its negation when the rows have output 0. No
// rows are the constant 0 (BLIF, section "Logic Gates").
func (g *gates) cover(content string, rows []statement.RawRow, lit func(i int) circuit.Lit) circuit.Lit {
	g.cubes = g.cubes[:0]
	off := len(rows) > 0 && rows[0].Output() == 0
	for _, r := range rows {
		text := content[r.Start:][:r.Width()]
		g.cube = g.cube[:0]
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '1':
				g.cube = append(g.cube, lit(i))
			case '0':
				g.cube = append(g.cube, lit(i).Not())
			}
		}
		g.cubes = append(g.cubes, g.all(g.cube).Not())
	}
	return g.all(g.cubes).NotIf(!off)
}
