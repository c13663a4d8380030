package workspace

// Closed is a file that has been checked and is not open. What was said of it stays with
// the client until the file changes.
type Closed struct {
	Path          string
	Stamp         Stamp // when it was read
	DependsOnMore bool  // on the models of other files
	Failed        bool  // one of its properties is refuted, unknown or without a verdict
	Outdated      bool  // what was said of it has been shown as stale
}

// Change is what has become of a file.
type Change uint8

// The changes.
const (
	Same Change = iota
	Changed
	Gone
)

// Reread asks what has become of the file since it was read. It waits for the file system.
func (c Closed) Reread(files Files) Change {
	info, err := files.Stat(c.Path)
	switch {
	case err != nil:
		return Gone
	case !c.Stamp.isOf(info):
		return Changed
	}
	return Same
}
