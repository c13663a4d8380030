package syntax

import (
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of the diagnostics.
const (
	codeEmptyFile     source.Code = "empty-smt2"
	codeParenMissing  source.Code = "parenthesis-missing"
	codeParenSurplus  source.Code = "parenthesis-surplus"
	codeStrayWord     source.Code = "stray-word"
	codeBadCharacter  source.Code = "bad-character"
	codeBarOpen       source.Code = "symbol-not-ended"
	codeStringOpen    source.Code = "string-not-ended"
	codeNotNumber     source.Code = "not-a-number"
	codeLeadingZero   source.Code = "leading-zero"
	codeTooDeep       source.Code = "nested-too-deeply"
	codeUnknown       source.Code = "unknown-command"
	codeOutside       source.Code = "command-outside"
	codeMalformed     source.Code = "malformed-command"
	codeLogicMissing  source.Code = "logic-missing"
	codeLogic         source.Code = "other-logic"
	codeLogicLate     source.Code = "logic-late"
	codeStatus        source.Code = "unknown-status"
	codeStatusTwice   source.Code = "two-statuses"
	codeUndeclared    source.Code = "undeclared"
	codeDeclaredTwice source.Code = "declared-twice"
	codeReserved      source.Code = "reserved-word"
	codeBoundTwice    source.Code = "bound-twice"
	codeAfterQuestion source.Code = "after-question"
	codeAfterExit     source.Code = "after-exit"
	codeTwoDialects   source.Code = "two-dialects"

	codeSort          source.Code = "unknown-sort"
	codeSortOutside   source.Code = "sort-outside"
	codeFunction      source.Code = "function-without-definition"
	codeConstant      source.Code = "constant-without-value"
	codeArguments     source.Code = "number-of-arguments"
	codeSortMismatch  source.Code = "sort-mismatch"
	codeMixedSorts    source.Code = "mixed-sorts"
	codeMalformedTerm source.Code = "malformed-term"
	codeTermOutside   source.Code = "term-outside"
	codeNonlinear     source.Code = "nonlinear"
	codeDivideByZero  source.Code = "division-by-zero"
	codeTooLarge      source.Code = "too-large"

	codeTwoHeads   source.Code = "two-heads"
	codeQuantifier source.Code = "existential-variable"
	codeInside     source.Code = "predicate-inside-term"
	codeTooMany    source.Code = "too-many-clauses"

	// What only the whole text shows.
	codeNoEffect  source.Code = "assertion-without-effect"
	codeNoQuery   source.Code = "no-query"
	codeUnderived source.Code = "predicate-not-derived"
	codeUnused    source.Code = "predicate-unused"
)

// Catalogue has an entry for every code. It is not written to.
var Catalogue = findings.NewCatalogue(
	findings.NewKind(codeEmptyFile, source.Error, findings.ReachFile, "the file holds no command"),
	findings.NewKind(codeParenMissing, source.Error, findings.ReachFile, "a command ends without its closing parentheses"),
	findings.NewKind(codeParenSurplus, source.Error, findings.ReachFile, "a closing parenthesis has no opening one"),
	findings.NewKind(codeStrayWord, source.Error, findings.ReachFile, "a word stands outside of all commands"),
	findings.NewKind(codeBadCharacter, source.Error, findings.ReachFile, "a character stands where SMT-LIB has none"),
	findings.NewKind(codeBarOpen, source.Error, findings.ReachFile, "a symbol that starts with | has no second one"),
	findings.NewKind(codeStringOpen, source.Error, findings.ReachFile, "a string has no closing quotation mark"),
	findings.NewKind(codeNotNumber, source.Error, findings.ReachFile, "a word starts with a digit and is no number"),
	findings.NewKind(codeLeadingZero, source.Warning, findings.ReachNone, "a number of several digits starts with 0"),
	findings.NewKind(codeTooDeep, source.Error, findings.ReachFile, "lists are nested more deeply than aiglens reads"),
	findings.NewKind(codeUnknown, source.Error, findings.ReachFile, "SMT-LIB has no such command"),
	findings.NewKind(codeOutside, source.Error, findings.ReachFile, "aiglens does not read a command of SMT-LIB"),
	findings.NewKind(codeMalformed, source.Error, findings.ReachFile, "a command has more or fewer parts than it needs, or others"),
	findings.NewKind(codeLogicMissing, source.Warning, findings.ReachNone, "clauses are asserted before a logic is set"),
	findings.NewKind(codeLogic, source.Error, findings.ReachFile, "the logic is not HORN"),
	findings.NewKind(codeLogicLate, source.Warning, findings.ReachNone, "a logic is set twice, or after declarations or assertions"),
	findings.NewKind(codeStatus, source.Warning, findings.ReachNone, "a status is not sat, unsat or unknown"),
	findings.NewKind(codeStatusTwice, source.Warning, findings.ReachNone, "a text says two things about its status"),
	findings.NewKind(codeUndeclared, source.Error, findings.ReachFile, "a symbol is not declared, or only after its use"),
	findings.NewKind(codeDeclaredTwice, source.Error, findings.ReachFile, "a symbol is declared twice"),
	findings.NewKind(codeReserved, source.Error, findings.ReachFile, "a word of SMT-LIB is declared as a symbol"),
	findings.NewKind(codeBoundTwice, source.Error, findings.ReachFile, "one quantifier or let binds a variable twice"),
	findings.NewKind(codeAfterQuestion, source.Error, findings.ReachFile, "a clause stands after the question that it would change"),
	findings.NewKind(codeTwoDialects, source.Error, findings.ReachFile, "a file asserts clauses and has rules or queries of Z3's fixed points, too"),
	findings.NewKind(codeAfterExit, source.Warning, findings.ReachNone, "commands stand after (exit)"),
	findings.NewKind(codeSort, source.Error, findings.ReachFile, "there is no such sort"),
	findings.NewKind(codeSortOutside, source.Error, findings.ReachFile, "a sort is not Bool, Int or Real"),
	findings.NewKind(codeFunction, source.Error, findings.ReachFile, "a function that is no predicate has no definition"),
	findings.NewKind(codeConstant, source.Error, findings.ReachFile, "a number is declared without a value"),
	findings.NewKind(codeArguments, source.Error, findings.ReachFile, "an operator or predicate has more or fewer arguments than it takes"),
	findings.NewKind(codeSortMismatch, source.Error, findings.ReachFile, "a term has another sort than its place"),
	findings.NewKind(codeMixedSorts, source.Warning, findings.ReachNone, "an Int stands where a Real is expected"),
	findings.NewKind(codeMalformedTerm, source.Error, findings.ReachFile, "a term has not the parts that its first word asks for"),
	findings.NewKind(codeTermOutside, source.Error, findings.ReachFile, "a term is none of linear arithmetic"),
	findings.NewKind(codeNonlinear, source.Error, findings.ReachFile, "two terms with variables are multiplied, or one is a divisor"),
	findings.NewKind(codeDivideByZero, source.Error, findings.ReachFile, "a divisor is 0"),
	findings.NewKind(codeTooLarge, source.Error, findings.ReachFile, "the text stands for more terms than aiglens reads"),
	findings.NewKind(codeTwoHeads, source.Error, findings.ReachFile, "a clause has two predicates in its head"),
	findings.NewKind(codeQuantifier, source.Error, findings.ReachFile, "a variable of a clause is existential"),
	findings.NewKind(codeInside, source.Error, findings.ReachFile, "a predicate or quantifier stands inside of a term"),
	findings.NewKind(codeTooMany, source.Error, findings.ReachFile, "an assertion makes more clauses than aiglens reads"),
	findings.NewKind(codeNoEffect, source.Hint, findings.ReachNone, "an assertion holds whatever the predicates are"),
	findings.NewKind(codeNoQuery, source.Hint, findings.ReachNone, "no clause has the head false: the system is satisfiable"),
	findings.NewKind(codeUnderived, source.Hint, findings.ReachNone, "a predicate is used and no clause derives it"),
	findings.NewKind(codeUnused, source.Hint, findings.ReachNone, "no query depends on a predicate"),
)
