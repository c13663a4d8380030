//go:build !linux

package files

// memory returns the size of a usual machine's memory in bytes: how much this one has
// is not asked here.
func memory() int64 { return 16 << 30 }
