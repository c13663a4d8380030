package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// coverFixes are those of the rows of .names.
func coverFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	line := f.Text().LineAt(d.Span.Start)
	st := f.StatementAt(d.Span.Start)
	row, isRow := rowOf(f, st.ID, d.Span.Start)
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
		return fix(false, fmt.Sprintf("Cut to %s", findings.Count(inputs, "literal", "literals")), replace(d.Span, cube[:inputs]))
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
			fixes = append(fixes, fix(false, "Start with "+initialTitles[v], replace(d.Span, v))...)
		}
	case codes.LatchNoInit:
		for _, v := range []string{"0", "1", "3"} {
			fixes = append(fixes, fix(false, "Start with "+initialTitles[v], insert(d.Span.Start, " "+v))...)
		}
	case codes.StartNotGiven:
		if edits := startEdits(f, d.Span.Start); len(edits) > 0 {
			fixes = fix(false, "Start with 0: .gateinit", edits...)
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

// startEdits writes .gateinit lines for the flip-flop cells of a model that have no initial value.
func startEdits(f *blif.File, at int) []source.Edit {
	m := f.ModelAt(f.StatementAt(at).ID)
	if m == nil {
		return nil
	}
	var lines strings.Builder
	_, nets := diagnose.CellsWithoutStart(f, m)
	for _, net := range nets {
		if name := f.NameText(net); !strings.Contains(name, "=") { // a pin may hold one
			lines.WriteString(".gateinit " + name + "=0\n")
		}
	}
	switch {
	case lines.Len() == 0:
		return nil
	case m.BodyEnd < f.NumStatements():
		text := f.Text()
		return []source.Edit{insert(text.LineStart(text.LineAt(f.DirectiveSpan(m.BodyEnd).Start)), lines.String())}
	}
	return []source.Edit{appendLines(f, lines.String())}
}

var initialTitles = map[string]string{"0": "0", "1": "1", "2": "either (2, don't care)", "3": "either (3, unknown)"}
