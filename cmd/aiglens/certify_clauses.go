package main

import (
	"context"
	"errors"
	"fmt"

	"aiglens/design"
	"aiglens/horn/cert"
	horncertificate "aiglens/horn/certificate"
)

// clauseObligations are those of a certificate of Horn clauses, in the order in which they are tested.
var clauseObligations = map[cert.Outcome]struct {
	group string
	names []string
}{cert.Sat: {"model", []string{"form", "clause"}}, cert.Unsat: {"derivation", []string{"form", "step"}}}

// certifyClauses checks a model or a derivation, as horn writes them, against a file of Horn clauses.
func certifyClauses(ctx context.Context, e env, in *design.Design, file string, files *readFlags, format string) int {
	h, err := parseHorn(e, in)
	if err != nil {
		return problem(e, "%v", err)
	}
	text, err := files.content(ctx, e, file)
	if err != nil {
		return problem(e, "%v", err)
	}
	system := h.file.System()
	answer, err := horncertificate.Read(ctx, system, string(text))
	if err == nil {
		_, err = cert.Check(ctx, system, answer)
	}
	rejected, is := errors.AsType[*cert.RejectedError](err)
	if err != nil && (!is || rejected.Obligation == "size") {
		return problem(e, "%s: %v", file, err)
	}
	var found obligations
	of := clauseObligations[answer.Outcome]
	for _, name := range of.names {
		if is && rejected.Obligation == name {
			about := rejected.Detail
			if name == "clause" {
				line, _ := in.Text.LineColumn(h.file.FormSpan(system.Clauses[rejected.Clause].Origin).Start)
				about = fmt.Sprintf("line %d: %s", line, about)
			}
			found = append(found, obligation{of.group, name, false, about})
			break
		}
		found = append(found, obligation{of.group, name, true, ""})
	}
	return found.write(e, in.URI, file, format)
}
