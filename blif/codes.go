package blif

import "aiglens/internal/source"

// The codes of the diagnostics.
const (
	CodeEmptyFile        source.Code = "empty-blif"
	CodeModelMissing     source.Code = "model-missing"
	CodeModelName        source.Code = "model-without-name"
	CodeModelTwice       source.Code = "model-twice"
	CodeTopInstantiated  source.Code = "top-instantiated"
	CodeEndMissing       source.Code = "end-missing"
	CodeAfterEnd         source.Code = "text-after-end"
	CodeUnknownDirective source.Code = "unknown-directive"
	CodeSingular         source.Code = "singular-directive"
	CodeBlifMV           source.Code = "blif-mv"

	CodeDriversMany      source.Code = "multiple-drivers"
	CodeInputDriven      source.Code = "input-driven"
	CodeUndrivenSignal   source.Code = "undriven-signal"
	CodeUndrivenOutput   source.Code = "undriven-output"
	CodeCycle            source.Code = "combinational-cycle"
	CodeSignalUnused     source.Code = "signal-unused"
	CodeModelInputUnused source.Code = "model-input-unused"
	CodeDuplicateInput   source.Code = "duplicate-input"
	CodeDuplicateOutput  source.Code = "duplicate-output"
	CodeInferredPorts    source.Code = "inferred-ports"

	CodeCubeWidth      source.Code = "cube-width"
	CodeCubeCharacter  source.Code = "cube-character"
	CodeCubeOutput     source.Code = "cube-output"
	CodeCubePhase      source.Code = "cube-phase"
	CodeCubeSpaces     source.Code = "cube-spaces"
	CodeCubeContained  source.Code = "cube-contained"
	CodeConstantInputs source.Code = "constant-with-inputs"
	CodeRowStray       source.Code = "row-stray"
	CodeNamesEmpty     source.Code = "names-empty"
	CodeOperandTwice   source.Code = "operand-twice"
	CodeCoverEmpty     source.Code = "cover-empty"

	CodeLatchArguments   source.Code = "latch-arguments"
	CodeLatchInit        source.Code = "latch-init"
	CodeLatchType        source.Code = "latch-type"
	CodeLatchControl     source.Code = "latch-without-control"
	CodeLatchNoInit      source.Code = "latch-no-init"
	CodeControlUndriven  source.Code = "control-undriven"
	CodeClocks           source.Code = "clocks"
	CodeUndefinedCut     source.Code = "undefined-cut"
	CodeBlackBoxCut      source.Code = "black-box-cut"
	CodeUndrivenCut      source.Code = "undriven-cut"
	CodeUnknownModel     source.Code = "unknown-model"
	CodeUnknownFormal    source.Code = "unknown-formal"
	CodeMissingInput     source.Code = "missing-input"
	CodeFormalTwice      source.Code = "formal-twice"
	CodePinEquals        source.Code = "pin-without-equals"
	CodeRecursion        source.Code = "recursive-instance"
	CodeUnknownCell      source.Code = "unknown-cell"
	CodeUnknownLibrary   source.Code = "cell-not-in-library"
	CodeSearchMissing    source.Code = "search-missing"
	CodeDirectiveMissing source.Code = "arguments-missing"
	CodeTooLarge         source.Code = "hierarchy-too-large"

	CodeJoinSpace   source.Code = "continuation-space"
	CodeJoinEnd     source.Code = "continuation-at-end"
	CodeComment     source.Code = "trailing-comment"
	CodeIndentation source.Code = "indented-directive"

	CodeNothingToName source.Code = "attribute-without-object"
	CodeAttributeName source.Code = "attribute-without-name"

	CodeKissMisplaced source.Code = "kiss-misplaced"
	CodeKissNotClosed source.Code = "kiss-not-closed"
	CodeKissHeader    source.Code = "kiss-header"
	CodeKissWidth     source.Code = "kiss-width"
	CodeKissCount     source.Code = "kiss-count"
	CodeKissReset     source.Code = "kiss-reset"
	CodeKissOverlap   source.Code = "kiss-overlap"
	CodeKissReach     source.Code = "kiss-unreachable"
	CodeKissNoLogic   source.Code = "kiss-without-logic"
	CodeExdcOutput    source.Code = "exdc-output"
	CodeExdcIgnored   source.Code = "exdc-ignored"

	CodePragma        source.Code = "pragma-syntax"
	CodePragmaIgnored source.Code = "pragma-ignored"
	CodeCommentJoin   source.Code = "comment-continuation"
	CodeGateInit      source.Code = "gateinit"
	CodePragmaSignal  source.Code = "pragma-signal"
	CodeOutputsAreBad source.Code = "outputs-taken-as-bad"
)

// reach says how far an error spoils the verdicts on a file.
type reach uint8

const (
	reachNone   reach = iota // the meaning of the file is not in doubt
	reachCone                // properties whose cone holds what the statement drives
	reachSignal              // properties whose cone holds the signal; found anew by Elaborate
	reachAlways              // what the file means is uncertain
)

// CodeInfo is an entry of the table of diagnostic codes.
type CodeInfo struct {
	Code     source.Code
	Severity source.Severity
	Meaning  string // one line, for the manual
	reach    reach
}

// Codes lists every code that this package reports.
func Codes() []CodeInfo { return append([]CodeInfo(nil), codeTable...) }

var codeTable = []CodeInfo{
	{CodeEmptyFile, source.Error, "the file holds no model", reachAlways},
	{CodeModelMissing, source.Warning, "there is no .model before the first directive", reachNone},
	{CodeModelName, source.Warning, "a .model has no name", reachNone},
	{CodeModelTwice, source.Error, "two models have the same name", reachAlways},
	{CodeTopInstantiated, source.Hint, "the first model, which is checked, is an instance in another one", reachNone},
	{CodeEndMissing, source.Warning, "a model has no .end", reachNone},
	{CodeAfterEnd, source.Error, "a directive stands behind .end and outside any model", reachAlways},
	{CodeUnknownDirective, source.Error, "no dialect of BLIF knows the directive", reachCone},
	{CodeSingular, source.Warning, "other readers know only .inputs and .outputs", reachNone},
	{CodeBlifMV, source.Error, "a directive of BLIF-MV, which is another format", reachAlways},
	{CodeDriversMany, source.Error, "a signal has more than one driver", reachSignal},
	{CodeInputDriven, source.Error, "an input is driven inside the model", reachSignal},
	{CodeUndrivenSignal, source.Error, "a signal is used that nothing drives", reachSignal},
	{CodeUndrivenOutput, source.Error, "nothing drives an output", reachSignal},
	{CodeCycle, source.Error, "signals depend on each other in a circle without a latch", reachSignal},
	{CodeSignalUnused, source.Warning, "a signal is driven and never used", reachNone},
	{CodeModelInputUnused, source.Information, "an input is never used", reachNone},
	{CodeDuplicateInput, source.Error, "an input is listed twice", reachNone},
	{CodeDuplicateOutput, source.Warning, "an output is listed twice", reachNone},
	{CodeInferredPorts, source.Information, "a model has neither .inputs nor .outputs, so its ports are inferred", reachNone},
	{CodeCubeWidth, source.Error, "a row has another number of literals than the .names has inputs", reachCone},
	{CodeCubeCharacter, source.Error, "a cube holds a character other than 0, 1 and -", reachCone},
	{CodeCubeOutput, source.Error, "a row has no output value 0 or 1", reachCone},
	{CodeCubePhase, source.Error, "a cover mixes rows for 1 and rows for 0", reachCone},
	{CodeCubeSpaces, source.Error, "there are spaces inside the input part of a row", reachCone},
	{CodeCubeContained, source.Information, "a row repeats what another row of the cover says", reachNone},
	{CodeConstantInputs, source.Error, "a row has an input part, but the .names has no inputs", reachCone},
	{CodeRowStray, source.Error, "a line belongs to no .names and no state table", reachCone},
	{CodeNamesEmpty, source.Error, "a .names has no signal", reachNone},
	{CodeOperandTwice, source.Warning, "a signal is twice an input of the same .names", reachNone},
	{CodeCoverEmpty, source.Hint, "a .names with inputs has no rows: it is the constant 0", reachNone},
	{CodeLatchArguments, source.Error, "a .latch has too few or too many arguments", reachCone},
	{CodeLatchInit, source.Error, "the initial value of a latch is not 0, 1, 2 or 3", reachCone},
	{CodeLatchType, source.Error, "the type of a latch is not fe, re, ah, al or as", reachCone},
	{CodeLatchControl, source.Error, "a latch has a type and no control signal", reachCone},
	{CodeLatchNoInit, source.Information, "a latch has no initial value: it starts with either", reachNone},
	{CodeControlUndriven, source.Error, "nothing drives the control signal of a latch", reachCone},
	{CodeClocks, source.Error, "the latches do not step together: several clocks, both edges, or level latches", reachCone},
	{CodeUndefinedCut, source.Warning, "$undef is any value in each step; other readers take 0", reachNone},
	{CodeBlackBoxCut, source.Warning, "the outputs of a black box are any value in each step", reachNone},
	{CodeUndrivenCut, source.Warning, "a signal that nothing drives is any value in each step", reachNone},
	{CodeUnknownModel, source.Error, "no model with the name of an instance is known", reachNone},
	{CodeUnknownFormal, source.Error, "the model or cell of an instance has no such port", reachCone},
	{CodeMissingInput, source.Warning, "an input of an instance is not connected; an error at $assert and $assume", reachCone},
	{CodeFormalTwice, source.Error, "a port of an instance is connected twice", reachCone},
	{CodePinEquals, source.Error, "a connection is not written formal=actual", reachCone},
	{CodeRecursion, source.Error, "a model holds an instance of itself", reachCone},
	{CodeTooLarge, source.Error, "the flattened hierarchy has too many signals", reachAlways},
	{CodeUnknownCell, source.Warning, "a cell is used and no cell library is known", reachNone},
	{CodeUnknownLibrary, source.Error, "the cell library has no such cell", reachNone},
	{CodeSearchMissing, source.Error, "the file of a .search line does not exist", reachNone},
	{CodeDirectiveMissing, source.Error, "a directive lacks arguments", reachCone},
	{CodeJoinSpace, source.Warning, "white space or a comment follows a continuation", reachNone},
	{CodeJoinEnd, source.Warning, "a continuation in the last line", reachNone},
	{CodeComment, source.Hint, "a comment stands behind a directive; Yosys reads it as signals", reachNone},
	{CodeIndentation, source.Hint, "a directive is indented; Yosys rejects that", reachNone},
	{CodeNothingToName, source.Warning, "a name, attribute or parameter has nothing before it to belong to", reachNone},
	{CodeAttributeName, source.Error, "an .attr or .param has no name", reachNone},
	{CodeKissMisplaced, source.Error, "a directive of state tables stands outside one", reachNone},
	{CodeKissNotClosed, source.Error, "a .start_kiss has no .end_kiss", reachNone},
	{CodeKissHeader, source.Error, "a header of a state table is missing or no number", reachNone},
	{CodeKissWidth, source.Error, "a transition has another number of inputs or outputs than .i and .o say", reachNone},
	{CodeKissCount, source.Warning, "a state table has another number of rows or states than .p and .s say", reachNone},
	{CodeKissReset, source.Error, "the reset state occurs in no transition", reachNone},
	{CodeKissOverlap, source.Warning, "two transitions apply to the same input and lead elsewhere", reachNone},
	{CodeKissReach, source.Information, "a state is never reached from the reset state", reachNone},
	{CodeKissNoLogic, source.Information, "a model is only a state table, which has no latches to check", reachNone},
	{CodeExdcOutput, source.Warning, "the don't-care network defines something that is no output", reachNone},
	{CodeExdcIgnored, source.Hint, "the don't-care network is ignored", reachNone},
	{CodePragma, source.Warning, "a \"# prop:\" comment cannot be understood", reachAlways},
	{CodePragmaSignal, source.Error, "a \"# prop:\" comment names a signal that the model does not have", reachSignal},
	{CodePragmaIgnored, source.Warning, "a comment looks like a property and is none", reachNone},
	{CodeCommentJoin, source.Warning, "a comment line ends in a \\, which ABC and Yosys take for a continuation", reachNone},
	{CodeGateInit, source.Warning, "a .gateinit gives no initial value to a flip-flop cell", reachNone},
	{CodeOutputsAreBad, source.Information, "every output is taken as a bad-state property", reachNone},
}

var codeInfos = func() map[source.Code]CodeInfo {
	m := make(map[source.Code]CodeInfo, len(codeTable))
	for _, info := range codeTable {
		m[info.Code] = info
	}
	return m
}()

// finding makes a diagnostic of a code.
func (f *File) finding(code source.Code, span source.Span, message string) source.Diagnostic {
	return source.Diagnostic{Span: span, Severity: codeInfos[code].Severity, Code: code, Message: message}
}
