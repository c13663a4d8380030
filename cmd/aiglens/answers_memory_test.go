package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// TestAnswersOfLargeArrays: the server answers for a property of an array that is too large as check does, in the same words and
// with the same counterexample, of which it shows what the text has, and which can be changed. Other questions about the property are
// refused, in the words of the command line.
func TestAnswersOfLargeArrays(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "script", "btor2_memory.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	s, dir := newSurfaces(t), t.TempDir()
	outcomes := map[wire.Verdict]int{}
	for _, name := range []string{"memory.btor2", "sum.btor2"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		u := uri.File(file)
		s.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "btor2", "version": 1, "text": files[name]}})
		witnesses := filepath.Join(dir, "witnesses")
		s.simulateLarge(file)
		for i := range s.properties(u) { // one after another: no run finds a counterexample of another property
			p := s.checkedAlone(u, i)
			outcomes[p.Verdict]++
			out, _ := s.cli("check", "--no-cache", "--witness", witnesses, "--index", string(p.Property), file)
			line := file + ": " + string(p.Property) + " (" + p.Name + "): " + p.Message + "\n"
			if timeless(out) != timeless(line) {
				t.Errorf("%s: %s is %q, and check says\n%s", name, p.Property, p.Message, out)
			}
			if p.Verdict == "refuted" {
				s.compareLargeTrace(witnesses, u, p.Property)
				s.walkLarge(witnesses, file, u, p.Property)
				s.importLarge(witnesses, file, u, p.Property)
			}
			s.refuseAllBut(file, u, p.Property)
		}
	}
	if outcomes["proved"] != 2 || outcomes["refuted"] != 2 || outcomes["unknown"] != 1 {
		t.Errorf("verdicts: %v", outcomes)
	}
}

// checkedAlone checks one property of a file, and returns it with its verdict.
func (s *surfaces) checkedAlone(u uri.URI, at int) wire.PropertyStatus {
	if err := s.execute(wire.CommandCheck.Name, wire.PropertyParams{URI: u, Property: s.properties(u)[at].Property}, nil); err != nil {
		s.t.Fatal(err)
	}
	return s.settled(u, func(all []wire.PropertyStatus) bool {
		return all[at].Verdict != "none" && all[at].Freshness == wire.FreshnessFresh
	})[at]
}

// compareLargeTrace compares a counterexample with the witness that check has written. Nothing is shown that the text has no row for.
func (s *surfaces) compareLargeTrace(witnesses string, u uri.URI, p wire.PropertyID) {
	want, err := os.ReadFile(filepath.Join(witnesses, "memory."+strings.ReplaceAll(string(p), ":", "")+".wit"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, format := range []string{"witness", "markdown", "vcd"} {
		var found wire.ExportedTrace
		err := s.execute(wire.CommandExportTrace.Name, map[string]any{"uri": u, "property": p, "format": format}, &found)
		if err != nil || format == "witness" && found.Text != string(want) || strings.Contains(found.Text, "latch ") || strings.Contains(found.Text, "input ") {
			s.t.Errorf("%s as %s: %v, %s", p, format, err, found.Text)
		}
	}
	var trace wire.Trace
	if err := s.execute(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: u, Property: p}}, &trace); err != nil {
		s.t.Fatal(err)
	}
	var words []string
	for _, w := range trace.Words {
		words = append(words, w.Name)
	}
	for _, name := range []string{"addr", "data", "raddr"} {
		if !slices.Contains(words, name) {
			s.t.Errorf("%s: the trace has %q, without %s", p, words, name)
		}
	}
	for _, x := range trace.Signals {
		if x.Settable != "" || strings.HasPrefix(x.Name, "latch ") || strings.HasPrefix(x.Name, "input ") {
			s.t.Errorf("%s: the trace has %+v", p, x)
		}
	}
}

// walkLarge has the debugger walk through the counterexample, and refuse to explain it.
func (s *surfaces) walkLarge(witnesses, file string, u uri.URI, p wire.PropertyID) {
	witness, err := os.ReadFile(filepath.Join(witnesses, "memory."+strings.ReplaceAll(string(p), ":", "")+".wit"))
	if err != nil {
		s.t.Fatal(err)
	}
	d, end := s.debugged()
	defer end()
	if s.walk(d, file, wire.PropertyParams{URI: u, Property: p}, string(witness)) == nil {
		return
	}
	if said, err := d.says("why"); err == nil || !strings.Contains(err.Error(), "arrays with an index of 32 bits") {
		s.t.Errorf("%s: the debugger says %q, %v", p, said, err)
	}
}

// simulateLarge has the debugger refuse to play a run of the file.
func (s *surfaces) simulateLarge(file string) {
	d, end := s.debugged()
	defer end()
	d.ask("initialize", map[string]any{"adapterID": "aiglens"}, nil)
	if err := d.ask("launch", map[string]any{"program": file, "simulate": true}, nil); err == nil || !strings.Contains(err.Error(), "line 6") {
		s.t.Errorf("%s: simulate: %v", file, err)
	}
}

// importLarge has the server and the command line replay a witness of the property, and one that shows nothing.
func (s *surfaces) importLarge(witnesses, file string, u uri.URI, p wire.PropertyID) {
	name := filepath.Join(witnesses, "memory."+strings.ReplaceAll(string(p), ":", "")+".wit")
	good, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(good), "#0")
	for text, isGood := range map[string]bool{string(good): true, head + "#0\n@0\n.\n": false} {
		err := s.execute(wire.CommandImportWitness.Name, map[string]any{"uri": u, "property": p, "text": text}, nil)
		if (err == nil) != isGood {
			s.t.Errorf("%s: the server says of a witness: %v\n%s", p, err, text)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
		if out, said := s.cli("replay", "--index", string(p), file, name); said != "" || strings.Contains(out, "not violated") == isGood {
			s.t.Errorf("%s: replay says %q, %q\n%s", p, out, said, text)
		}
	}
}

// refuseAllBut asks everything about a property that check alone answers.
func (s *surfaces) refuseAllBut(file string, u uri.URI, p wire.PropertyID) {
	_, said := s.cli("another", "--index", string(p), file)
	why, ok := strings.CutPrefix(strings.TrimSpace(said), "aiglens: "+file+": ")
	if !ok || !strings.Contains(why, "arrays with an index of 32 bits") {
		s.t.Fatalf("another says %q", said)
	}
	for _, command := range []string{"isolate", "suggest", "proof", "obstacle"} {
		if _, said := s.cli(command, "--index", string(p), file); !strings.Contains(said, why) {
			s.t.Errorf("%s of %s says %q, and another %q", command, p, said, why)
		}
	}
	for command, more := range map[string]map[string]any{
		"aiglens.another": {"find": "another"}, "aiglens.isolate": nil, "aiglens.suggest": nil, "aiglens.proof": nil, "aiglens.obstacle": nil,
		wire.CommandUnneeded.Name: nil, wire.CommandReduce.Name: nil, wire.CommandWhy.Name: nil, wire.CommandGoToCause.Name: {"signal": 2, "step": 0},
		wire.CommandPlay.Name: nil,
	} {
		params := map[string]any{"uri": u, "property": p}
		for name, value := range more {
			params[name] = value
		}
		if err := s.execute(command, params, nil); err == nil || !strings.HasSuffix(err.Error(), why) {
			s.t.Errorf("%s of %s: %v, expected %q", command, p, err, why)
		}
	}
	state := map[string]string{"memory.btor2": "q", "sum.btor2": "sum"}[filepath.Base(file)] // that comes of the array
	for command, params := range map[string]map[string]any{
		wire.CommandPlay.Name: {"uri": u}, wire.CommandReach.Name: {"uri": u, "position": map[string]any{"line": 0, "character": 0}, "expression": state + " == 5"}, wire.CommandStates.Name: {"uri": u, "property": p}, wire.CommandDraw.Name: {"uri": u, "property": p},
	} {
		if err := s.execute(command, params, nil); err == nil || !strings.Contains(err.Error(), "line 6") {
			s.t.Errorf("%s of %s: %v", command, p, err)
		}
	}
}
