package blif

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// brokenCodes is the code expected for each file of testdata/broken, and
// whether there is a fix that leaves a file without a diagnostic.
var brokenCodes = map[string]struct {
	code source.Code
	fix  bool
}{
	"blif-no-model-line.blif":              {CodeModelMissing, true},
	"blif-model-without-name.blif":         {CodeModelName, true},
	"blif-missing-end.blif":                {CodeEndMissing, true},
	"blif-missing-end-before-model.blif":   {CodeEndMissing, true},
	"blif-duplicate-model.blif":            {CodeModelTwice, true},
	"blif-unknown-directive.blif":          {CodeUnknownDirective, true},
	"blif-singular-input.blif":             {CodeSingular, true},
	"blif-multiple-drivers.blif":           {CodeDriversMany, true},
	"blif-input-driven.blif":               {CodeInputDriven, true},
	"blif-latch-and-names-drive.blif":      {CodeDriversMany, true},
	"blif-undriven-signal.blif":            {CodeUndrivenSignal, true},
	"blif-undriven-output.blif":            {CodeUndrivenOutput, true},
	"blif-undriven-latch-input.blif":       {CodeUndrivenSignal, true},
	"blif-combinational-cycle.blif":        {CodeCycle, false},
	"blif-self-loop.blif":                  {CodeCycle, false},
	"blif-unused-signal.blif":              {CodeSignalUnused, true},
	"blif-unused-input.blif":               {CodeModelInputUnused, true},
	"blif-cube-too-short.blif":             {CodeCubeWidth, true},
	"blif-cube-too-long.blif":              {CodeCubeWidth, true},
	"blif-cube-bad-character.blif":         {CodeCubeCharacter, true},
	"blif-cube-two-is-not-dash.blif":       {CodeCubeCharacter, true},
	"blif-cube-no-output.blif":             {CodeCubeOutput, true},
	"blif-cube-output-dash.blif":           {CodeCubeOutput, true},
	"blif-cube-mixed-phase.blif":           {CodeCubePhase, true},
	"blif-cube-spaces-inside.blif":         {CodeCubeSpaces, true},
	"blif-cube-duplicate.blif":             {CodeCubeContained, true},
	"blif-constant-cover-with-cube.blif":   {CodeConstantInputs, true},
	"blif-cover-outside-names.blif":        {CodeRowStray, true},
	"blif-names-without-output.blif":       {CodeNamesEmpty, true},
	"blif-names-duplicate-input.blif":      {CodeOperandTwice, true},
	"blif-latch-one-argument.blif":         {CodeLatchArguments, false},
	"blif-latch-init-9.blif":               {CodeLatchInit, true},
	"blif-latch-bad-type.blif":             {CodeLatchType, true},
	"blif-latch-type-without-control.blif": {CodeLatchControl, true},
	"blif-latch-control-undriven.blif":     {CodeControlUndriven, true},
	"blif-subckt-unknown-model.blif":       {CodeUnknownModel, true},
	"blif-subckt-unknown-formal.blif":      {CodeUnknownFormal, true},
	"blif-subckt-missing-input.blif":       {CodeMissingInput, true},
	"blif-subckt-formal-twice.blif":        {CodeFormalTwice, true},
	"blif-subckt-no-equals.blif":           {CodePinEquals, true},
	"blif-subckt-recursive.blif":           {CodeRecursion, false},
	"blif-gate-no-library.blif":            {CodeUnknownCell, false},
	"blif-search-missing-file.blif":        {CodeSearchMissing, false},
	"blif-duplicate-input.blif":            {CodeDuplicateInput, true},
	"blif-duplicate-output.blif":           {CodeDuplicateOutput, true},
	"blif-continuation-then-space.blif":    {CodeJoinSpace, true},
	"blif-continuation-at-eof.blif":        {CodeJoinEnd, true},
	"blif-continuation-comment.blif":       {CodeJoinSpace, true},
	"blif-text-after-end.blif":             {CodeAfterEnd, true},
	"blif-cname-without-object.blif":       {CodeNothingToName, true},
	"blif-attr-without-value.blif":         {CodeAttributeName, true},
	"blif-kiss-wrong-width.blif":           {CodeKissWidth, false},
	"blif-kiss-unknown-reset.blif":         {CodeKissReset, true},
	"blif-kiss-not-closed.blif":            {CodeKissNotClosed, true},
	"blif-exdc-unknown-output.blif":        {CodeExdcOutput, false},
	"blif-empty-file.blif":                 {CodeEmptyFile, true},
	"blif-only-comments.blif":              {CodeEmptyFile, true},
}

// repeated are the files whose fault stands on several lines.
var repeated = map[string]bool{"blif-singular-input.blif": true}

// nothing is a Library without files.
type nothing struct{}

func (nothing) Search(string) *File { return nil }
func (nothing) Model(string) *Model { return nil }

// all returns the diagnostics of a file and of Lint that a user should act on.
func all(t *testing.T, f *File) []source.Diagnostic {
	t.Helper()
	linted, err := f.Lint(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]source.Diagnostic(nil), f.Diagnostics()...), linted...)
}

// TestBroken reads files with one fault each and expects that fault, at its
// place, and no other error or warning; and that each fix on offer repairs it.
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
		t.Run(record[0], func(t *testing.T) { checkBroken(t, record) })
	}
	if len(records)-1 != len(brokenCodes) {
		t.Errorf("%d files in the manifest, %d codes expected", len(records)-1, len(brokenCodes))
	}
}

func checkBroken(t *testing.T, record []string) {
	name, severity := record[0], record[4]
	line, _ := strconv.Atoi(record[1])
	column, _ := strconv.Atoi(record[2])
	data, err := os.ReadFile(filepath.Join("testdata", "broken", name))
	if err != nil {
		t.Fatal(err)
	}
	f := Options{FileName: name, Library: nothing{}}.Parse(source.NewText(string(data)))
	want := brokenCodes[name]
	found := false
	for _, d := range all(t, f) {
		l, c := f.Text().LineColumn(d.Span.Start)
		if d.Code != want.code {
			if d.Severity <= source.Warning {
				t.Errorf("%d:%d: unexpected %s %s: %s", l, c, d.Severity, d.Code, d.Message)
			}
			continue
		}
		switch {
		case found && !repeated[name]:
			t.Errorf("%d:%d: %s a second time: %s", l, c, d.Code, d.Message)
		case !found && (l != line || c != column):
			t.Errorf("%s at %d:%d, want %d:%d", d.Code, l, c, line, column)
		case d.Severity.String() != severity:
			t.Errorf("%s is of severity %s, want %s", d.Code, d.Severity, severity)
		}
		found = true
		fixes := f.FixesFor(d)
		if want.fix != (len(fixes) > 0) {
			t.Errorf("%d fixes for %s", len(fixes), d.Code)
		}
		for _, fix := range fixes {
			if !repeated[name] {
				checkFix(t, f, fix)
			}
		}
	}
	if !found {
		t.Errorf("no %s", want.code)
	}
	if repeated[name] {
		checkFix(t, f, source.Fix{Title: "all", Edits: f.FixAll()})
	}
}

// checkFix makes a fix and expects a file without errors and warnings. A
// statement that a fix keeps may turn out to be of no use, and the outputs of a
// new model are still to be defined.
func checkFix(t *testing.T, f *File, fix source.Fix) {
	t.Helper()
	text, err := f.Text().Apply(fix.Edits)
	if err != nil {
		t.Errorf("%q: %v", fix.Title, err)
		return
	}
	for _, d := range all(t, f.Reparse(text)) {
		toDefine := d.Code == CodeUndrivenOutput && strings.HasPrefix(fix.Title, "Create model")
		if d.Severity <= source.Warning && d.Code != CodeSignalUnused && !toDefine {
			l, c := text.LineColumn(d.Span.Start)
			t.Errorf("after %q %d:%d %s: %s\n%s", fix.Title, l, c, d.Code, d.Message, text.Content())
		}
	}
}
