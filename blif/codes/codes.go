package codes

import (
	"fmt"

	"aiglens/internal/source"
)

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// The codes of the diagnostics.
const (
	EmptyFile        source.Code = "empty-blif"
	ModelMissing     source.Code = "model-missing"
	ModelName        source.Code = "model-without-name"
	ModelTwice       source.Code = "model-twice"
	TopInstantiated  source.Code = "top-instantiated"
	EndMissing       source.Code = "end-missing"
	AfterEnd         source.Code = "text-after-end"
	UnknownDirective source.Code = "unknown-directive"
	Singular         source.Code = "singular-directive"
	BlifMV           source.Code = "blif-mv"

	DriversMany      source.Code = "multiple-drivers"
	InputDriven      source.Code = "input-driven"
	UndrivenSignal   source.Code = "undriven-signal"
	UndrivenOutput   source.Code = "undriven-output"
	Cycle            source.Code = "combinational-cycle"
	SignalUnused     source.Code = "signal-unused"
	ModelInputUnused source.Code = "model-input-unused"
	DuplicateInput   source.Code = "duplicate-input"
	DuplicateOutput  source.Code = "duplicate-output"
	InferredPorts    source.Code = "inferred-ports"

	CubeWidth      source.Code = "cube-width"
	CubeCharacter  source.Code = "cube-character"
	CubeOutput     source.Code = "cube-output"
	CubePhase      source.Code = "cube-phase"
	CubeSpaces     source.Code = "cube-spaces"
	CubeContained  source.Code = "cube-contained"
	ConstantInputs source.Code = "constant-with-inputs"
	RowStray       source.Code = "row-stray"
	NamesEmpty     source.Code = "names-empty"
	OperandTwice   source.Code = "operand-twice"
	CoverEmpty     source.Code = "cover-empty"

	LatchArguments   source.Code = "latch-arguments"
	LatchInit        source.Code = "latch-init"
	LatchType        source.Code = "latch-type"
	LatchControl     source.Code = "latch-without-control"
	LatchNoInit      source.Code = "latch-no-init"
	ControlUndriven  source.Code = "control-undriven"
	Clocks           source.Code = "clocks"
	UndefinedCut     source.Code = "undefined-cut"
	BlackBoxCut      source.Code = "black-box-cut"
	UndrivenCut      source.Code = "undriven-cut"
	UnknownModel     source.Code = "unknown-model"
	UnknownFormal    source.Code = "unknown-formal"
	MissingInput     source.Code = "missing-input"
	FormalTwice      source.Code = "formal-twice"
	PinEquals        source.Code = "pin-without-equals"
	Recursion        source.Code = "recursive-instance"
	UnknownCell      source.Code = "unknown-cell"
	UnknownLibrary   source.Code = "cell-not-in-library"
	SearchMissing    source.Code = "search-missing"
	DirectiveMissing source.Code = "arguments-missing"
	TooLarge         source.Code = "hierarchy-too-large"

	JoinSpace   source.Code = "continuation-space"
	JoinEnd     source.Code = "continuation-at-end"
	Comment     source.Code = "trailing-comment"
	Indentation source.Code = "indented-directive"

	NothingToName source.Code = "attribute-without-object"
	AttributeName source.Code = "attribute-without-name"

	KissMisplaced source.Code = "kiss-misplaced"
	KissNotClosed source.Code = "kiss-not-closed"
	KissHeader    source.Code = "kiss-header"
	KissWidth     source.Code = "kiss-width"
	KissCount     source.Code = "kiss-count"
	KissReset     source.Code = "kiss-reset"
	KissOverlap   source.Code = "kiss-overlap"
	KissReach     source.Code = "kiss-unreachable"
	KissNoLogic   source.Code = "kiss-without-logic"
	ExdcOutput    source.Code = "exdc-output"
	ExdcIgnored   source.Code = "exdc-ignored"

	Pragma        source.Code = "pragma-syntax"
	PragmaIgnored source.Code = "pragma-ignored"
	CommentJoin   source.Code = "comment-continuation"
	GateInit      source.Code = "gateinit"
	PragmaSignal  source.Code = "pragma-signal"
	OutputsAreBad source.Code = "outputs-taken-as-bad"
)

// reach says how far an error spoils the verdicts on a file.
type reach uint8

const (
	reachNone   reach = iota // the meaning of the file is not in doubt
	ReachCone                // properties whose cone holds what the statement drives
	reachSignal              // properties whose cone holds the signal; found anew by Elaborate
	ReachAlways              // what the file means is uncertain
)

// Info is an entry of the table of diagnostic codes.
type Info struct {
	Code     source.Code
	Severity source.Severity
	Meaning  string // one line, for the manual
	reach    reach
}

// All lists every code that this package reports.
func All() []Info { return append([]Info(nil), table...) }

var table = []Info{
	{EmptyFile, source.Error, "the file holds no model", ReachAlways},
	{ModelMissing, source.Warning, "there is no .model before the first directive", reachNone},
	{ModelName, source.Warning, "a .model has no name", reachNone},
	{ModelTwice, source.Error, "two models have the same name", ReachAlways},
	{TopInstantiated, source.Hint, "the first model, which is checked, is an instance in another one", reachNone},
	{EndMissing, source.Warning, "a model has no .end", reachNone},
	{AfterEnd, source.Error, "a directive stands behind .end and outside any model", ReachAlways},
	{UnknownDirective, source.Error, "no dialect of BLIF knows the directive", ReachCone},
	{Singular, source.Warning, "other readers know only .inputs and .outputs", reachNone},
	{BlifMV, source.Error, "a directive of BLIF-MV, which is another format", ReachAlways},
	{DriversMany, source.Error, "a signal has more than one driver", reachSignal},
	{InputDriven, source.Error, "an input is driven inside the model", reachSignal},
	{UndrivenSignal, source.Error, "a signal is used that nothing drives", reachSignal},
	{UndrivenOutput, source.Error, "nothing drives an output", reachSignal},
	{Cycle, source.Error, "signals depend on each other in a circle without a latch", reachSignal},
	{SignalUnused, source.Warning, "a signal is driven and never used", reachNone},
	{ModelInputUnused, source.Information, "an input is never used", reachNone},
	{DuplicateInput, source.Error, "an input is listed twice", reachNone},
	{DuplicateOutput, source.Warning, "an output is listed twice", reachNone},
	{InferredPorts, source.Information, "a model has neither .inputs nor .outputs, so its ports are inferred", reachNone},
	{CubeWidth, source.Error, "a row has another number of literals than the .names has inputs", ReachCone},
	{CubeCharacter, source.Error, "a cube holds a character other than 0, 1 and -", ReachCone},
	{CubeOutput, source.Error, "a row has no output value 0 or 1", ReachCone},
	{CubePhase, source.Error, "a cover mixes rows for 1 and rows for 0", ReachCone},
	{CubeSpaces, source.Error, "there are spaces inside the input part of a row", ReachCone},
	{CubeContained, source.Information, "a row repeats what another row of the cover says", reachNone},
	{ConstantInputs, source.Error, "a row has an input part, but the .names has no inputs", ReachCone},
	{RowStray, source.Error, "a line belongs to no .names and no state table", ReachCone},
	{NamesEmpty, source.Error, "a .names has no signal", reachNone},
	{OperandTwice, source.Warning, "a signal is twice an input of the same .names", reachNone},
	{CoverEmpty, source.Hint, "a .names with inputs has no rows: it is the constant 0", reachNone},
	{LatchArguments, source.Error, "a .latch has too few or too many arguments", ReachCone},
	{LatchInit, source.Error, "the initial value of a latch is not 0, 1, 2 or 3", ReachCone},
	{LatchType, source.Error, "the type of a latch is not fe, re, ah, al or as", ReachCone},
	{LatchControl, source.Error, "a latch has a type and no control signal", ReachCone},
	{LatchNoInit, source.Information, "a latch has no initial value: it starts with either", reachNone},
	{ControlUndriven, source.Error, "nothing drives the control signal of a latch", ReachCone},
	{Clocks, source.Error, "the latches do not step together: several clocks, both edges, or level latches", ReachCone},
	{UndefinedCut, source.Warning, "$undef is any value in each step; other readers take 0", reachNone},
	{BlackBoxCut, source.Warning, "the outputs of a black box are any value in each step", reachNone},
	{UndrivenCut, source.Warning, "a signal that nothing drives is any value in each step", reachNone},
	{UnknownModel, source.Error, "no model with the name of an instance is known", reachNone},
	{UnknownFormal, source.Error, "the model or cell of an instance has no such port", ReachCone},
	{MissingInput, source.Warning, "an input of an instance is not connected; an error at $assert and $assume", ReachCone},
	{FormalTwice, source.Error, "a port of an instance is connected twice", ReachCone},
	{PinEquals, source.Error, "a connection is not written formal=actual", ReachCone},
	{Recursion, source.Error, "a model holds an instance of itself", ReachCone},
	{TooLarge, source.Error, "the flattened hierarchy has too many signals", ReachAlways},
	{UnknownCell, source.Warning, "a cell is used and no cell library is known", reachNone},
	{UnknownLibrary, source.Error, "the cell library has no such cell", reachNone},
	{SearchMissing, source.Error, "the file of a .search line does not exist", reachNone},
	{DirectiveMissing, source.Error, "a directive lacks arguments", ReachCone},
	{JoinSpace, source.Warning, "white space or a comment follows a continuation", reachNone},
	{JoinEnd, source.Warning, "a continuation in the last line", reachNone},
	{Comment, source.Hint, "a comment stands behind a directive; Yosys reads it as signals", reachNone},
	{Indentation, source.Hint, "a directive is indented; Yosys rejects that", reachNone},
	{NothingToName, source.Warning, "a name, attribute or parameter has nothing before it to belong to", reachNone},
	{AttributeName, source.Error, "an .attr or .param has no name", reachNone},
	{KissMisplaced, source.Error, "a directive of state tables stands outside one", reachNone},
	{KissNotClosed, source.Error, "a .start_kiss has no .end_kiss", reachNone},
	{KissHeader, source.Error, "a header of a state table is missing or no number", reachNone},
	{KissWidth, source.Error, "a transition has another number of inputs or outputs than .i and .o say", reachNone},
	{KissCount, source.Warning, "a state table has another number of rows or states than .p and .s say", reachNone},
	{KissReset, source.Error, "the reset state occurs in no transition", reachNone},
	{KissOverlap, source.Warning, "two transitions apply to the same input and lead elsewhere", reachNone},
	{KissReach, source.Information, "a state is never reached from the reset state", reachNone},
	{KissNoLogic, source.Information, "a model is only a state table, which has no latches to check", reachNone},
	{ExdcOutput, source.Warning, "the don't-care network defines something that is no output", reachNone},
	{ExdcIgnored, source.Hint, "the don't-care network is ignored", reachNone},
	{Pragma, source.Warning, "a \"# prop:\" comment cannot be understood", ReachAlways},
	{PragmaSignal, source.Error, "a \"# prop:\" comment names a signal that the model does not have", reachSignal},
	{PragmaIgnored, source.Warning, "a comment looks like a property and is none", reachNone},
	{CommentJoin, source.Warning, "a comment line ends in a \\, which ABC and Yosys take for a continuation", reachNone},
	{GateInit, source.Warning, "a .gateinit gives no initial value to a flip-flop cell", reachNone},
	{OutputsAreBad, source.Information, "every output is taken as a bad-state property", reachNone},
}

var infos = func() map[source.Code]Info {
	m := make(map[source.Code]Info, len(table))
	for _, info := range table {
		m[info.Code] = info
	}
	return m
}()

// ReachOf returns how far an error of a code reaches.
func ReachOf(code source.Code) reach { return infos[code].reach }

// Finding makes a diagnostic of a code.
func Finding(code source.Code, span source.Span, message string) source.Diagnostic {
	return source.Diagnostic{Span: span, Severity: infos[code].Severity, Code: code, Message: message}
}
