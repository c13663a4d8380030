// Package edit works out edits of a BLIF text: the ways out of diagnostics,
// another name, the usual form, a cover written otherwise, an instance replaced
// by the body of its model. The meaning of the text stays what it is, but where
// a fix says otherwise; what cannot be written so is refused with the reason.
//
// Nothing is edited here: callers get source.Edits and apply them.
package edit
