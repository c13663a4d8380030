package queue

// Signal wakes one goroutine. Raised several times before that goroutine looks, it wakes it once:
// the goroutine then does everything that there is to do.
type Signal chan struct{}

// NewSignal returns a signal that has not been raised.
func NewSignal() Signal { return make(Signal, 1) }

// Raise wakes the waiting goroutine, or the next one to wait. It never waits itself.
func (s Signal) Raise() {
	select {
	case s <- struct{}{}:
	default:
	}
}
