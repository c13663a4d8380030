package cert

import (
	"context"

	"aiglens/horn"
)

// Rounds returns how many assignments of gini the check of a clause looks at.
func Rounds(ctx context.Context, s *horn.System, i int, m Model) (int, error) {
	e := newEncoding()
	_, err := e.violation(ctx, s, i, m)
	return e.rounds, err
}
