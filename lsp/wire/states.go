package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// CommandStates answers with all states that runs reach in the cone of a property: the one that is
// named, else the one at the position, else the one whose step is shown, else the first. It is
// refused where there are more than 500 states, no latches, or too much to be searched.
var CommandStates = Command[PropertyParams, StateGraph]{"aiglens.states"}

// StateGraph is all states of a property in one version of a text.
type StateGraph struct {
	URI              uri.URI           `json:"uri"`
	Version          int32             `json:"version"`
	Property         PropertyID        `json:"property"`
	Position         protocol.Position `json:"position"`         // on the row of the property
	Title            string            `json:"title"`            // the property in words
	DOT              string            `json:"dot"`              // in the language of Graphviz; states have the classes "initial", "bad" and "path"
	Errors           int               `json:"errors"`           // of the text, in whose places the circuit has free inputs
	Others           bool              `json:"others"`           // the text means something else when other files change
	Latches          []string          `json:"latches"`          // in the order of the text
	Words            []StateWord       `json:"words"`            // what is one value of several latches
	States           []GraphState      `json:"states"`           // those that need fewer steps first
	Path             []int             `json:"path"`             // positions in states of a run into a state in which the property fails; empty where it never does
	IsCounterexample bool              `json:"isCounterexample"` // path is the counterexample of the property, a state for each step; else a shortest one
	Shown            *StateStep        `json:"shown"`            // the step of it that the text shows; null for none
}

// StateStep is a step of the counterexample of a state graph.
type StateStep struct {
	Step int    `json:"step"` // a position in path
	At   string `json:"at"`   // in words
}

// StateWord is latches of a state graph that are one value.
type StateWord struct {
	Name    string `json:"name"`
	Latches []int  `json:"latches"` // positions in latches
}

// GraphState is a state of a circuit.
type GraphState struct {
	ID      string   `json:"id"`      // in the picture
	Values  string   `json:"values"`  // 0 or 1 for each latch
	Words   []string `json:"words"`   // the value of each word
	Initial bool     `json:"initial"` // runs begin here
	Bad     bool     `json:"bad"`     // the property fails here under some inputs
	Next    []int    `json:"next"`    // positions of the states after it, each once
}
