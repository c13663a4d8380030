package worker

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/portfolio"
)

// Lemmas between workers. Each worker has a hub of its own, and so has the server for the
// workers that judge the same problem; a line carries between the two what is published on
// either side. A hub drops the oldest of what waits too long, and a line has one share
// under way in each direction, so that nothing grows or waits.

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
		if w.number == number { // else the result is out, and there is no listener
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
	body := portfolio.EncodeLemmas(l.circuit, l.far.Receive(), maxShare)
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
		return fmt.Errorf("%w: an unrequested share", errMessage)
	}
}

// publish takes a share of the worker. Its answer goes out from where messages to the
// worker are sent: the reader must not wait for that.
func (x *exchange) publish(f frame) error {
	var s Share
	if err := f.into(kindShare, &s); err != nil {
		return err
	}
	if x.task.Exchange == nil || s.Number != x.number {
		return fmt.Errorf("%w: a share about request %d, which was not requested", errMessage, s.Number)
	}
	lemmas, err := lemmasFrom(f.body, x.task.Problem.Circuit)
	if err != nil {
		return err
	}
	if x.lemmas == nil {
		x.lemmas = x.task.Exchange()
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

// lemmasFrom reads the body of a share.
func lemmasFrom(data []byte, c *circuit.Circuit) ([]ic3.Lemma, error) {
	lemmas, err := portfolio.DecodeLemmas(c, data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMessage, err)
	}
	return lemmas, nil
}
