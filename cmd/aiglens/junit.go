package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// junitPrinter writes JUnit XML: a suite for each file, a case for each
// property, and one for a file with errors or of which nothing was checked.
type junitPrinter struct {
	w      io.Writer
	suites []*junitSuite // the last one gets the cases
}

type junitSuites struct {
	XMLName xml.Name      `xml:"testsuites"`
	Suites  []*junitSuite `xml:"testsuite"`
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
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (p *junitPrinter) file(f *fileReport) {
	s := &junitSuite{Name: f.name}
	p.suites = append(p.suites, s)
	var text strings.Builder
	faulty := 0
	for _, d := range f.diagnostics {
		if d.Severity == source.Error {
			faulty++
		}
		tell(&text, f.in, d)
	}
	message := &junitMessage{Text: text.String()}
	switch {
	case f.err != nil:
		message.Message = f.err.Error()
	case faulty > 0:
		message.Message = fmt.Sprintf("errors in the file: %d", faulty)
	case f.unchecked() != "":
		s.add(junitCase{Class: f.name, Name: "the file", Skipped: &junitMessage{Message: f.unchecked()}})
		return
	default:
		return
	}
	s.add(junitCase{Class: f.name, Name: "the file", Error: message})
}

func (p *junitPrinter) answer(a *answer) {
	c := junitCase{Class: a.in.URI, Name: label(a), Time: a.result.Elapsed.Seconds()}
	message := &junitMessage{Message: a.verdict()}
	for _, d := range a.reasons() {
		line, _ := a.in.Text.LineColumn(d.Span.Start)
		message.Text += fmt.Sprintf("line %d: %s\n", line, d.Message)
	}
	switch {
	case a.standing() == verify.Failed:
		c.Failure = message
	case a.fault != nil || a.result.Internal != nil:
		c.Error = message
	case a.standing() == verify.Open || a.standing() == verify.Useless:
		c.Skipped = message
	case a.vacuity != "" || len(a.missing) > 0:
		c.Output = a.verdict()
	}
	p.suites[len(p.suites)-1].add(c)
}

// add counts a case in.
func (s *junitSuite) add(c junitCase) {
	s.Tests++
	s.Time += c.Time
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (p *junitPrinter) end() {
	// Strings and numbers always encode.
	text, _ := xml.MarshalIndent(junitSuites{Suites: p.suites}, "", "  ")
	fmt.Fprintf(p.w, "%s%s\n", xml.Header, text)
}

func (p *junitPrinter) code(c int) int { return c }
