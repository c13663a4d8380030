package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit/certify"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
)

// exitInvalid is the exit code of certify when an obligation fails.
const exitInvalid = 1

// checkWitness checks a witness circuit against its model.
func checkWitness(ctx context.Context, e env, args []string) int {
	var files readFlags
	fs := newFlags("certify")
	files.registerLimit(fs)
	format := fs.String("format", "text", "output `format`: text or json")
	names, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(names) != 2:
		return problem(e, "certify needs a model and a certificate")
	case names[0] == "-" && names[1] == "-":
		return problem(e, "the model and the certificate cannot both be standard input")
	case !slices.Contains(textOrJSON, *format):
		return problem(e, "%v", errNoFormat("format", *format, textOrJSON))
	}
	model, err := readAny(ctx, e, names[0], &files)
	if err == nil && design.HasClauses(model) {
		return certifyClauses(ctx, e, model, names[1], &files, *format)
	}
	if err == nil {
		err = isAIGER(model)
	}
	if err != nil {
		return problem(e, "%v", err)
	}
	m, err := numbers(ctx, e, model)
	if err != nil {
		return problem(e, "%s: %v", names[0], err)
	}
	certificate, err := readAIGER(ctx, e, names[1], &files)
	if err != nil {
		return problem(e, "%v", err)
	}
	found, err := certifies(ctx, e, certificate, m)
	if err != nil {
		return problem(e, "%s: %v", names[1], err)
	}
	return found.write(e, names[0], names[1], *format)
}

// readAIGER loads a file that must be AIGER.
func readAIGER(ctx context.Context, e env, name string, files *readFlags) (*design.Design, error) {
	in, err := read(ctx, e, name, files)
	if err == nil {
		err = isAIGER(in)
	}
	return in, err
}

func isAIGER(in *design.Design) error {
	if in.Kind != aigerdesign.Format {
		return fmt.Errorf("%s: models and certificates are AIGER files, or both are of Horn clauses", in.URI)
	}
	return nil
}

// certifies checks a witness circuit.
func certifies(ctx context.Context, e env, in *design.Design, model *aiger.Model) (obligations, error) {
	found, err := in.Diagnose(ctx, false)
	if err != nil {
		return nil, err
	}
	if about, ok := notStratified(found); ok {
		return obligationsOf(certify.NotStratified(about)), nil
	}
	witness, err := numbers(ctx, e, in)
	if err != nil {
		return nil, err
	}
	pair, err := aiger.NewPair(model, witness)
	if err != nil {
		return nil, err
	}
	judged, err := certify.Check(ctx, pair)
	return obligationsOf(judged), err
}

// notStratified reports whether the only errors of a file are resets that depend on each
// other in a cycle, and says one of them.
func notStratified(found []source.Diagnostic) (about string, ok bool) {
	errs := slices.DeleteFunc(slices.Clone(found), func(d source.Diagnostic) bool { return d.Severity != source.Error })
	isOther := func(d source.Diagnostic) bool { return d.Code != syntax.CodeResetCycle }
	if len(errs) == 0 || slices.ContainsFunc(errs, isOther) {
		return "", false
	}
	return errs[0].Message, true
}

// obligation is what was found of one part of a certificate, for programs, too.
type obligation struct {
	Group string `json:"group"`
	Name  string `json:"name"`
	Holds bool   `json:"holds"`
	About string `json:"about,omitempty"` // what it fails for
}

// obligations is what was found of a certificate.
type obligations []obligation

func obligationsOf(found certify.Findings) (all obligations) {
	for _, f := range found {
		all = append(all, obligation{f.Obligation.Group(), f.Obligation.String(), f.Holds, f.About})
	}
	return all
}

// failed returns the names of those that fail.
func (j obligations) failed() (names []string) {
	for _, o := range j {
		if !o.Holds {
			names = append(names, o.Name)
		}
	}
	return names
}

// write writes what was found, and returns the exit code for it.
func (j obligations) write(e env, model, certificate, format string) int {
	if format == "json" {
		j.writeJSON(e.stdout, model, certificate)
	} else {
		j.writeText(plainWriter{e.stdout}, model, certificate)
	}
	if len(j.failed()) > 0 {
		return exitInvalid
	}
	return exitOK
}

// writeText writes a line for each obligation, then the verdict.
func (j obligations) writeText(w io.Writer, model, certificate string) {
	for _, o := range j {
		word := "ok"
		if !o.Holds {
			word = "fails"
			if o.About != "" {
				word += ": " + o.About
			}
		}
		fmt.Fprintf(w, "%-10s %-10s %s\n", o.Group, o.Name, word)
	}
	verdict := "valid"
	if failed := j.failed(); len(failed) > 0 {
		verdict = "not valid, because these obligations fail: " + strings.Join(failed, ", ")
	}
	fmt.Fprintf(w, "%s: certificate of %s: %s\n", certificate, model, verdict)
}

// writeJSON writes one object.
func (j obligations) writeJSON(w io.Writer, model, certificate string) {
	printLine(w, struct {
		Model       string      `json:"model"`
		Certificate string      `json:"certificate"`
		Valid       bool        `json:"valid"`
		Obligations obligations `json:"obligations"`
		Version     string      `json:"version"`
	}{model, certificate, len(j.failed()) == 0, j, versionText()})
}
