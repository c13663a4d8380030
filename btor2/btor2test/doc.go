// Package btor2test has the reference that tests measure BTOR2 against: an evaluator with big integers, a search of all
// states of tiny models, and random texts.
//
// It shares nothing with what it measures: it splits a text by blanks, and has the operators from Niemetz, Preiner, Wolf
// and Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018) and the SMT-LIB theories of bit-vectors and arrays. It takes
// texts for sound, and panics at any other.
package btor2test
