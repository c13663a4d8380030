package main

import (
	"fmt"
	"sync"
	"time"

	"aiglens/design/answers"
	"aiglens/ic3/verify"
)

// progressLine is the status line of a command that checks.
type progressLine struct {
	screen *terminal

	mu sync.Mutex // guards all below
	// at is the number of the file whose answers are awaited, from 1, of so many.
	at, of int
	// subject is the check that the line is about, while that reports.
	subject  verify.ID
	reported time.Time
}

// subjectFor is how long the status line stays with a check that does not report: its turn may be over.
const subjectFor = time.Second

func newProgressLine(e env) *progressLine {
	return &progressLine{screen: e.terminal}
}

// show shows how far a check is. Of several at a time the line is about one, until that is done.
func (p *progressLine) show(id verify.ID, a *answer, progress verify.Progress, elapsed time.Duration) {
	if p.screen == nil || !p.isAbout(id) {
		return
	}
	p.write(func() statusLine {
		p.mu.Lock()
		defer p.mu.Unlock()
		files := ""
		if p.of > 1 {
			files = fmt.Sprintf("%d of %d files · ", p.at, p.of)
		}
		return statusLine{files, a.in.URI, fmt.Sprintf(": %s: %.0f s · depth %d · %s · %s", label(a), elapsed.Seconds(), progress.Depth,
			answers.Count(progress.Lemmas, "lemma", "lemmas"), answers.Count(progress.Obligations, "obligation", "obligations"))}
	})
}

// isAbout reports whether the line is about a check that reports.
func (p *progressLine) isAbout(id verify.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.subject != id && time.Since(p.reported) < subjectFor {
		return false
	}
	p.subject, p.reported = id, time.Now()
	return true
}

// done says that a check is done: the line may be about another.
func (p *progressLine) done(id verify.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.subject == id {
		p.reported = time.Time{}
	}
}

// write shows a line, unless the one before has just been shown.
func (p *progressLine) write(line func() statusLine) { p.screen.show(line) }

// begin says that the answers of the next file are awaited.
func (p *progressLine) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at++
}

func (p *progressLine) clear() { p.screen.clear() }
