package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
	"aiglens/internal/worker"
)

// onLocal begins a value of --on that stands for this machine.
const onLocal = "local:"

// maxLocal bounds the nodes of --on local:N.
const maxLocal = 1024

// perNode is how many checks are asked for at a time for each that local nodes can do, and
// askedFor how many of other machines: what waits is there when a node is free.
const (
	perNode  = 2
	askedFor = 256
)

// onFlag says who does the checks.
type onFlag struct {
	connectFlags
	where string // "" for this process

	asker *cluster.Asker // once open
	local int            // checks at a time, of local:N
}

func (f *onFlag) register(fs *flag.FlagSet) {
	fs.StringVar(&f.where, "on", "", "`cluster` that does the checks: nats://HOST:PORT or tls://…, or local:N for N at a time in processes on this machine; it sees the circuits. See docs/cluster.md")
	f.connectFlags.register(fs)
}

// validate says what is wrong with the flag.
func (f *onFlag) validate() (err error) {
	number, isLocal := strings.CutPrefix(f.where, onLocal)
	switch {
	case f.where == "" && (f.token != "" || f.ca != "" || f.credentials != ""):
		return fmt.Errorf("--token, --ca and --credentials go with --on")
	case isLocal:
		if f.local, err = strconv.Atoi(number); err != nil || f.local < 1 || f.local > maxLocal {
			return fmt.Errorf("--on: %s%.20s: expected a number from 1 to %d", onLocal, number, maxLocal)
		}
	case f.where != "" && !strings.Contains(f.where, "://"):
		return fmt.Errorf("--on: expected nats://HOST:PORT, tls://HOST:PORT or %sN", onLocal)
	}
	return nil
}

// workers returns how many checks are asked for at a time.
func (f *onFlag) workers() int {
	if f.local > 0 {
		return perNode * f.local
	}
	return askedFor
}

// open connects to the cluster; for this machine it starts a server in this process, without
// a socket, and a node on it. The function that it returns ends all that.
func (f *onFlag) open(ctx context.Context, e env) (end func(), err error) {
	if f.where == "" {
		return func() {}, nil
	}
	var ends []func()
	all := func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
	}
	defer func() {
		if err != nil {
			all()
		}
	}()
	options := f.options(e, "asker")
	options.URL = f.where
	if f.local > 0 {
		if options.Server, err = cluster.StartLocal(); err != nil {
			return nil, err
		}
		ends = append(ends, options.Server.Close)
	}
	conn, err := cluster.Connect(ctx, options)
	if err != nil {
		return nil, err
	}
	ends = append(ends, conn.Close)
	f.asker = cluster.NewAsker(conn)
	if f.local == 0 {
		return all, nil
	}
	options.Name = "local"
	there, err := cluster.Connect(ctx, options)
	if err != nil {
		return nil, err
	}
	ends = append(ends, there.Close)
	pool, err := newPool()
	if err != nil {
		return nil, err
	}
	ends = append(ends, startNode(there, f.local, pool))
	return all, nil
}

// startNode starts a node that runs its checks in the processes of a pool. The function that
// it returns ends the node and the pool.
func startNode(c *cluster.Conn, slots int, pool *worker.Pool) (end func()) {
	node := cluster.NewNode(c, slots, func(s engines.Spec) (verify.Engine, error) {
		if err := s.Validate(); err != nil {
			return nil, err
		}
		return pool.Engine(s), nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		node.Run(ctx)
	}()
	return func() {
		cancel()
		pool.Close()
		<-done
	}
}
