package syntax

import (
	"slices"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	codeEmptyFile     source.Code = "empty-file"
	codeByteOrderMark source.Code = "byte-order-mark"
	codeNotAiger      source.Code = "not-aiger"
	codeBinaryFile    source.Code = "binary-file"
	codeBodyMismatch  source.Code = "header-body-mismatch"

	codeHeaderFields   source.Code = "header-fields"
	codeHeaderNumber   source.Code = "header-number"
	codeNumberTooLarge source.Code = "number-too-large"
	codeMaxTooSmall    source.Code = "max-too-small"
	codeMaxNotSum      source.Code = "max-not-sum"
	CodeMaxTooLarge    source.Code = "max-larger-than-needed"
	codeTooManyInputs  source.Code = "too-many-inputs"
	codeCountMismatch  source.Code = "count-mismatch"
	codeJusticeSizes   source.Code = "justice-sizes"

	CodeTab           source.Code = "tab"
	CodeExtraSpace    source.Code = "extra-space"
	CodeTrailingSpace source.Code = "trailing-space"
	CodeCRLF          source.Code = "crlf"
	codeCRLines       source.Code = "cr-line-ends"
	CodeBlankLine     source.Code = "blank-line"
	CodeFinalNewline  source.Code = "no-final-newline"
	CodeLeadingZero   source.Code = "leading-zero"

	codeNotANumber          source.Code = "not-a-number"
	CodeSurplus             source.Code = "surplus-on-line"
	CodeLatchNextMissing    source.Code = "latch-next-missing"
	CodeAndOperandMissing   source.Code = "and-operand-missing"
	CodeCommentMisplaced    source.Code = "comment-misplaced"
	CodeSymbolMisplaced     source.Code = "symbol-misplaced"
	codeRowMisplaced        source.Code = "row-misplaced"
	CodeDefinitionOdd       source.Code = "definition-odd"
	CodeDefinitionConstant  source.Code = "definition-constant"
	CodeDefinitionTwice     source.Code = "definition-twice"
	CodeLiteralOutOfRange   source.Code = "literal-out-of-range"
	CodeUndefinedLiteral    source.Code = "undefined-literal"
	CodeAndCycle            source.Code = "and-cycle"
	CodeResetCycle          source.Code = "reset-cycle"
	codeJusticeEmpty        source.Code = "justice-empty"
	CodeConstantProperty    source.Code = "constant-property"
	CodeConstantConstraint  source.Code = "constant-constraint"
	CodeDuplicateProperty   source.Code = "duplicate-property"
	codeOutputsBesideBads   source.Code = "outputs-beside-bads"
	CodeOutputsAsBads       source.Code = "outputs-as-bads"
	codeNoProperty          source.Code = "no-property"
	codeFairnessAlone       source.Code = "fairness-without-justice"
	CodeAndTrivial          source.Code = "and-trivial"
	CodeLatchConstant       source.Code = "latch-constant"
	CodeAndUnused           source.Code = "and-unused"
	CodeInputUnused         source.Code = "input-unused"
	CodeLatchUnused         source.Code = "latch-unused"
	CodeAndDuplicate        source.Code = "and-duplicate"
	CodeAndConstant         source.Code = "and-constant"
	CodeConstraintAtReset   source.Code = "constraint-contradicts-reset"
	codeSymbolSyntax        source.Code = "symbol-syntax"
	codeSymbolKind          source.Code = "symbol-unknown-kind"
	codeSymbolNoName        source.Code = "symbol-without-name"
	CodeSymbolEmptyName     source.Code = "symbol-empty-name"
	CodeSymbolOutOfRange    source.Code = "symbol-out-of-range"
	CodeSymbolTwice         source.Code = "symbol-twice"
	CodeSymbolDuplicateName source.Code = "symbol-duplicate-name"
	CodeSymbolNUL           source.Code = "symbol-nul"
	CodeSymbolNameClash     source.Code = "symbol-name-clash"
	codeCommentStart        source.Code = "comment-start"
	codeDelta               source.Code = "binary-delta"
	codeTruncated           source.Code = "binary-truncated"
	codeBinaryLine          source.Code = "binary-line"
	CodeWitness             source.Code = "witness-syntax"
	CodeMap                 source.Code = "map-not-used"
)

// Codes lists every code that this package reports.
func Codes() []findings.Kind { return Catalogue.Kinds() }

// Catalogue holds the kinds of diagnostics: those that stand here, and those of
// the checks of rows.
var Catalogue = findings.NewCatalogue(slices.Concat(kinds, rowKinds())...)

func rowKinds() []findings.Kind {
	var all []findings.Kind
	for _, c := range rowChecks {
		all = append(all, c.finds...)
	}
	return all
}

// kinds are those that no check of a row reports.
var kinds = []findings.Kind{
	findings.NewKind(codeEmptyFile, source.Error, findings.ReachFile, "the file is empty: there is no header"),
	findings.NewKind(codeByteOrderMark, source.Error, findings.ReachNone, "a byte-order mark stands before the header"),
	findings.NewKind(codeNotAiger, source.Error, findings.ReachFile, "the first word is neither aag nor aig"),
	findings.NewKind(codeBinaryFile, source.Error, findings.ReachFile, "the file is binary and cannot be edited as text"),
	findings.NewKind(codeBodyMismatch, source.Error, findings.ReachFile, "the header says ASCII and the body is binary, or vice versa"),
	findings.NewKind(codeHeaderFields, source.Error, findings.ReachFile, "the header needs five to nine numbers: M I L O A, then B C J F"),
	findings.NewKind(codeHeaderNumber, source.Error, findings.ReachFile, "a header field is not a number"),
	findings.NewKind(codeMaxTooSmall, source.Error, findings.ReachFile, "M is smaller than the number of inputs, latches and ANDs"),
	findings.NewKind(codeMaxNotSum, source.Error, findings.ReachFile, "in a binary file M must be I+L+A"),
	findings.NewKind(CodeMaxTooLarge, source.Hint, findings.ReachNone, "M is larger than every variable in the file"),
	findings.NewKind(codeTooManyInputs, source.Error, findings.ReachFile, "a binary file announces far too many inputs for its size"),
	findings.NewKind(codeCountMismatch, source.Error, findings.ReachFile, "a header count and the rows of that section disagree"),
	findings.NewKind(codeJusticeSizes, source.Error, findings.ReachFile, "the justice sizes and the justice literals that follow disagree"),
	findings.NewKind(CodeTab, source.Error, findings.ReachNone, "a tab, or other white space, where one space must stand"),
	findings.NewKind(CodeExtraSpace, source.Error, findings.ReachNone, "more than one space between numbers, or space before the first"),
	findings.NewKind(CodeTrailingSpace, source.Error, findings.ReachNone, "space at the end of a line"),
	findings.NewKind(CodeCRLF, source.Error, findings.ReachNone, "lines end in CR LF instead of LF"),
	findings.NewKind(codeCRLines, source.Error, findings.ReachFile, "lines end in CR alone, so that the whole text is one line"),
	findings.NewKind(CodeBlankLine, source.Error, findings.ReachNone, "a blank line outside the comment section"),
	findings.NewKind(CodeFinalNewline, source.Error, findings.ReachNone, "the last line has no line end"),
	findings.NewKind(CodeCommentMisplaced, source.Error, findings.ReachNone, "text among the rows; comments are allowed only after a line that holds just c"),
	findings.NewKind(CodeSymbolMisplaced, source.Error, findings.ReachNone, "a symbol line stands before the last row"),
	findings.NewKind(codeRowMisplaced, source.Error, findings.ReachFile, "a row of numbers stands among the symbols"),
	findings.NewKind(CodeAndCycle, source.Error, findings.ReachCone, "ANDs depend on each other in a cycle"),
	findings.NewKind(CodeResetCycle, source.Error, findings.ReachCone, "the reset of a latch depends on the latch itself"),
	findings.NewKind(CodeConstantProperty, source.Hint, findings.ReachNone, "a property is the constant 0 or 1"),
	findings.NewKind(CodeConstantConstraint, source.Warning, findings.ReachNone, "a constraint is constant: 0 makes every property hold, 1 has no effect"),
	findings.NewKind(CodeDuplicateProperty, source.Hint, findings.ReachNone, "two properties are the same literal"),
	findings.NewKind(codeOutputsBesideBads, source.Information, findings.ReachNone, "outputs are not properties because the file has bad or justice properties"),
	findings.NewKind(CodeOutputsAsBads, source.Information, findings.ReachNone, "the file has neither bad nor justice properties, so its outputs are the properties"),
	findings.NewKind(codeNoProperty, source.Information, findings.ReachNone, "the file has no output, bad or justice property: there is nothing to check"),
	findings.NewKind(codeFairnessAlone, source.Hint, findings.ReachNone, "fairness constraints have no effect without a justice property"),
	findings.NewKind(CodeAndUnused, source.Hint, findings.ReachNone, "an AND on which no output, property, constraint or fairness constraint depends"),
	findings.NewKind(CodeInputUnused, source.Hint, findings.ReachNone, "an input on which nothing depends"),
	findings.NewKind(CodeLatchUnused, source.Hint, findings.ReachNone, "a latch on which nothing depends"),
	findings.NewKind(CodeAndDuplicate, source.Hint, findings.ReachNone, "an AND that computes the same as an earlier row"),
	findings.NewKind(CodeAndConstant, source.Hint, findings.ReachNone, "an AND that is constant by the structure of the circuit"),
	findings.NewKind(CodeConstraintAtReset, source.Warning, findings.ReachNone, "a constraint is false in every initial state: every property holds vacuously"),
	findings.NewKind(codeSymbolSyntax, source.Error, findings.ReachNone, "a symbol line is not kind, position, one space, name"),
	findings.NewKind(codeSymbolKind, source.Error, findings.ReachNone, "a symbol line starts with none of i l o b c j f"),
	findings.NewKind(codeSymbolNoName, source.Error, findings.ReachNone, "a symbol line ends after the position"),
	findings.NewKind(CodeSymbolEmptyName, source.Warning, findings.ReachNone, "a symbol has an empty name"),
	findings.NewKind(CodeSymbolOutOfRange, source.Error, findings.ReachNone, "a symbol names an element that does not exist"),
	findings.NewKind(CodeSymbolTwice, source.Error, findings.ReachNone, "an element has two symbols"),
	findings.NewKind(CodeSymbolDuplicateName, source.Warning, findings.ReachNone, "two elements have the same name"),
	findings.NewKind(CodeSymbolNUL, source.Error, findings.ReachNone, "a name holds a NUL byte, at which other programs end it"),
	findings.NewKind(CodeSymbolNameClash, source.Warning, findings.ReachNone, "ABC or Yosys confuses the name with that of another element"),
	findings.NewKind(codeCommentStart, source.Error, findings.ReachNone, "the comment section must start with a line that holds just c"),
	findings.NewKind(CodePropSyntax, source.Warning, findings.ReachNone, "a \"prop:\" line of the comment cannot be understood"),
	findings.NewKind(CodePropLiteral, source.Warning, findings.ReachNone, "a \"prop:\" line of the comment names no literal of the file"),
	findings.NewKind(CodePropIgnored, source.Hint, findings.ReachNone, "a \"prop:\" line of the comment is of no kind that AIGER files have there"),
	findings.NewKind(CodeWordSyntax, source.Warning, findings.ReachNone, "a \"word:\" line of the comment cannot be understood"),
	findings.NewKind(CodeWordSignal, source.Warning, findings.ReachNone, "a bit of a word is no signal of the file, or stands in it twice"),
	findings.NewKind(CodeWordRepeats, source.Warning, findings.ReachNone, "a word has the name of another one, or of a signal"),
	findings.NewKind(codeDelta, source.Error, findings.ReachFile, "the difference coding of a binary AND is wrong"),
	findings.NewKind(codeTruncated, source.Error, findings.ReachFile, "a binary file ends too early"),
	findings.NewKind(codeBinaryLine, source.Error, findings.ReachFile, "a text line of a binary file is malformed"),
	findings.NewKind(CodeMap, source.Warning, findings.ReachNone, "a map of Yosys is damaged or of another circuit, and names nothing"),
	findings.NewKind(CodeWitness, source.Error, findings.ReachNone, "a witness is malformed"),
}

// newFindings returns an empty list of diagnostics.
func newFindings() findings.List { return findings.NewList(Catalogue) }
