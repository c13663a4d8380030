package equiv

import "aiglens/circuit/cert"

// WithMerges returns options with which what sweeping has found is changed before it is
// tested.
func (o Options) WithMerges(change func([]cert.Merge) []cert.Merge) Options {
	o.changeMerges = change
	return o
}

// WithEquals does the same with what signal correspondence has found.
func (o Options) WithEquals(change func([]cert.Equal) []cert.Equal) Options {
	o.changeEquals = change
	return o
}

// Efforts returns what sweeping and signal correspondence may take in a comparison whose first
// product has so many variables.
func Efforts(vars int) (sweep, correspond int64) {
	e := newEfforts(vars)
	return e.sweep, e.correspond
}
