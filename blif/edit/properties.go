package edit

import (
	"aiglens/blif"
	"aiglens/internal/source"
)

// propertyChanges offers comments that say something about the net at an offset, in front of
// the statement there. Only those of the first model count.
func propertyChanges(f *blif.File, offset int) (all []source.Change) {
	o, ok := f.OccurrenceAt(offset)
	top := f.Top()
	if !ok || o.Signal == 0 || top == nil || f.SignalModel(o.Signal) != top || !f.Resolved().IsDriven(o.Signal) {
		return nil
	}
	name := f.Name(o.Signal)
	at := f.Text().LineStart(f.Text().LineAt(f.ContentSpan(o.Statement).Start))
	for _, c := range []struct{ id, kind, title string }{
		{"add-lemma", "lemma", "Add a lemma: " + name + " is always 1"},
		{"add-cover", "cover", "Add a cover: " + name + " is 1 in some run"},
	} {
		edits := []source.Edit{{Span: source.Span{Start: at}, NewText: "# prop: " + c.kind + " " + name + "\n"}}
		all = append(all, source.Change{ID: c.id, Title: c.title, Kind: source.ChangeAdd, Edits: func() ([]source.Edit, error) { return edits, nil }})
	}
	return all
}
