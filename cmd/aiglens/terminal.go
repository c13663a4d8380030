package main

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progressEvery bounds how often the status line changes.
const progressEvery = 100 * time.Millisecond

// progressForAgents is how often an agent is told how far a call is, at most.
const progressForAgents = time.Second

// usualColumns is the width of a terminal that does not tell its own.
const usualColumns = 80

// terminal is standard error where that is a terminal. It shows one status line below what is
// printed, and takes it away before anything else is printed and at the end. The methods of a nil
// terminal do nothing.
//
// The cursor waits at the beginning of the status line. So nothing of the line remains either when
// the terminal has become narrower and has wrapped it: the rows from the cursor on are erased, one
// by one, for tmux keeps a screen that is erased as a whole in its history.
type terminal struct {
	columns func() int // the present width; 0 is unknown
	every   time.Duration
	colours bool
	tell    func(line string) // is told the status instead; nil for a terminal

	mu     sync.Mutex // guards all below
	w      io.Writer
	last   time.Time // when the line was shown last
	shown  int       // the width of the line; 0: there is none
	closed bool      // nothing is shown any more
	// within: what was printed last does not end its line, in which there is no room for a status.
	within bool
}

// statusLine is what the status line says. Where there is no room the name loses its beginning.
type statusLine struct{ before, name, after string }

// show shows a line, unless the one before has just been shown. It calls line only when it does.
func (t *terminal) show(line func() statusLine) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.within || time.Since(t.last) < t.every {
		return
	}
	if t.tell != nil {
		t.last = time.Now()
		l := line()
		t.tell(l.before + l.name + l.after)
		return
	}
	t.erase()
	text := line().fit(t.present() - 1)
	t.last, t.shown = time.Now(), width(text)
	if t.colours {
		text = faint + text + plainStyle
	}
	_, _ = io.WriteString(t.w, text+"\r")
}

// present returns the present width.
func (t *terminal) present() int {
	if columns := t.columns(); columns > 0 {
		return columns
	}
	return usualColumns
}

// clear takes the status line away.
func (t *terminal) clear() {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.erase()
	}
}

// close takes the status line away for good.
func (t *terminal) close() {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.erase()
		t.closed = true
	}
}

// closeWithin is close, unless that takes longer: a terminal that a user has stopped, with Control+S,
// takes nothing, and the command that writes to it holds mu.
func (t *terminal) closeWithin(d time.Duration) {
	closed := make(chan struct{})
	go func() {
		t.close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(d):
	}
}

// erase needs mu.
func (t *terminal) erase() {
	if t.shown == 0 {
		return
	}
	erase := "\r\x1b[K"
	if more := (t.shown - 1) / t.present(); more > 0 {
		erase += "\x1b7" + strings.Repeat("\x1b[B\x1b[K", more) + "\x1b8"
	}
	_, _ = io.WriteString(t.w, erase)
	t.shown = 0
}

// above returns a writer that prints on the same terminal, above the status line.
func (t *terminal) above(w io.Writer) io.Writer {
	if t == nil {
		return w
	}
	return &aboveStatus{t, w}
}

type aboveStatus struct {
	*terminal
	w io.Writer
}

func (a *aboveStatus) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.erase()
	if len(data) > 0 {
		a.within = data[len(data)-1] != '\n'
	}
	return a.w.Write(data)
}

// fit returns the line in so many columns at most.
func (s statusLine) fit(columns int) string {
	s = statusLine{oneLine(s.before), oneLine(s.name), oneLine(s.after)}
	// At least a fifth is for the end of the name.
	room := max(columns-width(s.before)-width(s.after), columns/5)
	if width(s.name) > room {
		s.name = "…" + lastColumns(s.name, room-width("…"))
	}
	text := s.before + s.name + s.after
	switch {
	case width(text) <= columns:
		return text
	case columns < width("…"):
		return ""
	}
	return firstColumns(text, columns-width("…")) + "…"
}

func oneLine(s string) string {
	return plainText(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}

// columnsOf is how many columns a character takes at most: terminals differ on those beyond ASCII.
func columnsOf(r rune) int {
	if r < 0x80 {
		return 1
	}
	return 2
}

func width(s string) (columns int) {
	for _, r := range s {
		columns += columnsOf(r)
	}
	return columns
}

// firstColumns returns as much of the beginning of a text as fits.
func firstColumns(s string, columns int) string {
	for i, r := range s {
		if columns -= columnsOf(r); columns < 0 {
			return s[:i]
		}
	}
	return s
}

// lastColumns returns as much of the end of a text as fits.
func lastColumns(s string, columns int) string {
	left := width(s)
	for i, r := range s {
		if left <= columns {
			return s[i:]
		}
		left -= columnsOf(r)
	}
	return ""
}

// The styles of text on a terminal with colours.
const (
	faint      = "\x1b[2m"
	red        = "\x1b[31m"
	green      = "\x1b[32m"
	yellow     = "\x1b[33m"
	plainStyle = "\x1b[m"
)

// hasColours reports whether what is written to w comes onto a terminal with colours.
func hasColours(w io.Writer) bool {
	if out, ok := w.(*standardOutput); ok {
		w = out.w
	}
	a, ok := w.(*aboveStatus)
	return ok && a.colours
}

// terminalOf returns the terminal behind a file; nil where there is none, or one that cannot move its
// cursor.
func terminalOf(f *os.File) *terminal {
	if !canMoveCursor(f) {
		return nil
	}
	return &terminal{
		columns: func() int { return columnsOfTerminal(f) },
		every:   progressEvery,
		colours: os.Getenv("NO_COLOR") == "",
		w:       f,
		last:    time.Now(), // what is done at once shows no status
	}
}
