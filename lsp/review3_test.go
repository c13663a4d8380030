package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"aiglens/design/answers"
)

func TestReviewReaders(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	n := 60000
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 2 1 0 %d 1\n2\n4\n6 6\n8\n", 3+n, n)
	for i := range n {
		fmt.Fprintf(&s, "%d %d 2\n", 8+2*i, 6+2*i)
	}
	b.open(doc, s.String())
	b.settled(doc)
	v := b.server.session.snapshot.Load().views[doc]
	for range 3 {
		start := time.Now()
		at, _ := answers.At(t.Context(), v.doc, v.mapper.PositionOffset(protocol.Position{Line: 1}), 3)
		d1 := time.Since(start)
		start = time.Now()
		answers.Readers(t.Context(), v.doc, at.Signal.Lit.Signal(), 50)
		d2 := time.Since(start)
		start = time.Now()
		b.at(1, 0)
		fmt.Println("READERS At", d1, "Readers", d2, "whole", time.Since(start))
	}
}
