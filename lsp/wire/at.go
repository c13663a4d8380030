package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// RequestAt asks for all that is known of one place in a text. A newer one of the same
// view for the same document makes the server answer an older one with an error: that it was cancelled.
var RequestAt = Request[AtParams, Place]{"aiglens/at"}

// CommandPlaceText answers the same as a text in markdown, for editors that show no more than a text.
var CommandPlaceText = Command[AtParams, PlaceText]{"aiglens.at"}

// AtParams are a place, and how much of it is shown.
type AtParams struct {
	URI      uri.URI           `json:"uri"`
	Position protocol.Position `json:"position"`
	Depth    int               `json:"depth,omitzero"`     // levels of gates in formulas; without it as hover.depth is set
	Why      int               `json:"why,omitzero"`       // levels of causes; without it 2
	Cone     int               `json:"cone,omitzero"`      // levels of the picture; without it there is none
	View     string            `json:"view,omitempty"`     // which view of the client asks: a newer request of the same view, about the same document, ends an older one
	Instance string            `json:"instance,omitempty"` // in which a signal of a model with several is meant; without it the one that is shown, else the first
	Property PropertyID        `json:"property,omitempty"` // which of those that share the row is meant; without it the first
	// Run is one of no property that is shown instead of the step of a counterexample, and Step the one of its
	// steps that is.
	Run  *PlayedRun `json:"run,omitempty"`
	Step int        `json:"step,omitzero"`
	// Compared is the id of the run of a difference that is shown instead, at Step. The client leaves it out once
	// either side is another one: the server does not look at files that are not open.
	Compared string `json:"compared,omitempty"`
}

// PlaceKind says what stands at a place.
type PlaceKind string

// The kinds of places. An error is a row with one where nothing else is known.
const (
	AtConstant  PlaceKind = "constant"
	AtInput     PlaceKind = "input"
	AtLatch     PlaceKind = "latch"
	AtGate      PlaceKind = "gate"
	AtInstance  PlaceKind = "instance"
	AtModel     PlaceKind = "model"
	AtUndefined PlaceKind = "undefined"
	AtPredicate PlaceKind = "predicate"
	AtFunction  PlaceKind = "function"
	AtVariable  PlaceKind = "variable"
	AtProperty  PlaceKind = "property"
	AtQuery     PlaceKind = "query" // of Horn clauses: their property
	AtWord      PlaceKind = "word"
	AtHeader    PlaceKind = "header"
	AtClause    PlaceKind = "clause"
	AtComment   PlaceKind = "comment"
	AtError     PlaceKind = "error"
	AtOther     PlaceKind = "other"
)

// Place is what is known of a place, all of one version of the text and its verdicts. Sentences are
// markdown with no marks but those of code and of strong words, and of a list below: "\n- " stands before each of its items.
type Place struct {
	URI         uri.URI           `json:"uri"`
	Version     int32             `json:"version"`
	Settled     bool              `json:"settled"` // it is known which verdicts hold for the text; else ask again after aiglens/status
	Kind        PlaceKind         `json:"kind"`
	Range       protocol.Range    `json:"range"`  // of what stands there; of nothing the line
	Title       string            `json:"title"`  // what it is, in one sentence
	Signal      *PlaceSignal      `json:"signal"` // null for none
	Says        []string          `json:"says"`   // what else the text says of the place, as sentences
	Diagnostics []PlaceDiagnostic `json:"diagnostics"`
	Property    *PlaceProperty    `json:"property"` // null for a row of none
	Now         *PlaceNow         `json:"now"`      // null while no run is shown or the one that is asked for is of an earlier text, and where there is neither a signal nor a word
	Always      *PlaceAlways      `json:"always"`   // null where there is neither a signal nor a word, and until settled
	Around      *Picture          `json:"around"`   // null where none was asked for, where there is nothing to draw, and until settled
}

// PlaceSignal is what the text says of a signal.
type PlaceSignal struct {
	Title       string             `json:"title"`               // what it is, in one sentence
	Name        string             `json:"name"`                // from the text, else its literal
	Scope       []string           `json:"scope,omitempty"`     // the instances around it, outermost first
	Local       string             `json:"local,omitempty"`     // what it is called there
	Instances   []string           `json:"instances,omitempty"` // those of a model with several, the one that is meant first
	Signal      *uint32            `json:"signal"`              // by which aiglens.why asks, of one version of the text; null where the circuit has none
	Literal     *uint32            `json:"literal,omitempty"`   // as it stands there, in a format that numbers its signals
	Definition  *protocol.Location `json:"definition"`
	Formula     string             `json:"formula,omitempty"` // how the text computes a gate, and what a latch is next
	Depth       int                `json:"depth"`             // of formula, in levels of gates
	Deeper      bool               `json:"deeper"`            // one level more says more
	Reset       string             `json:"reset,omitempty"`   // what a latch starts with, as a sentence
	Says        []string           `json:"says"`              // what else there is to say, as sentences
	Word        *PlaceBit          `json:"word"`              // that it is a bit of; null for none
	Readers     []PlaceReader      `json:"readers"`           // rows that read it, in the order of the text
	MoreReaders int                `json:"moreReaders"`       // other uses, which are too many
}

// PlaceBit is a signal as a bit of a word.
type PlaceBit struct {
	Name    string `json:"name"` // of the word
	Index   int    `json:"index"`
	Bits    int    `json:"bits"`             // how many the word has
	Negated bool   `json:"negated,omitzero"` // the signal is the negation of the bit
}

// PlaceReader is a row that reads a signal.
type PlaceReader struct {
	Name     string            `json:"name"`          // what the row defines, or is
	Use      string            `json:"use,omitempty"` // what the row does with the signal: operand, next state, reset, clock, port
	Location protocol.Location `json:"location"`
}

// PlaceDiagnostic is a diagnostic on the row, with its fixes.
type PlaceDiagnostic struct {
	Severity int            `json:"severity"` // as in the protocol: 1 is an error
	Code     string         `json:"code"`
	Message  string         `json:"message"`
	Range    protocol.Range `json:"range"`
	Fixes    []PlaceAction  `json:"fixes"`
}

// PlaceAction is something that can be done. The command is one of the server, or one that
// the client has said that it runs by itself.
type PlaceAction struct {
	Title    string          `json:"title"`
	Command  string          `json:"command"`
	Argument protocol.LSPAny `json:"argument"`
}

// PlaceProperty is what is known of the property of a row.
type PlaceProperty struct {
	PropertyStatus
	Words       string           `json:"words"`                 // the verdict, and what is being done about it
	Sharing     []PropertyStatus `json:"sharing,omitempty"`     // all properties of the row, in the order of the text, where it has several
	Engine      string           `json:"engine,omitempty"`      // that has found the verdict
	Certificate string           `json:"certificate,omitempty"` // what was checked, in words
	Says        []string         `json:"says"`                  // what else is known: the rule, where the verdict was found, what the text leaves open, that it holds vacuously, whose proofs it uses
	Vacuous     string           `json:"vacuous,omitempty"`     // why a proof means little
	Lemmas      string           `json:"lemmas,omitempty"`      // the names of the properties whose proofs it uses
	Facts       []string         `json:"facts"`                 // what the proof says of the latches
	MoreFacts   int              `json:"moreFacts"`             // that were left out
	Obstacle    string           `json:"obstacle,omitempty"`    // what stands in the way of a proof, in short
	Why         *Cause           `json:"why"`                   // why it fails, in the fresh counterexample; null without one
	Actions     []PlaceAction    `json:"actions"`               // that make sense for the verdict, the most likely one first
}

// RunKind says what a run is that is shown.
type RunKind string

// The kinds of runs.
const (
	RunCounterexample RunKind = "counterexample" // of a property, or one that reaches a cover
	RunPlayed         RunKind = "played"
	RunCompared       RunKind = "compared"   // it tells two texts apart
	RunDerivation     RunKind = "derivation" // of a query; its steps count from 1
)

// PlaceNow is what a signal does in the run that is shown.
type PlaceNow struct {
	Kind     RunKind       `json:"kind"`
	Property PropertyID    `json:"property"` // of the counterexample; empty for a run of no property
	Name     string        `json:"name"`     // of that property
	Of       string        `json:"of"`       // what the run is: "counterexample of full"
	Step     int           `json:"step"`     // that is shown
	Steps    int           `json:"steps"`    // how many there are
	Loop     int           `json:"loop,omitzero"`
	Words    string        `json:"words"`              // which step it is: "step 3 of 5: fails"
	Outside  bool          `json:"outside,omitzero"`   // the property does not depend on the signal: what follows is missing
	Instance string        `json:"instance,omitempty"` // whose values these are, in a model with several
	Value    string        `json:"value"`              // 0, 1 or x; empty at the line of a word, which has a value as a whole
	First    int           `json:"first"`              // the step of the first of values
	Values   string        `json:"values"`             // 0, 1 or x, a character a step, around the step that is shown; empty as value is
	Word     *PlaceValue   `json:"word"`               // of the word that it is, or is a bit of; null for none
	Next     *int          `json:"next"`               // the step of the next change; null for none
	Previous *int          `json:"previous"`           // that of the change before
	Settable Settable      `json:"settable,omitempty"` // where another value could be chosen; in a run with a loop, and in one of a difference, nowhere
	Says     []string      `json:"says,omitempty"`     // in a derivation what the variables of the clause are, as sentences
	Why      *Cause        `json:"why"`
	Actions  []PlaceAction `json:"actions"`
}

// PlaceValue is the value of a word at the step that is shown.
type PlaceValue struct {
	Name   string    `json:"name"`  // of the word
	Text   string    `json:"text"`  // as surfaces say it: the name of the value, or a number in the radix of the word
	Value  string    `json:"value"` // a number, with what it is in binary, and by its name
	Radix  WordRadix `json:"radix,omitempty"`
	Values []string  `json:"values"` // text at each of the steps around the one that is shown
	// Written is the word in an expression, Names are those of its values, and Settable says where all of its bits
	// could have other values; in a run with a loop, and in one of a difference, nowhere.
	Written  string   `json:"written"`
	Names    []string `json:"names,omitempty"`
	Settable Settable `json:"settable,omitempty"`
}

// PlaceAlways is what is proved about a signal, and what depends on it.
type PlaceAlways struct {
	Facts          []PlaceFact      `json:"facts"` // those that say most in the fewest words first
	MoreFacts      int              `json:"moreFacts"`
	Nothing        string           `json:"nothing,omitempty"` // why there are no facts, as a sentence
	Properties     []PropertyStatus `json:"properties"`        // that depend on it, in the order of the text
	MoreProperties int              `json:"moreProperties"`
	Unsearched     int              `json:"unsearched,omitzero"` // of which it is not known whether they depend on it, because there are too many
}

// PlaceFact is what the proof of a property says of the signal.
type PlaceFact struct {
	ProofFact
	Property PropertyID `json:"property"`
	Name     string     `json:"name"` // of the property
}

// PlaceText is what is known of a place, to be read.
type PlaceText struct {
	Version int32  `json:"version"` // of the text
	Text    string `json:"text"`    // markdown
}
