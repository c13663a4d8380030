package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/internal/source"
)

// TestReadAhead: a folder of any size is never in memory as a whole, and comes in order; of
// large files there are fewer.
func TestReadAhead(t *testing.T) {
	check := func(name string, files, size, most int) {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			e := env{stderr: &said}
			flags := checkFlags{workers: 2, engine: engines.Default()}
			inputs := make([]input, files)
			for i := range inputs {
				inputs[i].path = fmt.Sprint(i)
			}
			text := source.NewText(strings.Repeat(" ", size))
			var held, read atomic.Int64
			over := make(chan int64, files)
			j := newJudging(t.Context(), e, &flags, func(context.Context, *answer) {})
			defer j.scheduler.Close()
			r := startReading(t.Context(), e, j, bounds{32, 1000}, inputs, func(own env, in input) *fileReport {
				name := in.path
				read.Add(1)
				if n := held.Add(1); n > int64(most) {
					over <- n
				}
				fmt.Fprintf(own.stderr, "file %s\n", name)
				return &fileReport{name: name, in: design.New(name, nil, 0, text, design.Options{})}
			})
			at := 0
			for f := range r.read {
				if want := fmt.Sprintf("file %d\n", at); f.name != inputs[at].path || string(f.messages) != want {
					t.Fatalf("file %d is %s, and says %q", at, f.name, f.messages)
				}
				at++
				held.Add(-1)
				r.release(f)
			}
			if at != files || int(read.Load()) != files || said.Len() > 0 {
				t.Errorf("%d of %d files, %d read; said aside: %q", at, files, read.Load(), said.String())
			}
			select {
			case n := <-over:
				t.Errorf("%d files at once, expected at most %d", n, most)
			default:
			}
		})
	}
	check("small", 300, 10, 32)
	check("large", 20, 501, 2)
	check("huge", 5, 2000, 1)

	t.Run("ended", func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		flags := checkFlags{workers: 1, engine: engines.Default()}
		e := env{stderr: &bytes.Buffer{}}
		j := newJudging(t.Context(), e, &flags, func(context.Context, *answer) {})
		defer j.scheduler.Close()
		r := startReading(ctx, e, j, bounds{32, 1000}, make([]input, 320), func(env, input) *fileReport { return &fileReport{} })
		<-r.read
		end()
		n := 1
		for range r.read {
			n++
		}
		if n > 32 {
			t.Errorf("%d files were read of a command that has ended", n)
		}
	})
}
