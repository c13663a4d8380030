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
	model, err := readAIGER(ctx, e, names[0], &files)
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
	if *format == "json" {
		found.writeJSON(e.stdout, names[0], names[1])
	} else {
		found.writeText(plainWriter{e.stdout}, names[0], names[1])
	}
	if !certify.Findings(found).Valid() {
		return exitInvalid
	}
	return exitOK
}

// readAIGER loads a file that must be AIGER.
func readAIGER(ctx context.Context, e env, name string, files *readFlags) (*design.Design, error) {
	in, err := read(ctx, e, name, files)
	if err == nil && in.Kind != aigerdesign.Format {
		err = fmt.Errorf("%s: models and certificates are AIGER files", name)
	}
	return in, err
}

// certifies checks a witness circuit.
func certifies(ctx context.Context, e env, in *design.Design, model *aiger.Model) (obligations, error) {
	found, err := in.Diagnose(ctx, false)
	if err != nil {
		return nil, err
	}
	if about, ok := notStratified(found); ok {
		return obligations(certify.NotStratified(about)), nil
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
	return obligations(judged), err
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

// obligations is what was found of a pair.
type obligations certify.Findings

// writeText writes a line for each obligation, then the verdict.
func (j obligations) writeText(w io.Writer, model, certificate string) {
	for _, f := range j {
		word := "ok"
		if !f.Holds {
			word = "fails"
			if f.About != "" {
				word += ": " + f.About
			}
		}
		fmt.Fprintf(w, "%-10s %-10s %s\n", f.Obligation.Group(), f.Obligation, word)
	}
	verdict := "valid"
	if failed := certify.Findings(j).Failed(); len(failed) > 0 {
		verdict = "not valid, because these obligations fail: " + strings.Join(failed, ", ")
	}
	fmt.Fprintf(w, "%s: certificate of %s: %s\n", certificate, model, verdict)
}

// writeJSON writes one object.
func (j obligations) writeJSON(w io.Writer, model, certificate string) {
	type obligation struct {
		Group string `json:"group"`
		Name  string `json:"name"`
		Holds bool   `json:"holds"`
		About string `json:"about,omitempty"`
	}
	out := struct {
		Model       string       `json:"model"`
		Certificate string       `json:"certificate"`
		Valid       bool         `json:"valid"`
		Obligations []obligation `json:"obligations"`
		Version     string       `json:"version"`
	}{Model: model, Certificate: certificate, Valid: certify.Findings(j).Valid(), Version: versionText()}
	for _, f := range j {
		out.Obligations = append(out.Obligations, obligation{f.Obligation.Group(), f.Obligation.String(), f.Holds, f.About})
	}
	printLine(w, out)
}
