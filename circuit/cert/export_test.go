package cert

// SetOwnSolver sets the number of clauses from which a rank gets a solver of its own, and
// returns what it was.
func SetOwnSolver(clauses int) (before int) {
	before, ownSolver = ownSolver, clauses
	return before
}
