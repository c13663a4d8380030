package agents

import (
	"bytes"
	"context"
	"crypto/sha256"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// written are the files of one call. The goroutines of a command may write at once.
type written struct {
	shelf *shelf
	mu    sync.Mutex
	files []file // guarded by mu
}

func (w *written) put(name string, _, data []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = append(w.files, file{filepath.ToSlash(name), len(data), fmt.Sprintf("%x", sha256.Sum256(data)), w.shelf.put(data)})
	return nil, nil
}

// longest is how long a call may take where it says nothing.
const longest = 2 * time.Minute

// errLate ends a call whose time has passed.
var errLate = errors.New("the time of the call has passed")

// call runs the command of a tool.
func (s *server) call(ctx context.Context, t tool, given values, tell func(string)) (a answer, err error) {
	wall := longest
	if w := given.text(within); w != "" {
		if wall, err = time.ParseDuration(w); err != nil || wall <= 0 {
			return a, fmt.Errorf("%s: expected a time such as 90s", within)
		}
	}
	view, paths, err := s.read(ctx, t, given)
	if err != nil {
		return a, err
	}
	args := commandLine(t, given)
	if given.is(certificates.name) {
		args = append(args, "--witness=.", "--certificate=.")
	}
	var operands []string
	var stdin string
	if operands = paths; t.operands != nil {
		operands, stdin = t.operands(paths, given)
	}
	// What follows the files are no flags, whatever it begins with.
	args = append(append(args, "--"), operands...)

	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return a, context.Cause(ctx)
	}
	limited, cancel := context.WithTimeoutCause(view.In(ctx), wall, errLate)
	defer cancel()
	out, said := printed{most: shelfBytes, fault: errTooMuch}, printed{most: mostNotes}
	written := written{shelf: s.kept}
	write := written.put
	if given.is(inPlace) {
		if given.text(t.inputs[0]) == "" {
			return a, fmt.Errorf("%s needs %s, the path of the file that is written", inPlace, t.inputs[0])
		}
		write = func(name string, old, data []byte) ([]byte, error) {
			if given[t.inputs[0]+textOf] != nil {
				old = nil // it is the text that came with the call, which takes the place of any
			}
			before, err := files.View{Folders: s.options.Writable}.Rewrite(name, old, data)
			if outside, is := errors.AsType[*files.OutsideError](err); is {
				return nil, fmt.Errorf("%s lies outside the folders of --write", outside.Path)
			}
			if err == nil {
				_, err = written.put(name+" before", nil, before)
			}
			return before, err
		}
	}
	a.ExitCode = s.program.Run(limited, Call{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &said, Progress: tell, Write: write})
	a.Files = written.files
	if ctx.Err() != nil {
		return a, context.Cause(ctx)
	}
	a.Notes = slices.DeleteFunc(strings.Split(string(said.bytes()), "\n"), func(line string) bool { return line == "" })
	if limited.Err() != nil {
		a.Notes = append(a.Notes, fmt.Sprintf("ended after %s, the limit of the call: %s raises it", wall, within))
	}
	if text := out.bytes(); utf8.Valid(text) {
		s.fill(&a, text)
	} else { // a binary circuit
		_, _ = written.put("answer", nil, text)
		a.Files = written.files
	}
	return a, nil
}

// read returns which files a call may read, and the paths of those that it names.
func (s *server) read(ctx context.Context, t tool, given values) (view files.View, paths []string, err error) {
	view = files.View{Folders: s.options.Folders, Texts: map[string][]byte{}}
	for _, name := range t.inputs {
		path := s.pathOf(given.text(name))
		if content, isText := given[name+textOf].(string); isText {
			if path == "" {
				path = name
			}
			if len(content) > s.options.Text {
				return view, nil, fmt.Errorf("%s: a text may have at most %s: put it into a file", name+textOf, files.Size(int64(s.options.Text)))
			}
			view.Texts[path] = []byte(content)
		} else if _, err := files.Stat(view.In(ctx), path); err != nil {
			if fault, is := errors.AsType[*fs.PathError](err); is {
				err = fmt.Errorf("%s: %w", path, fault.Err)
			}
			return view, nil, err
		}
		paths = append(paths, path)
	}
	return view, paths, nil
}

// pathOf returns the path of a file that an agent names; "" for one without a name.
func (s *server) pathOf(name string) string {
	if name != "" && !filepath.IsAbs(name) && len(s.options.Folders) > 0 {
		return filepath.Join(s.options.Folders[0].Path(), name)
	}
	return name
}

// fill puts what a command has printed into its answer, as far as there is room.
func (s *server) fill(a *answer, printed []byte) {
	if len(bytes.TrimSpace(printed)) == 0 {
		return
	}
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
