package lsp

import "testing"

// TestSerialAfter: what comes after runs once for all functions that wait, and
// has run when do returns.
func TestSerialAfter(t *testing.T) {
	ran, seen, times := 0, 0, 0
	s := newSerial(func() { seen, times = ran, times+1 })
	defer s.close()
	gate := make(chan struct{})
	s.put(func() { <-gate })
	for range 1000 {
		s.put(func() { ran++ })
	}
	close(gate)
	s.do(func() { ran++ })
	var seenThen, timesThen int
	s.do(func() { seenThen, timesThen = seen, times })
	if seenThen != 1001 || timesThen > 10 {
		t.Errorf("after has seen %d of 1001 functions and ran %d times", seenThen, timesThen)
	}
}
