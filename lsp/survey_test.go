package lsp

import (
	"os"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/lsp/wire"
)

// TestOpeningTakesOverFromASurvey: the check of a file that is not open goes on when
// it is opened, also where it is the last one.
func TestOpeningTakesOverFromASurvey(t *testing.T) {
	g := newGate()
	w, address := workspace(t, g.behind(explicit), map[string]string{"a.aag": toggle})
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

// TestStopBeforeTheRunsOfASurvey: a file whose preparation is stopped leaves the survey.
func TestStopBeforeTheRunsOfASurvey(t *testing.T) {
	w, address := workspace(t, explicit, map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	w.open(string(u), toggle)
	w.settled(string(u))
	s := w.server.session
	s.owner.do(func() {
		s.surveyFiles("Checking", []string{u.FsPath()})
		s.stopFile(s.files[u])
	})
	w.await(func() bool {
		ended := false
		s.owner.do(func() { ended = s.survey == nil })
		return ended
	})
}

// TestCheckOfAFileThatIsAboutToGo: what is asked for when a survey is done with a file
// runs.
func TestCheckOfAFileThatIsAboutToGo(t *testing.T) {
	g := newGate()
	w, address := workspace(t, g.behind(explicit), map[string]string{"a.aag": toggle})
	u := uri.URI(address("a.aag"))
	s := w.server.session
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: u}), nil)
	<-g.started
	<-g.started
	w.expect(string(u), "none running", "none running")
	s.owner.do(func() {
		s.stopAll()
		s.checkProperties(s.files[u], []circuit.Property{{Kind: circuit.PropertyBad}})
	})
	<-g.started
	w.expect(string(u), "none running", "none stale")
	g.open <- struct{}{}
	w.expect(string(u), "refuted fresh", "none stale")
	w.await(func() bool { return s.isRetired(string(u)) })
}

// TestRecheckOfFilesThatAreNotOpen: also of one that has changed since, and for a
// client that is told no status.
func TestRecheckOfFilesThatAreNotOpen(t *testing.T) {
	w, address := workspace(t, explicit, map[string]string{"a.aag": toggle, "b.aag": edited(2, "2 2")})
	s := w.server.session
	s.owner.do(func() { s.client.status = false })
	bothRetired := func() bool { return s.isRetired(address("a.aag")) && s.isRetired(address("b.aag")) }
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	w.await(bothRetired)
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 1 })
	path := uri.URI(address("a.aag")).FsPath()
	if err := os.WriteFile(path, []byte(toggle+"c\nlonger\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.owner.do(func() { s.unretire(retired.hasChanged) })
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 0 })
	w.expectRuns(4)
	w.MustCall("workspace/executeCommand", command(wire.CommandRecheckFailed.Name, wire.RecheckParams{}), nil)
	w.await(func() bool { return w.errorsIn(address("a.aag")) == 1 })
	w.expectRuns(6)
}
