// Package formats is the table of the formats that the program reads.
//
// A format is a row: what internal/format says of its files, and an adapter of its
// package to document.Syntax. Nothing else names formats one by one: the server and
// the debugger are given the table.
package formats

import (
	"aiglens/lsp/document"
	"aiglens/lsp/document/aigerdoc"
	"aiglens/lsp/document/blifdoc"
)

// All returns the formats. Of several that fit a file the first one counts.
func All() document.Formats { return document.Formats{aigerdoc.Format, blifdoc.Format} }
