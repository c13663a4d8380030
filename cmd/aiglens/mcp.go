package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"aiglens/docs"
	"aiglens/internal/agents"
	"aiglens/internal/files"
)

// serveAgents runs the server for agents until its client leaves.
func serveAgents(ctx context.Context, e env, args []string) int {
	var folders, writable stringList
	answer, text := size(64<<10), size(8<<20)
	fs := newFlags("mcp")
	fs.Var(&folders, "folder", "a `folder` below which files may be read, the present one unless another is named; may be repeated")
	fs.Var(&writable, "write", "a `folder` below which files may also be replaced, by the tool that formats; may be repeated")
	calls := fs.Int("calls", 0, "calls that run at a time, 0 for as many as there are processors")
	fs.Var(&answer, "answer", "largest `size` of an answer; the rest is handed out when it is asked for")
	fs.Var(&text, "text", "largest `size` of a text in the place of a file")
	named, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(named) > 0:
		return problem(e, "mcp takes no file: --folder says which files may be read")
	case *calls < 0:
		return problem(e, "--calls must not be less than 0")
	case min(answer, text) < 1<<10:
		return problem(e, "--answer and --text must not be less than 1K")
	}
	o := agents.Options{Calls: cmp.Or(*calls, runtime.NumCPU()), Answer: int(answer), Text: int(text)}
	if len(folders)+len(writable) == 0 {
		folders = stringList{"."}
	}
	for _, list := range []struct {
		flag  string
		paths stringList
		to    *[]*files.Folder
	}{{"folder", slices.Concat(folders, writable), &o.Folders}, {"write", writable, &o.Writable}} {
		for _, path := range list.paths {
			opened, err := files.OpenFolder(path)
			if err != nil {
				return problem(e, "--%s %s: %v", list.flag, path, withoutName(err))
			}
			defer opened.Close()
			*list.to = append(*list.to, opened)
		}
	}
	program, err := os.Executable()
	if err != nil {
		return problem(e, "no call can be started: %v", err)
	}
	err = agents.Serve(ctx, agents.Program{Version: versionText(), Run: agents.Process(program, callName), Flags: flagsForAgents, Pages: pagesForAgents()},
		o, io.NopCloser(e.stdin), nopCloser{e.stdout})
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) && !isUnwritten(err) {
		return problem(e, "%v", err)
	}
	return exitOK
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// callName is the command that runs one call of an agent.
const callName = "call"

// answerCall runs one call of an agent, which a server for agents has sent.
func answerCall(ctx context.Context, e env, args []string) int {
	fs := newFlags(callName)
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) > 0:
		return problem(e, "call takes no file: a server for agents starts it")
	}
	code, err := agents.Answer(ctx, e.stdin, e.stdout, e.stderr, func(ctx context.Context, c agents.Command) int {
		return run(ctx, env{
			stdin: c.Stdin, stdout: c.Stdout, stderr: plainWriter{c.Stderr}, partial: e.partial, write: c.Write,
			terminal: &terminal{tell: c.Progress, every: progressForAgents},
		}, c.Args)
	})
	if err != nil {
		return problem(e, "%v", err)
	}
	return code
}

// flagsForAgents describes the flags of a command.
func flagsForAgents(command string) map[string]agents.Flag {
	c, ok := commandNamed(command)
	if !ok {
		panic(fmt.Sprintf("there is no command %s", command))
	}
	all := map[string]agents.Flag{}
	for _, f := range describe(c, flagsOf(c)).flags {
		all[strings.TrimLeft(f.name, "-")] = agents.Flag{Value: f.value, Text: f.text, Initial: f.initial, Repeats: f.repeats, Choices: f.choices}
	}
	return all
}

// pagesForAgents are what agents may read.
func pagesForAgents() (all []agents.Page) {
	for _, p := range docs.Diagnostics {
		all = append(all, agents.Page{Path: p.Name, Title: "Diagnostics of " + p.Format, Text: p.Text})
	}
	for _, p := range docs.ForAgents {
		all = append(all, agents.Page{Path: p.Name, Title: p.Title, Text: p.Text})
	}
	return all
}
