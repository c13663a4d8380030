// Package queue holds what waits for one goroutine: Serial runs functions one after another, which
// is how a goroutine owns state that others want something of; Sender decides when to send what a
// client is told without having asked; Signal wakes either.
//
// The package does not know the state, what is sent, or to whom.
package queue
