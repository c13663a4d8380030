// Package blif reads and writes BLIF, the Berkeley logic interchange format,
// with the dialects of ABC, Yosys and VTR.
//
// It follows "Berkeley Logic Interchange Format (BLIF)" (University of
// California, 1992) and, where tools agree against that text, the tools. It
// knows no engine, no protocol, no other format, and opens no file: models of
// other files come from a Library that the caller provides.
//
// Three views of a file:
//
//	File         the text as statements, signals and models, with
//	             diagnostics, all with byte positions. Parse never fails.
//	Property     what there is to check, and which rule of the format's
//	             conventions makes it a property.
//	Elaboration  the circuit of the top model with its hierarchy flattened,
//	             faulty parts cut off, with the way from signals of the text
//	             to literals of the circuit and back.
//
// A statement is a directive, with the lines that its '\' joins to it, and all
// lines behind it up to the next directive:
//
//	.names a b \     ┐ directive: tokens .names a b y
//	   y             │
//	# and            │ statement
//	11 1             │ rows, stored as spans
//	                 ┘
//	.latch y q 0       next statement
//
// What a statement looks like depends on nothing before it, so that after an
// edit only the statements around it are read again. Statements lie in chunks
// with positions relative to the chunk; versions of a file share the chunks
// that an edit leaves alone. What a statement means, which signals it joins
// and to which model it belongs, is worked out for a whole version from the
// numbers of its names, without looking at the text.
package blif
