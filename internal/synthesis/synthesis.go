// Package synthesis has an installed Yosys make an AIGER file of Verilog.
//
// A run has a folder of its own, into which it copies the sources as they are given: what comes
// out rests on these texts and no others, and the order of the circuit does not depend on where
// they lie. No shell takes part, and no source has a program run (see refuseForeign). A run ends
// with its context, Yosys and what it has started with it. The package does not know what the
// circuit is: it returns the files that Yosys has written, and what it has said. The commands
// follow SymbiYosys (YosysHQ/sby, sbysrc/sby_core.py).
package synthesis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aiglens/internal/family"
	"aiglens/internal/files"
	"aiglens/internal/lazy"
	"aiglens/internal/yosys"
)

// Request is what is to be synthesised.
type Request struct {
	Program string // of Yosys; "" is yosys
	Option  string // by which the user names it; "" is --yosys
	Files   []File
	Top     string   // module; "" leaves it to Yosys
	Defines []string // NAME or NAME=VALUE
	Include []string // folders, beside those of the files
}

// File is a source.
type File struct {
	Path    string
	Content string
}

// Output is what Yosys has made.
type Output struct {
	Circuit []byte         // binary AIGER; the covers are bads
	Map     *yosys.Map     // of write_aiger -vmap
	Netlist *yosys.Netlist // that the circuit was written from
	Flat    *yosys.Netlist // one module before its cells were mapped to gates
	// Stepped is Flat with one clock, once no flip-flop has an asynchronous reset; else nil.
	Stepped *yosys.Netlist
	Modules []*yosys.Netlist // before the hierarchy was flattened
	Clocked bool             // a step is a cycle of one clock
	Clock   string           // its input; "" for none
	// ClockFalls says that registers change at its falling edge.
	ClockFalls bool
	Version    string            // of Yosys
	Said       []Message         // warnings
	places     map[string]string // see PathOf
}

// PathOf returns the path of a file that Yosys names; "" for one of its own.
func (o *Output) PathOf(name string) string { return pathOf(o.places, name) }

// Message is an error or warning of Yosys.
type Message struct {
	Path    string // of the file; "" where Yosys names none
	Line    int    // from 1 on; 0 where Yosys names none
	IsError bool
	Text    string
}

// Failure says why there is no circuit.
type Failure struct {
	Reason string
	Said   []Message // the errors among them say why Yosys has given up
	// IsInstalled is false when there is no Yosys that can be used.
	IsInstalled bool
}

func (f *Failure) Error() string { return f.Reason }

// howToGet says where Yosys comes from.
func (r *Request) howToGet() string {
	return "install it (apt install yosys, brew install yosys, or the OSS CAD Suite of YosysHQ), or name the program with " + cmp.Or(r.Option, "--yosys")
}

var (
	identifier = lazy.Pattern(`^[A-Za-z_][A-Za-z0-9_$]*$`)
	define     = lazy.Pattern(`^[A-Za-z_][A-Za-z0-9_$]*(=[A-Za-z0-9_'$.+*/()-]*)?$`)
)

// IsIdentifier reports whether text is a simple name of Verilog.
func IsIdentifier(text string) bool { return identifier().MatchString(text) }

// Validate says what is wrong with a request before anything runs.
func (r *Request) Validate() error {
	if len(r.Files) == 0 {
		return errors.New("there is no Verilog file")
	}
	if r.Top != "" && !IsIdentifier(r.Top) {
		return fmt.Errorf("top module %q: expected a name of Verilog", r.Top)
	}
	for _, d := range r.Defines {
		if !define().MatchString(d) {
			return fmt.Errorf("define %q: expected NAME or NAME=VALUE, with a number or expression without blanks", d)
		}
	}
	return nil
}

// Run synthesises. The error is a *Failure, or that of ctx, or about the folder of the run.
func Run(ctx context.Context, request Request) (*Output, error) {
	if err := request.Validate(); err != nil {
		return nil, &Failure{Reason: err.Error(), IsInstalled: true}
	}
	program := request.Program
	if program == "" {
		program = "yosys"
	}
	found, err := exec.LookPath(program)
	if err != nil {
		return nil, &Failure{Reason: fmt.Sprintf("%s is not installed, and Verilog is read through it: %s", program, request.howToGet())}
	}
	if found, err = filepath.Abs(found); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "aiglens-verilog-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	r := &run{request: request, program: found, folder: folder, places: map[string]string{}}
	return r.run(ctx)
}

// run is one run of Yosys, or two.
type run struct {
	request  Request
	program  string
	folder   string
	names    []string          // of the sources in the folder
	includes []string          // flags
	places   map[string]string // by name in the folder: the path of a source or of a folder of includes
	version  version
}

func (r *run) run(ctx context.Context) (*Output, error) {
	if err := r.askVersion(ctx); err != nil {
		return nil, err
	}
	if err := r.writeSources(ctx); err != nil {
		return nil, err
	}
	if err := r.refuseForeign(ctx); err != nil {
		return nil, err
	}
	return r.attempt(ctx, false)
}

// oldest is the first version that has formalff, without which flip-flops lose values that they
// may start with.
var oldest = version{0, 20}

type version [2]int

func (v version) atLeast(major, minor int) bool {
	return v[0] > major || v[0] == major && v[1] >= minor
}

var versionLine = lazy.Pattern(`^Yosys (\d+)\.(\d+)\S*`)

func (r *run) askVersion(ctx context.Context) error {
	stdout, _, err := r.start(ctx, "-V")
	if err != nil {
		return err
	}
	found := versionLine().FindStringSubmatch(stdout)
	if found == nil {
		return &Failure{Reason: fmt.Sprintf("%s does not say that it is Yosys: %s", r.program, r.request.howToGet())}
	}
	major, _ := strconv.Atoi(found[1])
	minor, _ := strconv.Atoi(found[2])
	if r.version = (version{major, minor}); !r.version.atLeast(oldest[0], oldest[1]) {
		return &Failure{Reason: fmt.Sprintf("%s is too old: expected Yosys %d.%d or newer", found[0], oldest[0], oldest[1])}
	}
	return nil
}

// writeSources puts the sources and the script's files into the folder. Each source has a folder of its own
// there, with the files that it initialises memories from, since their names are the user's.
func (r *run) writeSources(ctx context.Context) error {
	for i, f := range r.request.Files {
		name := "source.v"
		if strings.EqualFold(filepath.Ext(f.Path), ".sv") {
			name = "source.sv"
		}
		folder := fmt.Sprintf("s%d", i)
		if err := os.Mkdir(filepath.Join(r.folder, folder), 0o700); err != nil {
			return err
		}
		name = folder + "/" + name
		if err := r.write(name, f.Content); err != nil {
			return err
		}
		r.names, r.places[name] = append(r.names, name), f.Path
		if err := r.include(filepath.Dir(f.Path)); err != nil {
			return err
		}
	}
	for _, folder := range r.request.Include {
		if err := r.include(folder); err != nil {
			return err
		}
	}
	if err := r.write(coversFile, covers); err != nil {
		return err
	}
	room := int64(maxMemoryFiles)
	for i, f := range r.request.Files {
		if err := r.copyMemories(ctx, f, fmt.Sprintf("s%d", i), &room); err != nil {
			return err
		}
	}
	return nil
}

// include has files of a folder included. A link to it has a name that needs no quotes.
func (r *run) include(folder string) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	for _, known := range r.places {
		if known == absolute {
			return nil
		}
	}
	name := fmt.Sprintf("i%d", len(r.includes))
	if err := os.Symlink(absolute, filepath.Join(r.folder, name)); err != nil {
		return nil // a system without links has no includes
	}
	r.places[name] = absolute
	r.includes = append(r.includes, fmt.Sprintf("-I%s ", name))
	return nil
}

// memoryFile finds the files that memories are initialised from; comments and strings have none.
var memoryFile = lazy.Pattern(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\$readmem[hb]\s*\(\s*"([A-Za-z0-9_./-]+)"`)

// maxMemoryFiles bounds the files of the contents of memories.
const maxMemoryFiles = 64 << 20

// copyMemories copies the files that a source initialises memories from into its folder, where Yosys
// looks for them, and no others: a name may lead through no link out of that folder and to no file
// that is there already. What cannot be read is for Yosys to say.
func (r *run) copyMemories(ctx context.Context, f File, folder string, room *int64) error {
	root, err := os.OpenRoot(filepath.Join(r.folder, folder))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	copied := map[string]bool{}
	for _, found := range memoryFile().FindAllStringSubmatch(f.Content, -1) {
		name := filepath.Clean(filepath.FromSlash(found[1]))
		if found[1] == "" || !filepath.IsLocal(name) || copied[name] {
			continue
		}
		copied[name] = true
		if r.isOurs(name) {
			return &Failure{Reason: fmt.Sprintf("%s: the file %s of a memory has a name that is used while Yosys runs: rename it", f.Path, found[1]), IsInstalled: true}
		}
		from := filepath.Join(filepath.Dir(f.Path), name)
		if info, err := os.Stat(from); err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := files.ReadPacked(ctx, from, *room)
		switch tooLarge, isTooLarge := errors.AsType[*files.TooLargeError](err); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case isTooLarge:
			return &Failure{Reason: fmt.Sprintf("the files of memories are too large: %v", tooLarge), IsInstalled: true}
		case err != nil:
			continue
		}
		*room -= int64(len(data))
		if err := writeNew(root, name, data); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// isOurs reports whether a name that a source gives could mean a file of the run.
func (r *run) isOurs(name string) bool {
	first, _, inside := strings.Cut(filepath.ToSlash(name), "/")
	switch first {
	case scriptFile, preprocessedFile, checksFile, coversFile, hierarchyFile, flatFile, steppedFile, netlistFile, mapFile, circuitFile:
		return true
	case "source.v", "source.sv":
		return !inside
	}
	_, err := os.Lstat(filepath.Join(r.folder, first))
	return err == nil
}

// writeNew writes a file of a folder that is not there yet.
func writeNew(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func (r *run) write(name, content string) error {
	return os.WriteFile(filepath.Join(r.folder, name), []byte(content), 0o600)
}

// attempt runs the script, as for several clocks or for one; where that turns out to be wrong,
// which Yosys notices at times, it runs the other.
func (r *run) attempt(ctx context.Context, several bool) (*Output, error) {
	if err := r.write(scriptFile, r.script(several)); err != nil {
		return nil, err
	}
	_, stderr, err := r.start(ctx, "-q", "-s", scriptFile)
	messages := r.messages(stderr)
	var exit *exec.ExitError
	isExit := errors.As(err, &exit)
	if !several && (err == nil || isExit) {
		if flat, err := r.top(flatFile); err == nil && severalClocks(flat) {
			return r.attempt(ctx, true)
		}
	}
	switch {
	case isExit:
		return nil, r.failure(messages, exit)
	case err != nil:
		return nil, err
	}
	out := &Output{Clocked: !several, Version: fmt.Sprintf("Yosys %d.%d", r.version[0], r.version[1]), Said: messages, places: r.places}
	return out, r.collect(out)
}

// failure says why Yosys has made nothing.
func (r *run) failure(messages []Message, exit *exec.ExitError) *Failure {
	f := &Failure{Said: messages, IsInstalled: true}
	for _, m := range messages {
		if m.IsError {
			f.Reason = "Yosys: " + m.Text
			return f
		}
	}
	f.Reason = "Yosys has failed: " + exit.String()
	return f
}

// collect reads what Yosys has written.
func (r *run) collect(out *Output) error {
	var err error
	if out.Circuit, err = r.read(circuitFile); err != nil {
		return err
	}
	data, err := r.read(mapFile)
	if err != nil {
		return err
	}
	var broken *yosys.Error
	if out.Map, broken = yosys.ReadMap(data); broken != nil {
		return r.unreadable(mapFile, broken)
	}
	if out.Modules, err = r.netlists(hierarchyFile); err != nil {
		return err
	}
	if err := r.requireTop(out.Modules); err != nil {
		return err
	}
	if out.Flat, err = r.top(flatFile); err != nil {
		return err
	}
	if out.Clocked {
		if out.Stepped, err = r.top(steppedFile); err != nil {
			return err
		}
	}
	if out.Netlist, err = r.top(netlistFile); err != nil {
		return err
	}
	clocks, _ := clocksOf(out.Flat)
	for _, p := range out.Flat.Ports {
		for c := range clocks {
			if out.Clocked && len(p.Bits) == 1 && p.Bits[0] == c.net {
				out.Clock, out.ClockFalls = p.Name, c.falling
			}
		}
	}
	return nil
}

// requireTop has the user name the top module where Yosys has chosen one, and modules that are no part
// of it have properties: nothing would say that these are not checked.
func (r *run) requireTop(used []*yosys.Netlist) error {
	if r.request.Top != "" {
		return nil
	}
	data, err := r.read(checksFile)
	if err != nil {
		return err
	}
	top := ""
	isUsed := func(cell string) bool {
		return slices.ContainsFunc(used, func(m *yosys.Netlist) bool {
			declared := strings.TrimPrefix(m.Attributes["hdlname"], `\`) // of a module with parameters
			return strings.HasPrefix(cell, m.Name+"/") || declared != "" && strings.HasPrefix(cell, declared+"/")
		})
	}
	for _, m := range used {
		if m.IsTop {
			top = m.Name
		}
	}
	var others []string
	for cell := range strings.Lines(string(data)) {
		if name, _, isCell := strings.Cut(strings.TrimSpace(cell), "/"); isCell && !isUsed(cell) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	return &Failure{Reason: fmt.Sprintf("asserts or covers stand in modules that are no part of %s, which Yosys takes as the top module: %s; say which module to check with --top, or with \"top\" in %s",
		top, strings.Join(slices.Compact(others), ", "), ConfigName), IsInstalled: true}
}

// maxOutput bounds a file that Yosys has written.
const maxOutput = 1 << 30

func (r *run) read(name string) ([]byte, error) {
	data, err := files.Read(context.Background(), filepath.Join(r.folder, name), maxOutput)
	if path, isPath := errors.AsType[*fs.PathError](err); isPath { // without the folder of the run
		err = fmt.Errorf("%s: %w", name, path.Err)
	}
	if err != nil {
		return nil, &Failure{Reason: fmt.Sprintf("what Yosys has written cannot be read: %v", err), IsInstalled: true}
	}
	return data, nil
}

func (r *run) netlists(name string) ([]*yosys.Netlist, error) {
	data, err := r.read(name)
	if err != nil {
		return nil, err
	}
	all, broken := yosys.ReadNetlists(data)
	if broken != nil {
		return nil, r.unreadable(name, broken)
	}
	return all, nil
}

// top reads the module at the top of the hierarchy.
func (r *run) top(name string) (*yosys.Netlist, error) {
	all, err := r.netlists(name)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if m.IsTop || len(all) == 1 {
			return m, nil
		}
	}
	return nil, &Failure{Reason: "Yosys has written no top module", IsInstalled: true}
}

func (r *run) unreadable(name string, broken *yosys.Error) error {
	return &Failure{Reason: fmt.Sprintf("what Yosys has written cannot be read: %s, %v", name, broken), IsInstalled: true}
}

// maxMessages bounds what is kept of the messages of a program.
const maxMessages = 1 << 20

// start runs Yosys. The error is that of ctx, or an *exec.ExitError.
func (r *run) start(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Dir = r.folder
	family.OwnGroup(cmd)
	cmd.WaitDelay = time.Second // for pipes that a child holds open
	out, messages := &bounded{most: maxMessages}, &bounded{most: maxMessages}
	cmd.Stdout, cmd.Stderr = out, messages
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", "", context.Cause(ctx)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		err = &Failure{Reason: fmt.Sprintf("%s cannot be run: %v; %s", r.program, err, r.request.howToGet())}
	}
	return out.String(), messages.String(), err
}

// bounded keeps the beginning and the end of what is written, each up to half of most bytes: the
// error for which a program gives up comes last.
type bounded struct {
	most       int
	head, tail []byte
	left       int // bytes out of the middle
}

func (b *bounded) Write(data []byte) (int, error) {
	n := len(data)
	half := b.most / 2
	taken := min(half-len(b.head), len(data))
	b.head, data = append(b.head, data[:taken]...), data[taken:]
	b.left += max(0, len(data)-half)
	b.tail = append(b.tail, data[max(0, len(data)-half):]...)
	if len(b.tail) > b.most {
		b.left += len(b.tail) - half
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-half:]...)
	}
	return n, nil
}

// String returns what is kept. Where something is left out, whole lines stand around the gap.
func (b *bounded) String() string {
	tail := b.tail
	if b.left+max(0, len(tail)-b.most/2) == 0 {
		return string(b.head) + string(tail)
	}
	tail = tail[max(0, len(tail)-b.most/2):]
	return string(b.head[:bytes.LastIndexByte(b.head, '\n')+1]) + string(tail[bytes.IndexByte(tail, '\n')+1:])
}
