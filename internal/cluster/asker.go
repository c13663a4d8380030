package cluster

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster/asking"
)

// Asker sends checks to the nodes of a cluster. Its methods may be called from any
// goroutine.
type Asker struct {
	*Conn
	// Fresh runs every check, even if the cluster has an earlier answer. It is set before
	// the first check.
	Fresh bool
	// Urgent makes nodes take its checks before those of others: a user waits for each. It is
	// set before the first check.
	Urgent   bool
	checking chan struct{} // one for each certificate that is being checked
	room     *verify.Room
	needs    int // the version that its jobs need
	// answering begins to say what is asked.
	answering sync.Once

	mu   sync.Mutex // guards all below
	lies map[string]int
	// early counts, by node, what a node has ended early and unknown that another one has answered.
	early map[string]int
	// proven counts, by node, the answers that have passed their check.
	proven map[string]int
	sent   map[string]time.Time // circuits, by hash, and when they were put into the cluster
	asks   map[*open]bool
	// saidAlone: the user knows that there is no node.
	saidAlone bool
}

// maxLies is how many rejected certificates it takes until a node is no longer asked. It takes as
// many early unknowns for which another node has an answer, and as many as it has given answers.
const maxLies = 3

// roomGates bounds the circuits of an asker. A gate takes some 40 bytes.
const roomGates = 4 << 20

// NewAsker returns one that asks through a connection.
func NewAsker(c *Conn) *Asker {
	return &Asker{Conn: c, checking: make(chan struct{}, runtime.GOMAXPROCS(0)), room: verify.NewRoom(roomGates), needs: jobProtocol, lies: map[string]int{}, early: map[string]int{}, proven: map[string]int{}, sent: map[string]time.Time{}, asks: map[*open]bool{}}
}

// Engine returns the engine that spec names, which runs on some node; of a portfolio each engine
// runs on another one, as far as there are enough. The small questions after a verdict are urgent,
// for the verdict waits for them.
func (a *Asker) Engine(spec engines.Spec) verify.Engine {
	alone, e := a.one(spec.Alone(), true), a.one(spec.Alone(), a.Urgent)
	if isSpread(spec) {
		e = a.engine(spec, func(ctx context.Context, t verify.Task) verify.Report { return a.askAll(ctx, t, spec) })
	}
	e.Alone = &alone
	return e
}

// one returns an engine that runs on one node.
func (a *Asker) one(spec engines.Spec, isUrgent bool) verify.Engine {
	on := events{func() {}, func() {}, func(string) {}}
	e := a.engine(spec, func(ctx context.Context, t verify.Task) verify.Report {
		text, err := textOf(t.Problem)
		if err != nil {
			return verify.Report{Err: err}
		}
		return a.ask(ctx, t, spec, text, isUrgent, on)
	})
	e.Room = a.room // not for a portfolio, whose engines have the circuit in common
	return e
}

// engine returns the engine that works by one of the ways to ask.
func (a *Asker) engine(spec engines.Spec, check func(context.Context, verify.Task) verify.Report) verify.Engine {
	return verify.Engine{
		Name: spec.Name(), Safety: spec.Answers(circuit.Safety), Liveness: spec.Answers(circuit.Liveness),
		Where: verify.InCluster, Check: check,
	}
}

// lied notes that a certificate of a node was rejected.
func (a *Asker) lied(node string, why error) {
	a.mu.Lock()
	a.lies[node]++
	n := a.lies[node]
	a.mu.Unlock()
	text := fmt.Sprintf("node %s: an answer is wrong and does not count: %v", ShownName(node), why)
	if n == maxLies {
		text += fmt.Sprintf("; after %d of them the node is no longer asked", n)
	}
	a.opts.Warn(text)
}

// distrust notes that a node has ended a check early and unknown for which there is an answer.
func (a *Asker) distrust(unknown *given, by string) {
	if unknown.IsOwn {
		return // a limit of the node, which says so, is not a fault
	}
	why := "it took the check again, which was meant for other nodes"
	if by != "" {
		why = fmt.Sprintf("node %s has an answer", ShownName(by))
	}
	node := unknown.Node
	a.mu.Lock()
	wasOut := a.isOut(node)
	a.early[node]++
	n, isOut := a.early[node], a.isOut(node)
	a.mu.Unlock()
	text := fmt.Sprintf("node %s: a check was unknown after %.1f s (%s), and %s", ShownName(node), unknown.Elapsed.Seconds(), unknown.Reason, why)
	switch {
	case isOut && !wasOut:
		a.opts.Warn(text + fmt.Sprintf("; after %d of them the node is no longer asked", n))
	case n == 1:
		a.opts.Warn(text)
	}
}

// isOut reports whether a node is no longer asked. The caller holds the lock.
func (a *Asker) isOut(node string) bool {
	return a.lies[node] >= maxLies || a.early[node] >= max(maxLies, a.proven[node])
}

func (a *Asker) isLeftOut(node string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.isOut(node)
}

// leftOut returns the nodes that are no longer asked, and those that are not to be asked again
// about one check.
func (a *Asker) leftOut(about []string) (nodes []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, known := range []iter.Seq[string]{slices.Values(about), maps.Keys(a.lies), maps.Keys(a.early)} {
		for node := range known {
			if (a.isOut(node) || slices.Contains(about, node)) && !slices.Contains(nodes, node) && len(nodes) < maxNamed {
				nodes = append(nodes, node)
			}
		}
	}
	slices.Sort(nodes)
	return nodes
}

// maxNamed bounds the nodes that a job names.
const maxNamed = 100

// proved notes that an answer of a node has passed its check.
func (a *Asker) proved(node string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.proven) < maxNamed || a.proven[node] > 0 {
		a.proven[node]++
	}
}

// reliable returns the nodes that have answered and are not left out.
func (a *Asker) reliable() (nodes []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for node := range a.proven {
		if !a.isOut(node) {
			nodes = append(nodes, node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// ask gives a task to nodes; its circuit is text. An answer whose certificate fails costs another
// attempt.
func (a *Asker) ask(ctx context.Context, t verify.Task, spec engines.Spec, text *circuitText, isUrgent bool, on events) verify.Report {
	j := job{
		Protocol: a.needs, Circuit: text.hash, Size: len(text.body), Question: t.Problem.Question.String(), Engine: spec,
		Wall: t.Limits.Wall, CPU: t.Limits.CPU, Memory: t.Limits.Memory,
	}
	j.Key = keyOf(j)
	defer a.opens(ctx, j.Key)()
	core := asking.NewQuestion(asking.Terms{
		Asked: time.Now(), IsFresh: a.Fresh, Wall: j.Wall, Early: j.early(), Soon: a.opts.times.wanted, Silence: a.opts.times.silence,
	})
	q := &question{Asker: a, core: core, job: j, isUrgent: isUrgent, held: held{text.body, t.Problem, t.Away, t.Back}, progress: t.Progress, on: on}
	return q.run(ctx)
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
	_, err := verify.CheckCertificate(ctx, p.Circuit, p.Property(), v)
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
