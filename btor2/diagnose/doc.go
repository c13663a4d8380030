// Package diagnose finds what only the whole of a BTOR2 file shows: rows without a reader, values that are always the same,
// comparisons that are decided by how large their sides can be, rows and properties that repeat others. It works on rows and
// words and builds no circuit, so that every finding has its place.
//
// What is wrong with a row by itself, package btor2/syntax finds after each edit. Nothing here decides about a verdict.
package diagnose
