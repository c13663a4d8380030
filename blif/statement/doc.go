// Package statement reads BLIF as statements, without a loss: every byte of the
// text belongs to one of them, and none is changed.
//
// A statement is a directive, with the lines that its '\' joins to it, and all
// lines after it up to the next directive:
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
// that an edit leaves alone. Each name has a number, which all versions of a
// text share.
//
// The package does not know what a statement means: no model, no signal, no
// diagnostic. It only notes which places a later pass should look at. State tables in the KISS2
// format of SIS are read as far as they go (ReadMachine); what is wrong with one is for others to
// say.
package statement
