package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aiglens/internal/shared"
)

// copied returns a folder with the examples.
func copied(t *testing.T) string {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "examples"))); err != nil {
		t.Fatal(err)
	}
	return folder
}

// holds returns what lies below a folder, with when it was written.
func holds(t *testing.T, folder string) string {
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		sum := [32]byte{}
		if data, err := os.ReadFile(path); err == nil {
			sum = sha256.Sum256(data)
		}
		fmt.Fprintf(&b, "%s %v %v %x\n", path, info.Mode(), info.ModTime(), sum[:6])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAgentsWriteNothing: whatever is asked, no file is written: beside the circuits, in the folder of the server, or for
// the time of a call. Results are kept as by every command, unless that is off.
func TestAgentsWriteNothing(t *testing.T) {
	folder, home := copied(t), t.TempDir()
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR", "TMP", "TEMP", "LocalAppData", "USERPROFILE"} {
		t.Setenv(variable, home)
	}
	t.Setenv(cacheVariable, cacheOff)
	session := newAgent(t, folder)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	before := holds(t, folder) + holds(t, home) + holds(t, ".")
	for _, file := range []string{"semaphore2_broken.aag", "semaphore2.aag", "vending.blif", "fifo.btor2"} {
		for _, tool := range list.Tools {
			if tool.Name == "more" {
				continue
			}
			askAgent(t, session, tool.Name, fullArguments(tool.Name, file))
		}
	}
	for line := range strings.Lines(holds(t, folder) + holds(t, home) + holds(t, ".")) {
		if !strings.Contains(before, line) {
			t.Errorf("written: %s", line)
		}
	}
}

// fullArguments are such as ask a tool for much about a file.
func fullArguments(tool, file string) string {
	given := map[string]any{"file": file}
	more := map[string]map[string]any{
		"check": {"certificates": true, "facts": true}, "equiv": {"a": file, "b": file}, "explain": {"line": 4},
		"what_if": {"witness": "1\nb0\n\n.\n"}, "cover": {"latches": true}, "suggest_lemmas": {"try": 2}, "try_lemma": {"lemma": []string{"1"}},
		"isolate": {"each": "1s"}, "reduce": {"while_verdict": "refuted"}, "convert": {"to": "blif"}, "cone": {"signal": []string{"free"}},
		"simulate": {"steps": 4, "random": 1},
	}[tool]
	if tool == "equiv" {
		given = more
	}
	for name, value := range more {
		given[name] = value
	}
	text, _ := json.Marshal(given)
	return string(text)
}

// TestAgentsMemory: after many calls the server holds no more than after a few. AIGLENS_LONG makes 10,000.
func TestAgentsMemory(t *testing.T) {
	t.Setenv(cacheVariable, t.TempDir())
	session, server := startAgents(t, filepath.Join("..", "..", "examples"), "--answer", "2K")
	calls := 200
	if os.Getenv("AIGLENS_LONG") != "" {
		calls = 10_000
	}
	tools, files := []string{"check", "lint", "trace", "why", "stats", "format", "convert", "simulate"}, []string{"semaphore2_broken.aag", "semaphore2.aag", "vending.blif", "fifo.btor2"}
	early := 0
	for i := range calls {
		askAgent(t, session, tools[i%len(tools)], fullArguments(tools[i%len(tools)], files[i/len(tools)%len(files)]))
		if i == calls/10 {
			early = resident(t, server.Process.Pid)
		}
	}
	late := resident(t, server.Process.Pid)
	t.Logf("resident after %d calls: %d KB, after %d: %d KB", calls/10, early, calls, late)
	// What does not fit into answers is kept, within its bound.
	if late > early+(64<<10)+(16<<10) {
		t.Errorf("the memory grows from %d to %d KB", early, late)
	}
}

// resident returns the KB of a process in memory, as proc(5) has it.
func resident(t *testing.T, pid int) (kb int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("no /proc")
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(after, &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}

// TestAgentsAtOnce: ten calls at once, of which one is cancelled, have the answers that they have alone.
func TestAgentsAtOnce(t *testing.T) {
	session := newAgent(t, filepath.Join("..", "..", "examples"))
	files := []string{"semaphore2_broken.aag", "semaphore2.aag", "vending.blif", "fifo.btor2", "account.blif"}
	alone := map[string]string{}
	verdicts := func(a agentAnswer) (all string) {
		for _, line := range a.Answers {
			var one struct{ Name, Verdict string }
			_ = json.Unmarshal(line, &one)
			all += one.Name + " " + one.Verdict + "\n"
		}
		return all
	}
	for _, file := range files {
		alone[file] = verdicts(askAgent(t, session, "check", `{"file":"`+file+`"}`))
	}
	var asking sync.WaitGroup
	for i := range 10 {
		asking.Go(func() {
			file := files[i%len(files)]
			ctx, cancel := context.WithCancel(t.Context())
			if i == 3 {
				cancel()
			}
			defer cancel()
			r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "check", Arguments: json.RawMessage(`{"file":"` + file + `"}`)})
			if i == 3 {
				return
			}
			if err != nil {
				t.Errorf("%s: %v", file, err)
				return
			}
			var a agentAnswer
			if err := json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &a); err != nil || verdicts(a) != alone[file] {
				t.Errorf("%s: %v, %s instead of %s", file, err, verdicts(a), alone[file])
			}
		})
	}
	asking.Wait()
}

// TestAgentsTier compares the answers for tier smoke with the verdicts that are known, and has every certificate tested again
// by certify and replay. It takes minutes, and is made when AIGLENS_LONG is set.
func TestAgentsTier(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("AIGLENS_LONG is not set")
	}
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	session := newAgent(t, dir, "--answer", "64M")
	judged := map[string]int{}
	for _, b := range readBenchmarks(t, filepath.Join(dir, "peers.csv"), []string{"smoke"}) {
		a := askAgent(t, session, "check", fmt.Sprintf(`{"file":%q,"certificates":true,"cpu":"20s","no_vacuity":true}`, b.file))
		var got struct {
			Verdict string
			Checked bool
		}
		if len(a.Answers) != 1 || json.Unmarshal(a.Answers[0], &got) != nil || got.Verdict != b.expected || !got.Checked {
			t.Errorf("%s: %s %v, expected %s: %s%s", b.file, got.Verdict, got.Checked, b.expected, a.refused, a.Notes)
			continue
		}
		kept, files := t.TempDir(), map[string]string{}
		for _, f := range a.Files {
			text := ""
			for name := f.More; name != ""; {
				part := askAgent(t, session, "more", `{"of":"`+name+`"}`)
				text, name = text+part.Text, part.More
			}
			path := filepath.Join(kept, f.Name)
			files[path[strings.LastIndex(path[:len(path)-4], ".")+1:]] = path
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"certify", files["model.aag"], files["certificate.aag"]}
		if got.Verdict == "refuted" {
			for _, path := range files {
				args = []string{"replay", filepath.Join(dir, b.file), path}
			}
		}
		var said strings.Builder
		if code := run(t.Context(), env{stdin: strings.NewReader(""), stdout: &said, stderr: &said}, args); code != exitOK {
			t.Errorf("%v: exit code %d: %s", args, code, said.String())
		}
		judged[got.Verdict]++
	}
	t.Logf("%v", judged)
}

// TestAgentsPatience: while a check takes two minutes, other calls are answered, and then it is. It is made when
// AIGLENS_LONG is set.
func TestAgentsPatience(t *testing.T) {
	if os.Getenv("AIGLENS_LONG") == "" {
		t.Skip("AIGLENS_LONG is not set")
	}
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	session, hard := newAgent(t, dir, "--calls", "2"), ""
	for _, b := range readBenchmarks(t, filepath.Join(dir, "peers.csv"), []string{"open"}) {
		if b.expected == "unknown" {
			hard = b.file
			break
		}
	}
	if hard == "" {
		t.Fatal("no benchmark is hard")
	}
	answered := make(chan agentAnswer)
	go func() {
		answered <- askAgent(t, session, "check", fmt.Sprintf(`{"file":%q,"timeout":"2m","within":"5m"}`, hard))
	}()
	for began, others := time.Now(), 0; ; others++ {
		select {
		case a := <-answered:
			t.Logf("%s: after %.0f s and %d other calls: %s", hard, time.Since(began).Seconds(), others, a.Answers)
			if a.ExitCode != exitUnknown || len(a.Answers) != 1 {
				t.Errorf("exit code %d, %s %s", a.ExitCode, a.Answers, a.Notes)
			}
			return
		default:
			askAgent(t, session, "lint", `{"file_text":"aag 0 0 0 0 0\n"}`)
		}
	}
}
