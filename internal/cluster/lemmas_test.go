package cluster

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// eager is a member of a portfolio that runs again and again until it has taken a lemma of
// another node, and then until all others have done so.
type eager struct {
	spec  engines.Spec
	node  *Node
	taken *[3]atomic.Int64 // by member
	about *atomic.Pointer[topic]
}

func (e eager) engine() (verify.Engine, error) {
	one, err := e.spec.New()
	return verify.Engine{Name: "eager", Safety: true, Liveness: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		all := t.Exchange()
		t.Exchange = func() ic3.Exchange { return all }
		e.about.Store(e.node.topic())
		for {
			r := one.Check(ctx, t)
			if r.Err != nil {
				return r
			}
			e.taken[e.spec.Member].Add(int64(r.Stats["taken"]))
			if e.taken[1].Load() > 0 && e.taken[2].Load() > 0 {
				return r
			}
		}
	}}, err
}

// topic returns one of those that the node has, or nil.
func (n *Node) topic() *topic {
	n.lemmas.mu.Lock()
	defer n.lemmas.mu.Unlock()
	for _, t := range n.lemmas.topics {
		return t
	}
	return nil
}

// hard returns a circuit for which IC3 needs many lemmas: so many numbers that count, each
// by its own rule, and a bad where all of them have a value that the first never has.
func hard(numbers, bits int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	bad := circuit.True
	for n := range numbers {
		latches := make([]circuit.Lit, bits)
		for i := range latches {
			latches[i] = b.Latch(0)
		}
		stop := circuit.True // at 2ⁿ − 2 − n
		for i, l := range latches {
			stop = b.And(stop, l.NotIf((1<<bits-2-n)>>i&1 == 0))
		}
		carry := b.Input(0).NotIf(n%2 == 0)
		for i, l := range latches {
			sum := b.Xor(l, carry)
			carry = b.And(carry, l)
			b.SetNext(latches[i], b.Mux(stop, l, sum))
		}
		for _, l := range latches {
			bad = b.And(bad, l)
		}
	}
	b.Bad(bad, 0)
	return b.Build()
}

// eagerNode starts a node of eager engines.
func (p *place) eagerNode(name string, slots int, isAlone bool, taken *[3]atomic.Int64, about *atomic.Pointer[topic]) *Node {
	n := NewNode(p.connect(name), slots, nil)
	n.newEngine = func(s engines.Spec) (verify.Engine, error) {
		return eager{spec: s, node: n, taken: taken, about: about}.engine()
	}
	n.Alone = isAlone
	p.run(n)
	return n
}

// TestLemmasTravel: runs of IC3 on two nodes take lemmas of each other.
func TestLemmasTravel(t *testing.T) {
	p := newPlace(t)
	var taken [3]atomic.Int64
	var about atomic.Pointer[topic]
	nodes := []*Node{p.eagerNode("first", 1, false, &taken, &about), p.eagerNode("second", 1, false, &taken, &about)}
	a := p.asker("me")
	check(t, verify.Run(t.Context(), a.spread(hard(2, 5), 2), nil), "proved")
	t.Logf("taken: %d and %d", taken[1].Load(), taken[2].Load())
	for _, n := range nodes {
		c := n.lemmas.counts()
		t.Logf("%+v", c)
		if c.Sent == 0 || c.Received == 0 || c.Refused != 0 {
			t.Errorf("%+v", c)
		}
	}
	if taken[1].Load() == 0 || taken[2].Load() == 0 {
		t.Errorf("taken: %d and %d", taken[1].Load(), taken[2].Load())
	}
	eventually(t, "nothing is left", func() bool {
		_, err := a.nc.Request(a.subject("lemmas", about.Load().hash), nil, 100*time.Millisecond)
		return nodes[0].topic() == nil && nodes[1].topic() == nil && errors.Is(err, nats.ErrNoResponders)
	})
}

// TestLemmasStay: the checks of one node exchange lemmas without a message.
func TestLemmasStay(t *testing.T) {
	p := newPlace(t)
	var taken [3]atomic.Int64
	var about atomic.Pointer[topic]
	n := p.eagerNode("n", 2, true, &taken, &about)
	check(t, verify.Run(t.Context(), p.asker("me").spread(hard(2, 5), 2), nil), "proved")
	if c := n.lemmas.counts(); c != (LemmaCounts{}) || taken[1].Load() == 0 || taken[2].Load() == 0 {
		t.Errorf("%+v, taken %d and %d", c, taken[1].Load(), taken[2].Load())
	}
}

// TestLemmasLost: without any lemma that arrives the answers are those of a search of all
// states.
func TestLemmasLost(t *testing.T) {
	p := newPlace(t)
	nodes := make([]*Node, 2)
	for i, name := range names(2) {
		c := p.connect(name)
		c.opts.lose = func() bool { return true }
		nodes[i] = NewNode(c, 1, real)
		p.run(nodes[i])
	}
	a := p.asker("me")
	for seed := range uint64(15) {
		c := classictest.Sample(rand.New(rand.NewPCG(53, seed)))
		check(t, verify.Run(t.Context(), a.spread(c, 2), nil), truth(c))
	}
	check(t, verify.Run(t.Context(), a.spread(hard(2, 5), 2), nil), "proved")
	for _, n := range nodes {
		if c := n.lemmas.counts(); c != (LemmaCounts{}) {
			t.Errorf("%+v", c)
		}
	}
}

// wrong returns messages that are none about a circuit, by what is wrong with them.
func wrong(t *topic) map[string][]byte {
	head := func(change func(b []byte)) []byte {
		b := t.head()
		b[1]++ // of another node
		change(b)
		return b
	}
	good := head(func([]byte) {})
	latches := len(t.circuit.Latches())
	lemma := func(numbers ...int) []byte {
		b := append([]byte(nil), good...)
		for _, n := range numbers {
			b = binary.AppendUvarint(b, uint64(n))
		}
		return b
	}
	literals := lemma(1, latches+1)
	for range latches + 1 {
		literals = append(literals, 0)
	}
	return map[string][]byte{
		"empty":                 {},
		"short":                 good[:len(good)-1],
		"of another version":    head(func(b []byte) { b[0]++ }),
		"about another circuit": head(func(b []byte) { b[len(b)-1]++ }),
		"no such latch":         lemma(1, 1, 2*latches),
		"too many literals":     literals,
		"beyond all levels":     lemma(1<<31, 0),
		"cut off":               lemma(1, 2, 0),
		"an endless number":     append(lemma(), 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
		"too long":              append(lemma(), make([]byte, maxMessage)...),
	}
}

// TestLemmasRefused: whatever is no message about the circuit is refused and counted,
// without a message.
func TestLemmasRefused(t *testing.T) {
	p := newPlace(t)
	n := NewNode(p.connect("n"), 1, real)
	c := counter(4, 15, 9)
	s := n.exchange(hashOf([]byte("a circuit")), c)
	defer s.leave()
	end := s.join()
	refused := int64(0)
	for what, data := range wrong(s.topic) {
		s.receive(&nats.Msg{Data: data})
		refused++
		if got := n.lemmas.counts(); got.Refused != refused || got.Received != 0 || len(end.Receive()) > 0 {
			t.Errorf("%s: %+v", what, got)
		}
	}
	clause := []circuit.Lit{c.Latches()[3].Lit.Not(), c.Latches()[1].Lit.Not()}
	own := append(s.head(), portfolio.EncodeLemmas(c, []ic3.Lemma{{Clause: clause, Level: 2}}, maxMessage)...)
	s.receive(&nats.Msg{Data: own})
	if len(end.Receive()) > 0 {
		t.Error("a node hears itself")
	}
	own[1]++
	s.receive(&nats.Msg{Data: own})
	if got := end.Receive(); len(got) != 1 || got[0].Level != 2 || len(got[0].Clause) != 2 || n.lemmas.counts().Received != 1 {
		t.Errorf("%v, %+v", got, n.lemmas.counts())
	}
}

// TestLemmasOfStrangers: garbage and false lemmas on the subject of a circuit, which each
// engine has heard before it begins, change no verdict. AIGLENS_LONG is the number of circuits.
func TestLemmasOfStrangers(t *testing.T) {
	p := newPlace(t)
	var about atomic.Pointer[topic] // of the last check
	nodes := make([]*Node, 2)
	for i, name := range names(2) {
		n := NewNode(p.connect(name), 1, nil)
		n.newEngine = func(s engines.Spec) (verify.Engine, error) {
			e, err := s.New()
			return listener{n, &about}.before(e), err
		}
		nodes[i] = n
		p.run(n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	stranger := p.connect("stranger")
	go func() {
		defer close(done)
		r := rand.New(rand.NewPCG(59, 0))
		for ; ctx.Err() == nil; time.Sleep(100 * time.Microsecond) {
			s := about.Load()
			if s == nil {
				continue
			}
			for _, data := range wrong(s) {
				_ = stranger.nc.Publish(stranger.subject("lemmas", s.hash), data)
			}
			var lies []ic3.Lemma
			latches := s.circuit.Latches()
			for range 50 {
				l := ic3.Lemma{Level: r.IntN(20)}
				for range r.IntN(min(4, len(latches)+1)) {
					l.Clause = append(l.Clause, latches[r.IntN(len(latches))].Lit.NotIf(r.IntN(2) == 0))
				}
				lies = append(lies, l)
			}
			data := append(s.head(), portfolio.EncodeLemmas(s.circuit, lies, maxMessage-lemmaHead)...)
			data[2]++ // of another node
			_ = stranger.nc.Publish(stranger.subject("lemmas", s.hash), data)
		}
	}()
	a := p.asker("me")
	for seed := range long(20) {
		c := classictest.Sample(rand.New(rand.NewPCG(61, seed)))
		r := verify.Run(t.Context(), a.spread(c, 2), nil)
		check(t, r, truth(c))
		if r.Internal != nil || r.Fault != nil {
			t.Errorf("seed %d: %v, %v", seed, r.Internal, r.Fault)
		}
	}
	check(t, verify.Run(t.Context(), a.spread(hard(2, 5), 2), nil), "proved")
	cancel()
	<-done
	for _, n := range nodes {
		c := n.lemmas.counts()
		t.Logf("%+v", c)
		if c.Received == 0 || c.Refused == 0 {
			t.Errorf("%+v: it has not heard the stranger", c)
		}
	}
}

// listener is a member of a portfolio that begins when it has heard of others.
type listener struct {
	node  *Node
	about *atomic.Pointer[topic]
}

// before returns an engine that is another one afterwards.
func (l listener) before(e verify.Engine) verify.Engine {
	check := e.Check
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		all := t.Exchange()
		t.Exchange = func() ic3.Exchange { return all }
		if s := l.node.topic(); s != nil && len(t.Problem.Circuit.Latches()) > 0 {
			before := l.node.lemmas.counts()
			for now := before; (now.Received == before.Received || now.Refused == before.Refused) && ctx.Err() == nil; now = l.node.lemmas.counts() {
				l.about.Store(s) // again: one that is about to end may refer to another circuit
				time.Sleep(100 * time.Microsecond)
			}
		}
		return check(ctx, t)
	}
	return e
}

// FuzzLemmaMessage: whatever comes, a node refuses it or reads lemmas over its latches.
func FuzzLemmaMessage(f *testing.F) {
	n := &Node{lemmas: newExchanges()}
	c := counter(4, 15, 9)
	s := n.exchange(hashOf(nil), c)
	end := s.hub.Join()
	for _, data := range wrong(s.topic) {
		f.Add(data)
	}
	sum, _ := hex.DecodeString(s.hash)
	f.Add(append(append(append([]byte{lemmaVersion}, make([]byte, senderSize)...), sum...), 3, 2, 1, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		s.receive(&nats.Msg{Data: data})
		for _, l := range end.Receive() {
			for _, lit := range l.Clause {
				if c.LatchIndex(lit.Var()) < 0 || l.Level < 0 {
					t.Fatalf("%+v", l)
				}
			}
		}
	})
}
