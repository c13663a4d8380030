package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
)

// Lemmas between workers. Each worker has a hub of its own, and so has the server for the
// workers that judge the same problem; a line carries between the two what is published on
// either side. A hub drops the oldest of what waits too long, and a line has one share
// under way in each direction, so that nothing grows and nobody waits.

const (
	// shareEvery is Options.ShareEvery where it is 0.
	shareEvery = 20 * time.Millisecond
	// maxShare bounds the lemmas of one share in bytes; of more, the oldest are lost.
	maxShare = 1 << 20
)

// line is the worker's end.
type line struct {
	number   uint64 // of the request
	circuit  *circuit.Circuit
	hub      portfolio.Hub
	far      ic3.Exchange  // of the hub: all that is not in this process
	answered chan struct{} // the server has answered the last share
}

// join adds a part of the engine at work on a request to those that exchange lemmas.
func (w *worker) join(ctx context.Context, number uint64, c *circuit.Circuit) ic3.Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.line
	if l == nil || l.number != number {
		l = &line{number: number, circuit: c, answered: make(chan struct{}, 1)}
		l.far = l.hub.Join()
		if w.number == number { // else the result is out, and nobody listens
			w.line = l
			go w.carry(ctx, l)
		}
	}
	return l.hub.Join()
}

// carry sends shares until the request ends.
func (w *worker) carry(ctx context.Context, l *line) {
	tick := time.NewTicker(cmp.Or(w.opts.ShareEvery, shareEvery))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if !w.share(l) {
			return
		}
		select {
		case <-l.answered:
		case <-ctx.Done():
			return
		}
	}
}

// share sends what waits, and says whether the request is still under way.
func (w *worker) share(l *line) bool {
	body := bytesOfLemmas(l.circuit, l.far.Receive())
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.line != l {
		return false
	}
	return writeFrame(w.out, kindShare, Share{l.number}, body) == nil
}

// receive takes the server's answer to a share.
func (w *worker) receive(f frame) error {
	var s Share
	if err := f.into(kindShare, &s); err != nil {
		return err
	}
	w.mu.Lock()
	l := w.line
	w.mu.Unlock()
	if l == nil || l.number != s.Number {
		return nil
	}
	lemmas, err := lemmasFrom(f.body, l.circuit)
	if err != nil {
		return err
	}
	for _, lemma := range lemmas {
		l.far.Publish(lemma)
	}
	select {
	case l.answered <- struct{}{}:
		return nil
	default:
		return fmt.Errorf("%w: a share that nobody has asked for", errMessage)
	}
}

// publish takes a share of the worker. Its answer goes out from where messages to the
// worker are sent: whoever reads must not wait for that.
func (x *exchange) publish(f frame) error {
	var s Share
	if err := f.into(kindShare, &s); err != nil {
		return err
	}
	if x.join == nil || s.Number != x.number {
		return fmt.Errorf("%w: a share about request %d, which nobody has asked for", errMessage, s.Number)
	}
	lemmas, err := lemmasFrom(f.body, x.problem.Circuit)
	if err != nil {
		return err
	}
	if x.lemmas == nil {
		x.lemmas = x.join()
	}
	for _, lemma := range lemmas {
		x.lemmas.Publish(lemma)
	}
	select {
	case x.asked <- struct{}{}:
		return nil
	default:
		return fmt.Errorf("%w: a share before the answer to the last one", errMessage)
	}
}

// maxLevel is far beyond any frame.
const maxLevel = 1 << 30

// bytesOfLemmas returns lemmas over the latches of c, the newest that fit into a share, as
// varints: for each its level and its number of literals, then each as 2·latch + sign. A
// latch is told by its position, which binary AIGER keeps.
func bytesOfLemmas(c *circuit.Circuit, lemmas []ic3.Lemma) []byte {
	var encoded [][]byte // the newest first
	size := 0
	for _, l := range slices.Backward(lemmas) {
		b := binary.AppendUvarint(nil, uint64(l.Level))
		b = binary.AppendUvarint(b, uint64(len(l.Clause)))
		for _, lit := range l.Clause {
			b = binary.AppendUvarint(b, uint64(c.LatchIndex(lit.Var()))<<1|uint64(lit&1))
		}
		if size += len(b); size > maxShare {
			break
		}
		encoded = append(encoded, b)
	}
	slices.Reverse(encoded)
	return bytes.Join(encoded, nil)
}

// lemmasFrom reads what bytesOfLemmas has returned, or says that it did not.
func lemmasFrom(data []byte, c *circuit.Circuit) (lemmas []ic3.Lemma, err error) {
	number := func(most int) int {
		n, length := binary.Uvarint(data)
		if length <= 0 || n > uint64(most) {
			err = fmt.Errorf("%w: lemmas that cannot be read", errMessage)
			return 0
		}
		data = data[length:]
		return int(n)
	}
	for len(data) > 0 && err == nil {
		l := ic3.Lemma{Level: number(maxLevel)}
		for range number(len(c.Latches())) {
			at := number(2*len(c.Latches()) - 1)
			if err != nil {
				break
			}
			l.Clause = append(l.Clause, c.Latches()[at>>1].Lit.NotIf(at&1 == 1))
		}
		lemmas = append(lemmas, l)
	}
	if err != nil {
		return nil, err
	}
	return lemmas, nil
}
