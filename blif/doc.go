// Package blif holds a file in BLIF, the Berkeley logic interchange format, with
// the dialects of ABC, Yosys and VTR.
//
// It follows "Berkeley Logic Interchange Format (BLIF)" (University of
// California, 1992) and, where tools agree against that text, the tools. It
// knows no engine, no protocol, no other format, and opens no file: models of
// other files come from a Library that the caller provides.
//
//	File      the text as statements (package statement), and what they mean:
//	          models, signals, what drives and what reads each of them, where
//	          each is named. Parse never fails.
//	Property  what there is to check, and which rule of the format's
//	          conventions makes it a property.
//
// What statements mean is worked out for a whole version from the numbers of
// their names, without looking at the text, and after an edit from the version
// before.
//
// What follows from a file stands in packages of its own: netlist (what drives a
// signal of a model), diagnose (what is wrong), flat (the circuit), edit (changes
// of the text). They read the tables of a File as they are and never write to
// them.
package blif
