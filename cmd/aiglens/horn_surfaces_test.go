package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// TestClausesOfSurfaces asks the shell, also for JSON, and the server about the queries of the examples and of the broken
// files: they say the same of each, in the same words.
func TestClausesOfSurfaces(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../examples/*.smt2", "../../horn/testdata/broken/*.smt2"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, found...)
	}
	s := newSurfaces(t)
	for _, file := range files {
		s.askClauses(file)
	}
}

func (s *surfaces) askClauses(file string) {
	s.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	absolute, _ := filepath.Abs(file)
	u := uri.File(absolute)
	s.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "smt2", "version": 1, "text": string(text)}})
	defer s.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": u}})
	if err := s.execute(wire.CommandCheck.Name, wire.CheckParams{PropertyParams: wire.PropertyParams{URI: u}}, nil); err != nil {
		s.t.Fatal(err)
	}
	there := s.settled(u, func(all []wire.PropertyStatus) bool {
		return !slices.ContainsFunc(all, func(p wire.PropertyStatus) bool { return p.Message == "" || p.Freshness != wire.FreshnessFresh })
	})
	out, _ := s.cli("check", file)
	asJSON, _ := s.cli("check", "--format", "json", file)
	var lines, objects []string
	if out != "" {
		lines = strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	}
	for line := range strings.Lines(asJSON) {
		if strings.Contains(line, `"verdict"`) {
			objects = append(objects, line)
		}
	}
	if strings.Contains(out, "unknown: error on line") {
		return // the server does not ask the queries of a file with errors
	}
	if len(lines) != len(there) || len(objects) != len(there) {
		s.t.Fatalf("%s: %d queries in the server\n%s%s", file, len(there), out, asJSON)
	}
	for i, p := range there {
		if want := ": " + p.Name + ": " + p.Message; !strings.HasSuffix(lines[i], want) {
			s.t.Errorf("the server says %q, the shell %q", want, lines[i])
		}
		var a jsonAnswer
		if err := json.Unmarshal([]byte(objects[i]), &a); err != nil {
			s.t.Fatal(err)
		}
		if a.Verdict != string(p.Verdict) || a.Property.Name != p.Name || a.Property.Line != int(p.Range.Start.Line)+1 {
			s.t.Errorf("%s: the server says %+v, JSON %s", file, p, objects[i])
		}
	}
}
