package diagnose

import (
	"context"

	"aiglens/btor2/syntax"
)

// uses say which rows others need.
type uses struct {
	m          *syntax.Model
	properties int // rows that ask or show something
	// used are the rows on which a property, constraint or output depends, or that have another name, and the sorts of rows.
	used []bool
	// needed are these, and those that the init and next rows of other states use.
	needed []bool
}

// findUses goes back from what is asked and shown. A named alias shows a row.
func findUses(ctx context.Context, m *syntax.Model) (*uses, error) {
	u := &uses{m: m, used: make([]bool, len(m.Nodes)), needed: make([]bool, len(m.Nodes))}
	sorts := map[syntax.Sort]bool{}
	var open []int
	mark := func(in []bool, row int) {
		if !in[row] {
			in[row] = true
			open = append(open, row)
		}
	}
	close := func(in []bool) error {
		for steps := 0; len(open) > 0; steps++ {
			if steps%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := open[len(open)-1]
			open = open[:len(open)-1]
			n := &m.Nodes[row]
			for _, r := range n.Args {
				if r != syntax.NoRef {
					mark(in, r.Node())
				}
			}
			if n.Op == syntax.State {
				for _, assigned := range []map[int]int{m.Init, m.Next} {
					if at, has := assigned[row]; has {
						mark(in, at)
					}
				}
			}
		}
		return nil
	}
	for row := range m.Nodes {
		n := &m.Nodes[row]
		if n.Op.IsProperty() {
			u.properties++
		}
		if n.Op.IsProperty() || n.IsAlias() && n.Symbol != "" {
			mark(u.used, row)
		}
		if n.Op.HasValue() {
			sorts[n.Sort] = true
		}
	}
	if err := close(u.used); err != nil {
		return nil, err
	}
	copy(u.needed, u.used)
	for _, assigned := range []map[int]int{m.Init, m.Next} {
		for _, row := range assigned {
			mark(u.needed, row)
		}
	}
	if err := close(u.needed); err != nil {
		return nil, err
	}
	u.sorts(sorts)
	return u, nil
}

// sorts marks those that rows have, and those of which used arrays are made.
func (u *uses) sorts(of map[syntax.Sort]bool) {
	for sort := range of {
		if sort.IsArray() {
			of[syntax.Sort{Width: sort.Width}], of[syntax.Sort{Width: sort.IndexWidth}] = true, true
		}
	}
	for row := range u.m.Nodes {
		if n := &u.m.Nodes[row]; n.Op == syntax.SortRow && of[n.Sort] {
			u.used[row] = true
		}
	}
}

// canGo reports whether a row can be deleted without a change of anything else: an operator or constant that nothing needs.
func (u *uses) canGo(row int) bool {
	op := u.m.Nodes[row].Op
	return !u.needed[row] && (op.IsConstant() || op.IsOperator())
}

// isUnused reports whether nothing depends on a row that has a value, or that says what such a state starts with or goes to.
func (u *uses) isUnused(row int) bool {
	op := u.m.Nodes[row].Op
	return u.properties > 0 && !u.used[row] && (op.HasValue() || op == syntax.Init || op == syntax.Next)
}
