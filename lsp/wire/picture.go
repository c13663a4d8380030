package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Commands about pictures of circuits.
var (
	// CommandDraw answers with a schematic of what a property or a signal depends on.
	CommandDraw = Command[DrawParams, Picture]{"aiglens.draw"}

	// CommandSignalsAt answers with the signals at a position, as pictures of the same text
	// number them: several where a model has several instances.
	CommandSignalsAt = Command[SignalsAtParams, SignalsAt]{"aiglens.signalsAt"}
)

// DrawParams are what is drawn: a property, else the signal at the position or the property on
// its row, else all properties.
type DrawParams struct {
	PropertyParams
	Version *int32   `json:"version,omitempty"` // of the text that expand is about
	Expand  []uint32 `json:"expand,omitempty"`  // signals at which the picture has ended and is to go on
	Bits    bool     `json:"bits,omitzero"`     // each bit of a word is a box of its own
	// Instances says how instances are drawn: "open", with what lies inside in a frame, or "closed", as boxes with
	// pins; where it is missing they are closed in a picture that is larger than a screen.
	Instances string   `json:"instances,omitempty"`
	Except    []string `json:"except,omitempty"` // instances that are drawn in the other way; one that is opened has those around it opened
}

// SignalsAtParams are a place in a file.
type SignalsAtParams struct {
	URI      uri.URI           `json:"uri"`
	Position protocol.Position `json:"position"`
}

// SignalsAt are signals of a text.
type SignalsAt struct {
	Version int32    `json:"version"`
	Signals []uint32 `json:"signals"`
}

// Picture is a schematic of one version of a text, with values while a step is shown.
type Picture struct {
	URI     uri.URI       `json:"uri"`
	Version int32         `json:"version"`
	Title   string        `json:"title"`  // what is drawn
	DOT     string        `json:"dot"`    // the picture in the language of Graphviz; a wire has the class "from-" with the id of the node that it leaves
	Errors  int           `json:"errors"` // of the text, in whose places the circuit has free inputs
	Nodes   []PictureNode `json:"nodes"`
	// Instances says how instances are drawn; empty for a picture that has none.
	Instances string       `json:"instances"`
	Values    *PictureStep `json:"values"` // null while no step is shown, and of a property whose counterexample is about an earlier text
}

// PictureNode is a box of a picture.
type PictureNode struct {
	ID       string             `json:"id"` // in the picture
	Name     string             `json:"name"`
	Kind     string             `json:"kind"`    // root, constant, input, latch, and, or, xor, mux; bus or register for a word; operator or word for a row of BTOR2 that computes a bit or a word; instance for a closed one, scope for the frame of an open one
	Signals  []uint32           `json:"signals"` // that it stands for: the first is the one that leaves it
	Cut      bool               `json:"cut"`     // it depends on more than is drawn
	Location *protocol.Location `json:"location"`
	Pins     []PicturePin       `json:"pins,omitempty"` // of a closed instance: where wires leave it
}

// PicturePin is where wires leave a closed instance. They have the class "leaves-" with its id.
type PicturePin struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PictureStep are the values of a step.
type PictureStep struct {
	Property PropertyID `json:"property"` // of whose counterexample
	Step     int        `json:"step"`
	At       string     `json:"at"`     // in words
	Values   []string   `json:"values"` // by node: 0, 1 or x; empty outside of the counterexample
	Causes   []bool     `json:"causes"` // by node: its value has a part in why the property fails
	Pins     [][]string `json:"pins"`   // by node: the values of its pins
}
