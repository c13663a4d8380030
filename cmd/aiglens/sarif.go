package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"unicode/utf16"

	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// sarifPrinter writes one SARIF 2.1.0 log (OASIS), for code scanning services: a
// result for each diagnostic and each property, and a notification for each file that
// has no answer.
type sarifPrinter struct {
	w       io.Writer
	results []sarifResult
	notices []sarifNotification
	failed  bool // some file or property has no answer for an error
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Kind      string          `json:"kind"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
}

// sarifNotification says why a file has no results.
type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
	Message *sarifMessage `json:"message,omitempty"` // of a related location
}

// sarifRegion is a place; a line without columns is all of it.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

func locationOf(name string) (l sarifLocation) {
	l.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(name)}).String()
	return l
}

func placeIn(in *design.Design, span source.Span) sarifLocation {
	l, r := locationOf(in.URI), &sarifRegion{}
	r.StartLine, r.StartColumn = utf16Column(in, span.Start)
	r.EndLine, r.EndColumn = utf16Column(in, span.End())
	l.Physical.Region = r
	return l
}

var sarifLevels = map[source.Severity]string{
	source.Error: "error", source.Warning: "warning", source.Information: "note", source.Hint: "note",
}

func (p *sarifPrinter) file(f *fileReport) {
	for _, d := range f.diagnostics {
		r := sarifResult{
			RuleID: string(d.Code), Kind: "fail", Level: sarifLevels[d.Severity],
			Message: sarifMessage{d.Message}, Locations: []sarifLocation{placeIn(f.in, d.Span)},
		}
		for _, related := range d.Related {
			l := placeIn(f.in, related.Span)
			l.Message = &sarifMessage{related.Message}
			r.Related = append(r.Related, l)
		}
		p.results = append(p.results, r)
	}
	notify := func(level, text string) {
		p.notices = append(p.notices, sarifNotification{level, sarifMessage{text}, []sarifLocation{locationOf(f.name)}})
	}
	switch {
	case f.err != nil:
		p.failed = true
		notify("error", f.err.Error())
	case f.unread:
		notify("warning", f.unchecked())
	case f.without != "":
		notify("note", f.unchecked())
	}
}

func (p *sarifPrinter) answer(a *answer) {
	p.failed = p.failed || a.fault != nil
	r := sarifResult{RuleID: a.property.Kind.String()}
	if a.query != nil {
		r.RuleID = "query"
	}
	switch a.standing() {
	case verify.Passed:
		r.Kind, r.Level = "pass", "none"
	case verify.Failed:
		r.Kind, r.Level = "fail", "error"
	case verify.Useless:
		r.Kind, r.Level = "review", "none"
		if a.outcome() == cert.Refuted {
			r.Kind, r.Level = "fail", "warning"
		}
	default:
		r.Kind, r.Level = "open", "none"
	}
	r.Message.Text = label(a) + ": " + a.verdict()
	l := locationOf(a.in.URI)
	if p, ok := a.in.Property(a.property); ok && p.Row.Length > 0 {
		line, _ := a.in.Text.LineColumn(p.Row.Start)
		l.Physical.Region = &sarifRegion{StartLine: line}
		if p.Statement != "" {
			l = placeIn(a.in, p.Row)
		}
	}
	r.Locations = []sarifLocation{l}
	for _, d := range a.reasons() {
		related := placeIn(a.in, d.Span)
		related.Message = &sarifMessage{d.Message}
		r.Related = append(r.Related, related)
	}
	p.results = append(p.results, r)
}

func (p *sarifPrinter) end() {
	type rule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	run := map[string]any{
		"tool": map[string]any{"driver": map[string]any{
			"name": "aiglens", "version": versionText(),
			"rules": []rule{
				{"bad", sarifMessage{"a bad-state literal never becomes 1"}},
				{"output", sarifMessage{"an output, taken as a bad-state literal, never becomes 1"}},
				{"justice", sarifMessage{"no run has every literal of a justice property 1 infinitely often"}},
				{"lemma", sarifMessage{"a literal is 1 in every step, which helps to prove other properties"}},
				{"cover", sarifMessage{"some run makes a literal 1"}},
				{"query", sarifMessage{"Horn clauses have a model, so that the query is never reached"}},
			},
		}},
		"columnKind": "utf16CodeUnits",
		"results":    append([]sarifResult{}, p.results...),
	}
	run["invocations"] = []any{map[string]any{
		"executionSuccessful":        !p.failed,
		"toolExecutionNotifications": append([]sarifNotification{}, p.notices...),
	}}
	log := map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    []any{run},
	}
	// Maps of strings and numbers always encode.
	text, _ := json.MarshalIndent(log, "", "  ")
	fmt.Fprintf(p.w, "%s\n", text)
}

func (p *sarifPrinter) code(c int) int { return c }

// utf16Column returns the line and the column of a place, both from 1, the column in
// UTF-16 units.
func utf16Column(in *design.Design, offset int) (line, column int) {
	line, bytes := in.Text.LineColumn(offset)
	before := in.Text.Line(line - 1)
	return line, len(utf16.Encode([]rune(before[:min(bytes-1, len(before))]))) + 1
}
