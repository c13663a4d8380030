package aiger

import (
	"fmt"

	"aiglens/internal/findings"
)

// newFindings returns an empty list of diagnostics.
func newFindings() findings.List { return findings.NewList(catalogue) }

// count writes a number with its noun.
func count(n int, k SectionKind) string {
	if n == 1 {
		return "1 " + k.One()
	}
	return fmt.Sprintf("%d %s", n, k)
}
