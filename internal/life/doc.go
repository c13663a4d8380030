// Package life holds the tests of the life of verdicts: a scripted editor against
// the program itself, with its worker processes, its cache folder and its signals.
// It has nothing but tests.
//
// Whatever a test is about, the editor holds each message against what it knows
// itself: the texts it has sent, their errors as a parse from scratch finds them, and
// for small circuits the truth by explicit search. See checkStatus and agree.
package life
