package aiger

import (
	"fmt"

	"aiglens/internal/source"
)

// Decode returns a file of either encoding, also a packed one, as ASCII text.
// Text stays as it is.
func Decode(name string, data []byte) (string, error) {
	in, err := ReadAny(name, data)
	if err != nil {
		return "", err
	}
	if in.File != nil {
		return in.File.Text().Content(), nil
	}
	if in.Model == nil {
		for _, diag := range in.Diagnostics {
			if diag.Severity == source.Error {
				return "", fmt.Errorf("byte %d: %s", diag.Span.Start, diag.Message)
			}
		}
	}
	return string(in.Model.AppendASCII(nil)), nil
}
