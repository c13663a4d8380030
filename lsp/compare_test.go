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
	case other.Run == nil || other.Run.Steps != 2 || same.Run != nil:
		t.Errorf("the run that tells them apart: %+v; of the same circuit %+v", other.Run, same.Run)
	default:
		rows := map[string]wire.ComparedRow{}
		for _, row := range other.Run.Here {
			rows[row.Name] = row
		}
		q := rows["q"]
		if q.Range.Start.Line != 3 || len(q.Values) != 2 || q.Values[0] != '0' || q.Other[0] != '0' || q.Values[1] == q.Other[1] || q.Differs == nil || *q.Differs != 1 {
			t.Errorf("latch q: %+v", q)
		}
		if a, ok := rows["a"]; !ok || a.Differs != nil || a.Range.Start.Line != 1 {
			t.Errorf("input a: %+v", a)
		}
		if len(other.Run.There) != len(rows) { // one input each, and the latch
			t.Errorf("the other side: %+v", other.Run.There)
		}
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

	foreign := filepath.Join(t.TempDir(), "notes.md")
	writeFile(t, foreign, "# Notes\n\nno circuit\n")
	for want, params := range map[string]map[string]any{
		"notes.md is not a circuit that can be read":     {"uri": u, "path": foreign},
		"other.aag is not an absolute path":              {"uri": u, "path": "other.aag"},
		"takes exactly one of text, path and before":     {"uri": u},
		"nothing can be compared":                        {"uri": u, "text": "aag 1 1 0 1 0\n2\n2\ni0 a\no0 z\n"},
		"the other circuit cannot be compared":           {"uri": u, "text": "aag 1 1 0 1 0\n2\n9\n"},
		"no such file":                                   {"uri": u, "path": path + ".missing"},
		"the timeout of -1 seconds is not between 0 and": {"uri": u, "text": circuit, "timeout": -1},
		"is not open": {"uri": u + "x", "text": circuit},
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

// TestCompareRows has inputs in another order, which are matched by their position: what a row is
// compared with is the same input, whatever its literal. Rows of the same literal that are no
// partners have none.
func TestCompareRows(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	u := string(uri.File(filepath.Join(t.TempDir(), "circuit.aag")))
	b.open(u, "aag 4 2 0 1 2\n2\n4\n8\n6 3 4\n8 6 2\n")
	answer, err := b.compared(map[string]any{"uri": u, "text": "aag 4 2 0 1 2\n4\n6\n8\n2 5 7\n8 3 7\n"})
	if err != nil || answer.Run == nil {
		t.Fatalf("%+v, %v", answer, err)
	}
	for _, rows := range [][]wire.ComparedRow{answer.Run.Here, answer.Run.There} {
		if len(rows) != 4 {
			t.Fatalf("%+v", rows)
		}
		for i, row := range rows {
			isInput, isOutput := i < 2, row.Name == "8"
			switch {
			case isInput && (row.Other != row.Values || row.Differs != nil), isOutput && row.Differs == nil, !isInput && !isOutput && row.Other != "":
				t.Errorf("row %+v", row)
			}
		}
	}
}

// TestCompareWithOpenFile compares with a file that is open and not saved: it counts as it stands
// in the editor, where it is shown. The file itself, by its path, is that on disk.
func TestCompareWithOpenFile(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	const buffer, negated = "aag 1 1 0 1 0\n2\n2\n", "aag 1 1 0 1 0\n2\n3\n"
	folder := t.TempDir()
	var paths, uris []string
	for _, name := range []string{"a.aag", "b.aag"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(buffer), 0o600); err != nil {
			t.Fatal(err)
		}
		paths, uris = append(paths, path), append(uris, string(uri.File(path)))
		b.open(uris[len(uris)-1], buffer)
	}
	verdict := func(path string, want wire.Sameness) {
		t.Helper()
		if answer, err := b.compared(map[string]any{"uri": uris[0], "path": path}); err != nil || answer.Verdict != want {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	b.replace(uris[1], 2, negated)
	verdict(paths[1], wire.SamenessDifferent)
	b.close(uris[1])
	verdict(paths[1], wire.SamenessEqual)
	b.replace(uris[0], 2, negated)
	verdict(paths[0], wire.SamenessDifferent)
}
