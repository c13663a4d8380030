package aiger

import "aiglens/internal/source"

// The codes of the diagnostics.
const (
	CodeEmptyFile     source.Code = "empty-file"
	CodeByteOrderMark source.Code = "byte-order-mark"
	CodeNotAiger      source.Code = "not-aiger"
	CodeBinaryFile    source.Code = "binary-file"
	CodeBodyMismatch  source.Code = "header-body-mismatch"

	CodeHeaderFields   source.Code = "header-fields"
	CodeHeaderNumber   source.Code = "header-number"
	CodeNumberTooLarge source.Code = "number-too-large"
	CodeMaxTooSmall    source.Code = "max-too-small"
	CodeMaxNotSum      source.Code = "max-not-sum"
	CodeMaxTooLarge    source.Code = "max-larger-than-needed"
	CodeTooManyInputs  source.Code = "too-many-inputs"
	CodeCountMismatch  source.Code = "count-mismatch"
	CodeJusticeSizes   source.Code = "justice-sizes"

	CodeTab           source.Code = "tab"
	CodeExtraSpace    source.Code = "extra-space"
	CodeTrailingSpace source.Code = "trailing-space"
	CodeCRLF          source.Code = "crlf"
	CodeBlankLine     source.Code = "blank-line"
	CodeFinalNewline  source.Code = "no-final-newline"
	CodeLeadingZero   source.Code = "leading-zero"

	CodeNotANumber          source.Code = "not-a-number"
	CodeSurplus             source.Code = "surplus-on-line"
	CodeLatchNextMissing    source.Code = "latch-next-missing"
	CodeAndOperandMissing   source.Code = "and-operand-missing"
	CodeCommentMisplaced    source.Code = "comment-misplaced"
	CodeSymbolMisplaced     source.Code = "symbol-misplaced"
	CodeRowMisplaced        source.Code = "row-misplaced"
	CodeDefinitionOdd       source.Code = "definition-odd"
	CodeDefinitionConstant  source.Code = "definition-constant"
	CodeDefinitionTwice     source.Code = "definition-twice"
	CodeLiteralOutOfRange   source.Code = "literal-out-of-range"
	CodeUndefinedLiteral    source.Code = "undefined-literal"
	CodeAndCycle            source.Code = "and-cycle"
	CodeResetFunction       source.Code = "reset-function"
	CodeJusticeEmpty        source.Code = "justice-empty"
	CodeConstantProperty    source.Code = "constant-property"
	CodeConstantConstraint  source.Code = "constant-constraint"
	CodeDuplicateProperty   source.Code = "duplicate-property"
	CodeOutputsBesideBads   source.Code = "outputs-beside-bads"
	CodeOutputsAsBads       source.Code = "outputs-as-bads"
	CodeNoProperty          source.Code = "no-property"
	CodeFairnessAlone       source.Code = "fairness-without-justice"
	CodeAndTrivial          source.Code = "and-trivial"
	CodeLatchConstant       source.Code = "latch-constant"
	CodeAndUnused           source.Code = "and-unused"
	CodeInputUnused         source.Code = "input-unused"
	CodeLatchUnused         source.Code = "latch-unused"
	CodeAndDuplicate        source.Code = "and-duplicate"
	CodeAndConstant         source.Code = "and-constant"
	CodeConstraintAtReset   source.Code = "constraint-contradicts-reset"
	CodeMoreFindings        source.Code = "more-findings"
	CodeSymbolSyntax        source.Code = "symbol-syntax"
	CodeSymbolKind          source.Code = "symbol-unknown-kind"
	CodeSymbolNoName        source.Code = "symbol-without-name"
	CodeSymbolEmptyName     source.Code = "symbol-empty-name"
	CodeSymbolOutOfRange    source.Code = "symbol-out-of-range"
	CodeSymbolTwice         source.Code = "symbol-twice"
	CodeSymbolDuplicateName source.Code = "symbol-duplicate-name"
	CodeCommentStart        source.Code = "comment-start"
	CodeDelta               source.Code = "binary-delta"
	CodeTruncated           source.Code = "binary-truncated"
	CodeBinaryLine          source.Code = "binary-line"
	CodeWitness             source.Code = "witness-syntax"
)

// reach says how far an error spoils the verdicts on a file.
type reach uint8

const (
	reachNone   reach = iota // the meaning of the file is not in doubt
	reachCone                // properties whose cone holds the row
	reachAlways              // what the rows mean is uncertain
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
	{CodeEmptyFile, source.Error, "the file is empty: there is no header", reachAlways},
	{CodeByteOrderMark, source.Error, "a byte-order mark stands before the header", reachNone},
	{CodeNotAiger, source.Error, "the first word is neither aag nor aig", reachAlways},
	{CodeBinaryFile, source.Error, "the file is binary and cannot be edited as text", reachAlways},
	{CodeBodyMismatch, source.Error, "the header says ASCII and the body is binary, or the other way round", reachAlways},
	{CodeHeaderFields, source.Error, "the header needs five to nine numbers: M I L O A, then B C J F", reachAlways},
	{CodeHeaderNumber, source.Error, "a header field is not a number", reachAlways},
	{CodeNumberTooLarge, source.Error, "a number does not fit: literals are 32-bit, variables 31-bit", reachCone},
	{CodeMaxTooSmall, source.Error, "M is smaller than the number of inputs, latches and ANDs", reachAlways},
	{CodeMaxNotSum, source.Error, "in a binary file M must be I+L+A", reachAlways},
	{CodeMaxTooLarge, source.Hint, "M is larger than every variable in the file", reachNone},
	{CodeTooManyInputs, source.Error, "a binary file announces inputs out of all proportion to its size", reachAlways},
	{CodeCountMismatch, source.Error, "a header count and the rows of that section disagree", reachAlways},
	{CodeJusticeSizes, source.Error, "the justice sizes and the justice literals that follow disagree", reachAlways},
	{CodeTab, source.Error, "a tab, or other white space, where one space must stand", reachNone},
	{CodeExtraSpace, source.Error, "more than one space between numbers, or space before the first", reachNone},
	{CodeTrailingSpace, source.Error, "space at the end of a line", reachNone},
	{CodeCRLF, source.Error, "lines end in CR LF instead of LF", reachNone},
	{CodeBlankLine, source.Error, "a blank line outside the comment section", reachNone},
	{CodeFinalNewline, source.Error, "the last line has no line end", reachNone},
	{CodeLeadingZero, source.Warning, "a number starts with a superfluous 0", reachNone},
	{CodeNotANumber, source.Error, "a number is expected and something else stands there", reachCone},
	{CodeSurplus, source.Error, "a line goes on after its last number", reachCone},
	{CodeLatchNextMissing, source.Error, "a latch row has no next-state literal", reachCone},
	{CodeAndOperandMissing, source.Error, "an AND row has fewer than two operands", reachCone},
	{CodeCommentMisplaced, source.Error, "text among the rows; comments are allowed only after a line that holds just c", reachNone},
	{CodeSymbolMisplaced, source.Error, "a symbol line stands before the last row", reachNone},
	{CodeRowMisplaced, source.Error, "a row of numbers stands among the symbols", reachAlways},
	{CodeDefinitionOdd, source.Error, "the literal that a row defines is negated", reachCone},
	{CodeDefinitionConstant, source.Error, "a row defines the constant", reachCone},
	{CodeDefinitionTwice, source.Error, "a variable is defined by two rows", reachCone},
	{CodeLiteralOutOfRange, source.Error, "a literal exceeds 2M+1", reachCone},
	{CodeUndefinedLiteral, source.Error, "a literal is used that no input, latch or AND defines", reachCone},
	{CodeAndCycle, source.Error, "ANDs depend on each other in a circle", reachCone},
	{CodeResetFunction, source.Error, "a latch is reset to something other than 0, 1 or itself", reachCone},
	{CodeJusticeEmpty, source.Warning, "a justice property has no literal: every fair path satisfies it", reachNone},
	{CodeConstantProperty, source.Hint, "a property is the constant 0 or 1", reachNone},
	{CodeConstantConstraint, source.Warning, "a constraint is constant: 0 makes every property hold, 1 has no effect", reachNone},
	{CodeDuplicateProperty, source.Hint, "two properties are the same literal", reachNone},
	{CodeOutputsBesideBads, source.Information, "outputs are not properties because the file has bad or justice properties", reachNone},
	{CodeOutputsAsBads, source.Information, "the file has neither bad nor justice properties, so its outputs are the properties", reachNone},
	{CodeNoProperty, source.Information, "the file has no output, bad or justice property: there is nothing to check", reachNone},
	{CodeFairnessAlone, source.Hint, "fairness constraints have no effect without a justice property", reachNone},
	{CodeAndTrivial, source.Hint, "an AND with constant, equal or opposite operands", reachNone},
	{CodeLatchConstant, source.Hint, "a latch that never leaves its reset value", reachNone},
	{CodeAndUnused, source.Hint, "an AND on which no output, property, constraint or fairness constraint depends", reachNone},
	{CodeInputUnused, source.Hint, "an input on which nothing depends", reachNone},
	{CodeLatchUnused, source.Hint, "a latch on which nothing depends", reachNone},
	{CodeAndDuplicate, source.Hint, "an AND that computes the same as an earlier row", reachNone},
	{CodeAndConstant, source.Hint, "an AND that is constant by the structure of the circuit", reachNone},
	{CodeConstraintAtReset, source.Warning, "a constraint is false in every initial state: every property holds vacuously", reachNone},
	{CodeMoreFindings, source.Information, "there are more warnings about the circuit than are shown", reachNone},
	{CodeSymbolSyntax, source.Error, "a symbol line is not kind, position, one space, name", reachNone},
	{CodeSymbolKind, source.Error, "a symbol line starts with none of i l o b c j f", reachNone},
	{CodeSymbolNoName, source.Error, "a symbol line ends after the position", reachNone},
	{CodeSymbolEmptyName, source.Warning, "a symbol has an empty name", reachNone},
	{CodeSymbolOutOfRange, source.Error, "a symbol names an element that does not exist", reachNone},
	{CodeSymbolTwice, source.Error, "an element has two symbols", reachNone},
	{CodeSymbolDuplicateName, source.Warning, "two elements have the same name", reachNone},
	{CodeCommentStart, source.Error, "the comment section must start with a line that holds just c", reachNone},
	{CodeDelta, source.Error, "the difference coding of a binary AND is wrong", reachAlways},
	{CodeTruncated, source.Error, "a binary file ends too early", reachAlways},
	{CodeBinaryLine, source.Error, "a text line of a binary file is malformed", reachAlways},
	{CodeWitness, source.Error, "a witness is malformed", reachNone},
}

// infoOf finds the entry of a code.
func infoOf(c source.Code) CodeInfo { return codeInfos[c] }

var codeInfos = func() map[source.Code]CodeInfo {
	m := make(map[source.Code]CodeInfo, len(codeTable))
	for _, info := range codeTable {
		m[info.Code] = info
	}
	return m
}()
