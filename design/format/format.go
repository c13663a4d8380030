// Package format says what the files of each format are called: their
// extensions, the identifiers that editors have for the language, the words that
// a text begins with.
//
// Everything that selects files takes its list from here: server, debugger,
// commands and the manifest of the extension. The package does not know what is
// in a file, nor what reads it.
package format

import (
	"slices"
	"strings"
)

// Format is how the files of a format are recognised.
type Format struct {
	Name string // for people: "AIGER"
	// Languages are the identifiers of the language. The first one is what editors
	// call it, and the member of the settings that belongs to the format.
	Languages []string
	// FirstWords are those that only a text of this format begins with.
	FirstWords []string
	// AfterNumber are the words that follow the number which a text of this format begins with.
	AfterNumber []string
	// Comment begins the lines that may stand before the first word; "" allows none.
	Comment string
	// Directive is what each statement begins with, followed by a letter; "" for a format
	// without such a sign.
	Directive string
	Files     []File // the preferred one first
}

// File is one way in which files of a format are kept.
type File struct {
	Ext    string // in lower case, with its dots: ".aag.gz"
	Binary bool
	Packed bool
}

// IsEncoded reports whether the bytes of the file are not the text.
func (f File) IsEncoded() bool { return f.Binary || f.Packed }

// The formats. They are tables and never written.
var (
	AIGER = Format{
		Name: "AIGER", Languages: []string{"aiger", "aag", "aig"}, FirstWords: []string{"aag", "aig"},
		Files: []File{{Ext: ".aag"}, {Ext: ".aig", Binary: true}, {Ext: ".aag.gz", Packed: true}, {Ext: ".aig.gz", Binary: true, Packed: true}},
	}
	BLIF = Format{
		Name: "BLIF", Languages: []string{"blif", "eblif"}, FirstWords: []string{".model"}, Comment: "#", Directive: ".",
		Files: []File{{Ext: ".blif"}, {Ext: ".eblif"}},
	}
	BTOR2 = Format{
		Name: "BTOR2", Languages: []string{"btor2", "btor"}, AfterNumber: []string{"sort"}, Comment: ";",
		Files: []File{{Ext: ".btor2"}, {Ext: ".btor"}},
	}
	// SMTLIB holds Horn clauses, and has no circuit. Editors call it by several names.
	SMTLIB = Format{
		Name: "SMT-LIB", Languages: []string{"smt2", "smtlib", "smt-lib", "smtlib2", "smtlib-v2"}, Comment: ";",
		Files: []File{{Ext: ".smt2"}},
	}
	// Verilog is read through Yosys.
	Verilog = Format{
		Name: "Verilog", Languages: []string{"systemverilog", "verilog"}, Comment: "//",
		Files: []File{{Ext: ".sv"}, {Ext: ".v"}},
	}
)

// Language returns the identifier that editors have for the format.
func (f Format) Language() string { return f.Languages[0] }

// FileOf returns how a file is kept, by its path; ok is false for one that is not
// called like a file of the format.
func (f Format) FileOf(path string) (file File, ok bool) {
	for _, file := range f.Files {
		if n := len(path) - len(file.Ext); n >= 0 && strings.EqualFold(path[n:], file.Ext) {
			return file, true
		}
	}
	return File{}, false
}

// Begins reports whether a text begins as those of the format do. Of a format with comments
// these and empty lines may stand before.
func (f Format) Begins(content string) bool {
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\r\n")
		if f.Comment != "" {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, f.Comment) {
				continue
			}
		}
		word, rest, _ := strings.Cut(line, " ")
		second, _, _ := strings.Cut(rest, " ")
		isNumber := word != "" && strings.Trim(word, "0123456789") == ""
		return slices.Contains(f.FirstWords, word) || f.isDirective(word) || isNumber && slices.Contains(f.AfterNumber, second)
	}
	return false
}

func (f Format) isDirective(word string) bool {
	rest, isDirective := strings.CutPrefix(word, f.Directive)
	return f.Directive != "" && isDirective && rest != "" && 'a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z'
}

// Has reports whether a file is called like one of the format.
func (f Format) Has(path string) bool {
	_, ok := f.FileOf(path)
	return ok
}

// HasText is Has for files whose bytes are the text.
func (f Format) HasText(path string) bool {
	file, ok := f.FileOf(path)
	return ok && !file.IsEncoded()
}

// Extensions returns those of all files.
func (f Format) Extensions() []string { return f.extensions(func(File) bool { return true }) }

// TextExtensions returns those of the files whose bytes are the text.
func (f Format) TextExtensions() []string {
	return f.extensions(func(file File) bool { return !file.IsEncoded() })
}

// EncodedExtensions returns those of the other files.
func (f Format) EncodedExtensions() []string {
	return f.extensions(File.IsEncoded)
}

func (f Format) extensions(fit func(File) bool) []string {
	var all []string
	for _, file := range f.Files {
		if fit(file) {
			all = append(all, file.Ext)
		}
	}
	return all
}

// Glob returns the pattern of the files with some extensions in one folder, as
// editors write it: *.{blif,eblif}.
func Glob(extensions []string) string {
	words := make([]string, len(extensions))
	for i, ext := range extensions {
		words[i] = strings.TrimPrefix(ext, ".")
	}
	return "*.{" + strings.Join(words, ",") + "}"
}
