// Package diagnose finds what is wrong with a BLIF file and shows without its
// circuit. Diagnostics are errors and warnings on statements, drivers, rows,
// instances and state tables, found after each edit. Lint finds what needs the
// whole file, such as combinational cycles, and what makes a circuit or its text
// worse but not wrong.
//
// It does not decide what an error means for a verdict: Faults says on which
// statements errors are, and package flat asks what depends on them. It repairs
// nothing: package edit does.
package diagnose
