package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
	"aiglens/internal/worker"
)

// onLocal begins a value of --on that stands for this machine.
const onLocal = "local:"

// maxLocal bounds the nodes of --on local:N.
const maxLocal = 1024

// perNode is how many checks are asked for at a time for each that local nodes can do: what
// waits is there when a node is free.
const perNode = 2

// onFlag says who does the checks.
type onFlag struct {
	where string // "" for this process

	asker *cluster.Asker // once open
	local int            // checks at a time, of local:N
}

// validate says what is wrong with the flag.
func (f *onFlag) validate() (err error) {
	if f.where == "" {
		return nil
	}
	number, isLocal := strings.CutPrefix(f.where, onLocal)
	if !isLocal {
		return fmt.Errorf("--on: expected %sN", onLocal)
	}
	if f.local, err = strconv.Atoi(number); err != nil || f.local < 1 || f.local > maxLocal {
		return fmt.Errorf("--on: %s%.20s: expected a number from 1 to %d", onLocal, number, maxLocal)
	}
	return nil
}

// open starts a server in this process, without a socket, and a node on it. The function that
// it returns ends them.
func (f *onFlag) open(ctx context.Context, e env) (end func(), err error) {
	if f.where == "" {
		return func() {}, nil
	}
	var ends []func()
	end = func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	server, err := cluster.StartLocal()
	if err != nil {
		return nil, err
	}
	ends = append(ends, server.Close)
	said := &sync.Mutex{}
	connect := func(name string) (*cluster.Conn, error) {
		return cluster.Connect(ctx, cluster.Options{Server: server, Name: name, Version: versionText(), Warn: func(text string) {
			said.Lock()
			defer said.Unlock()
			fmt.Fprintf(e.stderr, "aiglens: %s\n", text)
		}})
	}
	here, err := connect("asker")
	if err != nil {
		return nil, err
	}
	ends = append(ends, here.Close)
	there, err := connect("local")
	if err != nil {
		return nil, err
	}
	ends = append(ends, there.Close)
	pool, err := newPool()
	if err != nil {
		return nil, err
	}
	ends = append(ends, startNode(there, f.local, pool))
	f.asker = cluster.NewAsker(here)
	return end, nil
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

// hostName returns the name of this machine, or "".
func hostName() string {
	name, _ := os.Hostname()
	return name
}
