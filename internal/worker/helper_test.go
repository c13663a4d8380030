package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/sat"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// Roles that this test program plays as a process of its own.
const (
	roleWorker = "role-worker"
	roleServer = "role-server"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case roleWorker:
			LowerPriority()
			if err := Serve(context.Background(), os.Stdin, os.Stdout, Options{Version: "test", NewEngine: testEngine, Clauses: auto.Check, ShareEvery: 100 * time.Microsecond}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		case roleServer:
			serveAndSpin()
		}
	}
	os.Exit(m.Run())
}

// serveAndSpin is a server with a check that never ends; it prints the process
// of its worker.
func serveAndSpin() {
	pool := NewPool(Command(os.Args[0], roleWorker))
	verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: pool.Engine(engines.Spec{Engine: "spin"})},
		func(p verify.Progress) { fmt.Println(p.Lemmas) })
}

// function returns an engine that is made of a function.
func function(check func(ctx context.Context, progress func(verify.Progress)) (cert.Verdict, error)) verify.Engine {
	return verify.Engine{Name: "test", Safety: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		t.Progress(verify.Progress{Depth: 3, Lemmas: os.Getpid()})
		r.Verdict, r.Err = check(ctx, t.Progress)
		return r
	}}
}

// throttled reports how many processors it may use as the number of lemmas.
var throttled = verify.Engine{Name: "throttled", Safety: true, Liveness: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
	processors := 0
	for ctx.Err() == nil {
		select {
		case processors = <-t.Processors:
		default:
		}
		t.Progress(verify.Progress{Lemmas: processors})
		runtime.Gosched()
	}
	return verify.Report{Err: ctx.Err()}
}}

// searching answers questions of liveness.
var searching = verify.Engine{Name: "search", Liveness: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
	return verify.Report{Verdict: explicit.Answer(t.Problem), Err: ctx.Err()}
}}

// testEngine makes the engines of the worker in tests. All but the default one
// report their process as the number of lemmas.
func testEngine(s engines.Spec) (verify.Engine, error) {
	switch s.Engine {
	case "":
		e := engines.Auto()
		if s.Solver == "gini" {
			e.Options.Solver = sat.NewGini
		}
		return e.Engine(), nil
	case engines.Portfolio:
		if s.Tactics == tacticsOfRoles {
			return roleOf(s)
		}
		return s.New()
	case "search": // of all states
		return searching, nil
	case "who": // tells its process only
		return function(func(context.Context, func(verify.Progress)) (cert.Verdict, error) {
			return cert.Verdict{Reason: "told"}, nil
		}), nil
	case "leaving":
		return leaving, nil
	case "spin": // until it is cancelled
		return function(func(ctx context.Context, progress func(verify.Progress)) (cert.Verdict, error) {
			for ctx.Err() == nil {
				progress(verify.Progress{Depth: 4, Lemmas: os.Getpid()})
			}
			return cert.Verdict{Depth: 4}, ctx.Err()
		}), nil
	case "allowed": // tells how many processors it may use, until it is cancelled
		return throttled, nil
	case "stuck": // whatever happens
		return function(func(context.Context, func(verify.Progress)) (cert.Verdict, error) {
			for i := 0; ; i++ {
			}
		}), nil
	case "hog":
		return function(func(ctx context.Context, _ func(verify.Progress)) (cert.Verdict, error) {
			var held [][]byte
			for ctx.Err() == nil {
				b := make([]byte, 1<<20)
				for i := range b {
					b[i] = 1
				}
				held = append(held, b)
				time.Sleep(time.Millisecond)
			}
			return cert.Verdict{Depth: len(held)}, ctx.Err()
		}), nil
	case "panic":
		return function(func(context.Context, func(verify.Progress)) (cert.Verdict, error) { panic("broken") }), nil
	case "crash":
		return function(func(context.Context, func(verify.Progress)) (cert.Verdict, error) {
			go panic("all is broken")
			select {}
		}), nil
	}
	return verify.Engine{}, fmt.Errorf("there is no engine %q", s.Engine)
}

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

// toggle returns a latch that follows its input; bad when it is 1, in step 1. A
// latch outside the cone stands before it.
func toggle() *circuit.Circuit {
	b := circuit.NewBuilder(0)
	other := b.Latch(0)
	b.SetReset(other, other)
	b.SetNext(other, b.Input(0))
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Bad(l, 0)
	return b.Build()
}

// ring returns a one-hot ring of latches that moves when its input is 1; it is
// bad when two neighbours are hot together, which never happens. The invariant
// needs other clauses than that.
func ring(n int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	move := b.Input(0)
	var latches []circuit.Lit
	for range n {
		latches = append(latches, b.Latch(0))
	}
	b.SetReset(latches[0], circuit.True)
	for i, l := range latches {
		b.SetNext(l, b.Mux(move, latches[(i+n-1)%n], l))
	}
	b.Bad(b.And(latches[0], latches[1]), 0)
	return b.Build()
}

// processes returns a pool of processes of this test program.
func processes(t *testing.T) *Pool {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool(Command(path, roleWorker))
	t.Cleanup(p.Close)
	return p
}

// pipes returns a pool whose workers are goroutines.
func pipes(t testing.TB, serve func(in io.Reader, out io.Writer)) *Pool {
	t.Helper()
	p := NewPool(func() (*Conn, error) {
		in, toWorker := io.Pipe()
		fromWorker, out := io.Pipe()
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			serve(in, out)
			_ = in.Close()
			_ = out.Close()
		}()
		return &Conn{
			In: toWorker, Out: fromWorker,
			Kill: func() { _ = in.Close(); _ = fromWorker.CloseWithError(io.EOF) },
			Wait: func() error { <-gone; return errors.New("gone") },
			Log:  func() string { return "" },
		}, nil
	})
	t.Cleanup(p.Close)
	return p
}

// honest is a worker over pipes.
func honest(in io.Reader, out io.Writer) {
	_ = Serve(context.Background(), in, out, Options{Version: "test", NewEngine: testEngine, Clauses: auto.Check, ShareEvery: 100 * time.Microsecond})
}

func run(p *Pool, engine string, c *circuit.Circuit, limits verify.Limits) verify.Result {
	return verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: p.Engine(engines.Spec{Engine: engine}), Limits: limits}, nil)
}

// expect fails unless the outcome is as wanted and checked.
func expect(t *testing.T, r verify.Result, want cert.Outcome) {
	t.Helper()
	if r.Checked.Outcome() != want || r.Checked.Certified() != (want != cert.Unknown) || r.Internal != nil || r.Lost {
		t.Errorf("%s, lost %v, internal error %v, want %s", r.Checked, r.Lost, r.Internal, want)
	}
}

// expectUnknown wants a result without an answer, for a reason.
func expectUnknown(t *testing.T, r verify.Result, reason string) {
	t.Helper()
	if r.Checked.Outcome() != cert.Unknown || !strings.Contains(r.Checked.Reason(), reason) {
		t.Errorf("%s, internal error %v, want unknown: %s", r.Checked, r.Internal, reason)
	}
}
