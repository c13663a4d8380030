package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"aiglens/internal/wave"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
	"aiglens/lsp/witness"
)

// fileEndings are those of the formats of counterexamples.
var fileEndings = map[wire.TraceFormat]string{
	wire.FormatAIGER: ".wit", wire.FormatVCD: ".vcd", wire.FormatJSON: ".json", wire.FormatWaveDrom: ".wavedrom.json", wire.FormatMarkdown: ".md",
}

// executeExportTrace answers with a counterexample in a format, and writes it to a file
// where the parameters name one.
func (s *server) executeExportTrace(ctx context.Context, params *wire.ExportParams) (answer wire.ExportedTrace, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandExportTrace.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	x := v.counterexample(ids)
	ending, known := fileEndings[params.Format]
	switch {
	case x == nil:
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", noCounterexample)
	case !known:
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is no format of counterexamples: aiger, vcd, json, wavedrom or markdown", params.Format)
	}
	text, err := v.traceText(ctx, x, params.Format)
	switch {
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case err != nil:
		return answer, refused(err)
	}
	base := path.Base(v.name.Path())
	if params.Path != "" {
		if err := writeNew(params.Path, text, params.Overwrite); err != nil {
			return answer, refused(err)
		}
	}
	name := strings.TrimSuffix(base, path.Ext(base)) + "." + strings.ReplaceAll(x.Property.String(), ":", "") + ending
	return wire.ExportedTrace{Name: name, Text: string(text)}, nil
}

// writeNew writes a file that must not exist yet, unless it may be overwritten.
func writeNew(name string, content []byte, overwrite bool) error {
	if !filepath.IsAbs(name) {
		return fmt.Errorf("%s is no absolute path", name)
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if overwrite {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; it is overwritten only with \"overwrite\": true", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

func (v *view) traceText(ctx context.Context, x *ide.Counterexample, format wire.TraceFormat) ([]byte, error) {
	status := v.status(x.Property)
	if format == wire.FormatAIGER {
		return witness.Append(nil, v.doc, x.Property, status.Result.Checked.Trace()), nil
	}
	title := x.Property.String()
	if p, ok := v.doc.Property(x.Property); ok {
		title = p.Name
	}
	w := wave.Wave{Title: title, Steps: x.Steps()}
	signals, more, err := ide.TraceSignals(ctx, v.doc, x, nil)
	if err != nil {
		return nil, err
	}
	if more > 0 {
		return nil, fmt.Errorf("the counterexample has too many signals: %d more than can be written", more)
	}
	for i := range signals {
		t := &signals[i]
		if format == wire.FormatMarkdown && !isTelling(t) {
			continue
		}
		out := wave.Signal{Name: t.Name(), Group: waveGroups[t.Group], Values: ide.Digits(t.Values)}
		if t.Group == ide.GroupLatches || t.Group == ide.GroupInputs {
			out.Path, out.Name = v.doc.Scopes(t.Name())
		}
		w.Signals = append(w.Signals, out)
	}
	return w.Append(nil, wave.Format(format))
}

// isTelling reports whether a signal is worth a row of a table for people: what it
// leaves out has no part in why the property fails.
func isTelling(t *ide.TraceSignal) bool {
	switch t.Group {
	case ide.GroupLatches:
		return t.Relevant
	case ide.GroupInputs:
		return strings.Trim(ide.Digits(t.Values), "x") != ""
	}
	return true
}

var waveGroups = map[string]wave.Group{
	ide.GroupProperty: wave.Property, ide.GroupConstraints: wave.Constraint, ide.GroupLatches: wave.Latch,
	ide.GroupInputs: wave.Input, ide.GroupGates: wave.Gate,
}
