package lsp

import (
	"slices"
	"strings"
	"testing"
)

// commented is toggle with a comment after it, which begins on line 9.
func commented(lines ...string) string { return toggle + "c\n" + strings.Join(lines, "\n") + "\n" }

// TestEditOfTheCommentAlone: lemmas and covers are part of the text like any row. An edit of
// the comment takes their verdicts away, or moves them with their lines, and leaves those of
// the rows as they are.
func TestEditOfTheCommentAlone(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, commented("made by hand", "prop: lemma !stuck", "prop: cover flip"))
	b.expectTitlesNow("check", "check", "check", "check")
	b.save(doc)
	const reached, reached0 = "reached at step 1", "reached at step 0"
	b.expectTitles(refutedAt1, provedT, provedT, reached)
	b.settled(doc)
	runs := b.runs.Load()

	b.replace(doc, 2, commented("made by hand", "and more", "prop: cover flip", "prop: lemma !stuck"))
	b.expectTitles(refutedAt1, provedT, reached, provedT)
	b.replace(doc, 3, commented("prop: cover flip", "text"))
	b.expectTitles(refutedAt1, provedT, reached)
	b.expectRuns(runs)

	// The line refers to another literal, of which nothing is known.
	b.replace(doc, 4, commented("prop: cover !flip", "text"))
	b.expectTitles(refutedAt1, provedT, "check")
	b.save(doc)
	b.expectTitles(refutedAt1, provedT, reached0)
	b.settled(doc)

	// A lemma that was proved becomes its opposite, and back.
	b.replace(doc, 5, commented("prop: lemma !stuck"))
	b.save(doc)
	b.expectTitles(refutedAt1, provedT, provedT)
	b.settled(doc)
	b.replace(doc, 6, commented("prop: lemma stuck"))
	b.expectTitles(refutedAt1, provedT, "check")
	b.save(doc)
	b.expectTitles(refutedAt1, provedT, "refuted at step 0: not used")
	b.settled(doc)

	// Names are exchanged in the symbols: the line is as it was and means something else.
	swapped := strings.NewReplacer("l0 flip", "l0 stuck", "l1 stuck", "l1 flip").Replace(commented("prop: lemma stuck"))
	b.replace(doc, 7, swapped)
	b.expectTitles(refutedAt1, provedT, "refuted at step 0: not used") // flip is 0 there, too
	b.settled(doc)

	// It names nothing any more, and is not a property.
	b.replace(doc, 8, commented("prop: lemma ghost"))
	b.expectTitles(refutedAt1, provedT)
	if ds := b.diagnostics(doc); !slices.ContainsFunc(ds, func(d diagnostic) bool { return d.Code == "prop-literal" && d.Severity == 2 }) {
		t.Errorf("diagnostics %v", ds)
	}
}
