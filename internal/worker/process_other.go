//go:build !unix

package worker

func residentSize() int64 { return runtimeSize() }

// LowerPriority does nothing here: on Windows the server starts its workers with
// a lower priority class.
func LowerPriority() {}
