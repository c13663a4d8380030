package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/kiss"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// FixesFor returns the ways out of a diagnostic of f, the preferred one first.
// They are worked out from the place of the diagnostic.
func FixesFor(f *blif.File, d source.Diagnostic) []source.Fix {
	fixes := append(slices.Clip(d.Fixes), structureFixes(f, d)...)
	fixes = append(fixes, signalFixes(f, d)...)
	fixes = append(fixes, coverFixes(f, d)...)
	fixes = append(fixes, latchFixes(f, d)...)
	fixes = append(fixes, instanceFixes(f, d)...)
	fixes = append(fixes, textFixes(f, d)...)
	return findings.PreferredFirst(fixes)
}

func insert(at int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: at}, NewText: text}
}

func replace(span source.Span, text string) source.Edit {
	return source.Edit{Span: span, NewText: text}
}

// fix makes a fix of one or more edits; safe marks the preferred one.
func fix(safe bool, title string, edits ...source.Edit) []source.Fix {
	return []source.Fix{{Title: title, Edits: edits, Preferred: safe}}
}

// structureFixes are those of models and directives.
func structureFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	at := d.Span.Start
	switch d.Code {
	case codes.EmptyFile:
		end := ""
		if n := f.Text().Len(); n > 0 && f.Text().Byte(n-1) != '\n' {
			end = "\n"
		}
		return fix(false, "Insert a model", insert(f.Text().Len(), end+".model "+f.BaseName()+"\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"))
	case codes.ModelMissing:
		name := ".model " + f.BaseName()
		return fix(true, "Insert "+name, insert(f.Text().LineStart(f.Text().LineAt(at)), name+"\n"))
	case codes.ModelName:
		return fix(true, "Name the model "+f.BaseName(), insert(at, " "+f.BaseName()))
	case codes.ModelTwice:
		name := freshModel(f, f.Text().Slice(d.Span))
		return fix(false, "Rename to "+name, replace(d.Span, name))
	case codes.EndMissing:
		if d.Span.Length > 0 {
			return fix(true, "Insert .end", insert(f.Text().LineStart(f.Text().LineAt(at)), ".end\n"))
		}
		return fix(true, "Append .end", appendLines(f, ".end\n"))
	case codes.AfterEnd:
		return moveEnd(f, d)
	case codes.UnknownDirective:
		if near := statement.NearestDirective(f.Text().Slice(d.Span)); near != "" {
			return fix(true, "Replace by "+near, replace(d.Span, near))
		}
	case codes.Singular:
		return fix(true, "Write "+f.Text().Slice(d.Span)+"s", insert(d.Span.End(), "s"))
	case codes.NothingToName, codes.AttributeName, codes.NamesEmpty:
		return fix(d.Code != codes.NamesEmpty, "Delete it", deletion(f, f.StatementAt(at).ID))
	case codes.KissNotClosed:
		return closeTable(f, d)
	case codes.KissCount, codes.KissWidth, codes.KissReset:
		return tableFixes(f, d)
	}
	return nil
}

// appendLines adds lines at the end of the text.
func appendLines(f *blif.File, lines string) source.Edit {
	if n := f.Text().Len(); n > 0 && f.Text().Byte(n-1) != '\n' {
		lines = "\n" + lines
	}
	if _, ok := f.LastBackslash(); ok {
		lines = "\n" + lines // what it joins is blank
	}
	return insert(f.Text().Len(), lines)
}

// freshModel returns a name that no model has.
func freshModel(f *blif.File, name string) string {
	for i := 2; ; i++ {
		if fresh := fmt.Sprintf("%s_%d", name, i); f.Model(fresh) == nil {
			return fresh
		}
	}
}

// moveEnd moves the .end behind the statements that follow it.
func moveEnd(f *blif.File, d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	if m == nil || m.End < 0 {
		return nil
	}
	last := m.End
	for id := m.End + 1; id < m.To; id++ {
		if kind := f.Statement(id).Kind; kind != statement.KindSearch && kind != statement.KindEnd {
			last = id
		}
	}
	content := f.ContentSpan(last).End()
	at := f.Text().LineStart(f.Text().LineAt(content) + 1)
	edit := insert(at, ".end\n")
	if at == f.Text().Len() && f.Text().Byte(at-1) != '\n' {
		edit = insert(at, "\n.end\n")
	}
	return fix(true, "Move .end behind it", deletion(f, m.End), edit)
}

// closeTable inserts the .end_kiss that is missing.
func closeTable(f *blif.File, d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	for _, t := range m.Tables {
		if f.DirectiveSpan(t.From) == d.Span {
			line := f.Text().LineAt(f.ContentSpan(t.To - 1).End())
			return fix(true, "Insert .end_kiss", insert(f.Text().LineSpan(line).End(), "\n.end_kiss"))
		}
	}
	return nil
}

// tableFixes set the headers of a state table to what the table holds.
func tableFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	for _, t := range m.Tables {
		from, to := f.DirectiveSpan(t.From).Start, f.ContentSpan(t.To-1).End()
		if d.Span.Start < from || d.Span.Start > to {
			continue
		}
		k := kiss.ReadTable(&f.Tree, t)
		states := k.StateNames()
		set := func(word string, value string) []source.Fix {
			return fix(false, "Set "+word+" to "+value, replace(k.Headers[word], value))
		}
		switch d.Span {
		case k.Headers[".p"]:
			return set(".p", fmt.Sprint(len(k.Rows)))
		case k.Headers[".s"]:
			return set(".s", fmt.Sprint(len(states)))
		case k.Headers[".i"]:
			return set(".i", fmt.Sprint(len(m.InputList)))
		case k.Headers[".o"]:
			return set(".o", fmt.Sprint(len(m.OutputList)))
		case k.Headers[".r"]:
			if len(states) > 0 {
				return set(".r", states[0])
			}
		}
	}
	return nil
}

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

// coverFixes are those of the rows of .names.
func coverFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	line := f.Text().LineAt(d.Span.Start)
	st := f.StatementAt(d.Span.Start)
	row, isRow := rowOf(&f.Tree, st.ID, d.Span.Start)
	if !isRow || d.Code == codes.RowStray { // several rows
		row.Span = d.Span
	}
	inputs := len(f.Arguments(st.ID)) - 1
	switch d.Code {
	case codes.CubeWidth:
		cube := strings.Join(strings.Fields(f.Text().Slice(d.Span)), "")
		if len(cube) < inputs {
			return fix(false, "Pad with -", replace(d.Span, cube+strings.Repeat("-", inputs-len(cube))))
		}
		return fix(false, fmt.Sprintf("Cut to %s", codes.Count(inputs, "literal")), replace(d.Span, cube[:inputs]))
	case codes.CubeCharacter:
		found := f.Text().Slice(d.Span)
		return fix(found == "2" || found == "x" || found == "X", "Replace by -", replace(d.Span, "-"))
	case codes.CubeOutput:
		if d.Span.Length == 0 {
			return append(fix(false, "Append 1", insert(d.Span.Start, " 1")), fix(false, "Append 0", insert(d.Span.Start, " 0"))...)
		}
		return append(fix(false, "Replace by 1", replace(d.Span, "1")), fix(false, "Replace by 0", replace(d.Span, "0"))...)
	case codes.CubePhase:
		return fix(false, "Delete the row", rowDeletion(f, st.ID, row))
	case codes.CubeContained:
		return fix(true, "Delete the row", rowDeletion(f, st.ID, row))
	case codes.CubeSpaces:
		words := statement.SplitWords(f.Text().Slice(row.Span), row.Span.Start)
		var cube string
		for _, w := range words[:len(words)-1] {
			cube += w.Text
		}
		return fix(true, "Join the literals", replace(source.SpanFromTo(words[0].At, words[len(words)-2].End()), cube))
	case codes.ConstantInputs:
		end := d.Span.End() + len(f.Text().Slice(source.SpanFromTo(d.Span.End(), f.Text().LineSpan(line).End()))) -
			len(strings.TrimLeft(f.Text().Slice(source.SpanFromTo(d.Span.End(), f.Text().LineSpan(line).End())), " \t"))
		return fix(false, "Delete the input part", source.Edit{Span: source.SpanFromTo(d.Span.Start, end)})
	case codes.RowStray:
		return fix(false, "Delete it", lineDeletion(f, st.ID, row.Span))
	case codes.OperandTwice:
		if edits := mergeColumns(f, st.ID, d.Span); edits != nil {
			return fix(false, "Merge the columns", edits...)
		}
	case codes.CoverEmpty:
		end := f.Text().LineSpan(f.Text().LineAt(f.ContentSpan(st.ID).End())).End()
		return fix(false, "Write the constant 0 as a row", insert(end, "\n"+strings.Repeat("-", inputs)+" 0"))
	}
	return nil
}

// mergeColumns takes a repeated input and its column out of a cover. A row that
// asks for both values of it never applies and goes.
func mergeColumns(f *blif.File, id int, span source.Span) []source.Edit {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	if c.Stmts[i].Flags&statement.FlagCover != 0 {
		return nil
	}
	args := f.Arguments(id)
	column := slices.Index(args, span)
	first := slices.IndexFunc(args, func(a source.Span) bool { return f.Text().Slice(a) == f.Text().Slice(span) })
	if column < 0 || first < 0 || first == column {
		return nil
	}
	edits := []source.Edit{removalAt(f, span)}
	left := false
	for r := range f.Rows(id) {
		cube := []byte(f.Text().Slice(r.Cube))
		a, b := cube[first], cube[column]
		if a != '-' && b != '-' && a != b {
			edits = append(edits, rowDeletion(f, id, r))
			continue
		}
		left = true
		if a == '-' {
			cube[first] = b
		}
		edits = append(edits, replace(r.Cube, string(slices.Delete(cube, column, column+1))))
	}
	if c.Stmts[i].Flags&statement.FlagOffSet != 0 && !left { // no row means 0, and the function is 1
		edits[len(edits)-1].NewText += strings.Repeat("-", len(args)-2) + " 1\n"
	}
	return edits
}

// latchFixes are those of .latch.
func latchFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	var fixes []source.Fix
	switch d.Code {
	case codes.LatchInit:
		for _, v := range []string{"0", "1", "2", "3"} {
			fixes = append(fixes, fix(false, "Start with "+initialMeaning[v], replace(d.Span, v))...)
		}
	case codes.LatchNoInit:
		for _, v := range []string{"0", "1", "3"} {
			fixes = append(fixes, fix(false, "Start with "+initialMeaning[v], insert(d.Span.Start, " "+v))...)
		}
	case codes.LatchType:
		for _, v := range []string{"re", "fe", "ah", "al", "as"} {
			fixes = append(fixes, fix(false, "Replace by "+v, replace(d.Span, v))...)
		}
	case codes.LatchControl:
		fixes = fix(false, "Insert NIL, the global clock", insert(d.Span.End(), " NIL"))
		for _, p := range f.ModelAt(f.StatementAt(d.Span.Start).ID).Clocks {
			name := f.NameText(p.Name)
			fixes = append(fixes, fix(false, "Insert the clock "+name, insert(d.Span.End(), " "+name))...)
		}
	}
	return fixes
}

var initialMeaning = map[string]string{"0": "0", "1": "1", "2": "either (2, don't care)", "3": "either (3, unknown)"}

// FixAll returns edits that make every preferred fix, as far as they go
// together. After them there is nothing left that FixAll would change.
func FixAll(f *blif.File) []source.Edit { return findings.FixAll(f, preferredEdits) }

func preferredEdits(f *blif.File) []source.Edit {
	return findings.PreferredEdits(diagnose.Diagnostics(f), func(d source.Diagnostic) []source.Fix { return FixesFor(f, d) })
}
