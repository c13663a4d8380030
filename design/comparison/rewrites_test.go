package comparison_test

import (
	"fmt"
	"testing"

	"aiglens/design/comparison"
	"aiglens/internal/source"
)

// TestRewrites follows a text through edits that were offered and edits of the user.
func TestRewrites(t *testing.T) {
	text := source.NewText
	insert := func(at int, s string) []source.Edit {
		return []source.Edit{{Span: source.Span{Start: at}, NewText: s}}
	}
	var r comparison.Rewrites
	r.Saved(text("ab"))
	expect := func(now, title, found, before, words string) {
		t.Helper()
		gotTitle, gotFound, ok := r.Latest(text(now))
		gotBefore, gotWords := r.Before()
		if gotTitle != title || ok != (title != "") || gotFound != found || gotBefore.Content() != before || gotWords != words {
			t.Errorf("%s: %q, %q, %v; before %q, %q", now, gotTitle, gotFound, ok, gotBefore.Content(), gotWords)
		}
	}
	expect("ab", "", "", "ab", "the text that was saved last")
	r.Propose(text("ab"), "two", insert(1, "--"))
	r.Propose(text("ab"), "one", insert(1, "-"))
	r.Changed(text("ab"), text("a+b")) // as long as an edit that was offered, and none
	expect("a+b", "", "", "ab", "the text that was saved last")
	if !r.Changed(text("a+b"), text("a--b")) { // in two steps, as some editors apply edits
		t.Error("an edit of ours changes nothing")
	}
	expect("a--b", "two", "", "ab", "the text before “two”")
	r.Compared(text("a--b"), "same", true)
	expect("a--b", "two", "same", "ab", "the text before “two”")
	if !r.OthersChanged(false) || r.OthersChanged(false) {
		t.Error("what rests on other files outlives them")
	}
	expect("a--b", "two", "", "ab", "the text before “two”")
	r.Compared(text("a--b"), "same", false)
	if !r.OthersChanged(true) {
		t.Error("what was found of texts outlives another way to read them")
	}
	r.Compared(text("a--b"), "same", false)
	if r.OthersChanged(false) {
		t.Error("what rests on no other file ends with one")
	}
	expect("a--b", "two", "same", "ab", "the text before “two”")
	r.Saved(text("a--b"))
	expect("a--b", "two", "same", "ab", "the text before “two”")
	copied := r
	if !r.Changed(text("a--b"), text("a--bc")) {
		t.Error("what is typed after an edit changes nothing")
	}
	expect("a--bc", "", "", "ab", "the text before “two”")
	if _, found, _ := copied.Latest(text("a--b")); found != "same" {
		t.Errorf("a copy has %q", found)
	}
	r.Saved(text("a--bc"))
	expect("a--bc", "", "", "a--bc", "the text that was saved last")
	r.Propose(text("a--bc"), "nothing", nil)
	r.Changed(text("a--bcd"), text("a--bc"))
	expect("a--bc", "", "", "a--bc", "the text that was saved last")
	for i := range 100 { // only the last ones count
		r.Propose(text("a--bc"), fmt.Sprint("edit ", i), insert(0, fmt.Sprint(i)))
	}
	r.Changed(text("a--bc"), text("0a--bc"))
	expect("0a--bc", "", "", "a--bc", "the text that was saved last")
	r.Changed(text("a--bc"), text("99a--bc"))
	expect("99a--bc", "edit 99", "", "a--bc", "the text before “edit 99”")
}
