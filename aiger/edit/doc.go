// Package edit changes AIGER files as text: fixes of diagnostics, formatting,
// renaming and renumbering, new elements, other ways to write the same, what
// may be typed at a place. Every change is a list of edits of the text that was
// asked about, or the reason why there is none.
//
// It knows no editor and no protocol, and applies nothing by itself.
package edit
