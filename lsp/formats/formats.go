// Package formats is the table of the formats that the program reads.
//
// A format is a row: what internal/format says of its files, and an adapter of its
// package to document.Syntax. Nothing else names formats one by one: server and
// debugger are given the table, and a test compares it with the lists of the VS Code
// extension, package.json and formats.ts. lsp/lsptest/toy is a format that only tests
// read, as short as one can be.
package formats

import (
	"aiglens/lsp/document"
	"aiglens/lsp/document/aigerdoc"
	"aiglens/lsp/document/blifdoc"
)

// All returns the formats. Of several that fit a file the first one counts.
func All() document.Formats { return document.Formats{aigerdoc.Format, blifdoc.Format} }
