// Package syntax reads BTOR2: the rows of a text, what each says, and what is wrong with it.
//
// A text is a list of rows, each of which defines a node: a sort, an input, a state, an operator, a property. Format:
// Niemetz, Preiner, Wolf and Biere, "Btor2, BtorMC and Boolector 3.0" (CAV 2018), read as strictly as Btor2Tools
// reads it. The package knows no circuits, no names of files and no edits.
//
// Reading has two parts. Lines are taken apart one by one (scan), and kept as numbers in chunks that the versions
// of a text share, so that an edit costs one chunk. What the rows mean together (resolution) is worked out for the
// whole text when it is first asked for, in one pass over these numbers; only rows with something wrong are taken
// apart again, for the places of their words.
package syntax
