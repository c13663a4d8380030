// Package syntax reads BTOR2: the rows of a text, what each says, and what is wrong with it.
//
// A text is a list of rows, each of which defines a node: a sort, an input, a state, an operator, a property. Format:
// Niemetz, Preiner, Wolf and Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018). The package knows no circuits,
// no names of files and no edits.
package syntax
