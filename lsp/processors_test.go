package lsp

import (
	"runtime"
	"testing"
)

// TestProcessorsWhileTyping: one processor is left free, once typing begins,
// and given back once it rests.
func TestProcessorsWhileTyping(t *testing.T) {
	t.Parallel()
	told := make(chan int, 100)
	b := newBench(t, explicit, func(o *Options) { o.Processors = func(n int) { told <- n } })
	b.Initialize(toldClient(), nil)
	expect := func(want int) {
		t.Helper()
		if n := <-told; n != want {
			t.Errorf("told of %d processors, want %d", n, want)
		}
	}
	all := runtime.NumCPU()
	expect(all)
	b.open(doc, toggle)
	for version := 2; version < 4; version++ {
		b.replace(doc, version, edited(2, "2 2"))
		expect(max(1, all-1))
		expect(all)
	}
	if len(told) != 0 {
		t.Errorf("told of %d processors more", len(told))
	}
}
