package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// withFindings returns an AIGER text of about n lines with findings of many kinds on them: inputs and
// gates without use, repeated gates, names that clash, a hundred bads, spaces and CR LF.
func withFindings(n int) string {
	k := n / 3
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d %d 0 0 %d 100\n", 2*k, k, k)
	for i := range k {
		fmt.Fprintf(&b, "%d\n", 2*i+2)
	}
	for i := range 100 {
		fmt.Fprintf(&b, "%d\n", 2*k+20*i+2)
	}
	for i := range k {
		space, end := " ", "\n"
		switch i % 100 {
		case 7:
			space = "  "
		case 9:
			end = "\r\n"
		}
		lit, x := 2*(k+i)+2, 2*((i-i%5)%(k/2))+2
		fmt.Fprintf(&b, "%d%s%d %d%s", lit, space, max(x, lit-2-2*(i%3)), min(x, lit-4)|1, end)
	}
	for i := range k {
		fmt.Fprintf(&b, "i%d in_%d\n", i, i-i%50)
	}
	return b.String()
}

// plain is a client that applies edits with versions and does not resolve actions.
var plain = map[string]any{"workspace": map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true}}}

// TestWideActions asks for the actions of a whole file with thousands of findings: the answer is
// short whatever the client can do, and an action whose edit is long is made by a command where
// the client does not resolve it, with the same edit.
func TestWideActions(t *testing.T) {
	large := withFindings(9000)
	edits := map[string]string{}
	for name, client := range map[string]map[string]any{"resolving": changing, "plain": plain, "old": {}} {
		text := large
		if name == "old" { // for which what is offered of a large text is tried at once: see TestLargeTextOfOldClient
			text = withFindings(3000)
		}
		b := newBench(t, explicit)
		b.Replies = map[string]any{"workspace/applyEdit": map[string]any{"applied": true}}
		b.Initialize(client, nil)
		b.open(doc, text)
		b.settled(doc)
		var answer []json.RawMessage
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "context": map[string]any{"diagnostics": []any{}},
			"range": lsptest.Range{End: lsptest.Position{Line: strings.Count(text, "\n")}},
		}, &answer)
		size, ofTitle := 0, ""
		for _, raw := range answer {
			var a struct {
				Title   string
				Edit    json.RawMessage
				Command struct {
					Command   string
					Arguments []json.RawMessage
				}
			}
			if err := json.Unmarshal(raw, &a); err != nil {
				t.Fatal(err)
			}
			size += len(raw)
			if !strings.HasPrefix(a.Title, "Normalise") || ofTitle != "" {
				continue
			}
			ofTitle = a.Title
			switch name {
			case "resolving":
				var resolved struct{ Edit json.RawMessage }
				b.MustCall("codeAction/resolve", raw, &resolved)
				edits[name] = string(resolved.Edit)
			case "plain":
				if a.Command.Command != wire.CommandApplyAction.Name || a.Edit != nil {
					t.Fatalf("%s", raw)
				}
				mark := b.Mark()
				b.MustCall("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, nil)
				asked, _ := b.Await("the edit", mark, func(m lsptest.Message) bool { return m.Method == "workspace/applyEdit" })
				var params struct{ Edit json.RawMessage }
				if err := json.Unmarshal(asked.Params, &params); err != nil {
					t.Fatal(err)
				}
				edits[name] = string(params.Edit)
				b.replace(doc, 2, text+" ")
				if err := b.Call("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, nil); err == nil {
					t.Error("an action of an earlier text was made")
				}
			}
		}
		if len(answer) == 0 || len(answer) > 100 || size > 200_000 || ofTitle == "" {
			t.Errorf("%s: %d actions of %d bytes", name, len(answer), size)
		}
	}
	if edits["plain"] != edits["resolving"] || len(edits["plain"]) < 1000 {
		t.Errorf("%d and %d bytes of edits", len(edits["plain"]), len(edits["resolving"]))
	}
}

// TestLargeTextOfOldClient: a client that can only take edits at once is offered none that take long to
// try, unless it asks for their kind.
func TestLargeTextOfOldClient(t *testing.T) {
	text := withFindings(4800)
	b := newBench(t, explicit)
	b.Initialize(map[string]any{}, nil)
	b.open(doc, text)
	b.settled(doc)
	for _, only := range [][]string{nil, {"quickfix"}} {
		var answer []struct {
			Title string
			Edit  json.RawMessage
		}
		context := map[string]any{"diagnostics": []any{}}
		if only != nil {
			context["only"] = only
		}
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "context": context,
			"range": lsptest.Range{End: lsptest.Position{Line: strings.Count(text, "\n")}},
		}, &answer)
		for _, a := range answer {
			if a.Edit != nil && only == nil {
				t.Errorf("%s has been tried", a.Title)
			}
		}
		if len(answer) == 0 {
			t.Errorf("nothing of %v is offered", only)
		}
	}
}

// TestFewFixesOfRange: how many fixes of a range are listed does not depend on how many findings
// it has, and each kind of finding is among them.
func TestFewFixesOfRange(t *testing.T) {
	listed := map[int]int{}
	for _, lines := range []int{1200, 2400} {
		b := newBench(t, explicit)
		b.Initialize(changing, nil)
		text := withFindings(lines)
		b.open(doc, text)
		b.settled(doc)
		var answer []struct {
			Diagnostics []struct{ Code string }
		}
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "context": map[string]any{"diagnostics": []any{}, "only": []string{"quickfix"}},
			"range": lsptest.Range{End: lsptest.Position{Line: strings.Count(text, "\n")}},
		}, &answer)
		codes := map[string]bool{}
		for _, a := range answer {
			for _, d := range a.Diagnostics {
				codes[d.Code] = true
			}
		}
		listed[lines] = len(answer)
		if len(codes) < 3 {
			t.Errorf("fixes of %v", codes)
		}
	}
	if listed[1200] == 0 || listed[1200] != listed[2400] {
		t.Errorf("fixes by lines: %v", listed)
	}
}
