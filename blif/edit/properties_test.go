package edit

import (
	"testing"

	"aiglens/blif"
	"aiglens/internal/source"
)

// TestPropertyChanges: a comment that is offered for a net makes it a property of its kind,
// and none is offered for what is not a net of the first model.
func TestPropertyChanges(t *testing.T) {
	const text = ".model m\n.inputs a\n.outputs y\n.latch n y 0\n.names a y \\\n n\n11 1\n.subckt c i=a\n.end\n.model c\n.inputs i\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for offset := range text {
		changes := propertyChanges(f, offset)
		o, ok := f.OccurrenceAt(offset)
		if want := ok && o.Signal != 0 && f.SignalModel(o.Signal) == f.Top(); want != (len(changes) == 2) {
			t.Errorf("offset %d: %d changes", offset, len(changes))
		}
		for i, c := range changes {
			edits, err := c.Edits()
			if err != nil {
				t.Fatal(err)
			}
			after, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			ps := blif.Options{}.Parse(after).Properties()
			last := ps[len(ps)-1]
			if kind := []string{"lemma", "cover"}[i]; last.Kind != kind || last.Name != f.Name(o.Signal) || len(ps) != len(f.Properties())+1 {
				t.Errorf("offset %d: %s %s, want %s %s", offset, last.Kind, last.Name, kind, f.Name(o.Signal))
			}
		}
	}
}
