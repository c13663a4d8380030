package agents

import (
	"bufio"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"aiglens/internal/files"
)

// A call runs in a process of its own: its limits of memory and processor time count only what it uses itself, a
// fault ends nothing else, and what cannot be cancelled is killed.
//
// The process is a command of the program. It reads a request, then the end of its standard input, which cancels the
// call: so it also ends when the server is gone, unless it cannot be cancelled. Its standard output is that of the
// command, and its standard error has a line of JSON for each event.

// killAfter is how long a call that is cancelled may go on.
const killAfter = 2 * time.Second

// request is what the process is to do.
type request struct {
	Args       []string          `json:"args"`
	Stdin      string            `json:"stdin"`
	Folders    []string          `json:"folders"`
	Texts      map[string][]byte `json:"texts"`
	Writable   []string          `json:"writable,omitempty"`
	Overwrites bool              `json:"overwrites,omitempty"`
}

// event is what the process says beside what the command prints. It is about one thing.
type event struct {
	Said     string `json:"said,omitempty"`     // on standard error
	Progress string `json:"progress,omitempty"` // how far it is
	File     string `json:"file,omitempty"`     // the name of a file, for Take
	Data     []byte `json:"data,omitempty"`     // its content
	Code     *int   `json:"code,omitempty"`     // its exit code; the last event
}

// Process returns the Run of a Program that starts a command of a program for each call. That one calls Answer.
func Process(path string, args ...string) func(ctx context.Context, c Call) (int, error) {
	return func(ctx context.Context, c Call) (int, error) {
		process := exec.Command(path, args...)
		process.Stdout, process.WaitDelay = c.Stdout, killAfter
		in, err := process.StdinPipe()
		if err != nil {
			return 0, err
		}
		said, err := process.StderrPipe()
		if err != nil {
			return 0, err
		}
		if err := process.Start(); err != nil {
			return 0, err
		}
		end := context.AfterFunc(ctx, func() {
			in.Close()
			time.AfterFunc(killAfter, func() { _ = process.Process.Kill() }) // does nothing once it has ended
		})
		defer end()
		r := request{
			Args: c.Args, Stdin: c.Stdin, Folders: paths(c.View.Folders), Texts: c.View.Texts,
			Writable: paths(c.Writable), Overwrites: c.Overwrites,
		}
		go func() { _ = stdjson.NewEncoder(in).Encode(r) }() // a process that ends reads no more
		code, fault := follow(said, c)
		ended := process.Wait()
		switch {
		case code != nil:
			return *code, nil
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		default:
			return 0, fmt.Errorf("internal error: the process of the call has ended (%v) without an answer\n%s", ended, fault)
		}
	}
}

// follow hands on the events of a process until it ends. It returns the exit code of the command, nil where the process
// has not come to that, and what else it wrote, such as the trace of a panic.
func follow(said io.Reader, c Call) (code *int, fault string) {
	in := bufio.NewReader(said)
	var other strings.Builder
	for {
		line, err := in.ReadString('\n')
		var e event
		switch {
		case stdjson.Unmarshal([]byte(line), &e) != nil:
			if other.Len() < 1<<16 {
				other.WriteString(line)
			}
		case e.Code != nil:
			code = e.Code
		case e.File != "":
			c.Take(e.File, e.Data)
		case e.Progress != "":
			c.Progress(e.Progress)
		default:
			_, _ = io.WriteString(c.Stderr, e.Said)
		}
		if err != nil {
			return code, other.String()
		}
	}
}

func paths(folders []*files.Folder) (all []string) {
	for _, f := range folders {
		all = append(all, f.Path())
	}
	return all
}

func open(paths []string) (all []*files.Folder, err error) {
	for _, path := range paths {
		f, err := files.OpenFolder(path)
		if err == nil && f.Path() != path { // where the server has opened it
			err = fmt.Errorf("%s: another folder has this name now", path)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// Answer runs the call that comes from in as Process sends it, and writes its events to events. It returns the exit
// code of the command. The process is expected to end then: nothing that was opened is closed.
func Answer(ctx context.Context, in io.Reader, out, events io.Writer, run func(context.Context, Command) int) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	decoder := stdjson.NewDecoder(in)
	var r request
	if err := decoder.Decode(&r); err != nil {
		return 0, fmt.Errorf("no call: %w", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(decoder.Buffered(), in))
		cancel()
	}()
	folders, err := open(r.Folders)
	if err != nil {
		return 0, err
	}
	writable, err := open(r.Writable)
	if err != nil {
		return 0, err
	}
	view := files.View{Folders: folders, Texts: r.Texts}
	if view.IsAll() {
		return 0, errors.New("a call that says nothing about what it may read")
	}
	told := &teller{to: stdjson.NewEncoder(events)}
	c := Command{
		Args: r.Args, Stdin: strings.NewReader(r.Stdin), Stdout: out, Stderr: told,
		Progress: func(words string) { told.tell(event{Progress: words}) },
		Write:    func(name string, _, data []byte) ([]byte, error) { return nil, told.file(name, data) },
	}
	if len(writable) > 0 {
		c.Write = func(name string, old, data []byte) (before []byte, err error) {
			if r.Overwrites {
				old = nil
			}
			before, err = files.View{Folders: writable}.Rewrite(name, old, data, func(before []byte) error {
				return told.file(name+" before", before)
			})
			if outside, is := errors.AsType[*files.OutsideError](err); is {
				return nil, fmt.Errorf("%s lies outside the folders of --write", outside.Path)
			}
			return before, err
		}
	}
	code := run(view.In(ctx), c)
	told.tell(event{Code: &code})
	return code, nil
}

// teller writes events one at a time.
type teller struct {
	mu    sync.Mutex // guards all below
	to    *stdjson.Encoder
	taken int // bytes of files
}

func (t *teller) tell(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.to.Encode(e)
}

// Write tells what a command says.
func (t *teller) Write(text []byte) (int, error) {
	t.tell(event{Said: string(text)})
	return len(text), nil
}

// file tells of a file. All of a call have to find room among what is kept.
func (t *teller) file(name string, data []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken += len(data); t.taken > shelfBytes {
		return fmt.Errorf("%s: the files of a call may have at most %s", name, files.Size(shelfBytes))
	}
	return t.to.Encode(event{File: name, Data: data})
}
