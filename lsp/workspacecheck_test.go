package lsp

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	designformat "aiglens/design/format"
	"aiglens/design/formats"
	"aiglens/ic3/verify"
	"aiglens/internal/fault"
	"aiglens/lsp/lsptest/toy"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// TestOpeningTakesOver: the check of a file that is not open goes on when
// it is opened, also where it is the last one.
func TestOpeningTakesOver(t *testing.T) {
	g := newGate()
	w, address := inFolder(t, g.behind(explicit), map[string]string{"a.aag": toggle})
	u := address("a.aag")
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(u)}), nil)
	<-g.started
	<-g.started
	w.open(u, toggle)
	for range 4 {
		g.open <- struct{}{}
	}
	w.expect(u, "refuted fresh", "proved fresh")
}

// TestStopBeforeTheRuns: a file whose preparation is stopped leaves the workspace check.
func TestStopBeforeTheRuns(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	w.open(string(u), toggle)
	w.settled(string(u))
	s := w.server.session
	s.queue.Do(func() {
		s.checking.workspace.check("Checking", []string{u.FsPath()})
		s.checking.stopFile(s.texts.files[u])
	})
	w.await(func() bool {
		ended := false
		s.queue.Do(func() { ended = s.checking.workspace.current == nil })
		return ended
	})
}

// TestCheckOfAFileThatIsAboutToGo: what is asked for when a workspace check is done with a file
// runs.
func TestCheckOfAFileThatIsAboutToGo(t *testing.T) {
	g := newGate()
	w, address := inFolder(t, g.behind(explicit), map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	s := w.server.session
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: u}), nil)
	<-g.started
	<-g.started
	w.expect(string(u), "none running", "none running")
	s.queue.Do(func() {
		s.checking.stopAll()
		s.checking.checkProperties(s.texts.files[u], []circuit.Property{{Kind: circuit.PropertyBad}}, nil)
	})
	<-g.started
	w.expect(string(u), "none running", "none stale")
	g.open <- struct{}{}
	w.expect(string(u), "refuted fresh", "none stale")
	w.await(func() bool { return s.isLetGo(string(u)) })
}

// TestRecheckOfFilesThatAreNotOpen: also of one that has changed since, and for a
// client that is told no status.
func TestRecheckOfFilesThatAreNotOpen(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"a.aag": toggle, "b.aag": edited(2, "2 2")})
	s := w.server.session
	s.queue.Do(func() { s.client.status = false })
	bothLetGo := func() bool { return s.isLetGo(address("a.aag")) && s.isLetGo(address("b.aag")) }
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	w.await(bothLetGo)
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 1 })
	path := uri.URI(address("a.aag")).FsPath()
	if err := os.WriteFile(path, []byte(toggle+"c\nlonger\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.queue.Do(func() { s.texts.closed.reread(uri.URI(address("a.aag"))) })
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 0 })
	w.expectRuns(4)
	w.MustCall("workspace/executeCommand", command(wire.CommandRecheckFailed.Name, wire.RecheckParams{}), nil)
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 1 })
	w.await(func() bool { return w.runs.Load() >= 6 }) // the error is told before the other property is checked
	w.expectRuns(6)
}

// TestStopKeepsKnownVerdicts: a file that is checked once more, and is not open, keeps its verdicts when that
// is stopped. What has no verdict yet counts as failed.
func TestStopKeepsKnownVerdicts(t *testing.T) {
	g := newGate()
	w, address := inFolder(t, g.behind(explicit), map[string]string{"a.aag": toggle})
	u, s := address("a.aag"), w.server.session
	execute := func(name string, params any) {
		w.MustCall("workspace/executeCommand", command(name, params), nil)
	}
	checkAndStop := func() {
		execute(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{})
		<-g.started
		<-g.started
		w.expect(u, "none running", "none running")
		execute(wire.CommandStop.Name, wire.StopParams{})
	}
	isDone := func() bool { return s.isLetGo(u) }

	checkAndStop()
	w.expect(u, "none stale", "none stale")
	w.await(isDone)
	execute(wire.CommandRecheckFailed.Name, wire.RecheckParams{})
	<-g.started
	<-g.started
	g.open <- struct{}{}
	g.open <- struct{}{}
	w.expect(u, "refuted fresh", "proved fresh")
	w.await(isDone)
	w.await(func() bool { return w.errorsIn(u) == 1 })

	checkAndStop()
	w.expect(u, "refuted fresh", "proved fresh")
	w.await(isDone)
	w.await(func() bool { return w.errorsIn(u) == 1 })
	checkAndStop() // also of verdicts that were recovered
	w.expect(u, "refuted fresh", "proved fresh")
	w.await(isDone)

	writeFile(t, uri.URI(u).FsPath(), edited(2, "2 3 1")) // where bad:0 is another property, and bad:1 the same
	s.queue.Do(func() { s.texts.closed.reread(uri.URI(u)) })
	w.expect(u, "refuted stale", "proved stale")
	checkAndStop()
	w.expect(u, "none stale", "proved fresh")
}

// TestStopBeforeTheAnalysis: a file that has changed, and whose check is stopped before
// anything is known of it, is let go only when what was said of it before is taken back.
func TestStopBeforeTheAnalysis(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	s := w.server.session
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	w.await(func() bool { return s.isLetGo(string(u)) && w.errorsIn(string(u)) == 1 })
	writeFile(t, u.FsPath(), edited(2, "2 3 1"))
	s.queue.Do(func() {
		s.checking.workspace.check("Checking", []string{u.FsPath()})
		doc, stamp, err := workspace.ReadCircuit(s.texts.disk, s.opts.Formats, u.FsPath(), s.settings.Document)
		s.checking.workspace.read(u.FsPath(), doc, stamp, err)
		f := s.texts.files[u]
		s.checking.stopAll()
		s.checking.workspace.letGo(f)
	})
	w.await(func() bool { return s.isLetGo(string(u)) && w.errorsIn(string(u)) == 0 })
	w.expect(string(u), "none stale", "proved fresh") // whose cone has not changed
}

// TestCheckOfAFileThatHasChanged: a file that has changed since an earlier check, which is about
// to let it go, is checked as it is now.
func TestCheckOfAFileThatHasChanged(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	s := w.server.session
	checkNow := func() {
		s.checking.workspace.check("Checking", []string{u.FsPath()})
		doc, stamp, err := workspace.ReadCircuit(s.texts.disk, s.opts.Formats, u.FsPath(), s.settings.Document)
		s.checking.workspace.read(u.FsPath(), doc, stamp, err)
	}
	s.queue.Do(func() {
		checkNow()
		s.checking.stopAll()
		writeFile(t, u.FsPath(), edited(2, "2 2"))
		checkNow()
	})
	w.await(func() bool { return s.isLetGo(string(u)) })
	w.expect(string(u), "proved fresh", "proved fresh")
}

// TestCheckOfAFileWhoseReaderBreaks: a fault in the reader of one file costs its check, and the
// check of others ends.
func TestCheckOfAFileWhoseReaderBreaks(t *testing.T) {
	format := *toy.Format
	format.Files = []designformat.File{{Ext: ".toy", Binary: true}}
	format.Decode = func(string, []byte) (string, error) { panic("of the reader") }
	w, address := inFolder(t, explicit, map[string]string{"a.aag": toggle, "b.toy": "toy"}, func(o *Options) {
		o.Formats = append(formats.All(), &format)
		o.Faults = fault.Folder{Path: t.TempDir()}
	})
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	w.expect(address("a.aag"), "refuted fresh", "proved fresh")
	s := w.server.session
	w.await(func() bool {
		ended := false
		s.queue.Do(func() { ended = s.checking.workspace.current == nil })
		return ended
	})
}

// TestCheckOfAFileThatIsDone: a file that is asked for runs, also while a workspace check
// that is done with it goes on.
func TestCheckOfAFileThatIsDone(t *testing.T) {
	g := newGate()
	w, address := inFolder(t, g.behind(explicit), map[string]string{"a.aag": toggle, "b.aag": edited(2, "2 2")})
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(address("a.aag"))}), nil)
	<-g.started
	<-g.started
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(address("b.aag"))}), nil)
	g.open <- struct{}{}
	g.open <- struct{}{}
	w.await(func() bool { return w.server.session.isLetGo(address("a.aag")) })
	<-g.started
	<-g.started
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(address("a.aag"))}), nil)
	for range 4 {
		g.open <- struct{}{}
	}
	<-g.started
	<-g.started
	w.await(func() bool {
		return w.server.session.isLetGo(address("a.aag")) && w.server.session.isLetGo(address("b.aag"))
	})
	w.expectRuns(6)
}

// TestVacuityOfFilesThatAreNotOpen: a file that is not open has the warning of a proof that means little,
// as one that is open, and keeps it when it is let go. A stop does not wait for the search.
func TestVacuityOfFilesThatAreNotOpen(t *testing.T) {
	const implication = "aag 3 1 1 0 1 1\n2\n4 4\n6\n6 4 3\n" // latch 4 is never 1
	var runs atomic.Int32
	gate := make(chan struct{})
	w, address := inFolder(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		if runs.Add(1)%2 == 0 { // the search for the reason
			select {
			case <-gate:
			case <-ctx.Done():
				return cert.Verdict{}, ctx.Err()
			}
		}
		return explicit(ctx, c, progress)
	}, map[string]string{"a.aag": implication}, func(o *Options) { o.ExplainProofs = true })
	u, s := address("a.aag"), w.server.session
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	w.expect(u, "proved fresh")
	w.await(func() bool { return runs.Load() == 2 })
	w.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{}), nil)
	w.await(func() bool { return s.isLetGo(u) })
	mark := w.Mark()
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	close(gate)
	isWarned := func(all []diagnostic) bool { return places(all, "vacuous") != "" }
	w.awaitDiagnostics("the reason", mark, func(p published) bool { return p.URI == u && isWarned(p.Diagnostics) })
	w.await(func() bool { return s.isLetGo(u) })
	if all := w.diagnostics(u); !isWarned(all) {
		t.Errorf("at last %+v", all)
	}
}
