package lsp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/files"
	"aiglens/internal/wave"
	"aiglens/lsp/checks"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// fileEndings are those of the formats of counterexamples.
var fileEndings = map[wire.TraceFormat]string{
	wire.FormatWitness: ".wit", wire.FormatVCD: ".vcd", wire.FormatJSON: ".json", wire.FormatWaveDrom: ".wavedrom.json", wire.FormatMarkdown: ".md",
}

// executeExportTrace answers with a counterexample in a format, and writes it to a file
// where the parameters name one.
func executeExportTrace(ctx context.Context, s *session, params *wire.ExportParams) (answer wire.ExportedTrace, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandExportTrace.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	x, to := v.counterexample(ids), target{params.Path, &params.Overwrite}
	ending, known := fileEndings[params.Format]
	switch {
	case !known:
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is not a format of counterexamples: expected witness, vcd, json, wavedrom or markdown", params.Format)
	case x == nil:
		return answer, noCounterexample(v, ids)
	}
	if err := to.check(); err != nil {
		return answer, err
	}
	text, err := traceText(ctx, v, x, params.Format, params.Rounds)
	switch {
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case err != nil:
		return answer, refused(err)
	}
	base := path.Base(v.name.Path())
	name := strings.TrimSuffix(base, path.Ext(base)) + "." + strings.ReplaceAll(x.Property.String(), ":", "") + ending
	answer = wire.ExportedTrace{Name: name, Text: string(text)}
	return answer, to.write(text, &answer)
}

// target is the file that a command is to write; without a name it writes none.
type target struct {
	name      string
	overwrite *bool // whether it may exist; nil where the command has no parameter for that
}

// check returns why the file cannot be written, as far as that is seen before there is something
// to write: work whose result would be lost is not begun.
func (t target) check() error {
	switch {
	case t.name == "":
		return nil
	case !filepath.IsAbs(t.name):
		return refused(fmt.Errorf("%s is not an absolute path", t.name))
	}
	return t.refusal(files.Writer{}.CanCreate(t.name, t.mayExist()), nil)
}

func (t target) mayExist() bool { return t.overwrite != nil && *t.overwrite }

// refusal is the answer where a file is not written.
func (t target) refusal(err error, data any) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, files.ErrExists) && t.overwrite == nil:
		err = fmt.Errorf("%s exists: name a file that does not", t.name)
	case errors.Is(err, files.ErrExists):
		err = fmt.Errorf("%s exists; it is overwritten only with \"overwrite\": true", t.name)
	}
	return refusedWith(err, data)
}

// write writes the file. Where that fails the error has the answer of the command as its data, so
// that what was found is not lost.
func (t target) write(content []byte, answer any) error {
	if t.name == "" {
		return nil
	}
	return t.refusal(files.Writer{}.Create(t.name, content, t.mayExist()), answer)
}

func traceText(ctx context.Context, v *view, x *runs.Counterexample, format wire.TraceFormat, rounds int) ([]byte, error) {
	status := v.status(x.Property)
	switch isAside := x.Property.Kind == circuit.PropertyLemma || x.Property.Kind == circuit.PropertyCover; {
	case format == wire.FormatWitness && isAside:
		return nil, fmt.Errorf("a witness cannot name %s: choose another format, such as VCD", x.Property)
	case format == wire.FormatWitness:
		return runs.AppendWitness(ctx, nil, v.doc, x.Property, status.Result.Checked)
	}
	if rounds < 1 {
		rounds = wave.Rounds(wave.Format(format))
	}
	found, o := runs.Violation{Run: x.Whole(v.doc.Circuit()), Loop: -1}, runs.WaveOptions{InCone: true, Short: format == wire.FormatMarkdown}
	if first, ok := x.Loop(); ok {
		found.Loop, o.Rounds = first, (x.StepsOf(min(rounds, maxRounds))-first)/x.LoopSteps()
	}
	w, err := found.Wave(ctx, v.doc, x.Property, o)
	if err != nil {
		return nil, err
	}
	return w.Append(nil, wave.Format(format))
}

// executeExportRun answers with a run in a format, and writes it to a file where the parameters
// name one.
func executeExportRun(ctx context.Context, s *session, params *wire.ExportRunParams) (answer wire.ExportedTrace, err error) {
	ending, known := fileEndings[params.Format]
	if !known {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is not a format of runs: expected witness, vcd, json, wavedrom or markdown", params.Format)
	}
	to := target{params.Path, &params.Overwrite}
	if err := to.check(); err != nil {
		return answer, err
	}
	v, p, err := runFrom(ctx, s, wire.CommandExportRun.Name, wire.PlayParams{URI: params.URI, Run: &params.Run})
	if err != nil {
		return answer, err
	}
	var text []byte
	if params.Format == wire.FormatWitness {
		text, ending, err = runAsWitness(ctx, v, p)
	} else {
		text, err = runAsWave(ctx, v, p, params.Format)
	}
	switch {
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case err != nil:
		return answer, refused(err)
	}
	base := path.Base(v.name.Path())
	answer = wire.ExportedTrace{Name: strings.TrimSuffix(base, path.Ext(base)) + ".run" + ending, Text: string(text)}
	return answer, to.write(text, &answer)
}

// runAsWitness writes a run as a witness of the properties that it violates; one that violates
// none, as a stimulus.
func runAsWitness(ctx context.Context, v *view, p *play.Run) (text []byte, ending string, err error) {
	report, err := play.ReportOf(ctx, v.doc, p)
	if err != nil {
		return nil, "", err
	}
	t, err := play.Witness(ctx, v.doc, p)
	if err != nil {
		return nil, "", err
	}
	if report.Needed > 0 {
		t.Inputs = t.Inputs[:report.Needed] // a witness ends with its violation
	}
	text, ending, err = runs.AppendRun(ctx, nil, v.doc, t, report.Violated)
	return text, ending, err
}

func runAsWave(ctx context.Context, v *view, p *play.Run, format wire.TraceFormat) ([]byte, error) {
	w, err := runs.PlayedWave(ctx, v.doc, p.Trace, v.doc.PropertyIDs(), runs.WaveOptions{Short: format == wire.FormatMarkdown})
	if err != nil {
		return nil, err
	}
	return w.Append(nil, wave.Format(format))
}

// executeImportWitness replays a counterexample that another checker has found on the circuit
// of a text, and shows it like one that was found here.
func executeImportWitness(ctx context.Context, s *session, params *wire.ImportParams) (answer wire.ImportedWitness, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandImportWitness.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	all, err := readWitnesses(ctx, v.doc, s.opts.Files, params)
	if err != nil {
		return answer, refused(err)
	}
	w, p, err := runs.Choose(v.doc, all, ids)
	if err != nil {
		return answer, refused(err)
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	if fault := design.FaultOfCheck(v.doc, p); fault != nil {
		line, _ := v.doc.Text.LineColumn(fault.Span.Start)
		return answer, refused(fmt.Errorf("the circuit of %s has an error on line %d: %s", p, line, fault.Brief()))
	}
	r, err := verify.Imported(ctx, v.doc.Circuit(), p, runs.Widen(v.doc, w.Trace))
	if err != nil {
		return answer, refused(err)
	}
	k, ok := checks.KnownFrom(ctx, v.doc, p, r)
	if !ok {
		return answer, refused(errors.New("the counterexample was refused"))
	}
	select {
	case <-v.analysed: // or the text is another
	case <-ctx.Done():
		return answer, ctx.Err()
	}
	s.queue.Do(func() { err = s.checking.importResult(v.doc, p, r, k) })
	if err != nil {
		return answer, refused(err)
	}
	return wire.ImportedWitness{Property: propertyID(p), Steps: k.Counterexample.Steps(), Loop: k.Counterexample.LoopSteps()}, nil
}

// readWitnesses reads the counterexamples of a witness: one, or more; or the one of a trace of Yosys.
func readWitnesses(ctx context.Context, doc *design.Design, files workspace.Files, params *wire.ImportParams) ([]runs.Witness, error) {
	data, name := []byte(params.Text), "the witness"
	if params.Path != "" {
		if !filepath.IsAbs(params.Path) {
			return nil, fmt.Errorf("%s is not an absolute path", params.Path)
		}
		name = filepath.Base(params.Path)
		var err error
		if data, err = files.ReadFile(params.Path); err != nil {
			return nil, err
		}
	}
	found, diagnostics, err := runs.ReadCounterexamples(ctx, doc, data)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	case err != nil:
		return nil, err
	case len(found) > 0:
		return found, nil
	case len(diagnostics) > 0:
		return nil, fmt.Errorf("%s cannot be read: %s", name, diagnostics[0].Message)
	}
	return nil, fmt.Errorf("%s holds no counterexample", name)
}
