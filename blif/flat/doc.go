// Package flat builds the circuit of the top model of a BLIF file, with its
// hierarchy of instances flattened:
//
//	Elaborate → instances (flatten) → inputs, latches, functions, next states
//	          → properties and constraints → clocks
//
// What is faulty is cut off, so that there is always a circuit; the cone of a
// property in the text, not in the circuit, decides whether there may be a
// verdict. The way back from circuit to text is kept.
//
// The package knows no engine and reads no other file: the models of instances
// come with the file. Finding files is for design/hierarchy.
package flat
