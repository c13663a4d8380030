package blif_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/internal/source"
)

// brokenCodes is the code expected for each file of testdata/broken, and
// whether there is a fix that leaves a file without a diagnostic.
var brokenCodes = map[string]struct {
	code source.Code
	fix  bool
}{
	"blif-no-model-line.blif":              {codes.ModelMissing, true},
	"blif-model-without-name.blif":         {codes.ModelName, true},
	"blif-missing-end.blif":                {codes.EndMissing, true},
	"blif-missing-end-before-model.blif":   {codes.EndMissing, true},
	"blif-duplicate-model.blif":            {codes.ModelTwice, true},
	"blif-unknown-directive.blif":          {codes.UnknownDirective, true},
	"blif-singular-input.blif":             {codes.Singular, true},
	"blif-multiple-drivers.blif":           {codes.DriversMany, true},
	"blif-input-driven.blif":               {codes.InputDriven, true},
	"blif-latch-and-names-drive.blif":      {codes.DriversMany, true},
	"blif-undriven-signal.blif":            {codes.UndrivenSignal, true},
	"blif-undriven-output.blif":            {codes.UndrivenOutput, true},
	"blif-undriven-latch-input.blif":       {codes.UndrivenSignal, true},
	"blif-combinational-cycle.blif":        {codes.Cycle, false},
	"blif-self-loop.blif":                  {codes.Cycle, false},
	"blif-unused-signal.blif":              {codes.SignalUnused, true},
	"blif-unused-input.blif":               {codes.ModelInputUnused, true},
	"blif-cube-too-short.blif":             {codes.CubeWidth, true},
	"blif-cube-too-long.blif":              {codes.CubeWidth, true},
	"blif-cube-bad-character.blif":         {codes.CubeCharacter, true},
	"blif-cube-two-is-not-dash.blif":       {codes.CubeCharacter, true},
	"blif-cube-no-output.blif":             {codes.CubeOutput, true},
	"blif-cube-output-dash.blif":           {codes.CubeOutput, true},
	"blif-cube-mixed-phase.blif":           {codes.CubePhase, true},
	"blif-cube-spaces-inside.blif":         {codes.CubeSpaces, true},
	"blif-cube-duplicate.blif":             {codes.CubeContained, true},
	"blif-constant-cover-with-cube.blif":   {codes.ConstantInputs, true},
	"blif-cover-outside-names.blif":        {codes.RowStray, true},
	"blif-names-without-output.blif":       {codes.NamesEmpty, true},
	"blif-names-duplicate-input.blif":      {codes.OperandTwice, true},
	"blif-latch-one-argument.blif":         {codes.LatchArguments, false},
	"blif-latch-init-9.blif":               {codes.LatchInit, true},
	"blif-latch-bad-type.blif":             {codes.LatchType, true},
	"blif-latch-type-without-control.blif": {codes.LatchControl, true},
	"blif-latch-control-undriven.blif":     {codes.ControlUndriven, true},
	"blif-subckt-unknown-model.blif":       {codes.UnknownModel, true},
	"blif-subckt-unknown-formal.blif":      {codes.UnknownFormal, true},
	"blif-subckt-missing-input.blif":       {codes.MissingInput, true},
	"blif-subckt-formal-twice.blif":        {codes.FormalTwice, true},
	"blif-subckt-no-equals.blif":           {codes.PinEquals, true},
	"blif-subckt-recursive.blif":           {codes.Recursion, false},
	"blif-gate-no-library.blif":            {codes.UnknownCell, false},
	"blif-search-missing-file.blif":        {codes.SearchMissing, false},
	"blif-duplicate-input.blif":            {codes.DuplicateInput, true},
	"blif-duplicate-output.blif":           {codes.DuplicateOutput, true},
	"blif-continuation-then-space.blif":    {codes.JoinSpace, true},
	"blif-continuation-at-eof.blif":        {codes.JoinEnd, true},
	"blif-continuation-comment.blif":       {codes.JoinSpace, true},
	"blif-text-after-end.blif":             {codes.AfterEnd, true},
	"blif-cname-without-object.blif":       {codes.NothingToName, true},
	"blif-attr-without-value.blif":         {codes.AttributeName, true},
	"blif-kiss-wrong-width.blif":           {codes.KissWidth, false},
	"blif-kiss-unknown-reset.blif":         {codes.KissReset, true},
	"blif-kiss-not-closed.blif":            {codes.KissNotClosed, true},
	"blif-exdc-unknown-output.blif":        {codes.ExdcOutput, false},
	"blif-empty-file.blif":                 {codes.EmptyFile, true},
	"blif-only-comments.blif":              {codes.EmptyFile, true},
}

// repeated are the files whose fault stands on several lines.
var repeated = map[string]bool{"blif-singular-input.blif": true}

// all returns the diagnostics of a file and of Lint that a user should act on.
func all(t *testing.T, f *blif.File) []source.Diagnostic {
	t.Helper()
	linted, err := diagnose.Lint(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]source.Diagnostic(nil), diagnose.Diagnostics(f)...), linted...)
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
	f := blif.Options{FileName: name, Library: bliftest.NoFiles{}}.Parse(source.NewText(string(data)))
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
		fixes := edit.FixesFor(f, d)
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
		checkFix(t, f, source.Fix{Title: "all", Edits: edit.FixAll(f)})
	}
}

// checkFix makes a fix and expects a file without errors and warnings. A
// statement that a fix keeps may turn out to be of no use, and the outputs of a
// new model are still to be defined.
func checkFix(t *testing.T, f *blif.File, fix source.Fix) {
	t.Helper()
	text, err := f.Text().Apply(fix.AllEdits())
	if err != nil {
		t.Errorf("%q: %v", fix.Title, err)
		return
	}
	for _, d := range all(t, f.Reparse(text)) {
		toDefine := d.Code == codes.UndrivenOutput && strings.HasPrefix(fix.Title, "Create model")
		if d.Severity <= source.Warning && d.Code != codes.SignalUnused && !toDefine {
			l, c := text.LineColumn(d.Span.Start)
			t.Errorf("after %q %d:%d %s: %s\n%s", fix.Title, l, c, d.Code, d.Message, text.Content())
		}
	}
}
