// Package aiger reads and writes AIGER files: ASCII (aag) and binary (aig),
// versions 1.0 and 1.9, and the witnesses of model checkers.
//
// It follows the AIGER format report (Biere, 2007) and "AIGER 1.9 and Beyond"
// (Biere, Heljanko, Wieringa, 2011), read as strictly as the AIGER library
// reads them. It knows no engine, no protocol and no other format.
//
// Three views of a file:
//
//	File         an ASCII file as text: occurrences, definitions, symbols,
//	             diagnostics, all with byte positions. Parse never fails.
//	Model        the numbers alone: what writers, the binary reader and
//	             conversions work on.
//	Elaboration  the circuit of a File, faulty parts cut off, with the way
//	             from literals of the file to those of the circuit.
//
// A line of an ASCII file has no heading that says what it is; counting does:
//
//	line  0   aag 7 2 0 2 3       header
//	      1   2                   ┐ I rows
//	      2   4                   ┘
//	      3   6                   ┐ O rows
//	      4   12                  ┘
//	      5   6 13 15             ┐
//	      6   12 2 4              │ A rows
//	      7   14 3 5              ┘
//	      8   i0 x                symbols
//	      9   c                   comment, to the end
//
// So a row's role is a function of its number and the section table, looked
// up and never stored. Tables are sized by the bytes present, never by what
// the header announces.
package aiger
