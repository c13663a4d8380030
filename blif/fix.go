package blif

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/source"
)

// FixesFor returns the ways out of a diagnostic of f, the preferred one first.
// They are worked out from the place of the diagnostic.
func (f *File) FixesFor(d source.Diagnostic) []source.Fix {
	fixes := append(slices.Clip(d.Fixes), f.structureFixes(d)...)
	fixes = append(fixes, f.signalFixes(d)...)
	fixes = append(fixes, f.coverFixes(d)...)
	fixes = append(fixes, f.latchFixes(d)...)
	fixes = append(fixes, f.instanceFixes(d)...)
	fixes = append(fixes, f.textFixes(d)...)
	slices.SortStableFunc(fixes, func(a, b source.Fix) int {
		switch {
		case a.Preferred == b.Preferred:
			return 0
		case a.Preferred:
			return -1
		}
		return 1
	})
	return fixes
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
func (f *File) structureFixes(d source.Diagnostic) []source.Fix {
	at := d.Span.Start
	switch d.Code {
	case CodeEmptyFile:
		end := ""
		if n := f.text.Len(); n > 0 && f.text.Byte(n-1) != '\n' {
			end = "\n"
		}
		return fix(false, "Insert a model", insert(f.text.Len(), end+".model "+f.baseName()+"\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"))
	case CodeModelMissing:
		name := ".model " + f.baseName()
		return fix(true, "Insert "+name, insert(f.text.LineStart(f.text.LineAt(at)), name+"\n"))
	case CodeModelName:
		return fix(true, "Name the model "+f.baseName(), insert(at, " "+f.baseName()))
	case CodeModelTwice:
		name := f.freshModel(f.text.Slice(d.Span))
		return fix(false, "Rename to "+name, replace(d.Span, name))
	case CodeEndMissing:
		if d.Span.Length > 0 {
			return fix(true, "Insert .end", insert(f.text.LineStart(f.text.LineAt(at)), ".end\n"))
		}
		return fix(true, "Append .end", f.appendLines(".end\n"))
	case CodeAfterEnd:
		return f.moveEnd(d)
	case CodeUnknownDirective:
		if near := nearestDirective(f.text.Slice(d.Span)); near != "" {
			return fix(true, "Replace by "+near, replace(d.Span, near))
		}
	case CodeSingular:
		return fix(true, "Write "+f.text.Slice(d.Span)+"s", insert(d.Span.End(), "s"))
	case CodeNothingToName, CodeAttributeName, CodeNamesEmpty:
		return fix(d.Code != CodeNamesEmpty, "Delete it", f.deletion(f.StatementAt(at).ID))
	case CodeKissNotClosed:
		return f.closeTable(d)
	case CodeKissCount, CodeKissWidth, CodeKissReset:
		return f.tableFixes(d)
	}
	return nil
}

// appendLines adds lines at the end of the text.
func (f *File) appendLines(lines string) source.Edit {
	if n := f.text.Len(); n > 0 && f.text.Byte(n-1) != '\n' {
		lines = "\n" + lines
	}
	if _, ok := f.lastBackslash(); ok {
		lines = "\n" + lines // what it joins is blank
	}
	return insert(f.text.Len(), lines)
}

// freshModel returns a name that no model has.
func (f *File) freshModel(name string) string {
	for i := 2; ; i++ {
		if fresh := fmt.Sprintf("%s_%d", name, i); f.Model(fresh) == nil {
			return fresh
		}
	}
}

// moveEnd moves the .end behind the statements that follow it.
func (f *File) moveEnd(d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	if m == nil || m.end < 0 {
		return nil
	}
	last := m.end
	for id := m.end + 1; id < m.to; id++ {
		if kind := f.Statement(id).Kind; kind != KindSearch && kind != KindEnd {
			last = id
		}
	}
	content := f.contentSpan(last).End()
	at := f.text.LineStart(f.text.LineAt(content) + 1)
	edit := insert(at, ".end\n")
	if at == f.text.Len() && f.text.Byte(at-1) != '\n' {
		edit = insert(at, "\n.end\n")
	}
	return fix(true, "Move .end behind it", f.deletion(m.end), edit)
}

// closeTable inserts the .end_kiss that is missing.
func (f *File) closeTable(d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	for _, t := range m.tables {
		if f.directiveSpan(t.from) == d.Span {
			line := f.text.LineAt(f.contentSpan(t.to - 1).End())
			return fix(true, "Insert .end_kiss", insert(f.text.LineSpan(line).End(), "\n.end_kiss"))
		}
	}
	return nil
}

// tableFixes set the headers of a state table to what the table holds.
func (f *File) tableFixes(d source.Diagnostic) []source.Fix {
	m := f.ModelAt(f.StatementAt(d.Span.Start).ID)
	for _, t := range m.tables {
		from, to := f.directiveSpan(t.from).Start, f.contentSpan(t.to-1).End()
		if d.Span.Start < from || d.Span.Start > to {
			continue
		}
		k := f.readTable(t)
		states := k.stateNames()
		set := func(word string, value string) []source.Fix {
			return fix(false, "Set "+word+" to "+value, replace(k.headers[word], value))
		}
		switch d.Span {
		case k.headers[".p"]:
			return set(".p", fmt.Sprint(len(k.rows)))
		case k.headers[".s"]:
			return set(".s", fmt.Sprint(len(states)))
		case k.headers[".i"]:
			return set(".i", fmt.Sprint(len(m.inputs)))
		case k.headers[".o"]:
			return set(".o", fmt.Sprint(len(m.outputs)))
		case k.headers[".r"]:
			if len(states) > 0 {
				return set(".r", states[0])
			}
		}
	}
	return nil
}

// signalFixes are those of drivers and uses.
func (f *File) signalFixes(d source.Diagnostic) []source.Fix {
	id := f.StatementAt(d.Span.Start).ID
	m := f.ModelAt(id)
	if m == nil {
		m = f.Top() // to which the comments before it belong
	}
	if m == nil {
		return nil
	}
	name := f.text.Slice(d.Span)
	switch d.Code {
	case CodeDriversMany:
		fresh := f.freshSignal(m, name)
		return append(fix(false, "Delete this driver", f.deletion(id)), fix(false, "Drive "+fresh+" instead", replace(d.Span, fresh))...)
	case CodeInputDriven:
		var edits []source.Edit
		for _, p := range slices.Concat(m.inputs, m.clocks) {
			if f.words.text(p.id) == name {
				edits = append(edits, f.listRemoval(p.ref))
			}
		}
		return fix(false, "Remove "+name+" from the inputs", edits...)
	case CodeUndrivenSignal, CodeControlUndriven, CodeUndrivenOutput, CodePragmaSignal:
		fixes := fix(false, "Define "+name+" as the constant 0", insert(f.bodyEndAt(m), ".names "+name+"\n0\n"))
		if d.Code != CodeUndrivenOutput && m.hasPortLines { // .inputs would end the inference of the others
			fixes = append(fix(false, "Add "+name+" to the inputs", f.listInsertion(m, name)), fixes...)
		}
		if o, ok := f.OccurrenceAt(d.Span.Start); ok && o.Role == RoleOutput {
			fixes = append(fixes, fix(false, "Remove "+name+" from the outputs", f.removalAt(d.Span))...)
		}
		if d.Code == CodeControlUndriven {
			fixes = append(fixes, fix(false, "Use the global clock (NIL)", replace(d.Span, "NIL"))...)
		}
		return fixes
	case CodeSignalUnused:
		return fix(false, "Delete "+name, f.deletion(id))
	case CodeModelInputUnused:
		return fix(false, "Remove "+name+" from the inputs", f.removalAt(d.Span))
	case CodeDuplicateInput, CodeDuplicateOutput:
		return fix(true, "Remove the second "+name, f.removalAt(d.Span))
	}
	return nil
}

// freshSignal returns a name that no signal of a model has.
func (f *File) freshSignal(m *Model, name string) string {
	for i := 2; ; i++ {
		if fresh := fmt.Sprintf("%s_%d", name, i); m.Signal(fresh) == 0 {
			return fresh
		}
	}
}

// bodyEndAt returns where a statement can be added to a model.
func (f *File) bodyEndAt(m *Model) int {
	if m.bodyEnd < f.NumStatements() {
		return f.Statement(m.bodyEnd).Span.Start
	}
	return f.text.Len()
}

// listInsertion adds an input to a model.
func (f *File) listInsertion(m *Model, name string) source.Edit {
	if n := len(m.inputs); n > 0 {
		return insert(f.refSpan(m.inputs[n-1].ref).End(), " "+name)
	}
	for id := m.from; id < m.bodyEnd; id++ {
		if st := f.Statement(id); st.Kind == KindInputs {
			return insert(st.Directive.End(), " "+name)
		}
	}
	line := f.text.LineAt(f.contentSpan(m.from).End())
	if m.implicit {
		return insert(f.Statement(m.from).Span.Start, ".inputs "+name+"\n")
	}
	return insert(f.text.LineStart(line+1), ".inputs "+name+"\n")
}

// listRemoval takes a word out of a list, with the white space before it.
func (f *File) listRemoval(ref tokenRef) source.Edit {
	c := f.chunks[ref.chunk]
	t := c.toks[ref.tok]
	from := int(t.start)
	for from > 0 && isBlank(c.text[from-1]) {
		from--
	}
	if from > 0 && c.text[from-1] == '\n' {
		from = int(t.start) // the first word of a joined line
	}
	return source.Edit{Span: source.SpanFromTo(int(f.starts[ref.chunk])+from, int(f.starts[ref.chunk]+t.start+t.length))}
}

// removalAt takes the word with a span out of its list.
func (f *File) removalAt(span source.Span) source.Edit {
	k, i := f.at(f.StatementAt(span.Start).ID)
	lo, hi := f.chunks[k].tokens(i)
	for t := lo + 1; t < hi; t++ {
		if f.span(k, f.chunks[k].toks[t]) == span {
			return f.listRemoval(tokenRef{uint32(k), t})
		}
	}
	return source.Edit{Span: span}
}

// coverFixes are those of the rows of .names.
func (f *File) coverFixes(d source.Diagnostic) []source.Fix {
	line := f.text.LineAt(d.Span.Start)
	st := f.StatementAt(d.Span.Start)
	row, isRow := f.rowOf(st.ID, d.Span.Start)
	if !isRow || d.Code == CodeRowStray { // several rows
		row.Span = d.Span
	}
	inputs := len(f.Arguments(st.ID)) - 1
	switch d.Code {
	case CodeCubeWidth:
		cube := strings.Join(strings.Fields(f.text.Slice(d.Span)), "")
		if len(cube) < inputs {
			return fix(false, "Pad with -", replace(d.Span, cube+strings.Repeat("-", inputs-len(cube))))
		}
		return fix(false, fmt.Sprintf("Cut to %s", count(inputs, "literal")), replace(d.Span, cube[:inputs]))
	case CodeCubeCharacter:
		found := f.text.Slice(d.Span)
		return fix(found == "2" || found == "x" || found == "X", "Replace by -", replace(d.Span, "-"))
	case CodeCubeOutput:
		if d.Span.Length == 0 {
			return append(fix(false, "Append 1", insert(d.Span.Start, " 1")), fix(false, "Append 0", insert(d.Span.Start, " 0"))...)
		}
		return append(fix(false, "Replace by 1", replace(d.Span, "1")), fix(false, "Replace by 0", replace(d.Span, "0"))...)
	case CodeCubePhase:
		return fix(false, "Delete the row", f.rowDeletion(st.ID, row))
	case CodeCubeContained:
		return fix(true, "Delete the row", f.rowDeletion(st.ID, row))
	case CodeCubeSpaces:
		words := splitWords(f.text.Slice(row.Span), row.Span.Start)
		var cube string
		for _, w := range words[:len(words)-1] {
			cube += w.text
		}
		return fix(true, "Join the literals", replace(source.SpanFromTo(words[0].at, words[len(words)-2].end()), cube))
	case CodeConstantInputs:
		end := d.Span.End() + len(f.text.Slice(source.SpanFromTo(d.Span.End(), f.text.LineSpan(line).End()))) -
			len(strings.TrimLeft(f.text.Slice(source.SpanFromTo(d.Span.End(), f.text.LineSpan(line).End())), " \t"))
		return fix(false, "Delete the input part", source.Edit{Span: source.SpanFromTo(d.Span.Start, end)})
	case CodeRowStray:
		return fix(false, "Delete it", f.lineDeletion(st.ID, row.Span))
	case CodeOperandTwice:
		if edits := f.mergeColumns(st.ID, d.Span); edits != nil {
			return fix(false, "Merge the columns", edits...)
		}
	case CodeCoverEmpty:
		end := f.text.LineSpan(f.text.LineAt(f.contentSpan(st.ID).End())).End()
		return fix(false, "Write the constant 0 as a row", insert(end, "\n"+strings.Repeat("-", inputs)+" 0"))
	}
	return nil
}

// mergeColumns takes a repeated input and its column out of a cover. A row that
// asks for both values of it never applies and goes.
func (f *File) mergeColumns(id int, span source.Span) []source.Edit {
	k, i := f.at(id)
	c := f.chunks[k]
	if c.stmts[i].flags&flagCover != 0 {
		return nil
	}
	args := f.Arguments(id)
	column := slices.Index(args, span)
	first := slices.IndexFunc(args, func(a source.Span) bool { return f.text.Slice(a) == f.text.Slice(span) })
	if column < 0 || first < 0 || first == column {
		return nil
	}
	edits := []source.Edit{f.removalAt(span)}
	left := false
	for r := range f.Rows(id) {
		cube := []byte(f.text.Slice(r.Cube))
		a, b := cube[first], cube[column]
		if a != '-' && b != '-' && a != b {
			edits = append(edits, f.rowDeletion(id, r))
			continue
		}
		left = true
		if a == '-' {
			cube[first] = b
		}
		edits = append(edits, replace(r.Cube, string(slices.Delete(cube, column, column+1))))
	}
	if c.stmts[i].flags&flagOffSet != 0 && !left { // no row means 0, and the function is 1
		edits[len(edits)-1].NewText += strings.Repeat("-", len(args)-2) + " 1\n"
	}
	return edits
}

// latchFixes are those of .latch.
func (f *File) latchFixes(d source.Diagnostic) []source.Fix {
	var fixes []source.Fix
	switch d.Code {
	case CodeLatchInit:
		for _, v := range []string{"0", "1", "2", "3"} {
			fixes = append(fixes, fix(false, "Start with "+initialMeaning[v], replace(d.Span, v))...)
		}
	case CodeLatchNoInit:
		for _, v := range []string{"0", "1", "3"} {
			fixes = append(fixes, fix(false, "Start with "+initialMeaning[v], insert(d.Span.Start, " "+v))...)
		}
	case CodeLatchType:
		for _, v := range []string{"re", "fe", "ah", "al", "as"} {
			fixes = append(fixes, fix(false, "Replace by "+v, replace(d.Span, v))...)
		}
	case CodeLatchControl:
		fixes = fix(false, "Insert NIL, the global clock", insert(d.Span.End(), " NIL"))
		for _, p := range f.ModelAt(f.StatementAt(d.Span.Start).ID).clocks {
			name := f.words.text(p.id)
			fixes = append(fixes, fix(false, "Insert the clock "+name, insert(d.Span.End(), " "+name))...)
		}
	}
	return fixes
}

var initialMeaning = map[string]string{"0": "0", "1": "1", "2": "either (2, don't care)", "3": "either (3, unknown)"}

// fixRounds bounds FixAll: a fix may uncover what the next round fixes.
const fixRounds = 10

// FixAll returns edits that make every preferred fix, as far as they go
// together. After them there is nothing left that FixAll would change.
func (f *File) FixAll() []source.Edit {
	fixed := f
	var edits []source.Edit
	for round := range fixRounds {
		more := fixed.preferredEdits()
		if len(more) == 0 {
			break
		}
		text, err := fixed.text.Apply(more)
		if err != nil || text.Content() == fixed.text.Content() {
			break
		}
		fixed = fixed.Reparse(text)
		if edits = more; round > 0 {
			edits = source.Diff(f.text, text.Content())
		}
	}
	return edits
}

// preferredEdits returns the edits of all preferred fixes; of those that
// overlap only the first.
func (f *File) preferredEdits() []source.Edit {
	var edits []source.Edit
	end := -1
	for _, d := range f.Diagnostics() {
		fixes := f.FixesFor(d)
		if len(fixes) == 0 || !fixes[0].Preferred {
			continue
		}
		own := slices.Clone(fixes[0].Edits)
		slices.SortFunc(own, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
		if own[0].Span.Start > end {
			edits = append(edits, own...)
			end = max(end, own[len(own)-1].Span.End())
		}
	}
	return edits
}
