package synthesis

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"aiglens/internal/files"
	"aiglens/internal/lazy"
)

// preprocessedFile is what a source becomes before it is parsed.
const preprocessedFile = "preprocessed.txt"

var (
	// foreign is the import of a function of the C library, as the lexer of Yosys takes it.
	foreign = lazy.Pattern(`import[^"A-Za-z0-9_]*"DPI`)
	// plainDirective is one that changes no text.
	plainDirective = lazy.Pattern("`(?:timescale|default_nettype)\\b")
)

// refuseForeign returns a *Failure where a source imports functions by DPI. Yosys calls such a function
// of its own process, with the arguments that the source gives, when a constant depends on it: a
// source could run any program. Macros can put an import together, and files that are included can
// hold one; so a source with any is first read by the preprocessor alone.
func (r *run) refuseForeign(ctx context.Context) error {
	for i, f := range r.request.Files {
		if strings.ContainsRune(f.Content, 0) {
			return &Failure{Reason: f.Path + ": expected text; it has a byte 0", IsInstalled: true}
		}
		text := strings.ReplaceAll(f.Content, "\r", "") // as the preprocessor
		if strings.Contains(plainDirective().ReplaceAllString(text, ""), "`") {
			var err error
			if text, err = r.preprocessed(ctx, i); err != nil {
				return err
			}
		}
		if foreign().MatchString(text) {
			return &Failure{Reason: f.Path + `: it imports a function by DPI ("DPI-C"), which Yosys would run: write the function in Verilog`, IsInstalled: true}
		}
	}
	return nil
}

// preprocessed returns what the preprocessor makes of a source after those before it, which import
// nothing. The parser gets nothing of it: it gives up at a parenthesis in front.
func (r *run) preprocessed(ctx context.Context, i int) (string, error) {
	if err := r.write(r.names[i], ")\n"+r.request.Files[i].Content); err != nil {
		return "", err
	}
	var script strings.Builder
	for before := range i {
		fmt.Fprintln(&script, r.readCommand(before, ""))
	}
	fmt.Fprintf(&script, "tee -q -o %s %s\n", preprocessedFile, r.readCommand(i, "-ppdump "))
	if err := r.write(scriptFile, script.String()); err != nil {
		return "", err
	}
	_, stderr, err := r.start(ctx, "-q", "-s", scriptFile)
	exit, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return "", &Failure{Reason: "Yosys has taken a text that is no Verilog", IsInstalled: true}
	case !isExit:
		return "", err
	}
	if err := r.write(r.names[i], r.request.Files[i].Content); err != nil {
		return "", err
	}
	data, err := files.Read(ctx, filepath.Join(r.folder, preprocessedFile), maxOutput)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil { // a source before it has an error
		return "", r.failure(r.messages(stderr), exit)
	}
	return string(data), nil
}
