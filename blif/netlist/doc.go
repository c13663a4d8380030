// Package netlist works out what drives each signal of one model: a cover, a
// cell, a latch, an instance, or nothing; and the cycles in which signals
// depend on each other, through instances too.
//
// It looks at one model at a time. Nothing is flattened, and no circuit is
// built.
package netlist
