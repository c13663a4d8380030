package agents

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"aiglens/internal/files"
)

// answer is what a tool has found.
type answer struct {
	ExitCode int                  `json:"exitCode"`          // of the command: docs/commands.md says what it means
	Lines    []stdjson.RawMessage `json:"answers,omitempty"` // what it printed for programs
	Text     string               `json:"text,omitempty"`    // or for people
	Notes    []string             `json:"notes,omitempty"`   // what it said beside
	Files    []file               `json:"files,omitempty"`
	More     string               `json:"more,omitempty"` // the tool 'more' has the rest under this name
}

// file is one that a command has written, kept for the agent.
type file struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
	More   string `json:"more"` // the tool 'more' has its content under this name
}

// longest is how long a call may take where it says nothing.
const longest = 2 * time.Minute

// errLate ends a call whose time has passed.
var errLate = errors.New("the time of the call has passed")

// call runs the command of a tool.
func (s *server) call(ctx context.Context, t tool, given values, tell func(string)) (a answer, err error) {
	wall := longest
	if w := given.text(within); w != "" {
		if wall, err = time.ParseDuration(w); err != nil || wall < 100*time.Millisecond {
			return a, fmt.Errorf("%s: expected a time such as 90s, from 100ms on", within)
		}
	}
	end := time.Now().Add(wall)
	limited, cancel := context.WithDeadlineCause(ctx, end, errLate)
	defer cancel()
	view, paths, err := s.read(limited, t, given)
	if err != nil {
		return a, err
	}
	c := Call{View: view, Progress: tell}
	if given.is(inPlace) {
		if given.text(t.inputs[0]) == "" {
			return a, fmt.Errorf("%s needs %s, the path of the file that is written", inPlace, t.inputs[0])
		}
		// A text that came with the call takes the place of any.
		c.Writable, c.Overwrites = s.options.Writable, given[t.inputs[0]+textOf] != nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-limited.Done():
		return a, fmt.Errorf("%w while the call waited for its turn: %s raises it", context.Cause(limited), within)
	}

	if !time.Now().Before(end) {
		return a, errLate
	}
	args := commandLine(t, given)
	if given.is(certificates.name) {
		args = append(args, "--witness=.", "--certificate=.")
	}
	stop := end // when the command ends by itself
	if _, has := s.program.Flags(t.command)["deadline"]; has {
		// What is found by then is the answer, and there is time to say so.
		left := time.Until(end)
		stop = end.Add(-min(left/10, 2*time.Second))
		args = append(args, "--deadline="+max(time.Until(stop), time.Millisecond).String())
	}
	operands, stdin := paths, ""
	if t.operands != nil {
		operands, stdin = t.operands(paths, given)
	}
	// What follows the files are no flags, whatever it begins with.
	args = append(append(args, "--"), operands...)
	out, said := capped{most: shelfBytes}, capped{most: mostNotes}
	var contents [][]byte
	take := func(name string, data []byte) {
		a.Files = append(a.Files, file{Name: filepath.ToSlash(name), Bytes: len(data), SHA256: fmt.Sprintf("%x", sha256.Sum256(data))})
		contents = append(contents, data)
	}
	c.Args, c.Stdin, c.Stdout, c.Stderr, c.Take = args, stdin, &out, &said, take
	a.ExitCode, err = s.program.Run(limited, c)
	isWritten := c.Writable != nil && len(contents) > 0 // what a file was is told in any case
	switch {
	case ctx.Err() != nil && !isWritten:
		return a, context.Cause(ctx)
	case err != nil && !isWritten && out.kept.Len() == 0:
		return a, err
	case err != nil:
		a.ExitCode = exitUnknown
		a.Notes = append(a.Notes, "the answer is not complete: "+err.Error())
	}
	a.note(said.kept.String(), s.options.Answer/4)
	if !time.Now().Before(stop) {
		a.Notes = append(a.Notes, fmt.Sprintf("ended after %s, the limit of the call: %s raises it", wall, within))
	}
	if out.isFull {
		a.Notes = append(a.Notes, "the output is longer than "+files.Size(shelfBytes)+": its end is missing")
	}
	if printed := out.kept.Bytes(); utf8.Valid(printed) {
		s.fill(&a, printed)
	} else { // a binary circuit
		take("answer", printed)
	}
	for i, content := range contents {
		a.Files[i].More = s.kept.put(content)
	}
	return a, nil
}

// longestNote bounds a line of what a command has said, in bytes.
const longestNote = 2000

// note adds what a command has said, as far as there is room.
func (a *answer) note(said string, room int) {
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(line string) bool { return line == "" })
	for i, line := range lines {
		if len(line) > longestNote {
			line = strings.ToValidUTF8(line[:longestNote], "") + "…"
		}
		if room -= len(line); room < 0 && i > 0 {
			a.Notes = append(a.Notes, fmt.Sprintf("%d more lines", len(lines)-i))
			return
		}
		a.Notes = append(a.Notes, line)
	}
}

// read returns what a call may read, and the paths of the files that it names.
func (s *server) read(ctx context.Context, t tool, given values) (view files.View, paths []string, err error) {
	view = files.View{Folders: s.options.Folders, Texts: map[string][]byte{}}
	for _, name := range t.inputs {
		content, isText := given[name+textOf].(string)
		path := s.pathOf(cmp.Or(given.text(name), name))
		if isText && slices.Contains(paths, path) || !isText && view.Texts[path] != nil {
			return view, nil, fmt.Errorf("%s: another input has this name: give the text another one", name)
		}
		info, err := files.Stat(view.In(ctx), path)
		switch {
		case isText && len(content) > s.options.Text:
			return view, nil, fmt.Errorf("%s: a text may have at most %s: put it into a file", name+textOf, files.Size(int64(s.options.Text)))
		case isText && err == nil && info.IsDir():
			return view, nil, fmt.Errorf("%s: %s is a folder", name, path)
		case isText:
			view.Texts[path] = []byte(content)
		case err != nil:
			if fault, is := errors.AsType[*fs.PathError](err); is {
				err = fmt.Errorf("%s: %w", path, fault.Err)
			}
			return view, nil, err
		}
		paths = append(paths, path)
	}
	return view, paths, nil
}

// pathOf returns the path of a file that an agent names, as the process of the call knows it.
func (s *server) pathOf(name string) string {
	for _, f := range s.options.Folders {
		if real, ok := f.Real(name); ok && filepath.IsAbs(name) {
			return real
		}
	}
	if !filepath.IsAbs(name) && len(s.options.Folders) > 0 {
		return filepath.Join(s.options.Folders[0].Path(), name)
	}
	return name
}

// fill puts what a command has printed into its answer, as far as there is room.
func (s *server) fill(a *answer, printed []byte) {
	room := s.options.Answer
	if lines, ok := jsonLines(bytes.TrimSpace(printed)); ok {
		fits := 0
		for fits < len(lines) && room >= len(lines[fits]) {
			room -= len(lines[fits])
			fits++
		}
		a.Lines = lines[:fits]
		if fits < len(lines) {
			a.More = s.kept.put(bytes.Join(byteSlices(lines[fits:]), []byte("\n")))
			a.Notes = append(a.Notes, "'more' has the other lines of JSON, as text")
		}
		return
	}
	first, rest := cut(printed, room)
	if a.Text = string(first); len(rest) > 0 {
		a.More = s.kept.put(rest)
	}
}

func byteSlices(lines []stdjson.RawMessage) (all [][]byte) {
	for _, line := range lines {
		all = append(all, line)
	}
	return all
}

// jsonLines returns the lines of a text each of which is JSON, or the whole text if that is.
func jsonLines(text []byte) (lines []stdjson.RawMessage, ok bool) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !stdjson.Valid(line) || line[0] != '{' {
			if text[0] == '{' && stdjson.Valid(text) {
				var compact bytes.Buffer
				_ = stdjson.Compact(&compact, text)
				return []stdjson.RawMessage{compact.Bytes()}, true
			}
			return nil, false
		}
		lines = append(lines, line)
	}
	return lines, true
}
