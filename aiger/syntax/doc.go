// Package syntax holds an ASCII AIGER file as text: rows, symbols, comment,
// where each literal is defined and used, all with byte positions, and the
// diagnostics that show in single rows. Parse never fails, and an edit reads
// again only what it touches. Binary files are read here too, into numbers.
//
// It follows the AIGER format report (Biere, 2007) and "AIGER 1.9 and Beyond"
// (Biere, Heljanko, Wieringa, 2011), read as strictly as the AIGER library
// reads them. It knows no circuit: what only the gates together show is left to
// package diagnose, and changes of a text to package edit.
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
//
// After an edit only the lines that it touches are read again. Rows stand in chunks, and each has
// a number by which the pages of definitions (1024 variables each) name it, so that rows which
// move change no page. Only rows that are not plainly in order, the suspects, are checked: the old
// ones, the rows that came, and those that use a variable whose definition came or went; filters
// say which chunks may hold these. Symbols are resolved again where an edit touches their lines or
// the sizes of the sections. The tests make random edits and compare everything that can be asked
// about the file with a parse from scratch.
//
// The functions and methods that take a row r count all rows from 0 on,
// whatever their section; an index counts within one.
package syntax
