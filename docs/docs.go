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

// Guide is a page that says how something is done.
type Guide struct {
	Name, Title string // Name is the file, without .md
	Text        string
}

// ForAgents are the guides that agents may read.
var ForAgents = []Guide{
	{"agents", "How to prove something with these tools", agents},
	{"aiger", "AIGER in two pages", aiger},
	{"blif", "BLIF in two pages", blif},
	{"btor2", "BTOR2 in two pages", btor2},
	{"horn", "Horn clauses in two pages", horn},
}

var (
	//go:embed agents.md
	agents string
	//go:embed aiger.md
	aiger string
	//go:embed blif.md
	blif string
	//go:embed btor2.md
	btor2 string
	//go:embed horn.md
	horn string
)

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
