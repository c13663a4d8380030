package edit

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

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
	case codes.CRLines:
		return []source.Fix{{Title: "Write LF line ends", Preferred: true, Later: func() []source.Edit {
			return []source.Edit{replace(source.Span{Length: f.Text().Len()}, strings.ReplaceAll(f.Text().Content(), "\r", "\n"))}
		}}}
	case codes.UnknownDirective:
		if all := diagnose.Capitals(f); slices.Contains(all, d.Span) {
			return fix(true, "Write directives in small letters", inSmallLetters(f, all)...)
		}
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

func inSmallLetters(f *blif.File, words []source.Span) []source.Edit {
	edits := make([]source.Edit, 0, len(words))
	for _, span := range words {
		edits = append(edits, replace(span, strings.ToLower(f.Text().Slice(span))))
	}
	return edits
}

// freshModel returns a name that no model has.
func freshModel(f *blif.File, name string) string {
	for i := 2; ; i++ {
		if fresh := fmt.Sprintf("%s_%d", name, i); f.Model(fresh) == nil {
			return fresh
		}
	}
}

// moveEnd moves the .end after the statements that follow it.
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
	return fix(true, "Move .end after it", deletion(f, m.End), edit)
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
		k := statement.ReadMachine(&f.Tree, t)
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
