// Package aiger reads and writes AIGER files: ASCII (aag) and binary (aig),
// versions 1.0 and 1.9, and the witnesses of model checkers. It is what others
// import to get the circuit of a file; the text is in the packages below.
//
// It knows no engine, no protocol and no other format.
//
//	Model        the content of a file as numbers: what writers, the binary
//	             reader and conversions work on.
//	Elaboration  the circuit of a syntax.File, faulty parts cut off, with the
//	             way from literals of the file to those of the circuit.
//	Input        a file of either encoding, as Read found it.
//	Witness      a counterexample as the competitions write it.
//
// The packages below, each of which imports only those before it and package
// edit this one:
//
//	syntax     the text of an ASCII file: rows, symbols, lines of the comment that make
//	           properties, positions, diagnostics
//	diagnose   what only the whole circuit shows
//	edit       changes of the text: fixes, formatting, renaming, adding
package aiger
