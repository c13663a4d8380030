package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// compared compares the open circuit with another one.
func (b *bench) compared(params map[string]any) (answer wire.Comparison, err error) {
	b.t.Helper()
	err = b.Call("workspace/executeCommand", map[string]any{"command": wire.CommandCompare.Name, "arguments": []any{params}}, &answer)
	return answer, err
}

// TestCompare compares a text with an earlier one and with files of both formats, as
// clients do.
func TestCompare(t *testing.T) {
	const (
		circuit = "aag 3 2 1 1 0 1\n2\n4\n6 2\n6\n4\ni0 a\ni1 b\nl0 q\no0 y\nb0 never\n"
		changed = "aag 3 2 1 1 0 1\n2\n4\n6 4\n6\n4\ni0 a\ni1 b\nl0 q\no0 y\nb0 never\n"
		inBLIF  = ".model m\n.inputs a b\n.outputs y\n# prop: bad never\n.latch a q 0\n.names q y\n1 1\n.names b never\n1 1\n.end\n"
	)
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	u := string(uri.File(filepath.Join(t.TempDir(), "circuit.aag")))
	b.open(u, circuit)

	same, err := b.compared(map[string]any{"uri": u, "text": circuit + "c\nan earlier version\n"})
	if err != nil || same.Verdict != wire.SamenessEqual || same.Message != "same function" || len(same.Pairs) != 2 || same.Constraints != nil {
		t.Errorf("the same circuit: %+v, %v", same, err)
	}
	other, err := b.compared(map[string]any{"uri": u, "text": changed})
	switch {
	case err != nil || other.Verdict != wire.SamenessDifferent || other.Message != "differs at step 1 in y" || len(other.Pairs) != 2:
		t.Errorf("another circuit: %+v, %v", other, err)
	case *other.Pairs[0].Step != 1 || other.Pairs[0].Range == nil || other.Pairs[0].Range.Start.Line != 4:
		t.Errorf("output y: %+v", other.Pairs[0])
	case len(other.Pairs[0].Trail) != 1 || !strings.HasPrefix(other.Pairs[0].Trail[0], "q: "):
		t.Errorf("what differs on the way to y: %q", other.Pairs[0].Trail)
	}

	path := filepath.Join(t.TempDir(), "other.blif")
	if err := os.WriteFile(path, []byte(inBLIF), 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err := b.compared(map[string]any{"uri": u, "path": path}); err != nil || file.Verdict != wire.SamenessEqual {
		t.Errorf("a file of another format: %+v, %v", file, err)
	}
	part, err := b.compared(map[string]any{"uri": u, "text": strings.Replace(circuit, "b0 never", "b0 other", 1)})
	if err != nil || part.Verdict != wire.SamenessUnknown || strings.Join(append(part.Alone, part.OtherAlone...), ", ") != "bad never, bad other" {
		t.Errorf("a property of another name: %+v, %v", part, err)
	}

	for want, params := range map[string]map[string]any{
		"takes a text or a path":                     {"uri": u},
		"nothing can be compared":                    {"uri": u, "text": "aag 1 1 0 1 0\n2\n2\ni0 a\no0 z\n"},
		"the other circuit cannot be compared":       {"uri": u, "text": "aag 1 1 0 1 0\n2\n9\n"},
		"no such file":                               {"uri": u, "path": path + ".missing"},
		"the timeout of -1 seconds is not from 0 to": {"uri": u, "text": circuit, "timeout": -1},
		"is not open":                                {"uri": u + "x", "text": circuit},
	} {
		if answer, err := b.compared(params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %+v", params, err, answer)
		}
	}
	b.open(u+"broken.aag", "aag 1 1 0 1 0\n2\n9\n")
	if _, err := b.compared(map[string]any{"uri": u + "broken.aag", "text": circuit}); err == nil || !strings.Contains(err.Error(), "this circuit cannot be compared") {
		t.Errorf("a circuit with an error: %v", err)
	}
}
