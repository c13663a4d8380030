package edit

import (
	"fmt"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Changes returns the changes that make sense for the statement at an offset.
// Whether one is possible is found out when it is asked for its edits, but for
// covers, of which small ones are compared with what would come of them.
func Changes(f *blif.File, offset int) []source.Change {
	st := f.StatementAt(offset)
	if st.Kind == statement.KindText || offset > f.ContentSpan(st.ID).End() {
		return nil
	}
	all := propertyChanges(f, offset)
	add := func(id, title string, edits func() ([]source.Edit, error)) {
		all = append(all, source.Change{ID: id, Title: title, Kind: source.ChangeRewrite, Edits: edits})
	}
	switch st.Kind {
	case statement.KindNames:
		coverChanges(f, st.ID, add)
	case statement.KindSubckt, statement.KindGate:
		m := f.Instance(st.ID)
		if m == nil || m.BlackBox {
			break
		}
		add("flatten-instance", "Flatten this instance of "+m.Name, func() ([]source.Edit, error) { return flattenInstance(f, st.ID) })
		flattenAll(f, m, 2, add)
	case statement.KindModel:
		if m := f.ModelAt(st.ID); m != nil && !m.BlackBox {
			flattenAll(f, m, 1, add)
		}
	}
	return all
}

func flattenAll(f *blif.File, m *blif.Model, least int, add func(id, title string, edits func() ([]source.Edit, error))) {
	if n := len(f.InstancesOf(m)); n >= least {
		add("flatten-instances", fmt.Sprintf("Flatten %s of %s", allOf(n, "instance"), m.Name),
			func() ([]source.Edit, error) { return flattenInstances(f, m) })
	}
}

func allOf(n int, what string) string {
	if n == 1 {
		return "the only " + what
	}
	return "all " + findings.Count(n, what, what+"s")
}

// fewColumns is how many inputs need no names above their columns.
const fewColumns = 3

func coverChanges(f *blif.File, id int, add func(id, title string, edits func() ([]source.Edit, error))) {
	c, ok := coverOf(f, id)
	if !ok {
		return
	}
	if !c.isMinimal() {
		add("minimise-cover", "Minimise the cover: drop contained rows, join neighbours", func() ([]source.Edit, error) { return minimiseCover(f, id) })
	}
	to := "where it is 0 (off-set)"
	if c.off {
		to = "where it is 1 (on-set)"
	}
	add("complement-cover", "Describe "+f.NameText(outputOf(f, id))+" by "+to, func() ([]source.Edit, error) { return complementCover(f, id) })
	if _, err := nameColumns(f, id); err == nil && len(c.inputs) > fewColumns {
		add("name-columns", "Name the columns in a comment", func() ([]source.Edit, error) { return nameColumns(f, id) })
	}
}

// outputOf returns the net that a .names defines.
func outputOf(f *blif.File, id int) statement.Name {
	k, i := f.Locate(id)
	_, hi := f.Chunks[k].TokensOf(i)
	return f.Chunks[k].Names[hi-1]
}
