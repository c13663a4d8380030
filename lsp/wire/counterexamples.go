package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Commands about the counterexample of a refuted property.
var (
	// CommandStep shows the values of a step of a counterexample in the text.
	CommandStep = Command[StepParams, ShownStep]{"aiglens.step"}

	// NotificationStepShown says which step of a counterexample is shown in a file.
	NotificationStepShown = ToClient[ShownStep]{"aiglens/step"}

	// CommandRadices says in which radices the values of words of a file are written from now on, in all that the
	// server says of them.
	CommandRadices = Command[RadicesParams, None]{"aiglens.radices"}

	// CommandTrace answers with the signals of a counterexample over all steps.
	CommandTrace = Command[TraceParams, Trace]{"aiglens.trace"}

	// CommandWhy answers why a signal has its value at a step.
	CommandWhy = Command[WhyParams, Cause]{"aiglens.why"}

	// CommandGoToCause shows a step in the text and where a signal is defined; the answer
	// is the place.
	CommandGoToCause = Command[GoToCauseParams, protocol.Location]{"aiglens.goToCause"}

	// CommandExportTrace answers with a counterexample as text, and writes it to a file
	// where one is named.
	CommandExportTrace = Command[ExportParams, ExportedTrace]{"aiglens.exportTrace"}

	// CommandImportWitness replays a counterexample from an AIGER witness on the circuit
	// and shows it.
	CommandImportWitness = Command[ImportParams, ImportedWitness]{"aiglens.importWitness"}

	// CommandLatches answers with the latches of a counterexample, those first that come
	// first in why the property fails, and those that have no part in it last.
	CommandLatches = Command[PropertyParams, []LatchTrace]{"aiglens.latches"}

	// CommandGoToLatch shows a latch of a counterexample; the answer is the place.
	CommandGoToLatch = Command[GoToLatchParams, protocol.Location]{"aiglens.goToLatch"}
)

// Move is a word for a step, or for none.
type Move string

// The moves. Changes are those of the signal at the position.
const (
	MoveFirst          Move = "first"
	MoveLast           Move = "last"
	MoveNext           Move = "next"
	MovePrevious       Move = "previous"
	MoveNextChange     Move = "nextChange"
	MovePreviousChange Move = "previousChange"
	MoveHide           Move = "hide"
)

// StepParams are a step of a counterexample. The position is that of a signal, for moves
// to its changes.
type StepParams struct {
	PropertyParams
	To Move `json:"to" wire:"or number"` // a number, or where to go from the step that is shown
	// Instance is the path of the instance whose values a model with several shows from now on;
	// without it that stays.
	Instance string `json:"instance,omitempty"`
}

// ShownStep is the step of a counterexample, or of the derivation of a query, that is shown in a file.
type ShownStep struct {
	URI      uri.URI    `json:"uri"`
	Property PropertyID `json:"property,omitempty"` // missing where no step is shown
	Name     string     `json:"name,omitempty"`
	Step     int        `json:"step"`
	Steps    int        `json:"steps"`          // how many there are; in the last one the property fails
	First    int        `json:"first,omitzero"` // the number of the first one: 1 in a derivation; missing for 0
	// Loop is how many of the steps, the last ones, repeat for ever, where the property is one
	// of justice; missing for a run that ends. Step then may lie beyond the steps.
	Loop  int    `json:"loop,omitzero"`
	Words string `json:"words,omitempty"` // which step it is: "step 3 of 5: fails"
	// Instance is the path of the instance whose values a model with several shows; missing
	// for the first.
	Instance string `json:"instance,omitempty"`
	// Range is the row of the clause of a step of a derivation, in the answer to a command.
	Range *protocol.Range `json:"range,omitempty"`
}

// TraceParams are a counterexample with signals to be shown as well.
type TraceParams struct {
	PropertyParams
	Rounds      int                 `json:"rounds,omitzero"`       // of a loop, 1 without
	Positions   []protocol.Position `json:"positions,omitempty"`   // of these signals
	Expressions []string            `json:"expressions,omitempty"` // over names, such as a & !b or q == 3: see docs/traces.md
}

// Trace is the signals of a counterexample over its steps.
type Trace struct {
	URI      uri.URI       `json:"uri"`
	Property PropertyID    `json:"property,omitempty"` // missing for a run of no property
	Name     string        `json:"name"`
	Steps    int           `json:"steps"`
	Loop     int           `json:"loop,omitzero"`   // how many steps a round has that repeats for ever; missing for a run that ends
	Rounds   int           `json:"rounds,omitzero"` // that the steps end with
	Step     *int          `json:"step"`            // that is shown in the text
	Stale    bool          `json:"stale"`           // it is about an earlier text
	Version  int32         `json:"version"`         // of that text
	Signals  []TraceSignal `json:"signals"`
	Words    []TraceWord   `json:"words,omitempty"` // of the signals; missing where these are those of an answer before
	More     int           `json:"more"`            // signals that were left out, because they are too many
	Among    *FoundRun     `json:"among,omitempty"` // which of several it is; missing for the only one that is known
	Others   bool          `json:"others"`          // whether CommandAnother can look for others
}

// SignalGroup is what a signal is to a counterexample.
type SignalGroup string

// The groups; gates are the signals that the user has chosen, expressions those of the
// parameters.
const (
	GroupProperty    SignalGroup = "property"
	GroupConstraints SignalGroup = "constraints"
	GroupLatches     SignalGroup = "latches"
	GroupInputs      SignalGroup = "inputs"
	GroupGates       SignalGroup = "gates"
	GroupExpressions SignalGroup = "expressions"
)

// TraceSignal is a signal of a counterexample.
type TraceSignal struct {
	Group    SignalGroup        `json:"group"`
	Name     string             `json:"name"`
	Signal   uint32             `json:"signal"`             // by which aiglens.why asks; of one version of the text
	Values   string             `json:"values"`             // 0, 1 or x, a character a step; in the last one of a run that ends the property fails
	Relevant bool               `json:"relevant"`           // of latches: has a part in why the property fails
	Location *protocol.Location `json:"location"`           // null: the present text no longer has it
	Formula  string             `json:"formula,omitempty"`  // how the text computes what it gives no name
	Error    string             `json:"error,omitempty"`    // what is wrong with an expression, which has no values then
	Settable Settable           `json:"settable,omitempty"` // where another value could be chosen
	Scope    []string           `json:"scope,omitempty"`    // of latches, inputs and gates: the instances around it, outermost first
	Local    string             `json:"local,omitempty"`    // what it is called there
}

// TraceWord is signals of a trace that people read as one value.
type TraceWord struct {
	Group  SignalGroup `json:"group"` // of its highest bit
	Name   string      `json:"name"`
	Scope  []string    `json:"scope,omitempty"` // the instances around it, outermost first
	Local  string      `json:"local"`           // what it is called there
	High   int         `json:"high"`            // the index of the most significant bit
	Low    int         `json:"low"`             // that of the least
	Bits   []TraceBit  `json:"bits"`            // from the most significant on
	Signed bool        `json:"signed,omitzero"` // values are in two's complement
	Radix  WordRadix   `json:"radix,omitempty"` // missing: decimal, of more than 64 bits hexadecimal
	Values []WordValue `json:"values,omitempty"`
}

// TraceBit is a bit of a word.
type TraceBit struct {
	Signal  int  `json:"signal"`           // a position in signals; -1 for one that is x in all steps
	Missing bool `json:"missing,omitzero"` // the circuit has no such bit; values in binary have a - there
	Negated bool `json:"negated,omitzero"` // the bit has the other value
}

// WordValue is a name for a value of a word.
type WordValue struct {
	Name string `json:"name"`
	Bits string `json:"bits"` // 0 or 1 each, from the most significant on
}

// WordRadix says how the values of a word are written.
type WordRadix string

// The radices. Signed is decimal in two's complement, whatever the word says of a sign: only people choose it.
const (
	WordBinary  WordRadix = "binary"
	WordDecimal WordRadix = "decimal"
	WordHex     WordRadix = "hex"
	WordSigned  WordRadix = "signed"
)

// RadicesParams are all words of a file for which a radix is chosen, instead of those that were chosen before. The
// file need not be open, and keeps them when it is closed.
type RadicesParams struct {
	URI   uri.URI       `json:"uri"`
	Words []ChosenRadix `json:"words"`
}

// ChosenRadix is the radix in which the values of a word are written, those with a name, too. A value some of whose
// bits are x stays binary.
type ChosenRadix struct {
	Word  string    `json:"word"` // its name
	Radix WordRadix `json:"radix"`
}

// Settable says in which steps a run could have another value of a signal.
type Settable string

// Where values are free: those of inputs always, those of latches without a reset at the start.
const (
	SettableAlways  Settable = "always"
	SettableAtStart Settable = "start"
)

// WhyParams are a value of a counterexample: that of a signal, named by its number or by a
// position, at a step. Without signal and position the value is that of the property where
// it fails.
type WhyParams struct {
	PropertyParams
	Signal *uint32 `json:"signal,omitempty"`
	Step   *int    `json:"step,omitempty"`
	Depth  int     `json:"depth,omitzero"` // levels of causes
}

// Cause is the value of a signal at a step, with the values that force it. The root for a
// property that a loop violates is not a value: its causes are 1 in each round. In a derivation it is a step with what
// that derives and no value, and the causes are the steps that it uses.
type Cause struct {
	Name     string             `json:"name"`
	Value    string             `json:"value"`         // empty for such a root, and in a derivation
	Word     bool               `json:"word,omitzero"` // the causes are bits of a word, and this says them as one
	Step     int                `json:"step"`
	At       string             `json:"at"`                // the step in words: "step 3", "step 3 of round 2"; empty for such a root
	Signal   uint32             `json:"signal"`            // by which aiglens.why asks; of one version of the text
	Formula  string             `json:"formula,omitempty"` // how the text computes what it gives no name
	Reason   string             `json:"reason"`            // what the value is due to where it has no causes
	Location *protocol.Location `json:"location"`
	Repeated bool               `json:"repeated,omitzero"` // its causes stand at an earlier node
	Cut      bool               `json:"cut,omitzero"`      // there are causes beyond the limit: ask for this signal and step
	Causes   []Cause            `json:"causes"`
}

// GoToCauseParams are a signal, by its number, at a step of a counterexample.
type GoToCauseParams struct {
	PropertyParams
	Signal uint32 `json:"signal"`
	Step   int    `json:"step"`
}

// TraceFormat is a format of counterexamples.
type TraceFormat string

// The formats; a witness is one of BTOR2 for its files, else one of AIGER, as it is of differences.
const (
	FormatWitness  TraceFormat = "witness"
	FormatVCD      TraceFormat = "vcd"
	FormatJSON     TraceFormat = "json"
	FormatWaveDrom TraceFormat = "wavedrom"
	FormatMarkdown TraceFormat = "markdown"
)

// ExportParams are a counterexample to be written.
type ExportParams struct {
	PropertyParams
	Format    TraceFormat `json:"format"`
	Rounds    int         `json:"rounds,omitzero"`    // of a loop, for the formats of waves; without it 2, of markdown 1
	Path      string      `json:"path,omitempty"`     // of a file to write where the server runs, which must not exist
	Overwrite bool        `json:"overwrite,omitzero"` // it may exist
}

// ExportedTrace is a counterexample as text.
type ExportedTrace struct {
	Name string `json:"name"` // for a file
	Text string `json:"text"`
}

// ImportParams are a witness: in a file, or as text.
type ImportParams struct {
	PropertyParams
	Path string `json:"path,omitempty"` // of a file where the server runs
	Text string `json:"text,omitempty"` // instead of a file
}

// ImportedWitness is a counterexample that was replayed.
type ImportedWitness struct {
	Property PropertyID `json:"property"`
	Steps    int        `json:"steps"`
	Loop     int        `json:"loop,omitzero"` // how many of these, the last ones, repeat for ever
}

// LatchTrace is a latch over the steps of a counterexample.
type LatchTrace struct {
	Name     string            `json:"name"`              // from the text, or what the server calls it
	Literal  *uint32           `json:"literal,omitempty"` // in a format that numbers its signals
	Values   string            `json:"values"`            // 0, 1 or x, a character a step; in the last one the property fails
	Loop     int               `json:"loop,omitzero"`     // how many of these, the last ones, repeat for ever
	Location protocol.Location `json:"location"`
}

// GoToLatchParams are a latch of a counterexample, without a number the first that changes.
type GoToLatchParams struct {
	PropertyParams
	Latch *uint32 `json:"latch,omitempty"` // its literal, else its position among the latches of the circuit
}
