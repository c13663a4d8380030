package lsp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
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

	"aiglens/design"
	"aiglens/design/verilogdesign"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/internal/thread"
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
	// known are designs that share no source, but for one that Yosys could not read: the last one of the same source
	// that it could stays before it.
	known      []*synthesised
	runs       []*synthesisRun
	checks     atomic.Int64 // begun so far
	registered atomic.Bool  // the client has been asked to send Verilog files
}

// synthesised is a design that Yosys has read.
type synthesised struct {
	outcome *verilogdesign.Synthesis
	check   int64             // the number of the check that had it read
	read    map[string]digest // by path, all files that it rests on
	differs bool              // one that is not open is another on disk, or may be
	looks   int               // at the disk, begun so far
	due     []string          // sources that were closed while they were checked: that goes on where the disk has them
}

// synthesisRun is a run of Yosys.
type synthesisRun struct {
	check  int64 // its number
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
	v := &verilog{core: c, texts: t, publishing: pub}
	c.settings.Document = c.settings.Document.With(verilogdesign.Format, verilogdesign.Option{Open: &verilogdesign.Outcomes{}})
	return v
}

// open returns the open Verilog files by their paths.
func (v *verilog) open() map[string]*file {
	all := v.files()
	maps.DeleteFunc(all, func(_ string, f *file) bool { return f.hidden })
	return all
}

// files returns the open Verilog files, and the sources of designs that are not open, by their paths.
func (v *verilog) files() map[string]*file {
	all := map[string]*file{}
	for key, f := range v.texts.files {
		if f.doc.Kind == verilogdesign.Format && key.IsFile() {
			all[filepath.Clean(key.FsPath())] = f
		}
	}
	return all
}

// sourcesWith returns the files of the design that a file belongs to, else the file alone.
func (v *verilog) sourcesWith(f *file) (all []*file) {
	known := *verilogdesign.OptionOf(v.settings.Document).Open
	for key, source := range v.texts.files {
		if of := known[string(key)].Synthesis; source == f || of != nil && of == known[f.doc.URI].Synthesis {
			all = append(all, source)
		}
	}
	return all
}

// hold has the sources of a design that are not open, and of which there is something to say, be files
// to be checked, with the texts that Yosys has read. One that is open no more passes on what is known of it.
func (v *verilog) hold(d *synthesised, closed *file) {
	files := v.files()
	for _, s := range d.outcome.Sources() {
		f := files[s.Path]
		key := uri.File(s.Path)
		of := verilogdesign.New(d.outcome, s.Path, false)
		switch {
		case f != nil && (!f.hidden || f.doc.Text.Equal(s.Text)), len(of.Properties()) == 0 && len(of.Diagnostics()) == 0:
			continue
		case f != nil:
			key = uri.URI(f.doc.URI)
			v.texts.closeFile(key)
		case closed != nil && slices.Contains(pathsOf(uri.URI(closed.doc.URI)), s.Path):
			f, key = closed, uri.URI(closed.doc.URI)
		}
		next := newFile(v.ctx, key, design.New(string(key), verilogdesign.Format, 0, s.Text, v.settings.Document))
		next.hidden, next.ofDesign = true, true
		if f != nil {
			next.checks.Inherit(f.checks)
		}
		v.texts.add(next)
		v.texts.textReplaced(next)
	}
}

// letGo closes the sources that no known design has.
func (v *verilog) letGo() {
	for path, f := range v.files() {
		isKnown := slices.ContainsFunc(v.known, func(d *synthesised) bool { _, is := d.read[path]; return is })
		if f.ofDesign && !isKnown {
			v.texts.closeFile(uri.URI(f.doc.URI))
		}
	}
}

// isCurrent reports whether all files of a design are as Yosys has read them, as far as it is known.
func (d *synthesised) isCurrent(open map[string]*file) bool {
	return !d.differs && !slices.ContainsFunc(d.outcome.Sources(), func(s verilogdesign.Source) bool {
		f := open[s.Path]
		return f != nil && (f.outOfStep || !f.doc.Text.Equal(s.Text))
	})
}

// refresh has the open files mean what they do now. What follows for the one that has just changed is
// left to the caller.
func (v *verilog) refresh(changed *file) {
	now := verilogdesign.Outcomes{}
	var open, files map[string]*file
	if len(v.known) > 0 {
		open, files = v.open(), v.files()
	}
	for _, d := range v.known {
		isCurrent := d.isCurrent(open)
		for _, s := range d.outcome.Sources() {
			f := files[s.Path]
			if f == nil {
				continue
			}
			next := verilogdesign.Outcome{Synthesis: d.outcome, Path: s.Path, IsCurrent: isCurrent}
			if before, has := now[f.doc.URI]; has && before.IsCurrent && !isCurrent {
				next = before // an undo of what Yosys could not read
			} else if has {
				next.Read = before.Synthesis
			}
			now[f.doc.URI] = next
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

// closed follows the end of an open file: from now on what is on disk counts. A design goes with the last
// of its sources that is open. Until then the checks of the file go on, isBusy saying whether there are any.
func (v *verilog) closed(f *file, isBusy bool) {
	paths := pathsOf(uri.URI(f.doc.URI))
	open := v.open()
	v.known = slices.DeleteFunc(v.known, func(d *synthesised) bool {
		return !slices.ContainsFunc(d.outcome.Sources(), func(s verilogdesign.Source) bool { return open[s.Path] != nil })
	})
	v.letGo()
	for _, d := range v.known {
		v.hold(d, f)
		for _, path := range paths {
			if _, is := d.read[path]; is && isBusy {
				d.due = append(d.due, path)
			}
		}
	}
	v.changed(paths)
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
	open := v.open()
	for _, s := range d.outcome.Sources() {
		if open[s.Path] != nil {
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
					v.goOn(d)
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

// goOn checks the sources of a design that were closed while they were checked, once it is known whether they are on disk as
// Yosys has read them.
func (v *verilog) goOn(d *synthesised) {
	files := v.files()
	for _, path := range d.due {
		if f := files[path]; f != nil && d.isCurrent(v.open()) {
			v.checkFile(f)
		}
	}
	d.due = nil
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
	var decoded bool
	v.queue.Do(func() { decoded = v.client.decoded })
	selector := []any{map[string]any{"scheme": "file", "pattern": "**/*.{v,sv}"}}
	var all []protocol.Registration
	for _, method := range []string{
		protocol.MethodTextDocumentDidOpen, protocol.MethodTextDocumentDidChange, protocol.MethodTextDocumentDidClose, protocol.MethodTextDocumentDidSave,
		protocol.MethodTextDocumentHover, protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentReferences,
		protocol.MethodTextDocumentDocumentHighlight, protocol.MethodTextDocumentCodeLens, protocol.MethodTextDocumentInlayHint,
		protocol.MethodTextDocumentImplementation,
	} {
		if method == protocol.MethodTextDocumentImplementation && !decoded {
			continue
		}
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

// check has Yosys read the design that a file belongs to, and checks its properties. The newest check of a design ends the one before.
func (v *verilog) check(ctx context.Context, name uri.URI) (answer wire.CheckedDesign, err error) {
	if !name.IsFile() || !synthesis.IsSource(name.FsPath()) {
		return answer, refused(fmt.Errorf("%s is not a Verilog file on this machine", name))
	}
	number := v.checks.Add(1)
	for {
		answer, err = v.attempt(ctx, filepath.Clean(name.FsPath()), number)
		if !errors.Is(err, errOtherSource) {
			return answer, err
		}
	}
}

// attempt is one try of check. Which check is newer, the order says in which they have begun: the disk
// and Yosys may take longer for the older one.
func (v *verilog) attempt(ctx context.Context, path string, number int64) (answer wire.CheckedDesign, err error) {
	ctx, cancel := thread.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := v.request(path)
	if err != nil {
		return answer, refused(err)
	}
	r := &synthesisRun{check: number, cancel: cancel, read: request.read}
	v.queue.Do(func() {
		for _, other := range v.runs {
			switch {
			case !r.sharesSource(other):
			case other.check < number:
				other.cancel(errNewer)
			default:
				cancel(errNewer)
			}
		}
		v.runs = append(v.runs, r)
		if !v.settings.IsTrusted() {
			cancel(errNotTrusted)
		}
		if p := v.publishing.newProgress("Yosys reads "+filepath.Base(path), func() { cancel(context.Canceled) }); p != nil {
			context.AfterFunc(ctx, func() { v.post(p.End) })
		}
	})
	defer v.queue.Do(func() {
		v.runs = slices.DeleteFunc(v.runs, func(other *synthesisRun) bool { return other == r })
	})
	read, err := v.digests(request)
	if err != nil {
		return answer, err
	}
	outcome, err := synthesise(ctx, request)
	if err != nil {
		return answer, err
	}
	v.queue.Do(func() {
		if err = context.Cause(ctx); err == nil {
			answer, err = v.adopt(&synthesised{outcome: outcome, check: number, read: read})
		}
	})
	return answer, err
}

// sharesSource reports whether a run reads a file that another one reads, too.
func (r *synthesisRun) sharesSource(other *synthesisRun) bool {
	for path := range r.read {
		if _, is := other.read[path]; is {
			return true
		}
	}
	return false
}

// synthesise has Yosys read sources. What is wrong with them is for diagnostics to say.
func synthesise(ctx context.Context, r *designRequest) (*verilogdesign.Synthesis, error) {
	within, stop := thread.WithTimeoutCause(ctx, synthesisLimit, refused(fmt.Errorf("reading the design: Yosys did not finish within %v", synthesisLimit)))
	defer stop()
	out, err := synthesis.Run(within, r.Request)
	failure, isFailure := errors.AsType[*synthesis.Failure](err)
	switch {
	case isFailure && !failure.IsInstalled:
		return nil, refused(failure)
	case isFailure:
		return verilogdesign.Failed(r.sources, failure), nil
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	}
	outcome, err := verilogdesign.NewSynthesis(r.sources, out, r.reset)
	if err != nil {
		return verilogdesign.Failed(r.sources, &synthesis.Failure{Reason: err.Error(), IsInstalled: true}), nil
	}
	return outcome, nil
}

// designRequest is what Yosys is to read.
type designRequest struct {
	synthesis.Request
	sources []verilogdesign.Source // the texts of its files
	read    map[string]digest      // of the sources
	reset   string
	config  string // where aiglens.json is, or would be
	// configRead is the content that the request stems from. Another one may be on disk by now.
	configRead digest
}

// request returns what Yosys is to read for a source: the design of aiglens.json beside it where that
// is about it, else the file alone. It waits for the disk.
func (v *verilog) request(path string) (*designRequest, error) {
	r := &designRequest{read: map[string]digest{}, config: filepath.Join(filepath.Dir(path), synthesis.ConfigName)}
	c, err := synthesis.ConfigOf(path, func(path string) ([]byte, error) {
		data, err := v.opts.Files.ReadFile(path)
		if err == nil {
			r.configRead = digestOf(string(data))
		}
		return data, err
	})
	if err != nil {
		return nil, err
	}
	texts := map[string]source.Text{}
	v.queue.Do(func() {
		r.Program = v.settings.Verilog.Yosys
		open := v.open()
		for _, s := range c.Sources {
			f := open[s]
			switch {
			case f == nil:
			case f.outOfStep:
				err = fmt.Errorf("%s is out of sync with the editor: open it again", filepath.Base(s))
			default:
				texts[s] = f.doc.Text
			}
		}
	})
	if err != nil {
		return nil, err
	}
	r.Option, r.Top, r.Defines, r.Include = "the setting aiglens.verilog.yosys", c.Top, c.DefineList(), c.Include
	r.reset = c.Reset
	for _, s := range c.Sources {
		text, isOpen := texts[s]
		if !isOpen {
			data, err := v.opts.Files.ReadFile(s)
			if err != nil {
				return nil, err
			}
			text = source.NewText(string(data))
		}
		content := text.Content()
		r.Files = append(r.Files, synthesis.File{Path: s, Content: content})
		r.sources = append(r.sources, verilogdesign.Source{Path: s, Text: text})
		r.read[s] = digestOf(content)
	}
	return r, nil
}

// digests returns what identifies all files that a run of Yosys rests on. It waits for the disk. The
// error is that a file is not known, whose changes would not be seen.
func (v *verilog) digests(r *designRequest) (map[string]digest, error) {
	all := maps.Clone(r.read)
	read := func(path string) (string, bool) {
		data, err := v.opts.Files.ReadFile(path)
		return string(data), err == nil
	}
	included, unknown := r.Includes(read)
	if unknown != "" {
		return nil, refused(fmt.Errorf("%s reads a file whose name is not written there, so its changes could not be seen: write the name, or use aiglens check", unknown))
	}
	for _, path := range included {
		if _, known := all[filepath.Clean(path)]; !known {
			all[filepath.Clean(path)] = v.digestOf(path)
		}
	}
	all[filepath.Clean(r.config)] = r.configRead
	return all, nil
}

// adopt takes over what Yosys has made, and checks it. What it made of the same sources before goes; where there is no
// circuit now, the last one stays for the texts that it is of. The error says that a newer check has been faster.
func (v *verilog) adopt(d *synthesised) (answer wire.CheckedDesign, err error) {
	isReplaced := func(old *synthesised) bool {
		return slices.ContainsFunc(old.outcome.Sources(), func(s verilogdesign.Source) bool { _, is := d.read[s.Path]; return is })
	}
	if slices.ContainsFunc(v.known, func(old *synthesised) bool { return isReplaced(old) && old.check > d.check }) {
		return answer, errNewer
	}
	for _, old := range v.known {
		if isReplaced(old) {
			d.outcome = d.outcome.AfterOther(old.outcome)
		}
	}
	v.known = slices.DeleteFunc(v.known, func(old *synthesised) bool {
		return isReplaced(old) && (d.outcome.Model() != nil || old.outcome.Model() == nil)
	})
	v.known = append(v.known, d)
	v.letGo()
	v.hold(d, nil)
	v.refresh(nil)
	v.lookAll()
	v.tellCircuit(d)
	v.texts.watcher.watch()
	if d.outcome.Model() != nil {
		answer.Message = d.outcome.Words()
	}
	answer.Problem = d.outcome.Reason()
	files := v.files()
	for _, s := range d.outcome.Sources() {
		if f := files[s.Path]; f != nil {
			v.checkFile(f)
		}
	}
	return answer, nil
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
