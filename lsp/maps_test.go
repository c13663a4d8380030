package lsp

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// TestMapBesideFile: a map beside an open file names its properties and signals, in the document of a
// text and in the one that shows a binary file. A change of the map renames and leaves the verdict
// fresh; a map of another circuit is a warning, and names nothing.
func TestMapBesideFile(t *testing.T) {
	const text = "aag 1 0 1 0 0 1\n2 2\n2\n"
	const aim = "latch 0 0 state\n"
	ywa := func(assert string, inputs string) string {
		return `{"version":"Yosys Witness Aiger map","latch_count":1,"input_count":` + inputs + `,"asserts":[["\\u1","\\` + assert + `"]]}` + "\n"
	}
	check := func(addressOf func(path string) string) {
		t.Helper()
		b, folder := newBench(t, explicit), t.TempDir()
		path := filepath.Join(folder, "x.aag")
		writeFile(t, filepath.Join(folder, "x.ywa"), ywa("a_idle", "0"))
		writeFile(t, filepath.Join(folder, "x.aim"), aim)
		b.Initialize(capable, nil)
		u := addressOf(path)
		b.openAs("aiger", u, text)
		property := func() wire.PropertyStatus {
			var all []wire.PropertyStatus
			b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(u)}), &all)
			return all[0]
		}
		hover := func() string {
			var found struct{ Contents struct{ Value string } }
			b.MustCall("textDocument/hover", map[string]any{
				"textDocument": map[string]any{"uri": u}, "position": map[string]any{"line": 1, "character": 0}}, &found)
			return found.Contents.Value
		}
		b.await(func() bool { return property().Name == "u1.a_idle" })
		if h := hover(); !strings.Contains(h, "state") {
			t.Errorf("hover %q", h)
		}
		b.save(u)
		b.await(func() bool {
			p := property()
			return p.Verdict == wire.VerdictProved && p.Freshness == wire.FreshnessFresh
		})
		circuit := property().Circuit

		changed := func() {
			b.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{
				map[string]any{"uri": string(uri.File(filepath.Join(folder, "x.ywa"))), "type": 2}}})
		}
		writeFile(t, filepath.Join(folder, "x.ywa"), ywa("a_other", "0"))
		changed()
		isFresh := func(p wire.PropertyStatus) bool { // once it is related to the text with other names
			return p.Verdict == wire.VerdictProved && p.Freshness == wire.FreshnessFresh
		}
		b.await(func() bool { p := property(); return p.Name == "u1.a_other" && isFresh(p) })
		if p := property(); p.Circuit != circuit {
			t.Errorf("after a change of the map: %+v", p)
		}
		mark := b.Mark()
		writeFile(t, filepath.Join(folder, "x.ywa"), ywa("a_idle", "3"))
		changed()
		b.awaitDiagnostics("a map of another circuit", mark, func(p published) bool {
			return p.URI == u && slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool {
				return d.Code == "map-not-used" && strings.HasPrefix(d.Message, "x.ywa is not used: it is of a circuit with 3 inputs; this one has 0")
			})
		})
		b.await(func() bool { p := property(); return p.Name == "bad 0" && isFresh(p) })
	}
	check(func(path string) string { return string(uri.File(path)) })
	check(func(path string) string {
		return decodedScheme + "://" + filepath.ToSlash(path) + ".aag?" + url.QueryEscape(string(uri.File(strings.TrimSuffix(path, ".aag")+".aig")))
	})
}

// TestMapOfSettings: the setting names a map that lies elsewhere, by the name of the circuit. Without
// trust in the folder none is read.
func TestMapOfSettings(t *testing.T) {
	b, folder := newBench(t, explicit), t.TempDir()
	writeFile(t, filepath.Join(folder, "maps", "x.aim"), "output 0 0 alarm\n")
	b.Initialize(capable, nil)
	u := string(uri.File(filepath.Join(folder, "x.aag")))
	b.openAs("aiger", u, "aag 1 1 0 1 0\n2\n2\n")
	name := func() string {
		var all []wire.PropertyStatus
		b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(u)}), &all)
		return all[0].Name
	}
	configure := func(settings map[string]any) {
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": settings}})
	}
	if got := name(); got != "output 0" {
		t.Errorf("without a map: %s", got)
	}
	given := map[string]any{"map": "maps/*.aim"}
	configure(map[string]any{"aiger": given})
	b.await(func() bool { return name() == "alarm" })
	configure(map[string]any{"aiger": given, "trusted": false})
	b.await(func() bool { return name() == "output 0" })
	configure(map[string]any{"aiger": given, "trusted": true})
	b.await(func() bool { return name() == "alarm" })
	configure(map[string]any{})
	b.await(func() bool { return name() == "output 0" })
}

// TestImportTraceOfYosys replays a witness trace of Yosys by the map beside the circuit.
func TestImportTraceOfYosys(t *testing.T) {
	folder := t.TempDir()
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
	writeFile(t, filepath.Join(folder, "x.ywa"), `{"version": "Yosys Witness Aiger map", "latch_count": 1, "input_count": 1, "clocks": [],
"inputs": [{"path": ["\\go"], "input": 0, "offset": 0}], "seqs": [], "inits": [], "asserts": [["\\a_off"]]}`)
	u := string(uri.File(filepath.Join(folder, "x.aag")))
	b.open(u, "aag 2 1 1 0 0 1\n2\n4 2\n4\n")
	b.await(func() bool {
		var all []wire.PropertyStatus
		b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(u)}), &all)
		return all[0].Name == "a_off"
	})
	take := func(name, bits string, taken *wire.ImportedWitness) error {
		return b.Call("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: uri.URI(u)},
			Text: `{"format": "Yosys Witness Trace", "clocks": [], "signals": [{"path": ["\\` + name + `"], "width": 1, "offset": 0, "init_only": false}], "steps": [` + bits + `]}`}), taken)
	}
	var taken wire.ImportedWitness
	for _, c := range []struct{ name, bits, want string }{
		{"stop", `{"bits": "1"}`, "no signal of the trace is in the map"},
		{"go", `{"bits": "2"}`, "the values of a step are 0, 1, x and ?"},
		{"go", `{"bits": "0"}, {"bits": "1"}`, "the run violates no property"},
	} {
		if err := take(c.name, c.bits, &taken); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.bits, err, c.want)
		}
	}
	if err := take("go", `{"bits": "0"}, {"bits": "1"}, {"bits": "?"}`, &taken); err != nil || taken.Steps != 2 { // the shortest
		t.Errorf("%+v, %v", taken, err)
	}
}
