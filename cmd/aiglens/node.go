package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/design/answers"
	"aiglens/internal/cluster"
)

// connectFlags say how to reach a cluster.
type connectFlags struct{ token, ca, credentials, prefix string }

func (f *connectFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.token, "token", "", "cluster: `file` with the token")
	fs.StringVar(&f.ca, "ca", "", "cluster: `file` with the certificate of the server")
	fs.StringVar(&f.credentials, "credentials", "", "cluster: `file` with NATS credentials")
	fs.StringVar(&f.prefix, "prefix", cluster.DefaultPrefix, "cluster: first `word` in the names of its subjects and streams")
}

// options returns those of a connection. Warnings go to standard error.
func (f *connectFlags) options(e env, name string) cluster.Options {
	mu := &sync.Mutex{}
	return cluster.Options{
		Token: f.token, CA: f.ca, Credentials: f.credentials, Prefix: f.prefix, Name: name, Version: versionText(), Who: whoAsks(),
		Warn: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(e.stderr, "aiglens: %s\n", text)
		},
	}
}

// whoAsks returns the user and the machine, as far as they are known, as others of a cluster see them.
func whoAsks() string {
	host, _ := os.Hostname()
	if u, err := user.Current(); err == nil {
		return u.Username + "@" + host
	}
	return host
}

// nodeFlags are the flags of node.
type nodeFlags struct {
	connectFlags
	join, listen, dir, name string
	metrics                 string
	only                    stringList
	slots                   int
	drain                   time.Duration
	memory                  int64
	insecure                bool
}

func (f *nodeFlags) register(fs *flag.FlagSet) {
	f.connectFlags.register(fs)
	fs.StringVar(&f.join, "join", "", "work for the cluster at this `URL`, such as nats://HOST:4222")
	fs.StringVar(&f.listen, "listen", "", "run the server of a cluster at this `HOST:PORT`, and work for it")
	fs.StringVar(&f.dir, "dir", "", "with --listen: `folder` for the token, the certificate and the data of the cluster; without it one in the user's cache")
	fs.StringVar(&f.name, "name", "", "`name` of this node; without it that of the machine and the number of the process")
	fs.IntVar(&f.slots, "slots", runtime.NumCPU(), "checks at a time, by default one for each processor; 0 with --listen only serves")
	fs.Var((*size)(&f.memory), "memory", "heap `size` at which a check ends here, such as 2G, also where its own limit is larger; 0 is no limit")
	fs.Var((*duration)(&f.drain), "drain", "after a signal, take no more checks and go on with those under way for this `time`; without it they go to other nodes at once")
	fs.Var(&f.only, "only", "take checks of this `kind` alone: safety or liveness")
	fs.StringVar(&f.metrics, "metrics", "", "answer at this `HOST:PORT` with /metrics, for Prometheus, and /healthz; every program that reaches it can read them")
	fs.BoolVar(&f.insecure, "insecure", false, "with --listen: use neither TLS nor a token; every program that reaches the address can use the cluster")
}

// validate says what is wrong with the flags, and completes them.
func (f *nodeFlags) validate() error {
	switch {
	case (f.join == "") == (f.listen == ""):
		return fmt.Errorf("node needs one of --join and --listen")
	case f.join != "" && (f.insecure || f.dir != ""):
		return fmt.Errorf("--insecure and --dir go with --listen")
	case f.listen != "" && (f.token != "" || f.ca != "" || f.credentials != ""):
		return fmt.Errorf("--token, --ca and --credentials go with --join")
	case slices.ContainsFunc(f.only, func(kind string) bool {
		return kind != circuit.Safety.String() && kind != circuit.Liveness.String()
	}):
		return fmt.Errorf("--only: expected %s or %s", circuit.Safety, circuit.Liveness)
	case f.slots < 0 || f.slots == 0 && f.join != "":
		return fmt.Errorf("--slots: expected 1 or more")
	}
	if f.name == "" {
		host, _ := os.Hostname() // without one the process is left
		f.name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	if f.listen == "" || f.dir != "" {
		return nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("%w; --dir names a folder", err)
	}
	f.dir = filepath.Join(cache, "aiglens", "cluster")
	return nil
}

// leaveGrace is how long a node may take after a signal: to stop its workers, to say to the
// cluster that its checks are for others, and to close what a server keeps.
const leaveGrace = 5 * time.Second

// work for others until a signal comes.
func node(ctx context.Context, e env, args []string) int {
	var flags nodeFlags
	fs := newFlags("node")
	flags.register(fs)
	rest, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(rest) > 0 {
		return problem(e, "node takes no file")
	}
	if err := flags.validate(); err != nil {
		return problem(e, "%v", err)
	}
	serveMetrics, endMetrics, err := flags.openMetrics(e)
	if err != nil {
		return problem(e, "--metrics: %v", err)
	}
	defer endMetrics()
	e.partial.allow(flags.drain + leaveGrace)
	options := flags.options(e, flags.name)
	options.URL = flags.join
	if flags.listen != "" {
		server, err := cluster.Listen(cluster.ListenOptions{Address: flags.listen, Dir: flags.dir, Insecure: flags.insecure, Warn: options.Warn})
		if err != nil {
			return problem(e, "node: %v", err)
		}
		defer server.Close()
		options.Server = server
		flags.sayHow(e, server)
	}
	conn, err := cluster.Connect(ctx, options)
	if err != nil {
		return problem(e, "node: %v", err)
	}
	defer conn.Close()
	if flags.slots == 0 {
		serveMetrics(cluster.Metrics(conn, nil))
		<-ctx.Done()
		return exitOK
	}
	pool, err := newPool()
	if err != nil {
		return problem(e, "%v", err)
	}
	node := startNode(conn, flags.slots, pool, func(n *cluster.Node) { n.Memory, n.Only = flags.memory, flags.only })
	defer node.end()
	serveMetrics(cluster.Metrics(conn, node.Node))
	fmt.Fprintf(e.stdout, "%s works, %s at a time\n", node.Name(), answers.Count(flags.slots, "check", "checks"))
	<-ctx.Done()
	if flags.drain > 0 {
		node.drainFor(e, flags.drain)
	}
	return exitOK
}

// openMetrics takes the address of the flags, if there is one. serve answers there, until end is called.
func (f *nodeFlags) openMetrics(e env) (serve func(http.Handler), end func(), err error) {
	if f.metrics == "" {
		return func(http.Handler) {}, func() {}, nil
	}
	at, err := net.Listen("tcp", f.metrics)
	if err != nil {
		return nil, nil, err
	}
	s := metricsServer()
	serve = func(h http.Handler) {
		s.Handler = h
		go func() { _ = s.Serve(at) }() // until it is closed
		fmt.Fprintf(e.stdout, "metrics:      http://%s/metrics\n", at.Addr())
	}
	end = func() {
		_ = s.Close()
		_ = at.Close() // it may not serve yet
	}
	return serve, end, nil
}

// metricsServer returns one that closes connections over which nothing comes.
func metricsServer() *http.Server {
	return &http.Server{ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute}
}

// drainFor lets the checks under way go on, for so long or until another signal comes.
func (s *startedNode) drainFor(e env, most time.Duration) {
	again := make(chan os.Signal, 1)
	notifyEnd(again)
	defer signal.Stop(again)
	fmt.Fprintf(e.stdout, "%s takes no more checks. It ends when those under way have ended, or after %s; a second signal leaves them to other nodes\n", s.Name(), most)
	s.Drain()
	select {
	case <-s.done:
	case <-time.After(most):
	case <-again:
	}
}

// sayHow prints what others do to connect.
func (f *nodeFlags) sayHow(e env, s *cluster.Server) {
	host, _, _ := net.SplitHostPort(f.listen) // it has been listened to
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host, _ = os.Hostname()
	}
	address := net.JoinHostPort(host, fmt.Sprint(s.Port))
	if f.insecure {
		fmt.Fprintf(e.stdout, "others help:  aiglens node --join nats://%s\nothers ask:   aiglens check --on nats://%s FOLDER\n", address, address)
		return
	}
	with := fmt.Sprintf("tls://%s --token %s --ca %s", address, s.TokenFile, s.CAFile)
	fmt.Fprintf(e.stdout, "others help:  aiglens node --join %s\nothers ask:   aiglens check --on %s FOLDER\nboth files are to be copied there: a holder of the token can use the cluster\n", with, with)
}

// clusterCommand shows how a cluster stands, or cancels checks in it.
func clusterCommand(ctx context.Context, e env, args []string) int {
	var flags connectFlags
	fs := newFlags("cluster")
	flags.register(fs)
	on := fs.String("on", "", "`URL` of the cluster")
	watch := fs.Bool("watch", false, "status: keep showing it until interrupted")
	all := fs.Bool("all", false, "cancel: all checks, those of others too")
	output := fs.String("format", "text", "output `format`: text or json")
	words, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(words) > 0 && words[0] != "status" && words[0] != "cancel":
		return noWord(e, "cluster", words[0], []string{"status", "cancel"})
	case len(words) == 0 || words[0] == "status" && len(words) > 1:
		return problem(e, "cluster needs the word status, or cancel with the keys of checks")
	case words[0] == "cancel" && (len(words) > 1) == *all:
		return problem(e, "cluster cancel needs either --all or keys of checks, as status shows them")
	case slices.ContainsFunc(words[1:], func(w string) bool { return len(w) < shownOfKey }):
		return problem(e, "cluster cancel: a key has %d letters or more", shownOfKey)
	case *on == "":
		return problem(e, "cluster %s needs --on URL", words[0])
	case !slices.Contains(textOrJSON, *output):
		return problem(e, "%v", errNoFormat("format", *output, textOrJSON))
	}
	host, _ := os.Hostname() // askers read it; without one they read "unnamed"
	options := flags.options(e, host)
	options.URL = *on
	conn, err := cluster.Connect(ctx, options)
	if err != nil {
		return problem(e, "cluster: %v", err)
	}
	defer conn.Close()
	if words[0] == "cancel" {
		beginnings := words[1:]
		if *all {
			beginnings = []string{""}
		}
		return cancelChecks(ctx, e, conn, beginnings)
	}
	var last cluster.Status
	for at := time.Now(); ; {
		s, err := conn.Status(ctx)
		if ctx.Err() != nil {
			return exitOK
		}
		if err != nil {
			return problem(e, "cluster: %v", err)
		}
		now := time.Now()
		if *output == "json" {
			printLine(e.stdout, s)
		} else {
			printStatus(e, s, last, now.Sub(at))
		}
		if !*watch {
			return exitOK
		}
		last, at = s, now
	}
}

// cancelChecks ends the checks whose keys begin with some texts, and says which.
func cancelChecks(ctx context.Context, e env, conn *cluster.Conn, beginnings []string) int {
	keys, err := conn.Cancel(ctx, beginnings)
	for _, key := range keys {
		fmt.Fprintf(e.stdout, "cancelled %s\n", key)
	}
	if err != nil {
		return problem(e, "cluster: %v", err)
	}
	for _, b := range beginnings {
		if b != "" && !slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, b) }) {
			return problem(e, "cluster: no check begins with %s", b)
		}
	}
	return exitOK
}

// shownOfKey is how many letters of the key of a check a status has.
const shownOfKey = 12

// shownJobs bounds the jobs that a status for people has.
const shownJobs = 20

// printStatus writes a status for people; the rate is that since the last one.
func printStatus(e env, s, last cluster.Status, since time.Duration) {
	out := plainWriter{e.stdout}
	before := map[string]int64{}
	for _, n := range last.Nodes {
		before[n.Name] = n.Ended
	}
	slots, ended, known := 0, int64(0), last.Nodes != nil
	for _, n := range s.Nodes {
		slots += n.Slots
		ended += max(0, n.Ended-before[n.Name])
	}
	busy := map[string]int{} // at work, by node: what a node says of itself is some seconds old
	for _, j := range s.Jobs {
		busy[j.Node]++
	}
	silent := ""
	if n := s.Given - len(s.Jobs); n > 0 {
		silent = fmt.Sprintf(", %d given to a node that does not report on them", n)
	}
	fmt.Fprintf(out, "%s, %s at a time; %d at work%s, %d waiting; %s kept, %s of circuits and certificates\n",
		answers.Count(len(s.Nodes), "node", "nodes"), answers.Count(slots, "check", "checks"), len(s.Jobs), silent, s.Waiting, answers.Count(int(s.Answers), "answer", "answers"), sizeText(int64(s.Bytes)))
	if known && since > 0 {
		fmt.Fprintf(out, "%.1f checks a second\n", float64(ended)/since.Seconds())
	}
	for _, n := range s.Nodes {
		leaving := ""
		if len(n.Only) > 0 {
			leaving = "  takes only " + strings.Join(n.Only, ", ")
		}
		if n.IsLeaving {
			leaving = "  takes no more"
		}
		fmt.Fprintf(out, "  %-32s %4d of %d busy  %8d ended  %s%s%s\n", cluster.ShownName(n.Name), busy[n.Name], n.Slots, n.Ended, n.Version, leaving, lemmasText(n.Lemmas))
	}
	for i, j := range s.Jobs {
		if i == shownJobs {
			fmt.Fprintf(out, "  … and %d more\n", len(s.Jobs)-shownJobs)
			break
		}
		member := ""
		if j.Member > 0 {
			member = fmt.Sprintf("  engine %d of %d on circuit %.12s", j.Member, j.Members, j.Circuit)
		}
		fmt.Fprintf(out, "  %.*s on %-32s %6.0f s  depth %d%s\n", shownOfKey, j.Key, cluster.ShownName(j.Node), j.Elapsed.Seconds(), j.Progress.Depth, member)
	}
	for _, a := range s.Asked {
		fmt.Fprintf(out, "%s (%s) asks for %s\n", cmp.Or(a.Who, "unnamed"), a.Program, answers.Count(len(a.Checks), "check", "checks"))
		for i, c := range a.Checks {
			if i == shownJobs {
				fmt.Fprintf(out, "  … and %d more\n", len(a.Checks)-shownJobs)
				break
			}
			fmt.Fprintf(out, "  %.*s for %6.0f s  %s\n", shownOfKey, c.Key, c.Age.Seconds(), c.File)
		}
	}
}

// lemmasText says what a node has exchanged with others; "" when that is nothing.
func lemmasText(c cluster.LemmaCounts) string {
	if c == (cluster.LemmaCounts{}) {
		return ""
	}
	text := fmt.Sprintf("  lemmas: %d sent, %d received", c.Sent, c.Received)
	if c.Refused > 0 {
		text += fmt.Sprintf(", %d messages refused", c.Refused)
	}
	return text
}
