package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
)

// Lemmas between nodes. The checks of one node about the same circuit have a hub in it, and
// an end of that hub is for all other nodes: what is published here goes out as messages on
// a subject of the circuit, and what comes in is published here. Messages are plain ones,
// which are neither kept nor sent again. Each end is bounded and drops what is too much, so that
// nothing grows or waits. What comes in are claims: an engine takes one when its own
// query says that it holds (ic3.Exchange), and a node that sends nonsense costs it a bounded
// part of its effort.
//
// A message is
//
//	version   1 byte
//	sender    8 bytes, by which a node knows what is its own
//	circuit   32 bytes: its SHA-256
//	lemmas    as portfolio.EncodeLemmas has it

const (
	lemmaVersion = 1
	senderSize   = 8
	lemmaHead    = 1 + senderSize + 32
	// lemmaQueue bounds the messages that wait in a node to be read.
	lemmaQueue = 64
)

// LemmaCounts are what a node has exchanged with others since its start.
type LemmaCounts struct {
	Sent     int64 `json:"sent"`     // lemmas
	Received int64 `json:"received"` // likewise
	Refused  int64 `json:"refused"`  // messages that are none of the protocol
	Lost     int64 `json:"lost"`     // messages that came faster than they were read
}

// exchanges are those of a node.
type exchanges struct {
	sender [senderSize]byte

	sent, received, refused, lost atomic.Int64

	mu     sync.Mutex // guards topics
	topics map[string]*topic
}

func newExchanges() *exchanges {
	x := &exchanges{topics: map[string]*topic{}}
	_, _ = rand.Read(x.sender[:]) // it never fails
	return x
}

func (x *exchanges) counts() LemmaCounts {
	return LemmaCounts{x.sent.Load(), x.received.Load(), x.refused.Load(), x.lost.Load()}
}

// topic is the exchange about one circuit.
type topic struct {
	node    *Node
	hash    string // of the circuit
	circuit *circuit.Circuit
	hub     portfolio.Hub
	far     ic3.Exchange // of the hub: all that is on other nodes
	users   int          // guarded by the node

	ctx   context.Context
	stop  context.CancelFunc
	carry sync.Once
}

// seat is a check's part in a topic.
type seat struct {
	*topic
	mu   sync.Mutex // guards ends
	ends []ic3.Exchange
}

// exchange returns the seat of a check about a circuit, which is to be left at its end.
func (n *Node) exchange(hash string, c *circuit.Circuit) *seat {
	x := n.lemmas
	x.mu.Lock()
	defer x.mu.Unlock()
	t := x.topics[hash]
	if t == nil {
		t = &topic{node: n, hash: hash, circuit: c}
		t.far = t.hub.Join()
		t.ctx, t.stop = context.WithCancel(context.Background())
		x.topics[hash] = t
	}
	t.users++
	return &seat{topic: t}
}

// join adds a part of the check to those that exchange lemmas.
func (s *seat) join() ic3.Exchange {
	if !s.node.Alone {
		s.carry.Do(s.start)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.hub.Join()
	s.ends = append(s.ends, e)
	return e
}

// leave ends what the check has joined. The last one ends the topic.
func (s *seat) leave() {
	s.mu.Lock()
	for _, e := range s.ends {
		s.hub.Leave(e)
	}
	s.ends = nil
	s.mu.Unlock()
	x := s.node.lemmas
	x.mu.Lock()
	defer x.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(x.topics, s.hash)
		s.stop()
	}
}

// start begins to carry lemmas to other nodes and from them. Without a connection there are
// none.
func (t *topic) start() {
	messages, err := t.node.nc.Subscribe(t.node.subject("lemmas", t.hash), t.receive)
	if err != nil {
		return
	}
	_ = messages.SetPendingLimits(lemmaQueue, lemmaQueue*maxMessage)
	go func() {
		t.send()
		if n, err := messages.Dropped(); err == nil {
			t.node.lemmas.lost.Add(int64(n))
		}
		_ = messages.Unsubscribe()
	}()
}

// send sends what waits for other nodes, until the topic ends: now and then one message, the
// newest that fit into it.
func (t *topic) send() {
	tick := time.NewTicker(t.node.opts.times.share)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-t.ctx.Done():
			return
		}
		lemmas := t.far.Receive()
		if len(lemmas) == 0 || !t.node.nc.IsConnected() || t.node.opts.loses() {
			continue
		}
		body := portfolio.EncodeLemmas(t.circuit, lemmas, maxMessage-lemmaHead)
		t.node.lemmas.sent.Add(int64(len(lemmas))) // before another node can have them
		if t.node.nc.Publish(t.node.subject("lemmas", t.hash), append(t.head(), body...)) != nil {
			t.node.lemmas.sent.Add(-int64(len(lemmas)))
		}
	}
}

// head returns the beginning of a message.
func (t *topic) head() []byte {
	b := append([]byte{lemmaVersion}, t.node.lemmas.sender[:]...)
	sum, _ := hex.DecodeString(t.hash) // the job has been validated
	return append(b, sum...)
}

// receive takes a message of another node, or refuses it.
func (t *topic) receive(m *nats.Msg) {
	x, head := t.node.lemmas, t.head()
	if t.ctx.Err() != nil {
		return
	}
	isShort := len(m.Data) < lemmaHead
	if !isShort && bytes.Equal(m.Data[:lemmaHead], head) {
		return // of this node
	}
	if isShort || len(m.Data) > maxMessage || m.Data[0] != lemmaVersion || !bytes.Equal(m.Data[1+senderSize:lemmaHead], head[1+senderSize:]) {
		x.refused.Add(1)
		return
	}
	lemmas, err := portfolio.DecodeLemmas(t.circuit, m.Data[lemmaHead:])
	if err != nil {
		x.refused.Add(1)
		return
	}
	x.received.Add(int64(len(lemmas)))
	for _, l := range lemmas {
		t.far.Publish(l)
	}
}
