package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// groupActions returns what the actions on a line write that make a word of a group, by title.
func (b *bench) groupActions(line int) map[string]string {
	b.t.Helper()
	var all []struct {
		Title string
		Edit  json.RawMessage
	}
	at := map[string]any{"line": line, "character": 0}
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": map[string]any{"start": at, "end": at}, "context": map[string]any{"diagnostics": []any{}},
	}, &all)
	found := map[string]string{}
	for _, a := range all {
		if strings.HasPrefix(a.Title, "Make a word of this group") {
			var edit struct {
				Changes map[string][]struct{ NewText string }
			}
			if err := json.Unmarshal(a.Edit, &edit); err != nil || len(edit.Changes[doc]) != 1 {
				b.t.Fatalf("%v: %s", err, a.Edit)
			}
			found[a.Title] = edit.Changes[doc][0].NewText
		}
	}
	return found
}

// TestWordOfGroup: a latch of a group of which exactly one is 1, as a proof says, offers a word of the group
// until the text has it.
func TestWordOfGroup(t *testing.T) {
	const blif = ".model ring\n.outputs wrong\n# prop: bad wrong\n.latch third idle 1\n.latch idle wait 0\n.latch wait third 0\n" +
		".names idle wait third wrong\n100 0\n010 0\n001 0\n.end\n"
	const aiger = "aag 11 0 3 0 8 1\n2 6 1\n4 2\n6 4\n22\n8 5 2\n10 8 7\n12 4 3\n14 12 7\n16 5 3\n18 16 6\n20 15 11\n22 20 19\n"
	const title = "Make a word of this group: exactly one of idle, wait, third"
	const line = "word: word = third wait idle {idle = 0b001, wait = 0b010, third = 0b100}\n"
	for _, c := range []struct {
		language, text, title, want, at string
		latch, other                    int // lines
	}{
		{"blif", blif, title, "# " + line, ".end", 4, 6},
		{"aiger", aiger + "l0 idle\nl1 wait\nl2 third\n", title, "c\n" + line, "", 2, 5},
		{"aiger", aiger, "Make a word of this group: exactly one of 2, 4, 6", "c\nword: word = 6 4 2\n", "", 1, 5},
		{"aiger", aiger + "l0 idle\nl1 -\nc\nword: word = 8 4\n", "Make a word of this group: exactly one of idle, -, 6",
			"word: word2 = 6 \"-\" idle {idle = 0b001, - = 0b010}\n", "", 3, 5},
	} {
		b := newBench(t, nil, func(o *Options) {
			o.Engine = func(engines.Spec) verify.Engine { return engines.NewAuto() }
		})
		b.Initialize(capable, nil)
		b.openAs(c.language, doc, c.text)
		if got := b.groupActions(c.latch); len(got) > 0 {
			t.Errorf("before the check %q", got)
		}
		proved := func() {
			var proof wire.Answer
			b.checkAll()
			b.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &proof)
			if !strings.Contains(proof.Text, "exactly one") {
				t.Fatalf("the proof says %s", proof.Text)
			}
		}
		proved()
		if got := b.groupActions(c.latch); len(got) != 1 || got[c.title] != c.want {
			t.Errorf("%q, want %q: %q", got, c.title, c.want)
		}
		if got := b.groupActions(c.other); len(got) > 0 {
			t.Errorf("on a gate %q", got)
		}
		body := strings.TrimSuffix(c.text, c.at+"\n")
		if c.at == "" {
			body = c.text
			b.replace(doc, 2, body+c.want)
		} else {
			b.replace(doc, 2, body+c.want+c.at+"\n")
		}
		proved()
		if got := b.groupActions(c.latch); len(got) > 0 {
			t.Errorf("with the word %q", got)
		}
	}
}
