// Package formats is the table of the formats that the program reads.
//
// A format is a row: what design/format says of its files, and an adapter of its
// package to design.Syntax. Nothing else names formats one by one: server and
// debugger are given the table, and a test compares it with the lists of the VS Code
// extension, package.json and formats.ts. lsp/lsptest/toy is a format that only tests
// read, as short as one can be.
package formats

import (
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/design/btor2design"
	"aiglens/design/horndesign"
)

// Edited returns the formats that an editor shows: those of circuits, and clauses.
func Edited() design.Formats { return append(All(), horndesign.Format) }

// All returns the formats of circuits. Of several that fit a file the first one counts.
func All() design.Formats {
	return design.Formats{aigerdesign.Format, blifdesign.Format, btor2design.Format}
}
