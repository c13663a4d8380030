package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// peer is a client of aiglens mcp that is made without the library.
type peer struct {
	t    *testing.T
	to   io.Writer
	from *bufio.Reader
	last int // number of the last request
}

func startPeer(t *testing.T, folder string) *peer {
	server := exec.Command("aiglens", "mcp", "--folder", folder)
	server.Stderr = os.Stderr
	to, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		to.Close()
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	p := &peer{t: t, to: to, from: bufio.NewReader(from)}
	p.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"peer","version":"1"}}`)
	fmt.Fprintln(to, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// ask sends a request and returns its result.
func (p *peer) ask(method, params string) (result json.RawMessage) {
	p.t.Helper()
	p.last++
	fmt.Fprintf(p.to, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.last, method, params)
	for {
		line, err := p.from.ReadBytes('\n')
		var reply struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err == nil {
			err = json.Unmarshal(line, &reply)
		}
		if err != nil || reply.Error != nil {
			p.t.Fatalf("%s %s: %s%v", method, params, reply.Error, err)
		}
		if reply.ID == p.last {
			return reply.Result
		}
	}
}

// TestAgentsSecondClient: a client made without the library has the answers that one with it has, from all tools, also
// where it names files by absolute paths through a link to the folder.
func TestAgentsSecondClient(t *testing.T) {
	t.Setenv(cacheVariable, cacheOff)
	folder := copied(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	first, second := newAgent(t, folder), startPeer(t, link)
	var listed struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(second.ask("tools/list", "{}"), &listed); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, file := range []string{"semaphore2_broken.aag", "vending.blif", "fifo.btor2"} {
		for _, tool := range listed.Tools {
			if tool.Name == "more" {
				continue
			}
			var got struct {
				Content []struct{ Text string }
			}
			arguments := func(folder string) string { // with a limit of processor time properties are checked in their order
				given := fullArguments(tool.Name, filepath.Join(folder, file))
				if slices.Contains([]string{"check", "unneeded", "try_lemma"}, tool.Name) {
					given = `{"cpu":"60s",` + given[1:]
				}
				return given
			}
			call := fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool.Name, arguments(link))
			if err := json.Unmarshal(second.ask("tools/call", call), &got); err != nil {
				t.Fatal(err)
			}
			var a agentAnswer
			if json.Unmarshal([]byte(got.Content[0].Text), &a) != nil {
				a.refused = got.Content[0].Text
			}
			want := askAgent(t, first, tool.Name, arguments(folder))
			same := func(a agentAnswer) string {
				return plainly(strings.ReplaceAll(fmt.Sprintf("%d %s %s %s", a.ExitCode, a.Answers, a.Text, a.refused), link, folder))
			}
			if same(a) != same(want) {
				t.Errorf("%s of %s: %s\nwith the library: %s", tool.Name, file, same(a), same(want))
			}
			asked++
		}
	}
	t.Logf("%d questions", asked)
}
