package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/uri"

	"aiglens/design/answers"
	"aiglens/lsp/wire"
)

// askInquiries compares inquiries about the first property of safety, while it has no answer.
func (s *surfaces) askInquiries(file string, u uri.URI) {
	for _, p := range s.properties(u) {
		kind, _, _ := strings.Cut(string(p.Property), ":")
		if kind == "justice" || kind == "cover" || kind == "lemma" {
			continue
		}
		of := wire.PropertyParams{URI: u, Property: p.Property}
		if s.execute(wire.CommandCheck.Name, wire.CheckParams{PropertyParams: of, Timeout: new(float64(1e-9))}, nil) == nil {
			if s.lacksAnswer(of) {
				s.askSuggest(file, of)
				s.askIsolate(file, of)
			}
		}
		return
	}
}

// lacksAnswer reports whether the check of a property that is under way ends without an answer.
func (s *surfaces) lacksAnswer(of wire.PropertyParams) bool {
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for _, p := range s.properties(of.URI) {
			if p.Property == of.Property && p.Verdict != "none" && p.Freshness == wire.FreshnessFresh {
				return p.Verdict == "unknown"
			}
		}
	}
	return false
}

// askIsolate compares which groups of latches a proof does without.
func (s *surfaces) askIsolate(file string, of wire.PropertyParams) {
	var there wire.Answer
	if err := s.execute(wire.CommandIsolate.Name, of, &there); err != nil {
		s.t.Logf("%s, %s: isolate: %v", file, of.Property, err)
		return
	}
	s.asked["isolate"]++
	text := timeless(there.Text)
	out, _ := s.cli("isolate", "--index", string(of.Property), file)
	if n, all := strings.Count(out, " left free it is "), strings.Count(text, " left free it is "); out != "" && n != all {
		s.t.Errorf("%s, %s: isolate lists %d groups, the server %d", file, of.Property, n, all)
	}
	for line := range strings.Lines(timeless(out)) {
		at := max(strings.LastIndex(line, ": ")+2, 2) // after the file and the property, or the indent
		if !strings.Contains(text, strings.TrimSpace(line[at:])) {
			s.t.Errorf("%s, %s: isolate says\n%sand the server\n%s", file, of.Property, out, text)
			break
		}
	}
	out, _ = s.cli("isolate", "--format", "json", "--index", string(of.Property), file)
	for line := range strings.Lines(out) {
		var try jsonTry
		if err := json.Unmarshal([]byte(line), &try); err != nil {
			s.t.Fatal(err)
		}
		verdict := map[string]string{"proved": "it is proved in ? s", "unknown": "it is not proved: "}[try.Verdict]
		_, after, found := strings.Cut(text, "\n  "+strings.Join(try.Latches, ", ")+"\n")
		before := strings.TrimSuffix(text, after)
		if at := strings.LastIndex(before, "left free "); !found || !strings.HasPrefix(before[at:], "left free "+verdict) {
			s.t.Errorf("%s, %s: isolate says %s and the server\n%s", file, of.Property, line, text)
		}
	}
}

var seconds = regexp.MustCompile(`[0-9.]+ s\b`)

// timeless returns a text without the times that it tells.
func timeless(text string) string { return seconds.ReplaceAllString(text, "? s") }

// askAnother compares what is found beyond the counterexample of the check, of the first property
// of safety that is refuted.
func (s *surfaces) askAnother(file string, u uri.URI) {
	for _, p := range s.properties(u) {
		if p.Verdict != "refuted" || strings.HasPrefix(string(p.Property), "justice") {
			continue
		}
		of := wire.PropertyParams{URI: u, Property: p.Property}
		for _, find := range []struct {
			question string
			sought   wire.Sought
			flag     string
		}{{"another", wire.SoughtAnother, "--count=2"}, {"shortest", wire.SoughtShortest, "--shortest"}} {
			var there wire.FoundRun
			if err := s.execute(wire.CommandAnother.Name, wire.AnotherParams{PropertyParams: of, Find: find.sought}, &there); err != nil {
				s.t.Errorf("%s, %s: %s: %v", file, p.Property, find.question, err)
				return
			}
			text, _ := s.cli("another", find.flag, "--index", string(p.Property), file)
			out, _ := s.cli("another", find.flag, "--index", string(p.Property), "--format", "json", file)
			if out == "" {
				return // of a file with errors
			}
			s.asked[find.question]++
			lines := strings.Split(strings.TrimSpace(out), "\n")
			var last jsonRun
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
				s.t.Fatal(err)
			}
			says := strings.Contains(text, there.Message+"\n")
			if last.Type == "counterexample" {
				says = strings.Contains(there.Message, "of "+answers.Count(last.Steps, "step", "steps")) && (says || find.question == "another") &&
					strings.Contains(there.Message, "proved") == last.Proved
			}
			if !says {
				s.t.Errorf("%s, %s: another %s says\n%s%sand the server %q", file, p.Property, find.flag, text, out, there.Message)
			}
		}
		return
	}
}

// askSuggest compares guesses of lemmas. The server has those that the text has words for.
func (s *surfaces) askSuggest(file string, of wire.PropertyParams) {
	args := []string{"suggest", "--timeout", "1ns", "--first", "12", "--index", string(of.Property)}
	out, _ := s.cli(append(args, "--format", "json", file)...)
	if out == "" {
		return // of a file with errors
	}
	var here []jsonSuggestion
	for line := range strings.Lines(out) {
		var x jsonSuggestion
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			s.t.Fatal(err)
		}
		if x.Type == "suggestion" {
			here = append(here, x)
		}
	}
	var there wire.Suggestions
	if err := s.execute(wire.CommandSuggest.Name, of, &there); err != nil {
		s.t.Errorf("%s, %s: suggest: %v", file, of.Property, err)
		return
	}
	s.asked["suggest"]++
	if len(here) != len(there.Lemmas)+there.Others {
		s.t.Errorf("%s, %s: %d guesses, of the server %d and %d", file, of.Property, len(here), len(there.Lemmas), there.Others)
	}
	text, _ := s.cli(append(args, file)...)
	for _, lemma := range there.Lemmas {
		isSame := func(x jsonSuggestion) bool {
			return slices.Equal(x.Facts[:min(len(x.Facts), len(lemma.Facts))], lemma.Facts)
		}
		says := ", not proved: " + lemma.Detail + "\n  " + strings.Join(lemma.Facts, "\n  ") + "\n"
		if !slices.ContainsFunc(here, isSame) || !strings.Contains(text, says) {
			s.t.Errorf("%s, %s: suggest says\n%sand the server %q", file, of.Property, text, says)
		}
	}
}
