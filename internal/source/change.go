package source

// ChangeKind says what a change is to the user.
type ChangeKind uint8

// The kinds of changes.
const (
	ChangeAdd     ChangeKind = iota // puts something new into the text
	ChangeRewrite                   // writes the same in another way
	ChangeFile                      // rewrites the whole file
)

// Change is a change of a text that is offered at a place. Its edits are
// computed only when it is chosen.
type Change struct {
	ID    string // names it among those of the place
	Title string
	Kind  ChangeKind
	// Edits returns the edits, or the reason why there can be none. No edits say that
	// the text is so already.
	Edits func() ([]Edit, error)
}
