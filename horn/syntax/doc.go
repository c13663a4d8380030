// Package syntax reads SMT-LIB 2.6 as files of constrained Horn clauses use it: the forms of a text, what each says,
// and what is wrong with it.
//
// A form is read as a unit: what it says depends on its own text and on the declarations of the names that it looks up
// (reading.go). One pass over all forms finds what they mean together (resolve.go, whole.go). Versions of a file share
// the readings that an edit leaves alone.
//
// Read are logic HORN, and the commands declare-var, declare-rel, rule and query of Z3's fixed points, in which some
// collections are written. What lies outside linear arithmetic is said at its place. The package knows no engines,
// no names of files and no edits.
package syntax
