//go:build unix

package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Roles that this test program plays as a process of its own, which ends with its input.
const (
	roleServer = "role-server" // ADDRESS FOLDER
	roleNode   = "role-node"   // URL NAME honest|lying
)

// patient are times for processes on a machine that does other things besides.
var patient = times{beat: 100 * time.Millisecond, silence: 2 * time.Second, wanted: 50 * time.Millisecond, ackWait: 4 * time.Second}

func TestMain(m *testing.M) {
	if len(os.Args) < 3 || !strings.HasPrefix(os.Args[1], "role-") {
		os.Exit(m.Run())
	}
	if err := play(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(role string, args []string) error {
	if role == roleServer {
		s, err := Listen(ListenOptions{Address: args[0], Dir: args[1], Insecure: true})
		if err != nil {
			return err
		}
		fmt.Println(s.Port)
		_, err = io.Copy(io.Discard, os.Stdin)
		return err
	}
	c, err := Connect(context.Background(), Options{URL: args[0], Name: args[1], times: patient})
	if err != nil {
		return err
	}
	go NewNode(c, 2, func(s engines.Spec) (verify.Engine, error) {
		if args[2] == "lying" {
			return function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
				return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
			}), nil
		}
		return slow(s)
	}).Run(context.Background())
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// slow returns an engine that takes long enough for something to happen meanwhile.
func slow(s engines.Spec) (verify.Engine, error) {
	e, err := s.New()
	return function(func(ctx context.Context, p circuit.Problem) (cert.Verdict, error) {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
		return e.Check(ctx, p, func(verify.Progress) {})
	}), err
}

// actor is such a process.
type actor struct {
	*exec.Cmd
	first string // line that it has printed
}

// start starts one, and returns when it is ready.
func start(t *testing.T, args ...string) *actor {
	t.Helper()
	a := &actor{Cmd: exec.Command(os.Args[0], args...)}
	a.Stderr = os.Stderr
	if _, err := a.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := a.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	a.first = strings.TrimSpace(line)
	return a
}

// kill is kill −9.
func (a *actor) kill() {
	_ = a.Process.Kill()
	_ = a.Wait()
}

func (a *actor) signal(s syscall.Signal) { _ = a.Process.Signal(s) }

// faults are what can happen to a cluster in the middle of its work. Each returns what heals
// it.
var faults = []struct {
	name   string
	askers int
	happen func(t *testing.T, c *stage) (heal func())
}{
	{"a node is killed", 1, func(t *testing.T, c *stage) func() {
		c.nodes[0].kill()
		return func() {}
	}},
	{"a node is stopped and goes on", 1, func(t *testing.T, c *stage) func() {
		c.nodes[0].signal(syscall.SIGSTOP)
		return func() { c.nodes[0].signal(syscall.SIGCONT) }
	}},
	{"the server is killed and comes back", 1, func(t *testing.T, c *stage) func() {
		c.server.kill()
		return func() { c.server = start(t, roleServer, c.address, c.dir) }
	}},
	{"the server is killed and comes back without its data", 1, func(t *testing.T, c *stage) func() {
		c.server.kill()
		if err := os.RemoveAll(filepath.Join(c.dir, "data")); err != nil {
			t.Fatal(err)
		}
		return func() { c.server = start(t, roleServer, c.address, c.dir) }
	}},
	{"a node lies", 1, func(t *testing.T, c *stage) func() {
		start(t, roleNode, c.url, "liar", "lying")
		return func() {}
	}},
	{"two ask the same, and a node is killed", 2, func(t *testing.T, c *stage) func() {
		c.nodes[1].kill()
		return func() {}
	}},
}

// stage is a cluster of processes.
type stage struct {
	dir, address, url string
	server            *actor
	nodes             []*actor
}

// TestFaults: whatever happens to a cluster, every property ends with the verdict that it has
// alone, none is lost, and no process stays behind. With AIGLENS_LONG there are 200 runs.
func TestFaults(t *testing.T) {
	runs := 1
	if os.Getenv("AIGLENS_LONG") != "" {
		runs = 200
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range runs {
		fault := faults[random.IntN(len(faults))]
		after := 1 + random.IntN(12)
		t.Run(fmt.Sprintf("%d: %s after %d answers", i, fault.name, after), func(t *testing.T) {
			c := &stage{dir: t.TempDir()}
			c.server = start(t, roleServer, "127.0.0.1:0", c.dir)
			c.address = "127.0.0.1:" + c.server.first
			c.url = "nats://" + c.address
			for _, name := range names(2) {
				c.nodes = append(c.nodes, start(t, roleNode, c.url, name, "honest"))
			}
			answered := make(chan struct{}, 1000)
			var wait sync.WaitGroup
			for asker := range fault.askers {
				conn, err := Connect(t.Context(), Options{URL: c.url, Name: fmt.Sprint("asker-", asker), times: patient})
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				c.ask(t, NewAsker(conn), &wait, answered)
			}
			for range after {
				<-answered
			}
			heal := fault.happen(t, c)
			if strings.Contains(fault.name, "stopped") {
				for range 3 { // by those that are left
					<-answered
				}
			}
			heal()
			wait.Wait()
		})
	}
}

// ask has an asker want 16 properties, and compares what comes of them.
func (c *stage) ask(t *testing.T, a *Asker, wait *sync.WaitGroup, answered chan<- struct{}) {
	for i := range 16 {
		want := "refuted"
		if i > 9 {
			want = "proved"
		}
		wait.Go(func() {
			job := a.job(counter(4, i, 9))
			job.Limits.Wall = 10 * time.Minute
			r := verify.Run(t.Context(), job, nil)
			check(t, r, want)
			answered <- struct{}{}
		})
	}
}
