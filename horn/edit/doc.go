// Package edit changes texts of SMT-LIB: white space, names of symbols, and what can be typed at a place.
//
// What it returns are edits of a text that package syntax has read. It knows no editor, and no other format.
package edit
