package statement_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/statement"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// FuzzMachine: a state table is its lines, whatever stands in them, where nothing joins
// or comments them; places lie where the words are; after an edit it is that of a parse
// from scratch.
func FuzzMachine(f *testing.F) {
	f.Add(".i 1\n.o 1\n.p 2\n.s 2\n.r A\n0 A B 1\n1 B A 0\n", ".i 2\n")
	f.Add(".i x\n.o\n.i 1 2\n0 A\n- * B -\n0 A B 1 2\n", "0 A B")
	f.Add("0 A \\\nB 1\n# x\n.r A # y\n\t0\tA  B 1 \r\n", "\\\n")
	f.Add("\n.\n0", "0") // rows of a directive that there is none of
	f.Add(".end_kiss\n.start_kiss\n.i 1\n", ".model n\n")
	shared.Seeds(f, func(data []byte) {
		if _, table, ok := strings.Cut(string(data), ".start_kiss\n"); ok {
			table, _, _ = strings.Cut(table, ".end_kiss")
			f.Add(table, "\n")
		}
	}, "blif/own/*.blif", "blif/sis-course/*.blif", "blif/sis-course/*/*.blif", "broken/*.blif")
	f.Fuzz(func(t *testing.T, table, insert string) {
		text := source.NewText(".model m\n.inputs a\n.outputs b\n.start_kiss\n" + table + "\n.end_kiss\n.end\n")
		file := blif.Options{}.Parse(text)
		found := machines(t, file)
		if isPlain(table) && len(found) == 1 {
			checkLines(t, table, found[0])
		}
		edited := text.Replace(source.Span{Start: text.Len() / 2}, insert)
		next := file.Reparse(edited)
		diagnose.Diagnostics(next)
		if got, want := machines(t, next), machines(t, blif.Options{}.Parse(edited)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %+v after the edit, %+v from scratch", edited.Content(), got, want)
		}
	})
}

// isPlain reports whether each line of a table stands for itself: a row, or one of the
// headers that there are.
func isPlain(table string) bool {
	for line := range strings.SplitSeq(table, "\n") {
		words := strings.Fields(line)
		if len(words) > 0 && strings.Contains(line, ".") && !slices.Contains([]string{".i", ".o", ".p", ".s", ".r"}, words[0]) {
			return false
		}
	}
	return !strings.ContainsAny(table, "\\#\r")
}

// machines reads all tables of a file and tests their places.
func machines(t *testing.T, f *blif.File) []*statement.Machine {
	t.Helper()
	var all []*statement.Machine
	for _, m := range f.Models() {
		for _, table := range m.Tables {
			k := statement.ReadMachine(&f.Tree, table)
			all = append(all, k)
			for word, span := range k.Headers {
				value := f.Text().Slice(span)
				n, err := strconv.Atoi(value)
				if err != nil {
					n = -1
				}
				number, isNumber := map[string]int{".i": k.Inputs, ".o": k.Outputs, ".p": k.Products, ".s": k.States}[word]
				if isNumber && number != n || word == ".r" && k.Reset != value {
					t.Fatalf("%s %q is read as %+v", word, value, k)
				}
			}
			for _, row := range k.Rows {
				for _, w := range row.Words {
					span := source.Span{Start: w.At, Length: len(w.Text)}
					if got := f.Text().Slice(span); got != w.Text || span.Start < row.Span.Start || span.End() > row.Span.End() {
						t.Fatalf("%q stands on %q", w.Text, got)
					}
				}
			}
			names := k.StateNames()
			if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) {
				t.Fatalf("states %q", names)
			}
		}
	}
	return all
}

// checkLines compares a table with its lines, those that begin with a dot left out.
func checkLines(t *testing.T, table string, k *statement.Machine) {
	t.Helper()
	var want, got [][]string
	for line := range strings.SplitSeq(table, "\n") {
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) > 0 && words[0][0] != '.' {
			want = append(want, words)
		}
	}
	for _, row := range k.Rows {
		var words []string
		for _, w := range row.Words {
			words = append(words, w.Text)
		}
		got = append(got, words)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is read as %q, want %q", table, got, want)
	}
}
