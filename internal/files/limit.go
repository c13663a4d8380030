package files

// The memory of the machine bounds what is read by default: a text of numbers takes
// fifty times its size in the worst case, when each stands for a gate.
const (
	shareOfMemory = 64
	smallest      = 64 << 20 // bytes
	largest       = 1 << 30  // bytes
)

// DefaultLimit is the size in bytes up to which files are read where the user says
// nothing else.
func DefaultLimit() int64 {
	return min(max(memory()/shareOfMemory, smallest), largest)
}
