// Package docs holds the pages of this folder that the program carries with it.
package docs

import _ "embed"

// Diagnostics is the page on the codes of diagnostics: a heading "### code" and
// what it means, each.
//
//go:embed diagnostics.md
var Diagnostics string
