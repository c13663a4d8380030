package blif

import (
	"fmt"

	"aiglens/internal/source"
)

// Changes returns the changes that make sense for the statement at an offset.
// Whether one is possible is found out when it is asked for its edits, but for
// covers, of which small ones are compared with what would come of them.
func (f *File) Changes(offset int) []source.Change {
	st := f.StatementAt(offset)
	if st.Kind == KindText || offset > f.contentSpan(st.ID).End() {
		return nil
	}
	var all []source.Change
	add := func(id, title string, edits func() ([]source.Edit, error)) {
		all = append(all, source.Change{ID: id, Title: title, Kind: source.ChangeRewrite, Edits: edits})
	}
	switch st.Kind {
	case KindNames:
		f.coverChanges(st.ID, add)
	case KindSubckt, KindGate:
		m := f.Instance(st.ID)
		if m == nil || m.isOpaque() {
			break
		}
		add("flatten-instance", "Flatten this instance of "+m.Name, func() ([]source.Edit, error) { return f.FlattenInstance(st.ID) })
		f.flattenAll(m, 2, add)
	case KindModel:
		if m := f.ModelAt(st.ID); m != nil && !m.isOpaque() {
			f.flattenAll(m, 1, add)
		}
	}
	return all
}

func (f *File) flattenAll(m *Model, least int, add func(id, title string, edits func() ([]source.Edit, error))) {
	if n := len(f.InstancesOf(m)); n >= least {
		add("flatten-instances", fmt.Sprintf("Flatten %s of %s", allOf(n, "instance"), m.Name),
			func() ([]source.Edit, error) { return f.FlattenInstances(m) })
	}
}

func allOf(n int, what string) string {
	if n == 1 {
		return "the only " + what
	}
	return "all " + count(n, what)
}

// fewColumns is how many inputs need no names above their columns.
const fewColumns = 3

func (f *File) coverChanges(id int, add func(id, title string, edits func() ([]source.Edit, error))) {
	c, ok := f.coverOf(id)
	if !ok {
		return
	}
	if !c.isMinimal() {
		add("minimise-cover", "Minimise the cover: drop contained rows, join neighbours", func() ([]source.Edit, error) { return f.MinimiseCover(id) })
	}
	to := "where it is 0 (off-set)"
	if c.off {
		to = "where it is 1 (on-set)"
	}
	add("complement-cover", "Describe "+f.words.text(f.outputOf(id))+" by "+to, func() ([]source.Edit, error) { return f.ComplementCover(id) })
	if _, err := f.NameColumns(id); err == nil && len(c.inputs) > fewColumns {
		add("name-columns", "Name the columns in a comment", func() ([]source.Edit, error) { return f.NameColumns(id) })
	}
}

// outputOf returns the net that a .names defines.
func (f *File) outputOf(id int) name {
	k, i := f.at(id)
	_, hi := f.chunks[k].tokens(i)
	return f.chunks[k].ids[hi-1]
}
