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
	"slices"
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
	// describe takes the flags of a command, which then does nothing else; nil: it does its work.
	describe func(*flag.FlagSet)
}

// command is one of the commands of the program.
type command struct {
	name, summary, usage string
	run                  func(ctx context.Context, e env, args []string) int
}

func commands() []command {
	return slices.Concat([]command{
		{"serve", "run the language server on standard input and output", "[--stdio] [--log LEVEL] [--cache DIR|off]", serve},
		{"check", "model-check the properties of circuits", "[flags] FILE|DIR…", check},
		{"lint", "print the diagnostics of circuits", "[flags] FILE|DIR…", lint},
		{"fmt", "print the canonical text, or write it to the file", "[-w | -d] FILE…", format},
		{"convert", "convert between aag (AIGER as text), aig (binary) and blif", "[-o OUT] [--to aag|aig|blif] [--force] FILE", convert},
		{"replay", "simulate a witness on a circuit", "[--witness FILE] [--to FORMAT] [-o OUT] [flags] FILE", replay},
		{"certify", "check the witness circuit of a model, as Certifaiger does", "[--format text|json] MODEL CERTIFICATE", checkWitness},
		{"cover", "find a run that makes a signal 1, or prove that there is none", "--signal NAME | --zero NAME | --latches [--to FORMAT] [-o OUT] [flags] FILE", coverSignals},
		{"equiv", "prove two circuits equal, output by output, or show a run in which they differ", "[--map FILE] [--combinational] [--bound N] [flags] A B", equivalence},
		{"suggest", "guess lemmas for a property that a check leaves without an answer", "[--index bad:0] [--try N] [flags] FILE", suggestLemmas},
		{"isolate", "find out which latches make a property hard, by leaving groups of them free", "[--index bad:0] [--each TIME] [flags] FILE", isolateHard},
		{"another", "find more counterexamples of a property, or the shortest with a proof", "[--index bad:0] [--count N | --shortest] [flags] FILE", anotherRuns},
	}, questionCommands(), []command{
		{"cone", "extract the cone of signals of a circuit as a new file", "--signal NAME [--levels N] [-o OUT] [--to aag|aig|blif] [--force] FILE", cutCone},
		{"draw", "draw what properties or signals depend on as a schematic", "[--signal NAME | --index KIND:N] [--nodes N] [--dot|--svg] [-o OUT] [--force] FILE", draw},
		{"reduce", "find the smallest circuit for which a command still exits with 0, or a verdict stays", "--while COMMAND | --while-verdict VERDICT | --while-crashes [-o OUT] [flags] FILE", reduce},
		{"hwmcc", "answer as the hardware model checking competition of 2025 calls its tools", "[flags] MODEL CERT_SAT CERT_UNSAT", compete},
		{"bench", "run sets of benchmarks, compare runs and report on them", "[flags] DIR… [-- CHECK-FLAGS]", benchmarks},
		{"cache", "show, test or clear the results of earlier runs", "show|verify|clear [--dir DIR] [--repair]", results},
		{"debug", "run a debug adapter: an editor's debugger walks through counterexamples, or simulates", "[--cache DIR|off]", debugAdapter},
		{"node", "work for a cluster of machines", "--join URL | --listen HOST:PORT [flags]", node},
		{"cluster", "show the state of a cluster, or cancel checks in it", "status --on URL [--watch] [--format text|json] [flags] | cancel --on URL KEY...|--all [flags]", clusterCommand},
		{"completion", "print the completion of commands and flags, as a script for a shell", "bash|zsh|fish", completion},
		{"man", "print the manual page, to be read with man -l", "", manualPage},
		{"worker", "run checks for a server, over standard input and output", "", work},
	})
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
		usage(e.stderr)
		return exitUsage
	}
	switch args[0] {
	case "--version", "-version", "version":
		printVersion(e)
		return exitOK
	case "--help", "-help", "-h", "help":
		usage(e.stdout)
		return exitOK
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, e, args[1:])
		}
	}
	fmt.Fprintf(e.stderr, "aiglens: there is no command %q; aiglens --help lists them\n", args[0])
	return exitUsage
}

func printVersion(e env) {
	fmt.Fprintf(e.stdout, "aiglens %s %s/%s\n", versionText(), runtime.GOOS, runtime.GOARCH)
}

func usage(w io.Writer) {
	fmt.Fprint(w, "aiglens: a language server and model checker for circuits in AIGER and BLIF\n\nusage: aiglens COMMAND [flags] FILE…\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\naiglens COMMAND --help says more; the file - is standard input.\n")
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

// newFlags returns the flag set of a command, which also knows --version.
func newFlags(name string, w io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(w)
	fs.Bool("version", false, "print the version")
	fs.Usage = func() {
		for _, c := range commands() {
			if c.name == name {
				fmt.Fprintf(fs.Output(), "usage: aiglens %s %s\n%s\n\n", c.name, c.usage, c.summary)
			}
		}
		fs.PrintDefaults()
	}
	return fs
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
			return nil, exitOK, true
		case err != nil:
			return nil, exitUsage, true
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
			return append(files, fs.Args()...), 0, false
		}
		if fs.NArg() == 0 {
			return files, 0, false
		}
		files = append(files, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// readOne parses the flags of a command about one file, and reads that. done says that the
// command has nothing more to do than to exit with code.
func readOne(ctx context.Context, fs *flag.FlagSet, e env, args []string, options *readFlags, validate func() error) (in *design.Design, code int, done bool) {
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return nil, code, true
	case len(files) != 1:
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
// exit code for that. A reportedError is not reported again.
func problem(e env, format string, args ...any) int {
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			if _, is := errors.AsType[*reportedError](err); is {
				return exitUsage
			}
		}
	}
	fmt.Fprintf(e.stderr, "aiglens: %s\n", strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
	return exitUsage
}

// reportedError is an error of which diagnostics on standard error have said why, and where.
type reportedError struct{ error }

func (e *reportedError) Unwrap() error { return e.error }
