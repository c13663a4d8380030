package answers

import (
	"context"
	"strings"

	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// Table holds the questions that every surface asks in the same way, in the order of aiglens --help.
// A row is a command of the shell with its help, completion and manual page, a command of the
// server, and a command of the editor whose answer opens as a text.
var Table = []Row{
	{
		Name: "stats", Summary: "sizes, depth, fan-out, cones and cycles of a circuit", Of: OfFile, Ask: statsOf,
		Title: "Show Statistics of the Circuit", Icon: "$(graph)", Menu: "editor/title 1_aiglens@2", Page: "statistics",
	},
	Proof,
	{
		Name: "obstacle", Summary: "what stands in the way of a proof that a check has not found: a step that its lemmas allow", Of: OfUnknown, Ask: obstacleOf,
		Title: "Show What Stands in the Way of a Proof", Icon: "$(question)", Menu: "aiglens.ask 2@1", Page: "what stands in the way",
	},
}

// Proof is the question what proves a property.
var Proof = Row{
	Name: "proof", Summary: "what proves a property, with its invariant", Of: OfProof, Ask: proofOf,
	Title: "Show Proof of the Property", Icon: "$(verified)", Menu: "aiglens.proof 1@1", Page: "proof",
}

// Row is one question.
type Row struct {
	Name    string // of the command aiglens NAME, and of the command aiglens.NAME of the server
	Summary string // what it answers
	Of      About
	Ask     func(context.Context, Asked) (Answer, error)

	Title string // of the command of the editor
	Icon  string // of that command, "" for none
	Menu  string // of the editor beside the palette, or one of the menus below that of a text, and the place in it: "editor/title GROUP@PLACE"; "" for none
	Page  string // what the text is called
}

// EditorCommand is the command of the editor, which shows the answer.
func (r Row) EditorCommand() string { return "aiglens.show" + strings.ToUpper(r.Name[:1]) + r.Name[1:] }

// ServerCommand is the command of the server.
func (r Row) ServerCommand() string { return "aiglens." + r.Name }

// About says what a question is about.
type About string

// What questions are about: a file, any property, one that is proved, and one whose check has ended without
// an answer.
const (
	OfFile     About = "file"
	OfProperty About = "property"
	OfProof    About = "proved"
	OfUnknown  About = "unknown"
)

// Wants says which verdict a property needs for the question; ok is false for any, or none.
func (s About) Wants() (o cert.Outcome, ok bool) {
	switch s {
	case OfProof:
		return cert.Proved, true
	case OfUnknown:
		return cert.Unknown, true
	}
	return o, false
}

// Asked is what a question is asked about.
type Asked struct {
	Design   *design.Design
	Property design.Property // zero for a file
	Result   *verify.Result  // of the check that About wants; nil where there is none of the present text
	More     string          // follows the length of a list that is cut: how to read all of it
}

// Answer is what there is to read about a design.
type Answer struct {
	Text   string
	Links  []Link  // in the order of Text
	Topics []Topic // of a proof by an invariant
	Later  bool    // topics hold from step 1 on, and need not in step 0
	Data   any     // an object for programs, with names for JSON; nil stands for the text
}

// Link is a latch or input in a text, and where the document defines it.
type Link struct {
	Span   source.Span // in the text, in bytes
	Source design.SourceSignal
}
