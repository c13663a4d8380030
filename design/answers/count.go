package answers

import "aiglens/internal/findings"

// Count says how many there are of something.
func Count(n int, one, many string) string { return findings.Count(n, one, many) }

// Thousands writes a number in groups of three digits.
func Thousands(n int) string { return findings.Thousands(n) }
