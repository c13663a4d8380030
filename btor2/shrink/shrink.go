// Package shrink says what can be left out of a BTOR2 file, as passes of package minimize: properties, starts and next values of
// states, operators, inputs, bits of words, names, rows that nothing rests on. What is left are rows of the file with their numbers.
//
// A candidate may break a rule of the format: it then has errors, and Sound says so. It knows no engine, runs no program and
// reads no file: the caller says what is interesting.
package shrink

import (
	"slices"
	"strconv"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/minimize"
	"aiglens/internal/source"
)

// Sound reports whether a file has no errors.
func Sound(f *syntax.File) bool {
	return !slices.ContainsFunc(f.Diagnostics(), func(d source.Diagnostic) bool { return d.Severity == source.Error })
}

// pass is one over some nodes of a file.
func pass(name string, nodes func(*syntax.File) []int, without func(c *change, f *syntax.File, node int)) minimize.Pass[*syntax.File] {
	return minimize.Pass[*syntax.File]{
		Name:  name,
		Units: func(f *syntax.File) int { return len(nodes(f)) },
		Without: func(f *syntax.File, lo, hi int) *syntax.File {
			c := newChange()
			for _, node := range nodes(f)[lo:hi] {
				without(c, f, node)
			}
			return c.apply(f)
		},
	}
}

// rows is a pass that leaves out rows.
func rows(name string, of func(*syntax.Model) []int) minimize.Pass[*syntax.File] {
	return pass(name, func(f *syntax.File) []int { return of(f.Model()) }, func(c *change, _ *syntax.File, node int) { c.gone[node] = true })
}

func outputs(m *syntax.Model) []int     { return m.Outputs }
func bads(m *syntax.Model) []int        { return m.Bads }
func justice(m *syntax.Model) []int     { return m.Justice }
func constraints(m *syntax.Model) []int { return m.Constraints }
func fairs(m *syntax.Model) []int       { return m.Fairs }

// Passes returns what can be left out of a file: properties, outputs and constraints; starts and next values of states;
// states become inputs or constants, operators inputs, constants or one of their operands, inputs constants; words become narrower;
// other names of a value and rows that nothing rests on go.
func Passes() []minimize.Pass[*syntax.File] {
	all := []minimize.Pass[*syntax.File]{
		rows("outputs", outputs), rows("bads", bads), rows("justice properties", justice), conditions(), rows("constraints", constraints),
		rows("fairness conditions", fairs),
		pass("lemmas and covers", asides, func(c *change, _ *syntax.File, node int) { c.gone[node] = true }),
		// Inputs first: they make properties easier to refute, and most others of no consequence.
		pass("states", states, leaf("input")), pass("operators", operators, leaf("input")),
	}
	for _, tag := range []string{"zero", "ones"} {
		all = append(all, pass("states", vectors(states), leaf(tag)), pass("operators", vectors(operators), leaf(tag)))
	}
	for place := range 3 {
		all = append(all, toOperand(place))
	}
	for _, tag := range []string{"zero", "ones"} {
		all = append(all, pass("inputs", vectors(func(f *syntax.File) []int { return f.Model().Inputs }), leaf(tag)))
	}
	return append(all, pass("constants", constants, leaf("zero")), rows("starts", ofStates(func(m *syntax.Model) map[int]int { return m.Init })),
		rows("next values", ofStates(func(m *syntax.Model) map[int]int { return m.Next })), narrower(), aliases(), unused())
}

// Tidy returns what hardly ever matters: lines of comments, other names of a value, and rows that nothing rests on.
func Tidy() []minimize.Pass[*syntax.File] {
	return []minimize.Pass[*syntax.File]{comments(), aliases(), unused()}
}

// Names returns the pass that leaves out names.
func Names() minimize.Pass[*syntax.File] {
	return pass("names", func(f *syntax.File) []int {
		return nodes(f, func(n *syntax.Node) bool { return n.Symbol != "" && !n.Op.IsAside() })
	}, func(c *change, _ *syntax.File, node int) { c.names[node] = "" })
}

// Only returns a file with one of its properties.
func Only(f *syntax.File, p circuit.Property) *syntax.File {
	m, c := f.Model(), newChange()
	for kind, all := range map[circuit.PropertyKind][]int{
		circuit.PropertyOutput: m.Outputs, circuit.PropertyBad: m.Bads, circuit.PropertyJustice: m.Justice,
	} {
		for i, node := range all {
			c.gone[node] = kind != p.Kind || i != p.Index
		}
	}
	return c.apply(f)
}

// nodes returns the nodes that are of a kind.
func nodes(f *syntax.File, is func(*syntax.Node) bool) (all []int) {
	m := f.Model()
	for node := range m.Nodes {
		if is(&m.Nodes[node]) {
			all = append(all, node)
		}
	}
	return all
}

func operators(f *syntax.File) []int {
	return nodes(f, func(n *syntax.Node) bool { return n.Op.IsOperator() && !n.IsAlias() })
}

func asides(f *syntax.File) []int {
	return nodes(f, func(n *syntax.Node) bool { return n.Op.IsAside() })
}

func states(f *syntax.File) []int { return f.Model().States }

func constants(f *syntax.File) []int {
	return nodes(f, func(n *syntax.Node) bool { return n.Op >= syntax.Const && n.Op < syntax.Zero })
}

// vectors returns those of some nodes that are no arrays.
func vectors(of func(*syntax.File) []int) func(*syntax.File) []int {
	return func(f *syntax.File) []int {
		return slices.DeleteFunc(slices.Clone(of(f)), func(node int) bool { return f.Model().Nodes[node].Sort.IsArray() })
	}
}

// ofStates returns the rows of states in the order of these.
func ofStates(of func(*syntax.Model) map[int]int) func(*syntax.Model) []int {
	return func(m *syntax.Model) (all []int) {
		for _, state := range m.States {
			if node, ok := of(m)[state]; ok {
				all = append(all, node)
			}
		}
		return all
	}
}

// leaf puts a value without operands in the place of a row.
func leaf(tag string) func(c *change, f *syntax.File, node int) {
	return func(c *change, f *syntax.File, node int) {
		m := f.Model()
		c.rows[node] = f.RowInPlace(node, tag, f.SortNumber(node))
		if m.Nodes[node].Op != syntax.State {
			return
		}
		for _, of := range []map[int]int{m.Init, m.Next} {
			if at, ok := of[node]; ok {
				c.gone[at] = true
			}
		}
	}
}

// conditions leaves out conditions of justice properties.
func conditions() minimize.Pass[*syntax.File] {
	units := func(f *syntax.File) (n int) {
		for _, node := range f.Model().Justice {
			n += len(f.Model().Nodes[node].Args)
		}
		return n
	}
	return minimize.Pass[*syntax.File]{Name: "conditions of justice properties", Units: units, Without: func(f *syntax.File, lo, hi int) *syntax.File {
		m, c, at := f.Model(), newChange(), 0
		for _, node := range m.Justice {
			var kept []string
			for _, r := range m.Nodes[node].Args {
				if at < lo || at >= hi {
					kept = append(kept, m.Operand(r))
				}
				at++
			}
			if len(kept) < len(m.Nodes[node].Args) {
				c.rows[node] = f.RowInPlace(node, append([]string{"justice", strconv.Itoa(len(kept))}, kept...)...)
			}
		}
		return c.apply(f)
	}}
}

// toOperand puts an operand of the same sort in the place of an operator.
func toOperand(place int) minimize.Pass[*syntax.File] {
	return pass("operators", func(f *syntax.File) []int {
		m := f.Model()
		return slices.DeleteFunc(operators(f), func(node int) bool {
			n := &m.Nodes[node]
			return place >= len(n.Args) || m.Nodes[n.Args[place].Node()].Sort != n.Sort
		})
	}, func(c *change, f *syntax.File, node int) {
		c.gone[node], c.to[node] = true, f.Model().Nodes[node].Args[place]
	})
}

// comments leaves out the lines without rows.
func comments() minimize.Pass[*syntax.File] {
	units := func(f *syntax.File) int {
		text := f.Text()
		if lines := text.NumLines(); lines > f.NumRows()+1 || lines > f.NumRows() && text.Line(lines-1) != "" {
			return 1
		}
		return 0
	}
	return minimize.Pass[*syntax.File]{Name: "comments", Units: units, Without: func(f *syntax.File, _, _ int) *syntax.File {
		c := newChange()
		c.isBare = true
		return c.apply(f)
	}}
}

// aliases leaves out the rows that only name a value. It gets the name if it has none.
func aliases() minimize.Pass[*syntax.File] {
	found := func(f *syntax.File) []int { return nodes(f, (*syntax.Node).IsAlias) }
	return minimize.Pass[*syntax.File]{
		Name: "aliases", Units: func(f *syntax.File) int { return len(found(f)) },
		Without: func(f *syntax.File, lo, hi int) *syntax.File {
			m, c := f.Model(), newChange()
			for _, node := range found(f)[lo:hi] {
				n := &m.Nodes[node]
				c.gone[node], c.to[node] = true, n.Args[0]
				of := c.find(n.Args[0])
				if m.Nodes[of.Node()].Symbol == "" && n.Symbol != "" && !of.IsNegated() && c.names[of.Node()] == "" {
					c.names[of.Node()] = n.Symbol
				}
			}
			return c.apply(f)
		},
	}
}

// unused leaves out the rows that nothing rests on.
func unused() minimize.Pass[*syntax.File] {
	found := func(f *syntax.File) (all []int) {
		m := f.Model()
		for node, kept := range btor2.RowsOf(f, slices.Concat(m.Outputs, m.Bads, m.Justice, m.Constraints, m.Fairs, m.Lemmas, m.Covers)) {
			if !kept && !m.Nodes[node].Op.IsAside() {
				all = append(all, node)
			}
		}
		return all
	}
	return minimize.Pass[*syntax.File]{
		Name: "unused rows", Units: func(f *syntax.File) int { return len(found(f)) },
		Without: func(f *syntax.File, lo, hi int) *syntax.File {
			c := newChange()
			for _, node := range found(f)[lo:hi] {
				c.gone[node] = true
			}
			return c.apply(f)
		},
	}
}
