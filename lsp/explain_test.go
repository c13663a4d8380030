package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// facty has a latch that is always 0 (line 2), as its second bad says, two equal ones (lines 3 and
// 4), of which its first bad speaks, and one that no proof needs (line 5), with the gate on line 9.
const facty = "aag 7 1 4 0 2 2\n2\n4 4\n6 2\n8 2\n10 14\n12\n4\n12 9 6\n14 10 2\nl0 never\nl1 one\nl2 other\nl3 free\nb0 differ\nb1 high\n"

// proved opens a text where proofs are explained, and checks it.
func proved(t *testing.T, text string) *bench {
	b := newBench(t, explicit, func(o *Options) { o.ExplainProofs = true })
	b.Initialize(capable, nil)
	b.open(doc, text)
	b.save(doc)
	return b
}

// said lists the lines and messages of diagnostics with a code.
func said(p published, code string) string {
	var all []string
	for _, d := range p.Diagnostics {
		if d.Code == code {
			all = append(all, fmt.Sprintf("%d: %s", d.Range.Start.Line, d.Message))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

const factsOfFacty = `2: always 0, as the proof of high says
3: equals other, as the proof of differ says
4: equals one, as the proof of differ says`

// TestFactsOnRows: what proofs say of latches stands on their rows as long as the text is that
// which was proved, and never where the user wants none.
func TestFactsOnRows(t *testing.T) {
	b := proved(t, facty)
	isTold := func(p published) bool { return said(p, "fact") == factsOfFacty }
	isSilent := func(p published) bool { return said(p, "fact") == "" }
	_, mark := b.awaitDiagnostics("the facts", 0, isTold)
	// Without a reset latch 4 may be 1: nothing is known of it.
	b.replace(doc, 2, strings.Replace(facty, "4 4\n", "4 4 4\n", 1))
	const kept = "3: equals other, as the proof of differ says\n4: equals one, as the proof of differ says"
	_, mark = b.awaitDiagnostics("facts of a proof that still holds", mark, func(p published) bool {
		if p.Version == 2 && !isSilent(p) && said(p, "fact") != kept {
			t.Errorf("of an earlier text: %s", said(p, "fact"))
		}
		return p.Version == 2 && said(p, "fact") == kept
	})
	b.replace(doc, 3, facty)
	b.save(doc)
	_, mark = b.awaitDiagnostics("the facts again", mark, func(p published) bool { return p.Version == 3 && isTold(p) })
	b.tellSettings(map[string]any{"diagnostics": map[string]any{"facts": false}})
	_, mark = b.awaitDiagnostics("no facts", mark, isSilent)
	b.tellSettings(map[string]any{})
	b.awaitDiagnostics("the facts as usual", mark, isTold)
}

// TestFactsOfWords: what follows for a word stands on the row of its highest bit, and comes first in
// hovers over its bits and the property. Clauses that it implies do not stand beside it.
func TestFactsOfWords(t *testing.T) {
	b := proved(t, "aag 4 1 2 0 1 1\n2\n4 2\n6 3\n8\n8 6 4\nl0 q[0]\nl1 q[1]\nb0 both\n")
	b.awaitDiagnostics("the fact", 0, func(p published) bool {
		return said(p, "fact") == "3: q is at most 2, as the proof of both says"
	})
	for line, want := range map[int]string{
		2: "the proof of `both` says:\n- `q is at most 2`",
		4: "It holds because of 1 fact:\n- `q is at most 2`",
	} {
		if text := b.hoverAt(doc, lsptest.Position{Line: line}); !strings.Contains(text, want) || strings.Contains(text, "not both") {
			t.Errorf("hover on line %d:\n%s", line, text)
		}
	}
	var proof wire.Answer
	b.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), &proof)
	f := proof.Topics[0].Facts[0]
	if proof.Topics[0].Title != "words" || f.Kind != wire.FactWord || len(f.Latches) != 2 || f.Latches[0].Name != "q[1]" || f.Latches[0].Location.Range.Start.Line != 3 {
		t.Errorf("%+v", proof.Topics)
	}
}

// TestUnneeded fades what a proof does not need, until it is told not to or the text changes.
func TestUnneeded(t *testing.T) {
	b := proved(t, facty)
	b.awaitTitles(doc, "the verdicts", func(titles []string) bool {
		return len(titles) == 2 && strings.HasPrefix(titles[0], "proved") && strings.HasPrefix(titles[1], "proved")
	})
	ask := func(params wire.UnneededParams) (u wire.Unneeded, err error) {
		params.URI = doc
		err = b.Call("workspace/executeCommand", command(wire.CommandUnneeded.Name, params), &u)
		return u, err
	}
	of := func(p wire.PropertyID) wire.UnneededParams {
		return wire.UnneededParams{PropertyParams: wire.PropertyParams{Property: p}}
	}
	mark := b.Mark()
	start := mark
	u, err := ask(of("bad:0"))
	const words = "3 rows can change at once without breaking the proof of differ: 1 of 2 gates, 2 of 4 latches"
	if err != nil || u.Property != "bad:0" || u.Message != words || len(u.Ranges) != 3 || u.Version != 1 {
		t.Errorf("%+v, %v", u, err)
	}
	const note = ": can change without breaking the proof of differ, with all faded rows at once: 1 of 2 gates, 2 of 4 latches"
	isFaded := func(p published) bool {
		return said(p, "unneeded") == "2"+note+"\n5"+note+"\n9"+note
	}
	isPlain := func(p published) bool { return said(p, "unneeded") == "" }
	p, mark := b.awaitDiagnostics("faded rows", mark, isFaded)
	for _, d := range p.Diagnostics {
		if d.Code == "unneeded" && (!slices.Equal(d.Tags, []int{int(protocol.DiagnosticTagUnnecessary)}) || d.Severity != int(protocol.DiagnosticSeverityHint)) {
			t.Errorf("%+v", d)
		}
	}
	var actions []struct{ Title string }
	if err := b.Call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": u.Ranges[0], "context": map[string]any{"diagnostics": []any{}},
	}, &actions); err != nil || !slices.ContainsFunc(actions, func(a struct{ Title string }) bool { return a.Title == "Hide fading" }) {
		t.Errorf("%v, %v", actions, err)
	}
	if u, err := ask(wire.UnneededParams{Hide: true}); err != nil || u.Property != "" || len(u.Ranges) != 0 {
		t.Errorf("%+v, %v", u, err)
	}
	// A notification of one line has room for little.
	told, _ := b.Await("the number", start, func(m lsptest.Message) bool { return m.Method == "window/showMessage" })
	if !strings.Contains(string(told.Params), `"aiglens: 3 rows can change for differ; hover over one for details."`) {
		t.Errorf("%s", told.Params)
	}
	_, mark = b.awaitDiagnostics("none any more", mark, isPlain)
	if u, err := ask(of("bad:1")); err != nil || len(u.Ranges) != 2 { // lines 3 to 5, and 8 to 9
		t.Errorf("%+v, %v", u, err)
	}
	_, mark = b.awaitDiagnostics("faded rows of the other", mark, func(p published) bool { return !isPlain(p) })
	b.replace(doc, 2, facty+"c\nan edit of no row\n")
	if p, _ := b.awaitDiagnostics("an edit", mark, func(p published) bool { return p.Version == 2 }); !isPlain(p) {
		t.Errorf("of an earlier text: %s", said(p, "unneeded"))
	}
	b.replace(doc, 3, strings.Replace(facty, "4 4\n", "4 4 4\n", 1))
	if u, err := ask(of("bad:1")); err == nil {
		t.Errorf("without a proof: %+v", u)
	}
}

// TestProofOfLatch: of all that the proofs of a file say, what one of them says of a latch.
func TestProofOfLatch(t *testing.T) {
	b := proved(t, facty)
	b.awaitTitles(doc, "the verdicts", func(titles []string) bool {
		return len(titles) == 2 && strings.HasPrefix(titles[0], "proved") && strings.HasPrefix(titles[1], "proved")
	})
	for _, c := range []struct {
		line        uint32
		name, latch string
		topics      string
	}{
		{2, "high", "never", "constant latches: never is always 0"},
		{4, "differ", "other", "equal latches: one = other"},
		{5, "", "", ""},
	} {
		var p wire.Answer
		err := b.Call("workspace/executeCommand", command(wire.CommandProof.Name, wire.ProofParams{
			PropertyParams: wire.PropertyParams{URI: doc}, Latch: &protocol.Position{Line: c.line},
		}), &p)
		var topics []string
		for _, topic := range p.Topics {
			for _, fact := range topic.Facts {
				topics = append(topics, topic.Title+": "+fact.Text)
			}
		}
		if got := strings.Join(topics, ", "); p.Name != c.name || p.Latch != c.latch || got != c.topics || (err == nil) != (c.name != "") {
			t.Errorf("line %d: %s of %s: %s, %v", c.line, p.Name, p.Latch, got, err)
		}
	}
}
