package cluster

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Asker has checks done by the nodes of a cluster. Its methods may be called from any
// goroutine.
type Asker struct {
	*Conn
	// Fresh has every check run, even if the cluster has an answer of earlier. It is set before
	// the first check.
	Fresh bool
	// Urgent has nodes take its checks before those of others: somebody waits for each. It is
	// set before the first check.
	Urgent   bool
	checking chan struct{} // one for each certificate that is being checked
	needs    int           // the version that its jobs need

	mu   sync.Mutex // guards all below
	lies map[string]int
	// proven are nodes with an answer that has passed its check.
	proven map[string]bool
	sent   map[string]time.Time // circuits, by hash, and when they were put into the cluster
	// saidAlone: the user knows that there is no node.
	saidAlone bool
	// saidRefused is when the user was told that the server takes nothing.
	saidRefused time.Time
}

// maxLies is how many rejected certificates it takes until a node is asked no more.
const maxLies = 3

// NewAsker returns one that asks through a connection.
func NewAsker(c *Conn) *Asker {
	return &Asker{Conn: c, checking: make(chan struct{}, runtime.GOMAXPROCS(0)), needs: jobProtocol, lies: map[string]int{}, proven: map[string]bool{}, sent: map[string]time.Time{}}
}

// Engine returns an engine for one job, which runs on some node; of a portfolio each engine
// runs on another one, as far as there are enough. It is a verify.Queueing.
func (a *Asker) Engine(spec engines.Spec) verify.Engine {
	if isSpread(spec) {
		return newSpread(a, spec)
	}
	return &engine{asker: a, spec: spec, on: events{func() {}, func() {}, func(string) {}}}
}

// lied notes that a certificate of a node was rejected.
func (a *Asker) lied(node string, why error) {
	a.mu.Lock()
	a.lies[node]++
	n := a.lies[node]
	a.mu.Unlock()
	text := fmt.Sprintf("node %s: an answer is wrong and does not count: %v", node, why)
	if n == maxLies {
		text += fmt.Sprintf("; after %d of them the node is asked no more", n)
	}
	a.opts.Warn(text)
}

func (a *Asker) isLeftOut(node string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lies[node] >= maxLies
}

// leftOut returns the nodes that are asked no more, and those that are not to be asked again
// about one check.
func (a *Asker) leftOut(about []string) (nodes []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	nodes = slices.Clone(about)
	for node, n := range a.lies {
		if n >= maxLies {
			nodes = append(nodes, node)
		}
	}
	nodes = nodes[:min(len(nodes), maxNamed)]
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// maxNamed bounds the nodes that a job names.
const maxNamed = 100

// proved notes that an answer of a node has passed its check.
func (a *Asker) proved(node string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.proven) < maxNamed {
		a.proven[node] = true
	}
}

// reliable returns the nodes that have answered and are not left out.
func (a *Asker) reliable() (nodes []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for node := range a.proven {
		if a.lies[node] < maxLies {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// engine is a verify.Remote that asks the nodes.
type engine struct {
	asker *Asker
	spec  engines.Spec
	on    events
	text  *circuitText // of the problem, if it is known before the check
	// What the last check came to.
	name   string // of the engine that answered
	node   string
	stats  map[string]float64
	fault  error
	waited time.Duration
}

var (
	_ verify.Queueing = (*engine)(nil)
	_ verify.Placed   = (*engine)(nil)
)

// Name implements verify.Engine.
func (e *engine) Name() string {
	if e.name != "" {
		return e.name
	}
	return e.spec.Name()
}

// Answers implements verify.Engine.
func (e *engine) Answers(q circuit.Question) bool { return e.spec.Answers(q) }

// Stats implements verify.StatsReporter.
func (e *engine) Stats() map[string]float64 { return e.stats }

// Fault implements verify.Faulty.
func (e *engine) Fault() error { return e.fault }

// Waited implements verify.Queueing.
func (e *engine) Waited() time.Duration { return e.waited }

// Place implements verify.Placed: the node.
func (e *engine) Place() string { return e.node }

// Rejected implements verify.Remote.
func (e *engine) Rejected() {
	if e.node != "" {
		e.asker.lied(e.node, errors.New("its certificate fails on the whole circuit"))
	}
}

// Check implements verify.Engine.
func (e *engine) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.CheckWithin(ctx, p, verify.Limits{}, progress)
}

// CheckWithin implements verify.Remote. An answer whose certificate fails costs another
// attempt.
func (e *engine) CheckWithin(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	text := e.text
	if text == nil {
		var err error
		if text, err = textOf(p); err != nil {
			return cert.Verdict{}, err
		}
	}
	j := job{
		Protocol: e.asker.needs, Circuit: text.hash, Size: len(text.body), Question: p.Question.String(), Engine: e.spec,
		Wall: limits.Wall, CPU: limits.CPU, Memory: limits.Memory,
	}
	j.Key = keyOf(j)
	q := &question{Asker: e.asker, job: j, body: text.body, progress: progress, asked: time.Now(), on: e.on}
	defer func() { e.waited = q.waited() }()
	for {
		found, certificate, err := q.ask(ctx)
		if err != nil {
			return cert.Verdict{Depth: q.reached.Depth}, err
		}
		e.name, e.node, e.stats = found.Engine, found.Node, found.Stats
		if found.Internal != "" {
			e.fault = fmt.Errorf("node %s: %s", found.Node, found.Internal)
		}
		v, err := verdictFrom(found, certificate, p)
		if err == nil && v.Outcome == cert.Unknown {
			return v, &verify.RemoteError{Reason: v.Reason}
		}
		if err == nil {
			err = e.asker.check(ctx, p, v)
		}
		switch _, isRejected := errors.AsType[*cert.RejectedError](err); {
		case err == nil:
			e.asker.proved(found.Node)
			return v, nil
		case ctx.Err() != nil:
			return v, ctx.Err()
		case !isRejected && !errors.Is(err, errMessage):
			return v, &verify.RemoteError{Reason: "internal error, the certificate cannot be checked", Internal: err}
		}
		e.asker.lied(found.Node, err)
		q.forget(ctx, found)
		if err := q.wrong(ctx, found.Node); err != nil {
			return v, err
		}
	}
}

// circuitText is a circuit as it is sent.
type circuitText struct {
	body []byte
	hash string
}

// textOf returns that of a problem. The error is a *verify.RemoteError.
func textOf(p circuit.Problem) (*circuitText, error) {
	body, err := aiger.FromCircuit(p.Circuit).AppendBinary(nil)
	if err != nil {
		return nil, &verify.RemoteError{Reason: "internal error, the circuit cannot be sent", Internal: err}
	}
	if len(body) > maxCircuit {
		return nil, &verify.RemoteError{Reason: fmt.Sprintf("the circuit of %d MB is too large for the cluster", len(body)>>20)}
	}
	return &circuitText{body, hashOf(body)}, nil
}

// check tests the certificate of a verdict, as many at a time as there are processors.
func (a *Asker) check(ctx context.Context, p circuit.Problem, v cert.Verdict) error {
	select {
	case a.checking <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-a.checking }()
	_, err := cert.Check(ctx, p.Circuit, p.Property(), v)
	return err
}

// verdictFrom reads an answer. The error is that its certificate is none.
func verdictFrom(a answer, certificate []byte, p circuit.Problem) (v cert.Verdict, err error) {
	v = cert.Verdict{Depth: a.Depth}
	switch a.Outcome {
	case cert.Proved.String():
		v.Outcome = cert.Proved
	case cert.Refuted.String():
		v.Outcome = cert.Refuted
	default:
		v.Reason = a.Reason
		return v, nil
	}
	if err := cert.ReadBinary(certificate, p, &v); err != nil {
		return v, fmt.Errorf("%w: %v", errMessage, err)
	}
	return v, nil
}
