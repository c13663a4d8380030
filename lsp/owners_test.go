package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/queue"
	"aiglens/lsp/workspace"
)

// newOwners returns texts and publishing as a session has them, without a client.
func newOwners(t *testing.T, configure ...func(*Options)) *texts {
	opts := Options{Log: testWriter{t}}
	for _, c := range configure {
		c(&opts)
	}
	opts = opts.withDefaults()
	disk := workspace.NewLimited(opts.Files)
	opts.Files = disk
	c, files := newCore(t.Context(), nil, nil, opts), fileSet{}
	pub := newPublishing(c, files)
	x := newTexts(c, pub, files, disk)
	c.queue = queue.NewSerial(pub.rebuild)
	t.Cleanup(func() {
		c.queue.Close()
		c.queue.Wait()
		c.tasks.Wait()
	})
	return x
}

// openFile adds a file, in the queue.
func (t *texts) openFile(path, text string) (f *file) {
	t.queue.Do(func() {
		key := uri.File(path)
		doc := design.New(string(key), t.opts.Formats.Recognise("", path, text), 1, source.NewText(text), t.settings.Document)
		f = newFile(t.ctx, key, doc)
		t.add(f)
		t.textChanged(f)
	})
	return f
}

// followed notes what texts tell their follower.
type followed []string

func (all *followed) note(what string, f *file) {
	*all = append(*all, what+" "+filepath.Base(f.name.FsPath()))
}
func (all *followed) analyse(f *file)  { all.note("analyse", f) }
func (all *followed) stopFile(f *file) { all.note("stop", f) }
func (all *followed) forget(f *file)   { all.note("forget", f) }

// TestTexts: the owner of texts tells what follows from what becomes of them: of a file itself,
// and of those that use its models.
func TestTexts(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	topText := ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n"
	x := newOwners(t)
	var told followed
	x.follower = &told
	expect := func(what string, want ...string) {
		t.Helper()
		var got []string
		x.queue.Do(func() { got, told = slices.Compact(slices.Sorted(slices.Values(told))), nil })
		if !slices.Equal(got, want) {
			t.Errorf("%s: told %q, expected %q", what, got, want)
		}
	}
	sure := func(f *file) {
		known := make(chan struct{})
		x.queue.Do(func() { x.whenSure(f, func() { close(known) }) })
		<-known
	}
	stagePath, topPath := write("stage.blif", stage), write("top.blif", topText)

	top := x.openFile(topPath, topText)
	top.doc.Properties() // which reads the models that it uses
	sure(top)
	expect("a file is opened", "analyse top.blif")

	lying := x.openFile(stagePath, strings.Replace(stage, "in q 0", "in q 1", 1))
	expect("a file that it uses is opened with another text", "analyse stage.blif", "analyse top.blif")
	if present := x.models.library.Load(); present == nil || !top.doc.DependsOnOthers() {
		t.Error("the file is not known to use others")
	}
	x.queue.Do(func() {
		x.edit(top, 2, []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: topText + "# more\n"}})
	})
	expect("it is edited", "analyse top.blif")
	if v := x.snapshot.Load().views[top.name]; v == nil || v.doc.Version != 2 {
		t.Error("requests do not see the new text")
	}

	top.doc.Properties()
	x.queue.Do(func() { x.closeFile(lying.name) })
	sure(top) // the disk has been asked
	expect("the other file is closed", "analyse top.blif", "forget stage.blif")
	if x.snapshot.Load().views[lying.name] != nil {
		t.Error("requests see a file that is closed")
	}
	x.loseStep([]byte(fmt.Sprintf(`{"textDocument":{"uri":%q}}`, top.name)))
	expect("a change cannot be read", "stop top.blif")
}

// TestPublishing: requests see what is marked as changed, and nothing else is sent again.
func TestPublishing(t *testing.T) {
	x := newOwners(t)
	x.follower = new(followed)
	a, b := x.openFile("/a.aag", toggle), x.openFile("/b.aag", toggle)
	before := x.snapshot.Load()
	x.queue.Do(func() {})
	if x.snapshot.Load() != before {
		t.Error("another snapshot although nothing has changed")
	}
	x.queue.Do(func() { x.publishing.showStep(a, &ide.Selection{Step: 3}) })
	after := x.snapshot.Load()
	switch va, vb := after.views[a.name], after.views[b.name]; {
	case va.selection == nil || va.selection.Step != 3:
		t.Error("the step that is shown is not seen")
	case before.views[a.name].selection != nil:
		t.Error("what a request sees changes under it")
	case vb != before.views[b.name]:
		t.Error("another view of a file that has not changed")
	}
}

// TestChecking: a check of a file needs no client: its verdict is known at the end.
func TestChecking(t *testing.T) {
	runs := new(atomic.Int32)
	x := newOwners(t, func(o *Options) {
		o.Engine = func(engines.Spec) verify.Engine { return fakeEngine(explicit, runs) }
	})
	c := newChecking(x.core, x, x.publishing)
	x.follower = c
	x.queue.Do(c.start)
	t.Cleanup(c.close)
	f := x.openFile("/a.aag", toggle)
	<-x.snapshot.Load().views[f.name].analysed
	x.queue.Do(func() { c.checkFile(f) })
	for quiet := false; !quiet; {
		x.queue.Do(func() { quiet = c.isQuiet() })
	}
	for p, want := range map[circuit.Property]string{
		{Kind: circuit.PropertyBad, Index: 0}: "refuted", {Kind: circuit.PropertyBad, Index: 1}: "proved",
	} {
		x.queue.Do(func() {
			if got := f.checks.Status(p).Outcome(); got != want {
				t.Errorf("%v: %q, expected %q", p, got, want)
			}
		})
	}
	if n := runs.Load(); n != 2 {
		t.Errorf("%d runs", n)
	}
	x.queue.Do(func() {
		if n := len(c.history.files[f.name]); n != 2 {
			t.Errorf("%d verdicts in the history", n)
		}
	})
}
