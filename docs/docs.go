// Package docs holds the pages of this folder that the program carries with it.
package docs

import _ "embed"

// Page explains the codes of diagnostics of one format: a heading "### code" and what it means, each.
type Page struct {
	Format string // the name of the format: "AIGER"
	Name   string // of the file, without .md
	Text   string
}

// Diagnostics are the pages on diagnostics. Formats may share codes.
var Diagnostics = []Page{
	{"AIGER", "diagnostics", aigerDiagnostics},
	{"BLIF", "blif-diagnostics", blifDiagnostics},
	{"BTOR2", "btor2-diagnostics", btor2Diagnostics},
	{"SMT-LIB", "horn-diagnostics", hornDiagnostics},
}

var (
	//go:embed diagnostics.md
	aigerDiagnostics string
	//go:embed blif-diagnostics.md
	blifDiagnostics string
	//go:embed btor2-diagnostics.md
	btor2Diagnostics string
	//go:embed horn-diagnostics.md
	hornDiagnostics string
)
