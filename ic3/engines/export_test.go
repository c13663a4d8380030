package engines

import (
	"time"

	"aiglens/ic3/verify"
)

// JoinedBySeveral returns the default engine, which others join nearly at once.
func JoinedBySeveral(jobs int) verify.Engine {
	_, c, err := Spec{Jobs: jobs}.choose()
	if err != nil {
		panic(err)
	}
	return joined(c, NewAuto(), time.Microsecond)
}
