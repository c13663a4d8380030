package circuit

// Table holds a value for some variables of a circuit; the others have the zero value. It has
// memory for neighbours of these alone, so that a small cone of a large circuit costs little.
type Table[T any] struct{ pages []*[pageVars]T }

// pageVars is the number of variables that get their memory together.
const pageVars = 256

// NewTable returns a table for the variables of c, none of which has a value.
func NewTable[T any](c *Circuit) *Table[T] {
	return &Table[T]{make([]*[pageVars]T, (c.NumVars()+pageVars-1)/pageVars)}
}

// At returns the value of a variable.
func (t *Table[T]) At(v Var) (value T) {
	if page := t.pages[v/pageVars]; page != nil {
		return page[v%pageVars]
	}
	return value
}

// Set gives a variable its value.
func (t *Table[T]) Set(v Var, value T) {
	page := t.pages[v/pageVars]
	if page == nil {
		page = new([pageVars]T)
		t.pages[v/pageVars] = page
	}
	page[v%pageVars] = value
}
