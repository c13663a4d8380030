// Package aigerdesign reads AIGER files as designs: the row of the table of formats
// for AIGER, with the adapter of package aiger to design.Syntax.
//
// It converts what aiger says into the words of package design, and decides
// nothing by itself. It knows no other format and no editor.
package aigerdesign

import (
	"path"
	"strings"

	"aiglens/aiger"
	"aiglens/design"
	"aiglens/design/format"
)

// Format is the row of AIGER.
var Format = &design.Format{
	Format:      format.AIGER,
	Parse:       parse,
	IsText:      isText,
	ParseBinary: parseBinary,
	Decode:      aiger.Decode,
	Settings:    func() design.Settings { return new(Settings) },
	Load:        load,
}

// isText reports whether a file holds the ASCII encoding, right or wrong. A binary
// file that is called like an ASCII one is wrong, which is for its diagnostics to say.
func isText(filePath, content string) bool {
	return strings.EqualFold(path.Ext(filePath), ".aag") || !strings.HasPrefix(content, "aig ") || !hasBinaryBody(content)
}

// hasBinaryBody reports whether content holds what no text file does: control
// characters, or the replacement characters of a decoder that met bytes which
// are not UTF-8. A file without gates is text in either encoding.
func hasBinaryBody(content string) bool {
	return strings.ContainsFunc(content, func(r rune) bool {
		return r == '\uFFFD' || r < ' ' && r != '\n' && r != '\r' && r != '\t'
	})
}

// ModelOf returns the numbers of an AIGER file; ok is false for another format. The error says
// that the file has errors.
func ModelOf(d *design.Design) (m *aiger.Model, ok bool, err error) {
	switch s := d.Syntax().(type) {
	case *fileSyntax:
		m, err = aiger.ModelOf(s.file)
	case *binarySyntax:
		if m = s.model; m == nil {
			err = errBinary
		}
	default:
		return nil, false, nil
	}
	return m, true, err
}
