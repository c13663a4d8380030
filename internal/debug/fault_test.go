package debug

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/ic3/verify"
	"aiglens/internal/fault"
)

// TestFault: a fault in a request costs its answer, and the session goes on; one in a
// launch ends it with a word. A report is left, and its place told once.
func TestFault(t *testing.T) {
	folder := fault.Folder{Path: filepath.Join(t.TempDir(), "faults"), Version: "v9"}
	var out bytes.Buffer
	s := newSession(context.Background(), &out, Options{Faults: folder})
	s.walk = newWalk(s.client, launchArguments{}, &target{})
	for range 2 {
		if err := s.receive([]byte(`{"seq":1,"type":"request","command":"stackTrace","arguments":{"threadId":1}}`)); err != nil {
			t.Fatal(err)
		}
	}
	if got := out.String(); strings.Count(got, "internal error in stackTrace") != 4 || strings.Count(got, folder.Path) != 1 {
		t.Errorf("the client is told %s", got)
	}
	entries, err := os.ReadDir(folder.Path)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d reports, %v", len(entries), err)
	}

	c := newClient(t, Options{Faults: folder, Engine: func() verify.Engine { panic("no signal secret") }})
	ask[*dap.InitializeResponse](c, "initialize", `{}`)
	if failed := ask[*dap.ErrorResponse](c, "launch", launchJSON(example("semaphore2_broken.aag"), "")); !strings.Contains(failed.Message, "internal error") || strings.Contains(failed.Message, "secret") {
		t.Errorf("the launch fails with %q", failed.Message)
	}
	if log := c.log.String(); !strings.Contains(log, "a value of type string") || strings.Contains(log, "secret") {
		t.Errorf("the log says %s", log)
	}
	c.log.Reset() // else the client takes it for a failure
	if entries, err = os.ReadDir(folder.Path); err != nil || len(entries) != 2 {
		t.Errorf("%d reports, %v", len(entries), err)
	}
}
