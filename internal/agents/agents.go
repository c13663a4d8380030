// Package agents serves programs that act for people, such as those that drive a language model, over the
// Model Context Protocol: tools that run commands of the shell, and pages to read.
//
// A tool has no logic of its own. It turns its arguments into a command line, runs the command, and hands
// out what that printed, so that an agent reads the answers that a person reads. What the package adds are
// bounds: on the files that may be read, on the length of an answer, on how many calls run at a time.
package agents

import (
	"context"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aiglens/internal/files"
)

// Program is what the tools run.
type Program struct {
	Version string
	// Run runs a command until it is done, or ctx ends, and returns its exit code: 2 for wrong arguments.
	// An error says why there is none.
	Run func(ctx context.Context, c Call) (int, error)
	// Flags returns what the flags of a command mean.
	Flags func(command string) map[string]Flag
	Pages []Page
}

// Call is a command that the server has run in a process.
type Call struct {
	Args  []string // the name of the command, and what follows
	Stdin string
	View  files.View // what it may read
	// Writable are the folders below which it may replace a file; without one it writes nothing. Overwrites says that it
	// replaces whatever the file is, and not only what it has read.
	Writable   []*files.Folder
	Overwrites bool

	Stdout, Stderr io.Writer
	Progress       func(words string)             // is told from time to time how far the command is
	Take           func(name string, data []byte) // takes what it would write, and what was in the place of what it wrote
}

// Command is what the process of a call runs.
type Command struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Progress       func(words string)
	// Write takes a file that the command writes, and what the command knows of it, nil for nothing. It returns what
	// the file was where it has replaced one.
	Write func(name string, old, data []byte) (before []byte, err error)
}

// Flag is a flag of a command.
type Flag struct {
	Value   string // the word for its value; "" of one that is only set or not
	Text    string
	Initial string // the value where it is not given; "" for none, or one that is not worth saying
	Repeats bool
	Choices []string // nil where any value may do
}

// Page is a text that agents may read.
type Page struct {
	Path, Title string // the address is aiglens://Path
	Text        string
}

// Options are what an agent may do.
type Options struct {
	// Folders are those below which files may be read; the first is where relative paths begin.
	Folders []*files.Folder
	// Writable are those below which a tool that is asked to may replace the content of files.
	Writable []*files.Folder
	// Calls is how many run at a time.
	Calls int
	// Answer bounds an answer in bytes, and Text a text that is given with a call.
	Answer, Text int
}

// Serve answers an agent until it is gone or ctx ends.
func Serve(ctx context.Context, p Program, o Options, in io.ReadCloser, out io.WriteCloser) error {
	answers := &whole{WriteCloser: out}
	messages := struct {
		io.Reader
		io.Closer
	}{bound(in, answers, longestMessage(o.Text)), in}
	return newServer(p, o).mcp().Run(ctx, &mcp.IOTransport{Reader: messages, Writer: answers, MaxLineLength: -1})
}

// longestMessage bounds a message in bytes: a text, of which each byte may be escaped, and what is around it.
func longestMessage(text int) int { return 6*text + 1<<16 }
