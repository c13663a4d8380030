package ic3

import (
	"slices"

	"aiglens/circuit"
)

// Lemma is a clause over latches that holds in all states that are reached in at most
// Level steps.
type Lemma struct {
	Clause []circuit.Lit // not to be changed
	Level  int
}

// Exchange carries lemmas between runs about the same circuit, wherever these are:
// Bradley, "SAT-Based Model Checking without Unrolling" (VMCAI 2011), section 8. Neither
// method waits for anybody, and lemmas may be lost, come late or come again. A run trusts
// none that it receives: it takes one when its own query says that it holds.
type Exchange interface {
	// Publish offers a lemma to the others.
	Publish(Lemma)
	// Receive returns what others have published since the last call, the oldest first.
	Receive() []Lemma
}

const (
	// receiveEvery is the least effort between two calls of Receive.
	receiveEvery = 1_000
	// receiveShare is how much more effort goes into anything else than into what is
	// received. Of 35 circuits of the tier small 26 were solved by 4 instances within an
	// effort of two million with 3, and 24 with 8; 20 without.
	receiveShare = 3
)

// publish offers a lemma to other runs.
func (e *engine) publish(c cube, level int) {
	if e.exchange != nil {
		e.stats.Published++
		e.exchange.Publish(Lemma{c.clause(nil), level})
	}
}

// receive adds lemmas of others, the newest first, as long as it may spend something on
// that; those that are left are dropped. It may be called whenever no query's answer is needed any more.
func (e *engine) receive() error {
	if e.exchange == nil || e.effort < e.receiveAt {
		return nil
	}
	start := e.effort
	allowed := (start - e.receivedAt) / receiveShare
	for _, l := range slices.Backward(e.exchange.Receive()) {
		if e.effort-start > allowed {
			break
		}
		if err := e.addReceived(l); err != nil {
			return err
		}
	}
	e.receivedAt = e.effort
	e.receiveAt = e.effort + max(receiveEvery, receiveShare*(e.effort-start))
	return nil
}

// addReceived adds a lemma of another run if it holds here: if it is true initially and
// inductive relative to the frame below its level, which is that of the frontier at most.
// Nothing rests on where it comes from.
func (e *engine) addReceived(l Lemma) error {
	e.stats.Received++
	level := min(l.Level, e.depth())
	c, ok := e.cubeOf(l.Clause)
	if !ok || level < 1 || e.isInitial(c) || e.isBlocked(c, level) {
		return nil
	}
	core, ok, err := e.inductive(c, level-1)
	if err != nil || !ok {
		return err
	}
	e.stats.Taken++
	_, _, err = e.settle(core, level)
	return err
}
