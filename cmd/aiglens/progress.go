package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"aiglens/ic3/verify"
)

// progressEvery bounds how often the live line changes.
const progressEvery = 100 * time.Millisecond

// progressLine is one line of a terminal that is written over and over.
type progressLine struct {
	mu    sync.Mutex // guards all below
	w     io.Writer  // nil: not a terminal
	last  time.Time
	shown bool
	// at is the number of the file whose answers are awaited, from 1, of so many.
	at, of int
}

func newProgressLine(e env) *progressLine {
	return &progressLine{w: e.terminal}
}

func (p *progressLine) show(a *answer, progress verify.Progress, elapsed time.Duration) {
	p.write(func() string {
		files := ""
		if p.of > 1 {
			files = fmt.Sprintf("%d of %d files · ", p.at, p.of)
		}
		return fmt.Sprintf("%s%s: %s: checking · depth %d · %d lemmas · %d obligations · %.0f s",
			files, a.in.URI, label(a), progress.Depth, progress.Lemmas, progress.Obligations, elapsed.Seconds())
	})
}

// write shows a line, unless the one before has just been shown. It calls line with the
// mutex locked.
func (p *progressLine) write(line func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprintf(p.w, "\r\x1b[K%s", plainText(line()))
}

// begin says that the answers of the next file are awaited.
func (p *progressLine) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at++
}

func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
