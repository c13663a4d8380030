package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"aiglens/docs"
	"aiglens/ic3/verify"
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
	var memory size
	fs.Var(&memory, "memory", "heap `size` at which the calls that run end, such as 2G; 0 is about half of the memory of this machine")
	named, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(named) > 0:
		return problem(e, "mcp takes no file: --folder says which files may be read")
	case *calls < 0:
		return problem(e, "--calls must not be less than 0")
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
	limits, cache := verify.Limits{Memory: cmp.Or(int64(memory), halfTheMemory())}, newRecent(recentResults)
	runs := func(ctx context.Context, c agents.Call) int { return e.runForAgent(ctx, c, limits, cache) }
	err := agents.Serve(ctx, agents.Program{Version: versionText(), Run: runs, Flags: flagsForAgents, Pages: pagesForAgents()},
		o, io.NopCloser(e.stdin), nopCloser{e.stdout})
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) && !isUnwritten(err) {
		return problem(e, "%v", err)
	}
	return exitOK
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// halfTheMemory returns about half of the memory of this machine, in bytes.
func halfTheMemory() int64 { return 32 * files.DefaultLimit() }

// agentCall is what a command does for an agent in another way than for people: it writes no file, and results
// are kept as long as the server runs.
type agentCall struct {
	write func(name string, old, data []byte) (before []byte, err error)
	cache verify.Cache
}

// runForAgent runs a command within the limits of all commands together.
func (e env) runForAgent(ctx context.Context, c agents.Call, limits verify.Limits, cache verify.Cache) int {
	limited, stop := verify.WithLimits(ctx, limits)
	defer stop()
	code := run(limited, env{
		stdin: c.Stdin, stdout: c.Stdout, stderr: plainWriter{c.Stderr}, partial: e.partial,
		terminal: &terminal{tell: c.Progress, every: progressForAgents}, agent: &agentCall{c.Write, cache},
	}, c.Args)
	if limited.Err() != nil && ctx.Err() == nil {
		fmt.Fprintf(c.Stderr, "aiglens: ended at the %s of the server, of all calls together: --memory raises it\n", verify.ReasonFor(limited, limited.Err()))
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
