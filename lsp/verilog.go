package lsp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design/verilogdesign"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/lsp/wire"
)

// synthesisLimit is how long Yosys may take.
const synthesisLimit = 2 * time.Minute

// verilog owns what Yosys has made of Verilog files. What an open one means rests on the sources of
// its design as Yosys has read them: as soon as one of these differs, it means nothing any more.
//
// A source that is open counts as it is in the editor, each other file as it is on disk.
type verilog struct {
	*core
	texts      *texts
	checkFile  func(*file) // checks what has no verdict
	publishing *publishing
	known      []*synthesised
	runs       map[string]*synthesisRun // by synthesisRun.design
	registered atomic.Bool              // the client has been asked to send Verilog files
}

// synthesised is a design that Yosys has read.
type synthesised struct {
	outcome *verilogdesign.Synthesis
	read    map[string]digest // by path, all files that it rests on
	differs bool              // one that is not open is another on disk, or may be
	looks   int               // at the disk, begun so far
}

// synthesisRun is a run of Yosys.
type synthesisRun struct {
	design string // its sources and its top module
	cancel context.CancelCauseFunc
	read   map[string]digest // the sources
}

// digest identifies the content of a file; it is zero for one that cannot be read.
type digest [sha256.Size]byte

func digestOf(content string) digest { return sha256.Sum256([]byte(content)) }

var (
	errNewer       = errors.New("a newer check of the design replaced this one")
	errOtherSource = errors.New("a source has been opened whose text differs from the one on disk")
	errNotTrusted  = errors.New("the folder is not trusted any more")
)

func newVerilog(c *core, t *texts, pub *publishing) *verilog {
	v := &verilog{core: c, texts: t, publishing: pub, runs: map[string]*synthesisRun{}}
	c.settings.Document = c.settings.Document.With(verilogdesign.Format, verilogdesign.Option{Open: &verilogdesign.Outcomes{}})
	return v
}

// open returns the open Verilog file with a path, or nil.
func (v *verilog) open(path string) *file {
	for key, f := range v.texts.files {
		if f.doc.Kind == verilogdesign.Format && key.IsFile() && filepath.Clean(key.FsPath()) == path {
			return f
		}
	}
	return nil
}

// isCurrent reports whether all files of a design are as Yosys has read them, as far as it is known.
func (v *verilog) isCurrent(d *synthesised) bool {
	return !d.differs && !slices.ContainsFunc(d.outcome.Sources(), func(s verilogdesign.Source) bool {
		f := v.open(s.Path)
		return f != nil && (f.outOfStep || f.doc.Text.Len() != s.Text.Len() || f.doc.Text.Content() != s.Text.Content())
	})
}

// refresh has the open files mean what they do now. What follows for the one that has just changed is
// left to the caller.
func (v *verilog) refresh(changed *file) {
	now := verilogdesign.Outcomes{}
	for _, d := range v.known {
		isCurrent := v.isCurrent(d)
		for _, s := range d.outcome.Sources() {
			if f := v.open(s.Path); f != nil {
				now[f.doc.URI] = verilogdesign.Outcome{Synthesis: d.outcome, Path: s.Path, IsCurrent: isCurrent}
			}
		}
	}
	before := *verilogdesign.OptionOf(v.settings.Document).Open
	if maps.Equal(before, now) {
		return
	}
	v.settings.Document = v.settings.Document.With(verilogdesign.Format, verilogdesign.Option{Open: &now})
	for _, f := range v.texts.files {
		if f.doc.Kind != verilogdesign.Format || before[f.doc.URI] == now[f.doc.URI] {
			continue
		}
		f.doc = f.doc.WithOptions(v.settings.Document)
		if f != changed {
			v.texts.textReplaced(f)
		}
	}
}

// textChanged follows a new text of a file. A run that has read another one from the disk, since the
// file was not open, starts over.
func (v *verilog) textChanged(f *file) {
	if f.doc.Kind != verilogdesign.Format {
		return
	}
	if f.opened != nil {
		for _, path := range pathsOf(uri.URI(f.doc.URI)) {
			for _, r := range v.runs {
				if read, is := r.read[path]; is && read != digestOf(f.doc.Text.Content()) {
					r.cancel(errOtherSource)
				}
			}
		}
	}
	v.refresh(f)
}

// closed follows the end of a file: from now on what is on disk counts.
func (v *verilog) closed(key uri.URI) {
	v.known = slices.DeleteFunc(v.known, func(d *synthesised) bool {
		return !slices.ContainsFunc(d.outcome.Sources(), func(s verilogdesign.Source) bool { return v.open(s.Path) != nil })
	})
	v.changed(pathsOf(key))
}

// changed follows changes of files on disk, which are looked at.
func (v *verilog) changed(paths []string) {
	for _, d := range v.known {
		if slices.ContainsFunc(paths, func(path string) bool { _, is := d.read[path]; return is }) {
			d.differs = true
			v.look(d)
		}
	}
	v.refresh(nil)
}

// lookAll looks at the files of all designs.
func (v *verilog) lookAll() {
	for _, d := range v.known {
		v.look(d)
	}
}

// look asks the disk whether the files of a design are those that Yosys has read.
func (v *verilog) look(d *synthesised) {
	wanted := maps.Clone(d.read)
	for _, s := range d.outcome.Sources() {
		if v.open(s.Path) != nil {
			delete(wanted, s.Path)
		}
	}
	d.looks++
	n := d.looks
	v.background(func(context.Context) {
		differs := true
		defer func() {
			v.post(func() {
				if d.looks == n {
					d.differs = differs
					v.refresh(nil)
				}
			})
		}()
		for path, read := range wanted {
			if v.digestOf(path) != read {
				return
			}
		}
		differs = false
	})
}

func (v *verilog) digestOf(path string) (none digest) {
	data, err := v.opts.Files.ReadFile(path)
	if err != nil {
		return none
	}
	return digestOf(string(data))
}

// paths are those of all files that designs rest on.
func (v *verilog) paths() (all []string) {
	for _, d := range v.known {
		all = slices.AppendSeq(all, maps.Keys(d.read))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// settingsChanged follows new settings.
func (v *verilog) settingsChanged() {
	if !v.settings.IsTrusted() {
		for _, r := range v.runs {
			r.cancel(errNotTrusted)
		}
	}
	v.askForFiles()
}

// stop ends the runs of Yosys for a file, without one all.
func (v *verilog) stop(u uri.URI) {
	for _, r := range v.runs {
		if u == "" || slices.ContainsFunc(pathsOf(u), func(path string) bool { _, is := r.read[path]; return is }) {
			r.cancel(context.Canceled)
		}
	}
}

// askForFiles has the client send Verilog files where they are checked when they are saved.
func (v *verilog) askForFiles() {
	if v.settings.Verilog.CheckOnSave && v.initialized && v.client.registersDocuments {
		v.background(v.register)
	}
}

// saved checks the design of a file that has been saved, where the user wants that.
func (v *verilog) saved(f *file) {
	if f.doc.Kind != verilogdesign.Format {
		return
	}
	v.lookAll()
	if !v.settings.Verilog.CheckOnSave || !v.settings.IsTrusted() {
		return
	}
	name := f.name
	v.background(func(ctx context.Context) {
		_, err := v.check(ctx, name)
		switch refusal := new(jsonrpc2.Error); {
		case err == nil || ctx.Err() != nil || errors.Is(err, errNewer) || errors.Is(err, context.Canceled):
		case errors.As(err, &refusal):
			v.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: "aiglens: " + refusal.Message})
		default:
			v.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: "aiglens: " + err.Error()})
		}
	})
}

// register asks the client to send Verilog files, once it has not refused.
func (v *verilog) register(ctx context.Context) {
	if v.registered.Swap(true) {
		return
	}
	selector := []any{map[string]any{"scheme": "file", "pattern": "**/*.{v,sv}"}}
	var all []protocol.Registration
	for _, method := range []string{
		protocol.MethodTextDocumentDidOpen, protocol.MethodTextDocumentDidChange, protocol.MethodTextDocumentDidClose, protocol.MethodTextDocumentDidSave,
		protocol.MethodTextDocumentHover, protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentReferences,
		protocol.MethodTextDocumentDocumentHighlight, protocol.MethodTextDocumentCodeLens, protocol.MethodTextDocumentInlayHint,
	} {
		options := map[string]any{"documentSelector": selector}
		if method == protocol.MethodTextDocumentDidChange {
			options["syncKind"] = protocol.TextDocumentSyncKindIncremental
		}
		encoded, err := json.Marshal(options)
		if err != nil { // strings
			panic(err)
		}
		all = append(all, protocol.Registration{ID: "verilog " + method, Method: method, RegisterOptions: protocol.LSPAny(encoded)})
	}
	if err := protocol.Call(ctx, v.conn, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: all}, nil); err != nil {
		v.registered.Store(false)
		v.log.Warn("the client does not send Verilog files", zap.Error(err))
	}
}

// check has Yosys read the design that a file belongs to, and checks its properties in the files that
// are open. The newest check of a design ends the one before.
func (v *verilog) check(ctx context.Context, name uri.URI) (answer wire.CheckedDesign, err error) {
	if !name.IsFile() || !synthesis.IsSource(name.FsPath()) {
		return answer, refused(fmt.Errorf("%s is not a Verilog file on this machine", name))
	}
	for {
		answer, err = v.attempt(ctx, filepath.Clean(name.FsPath()))
		if !errors.Is(err, errOtherSource) {
			return answer, err
		}
	}
}

func (v *verilog) attempt(ctx context.Context, path string) (answer wire.CheckedDesign, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, reset, config, err := v.request(path)
	if err != nil {
		return answer, refused(err)
	}
	r := &synthesisRun{cancel: cancel, read: map[string]digest{}}
	r.design = request.Top
	var sources []verilogdesign.Source
	for _, f := range request.Files {
		r.design += "\x00" + f.Path
		r.read[f.Path] = digestOf(f.Content)
		sources = append(sources, verilogdesign.Source{Path: f.Path, Text: source.NewText(f.Content)})
	}
	v.queue.Do(func() {
		if before := v.runs[r.design]; before != nil {
			before.cancel(errNewer)
		}
		v.runs[r.design] = r
		if !v.settings.IsTrusted() {
			cancel(errNotTrusted)
		}
		if p := v.publishing.newProgress("Yosys reads "+filepath.Base(path), func() { cancel(context.Canceled) }); p != nil {
			context.AfterFunc(ctx, func() { v.post(p.End) })
		}
	})
	defer v.queue.Do(func() {
		if v.runs[r.design] == r {
			delete(v.runs, r.design)
		}
	})
	read, err := v.digests(request, r.read, config)
	if err != nil {
		return answer, err
	}
	outcome, err := synthesise(ctx, request, sources, reset)
	if err != nil {
		return answer, err
	}
	v.queue.Do(func() {
		if err = context.Cause(ctx); err == nil {
			answer = v.adopt(&synthesised{outcome: outcome, read: read})
		}
	})
	return answer, err
}

// synthesise has Yosys read sources. What is wrong with them is for diagnostics to say.
func synthesise(ctx context.Context, request synthesis.Request, sources []verilogdesign.Source, reset string) (*verilogdesign.Synthesis, error) {
	within, stop := context.WithTimeoutCause(ctx, synthesisLimit, refused(fmt.Errorf("reading the design: Yosys did not finish within %v", synthesisLimit)))
	defer stop()
	out, err := synthesis.Run(within, request)
	failure, isFailure := errors.AsType[*synthesis.Failure](err)
	switch {
	case isFailure && !failure.IsInstalled:
		return nil, refused(failure)
	case isFailure:
		return verilogdesign.Failed(sources, failure), nil
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	}
	outcome, err := verilogdesign.NewSynthesis(sources, out, reset)
	if err != nil {
		return verilogdesign.Failed(sources, &synthesis.Failure{Reason: err.Error(), IsInstalled: true}), nil
	}
	return outcome, nil
}

// request returns what Yosys is to read for a source: the design of aiglens.json beside it where that
// is about it, else the file alone. It waits for the disk.
func (v *verilog) request(path string) (r synthesis.Request, reset, configPath string, err error) {
	var c synthesis.Config
	configPath = filepath.Join(filepath.Dir(path), synthesis.ConfigName)
	data, err := v.opts.Files.ReadFile(configPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return r, "", "", err
	default:
		if c, err = synthesis.ReadConfig(data); err != nil {
			return r, "", "", fmt.Errorf("%s: %w", synthesis.ConfigName, err)
		}
		if c = c.In(filepath.Dir(path)); !c.IsAbout(path) {
			c = synthesis.Config{}
		}
	}
	if len(c.Sources) == 0 {
		c.Sources = []string{path}
	}
	texts := map[string]string{}
	v.queue.Do(func() {
		r.Program = v.settings.Verilog.Yosys
		for _, s := range c.Sources {
			f := v.open(filepath.Clean(s))
			switch {
			case f == nil:
			case f.outOfStep:
				err = fmt.Errorf("%s is out of sync with the editor: open it again", filepath.Base(s))
			default:
				texts[filepath.Clean(s)] = f.doc.Text.Content()
			}
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, "", "", err
	}
	r.Option, r.Top, r.Defines, r.Include = "the setting aiglens.verilog.yosys", c.Top, c.DefineList(), c.Include
	for _, s := range c.Sources {
		s = filepath.Clean(s)
		text, isOpen := texts[s]
		if !isOpen {
			data, err := v.opts.Files.ReadFile(s)
			if err != nil {
				return r, "", "", err
			}
			text = string(data)
		}
		r.Files = append(r.Files, synthesis.File{Path: s, Content: text})
	}
	return r, c.Reset, configPath, nil
}

// digests returns what identifies all files that a run of Yosys rests on. It waits for the disk. The
// error is that a file is not known, whose changes would not be seen.
func (v *verilog) digests(r synthesis.Request, sources map[string]digest, config string) (map[string]digest, error) {
	all := maps.Clone(sources)
	read := func(path string) (string, bool) {
		data, err := v.opts.Files.ReadFile(path)
		return string(data), err == nil
	}
	included, unknown := r.Includes(read)
	if unknown != "" {
		return nil, refused(fmt.Errorf("%s reads a file whose name is not written there, so its changes could not be seen: write the name, or use aiglens check", unknown))
	}
	for _, path := range append(included, config) {
		if _, known := all[filepath.Clean(path)]; !known {
			all[filepath.Clean(path)] = v.digestOf(path)
		}
	}
	return all, nil
}

// adopt takes over what Yosys has made, and checks it.
func (v *verilog) adopt(d *synthesised) (answer wire.CheckedDesign) {
	isSource := func(s verilogdesign.Source) bool { _, is := d.read[s.Path]; return is }
	v.known = slices.DeleteFunc(v.known, func(old *synthesised) bool { return slices.ContainsFunc(old.outcome.Sources(), isSource) })
	v.known = append(v.known, d)
	v.refresh(nil)
	v.look(d)
	v.texts.watcher.watch()
	if d.outcome.Model() != nil {
		answer.Message = d.outcome.Words()
	}
	answer.Problem = d.outcome.Reason()
	for _, s := range d.outcome.Sources() {
		f := v.open(s.Path)
		if f == nil {
			if n := len(verilogdesign.New(d.outcome, s.Path, false).Properties()); n > 0 {
				answer.Unchecked = append(answer.Unchecked, uri.File(s.Path))
			}
			continue
		}
		v.checkFile(f)
	}
	return answer
}

// executeCheckDesign checks the design that a Verilog file belongs to. A client that has not sent the
// file is asked to send Verilog files from now on, where it can be.
func executeCheckDesign(ctx context.Context, s *session, params *wire.FileParams) (answer wire.CheckedDesign, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	if _, open := viewFrom(ctx, params.URI); !open && snapshotFrom(ctx).client.registersDocuments {
		s.verilog.register(ctx)
	}
	answer, err = s.verilog.check(ctx, params.URI)
	switch {
	case err == nil || errors.As(err, new(*jsonrpc2.Error)):
		return answer, err
	case errors.Is(err, context.Canceled):
		return answer, jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled), "cancelled")
	}
	return answer, refused(err)
}

// isUnread reports whether a view is of a Verilog file that Yosys has not read as it is.
func isUnread(v *view) bool {
	return v != nil && v.doc.Kind == verilogdesign.Format && verilogdesign.SynthesisOf(v.doc) == nil
}

// isVerilog reports whether a document is a Verilog file, by its language or its name.
func isVerilog(language, path string) bool {
	return slices.Contains(verilogdesign.Format.Languages, cmp.Or(strings.ToLower(language), "-")) || synthesis.IsSource(path)
}
