//go:build race

package life

// raceFlags build the program as this test was built.
var raceFlags = []string{"-race"}
