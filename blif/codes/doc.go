// Package codes lists the diagnostics of BLIF: their codes, how bad they are and
// how far they spoil verdicts. docs/blif-diagnostics.md explains each of them.
//
// It does not find any: package diagnose does, and the packages that come upon
// something while they read a file or build its circuit.
package codes
