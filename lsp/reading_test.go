package lsp

import (
	"fmt"
	"sort"
	"strings"

	"aiglens/lsp/ide"
	"aiglens/lsp/lsptest"
)

// readingFeatures are the questions of TestFeatures about what a text means.
// Each writes an answer as text.
var readingFeatures = map[string]func(b *bench, out *strings.Builder, buffer lsptest.Buffer, params map[string]any, place string){
	"hints":     (*bench).writeHints,
	"tokens":    (*bench).writeTokens,
	"calls":     (*bench).writeCalls,
	"folds":     (*bench).writeFolds,
	"selection": (*bench).writeSelection,
	"links":     (*bench).writeLinks,
}

// lineRange reads a place such as "3:1-5:9"; "" is the whole text.
func (b *bench) lineRange(buffer lsptest.Buffer, place string) lsptest.Range {
	b.t.Helper()
	if place == "" {
		return lsptest.Range{End: buffer.PositionOf(len(buffer.Text))}
	}
	from, to, _ := strings.Cut(place, "-")
	return lsptest.Range{Start: parsePlace(b.t, from), End: parsePlace(b.t, to)}
}

// writeHints writes the lines that have hints, with them.
func (b *bench) writeHints(out *strings.Builder, buffer lsptest.Buffer, params map[string]any, place string) {
	var all []struct {
		Position    lsptest.Position
		Label       string
		PaddingLeft bool
	}
	params["range"] = b.lineRange(buffer, place)
	b.MustCall("textDocument/inlayHint", params, &all)
	sort.SliceStable(all, func(i, j int) bool {
		return all[i].Position.Line < all[j].Position.Line ||
			all[i].Position.Line == all[j].Position.Line && all[i].Position.Character < all[j].Position.Character
	})
	lines := strings.Split(buffer.Text, "\n")
	for i := 0; i < len(all); {
		number := all[i].Position.Line
		line, done := lines[number], 0
		fmt.Fprintf(out, "%d: ", number+1)
		for ; i < len(all) && all[i].Position.Line == number; i++ {
			out.WriteString(line[done:all[i].Position.Character])
			done = all[i].Position.Character
			if all[i].PaddingLeft {
				fmt.Fprintf(out, " «%s»", all[i].Label)
			} else {
				fmt.Fprintf(out, "«%s»", all[i].Label)
			}
		}
		fmt.Fprintln(out, line[done:])
	}
}

func (b *bench) writeTokens(out *strings.Builder, buffer lsptest.Buffer, params map[string]any, place string) {
	method := "textDocument/semanticTokens/full"
	if place != "" {
		method = "textDocument/semanticTokens/range"
		params["range"] = b.lineRange(buffer, place)
	}
	var tokens struct{ Data []int }
	b.MustCall(method, params, &tokens)
	lines := strings.Split(buffer.Text, "\n")
	line, column := 0, 0
	for d := tokens.Data; len(d) > 0; d = d[5:] {
		if d[0] > 0 {
			line, column = line+d[0], 0
		}
		column += d[1]
		fmt.Fprintf(out, "%d:%d %s %s", line+1, column+1, lines[line][column:column+d[2]], ide.TokenTypes[d[3]])
		for i, name := range ide.TokenModifiers {
			if d[4]>>i&1 == 1 {
				fmt.Fprintf(out, ".%s", name)
			}
		}
		fmt.Fprintln(out)
	}
}

type callItem struct {
	Name, Detail string
	SelectionRange,
	Range lsptest.Range
}

// writeCalls writes the item of a place with its callers (←) and callees (→).
func (b *bench) writeCalls(out *strings.Builder, buffer lsptest.Buffer, params map[string]any, _ string) {
	var items []map[string]any
	b.MustCall("textDocument/prepareCallHierarchy", params, &items)
	for _, item := range items {
		fmt.Fprintf(out, "%s (%s)\n", item["name"], item["detail"])
		var calls []struct {
			From, To   callItem
			FromRanges []lsptest.Range
		}
		write := func(arrow string) {
			for _, c := range calls {
				other := c.From
				if arrow == "→" {
					other = c.To
				}
				fmt.Fprintf(out, "%s %s (%s) %s by", arrow, other.Name, other.Detail, location{doc, other.SelectionRange}.in(buffer))
				for _, r := range c.FromRanges {
					fmt.Fprintf(out, " %s", location{doc, r}.in(buffer))
				}
				fmt.Fprintln(out)
			}
			calls = nil
		}
		b.MustCall("callHierarchy/incomingCalls", map[string]any{"item": item}, &calls)
		write("←")
		b.MustCall("callHierarchy/outgoingCalls", map[string]any{"item": item}, &calls)
		write("→")
	}
}

func (b *bench) writeFolds(out *strings.Builder, _ lsptest.Buffer, params map[string]any, _ string) {
	var all []struct {
		StartLine, EndLine int
		Kind               string
	}
	b.MustCall("textDocument/foldingRange", params, &all)
	for _, f := range all {
		fmt.Fprintf(out, "%d–%d %s\n", f.StartLine+1, f.EndLine+1, f.Kind)
	}
}

type selection struct {
	Range  lsptest.Range
	Parent *selection
}

func (b *bench) writeSelection(out *strings.Builder, _ lsptest.Buffer, params map[string]any, place string) {
	params["positions"] = []lsptest.Position{parsePlace(b.t, place)}
	var all []selection
	b.MustCall("textDocument/selectionRange", params, &all)
	for s := &all[0]; s != nil; s = s.Parent {
		fmt.Fprintf(out, "%d:%d–%d:%d\n", s.Range.Start.Line+1, s.Range.Start.Character+1, s.Range.End.Line+1, s.Range.End.Character+1)
	}
}

func (b *bench) writeLinks(out *strings.Builder, buffer lsptest.Buffer, params map[string]any, _ string) {
	var all []struct {
		Range  lsptest.Range
		Target string
	}
	b.MustCall("textDocument/documentLink", params, &all)
	for _, l := range all {
		fmt.Fprintf(out, "%s %s\n", location{doc, l.Range}.in(buffer), l.Target)
	}
}
