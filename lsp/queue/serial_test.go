package queue

import "testing"

// TestSerialAfter: what comes after runs once for all functions that wait, and
// has run when Do returns.
func TestSerialAfter(t *testing.T) {
	ran, seen, times := 0, 0, 0
	s := NewSerial(func() { seen, times = ran, times+1 })
	defer s.Close()
	gate := make(chan struct{})
	s.Put(func() { <-gate })
	for range 1000 {
		s.Put(func() { ran++ })
	}
	close(gate)
	s.Do(func() { ran++ })
	var seenThen, timesThen int
	s.Do(func() { seenThen, timesThen = seen, times })
	if seenThen != 1001 || timesThen > 10 {
		t.Errorf("after has seen %d of 1001 functions and ran %d times", seenThen, timesThen)
	}
}
