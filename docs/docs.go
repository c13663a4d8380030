// Package docs holds the pages of this folder that the program carries with it.
package docs

import _ "embed"

// Diagnostics is the page on the codes of diagnostics of AIGER files: a heading
// "### code" and what it means, each.
//
//go:embed diagnostics.md
var Diagnostics string

// BLIFDiagnostics is the same for BLIF files. The two share no code.
//
//go:embed blif-diagnostics.md
var BLIFDiagnostics string
