package lsp

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestClosedDocumentIsGivenBack: the memory of a large document that is closed goes back to the
// system, though the server is at rest.
func TestClosedDocumentIsGivenBack(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.sync()
	b.Forget()
	var m runtime.MemStats
	retained := func() int64 {
		runtime.ReadMemStats(&m)
		return int64(m.HeapSys - m.HeapReleased)
	}
	debug.FreeOSMemory()                             // or the document fills what earlier tests have left
	before, collections := retained(), m.NumForcedGC // not those that new memory starts
	b.open(doc, chain(300_000))
	b.sync()
	b.Forget()
	opened := retained()
	if opened < before+5*worthReturning {
		t.Fatalf("%d bytes are retained before and %d after a large document is opened", before, opened)
	}
	b.close(doc)
	b.awaitOr(func() bool { return retained() < before+(opened-before)/4 && m.NumForcedGC > collections }, func() {
		t.Fatalf("%d bytes are retained before, %d while it is open, and %d after it is closed", before, opened, retained())
	})
}
