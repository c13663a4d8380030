package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"aiglens/ic3/verify"
)

// NodeStatus is what a node says about itself, now and then.
type NodeStatus struct {
	Name     string `json:"name"` // ShownName has it for people
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
	Slots    int    `json:"slots"` // checks at a time
	Busy     int    `json:"busy"`
	Begun    int64  `json:"begun"` // since its start
	Ended    int64  `json:"ended"` // likewise, those with an answer or a limit
	// Only are the kinds of questions that it takes; empty for all.
	Only []string `json:"only,omitempty"`
	// IsLeaving says that it takes no more checks.
	IsLeaving bool `json:"leaving,omitempty"`
	// Lemmas are what it has exchanged with other nodes.
	Lemmas LemmaCounts `json:"lemmas,omitzero"`
	// Heard is when the server has heard this, by the clock of the server.
	Heard time.Time `json:"heard"`
}

func (s *NodeStatus) validate() error {
	l := s.Lemmas
	if !isNode(s.Name) || min(int64(s.Protocol), int64(s.Slots), int64(s.Busy), s.Begun, s.Ended, l.Sent, l.Received, l.Refused, l.Lost) < 0 {
		return fmt.Errorf("%w: the node %.120q", errMessage, s.Name)
	}
	for i, kind := range s.Only {
		s.Only[i] = verify.OneLine(kind, 20)
	}
	s.Version = verify.OneLine(s.Version, 60)
	return nil
}

// JobStatus is a check that a node works on.
type JobStatus struct {
	Key      string          `json:"key"`
	Node     string          `json:"node"`
	Attempt  int             `json:"attempt"`
	Elapsed  time.Duration   `json:"elapsed"` // in nanoseconds
	Progress verify.Progress `json:"progress"`
	// Circuit is the hash of what it is about, which the engines of one portfolio have in
	// common. It is engine Member of Members; both are 0 when it is none of a portfolio.
	Circuit string `json:"circuit,omitempty"`
	Member  int    `json:"member,omitempty"`
	Members int    `json:"members,omitempty"`
}

// Status is how a cluster stands.
type Status struct {
	Nodes []NodeStatus `json:"nodes"` // by name
	Jobs  []JobStatus  `json:"jobs"`  // those that say something at the time, the oldest first
	// Asked are the checks that askers want, at work or not, by asker.
	Asked   []Asking `json:"asked"`
	Waiting int      `json:"waiting"`
	// Given are the jobs that nodes have been given and not acknowledged, which are at work or
	// were with a node that has ended.
	Given   int    `json:"given"`
	Answers uint64 `json:"answers"` // kept
	Bytes   uint64 `json:"bytes"`   // of circuits and certificates
}

// Status returns how the cluster stands. It listens to the nodes for a beat.
func (c *Conn) Status(ctx context.Context) (s Status, err error) {
	messages := make(chan *nats.Msg, maxStatusJobs)
	listening, err := c.nc.ChanSubscribe(c.subject(purposeNotices, "*"), messages)
	if err != nil {
		return s, err
	}
	defer func() { _ = listening.Unsubscribe() }()
	asked, err := c.survey()
	if err != nil {
		return s, err
	}
	defer asked()
	enough := time.After(c.opts.times.beat + c.opts.times.beat/4)
	if s.Nodes, err = c.Nodes(ctx); err != nil {
		return s, err
	}
	if s.Waiting, s.Given, err = c.queued(ctx); err != nil {
		return s, err
	}
	blobs, err := c.kept().blobs.Info(ctx)
	if err != nil {
		return s, err
	}
	s.Bytes = blobs.State.Bytes
	answers, err := c.kept().answers.Status(ctx)
	if err != nil {
		return s, err
	}
	s.Answers = answers.Values()
	s.Jobs = []JobStatus{}
	running := map[string]JobStatus{}
	for open := true; open; {
		select {
		case m := <-messages:
			var t notice
			key := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
			if readSigned(m.Subject, m.Data, &t) != nil || !isHash(key) {
				continue
			}
			if delete(running, key); t.State == stateRunning && len(running) < maxStatusJobs {
				running[key] = JobStatus{key, t.Node, t.Attempt, t.Elapsed, t.Progress, t.Circuit, t.Member, t.Members}
			}
		case <-enough:
			open = false
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
	s.Asked = asked()
	for _, j := range running {
		s.Jobs = append(s.Jobs, j)
	}
	slices.SortFunc(s.Jobs, func(a, b JobStatus) int {
		return cmp.Or(cmp.Compare(b.Elapsed, a.Elapsed), strings.Compare(a.Key, b.Key))
	})
	return s, nil
}

// queued returns how many checks wait in the queue, and how many nodes have been given.
func (c *Conn) queued(ctx context.Context) (waiting, given int, err error) {
	for _, l := range lanes {
		consumer, err := c.kept().queues[l].Info(ctx)
		if err != nil {
			return 0, 0, err
		}
		waiting, given = waiting+int(consumer.NumPending), given+consumer.NumAckPending
	}
	return waiting, given, nil
}

// maxStatusJobs bounds the checks at work that a status has.
const maxStatusJobs = 1 << 15

// maxNodes bounds the nodes that are looked at.
const maxNodes = 10_000

// Nodes returns the nodes that have given a sign of life recently, by name.
func (c *Conn) Nodes(ctx context.Context) (all []NodeStatus, err error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	watch, err := c.kept().nodes.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = watch.Stop() }()
	for {
		select {
		case entry := <-watch.Updates():
			if entry == nil { // that is all of them
				slices.SortFunc(all, func(a, b NodeStatus) int { return strings.Compare(a.Name, b.Name) })
				return all, nil
			}
			var s NodeStatus
			if readSigned(c.subject(purposeNodes, entry.Key()), entry.Value(), &s) == nil && s.Name == entry.Key() && len(all) < maxNodes {
				s.Heard = entry.Created()
				all = append(all, s)
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// beat says now and then that the node is there, until ctx ends.
func (n *Node) beat(ctx context.Context) {
	tick := time.NewTicker(n.opts.times.beat * nodeBeats)
	defer tick.Stop()
	leaves := n.taking.Done()
	for {
		s := NodeStatus{
			Name: n.me.name, Version: n.opts.Version, Protocol: n.protocol, Slots: n.slots,
			Busy: int(n.busy.Load()), Begun: n.begun.Load(), Ended: n.ended.Load(), Lemmas: n.lemmas.counts(),
			IsLeaving: n.taking.Err() != nil, Only: n.Only,
		}
		within, stop := context.WithTimeout(ctx, callTime)
		_, _ = n.kept().nodes.Put(within, s.Name, n.me.signed(n.subject(purposeNodes, s.Name), s)) // the next one may succeed
		stop()
		select {
		case <-tick.C:
		case <-leaves:
			leaves = nil
		case <-ctx.Done():
			if n.nc.IsConnected() {
				within, stop := context.WithTimeout(context.WithoutCancel(ctx), callTime)
				_ = n.kept().nodes.Purge(within, n.me.name)
				stop()
			}
			return
		}
	}
}

// A node says that it is there every so many beats of a check, and is forgotten after so many.
const (
	nodeBeats   = 3
	nodeForgets = 15
)
