package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"aiglens/design"
	"aiglens/design/verilogdesign"
	"aiglens/internal/files"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
)

// defaultSynthesis is how long Yosys may take.
const defaultSynthesis = 2 * time.Minute

// verilogFlags say what Verilog files mean. Those that are named together make one design, and so
// do the sources of aiglens.json where a file that is named is one of them.
type verilogFlags struct {
	top, reset, program string
	defines, include    stringList
	limit               time.Duration

	sources []string // that were named
	split   bool     // each file has the properties that stand in it

	designs *verilogGroups // nil for a command without these flags, which reads each file by itself
}

// verilogGroups are the designs of a command.
type verilogGroups struct {
	mu  sync.Mutex
	all []*verilogGroup // guarded by mu
}

// verilogGroup is one design, which is synthesised once.
type verilogGroup struct {
	sources          []string
	top, reset       string // of the flags, else of aiglens.json, as what follows
	defines, include []string
	once             sync.Once
	outcome          *verilogdesign.Synthesis
	err              error
}

func (f *verilogFlags) register(fs *flag.FlagSet) {
	f.limit, f.designs = defaultSynthesis, &verilogGroups{}
	fs.Var((*topFlag)(f), "top", "Verilog: the `module` to check; without it Yosys chooses")
	fs.StringVar(&f.reset, "reset", "", "Verilog: this `input` is active in the first step; with ! in front it is active at 0")
	fs.Var(&f.defines, "define", "Verilog: a macro, as `NAME=VALUE` or NAME; may be repeated")
	fs.Var(&f.include, "include", "Verilog: a `directory` of files to be included; may be repeated")
	fs.StringVar(&f.program, "yosys", "", "Verilog: the `program` that reads it; without it, yosys on the PATH")
	fs.Var((*duration)(&f.limit), "synthesis-timeout", "Verilog: wall `time` for Yosys; 0 is no limit")
}

// topFlag is the value of --top, by which parse finds the flags.
type topFlag verilogFlags

func (f *topFlag) Set(value string) error {
	if f.top = value; !synthesis.IsIdentifier(value) {
		return errors.New("expected the name of a module")
	}
	return nil
}

func (f *topFlag) String() string {
	if f == nil {
		return ""
	}
	return f.top
}

// joinSources puts one source in the place of all Verilog files among those that were named.
func joinSources(fs *flag.FlagSet, files []string) []string {
	top := fs.Lookup("top")
	if top == nil {
		return files
	}
	f, ok := top.Value.(*topFlag)
	if !ok {
		return files
	}
	var others []string
	for _, name := range files {
		switch {
		case !isVerilog(name):
			others = append(others, name)
		case len(f.sources) == 0:
			others = append(others, name)
			fallthrough
		default:
			if !slices.Contains(f.sources, name) {
				f.sources = append(f.sources, name)
			}
		}
	}
	return others
}

// isVerilog reports whether a file is read through Yosys: a source, or what says which sources make
// a design.
func isVerilog(name string) bool {
	return synthesis.IsSource(name) || filepath.Base(name) == synthesis.ConfigName
}

// expand puts the sources of the design in the place of the one that stands for them.
func (f *verilogFlags) expand(ctx context.Context, e env, inputs []input, flags *readFlags) (all []input) {
	for _, in := range inputs {
		if !isVerilog(in.path) {
			all = append(all, in)
			continue
		}
		f.split = true
		g, err := f.group(ctx, in.path, flags)
		if err != nil { // is said when the file is read
			all = append(all, in)
			continue
		}
		for _, name := range g.sources {
			all = append(all, input{path: name, folder: in.folder})
		}
	}
	return all
}

// open returns the design of a source, or of all of them.
func (f *verilogFlags) open(ctx context.Context, e env, name string, flags *readFlags) (*design.Design, error) {
	if !files.ViewOf(ctx).IsAll() {
		return nil, fmt.Errorf("%s: Verilog is read by Yosys, which may read any file: a person has to convert it, with 'aiglens convert' in a shell", name)
	}
	g, err := f.group(ctx, name, flags)
	if err != nil {
		return nil, err
	}
	g.once.Do(func() { g.outcome, g.err = f.synthesise(ctx, e, g, flags) })
	if g.err != nil {
		return nil, g.err
	}
	if filepath.Base(name) == synthesis.ConfigName || !f.split {
		name = g.sources[0]
	}
	return verilogdesign.New(g.outcome, name, !f.split), nil
}

// group returns the sources of the design that a file belongs to.
func (f *verilogFlags) group(ctx context.Context, name string, flags *readFlags) (*verilogGroup, error) {
	designs := f.designs
	if designs == nil {
		designs = &verilogGroups{}
	}
	designs.mu.Lock()
	defer designs.mu.Unlock()
	for _, g := range designs.all {
		if slices.Contains(g.sources, name) {
			return g, nil
		}
	}
	sources := f.sources
	if !slices.Contains(sources, name) {
		sources = []string{name}
	}
	c, err := f.config(ctx, sources, flags)
	if err != nil {
		return nil, err
	}
	if len(c.Sources) > 0 {
		sources = c.Sources
	}
	g := &verilogGroup{
		sources: sources, top: cmp.Or(f.top, c.Top), reset: cmp.Or(f.reset, c.Reset),
		defines: f.defines, include: slices.Concat(f.include, c.Include),
	}
	if len(g.defines) == 0 {
		g.defines = c.DefineList()
	}
	designs.all = append(designs.all, g)
	return g, nil
}

// config returns what aiglens.json beside one source says of it; nothing where several were named,
// or it is about other sources.
func (f *verilogFlags) config(ctx context.Context, sources []string, flags *readFlags) (none synthesis.Config, err error) {
	if len(sources) != 1 {
		for _, name := range sources {
			if filepath.Base(name) == synthesis.ConfigName {
				return none, fmt.Errorf("%s: it says what a whole design is: name no other Verilog file beside it", name)
			}
		}
		return none, nil
	}
	name, isNamed := sources[0], filepath.Base(sources[0]) == synthesis.ConfigName
	path := filepath.Join(filepath.Dir(name), synthesis.ConfigName)
	data, err := flags.content(ctx, env{}, path)
	if _, statErr := os.Stat(path); errors.Is(statErr, fs.ErrNotExist) && !isNamed {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	c, err := synthesis.ReadConfig(data)
	if err != nil {
		return none, fmt.Errorf("%s: %w", path, err)
	}
	c = c.In(filepath.Dir(name))
	switch {
	case isNamed && len(c.Sources) == 0:
		return none, fmt.Errorf("%s: it names no sources", path)
	case isNamed || c.IsAbout(name):
		return c, nil
	}
	return none, nil
}

// synthesise has Yosys read the sources of a design. What is wrong with them is for diagnostics to
// say; the error is another one.
func (f *verilogFlags) synthesise(ctx context.Context, e env, g *verilogGroup, flags *readFlags) (*verilogdesign.Synthesis, error) {
	request := synthesis.Request{Program: f.program, Top: g.top, Defines: g.defines, Include: g.include}
	var sources []verilogdesign.Source
	for _, name := range g.sources {
		data, err := flags.content(ctx, e, name)
		if err != nil {
			return nil, err
		}
		request.Files = append(request.Files, synthesis.File{Path: name, Content: string(data)})
		sources = append(sources, verilogdesign.Source{Path: name, Text: source.NewText(string(data))})
	}
	limit := f.limit
	if limit == 0 && f.designs == nil {
		limit = defaultSynthesis
	}
	if limit > 0 {
		late := fmt.Errorf("%s: Yosys did not finish within %v; --synthesis-timeout raises the limit", g.sources[0], limit)
		within, stop := context.WithTimeoutCause(ctx, limit, late)
		defer stop()
		ctx = within
	}
	out, err := synthesis.Run(ctx, request)
	failure, isFailure := errors.AsType[*synthesis.Failure](err)
	switch {
	case isFailure && !failure.IsInstalled:
		return nil, fmt.Errorf("%s: %w", g.sources[0], failure)
	case isFailure:
		return verilogdesign.Failed(sources, failure), nil
	case err != nil:
		return nil, err
	}
	s, err := verilogdesign.NewSynthesis(sources, out, g.reset)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.sources[0], err)
	}
	e.remark(g.sources[0], s.Words())
	return s, nil
}
