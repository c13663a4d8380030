package wire

// CircuitStats are how large a circuit is and how it is made. Gates with the same operands
// are one.
type CircuitStats struct {
	Text    string      `json:"text"` // all of it, for people
	Inputs  int         `json:"inputs"`
	Latches int         `json:"latches"`
	Gates   int         `json:"gates"`
	Levels  int         `json:"levels"` // gates on the longest way through a step
	Cones   []ConeStats `json:"cones"`  // of the properties
}

// ConeStats are the size of what a property depends on.
type ConeStats struct {
	Property PropertyID `json:"property"`
	Inputs   int        `json:"inputs"`
	Latches  int        `json:"latches"`
	Gates    int        `json:"gates"`
}
