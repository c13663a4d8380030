// Package torture holds the differential run: random circuits of both formats,
// their edits, the cache and what is reused of earlier results, with every engine,
// against searches of all states and against ABC.
//
// All of it is test code. A difference is reduced and kept as a file under
// testdata, from where it is a test. The package knows no editor and no wire;
// package life is about those.
package torture
