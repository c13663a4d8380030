package aiger

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"aiglens/internal/source"
)

// brokenCodes is the code expected for each file of testdata/broken.
var brokenCodes = map[string]source.Code{
	"aag-empty-file.aag":                   CodeEmptyFile,
	"aag-wrong-magic.aag":                  CodeNotAiger,
	"aag-header-leading-blank-line.aag":    CodeBlankLine,
	"aag-header-four-fields.aag":           CodeHeaderFields,
	"aag-header-ten-fields.aag":            CodeHeaderFields,
	"aag-header-two-spaces.aag":            CodeExtraSpace,
	"aag-header-trailing-space.aag":        CodeTrailingSpace,
	"aag-header-tab.aag":                   CodeTab,
	"aag-header-negative.aag":              CodeHeaderNumber,
	"aag-header-huge-number.aag":           CodeNumberTooLarge,
	"aag-header-m-too-small.aag":           CodeMaxTooSmall,
	"aag-header-leading-zero.aag":          CodeLeadingZero,
	"aag-crlf.aag":                         CodeCRLF,
	"aag-no-final-newline.aag":             CodeFinalNewline,
	"aag-input-odd.aag":                    CodeDefinitionOdd,
	"aag-input-zero.aag":                   CodeDefinitionConstant,
	"aag-input-twice.aag":                  CodeDefinitionTwice,
	"aag-input-is-latch.aag":               CodeDefinitionTwice,
	"aag-latch-missing-next.aag":           CodeLatchNextMissing,
	"aag-latch-next-undefined.aag":         CodeUndefinedLiteral,
	"aag-latch-reset-other-literal.aag":    CodeResetFunction,
	"aag-latch-reset-out-of-range.aag":     CodeLiteralOutOfRange,
	"aag-latch-reset-negated-self.aag":     CodeResetFunction,
	"aag-output-exceeds-max.aag":           CodeLiteralOutOfRange,
	"aag-output-undefined.aag":             CodeUndefinedLiteral,
	"aag-bad-undefined.aag":                CodeUndefinedLiteral,
	"aag-justice-exceeds-max.aag":          CodeLiteralOutOfRange,
	"aag-justice-size-missing.aag":         CodeJusticeSizes,
	"aag-and-cycle.aag":                    CodeAndCycle,
	"aag-and-self-loop.aag":                CodeAndCycle,
	"aag-and-odd-lhs.aag":                  CodeDefinitionOdd,
	"aag-and-redefined.aag":                CodeDefinitionTwice,
	"aag-and-lhs-is-input.aag":             CodeDefinitionTwice,
	"aag-and-rhs-undefined.aag":            CodeUndefinedLiteral,
	"aag-and-one-operand.aag":              CodeAndOperandMissing,
	"aag-and-four-literals.aag":            CodeSurplus,
	"aag-and-too-few.aag":                  CodeCountMismatch,
	"aag-and-too-many.aag":                 CodeCountMismatch,
	"aag-comment-in-the-middle.aag":        CodeCommentMisplaced,
	"aag-trailing-text-on-line.aag":        CodeSurplus,
	"aag-symbol-index-out-of-range.aag":    CodeSymbolOutOfRange,
	"aag-symbol-twice.aag":                 CodeSymbolTwice,
	"aag-symbol-without-name.aag":          CodeSymbolNoName,
	"aag-symbol-empty-name.aag":            CodeSymbolEmptyName,
	"aag-symbol-unknown-type.aag":          CodeSymbolKind,
	"aag-symbol-space-before-index.aag":    CodeSymbolSyntax,
	"aag-symbol-same-name-two-inputs.aag":  CodeSymbolDuplicateName,
	"aag-symbol-for-missing-section.aag":   CodeSymbolOutOfRange,
	"aag-c-with-text.aag":                  CodeCommentStart,
	"aag-comment-no-final-newline.aag":     CodeFinalNewline,
	"aag-blank-line-before-symbols.aag":    CodeBlankLine,
	"aag-truncated-in-inputs.aag":          CodeCountMismatch,
	"aag-nul-byte.aag":                     CodeNotANumber,
	"aag-utf8-bom.aag":                     CodeByteOrderMark,
	"aag-binary-body-under-aag-header.aag": CodeBodyMismatch,
	"aag-ascii-body-under-aig-header.aag":  CodeBodyMismatch,
	"aig-m-not-sum.aig":                    CodeMaxNotSum,
	"aig-truncated-delta.aig":              CodeTruncated,
	"aig-delta-zero.aig":                   CodeDelta,
	"aig-delta-too-big.aig":                CodeDelta,
	"aig-delta-overlong.aig":               CodeDelta,
}

// betterPlace lists files for which a diagnostic stands elsewhere than the
// manifest says, and why.
var betterPlace = map[string]struct {
	line, column int
	why          string
}{
	"aag-and-too-few.aag":          {1, 13, "the header count is wrong, and setting it is the fix; the place where rows run out is related"},
	"aag-and-too-many.aag":         {1, 13, "as above; the surplus row is related"},
	"aag-truncated-in-inputs.aag":  {1, 7, "as above; the end of the file is related"},
	"aag-justice-size-missing.aag": {4, 1, "the size is what is wrong; the end of the literals is related"},
}

// TestBroken reads files with one fault each and expects that fault, at its
// place, and no other error.
func TestBroken(t *testing.T) {
	file, err := os.Open("testdata/broken/MANIFEST.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		name := record[0]
		line, _ := strconv.Atoi(record[1])
		column, _ := strconv.Atoi(record[2])
		if place, ok := betterPlace[name]; ok {
			line, column = place.line, place.column
		}
		t.Run(name, func(t *testing.T) { checkBroken(t, name, line, column, record[4]) })
	}
	if len(records)-1 != len(brokenCodes) {
		t.Errorf("%d files in the manifest, %d codes expected", len(records)-1, len(brokenCodes))
	}
}

func checkBroken(t *testing.T, name string, line, column int, severity string) {
	data, err := os.ReadFile(filepath.Join("testdata", "broken", name))
	if err != nil {
		t.Fatal(err)
	}
	in, err := Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	text := source.NewText(string(data))
	found := false
	for _, diag := range in.Diagnostics {
		if diag.Severity > source.Warning {
			continue
		}
		l, c := text.LineColumn(diag.Span.Start)
		switch {
		case diag.Code != brokenCodes[name]:
			t.Errorf("%d:%d: unexpected %s %s: %s", l, c, diag.Severity, diag.Code, diag.Message)
		case found:
			t.Errorf("%d:%d: %s a second time: %s", l, c, diag.Code, diag.Message)
		case l != line || c != column:
			t.Errorf("%s at %d:%d, want %d:%d", diag.Code, l, c, line, column)
		case diag.Severity.String() != severity:
			t.Errorf("%s is of severity %s, want %s", diag.Code, diag.Severity, severity)
		}
		found = found || diag.Code == brokenCodes[name]
	}
	if !found {
		t.Errorf("no %s", brokenCodes[name])
	}
}

// TestBrokenFixes applies the preferred fix of every fault and expects a file
// without it.
func TestBrokenFixes(t *testing.T) {
	for name, code := range brokenCodes {
		data, err := os.ReadFile(filepath.Join("testdata", "broken", name))
		if err != nil {
			t.Fatal(err)
		}
		f := Parse(source.NewText(string(data)))
		for _, diag := range f.Diagnostics() {
			if diag.Code != code || len(diag.Fixes) == 0 || !diag.Fixes[0].Preferred {
				continue
			}
			text, err := f.Text().Apply(diag.Fixes[0].Edits)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, left := range Parse(text).Diagnostics() {
				if left.Code == code {
					t.Errorf("%s: still %s after %q: %s", name, code, diag.Fixes[0].Title, left.Message)
				}
			}
		}
	}
}
