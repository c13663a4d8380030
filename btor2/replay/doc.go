// Package replay evaluates runs of a BTOR2 text: words as integers without bounds, arrays as maps. It judges counterexamples
// of circuits that are abstractions of the text, in which arrays have elements at some addresses only.
//
// It shares nothing with such circuits but what the rows say: it does not know gates, bits of the circuit or certificates, and
// has the operators once more, from Niemetz, Preiner, Wolf and Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018) and the
// SMT-LIB theories of bit-vectors and arrays.
package replay
