package engines

import (
	"time"

	"aiglens/ic3/verify"
)

// Frugal wraps the check of a member that joins.
var Frugal = frugal

// JoinedBySeveral returns the default engine, which others join after a time.
func JoinedBySeveral(jobs int, after time.Duration) verify.Engine {
	_, c, err := Spec{Jobs: jobs}.choose()
	if err != nil {
		panic(err)
	}
	return joined(c, NewAuto(), after)
}
