// Package codes lists the diagnostics of BLIF: their codes, how bad they are and
// how far they spoil verdicts. The page docs/diagnostics explains each of them.
//
// It does not find any: package diagnose does, and the packages that come upon
// something while they read a file or build its circuit.
package codes
