package design

// MadeFrom is a place in the source that a tool has made a text from, as the tool has written it
// down. Lines and columns begin at 1; those of End are after the place.
type MadeFrom struct {
	Path                             string // as written, mostly relative to where the tool ran
	Line, Column, EndLine, EndColumn int
}

// MadeFromAt returns the places that what stands at an offset was made from: those of the row, or of
// the row that defines the signal there.
func MadeFromAt(d *Design, offset int) []MadeFrom {
	if d.Kind == nil || d.Kind.MadeFrom == nil {
		return nil
	}
	return d.Kind.MadeFrom(d.Syntax(), offset)
}
