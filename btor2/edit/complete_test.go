package edit_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2/edit"
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// labels returns what is offered at the end of a text.
func labels(text string) (all []string) {
	for _, item := range edit.Complete(parse(text), len(text)).Items {
		all = append(all, item.Label)
	}
	return all
}

const completed = `1 sort bitvec 1
2 sort bitvec 8
3 sort array 1 2
4 input 2 data
5 input 1 full
6 state 2 head
7 state 3 memory
8 eq 1 4 6
`

// TestComplete shows what is offered at places of a row.
func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"":                         "9 sort array input state free constant choice compare bad constraint justice fair output",
		"in":                       "input",
		"9 zero 2\nre":             "register",
		"re":                       "",
		"9":                        "",
		"9 ":                       "sort input state init next bad",
		"9 ul":                     "ult ulte",
		"9 sort ":                  "bitvec array",
		"9 sort array ":            "1 2",
		"9 sort bitvec ":           "",
		"9 add ":                   "1 2",
		"9 eq ":                    "1",
		"9 write ":                 "3",
		"9 state ":                 "1 2 3",
		"9 add 2 ":                 "head data",
		"9 add 2 6 ":               "head data",
		"9 add 2 da":               "data",
		"9 add 2 -da":              "-data",
		"9 add 2 4 6 ":             "",
		"9 eq 1 ":                  "memory head full data n8",
		"9 eq 1 7 ":                "memory",
		"9 ite 2 ":                 "full n8",
		"9 ite 2 8 ":               "head data",
		"9 read 2 ":                "memory",
		"9 read 2 7 ":              "full n8",
		"9 write 3 7 8 ":           "head data",
		"9 concat 2 ":              "full n8",
		"9 slice 1 ":               "head full data n8",
		"9 slice 1 4 ":             "7 0",
		"9 slice 1 4 3 ":           "3",
		"9 uext 2 5 ":              "7",
		"9 uext 2 4 ":              "0",
		"9 next ":                  "1 2 3",
		"9 next 2 ":                "head",
		"9 next 2 6 ":              "head data",
		"9 init 3 7 ":              "memory head data",
		"9 bad ":                   "full n8",
		"9 bad n":                  "n8",
		"9 output ":                "head full data n8",
		"9 justice ":               "",
		"9 justice 2 8 ":           "full n8",
		"9 justice 1 8 ":           "",
		"9 bad 8 ; ":               "",
		"9 next 2 6 4\n10 next 2 ": "",
	} {
		got := labels(completed + typed)
		if typed == "9 " {
			got = got[:min(6, len(got))]
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	c := edit.Complete(parse(completed+"9 add 2 -da ; x"), len(completed)+len("9 add 2 -da"))
	if len(c.Items) != 1 || c.Items[0].Insert != "-4" || c.Items[0].Detail != "input, 8 bits" || c.Span.Length != len("-da") {
		t.Errorf("%+v", c)
	}
	for _, item := range edit.Complete(parse(completed+"9 ad"), len(completed)+4).Items {
		if item.Label == "add" && item.Detail != "SORT LEFT RIGHT: n, n → n bits" {
			t.Errorf("add: %s", item.Detail)
		}
	}
}

// TestForms fills in what is offered at the start of a line as it stands: the text has no error but that of the words that
// are still to be written, and the numbers fit between those of the rows around.
func TestForms(t *testing.T) {
	const before = completed + "9 zero 2\n"
	words := strings.NewReplacer("CONDITION", "8", "VALUE", "4", "THEN", "4", "ELSE", "-4", "LEFT", "4", "RIGHT", "6")
	for _, item := range edit.Complete(parse(before+"\n20 bad 8\n"), len(before)).Items {
		if item.Kind != edit.CompleteForm {
			continue
		}
		row := words.Replace(place.ReplaceAllString(item.Snippet, "$1"))
		if item.Label == "array" {
			row = "10 sort array 1 2"
		}
		f := parse(before + row + "\n20 bad 8\n")
		for _, d := range f.Diagnostics() {
			if d.Severity <= source.Warning && d.Span.Start >= len(before) {
				t.Errorf("%s: %s\n%s", item.Label, d.Message, row)
			}
		}
	}
	for _, item := range edit.Complete(parse(before+"\n11 bad 8\n"), len(before)).Items {
		if strings.Contains(item.Snippet, "\n") {
			t.Errorf("%s needs more numbers than are free", item.Label)
		}
	}
	whole := edit.Complete(parse(""), 0).Items[0]
	f := parse(place.ReplaceAllString(whole.Snippet, "$1"))
	if d := f.Diagnostics(); len(d) > 0 || len(f.Model().Bads) != 1 {
		t.Errorf("%s: %v", whole.Label, d)
	}
}

// place is one to fill in, with what stands there first.
var place = regexp.MustCompile(`\$\{\d[:|]([^,|}]*)[^}]*\}`)

// TestCompleteRandomTexts cuts rows of random texts before an operand: it is among what is offered, and with each of the
// first few the row is as sound as it was.
func TestCompleteRandomTexts(t *testing.T) {
	count := 0
	for seed, text := range randomTexts {
		f := parse(text)
		nodes, lastInit := f.Model().Nodes, 0
		for _, row := range f.Model().Init {
			lastInit = max(lastInit, row)
		}
		for o := range f.OccurrencesIn(source.Span{Length: len(text)}) {
			n := &nodes[o.Node]
			if o.Role != syntax.RoleOperand && o.Role != syntax.RoleState || n.Op == syntax.Init {
				continue
			}
			cut := f.Reparse(f.Text().Replace(source.SpanFromTo(o.Span.Start, f.Text().LineSpan(n.Line).End()), ""))
			c := edit.Complete(cut, o.Span.Start)
			id := strings.TrimPrefix(text[o.Span.Start:o.Span.End()], "-")
			if !c.Incomplete && !slices.ContainsFunc(c.Items, func(i edit.Completion) bool { return i.Insert == id }) {
				t.Fatalf("seed %d: %s is not offered in line %d: %+v\n%s", seed, id, n.Line+1, c.Items, text)
			}
			if o.Index+1 < len(n.Args) || n.Op.Numbers() > 0 || o.Node < lastInit { // states do not start with inputs
				continue
			}
			for _, item := range c.Items[:min(5, len(c.Items))] {
				applied(t, f, []source.Edit{{Span: o.Span, NewText: item.Insert}})
				count++
			}
		}
	}
	if count < 1000 {
		t.Errorf("%d completions", count)
	}
}
