package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// listening returns a server that listens, and how to reach it.
func listening(t *testing.T, dir string, insecure bool) (*Server, Options) {
	t.Helper()
	s, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: dir, Insecure: insecure})
	if err != nil {
		t.Fatal(err)
	}
	scheme := "tls"
	if insecure {
		scheme = "nats"
	}
	return s, Options{URL: fmt.Sprintf("%s://127.0.0.1:%d", scheme, s.Port), Token: s.TokenFile, CA: s.CAFile, times: quick}
}

func dial(t *testing.T, o Options, name string) *Conn {
	t.Helper()
	o.Name = name
	c, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func startNode(t *testing.T, c *Conn, newEngine func(engines.Spec) (verify.Engine, error)) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		NewNode(c, 1, newEngine).Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// TestListen: with TLS and a token, which only the owner can read; and after a restart with the
// same folder the token is the same, and what was answered is not computed again.
func TestListen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	var runs atomic.Int64
	count := func(s engines.Spec) (verify.Engine, error) {
		runs.Add(1)
		return s.New()
	}
	token := ""
	for round := range 2 {
		s, o := listening(t, dir, false)
		startNode(t, dial(t, o, "node"), count)
		check(t, verify.Run(t.Context(), NewAsker(dial(t, o, "asker")).job(counter(4, 15, 9)), nil), "proved")
		for _, file := range []string{tokenFile, keyFile} {
			info, err := os.Stat(filepath.Join(dir, file))
			if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
				t.Errorf("%s: %v, %v", file, info, err)
			}
		}
		text, err := os.ReadFile(s.TokenFile)
		if err != nil || len(text) < 64 || round == 1 && string(text) != token {
			t.Errorf("round %d: the token %q, %v", round, text, err)
		}
		token = string(text)
		s.Close()
	}
	if runs.Load() != 1 {
		t.Errorf("%d runs", runs.Load())
	}
}

// TestStrangers: wrong tokens, plain text to the port with TLS, random bytes and messages that
// are too large are refused, and the rest goes on.
func TestStrangers(t *testing.T) {
	s, o := listening(t, t.TempDir(), false)
	defer s.Close()
	startNode(t, dial(t, o, "node"), real)
	a := NewAsker(dial(t, o, "asker"))

	refused := func(what string, change func(*Options), want string) {
		t.Helper()
		changed := o
		change(&changed)
		c, err := Connect(t.Context(), changed)
		if err == nil {
			c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", what, err, want)
		}
	}
	wrong := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(wrong, []byte("wrong"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a wrong token", func(o *Options) { o.Token = wrong }, "refuses the token")
	refused("no token", func(o *Options) { o.Token = "" }, "refuses the token")
	refused("an unknown certificate", func(o *Options) { o.CA = "" }, "unknown authority")
	refused("a prefix with wildcards", func(o *Options) { o.Prefix = "a.*" }, "the prefix")

	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	address := fmt.Sprintf("127.0.0.1:%d", s.Port)
	var talking sync.WaitGroup
	defer talking.Wait()
	for what, text := range map[string]string{
		"plain text":   "CONNECT {\"verbose\":false}\r\nSUB > 1\r\nPUB aiglens.jobs.x 2\r\nhi\r\nPING\r\n",
		"random bytes": string(noise),
	} {
		talking.Go(func() { // the server waits for the rest of what it takes for a handshake
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(time.Minute))
			_, _ = io.WriteString(conn, text) // it may be cut off
			answer, _ := io.ReadAll(conn)
			if strings.Contains(string(answer), "PONG") || strings.Contains(string(answer), "MSG") {
				t.Errorf("%s: %q", what, answer)
			}
		})
	}
	// A holder of the token announces 1 GB.
	token, _ := os.ReadFile(s.TokenFile)
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_ = nc.SetDeadline(time.Now().Add(time.Minute))
	if _, err := nc.Read(make([]byte, 4096)); err != nil { // INFO
		t.Fatal(err)
	}
	secure := tls.Client(nc, &tls.Config{InsecureSkipVerify: true})
	_, _ = fmt.Fprintf(secure, "CONNECT {\"auth_token\":%q}\r\nPUB aiglens.told.x %d\r\n", strings.TrimSpace(string(token)), 1<<30)
	var late net.Error
	if _, err := io.ReadAll(secure); errors.As(err, &late) && late.Timeout() {
		t.Error("1 GB: the server keeps the connection")
	}

	// Messages of the right form with the wrong content.
	for _, text := range []string{"", "{", "null", "[]", `{"protocol":1,"key":"../../etc"}`, string(noise[:1000]), strings.Repeat("[", 50_000)} {
		_ = a.nc.Publish("aiglens.told."+strings.Repeat("a", 64), []byte(text))
		if _, err := a.js.Publish(t.Context(), "aiglens.jobs.x", []byte(text)); err != nil && text != "" {
			t.Logf("%.20q: %v", text, err)
		}
	}
	check(t, verify.Run(t.Context(), a.job(counter(4, 15, 9)), nil), "proved")
	eventually(t, "the queue is empty", func() bool {
		info, err := a.kept().jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 0
	})
}

// TestStatus names the nodes and what they do.
func TestStatus(t *testing.T) {
	s, o := listening(t, t.TempDir(), true)
	defer s.Close()
	if s.TokenFile != "" || s.CAFile != "" {
		t.Errorf("an insecure server has %q and %q", s.TokenFile, s.CAFile)
	}
	engine, begun := blocked()
	o.Version = "1.2\x1b[31m"
	node := dial(t, o, "a node of mine")
	startNode(t, node, engineOf(engine))
	a := NewAsker(dial(t, o, "asker"))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan verify.Result, 2)
	for i := range 2 {
		go func() { done <- verify.Run(ctx, a.job(counter(4, 10+i, 9)), nil) }()
	}
	<-begun
	var got Status
	eventually(t, "both jobs are seen", func() bool {
		var err error
		if got, err = a.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(got.Jobs) == 1 && got.Waiting == 1 && len(got.Nodes) == 1 && got.Nodes[0].Busy == 1
	})
	n, j := got.Nodes[0], got.Jobs[0]
	if plain(ShownName(n.Name)) != "a-node-of-mine" || n.Slots != 1 || n.Version != "1.2 [31m" || n.Heard.IsZero() || got.Given != 1 {
		t.Errorf("%+v", got)
	}
	if j.Node != n.Name || j.Attempt != 1 || j.Progress.Depth != 3 || j.Elapsed <= 0 {
		t.Errorf("%+v", j)
	}
	cancel()
	<-done
	<-done
	node.Close()
	eventually(t, "the node is forgotten", func() bool {
		nodes, err := a.Nodes(t.Context())
		return err == nil && len(nodes) == 0
	})
}

// TestMessages: what comes from others is refused when it is of no form that is sent.
func TestMessages(t *testing.T) {
	good := job{Protocol: 1, Attempt: 1, Circuit: hashOf(nil), Question: "safety", Engine: engines.Default()}
	good.Key = keyOf(good)
	for name, change := range map[string]func(*job){
		"":             func(*job) {},
		"key":          func(j *job) { j.Key = "a.b" },
		"another key":  func(j *job) { j.Key = hashOf([]byte("x")) },
		"circuit":      func(j *job) { j.Circuit = strings.ToUpper(j.Circuit) },
		"attempt":      func(j *job) { j.Attempt = 0 },
		"limit":        func(j *job) { j.Wall = -1; j.Key = keyOf(*j) },
		"size":         func(j *job) { j.Size = maxCircuit + 1; j.Key = keyOf(*j) },
		"other engine": func(j *job) { j.Engine.Seed = 1 },
	} {
		sent := good
		change(&sent)
		var j job
		if err := read(written(sent), &j); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"a.b *>c": "a-b-c", "ünö\n": "n", "": "", strings.Repeat("x", 99): strings.Repeat("x", maxName)} {
		if got := CleanName(name); got != want {
			t.Errorf("%q becomes %q, expected %q", name, got, want)
		}
	}
	a := answer{Attempt: 1, Node: "n", Outcome: "proved", Certificate: hashOf(nil), Reason: "a\x1b[2J\nb"}
	if err := a.validate(); err != nil || a.Reason != "a [2J b" {
		t.Errorf("%q, %v", a.Reason, err)
	}
	for name, change := range map[string]func(*answer){
		"node":        func(a *answer) { a.Node = "n\n" },
		"outcome":     func(a *answer) { a.Outcome = "sure" },
		"certificate": func(a *answer) { a.Certificate = "" },
		"size":        func(a *answer) { a.Size = -1 },
	} {
		wrong := a
		change(&wrong)
		if wrong.validate() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}
