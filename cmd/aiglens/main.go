// Command aiglens is a language server and a model checker for hardware
// circuits written as text. Here are its commands: flags, exit codes and what is
// printed. What is printed about a circuit is found out in the packages below.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"aiglens/design"
)

// version is set by the build (-ldflags -X); without it the module's own
// version stands in.
var version string

// Exit codes that every command shares.
const (
	exitOK    = 0
	exitUsage = 2 // bad usage or unreadable input
)

// env is what a command may touch of the world, so that tests can give it
// another one.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// terminal shows how far a command is, where stderr is a terminal; nil where it is none.
	terminal *terminal
	// onTerminal says that stdout is a terminal.
	onTerminal bool
	remarks    *remarks      // nil: a remark is written for each file
	partial    *partialFiles // nil: an interrupted command leaves its partial files
	// write takes a file that a command writes, with what it read of it before, and returns what was there; nil: it goes
	// to the disk.
	write func(name string, old, data []byte) (before []byte, err error)
	// describe takes the flags of a command, which then does nothing else; nil: it does its work.
	describe func(*flag.FlagSet)
}

// run dispatches to a command and returns the exit code. A result that could not be written is no
// success, whatever the command has found out.
func run(ctx context.Context, e env, args []string) int {
	out := &standardOutput{w: e.stdout}
	e.stdout = out
	code := dispatch(ctx, e, args)
	if err := out.fault(); err != nil {
		return problem(e, "%v", err)
	}
	return code
}

// dispatch does what the arguments say, and returns the exit code.
func dispatch(ctx context.Context, e env, args []string) int {
	if len(args) == 0 {
		writeUsage(e.stderr)
		return exitUsage
	}
	switch args[0] {
	case "--version", "-version", "version":
		printVersion(e)
		return exitOK
	case "--help", "-help", "-h":
		writeUsage(e.stdout)
		return exitOK
	}
	if c, ok := commandNamed(args[0]); ok {
		return c.run(ctx, e, args[1:])
	}
	return noCommand(e, args[0])
}

func printVersion(e env) {
	fmt.Fprintf(e.stdout, "aiglens %s %s/%s\n", versionText(), runtime.GOOS, runtime.GOARCH)
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// parse reads flags that may stand before, between and after the files. done
// says that the command has nothing more to do than to exit with code.
func parse(fs *flag.FlagSet, e env, args []string) (files []string, code int, done bool) {
	if e.describe != nil {
		e.describe(fs)
		return nil, exitOK, true
	}
	for {
		err := fs.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			c, _ := commandNamed(fs.Name())
			writeHelp(e.stdout, describe(c, fs))
			return nil, exitOK, true
		case err != nil:
			return nil, problem(e, "%v", flagError(fs, err)), true
		}
		if fs.Lookup("version").Value.String() == "true" {
			printVersion(e)
			return nil, exitOK, true
		}
		if isSet(fs, "engine") && isSet(fs, "variant") {
			return nil, problem(e, "--variant runs instead of the engine: leave out --engine"), true
		}
		consumed := len(args) - fs.NArg()
		if consumed > 0 && args[consumed-1] == "--" {
			return joinSources(fs, append(files, fs.Args()...)), 0, false
		}
		if fs.NArg() == 0 {
			return joinSources(fs, files), 0, false
		}
		files = append(files, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// readOne parses the flags of a command about one file, and reads that. done says that the
// command has nothing more to do than to exit with code.
func readOne(ctx context.Context, fs *flag.FlagSet, e env, args []string, options *readFlags, validate func() error) (in *design.Design, code int, done bool) {
	files, code, done := parse(fs, e, args)
	if done {
		return nil, code, true
	}
	return readOnly(ctx, fs, e, files, options, validate)
}

// readOnly is readOne after the flags.
func readOnly(ctx context.Context, fs *flag.FlagSet, e env, files []string, options *readFlags, validate func() error) (in *design.Design, code int, done bool) {
	if len(files) != 1 {
		return nil, problem(e, "%s needs one file", fs.Name()), true
	}
	err := validate()
	if err == nil {
		in, err = read(ctx, e, files[0], options)
	}
	if err != nil {
		return nil, problem(e, "%v", err), true
	}
	return in, exitOK, false
}

// problem reports why a command cannot do what it was asked to and returns the
// exit code for that. A reportedError is not reported again, and an unbuiltError leaves
// the answer unknown.
func problem(e env, format string, args ...any) int {
	code := exitUsage
	for _, arg := range args {
		err, _ := arg.(error)
		if _, is := errors.AsType[*reportedError](err); is {
			return exitUsage
		}
		if _, is := errors.AsType[*unbuiltError](err); is {
			code = exitUnknown
		}
	}
	fmt.Fprintf(e.stderr, "aiglens: %s\n", strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	return code
}

// reportedError is an error of which diagnostics on standard error have said why, and where.
type reportedError struct{ error }

func (e *reportedError) Unwrap() error { return e.error }
