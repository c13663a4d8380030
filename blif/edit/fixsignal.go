package edit

import (
	"fmt"
	"slices"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// signalFixes are those of drivers and uses.
func signalFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	id := f.StatementAt(d.Span.Start).ID
	m := f.ModelAt(id)
	if m == nil {
		m = f.Top() // to which the comments before it belong
	}
	if m == nil {
		return nil
	}
	name := f.Text().Slice(d.Span)
	switch d.Code {
	case codes.DriversMany:
		fresh := freshSignal(f, m, name)
		return append(fix(false, "Delete this driver", deletion(f, id)), fix(false, "Drive "+fresh+" instead", replace(d.Span, fresh))...)
	case codes.InputDriven:
		var edits []source.Edit
		for _, p := range slices.Concat(m.InputList, m.Clocks) {
			if f.NameText(p.Name) == name {
				edits = append(edits, listRemoval(f, p.Ref))
			}
		}
		return fix(false, "Remove "+name+" from the inputs", edits...)
	case codes.UndrivenSignal, codes.ControlUndriven, codes.UndrivenOutput, codes.PragmaSignal:
		fixes := fix(false, "Define "+name+" as the constant 0", insert(bodyEndAt(f, m), ".names "+name+"\n0\n"))
		if d.Code != codes.UndrivenOutput && m.HasPortLines { // .inputs would end the inference of the others
			fixes = append(fix(false, "Add "+name+" to the inputs", listInsertion(f, m, name)), fixes...)
		}
		if o, ok := f.OccurrenceAt(d.Span.Start); ok && o.Role == blif.RoleOutput {
			fixes = append(fixes, fix(false, "Remove "+name+" from the outputs", removalAt(f, d.Span))...)
		}
		if d.Code == codes.ControlUndriven {
			fixes = append(fixes, fix(false, "Use the global clock (NIL)", replace(d.Span, "NIL"))...)
		}
		return fixes
	case codes.SignalUnused:
		return fix(false, "Delete "+name, deletion(f, id))
	case codes.ModelInputUnused:
		return fix(false, "Remove "+name+" from the inputs", removalAt(f, d.Span))
	case codes.DuplicateInput, codes.DuplicateOutput:
		return fix(true, "Remove the second "+name, removalAt(f, d.Span))
	}
	return nil
}

// freshSignal returns a name that no signal of a model has.
func freshSignal(f *blif.File, m *blif.Model, name string) string {
	for i := 2; ; i++ {
		if fresh := fmt.Sprintf("%s_%d", name, i); m.Signal(fresh) == 0 {
			return fresh
		}
	}
}

// bodyEndAt returns where a statement can be added to a model.
func bodyEndAt(f *blif.File, m *blif.Model) int {
	if m.BodyEnd < f.NumStatements() {
		return f.Statement(m.BodyEnd).Span.Start
	}
	return f.Text().Len()
}

// listInsertion adds an input to a model.
func listInsertion(f *blif.File, m *blif.Model, name string) source.Edit {
	if n := len(m.InputList); n > 0 {
		return insert(f.RefSpan(m.InputList[n-1].Ref).End(), " "+name)
	}
	for id := m.From; id < m.BodyEnd; id++ {
		if st := f.Statement(id); st.Kind == statement.KindInputs {
			return insert(st.Directive.End(), " "+name)
		}
	}
	line := f.Text().LineAt(f.ContentSpan(m.From).End())
	if m.Implicit {
		return insert(f.Statement(m.From).Span.Start, ".inputs "+name+"\n")
	}
	return insert(f.Text().LineStart(line+1), ".inputs "+name+"\n")
}

// listRemoval takes a word out of a list, with the white space before it.
func listRemoval(f *blif.File, ref statement.TokenRef) source.Edit {
	c := f.Chunks[ref.Chunk]
	t := c.Tokens[ref.Token]
	from := int(t.Start)
	for from > 0 && statement.IsBlank(c.Text[from-1]) {
		from--
	}
	if from > 0 && c.Text[from-1] == '\n' {
		from = int(t.Start) // the first word of a joined line
	}
	return source.Edit{Span: source.SpanFromTo(int(f.Starts[ref.Chunk])+from, int(f.Starts[ref.Chunk]+t.Start+t.Length))}
}

// removalAt takes the word with a span out of its list.
func removalAt(f *blif.File, span source.Span) source.Edit {
	k, i := f.Locate(f.StatementAt(span.Start).ID)
	lo, hi := f.Chunks[k].TokensOf(i)
	for t := lo + 1; t < hi; t++ {
		if f.TokenSpan(k, f.Chunks[k].Tokens[t]) == span {
			return listRemoval(f, statement.TokenRef{Chunk: uint32(k), Token: t})
		}
	}
	return source.Edit{Span: span}
}
