package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"

	"aiglens/circuit/cert"
)

// sarifPrinter writes one SARIF 2.1.0 log (OASIS), for code scanning services.
type sarifPrinter struct {
	w       io.Writer
	results []sarifResult
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Kind      string          `json:"kind"`
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
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

func (p *sarifPrinter) answer(a *answer) {
	r := sarifResult{RuleID: a.property.Kind.String(), Kind: "review", Level: "warning"}
	switch a.outcome() {
	case cert.Proved:
		r.Kind, r.Level = "pass", "none"
	case cert.Refuted:
		r.Kind, r.Level = "fail", "error"
	default:
		r.Kind, r.Level = "open", "none"
	}
	r.Message.Text = label(a) + ": " + a.verdict()
	var l sarifLocation
	l.Physical.Artifact.URI = a.in.name
	if span, ok := a.in.propertySpan(a.property); ok {
		line, _ := a.in.text.LineColumn(span.Start)
		l.Physical.Region = &sarifRegion{line}
	}
	r.Locations = []sarifLocation{l}
	p.results = append(p.results, r)
}

func (p *sarifPrinter) end() {
	type rule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	log := map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []any{map[string]any{
			"tool": map[string]any{"driver": map[string]any{
				"name": "aiglens", "version": versionText(),
				"rules": []rule{
					{"bad", sarifMessage{"a bad-state literal never becomes 1"}},
					{"output", sarifMessage{"an output, taken as a bad-state literal, never becomes 1"}},
					{"justice", sarifMessage{"a justice condition does not hold infinitely often"}},
				},
			}},
			"results": append([]sarifResult{}, p.results...),
		}},
	}
	// Maps of strings and numbers always encode.
	text, _ := json.MarshalIndent(log, "", "  ")
	fmt.Fprintf(p.w, "%s\n", text)
}

func (p *sarifPrinter) code(c int) int { return c }

// junitPrinter writes JUnit XML: a suite for each file, a case for each
// property.
type junitPrinter struct {
	w      io.Writer
	suites []junitSuite
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     float64     `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    float64       `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

func (p *junitPrinter) answer(a *answer) {
	if n := len(p.suites); n == 0 || p.suites[n-1].Name != a.in.name {
		p.suites = append(p.suites, junitSuite{Name: a.in.name})
	}
	s := &p.suites[len(p.suites)-1]
	c := junitCase{Class: a.in.name, Name: label(a), Time: a.result.Elapsed.Seconds()}
	message := &junitMessage{a.verdict()}
	s.Tests++
	s.Time += c.Time
	switch {
	case a.outcome() == cert.Refuted:
		s.Failures++
		c.Failure = message
	case a.result.Internal != nil:
		s.Errors++
		c.Error = message
	case a.outcome() == cert.Unknown:
		s.Skipped++
		c.Skipped = message
	}
	s.Cases = append(s.Cases, c)
}

func (p *junitPrinter) end() {
	// Strings and numbers always encode.
	text, _ := xml.MarshalIndent(junitSuites{Suites: p.suites}, "", "  ")
	fmt.Fprintf(p.w, "%s%s\n", xml.Header, text)
}

func (p *junitPrinter) code(c int) int { return c }
