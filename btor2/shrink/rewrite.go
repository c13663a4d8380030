package shrink

import (
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// change is what becomes of rows, by their nodes.
type change struct {
	gone   map[int]bool
	rows   map[int]string     // the row in place of another one
	to     map[int]syntax.Ref // the value that is read in place of that of a row
	names  map[int]string
	isBare bool // lines without rows go
}

func newChange() *change {
	return &change{gone: map[int]bool{}, rows: map[int]string{}, to: map[int]syntax.Ref{}, names: map[int]string{}}
}

// find returns the value that is read in place of another one, and has all on the way there lead to it at once.
func (c *change) find(r syntax.Ref) syntax.Ref {
	end := r
	for {
		to, ok := c.to[end.Node()]
		if !ok {
			break
		}
		end = to ^ end&1
	}
	for r.Node() != end.Node() {
		next := c.to[r.Node()] ^ r&1
		c.to[r.Node()] = end ^ r&1
		r = next
	}
	return end
}

// apply returns the changed file.
func (c *change) apply(f *syntax.File) *syntax.File {
	m := f.Model()
	nodeAt := map[int]int{}
	for node := range m.Nodes {
		nodeAt[m.Nodes[node].Line] = node
	}
	lines := m.Text.NumLines()
	if m.Text.Line(lines-1) == "" {
		lines--
	}
	var text strings.Builder
	for line := range lines {
		node, isRow := nodeAt[line]
		if isRow && c.gone[node] || !isRow && c.isBare {
			continue
		}
		if isRow {
			text.WriteString(c.rowOf(f, node))
		} else {
			text.WriteString(m.Text.Line(line))
		}
		text.WriteByte('\n')
	}
	return syntax.Parse(source.NewText(text.String()), nil)
}

// rowOf returns what stands in place of a row that stays.
func (c *change) rowOf(f *syntax.File, node int) string {
	if row := c.rows[node]; row != "" {
		return row
	}
	m := f.Model()
	line, start := m.Text.Line(m.Nodes[node].Line), m.Text.LineStart(m.Nodes[node].Line)
	name, isRenamed := c.names[node]
	if len(c.to) == 0 && !isRenamed {
		return line
	}
	var text strings.Builder
	from := 0
	for o := range f.OccurrencesIn(source.Span{Start: start}) {
		if o.Role != syntax.RoleOperand || o.Ref == syntax.NoRef {
			continue
		}
		if to := c.find(o.Ref); to != o.Ref {
			text.WriteString(line[from : o.Span.Start-start])
			text.WriteString(m.Operand(to))
			from = o.Span.End() - start
		}
	}
	rest := strings.TrimRight(line[from:f.LayoutOf(node).Comment.Start-start], " \t\r")
	if isRenamed {
		if old := m.Nodes[node].Symbol; old != "" {
			rest = strings.TrimRight(strings.TrimSuffix(rest, old), " \t")
		}
		if name != "" {
			rest += " " + name
		}
	}
	return text.String() + rest + f.CommentAfter(node)
}
