// Package offer runs checks on other machines as well: one that takes long is offered to a
// cluster while it goes on here, and the first answer ends the other.
//
// An answer from elsewhere has passed its check against the circuit when it gets here, and
// package verify checks it once more as it does all others. Where there is no cluster, none that
// can be reached, or one that knows nothing, a check is what it would be without.
//
// The package knows neither networks nor the protocol of the language server.
package offer

import (
	"context"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Link is a connection to a cluster that comes and goes by itself. No method waits for the
// network.
type Link interface {
	// Engine returns an engine that works elsewhere, whose answers have been checked;
	// ok is false while there is no connection.
	Engine(engines.Spec) (e verify.Engine, ok bool)
	// Cache returns one that asks for the verdicts of others after next, which may be nil.
	Cache(next verify.Cache) verify.Cache
	// Close ends the link and returns when no socket is left.
	Close()
}

// Address says where a cluster is, and by which files of this machine it can be used.
type Address struct {
	URL                    string // "" for no cluster
	Token, CA, Credentials string // paths, "" for none
	Prefix                 string // of names within the cluster, "" for the usual one
}

// State is how a link stands.
type State struct {
	Connected bool
	Nodes     int    // at work, while it is connected
	Problem   string // why it is not; "" while it is not known
}

// Patience is how long a check goes on here alone.
const Patience = 2 * time.Second

// maxOffers bounds the checks that are offered at a time.
const maxOffers = 256

// Cluster is the cluster of the moment, to which checks are offered. Its methods may be called
// from any goroutine.
type Cluster struct {
	patience time.Duration
	places   chan struct{} // one for each check that is offered
	closing  sync.WaitGroup

	mu      sync.Mutex    // guards all below
	link    Link          // nil for none
	changed chan struct{} // closed when link or its state is another
}

// NewCluster returns none yet. Checks are offered after some time; 0 is Patience.
func NewCluster(patience time.Duration) *Cluster {
	if patience == 0 {
		patience = Patience
	}
	return &Cluster{patience: patience, places: make(chan struct{}, maxOffers), changed: make(chan struct{})}
}

// Set sets the link through which checks are offered from now on; nil is none. The one before is closed in
// the background.
func (c *Cluster) Set(link Link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.link; old != nil {
		c.closing.Go(old.Close)
	}
	c.link = link
	c.change()
}

// Changed says that the link stands otherwise than before.
func (c *Cluster) Changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.change()
}

func (c *Cluster) change() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Close closes the link, and returns when that is done.
func (c *Cluster) Close() {
	c.Set(nil)
	c.closing.Wait()
}

// current returns the link, nil for none, and what is closed when to look again.
func (c *Cluster) current() (Link, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link, c.changed
}

// Cache returns a cache that asks next, which may be nil, and then the cluster, where there is
// one.
func (c *Cluster) Cache(next verify.Cache) verify.Cache { return cache{c, next} }

type cache struct {
	cluster *Cluster
	next    verify.Cache
}

// now returns the cache of the moment, or nil.
func (c cache) now() verify.Cache {
	if link, _ := c.cluster.current(); link != nil {
		return link.Cache(c.next)
	}
	return c.next
}

// Lookup implements verify.Cache.
func (c cache) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (e verify.Entry, ok bool) {
	if now := c.now(); now != nil {
		return now.Lookup(fingerprint, problem)
	}
	return e, false
}

// Store implements verify.Cache.
func (c cache) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if now := c.now(); now != nil {
		now.Store(fingerprint, problem, e)
	}
}

// Drop implements verify.Cache.
func (c cache) Drop(fingerprint circuit.Fingerprint) {
	if now := c.now(); now != nil {
		now.Drop(fingerprint)
	}
}

// Offer returns a job whose engine, which spec names, asks the cluster as well once it takes long.
// That engine is for the turns of this job alone, one after another. What nodes do is bounded by
// the limits of the job, which are those of all its turns, and ends with ctx. A job whose engine runs in this process
// is returned as it is.
func (c *Cluster) Offer(ctx context.Context, job verify.Job, spec engines.Spec) verify.Job {
	if job.Engine.Where == verify.Here {
		return job
	}
	e := newTurns(ctx, c, job, spec)
	job.Engine.Check, job.Between = e.check, verify.Between{Ready: e.isReady, End: e.end}
	return job
}
