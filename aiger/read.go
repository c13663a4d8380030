package aiger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/files"
	"aiglens/internal/source"
)

// Input is a file read by Read.
type Input struct {
	File        *syntax.File // of an ASCII file
	Model       *Model       // of a binary file; nil when it has errors
	Diagnostics []source.Diagnostic
}

// ReadBinary reads a binary AIGER file. The model is nil when there is an error.
// Spans are offsets into data.
func ReadBinary(data []byte) (*Model, []source.Diagnostic) { return readBinary(string(data)) }

// ParseBinary is ReadBinary for content that may be text as well: then ok is false. The first
// word decides, not the name of a file.
func ParseBinary(content string) (m *Model, diagnostics []source.Diagnostic, ok bool) {
	if !strings.HasPrefix(content, "aig") || isASCIIUnderAig(content) {
		return nil, nil, false
	}
	m, diagnostics = readBinary(content)
	return m, diagnostics, true
}

func readBinary(content string) (*Model, []source.Diagnostic) {
	c, diagnostics := syntax.ReadBinary(content)
	if c == nil {
		return nil, diagnostics
	}
	cycles := diagnose.ResetCyclesIn(c)
	for _, cycle := range cycles {
		span := latchLine(content, cycle.Latches[0])
		diagnostics = append(diagnostics, syntax.Catalogue.Diagnostic(syntax.CodeResetCycle, span, "%s", cycle.Words(c)))
	}
	if len(cycles) > 0 {
		return nil, diagnostics
	}
	return (*Model)(c), diagnostics
}

// latchLine returns the line of a latch in a binary file, without its end.
func latchLine(content string, latch int) source.Span {
	start := 0
	for range latch + 1 { // after the header
		start += strings.IndexByte(content[start:], '\n') + 1
	}
	return source.Span{Start: start, Length: strings.IndexByte(content[start:], '\n')}
}

// Read reads a file of either encoding. Its first word decides which, not
// its name; a name that ends in .gz is unpacked first. The diagnostics of an
// ASCII file are both those of reading it and those of package diagnose. The error is
// for data that cannot be unpacked.
func Read(name string, data []byte) (*Input, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		var err error
		if data, err = files.Unpack(context.Background(), name, bytes.NewReader(data), files.DefaultLimit()); err != nil {
			return nil, err
		}
	case strings.HasSuffix(name, ".xz"):
		return nil, fmt.Errorf("%s is packed by xz: unpack it with xz -d", name)
	}
	in, content, isBinary := &Input{}, string(data), false
	if in.Model, in.Diagnostics, isBinary = ParseBinary(content); isBinary {
		return in, nil
	}
	in.File = syntax.Parse(source.NewText(content))
	lint, err := diagnose.Run(context.Background(), in.File)
	if err != nil {
		return nil, err
	}
	in.Diagnostics = append(in.File.Diagnostics(), lint...)
	slices.SortStableFunc(in.Diagnostics, func(a, b source.Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return in, nil
}

// isASCIIUnderAig reports whether a file that calls itself binary has a body
// of numbers in lines, which it can have by right only without gates.
func isASCIIUnderAig(content string) bool {
	_, body, _ := strings.Cut(content, "\n")
	if !syntax.IsTextBody(body[:min(len(body), 1<<12)]) {
		return false
	}
	m, diagnostics := readBinary(content)
	return m == nil && slices.ContainsFunc(diagnostics, isOfNumbers) && syntax.IsTextBody(body)
}

// isOfNumbers reports whether a diagnostic is an error that a body in the other encoding
// may be the reason of. One in a name is not.
func isOfNumbers(d source.Diagnostic) bool {
	return d.Severity == source.Error && d.Code != syntax.CodeSymbolNUL && d.Code != syntax.CodeResetCycle
}

// Circuit returns the circuit, or nil for a binary file with errors.
func (in *Input) Circuit() *circuit.Circuit {
	if in.File != nil {
		return Elaborate(in.File).Circuit
	}
	if in.Model == nil {
		return nil
	}
	c, err := in.Model.Elaborate()
	if err != nil {
		return nil
	}
	return c
}

// Decode returns a file of either encoding, also a packed one, as ASCII text.
// Text stays as it is.
func Decode(name string, data []byte) (string, error) {
	in, err := Read(name, data)
	if err != nil {
		return "", err
	}
	return textOf(in)
}

// textOf returns a file as ASCII text, or why there is none.
func textOf(in *Input) (string, error) {
	switch {
	case in.File != nil:
		return in.File.Text().Content(), nil
	case in.Model != nil:
		return string(in.Model.AppendASCII(nil)), nil
	}
	for _, diag := range in.Diagnostics {
		if diag.Severity == source.Error {
			return "", fmt.Errorf("byte %d: %s", diag.Span.Start, diag.Message)
		}
	}
	return "", errors.New("the binary file cannot be read")
}
