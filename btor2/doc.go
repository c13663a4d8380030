// Package btor2 builds the circuit of a BTOR2 file: its words and arrays as bits, with the way from the rows of the text
// to the literals of the circuit and back. It is what others import to check a file; the text is in package syntax below,
// the operators are in package bits.
//
// Format and semantics: Niemetz, Preiner, Wolf and Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018), with what its
// tools do where it says nothing. An input, and a state without next, has any value in every step; a state without init
// starts with any value.
//
// Arrays become bits as long as the gates that this takes are few; see Options. A property whose cone has a larger one
// cannot be checked.
//
// The package knows no engine, no protocol and no other format.
package btor2
