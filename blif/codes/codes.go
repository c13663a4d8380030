package codes

import (
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

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
	OtherFormat      source.Code = "other-format"
	CRLines          source.Code = "cr-line-ends"
	NULByte          source.Code = "nul-byte"

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
	OutputIsInput    source.Code = "output-is-input"

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
	StartNotGiven    source.Code = "start-not-given"
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

	Pragma           source.Code = "pragma-syntax"
	PragmaIgnored    source.Code = "pragma-ignored"
	PragmaRepeated   source.Code = "pragma-repeated"
	ConstantProperty source.Code = "constant-property"
	CommentJoin      source.Code = "comment-continuation"
	GateInit         source.Code = "gateinit"
	PragmaSignal     source.Code = "pragma-signal"
	WordSyntax       source.Code = "word-syntax"
	WordSignal       source.Code = "word-signal"
	WordRepeated     source.Code = "word-repeated"
	OutputsAreBad    source.Code = "outputs-taken-as-bad"
	OutputsBeyond    source.Code = "outputs-beyond-limit"
)

// Catalogue has an entry for every code. It is not written to.
var Catalogue = findings.NewCatalogue(
	findings.NewKind(EmptyFile, source.Error, findings.ReachFile, "the file holds no model"),
	findings.NewKind(ModelMissing, source.Warning, findings.ReachNone, "there is no .model before the first directive"),
	findings.NewKind(ModelName, source.Warning, findings.ReachNone, "a .model has no name"),
	findings.NewKind(ModelTwice, source.Error, findings.ReachFile, "two models have the same name"),
	findings.NewKind(TopInstantiated, source.Hint, findings.ReachNone, "the first model, which is checked, is an instance in another one"),
	findings.NewKind(EndMissing, source.Warning, findings.ReachNone, "a model has no .end"),
	findings.NewKind(AfterEnd, source.Error, findings.ReachFile, "a directive stands after .end and outside any model"),
	findings.NewKind(UnknownDirective, source.Error, findings.ReachCone, "no dialect of BLIF knows the directive"),
	findings.NewKind(Singular, source.Warning, findings.ReachNone, "other readers know only .inputs and .outputs"),
	findings.NewKind(BlifMV, source.Error, findings.ReachFile, "a directive of BLIF-MV, which is another format"),
	findings.NewKind(OtherFormat, source.Error, findings.ReachFile, "the text is that of another format, such as Verilog"),
	findings.NewKind(CRLines, source.Error, findings.ReachFile, "lines end in CR alone, so that the whole text is one line"),
	findings.NewKind(NULByte, source.Error, findings.ReachNone, "the text holds a NUL, at which other readers end a name or the text"),
	findings.NewKind(DriversMany, source.Error, findings.ReachSignal, "a signal has more than one driver"),
	findings.NewKind(InputDriven, source.Error, findings.ReachSignal, "an input is driven inside the model"),
	findings.NewKind(UndrivenSignal, source.Error, findings.ReachSignal, "a signal is used that nothing drives"),
	findings.NewKind(UndrivenOutput, source.Error, findings.ReachSignal, "nothing drives an output"),
	findings.NewKind(Cycle, source.Error, findings.ReachSignal, "signals depend on each other in a cycle without a latch"),
	findings.NewKind(SignalUnused, source.Warning, findings.ReachNone, "a signal is driven and never used"),
	findings.NewKind(ModelInputUnused, source.Information, findings.ReachNone, "an input is never used"),
	findings.NewKind(DuplicateInput, source.Error, findings.ReachNone, "an input is listed twice"),
	findings.NewKind(DuplicateOutput, source.Warning, findings.ReachNone, "an output is listed twice"),
	findings.NewKind(OutputIsInput, source.Warning, findings.ReachNone, "an output of an instantiated model is also an input of it; ABC aborts there"),
	findings.NewKind(InferredPorts, source.Information, findings.ReachNone, "a model has neither .inputs nor .outputs, so its ports are inferred"),
	findings.NewKind(CubeWidth, source.Error, findings.ReachCone, "a row has another number of literals than the .names has inputs"),
	findings.NewKind(CubeCharacter, source.Error, findings.ReachCone, "a cube holds a character other than 0, 1 and -"),
	findings.NewKind(CubeOutput, source.Error, findings.ReachCone, "a row has no output value 0 or 1"),
	findings.NewKind(CubePhase, source.Error, findings.ReachCone, "a cover mixes rows for 1 and rows for 0"),
	findings.NewKind(CubeSpaces, source.Error, findings.ReachCone, "there are spaces inside the input part of a row"),
	findings.NewKind(CubeContained, source.Information, findings.ReachNone, "a row repeats what another row of the cover says"),
	findings.NewKind(ConstantInputs, source.Error, findings.ReachCone, "a row has an input part, but the .names has no inputs"),
	findings.NewKind(RowStray, source.Error, findings.ReachCone, "a line belongs to no .names and no state table"),
	findings.NewKind(NamesEmpty, source.Error, findings.ReachNone, "a .names has no signal"),
	findings.NewKind(OperandTwice, source.Warning, findings.ReachNone, "a signal is twice an input of the same .names"),
	findings.NewKind(CoverEmpty, source.Hint, findings.ReachNone, "a .names with inputs has no rows: it is the constant 0"),
	findings.NewKind(LatchArguments, source.Error, findings.ReachCone, "a .latch has too few or too many arguments"),
	findings.NewKind(LatchInit, source.Error, findings.ReachCone, "the initial value of a latch is not 0, 1, 2 or 3"),
	findings.NewKind(LatchType, source.Error, findings.ReachCone, "the type of a latch is not fe, re, ah, al or as"),
	findings.NewKind(LatchControl, source.Error, findings.ReachCone, "a latch has a type and no control signal"),
	findings.NewKind(LatchNoInit, source.Information, findings.ReachNone, "a latch has no initial value: it starts with either"),
	findings.NewKind(StartNotGiven, source.Warning, findings.ReachNone, "flip-flops that are cells have no initial value: each starts with either"),
	findings.NewKind(ControlUndriven, source.Error, findings.ReachCone, "nothing drives the control signal of a latch"),
	findings.NewKind(Clocks, source.Error, findings.ReachCone, "the latches do not step together: several clocks, both edges, or level latches"),
	findings.NewKind(UndefinedCut, source.Warning, findings.ReachNone, "$undef may have any value in each step; other readers take 0"),
	findings.NewKind(BlackBoxCut, source.Warning, findings.ReachNone, "the outputs of a black box may have any value in each step"),
	findings.NewKind(UndrivenCut, source.Warning, findings.ReachNone, "a signal that nothing drives may have any value in each step"),
	findings.NewKind(UnknownModel, source.Error, findings.ReachNone, "no model with the name of an instance is known"),
	findings.NewKind(UnknownFormal, source.Error, findings.ReachCone, "the model or cell of an instance has no such port"),
	findings.NewKind(MissingInput, source.Warning, findings.ReachCone, "an input of an instance is not connected; an error at formal cells such as $assert"),
	findings.NewKind(FormalTwice, source.Error, findings.ReachCone, "a port of an instance is connected twice"),
	findings.NewKind(PinEquals, source.Error, findings.ReachCone, "a connection is not written formal=actual"),
	findings.NewKind(Recursion, source.Error, findings.ReachCone, "a model holds an instance of itself"),
	findings.NewKind(TooLarge, source.Error, findings.ReachFile, "the flattened hierarchy has too many signals"),
	findings.NewKind(UnknownCell, source.Warning, findings.ReachNone, "a cell is used and no cell library is known"),
	findings.NewKind(UnknownLibrary, source.Error, findings.ReachNone, "the cell library has no such cell"),
	findings.NewKind(SearchMissing, source.Error, findings.ReachNone, "the file of a .search line does not exist"),
	findings.NewKind(DirectiveMissing, source.Error, findings.ReachCone, "a directive lacks arguments"),
	findings.NewKind(JoinSpace, source.Warning, findings.ReachNone, "white space or a comment follows a continuation"),
	findings.NewKind(JoinEnd, source.Warning, findings.ReachNone, "a continuation in the last line"),
	findings.NewKind(Comment, source.Hint, findings.ReachNone, "a comment stands after a directive; Yosys reads it as signals"),
	findings.NewKind(Indentation, source.Hint, findings.ReachNone, "a directive is indented; Yosys rejects that"),
	findings.NewKind(NothingToName, source.Warning, findings.ReachNone, "a name, attribute or parameter has nothing before it to belong to"),
	findings.NewKind(AttributeName, source.Error, findings.ReachNone, "an .attr or .param has no name"),
	findings.NewKind(KissMisplaced, source.Error, findings.ReachNone, "a directive of state tables stands outside one"),
	findings.NewKind(KissNotClosed, source.Error, findings.ReachNone, "a .start_kiss has no .end_kiss"),
	findings.NewKind(KissHeader, source.Error, findings.ReachNone, "a header of a state table is missing or no number"),
	findings.NewKind(KissWidth, source.Error, findings.ReachNone, "a transition has another number of inputs or outputs than .i and .o say"),
	findings.NewKind(KissCount, source.Warning, findings.ReachNone, "a state table has another number of rows or states than .p and .s say"),
	findings.NewKind(KissReset, source.Error, findings.ReachNone, "the reset state occurs in no transition"),
	findings.NewKind(KissOverlap, source.Warning, findings.ReachNone, "two transitions apply to the same input and differ in next state or output"),
	findings.NewKind(KissReach, source.Information, findings.ReachNone, "a state is never reached from the reset state"),
	findings.NewKind(KissNoLogic, source.Information, findings.ReachNone, "a model is only a state table, which has no latches to check"),
	findings.NewKind(ExdcOutput, source.Warning, findings.ReachNone, "the don't-care network defines something that is not an output"),
	findings.NewKind(ExdcIgnored, source.Hint, findings.ReachNone, "the don't-care network is ignored"),
	findings.NewKind(Pragma, source.Warning, findings.ReachFile, "a \"# prop:\" comment cannot be understood"),
	findings.NewKind(PragmaSignal, source.Error, findings.ReachSignal, "a \"# prop:\" comment names a signal that the model does not have"),
	findings.NewKind(WordSyntax, source.Warning, findings.ReachNone, "a \"# word:\" comment cannot be understood"),
	findings.NewKind(WordSignal, source.Warning, findings.ReachNone, "a bit of a word is no signal of the model, or stands in it twice"),
	findings.NewKind(WordRepeated, source.Warning, findings.ReachNone, "a word has the name of another one of its model, or of a signal"),
	findings.NewKind(PragmaRepeated, source.Hint, findings.ReachNone, "a \"# prop:\" comment says what another one has said"),
	findings.NewKind(ConstantProperty, source.Hint, findings.ReachNone, "the net of a property is constant"),
	findings.NewKind(PragmaIgnored, source.Warning, findings.ReachNone, "a comment looks like a property, but is not one"),
	findings.NewKind(CommentJoin, source.Warning, findings.ReachNone, "a comment line ends in a \\, which ABC and Yosys take for a continuation"),
	findings.NewKind(GateInit, source.Warning, findings.ReachNone, "a .gateinit gives no initial value to a flip-flop cell"),
	findings.NewKind(OutputsAreBad, source.Information, findings.ReachNone, "every output is taken as a bad-state property"),
	findings.NewKind(OutputsBeyond, source.Information, findings.ReachNone, "there are too many outputs to take every one as a property"),
)

// Finding returns a diagnostic of a code, with its severity.
func Finding(code source.Code, span source.Span, message string) source.Diagnostic {
	return Catalogue.Finding(code, span, message)
}
