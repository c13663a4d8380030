package debug

// handles are the references to variables that the client was given since the last stop.
type handles struct {
	all   []handle
	first int // references up to it are of before
}

// handle is what a reference to variables stands for: a group, scope or word at a step, or
// a part of it.
type handle struct {
	step, group int
	of          *entry
	from, to    int
}

// entries are those that a handle stands for.
func (h handle) entries() []*entry { return h.of.inside[h.from:h.to] }

// forget ends the references to variables, which hold while the run stands. None
// of them is given again.
func (hs *handles) forget() {
	hs.first += len(hs.all)
	hs.all = nil
}

// reference returns the number for a handle.
func (hs *handles) reference(h handle) int {
	for i, known := range hs.all {
		if known == h {
			return hs.first + i + 1
		}
	}
	hs.all = append(hs.all, h)
	return hs.first + len(hs.all)
}

// from returns what a reference stands for.
func (hs *handles) from(reference int) (handle, error) {
	i := reference - hs.first - 1
	if i < 0 || i >= len(hs.all) {
		return handle{}, refuse("there are no variables %d: the run has moved on", reference)
	}
	return hs.all[i], nil
}
