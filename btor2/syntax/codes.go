package syntax

import (
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	codeEmptyFile     source.Code = "empty-btor2"
	CodeOtherFormat   source.Code = "other-format"
	codeByteOrderMark source.Code = "byte-order-mark"
	CodeCRLines       source.Code = "cr-line-ends"
	codeCRLF          source.Code = "crlf"
	codeFinalNewline  source.Code = "no-final-newline"

	codeTab           source.Code = "tab"
	codeExtraSpace    source.Code = "extra-space"
	codeTrailingSpace source.Code = "trailing-space"
	codeCommentJoined source.Code = "comment-joined"
	codeLeadingZero   source.Code = "leading-zero"

	CodeIDMissing      source.Code = "id-missing"
	codeIDNotNumber    source.Code = "id-not-number"
	codeIDZero         source.Code = "id-zero"
	codeIDOrder        source.Code = "id-order"
	codeIDRepeated     source.Code = "id-repeated"
	codeNumberTooLarge source.Code = "number-too-large"

	codeTagMissing source.Code = "tag-missing"
	codeUnknownTag source.Code = "unknown-tag"
	codeTagCase    source.Code = "tag-case"

	codeOperandMissing source.Code = "operand-missing"
	codeOperandSurplus source.Code = "operand-surplus"
	codeNotNumber      source.Code = "not-a-number"
	codeSymbolNumber   source.Code = "symbol-is-number"
	codeSymbolBlank    source.Code = "symbol-with-blank"
	codeSymbolRepeated source.Code = "symbol-repeated"

	codeUndefinedOperand source.Code = "undefined-operand"
	CodeForwardReference source.Code = "forward-reference"
	codeNoValue          source.Code = "operand-without-value"
	codeNegatedArray     source.Code = "array-negated"

	codeSortKind      source.Code = "sort-kind"
	codeWidthZero     source.Code = "width-zero"
	codeWidthBeyond   source.Code = "width-beyond-limit"
	codeNestedArray   source.Code = "array-nested"
	codeUndefinedSort source.Code = "undefined-sort"
	codeSortExpected  source.Code = "sort-expected"
	codeSortNegated   source.Code = "sort-negated"
	codeSortRepeated  source.Code = "sort-repeated"

	CodeWidthMismatch  source.Code = "width-mismatch"
	CodeOneBit         source.Code = "one-bit-expected"
	codeResultWidth    source.Code = "result-width"
	codeArrayExpected  source.Code = "array-expected"
	codeVectorExpected source.Code = "bit-vector-expected"
	codeSliceBounds    source.Code = "slice-bounds"
	codeSliceWidth     source.Code = "slice-width"
	codeExtensionWidth source.Code = "extension-width"
	codeConcatWidth    source.Code = "concat-width"

	codeConstDigits   source.Code = "const-digits"
	codeConstWidth    source.Code = "const-width"
	codeConstTooLarge source.Code = "const-too-large"

	codeNotState        source.Code = "not-a-state"
	codeNegatedState    source.Code = "state-negated"
	codeInitTwice       source.Code = "init-twice"
	codeNextTwice       source.Code = "next-twice"
	codeSortMismatch    source.Code = "sort-mismatch"
	CodeInitOrder       source.Code = "init-order"
	codeInitInput       source.Code = "init-from-input"
	codeInitNotConstant source.Code = "init-not-constant"
	codeInitCycle       source.Code = "init-cycle"
	codeNoNext          source.Code = "state-without-next"

	codeJusticeCount source.Code = "justice-count"
	codeJusticeEmpty source.Code = "justice-empty"
	codeLiveness     source.Code = "liveness-refused"

	codePropSyntax  source.Code = "prop-syntax"
	CodePropNode    source.Code = "prop-node"
	codePropIgnored source.Code = "prop-ignored"

	// What only the whole text shows: see package diagnose.
	CodeConstantRow        source.Code = "constant-row"
	CodeConstantComparison source.Code = "constant-comparison"
	CodeConstantCondition  source.Code = "constant-condition"
	CodeDivisionByZero     source.Code = "division-by-zero"
	CodeRowRepeated        source.Code = "row-repeated"
	CodeConstantProperty   source.Code = "constant-property"
	CodeConstantConstraint source.Code = "constant-constraint"
	CodeConstraintAtStart  source.Code = "constraint-contradicts-init"
	CodeDuplicateProperty  source.Code = "duplicate-property"
	CodeRowUnused          source.Code = "row-unused"
	CodeSortUnused         source.Code = "sort-unused"
)

// Catalogue has an entry for every code. It is not written to.
var Catalogue = findings.NewCatalogue(
	findings.NewKind(codeEmptyFile, source.Error, findings.ReachFile, "the file holds no row"),
	findings.NewKind(CodeOtherFormat, source.Error, findings.ReachFile, "the text is that of another format"),
	findings.NewKind(codeByteOrderMark, source.Error, findings.ReachNone, "the text starts with a byte order mark"),
	findings.NewKind(CodeCRLines, source.Error, findings.ReachFile, "lines end in CR alone, so that the whole text is one line"),
	findings.NewKind(codeCRLF, source.Error, findings.ReachNone, "lines end in CR LF"),
	findings.NewKind(codeFinalNewline, source.Warning, findings.ReachNone, "the last line has no line end"),
	findings.NewKind(codeTab, source.Error, findings.ReachNone, "a tab stands where a blank is expected"),
	findings.NewKind(codeExtraSpace, source.Error, findings.ReachNone, "more than one blank stands between two words"),
	findings.NewKind(codeTrailingSpace, source.Error, findings.ReachNone, "a blank stands at the end of a row"),
	findings.NewKind(codeCommentJoined, source.Error, findings.ReachNone, "a comment follows a word without a blank"),
	findings.NewKind(codeLeadingZero, source.Error, findings.ReachNone, "a number starts with 0"),
	findings.NewKind(CodeIDMissing, source.Error, findings.ReachFile, "a row has no number"),
	findings.NewKind(codeIDNotNumber, source.Error, findings.ReachFile, "a row starts with something else than its number"),
	findings.NewKind(codeIDZero, source.Error, findings.ReachFile, "a row has the number 0"),
	findings.NewKind(codeIDOrder, source.Error, findings.ReachNone, "a row has a lower number than one before it"),
	findings.NewKind(codeIDRepeated, source.Error, findings.ReachFile, "two rows have the same number"),
	findings.NewKind(codeNumberTooLarge, source.Error, findings.ReachCone, "a number of a row is not below 2^40, or another number not below 2^31"),
	findings.NewKind(codeTagMissing, source.Error, findings.ReachFile, "a row has no tag"),
	findings.NewKind(codeUnknownTag, source.Error, findings.ReachFile, "BTOR2 has no such tag"),
	findings.NewKind(codeTagCase, source.Error, findings.ReachNone, "a tag is written with capital letters"),
	findings.NewKind(codeOperandMissing, source.Error, findings.ReachCone, "a row ends before all that its tag needs"),
	findings.NewKind(codeOperandSurplus, source.Error, findings.ReachCone, "a row has more numbers than its tag needs"),
	findings.NewKind(codeNotNumber, source.Error, findings.ReachCone, "a word is not the number that is expected there"),
	findings.NewKind(codeSymbolNumber, source.Warning, findings.ReachNone, "the symbol of a row is a number"),
	findings.NewKind(codeSymbolBlank, source.Error, findings.ReachNone, "words follow the symbol of a row"),
	findings.NewKind(codeSymbolRepeated, source.Hint, findings.ReachNone, "two rows have the same symbol"),
	findings.NewKind(codeUndefinedOperand, source.Error, findings.ReachCone, "no row has the number of an operand"),
	findings.NewKind(CodeForwardReference, source.Error, findings.ReachCone, "a row uses itself or one after it"),
	findings.NewKind(codeNoValue, source.Error, findings.ReachCone, "an operand is a row without a value"),
	findings.NewKind(codeNegatedArray, source.Error, findings.ReachCone, "an array is negated"),
	findings.NewKind(codeSortKind, source.Error, findings.ReachCone, "a sort is neither bitvec nor array"),
	findings.NewKind(codeWidthZero, source.Error, findings.ReachCone, "a bit-vector has no bits"),
	findings.NewKind(codeWidthBeyond, source.Error, findings.ReachCone, "a bit-vector has more bits than aiglens reads"),
	findings.NewKind(codeNestedArray, source.Error, findings.ReachCone, "the index or the element of an array is an array"),
	findings.NewKind(codeUndefinedSort, source.Error, findings.ReachCone, "no row has the number of a sort"),
	findings.NewKind(codeSortExpected, source.Error, findings.ReachCone, "a row that is no sort stands in the place of one"),
	findings.NewKind(codeSortNegated, source.Error, findings.ReachCone, "a sort has a sign"),
	findings.NewKind(codeSortRepeated, source.Hint, findings.ReachNone, "two rows define the same sort"),
	findings.NewKind(CodeWidthMismatch, source.Error, findings.ReachCone, "an operand has another sort than the row or the other operand"),
	findings.NewKind(CodeOneBit, source.Error, findings.ReachCone, "a condition has more than one bit"),
	findings.NewKind(codeResultWidth, source.Error, findings.ReachCone, "an operator with a result of 1 bit has another sort"),
	findings.NewKind(codeArrayExpected, source.Error, findings.ReachCone, "a bit-vector is read or written as an array"),
	findings.NewKind(codeVectorExpected, source.Error, findings.ReachCone, "an array is used as a bit-vector"),
	findings.NewKind(codeSliceBounds, source.Error, findings.ReachCone, "the bits of a slice are not those of its operand"),
	findings.NewKind(codeSliceWidth, source.Error, findings.ReachCone, "the sort of a slice has another width than its bits"),
	findings.NewKind(codeExtensionWidth, source.Error, findings.ReachCone, "the sort of an extension has another width than the operand and the new bits"),
	findings.NewKind(codeConcatWidth, source.Error, findings.ReachCone, "the sort of a concat has another width than its parts"),
	findings.NewKind(codeConstDigits, source.Error, findings.ReachCone, "the digits of a constant are not of its radix"),
	findings.NewKind(codeConstWidth, source.Error, findings.ReachCone, "a binary constant has more or fewer digits than its sort has bits"),
	findings.NewKind(codeConstTooLarge, source.Error, findings.ReachCone, "a constant does not fit its sort"),
	findings.NewKind(codeNotState, source.Error, findings.ReachCone, "init or next is of a row that is no state"),
	findings.NewKind(codeNegatedState, source.Error, findings.ReachCone, "init or next is of the negation of a state"),
	findings.NewKind(codeInitTwice, source.Error, findings.ReachCone, "a state has two init rows"),
	findings.NewKind(codeNextTwice, source.Error, findings.ReachCone, "a state has two next rows"),
	findings.NewKind(codeSortMismatch, source.Error, findings.ReachCone, "init or next has another sort than the state"),
	findings.NewKind(CodeInitOrder, source.Warning, findings.ReachNone, "the value of an init has a higher number than the state"),
	findings.NewKind(codeInitInput, source.Error, findings.ReachCone, "a state starts with a value that an input decides"),
	findings.NewKind(codeInitNotConstant, source.Error, findings.ReachCone, "an array starts with a bit-vector that is no constant"),
	findings.NewKind(codeInitCycle, source.Error, findings.ReachCone, "a state starts with a value that depends on its own start"),
	findings.NewKind(codeNoNext, source.Hint, findings.ReachNone, "a state has no next: it is free in every step"),
	findings.NewKind(codeJusticeCount, source.Error, findings.ReachCone, "a justice row has more or fewer conditions than it announces"),
	findings.NewKind(codeJusticeEmpty, source.Error, findings.ReachCone, "a justice row has no condition"),
	findings.NewKind(codeLiveness, source.Information, findings.ReachNone, "other tools do not read justice and fair"),
	findings.NewKind(codePropSyntax, source.Warning, findings.ReachNone, "a \"prop:\" line of a comment cannot be understood"),
	findings.NewKind(CodePropNode, source.Warning, findings.ReachNone, "a \"prop:\" line of a comment names no row of one bit before it"),
	findings.NewKind(codePropIgnored, source.Hint, findings.ReachNone, "a \"prop:\" line of a comment is of no kind that BTOR2 files have there"),
	findings.NewKind(CodeConstantRow, source.Hint, findings.ReachNone, "an operator has the same value in every step"),
	findings.NewKind(CodeConstantComparison, source.Hint, findings.ReachNone, "a comparison is decided by what its sides can be"),
	findings.NewKind(CodeConstantCondition, source.Hint, findings.ReachNone, "the condition of an ite is constant"),
	findings.NewKind(CodeDivisionByZero, source.Hint, findings.ReachNone, "a divisor is always 0"),
	findings.NewKind(CodeRowRepeated, source.Hint, findings.ReachNone, "a row has the same value as an earlier one"),
	findings.NewKind(CodeConstantProperty, source.Hint, findings.ReachNone, "the condition of a property is constant"),
	findings.NewKind(CodeConstantConstraint, source.Warning, findings.ReachNone, "a constraint is constant: 0 makes every property hold, 1 has no effect"),
	findings.NewKind(CodeConstraintAtStart, source.Warning, findings.ReachNone, "a constraint is false in every start"),
	findings.NewKind(CodeDuplicateProperty, source.Hint, findings.ReachNone, "two bads have the same condition"),
	findings.NewKind(CodeRowUnused, source.Hint, findings.ReachNone, "nothing that is asked or shown depends on a row"),
	findings.NewKind(CodeSortUnused, source.Hint, findings.ReachNone, "no row has a sort"),
)
