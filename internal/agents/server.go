package agents

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server answers one agent.
type server struct {
	program Program
	options Options
	turn    chan struct{} // has room for as many calls as run at a time
	room    room
	kept    *shelf
}

func newServer(p Program, o Options) *server {
	return &server{program: p, options: o, turn: make(chan struct{}, max(1, o.Calls)), kept: newShelf(shelfBytes)}
}

// instructions are what an agent is told first.
const instructions = "Model checking of circuits (AIGER, BLIF, BTOR2) and Horn clauses (SMT-LIB). Ask instead of guessing: " +
	"'check' proves or refutes properties, with certificates; 'explain' and 'trace' say why one fails, 'what_if' tries other inputs; " +
	"after a timeout 'obstacle' and 'suggest_lemmas' say what a proof lacks. aiglens://agents tells how to prove something step by step."

// mcp returns the server of the protocol.
func (s *server) mcp() *mcp.Server {
	m := mcp.NewServer(&mcp.Implementation{Name: "aiglens", Version: s.program.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	closed := false
	for _, t := range tools {
		parameters := s.parametersOf(t)
		writes := len(s.options.Writable) > 0 && slices.Contains(t.flags, inPlace)
		m.AddTool(&mcp.Tool{
			Name: t.name, Description: t.about + "\n\nExample: " + t.example, InputSchema: schema(parameters),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !writes, IdempotentHint: true, OpenWorldHint: &closed, DestructiveHint: &writes},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.answer(ctx, r, func(given values, tell func(string)) (answer, error) {
				given.fit(parameters)
				if err := check(t, parameters, given); err != nil {
					return answer{}, err
				}
				return s.call(ctx, t, given, tell)
			})
		})
	}
	more := described{parameter: parameter{name: "of", about: "what an answer calls 'more'", isRequired: true}}
	m.AddTool(&mcp.Tool{
		Name: "more", Description: "The next part of a long answer, or a file that an answer names.", InputSchema: schema([]described{more}),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed, DestructiveHint: &closed},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.answer(ctx, r, func(given values, _ func(string)) (answer, error) {
			return s.kept.page(given.text("of"), s.options.Answer)
		})
	})
	for _, p := range s.program.Pages {
		address := "aiglens://" + p.Path
		m.AddResource(&mcp.Resource{URI: address, Name: p.Path, Title: p.Title, MIMEType: "text/markdown"},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: address, MIMEType: "text/markdown", Text: p.Text}}}, nil
			})
	}
	return m
}

// answer decodes the arguments of a call and encodes what is found. What is wrong with a call is an answer, too: the
// agent can mend it.
func (s *server) answer(ctx context.Context, r *mcp.CallToolRequest, find func(given values, tell func(string)) (answer, error)) (*mcp.CallToolResult, error) {
	leave, err := s.room.enter(len(r.Params.Arguments))
	if err != nil {
		return failed(err), nil
	}
	defer leave()
	given := values{}
	if len(r.Params.Arguments) > 0 {
		if err := stdjson.Unmarshal(r.Params.Arguments, &given); err != nil {
			return failed(fmt.Errorf("the arguments are no JSON object: %w", err)), nil
		}
	}
	tell, end := progress(ctx, r)
	a, err := find(given, tell)
	end()
	if err != nil {
		return failed(err), nil
	}
	var encoded bytes.Buffer
	encoder := stdjson.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a); err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(encoded.Bytes())
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: stdjson.RawMessage(text), IsError: a.ExitCode == exitUsage,
	}, nil
}

// progress returns what tells an agent how far a call is, if it wants to know. A command never waits for an agent that
// reads nothing: what is not told in time is dropped.
func progress(ctx context.Context, r *mcp.CallToolRequest) (tell func(words string), end func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func(string) {}, func() {}
	}
	words, done, ended := make(chan string, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		again := time.NewTicker(progressEvery)
		defer again.Stop()
		text := "running"
		for told := 1.0; ; told++ {
			select {
			case <-done:
				return
			case text = <-words:
			case <-again.C: // clients wait longer for a call that tells something
			}
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: told, Message: text})
		}
	}()
	tell = func(text string) {
		select {
		case words <- text:
		default:
		}
	}
	end = func() {
		close(done)
		<-ended // nothing is told after the answer
	}
	return tell, end
}

// progressEvery is how often an agent that wants to know is told that a call goes on.
const progressEvery = 5 * time.Second

// Exit codes of commands.
const (
	exitUsage   = 2 // wrong arguments
	exitUnknown = 3 // no answer
)

// longestFault bounds the reason why there is no answer, in bytes.
const longestFault = 10_000

func failed(err error) *mcp.CallToolResult {
	text := strings.TrimSpace(err.Error())
	if len(text) > longestFault {
		text = strings.ToValidUTF8(text[:longestFault], "") + "…"
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}
