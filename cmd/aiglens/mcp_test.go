package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newAgent is a client of the library of the protocol, with a server that may read a folder.
func newAgent(t *testing.T, folder string, flags ...string) *mcp.ClientSession {
	session, _ := startAgents(t, folder, flags...)
	return session
}

// startAgents is newAgent with the process of the server.
func startAgents(t *testing.T, folder string, flags ...string) (*mcp.ClientSession, *exec.Cmd) {
	server := exec.Command("aiglens", append([]string{"mcp", "--folder", folder}, flags...)...)
	server.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session, server
}

// agentAnswer is what a tool has answered.
type agentAnswer struct {
	ExitCode int
	Answers  []json.RawMessage
	Text     string
	Notes    []string
	Files    []struct{ Name, SHA256, More string }
	More     string
	refused  string // why there is none
}

func askAgent(t *testing.T, session *mcp.ClientSession, tool, arguments string) (a agentAnswer) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if r.StructuredContent == nil {
		a.refused = text
	} else if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s %s: %q: %v", tool, arguments, text, err)
	}
	return a
}

// passing are what differs from run to run: times, and whether the answer was known.
var passing = regexp.MustCompile(`"(seconds|cached)":[^,}]*,?|\d+\.\d s|"solver":"[a-z]*",?`)

// TestAgentsAnswers: the tools answer as the commands of the shell do, on every example.
func TestAgentsAnswers(t *testing.T) {
	t.Setenv(cacheVariable, cacheOff)
	folder, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	session := newAgent(t, folder, "--answer", "16M")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, e := range entries {
		name := e.Name()
		if !isRead(name) {
			continue
		}
		path := filepath.Join(folder, name)
		file, _ := json.Marshal(name)
		for _, of := range []struct{ tool, more, command string }{
			{"lint", "", "lint --format json"},
			{"fix", "", "lint --fixes --format json"},
			{"check", `,"facts":true,"cpu":"60s"`, "check --format json --facts --cpu 60s"}, // one property at a time, in their order
			{"trace", "", "another --count 1 --format json"},
			{"facts", `,"cpu":"60s"`, "proof --cpu 60s --format json"},
			{"stats", "", "stats --format json"},
			{"format", "", "fmt"},
			{"convert", `,"to":"blif"`, "convert --to blif"},
			{"explain", `,"line":5,"cpu":"60s"`, "at --cpu 60s --format json"},
			{"why", `,"index":"bad:0","cpu":"60s"`, "at --index bad:0 --cpu 60s --format json"},
			{"unneeded", `,"cpu":"60s"`, "check --unneeded --cpu 60s --format json"},
			{"simulate", `,"steps":6,"random":7`, "simulate --to markdown --steps 6 --random 7"},
			{"reduce", `,"while_verdict":"refuted"`, "reduce --while-verdict refuted"},
			{"equiv", "", "equiv --format json"},
			{"cover", `,"latches":true`, "cover --latches --format json"},
			{"isolate", `,"each":"2s"`, "isolate --each 2s --format json"},
			{"obstacle", "", "obstacle --format json"},
			{"suggest_lemmas", "", "suggest --format json"},
			{"another", `,"count":2`, "another --count 2 --format json"},
			{"try_lemma", `,"lemma":["l0","!l0"],"cpu":"60s"`, "check --format json --lemma l0 --lemma !l0 --cpu 60s"},
			{"cone", `,"signal":["l0"]`, "cone --signal l0"},
			{"what_if", `,"witness":"1\nb0\n\n.\n"`, "replay --witness - --to markdown"},
		} {
			arguments, args := `{"file":`+string(file)+of.more+`}`, append(strings.Fields(of.command), path)
			switch of.tool {
			case "explain":
				args[len(args)-1] += ":5"
			case "equiv":
				arguments, args = `{"a":`+string(file)+`,"b":`+string(file)+`}`, append(args, path)
			}
			got := askAgent(t, session, of.tool, arguments)
			var out, said strings.Builder
			stdin := ""
			if of.tool == "what_if" {
				stdin = "1\nb0\n\n.\n"
			}
			code := run(t.Context(), env{stdin: strings.NewReader(stdin), stdout: &out, stderr: &said}, args)
			want := plainly(out.String())
			printed := got.Text
			for _, line := range got.Answers {
				printed += string(line) + "\n"
			}
			if plainly(printed) != want || got.ExitCode != code || last(got.Notes) != last(strings.Split(plainly(said.String()), "\n")) {
				t.Errorf("%s %s: %sexit code %d, %s%s\nthe shell: exit code %d, %s%s", of.tool, arguments, got.refused, got.ExitCode, printed, got.Notes, code, out.String(), said.String())
			}
			asked++
		}
	}
	t.Logf("%d questions", asked)
}

// last is what a command has said at its end; where there is no terminal it also says how far it is.
func last(notes []string) string { return plainly(strings.Join(notes[max(0, len(notes)-1):], "")) }

func plainly(text string) string {
	return strings.TrimSpace(passing.ReplaceAllString(strings.ReplaceAll(text, "\n\n", "\n"), ""))
}

// TestAgentsCertificates: what a tool calls proved has a certificate that certify accepts, and what it calls refuted one
// that replay accepts.
func TestAgentsCertificates(t *testing.T) {
	folder := filepath.Join("..", "..", "examples")
	session := newAgent(t, folder, "--answer", "16M")
	reached, err := os.ReadFile(filepath.Join(folder, "crossing.smt2"))
	if err != nil {
		t.Fatal(err)
	}
	// With a query that is reached at once.
	reached = bytes.Replace(reached, []byte("(check-sat)"), []byte("(assert (forall ((x Int)) (=> (= x 0) false)))\n(check-sat)"), 1)
	for _, of := range []struct{ tool, name, text, judge, model, certificate string }{
		{"check", "semaphore2.aag", "", "certify", "bad0.model.aag", "bad0.certificate.aag"},
		{"try_lemma", "semaphore2.aag", "", "certify", "", "bad0.certificate.aag"},
		{"check", "semaphore2_broken.aag", "", "replay", "", "bad0.wit"},
		{"check", "crossing.smt2", "", "certify", "", "bad0.certificate.smt2"},
		{"check", "semaphore.smt2", "", "certify", "bad1.clauses.smt2", "bad1.certificate.smt2"},
		{"check", "reached.smt2", string(reached), "certify", "bad1.clauses.smt2", "bad1.derivation.smt2"},
	} {
		arguments := map[string]any{"file": of.name, "certificates": true}
		if of.tool == "try_lemma" {
			arguments["lemma"] = []string{"!(work_a & work_b)"}
		}
		if of.text != "" {
			arguments["file_text"] = of.text
		}
		given, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		a, kept := askAgent(t, session, of.tool, string(given)), t.TempDir()
		for _, f := range a.Files {
			content := askAgent(t, session, "more", `{"of":"`+f.More+`"}`)
			if hash := fmt.Sprintf("%x", sha256.Sum256([]byte(content.Text))); hash != f.SHA256 {
				t.Errorf("%s: hash %s, said to be %s", f.Name, hash, f.SHA256)
			}
			if err := os.WriteFile(filepath.Join(kept, f.Name), []byte(content.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		model, files := filepath.Join(folder, of.name), filepath.Join(kept, strings.TrimSuffix(of.name, filepath.Ext(of.name)))+"."
		if of.model != "" {
			model = files + of.model
		}
		args := []string{of.judge, model, files + of.certificate}
		var out, said strings.Builder
		if code := run(context.Background(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, args); code != exitOK {
			t.Errorf("%v: exit code %d: %s%s", args, code, out.String(), said.String())
		}
	}
}

// TestAgentsPages: an agent can read the pages that it is told of.
func TestAgentsPages(t *testing.T) {
	session := newAgent(t, t.TempDir())
	list, err := session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) < 9 {
		t.Fatalf("%d pages, %v", len(list.Resources), err)
	}
	for _, r := range list.Resources {
		read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(read.Contents) != 1 || !strings.HasPrefix(read.Contents[0].Text, "# ") {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
}

// TestAgentsWrite: a server that may write replaces what it was asked to, says what has changed, and keeps what was there.
func TestAgentsWrite(t *testing.T) {
	top := t.TempDir()
	inside, outside := filepath.Join(top, "in"), filepath.Join(top, "out")
	const loose, tight = "aag 1 1 0 1 0\n 2\n2\n", "aag 1 1 0 1 0\n2\n2\n"
	for _, folder := range []string{inside, outside} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.aag"), []byte(loose), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "out", "a.aag"), filepath.Join(inside, "link.aag")); err != nil {
		t.Fatal(err)
	}
	is := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; expected %q", path, got, err, want)
		}
	}
	path := filepath.Join(inside, "a.aag")
	if a := askAgent(t, newAgent(t, inside), "format", `{"file":"a.aag","w":true}`); !strings.Contains(a.refused, `no argument "w"`) {
		t.Errorf("without --write: %+v", a)
	}
	is(path, loose)

	session := newAgent(t, outside, "--write", inside)
	a := askAgent(t, session, "format", `{"file":`+quote(path)+`,"w":true}`)
	if a.ExitCode != exitOK || !strings.Contains(a.Text, "\n- 2\n+2\n") || len(a.Files) != 1 {
		t.Errorf("%+v", a)
	}
	is(path, tight)
	if before := askAgent(t, session, "more", `{"of":"`+a.Files[0].More+`"}`); before.Text != loose {
		t.Errorf("before it was %q", before.Text)
	}
	const other = "aag 1 1 0 1 0\n2\n3\n"
	if a := askAgent(t, session, "format", `{"file":`+quote(path)+`,"file_text":`+quote(other)+`,"w":true}`); !strings.Contains(a.Text, "\n-2\n+3\n") {
		t.Errorf("%+v", a)
	}
	is(path, other)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, arguments := range []string{
		`{"file":"a.aag","w":true}`, `{"file":` + quote(filepath.Join(inside, "link.aag")) + `,"w":true}`, `{"file_text":"aag 0 0 0 0 0\n","w":true}`,
		`{"file":` + quote(filepath.Join(inside, "new.aag")) + `,"file_text":"aag 0 0 0 0 0\n","w":true}`,
	} {
		if a := askAgent(t, session, "format", arguments); a.refused == "" && a.ExitCode != exitUsage {
			t.Errorf("%s: %+v", arguments, a)
		}
	}
	is(filepath.Join(outside, "a.aag"), loose)
	if entries, _ := os.ReadDir(inside); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func quote(s string) string { text, _ := json.Marshal(s); return string(text) }
