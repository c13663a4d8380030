//go:build unix && !(linux && amd64)

package cluster

import (
	"errors"
	"time"
)

// canShiftClock says that setClock works here.
const canShiftClock = false

func setClock(time.Duration) error { return errors.New("only on Linux for amd64") }
