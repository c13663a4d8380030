// Package edit works out edits of a BTOR2 text: the ways out of diagnostics, another name or number, one blank
// between words, rows in another order, a row written otherwise. The meaning of the text stays what it is, but where a
// fix says otherwise; what cannot be written so is refused with the reason.
//
// Nothing is edited here: callers get source.Edits and apply them. Comments of deleted rows are kept. The package knows
// no circuits; its tests compare those of the texts before and after.
package edit
