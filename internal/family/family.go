// Package family starts other programs so that they end as a whole: a program with those that it
// has started itself.
//
// It does not know which programs these are.
package family
