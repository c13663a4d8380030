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
	"aiglens/lsp/offer"
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

// onFlag says what does the checks.
type onFlag struct {
	connectFlags
	where string // "" for this process

	asker *cluster.Asker // once open
	local int            // checks at a time, of local:N
}

func (f *onFlag) register(fs *flag.FlagSet) {
	fs.StringVar(&f.where, "on", "", "run the checks on this `cluster`, which then has the circuits: nats://HOST:PORT or tls://…; or local:N for N at a time in processes of this machine; see docs/cluster.md")
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

// workers returns how many properties are asked about at a time, each of which takes so many
// checks.
func (f *onFlag) workers(checks int) int {
	if f.local > 0 {
		return max(1, perNode*f.local/checks)
	}
	return max(1, askedFor/checks)
}

// settle completes what an engine leaves open: a portfolio on this machine has an engine for
// each check that can be done at a time. On others that depends on the nodes. It returns how
// many checks a property takes.
func (f *onFlag) settle(s *engines.Spec) (checks int) {
	isPortfolio := s.Engine == engines.Portfolio && s.Variant == ""
	if isPortfolio && s.Jobs == 0 && f.local > 0 {
		s.Jobs = min(f.local, engines.MaxJobs)
	}
	switch {
	case !isPortfolio:
		return 1
	case s.Jobs == 0:
		return cluster.MostMembers
	}
	return s.Jobs
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
	ends = append(ends, startNode(there, f.local, pool, func(n *cluster.Node) { n.Alone = true }).end)
	return all, nil
}

// startedNode is a node at work, with the processes in which its checks run.
type startedNode struct {
	*cluster.Node
	pool  *worker.Pool
	leave context.CancelFunc
	done  chan struct{} // closed at its end
}

// end ends the node and its pool. Checks under way are left to others.
func (s *startedNode) end() {
	s.leave()
	s.pool.Close()
	<-s.done
}

// startNode starts a node, once it is set up, that runs its checks in the processes of a pool.
func startNode(c *cluster.Conn, slots int, pool *worker.Pool, setUp func(*cluster.Node)) *startedNode {
	node := cluster.NewNode(c, slots, func(s engines.Spec) (verify.Engine, error) {
		if err := s.Validate(); err != nil {
			return verify.Engine{}, err
		}
		return pool.Engine(s), nil
	})
	setUp(node)
	s := &startedNode{Node: node, pool: pool, done: make(chan struct{})}
	var ctx context.Context
	ctx, s.leave = context.WithCancel(context.Background())
	go func() {
		defer close(s.done)
		node.Run(ctx)
	}()
	return s
}

// linkTo connects the language server to a cluster, in the background.
func linkTo(to offer.Address, tell func(offer.State), warn func(string)) offer.Link {
	return cluster.NewLink(cluster.Options{
		URL: to.URL, Token: to.Token, CA: to.CA, Credentials: to.Credentials, Prefix: to.Prefix,
		Name: "editor", Version: versionText(), Who: whoAsks(), Warn: warn,
	}, func(s cluster.LinkState) { tell(offer.State(s)) })
}
