package wire

import "go.lsp.dev/uri"

// Commands that look for more than whether a property holds. Each has a limit of its own, the
// setting check.adviceTimeout, and ends when the request is cancelled, or its progress.
var (
	// CommandIsolate finds out which latches make a property hard: it leaves groups of them
	// free, one after another. A proof that it finds is the verdict of the property from then on.
	CommandIsolate = Command[PropertyParams, Answer]{"aiglens.isolate"}

	// CommandSuggest guesses lemmas for a property whose check has ended without an answer.
	// Its answers are not proved. Until the text changes, code actions of the property
	// add them too.
	CommandSuggest = Command[PropertyParams, Suggestions]{"aiglens.suggest"}

	// CommandAddLemmas asks the client to apply an edit that adds some of the lemmas that were
	// suggested of the present text, or a lemma that the user has written as an expression.
	CommandAddLemmas = Command[AddLemmasParams, None]{"aiglens.addLemmas"}

	// CommandApplyAction asks the client to apply the edit of a code action, for clients that do not
	// ask for the edit when the action is chosen.
	CommandApplyAction = Command[ApplyActionParams, None]{"aiglens.applyAction"}

	// CommandAnother finds another counterexample of a property, or the shortest, or shows one
	// that was found before. What it shows is the counterexample of the property from then on.
	CommandAnother = Command[AnotherParams, FoundRun]{"aiglens.another"}
)

// Sought is which counterexample is looked for.
type Sought string

// What can be looked for: one that differs from all that are known in the latches that matter,
// the shortest one with the proof that none is shorter, or one that is known.
const (
	SoughtAnother  Sought = "another"
	SoughtShortest Sought = "shortest"
	SoughtKnown    Sought = "known"
)

// AnotherParams are a property that is refuted, and which counterexample of it is wanted.
type AnotherParams struct {
	PropertyParams
	Find   Sought `json:"find"`
	Number int    `json:"number,omitzero"` // of one that is known, from 1
}

// FoundRun is which one of the counterexamples that are known of a property is shown.
type FoundRun struct {
	Number  int    `json:"number"`  // from 1, in the order in which they were found
	Known   int    `json:"known"`   // how many are
	Message string `json:"message"` // what was found, in words
}

// Suggestions are guesses of lemmas, the most promising first.
type Suggestions struct {
	Property PropertyID       `json:"property"`
	Name     string           `json:"name"`    // of the property
	Version  int32            `json:"version"` // of the text that they are about
	Lemmas   []SuggestedLemma `json:"lemmas"`
	Others   int              `json:"others"` // that the text has no words for
}

// SuggestedLemma is one.
type SuggestedLemma struct {
	Title  string   `json:"title"`  // what it says, in short
	Detail string   `json:"detail"` // what speaks for it
	Facts  []string `json:"facts"`  // what it says, the first dozen of them
}

// ApplyActionParams name a code action that was offered. They are also its data.
type ApplyActionParams struct {
	URI     uri.URI `json:"uri"`
	Version int32   `json:"version"` // of the text
	ID      string  `json:"id"`
	Title   string  `json:"title,omitempty"` // of a fix
	Code    string  `json:"code,omitempty"`  // of the diagnostic that it is of
	Start   int     `json:"start"`           // of the place, in bytes
	Length  int     `json:"length"`
	File    bool    `json:"file,omitzero"` // a change of the whole file
}

// AddLemmasParams are some of the lemmas that were suggested for a property, by their places from
// 0 on.
type AddLemmasParams struct {
	PropertyParams
	Version int32 `json:"version"` // of the text that they are about
	Lemmas  []int `json:"lemmas"`
	// Expression is what is to be a lemma instead, over the signals and words of one step, such as
	// count <= 9. It belongs to no property.
	Expression string `json:"expression,omitempty"`
}
