package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// screen is what a person sees of a terminal: rows of so many columns, of which one that is full
// goes on in the next.
type screen struct {
	t       *testing.T
	columns int
	rows    []screenRow
	at, x   int    // the cursor
	rest    []byte // of a sequence that has not ended
	styles  int    // how many changes of style were sent
	savedAt int
	savedX  int
	// see is called after each character.
	see func()
}

type screenRow struct {
	text   []rune
	isFull bool // it goes on in the next
}

func newScreen(t *testing.T, columns int) *screen {
	return &screen{t: t, columns: columns, rows: make([]screenRow, 1)}
}

func (s *screen) Write(data []byte) (int, error) {
	s.rest = append(s.rest, data...)
	for len(s.rest) > 0 && (utf8.FullRune(s.rest)) {
		r, size := utf8.DecodeRune(s.rest)
		if r == '\x1b' {
			end := bytes.IndexAny(s.rest, "ABKm")
			if len(s.rest) > 1 && s.rest[1] != '[' {
				end = 1
			}
			if end < 0 {
				break
			}
			s.obey(string(s.rest[1 : end+1]))
			size = end + 1
		} else {
			s.put(r)
		}
		s.rest = s.rest[size:]
		if s.see != nil {
			s.see()
		}
	}
	return len(data), nil
}

func (s *screen) obey(sequence string) {
	switch {
	case sequence == "[K":
		s.rows[s.at].text = s.rows[s.at].text[:min(s.x, len(s.rows[s.at].text))]
		s.rows[s.at].isFull = false
	case sequence == "[B":
		s.at = min(s.at+1, len(s.rows)-1)
	case sequence == "7":
		s.savedAt, s.savedX = s.at, s.x
	case sequence == "8":
		s.at, s.x = s.savedAt, s.savedX
	case strings.HasSuffix(sequence, "m"):
		s.styles++
	default:
		s.t.Errorf("unexpected sequence %q", sequence)
	}
}

func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.x = 0
		return
	case '\n':
		s.at++
		s.x = 0
	default:
		if s.x == s.columns {
			s.rows[s.at].isFull = true
			s.at++
			s.x = 0
		}
	}
	if s.at == len(s.rows) {
		s.rows = append(s.rows, screenRow{})
	}
	if r == '\n' {
		return
	}
	row := &s.rows[s.at]
	if s.x < len(row.text) {
		row.text[s.x] = r
	} else {
		row.text = append(row.text, r)
	}
	s.x++
}

// lines returns the lines, whatever rows they take. Below the cursor there are no empty ones.
func (s *screen) lines() (all []string) {
	line, end := "", len(s.rows)
	for end-1 > s.at && len(s.rows[end-1].text) == 0 {
		end--
	}
	for _, row := range s.rows[:end] {
		line += string(row.text)
		if !row.isFull {
			all, line = append(all, line), ""
		}
	}
	return all
}

// resize wraps all lines again, as most terminals do; the cursor stays on its character.
func (s *screen) resize(columns int) {
	line, offset := 0, s.x // of the cursor
	for i := s.at - 1; i >= 0 && s.rows[i].isFull; i-- {
		offset += len(s.rows[i].text)
	}
	for _, row := range s.rows[:s.at] {
		if !row.isFull {
			line++
		}
	}
	all := s.lines()
	s.rows, s.columns = nil, columns
	for i, text := range all {
		begin := len(s.rows)
		left := []rune(text)
		for len(left) > columns {
			s.rows = append(s.rows, screenRow{left[:columns:columns], true})
			left = left[columns:]
		}
		s.rows = append(s.rows, screenRow{left, false})
		if i == line {
			s.at, s.x = begin+offset/columns, offset%columns
		}
	}
}

// statuses returns how many rows show a status line, and whether one is not whole.
func (s *screen) statuses() (n int, wrapped bool) {
	for i, row := range s.rows {
		if strings.Contains(string(row.text), " of 60 files · ") {
			n++
			wrapped = wrapped || row.isFull || i > 0 && s.rows[i-1].isFull
		}
	}
	return n, wrapped
}

// sixty returns a folder of 60 circuits, of which each has a property that holds.
func sixty(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sub := filepath.Join(dir, "a folder with a name that is too long for a line of sixty columns")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		folder := dir
		if i%2 == 0 {
			folder = sub
		}
		name := filepath.Join(folder, fmt.Sprintf("circuit%02d.aag", i))
		// The latch stays 0; outputs are taken as properties, of which check has a remark.
		if err := os.WriteFile(name, []byte("aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2\ni0 press\nl0 red\no0 property_with_a_long_name\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var elapsed = regexp.MustCompile(`[0-9.]+ s\b`)

// TestStatusLine: of a check of a folder a terminal shows one status line at most, which is never
// wider than the terminal, and at the end what others see, who get no status line.
func TestStatusLine(t *testing.T) {
	args := []string{"check", "--no-cache", sixty(t)}
	var piped bytes.Buffer
	if code := run(t.Context(), env{stdout: &piped, stderr: &piped}, args); code != exitOK {
		t.Fatalf("exits with %d\n%s", code, piped.String())
	}
	want := elapsed.ReplaceAllString(piped.String(), "")
	if strings.Contains(want, "\x1b") || strings.Contains(want, " files · ") {
		t.Errorf("a pipe gets a status line\n%s", want)
	}
	for _, columns := range []int{20, 60, 80, 100} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			s := newScreen(t, columns)
			most := 0
			s.see = func() {
				n, wrapped := s.statuses()
				if most = max(most, n); n > 1 || wrapped {
					t.Fatalf("%d status lines, of which one is wrapped: %v\n%s", n, wrapped, strings.Join(s.lines(), "\n"))
				}
			}
			live := &terminal{w: s, columns: func() int { return s.columns }, colours: true}
			e := env{stdout: live.above(s), stderr: live.above(s), terminal: live}
			if code := run(t.Context(), e, args); code != exitOK {
				t.Fatalf("exits with %d", code)
			}
			if most != 1 {
				t.Error("there was no status line")
			}
			if s.styles == 0 {
				t.Error("there were no colours")
			}
			// A summary is for terminals alone.
			lines := slices.DeleteFunc(s.lines(), func(line string) bool { return strings.HasPrefix(line, "60 proved, 0 refuted") })
			if got := elapsed.ReplaceAllString(strings.Join(lines, "\n"), ""); got != want {
				t.Errorf("%s\n--- expected\n%s", got, want)
			}
		})
	}
}

// TestResizedTerminal: a terminal that becomes narrower wraps the status line. Nothing of that remains.
func TestResizedTerminal(t *testing.T) {
	s := newScreen(t, 100)
	live := &terminal{w: s, columns: func() int { return s.columns }}
	out := live.above(s)
	fmt.Fprintln(out, strings.Repeat("a result that is longer than the terminal is wide ", 3))
	results := s.lines()[0] + "|"
	for _, columns := range []int{100, 60, 45, 20, 80, 33} {
		s.resize(columns)
		if columns == 45 {
			fmt.Fprintln(out, "a result")
			results += "a result|"
		}
		live.show(func() statusLine {
			return statusLine{"5 of 60 files · ", strings.Repeat("a folder/", 20), ": bad:0: depth 3"}
		})
		if n, wrapped := s.statuses(); n != 1 || wrapped {
			t.Errorf("%d columns: %d status lines, of which one is wrapped: %v", columns, n, wrapped)
		}
		all := s.lines()
		if got := strings.Join(all[:len(all)-1], "|") + "|"; got != results {
			t.Errorf("%d columns: %q, want %q", columns, got, results)
		}
	}
	s.resize(17)
	live.close()
	if got := strings.Join(s.lines(), "|"); got != results {
		t.Errorf("%q remains, want %q", got, results)
	}
}

// TestStatusFits: what does not fit loses the beginning of its name first.
func TestStatusFits(t *testing.T) {
	line := statusLine{"3 of 60 files · ", "/folder/of/circuits/ring.aag", ": bad:0: depth 3 · 17 lemmas"}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{100, "3 of 60 files · /folder/of/circuits/ring.aag: bad:0: depth 3 · 17 lemmas"},
		{60, "3 of 60 files · …its/ring.aag: bad:0: depth 3 · 17 lemmas"},
		{30, "3 of 60 files · ….aag: bad…"},
		{1, ""},
	} {
		got := line.fit(c.columns)
		if got != c.want {
			t.Errorf("%d columns: %q, want %q", c.columns, got, c.want)
		}
		if width(got) > c.columns {
			t.Errorf("%d columns: %q takes %d", c.columns, got, width(got))
		}
	}
	if got := (statusLine{"", "電路\n\t\x1b[31m.aag", ""}).fit(40); got != `電路  \x1b[31m.aag` {
		t.Errorf("%q", got)
	}
}

// TestStatusWaitsForTheLine: no status is written into a line that has not ended.
func TestStatusWaitsForTheLine(t *testing.T) {
	s := newScreen(t, 80)
	live := &terminal{w: s, columns: func() int { return 80 }}
	out := live.above(s)
	status := func() statusLine { return statusLine{"", "status", ""} }
	for _, text := range []string{"half of ", "a line", "\n"} {
		fmt.Fprint(out, text)
		live.show(status)
	}
	if got := strings.Join(s.lines(), "|"); got != "half of a line|status" {
		t.Error(got)
	}
	live.close()
	live.show(status)
	if got := strings.Join(s.lines(), "|"); got != "half of a line|" {
		t.Error(got)
	}
}

// stopped is a terminal that takes nothing, as after Control+S.
type stopped struct{ writing, goOn chan struct{} }

func (s stopped) Write(data []byte) (int, error) {
	select {
	case s.writing <- struct{}{}:
	case <-s.goOn:
	}
	<-s.goOn
	return len(data), nil
}

// TestCloseWithin: the end of the program waits no longer than it says for a terminal that takes nothing.
func TestCloseWithin(t *testing.T) {
	w := stopped{make(chan struct{}), make(chan struct{})}
	screen := &terminal{columns: func() int { return 80 }, w: w}
	shown := make(chan struct{})
	go func() {
		screen.show(func() statusLine { return statusLine{name: "busy"} })
		close(shown)
	}()
	<-w.writing
	screen.closeWithin(time.Millisecond)
	close(w.goOn)
	<-shown
}
