package lsp

import (
	"sync/atomic"

	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/offer"
	"aiglens/lsp/wire"
)

// clusterSide owns the way to other machines: which cluster is set, how it stands, and the cache
// that asks it.
type clusterSide struct {
	*core
	connected  func()         // is called, in the queue, when there is a connection
	offers     *offer.Cluster // to which checks are offered: the one that is set
	address    offer.Address
	standing   offer.State // of the cluster at address
	wantsCache atomic.Bool // settings.Cache, for checks under way
}

func newCluster(c *core, connected func()) *clusterSide {
	l := &clusterSide{core: c, connected: connected, offers: offer.NewCluster(c.opts.Patience)}
	l.wantsCache.Store(c.settings.Cache)
	return l
}

// connect uses the cluster that is set from now on: none in a folder that is not trusted.
// It does not wait for the network.
func (c *clusterSide) connect() {
	var wanted offer.Address
	if c.settings.IsTrusted() && c.opts.Cluster != nil {
		wanted = c.settings.Cluster
	}
	if wanted == c.address {
		return
	}
	c.address, c.standing = wanted, offer.State{}
	if wanted.URL == "" {
		c.offers.Set(nil)
		c.log.Info("the cluster is no longer asked")
		c.tell(wire.ClusterParams{State: wire.ClusterOff})
		return
	}
	c.tell(wire.ClusterParams{State: wire.ClusterConnecting})
	c.offers.Set(c.opts.Cluster(wanted, func(state offer.State) {
		c.post(func() {
			if c.address == wanted {
				c.stands(state)
			}
		})
	}, func(text string) { c.log.Warn("cluster: " + text) }))
}

// stands handles how the connection to the cluster stands. What others have found may
// be asked for as soon as there is one.
func (c *clusterSide) stands(state offer.State) {
	c.offers.Changed()
	before := c.standing
	c.standing = state
	params := wire.ClusterParams{State: wire.ClusterLost, Nodes: state.Nodes, Problem: state.Problem}
	if state.Connected {
		params.State = wire.ClusterConnected
	}
	c.tell(params)
	switch {
	case state.Connected && !before.Connected:
		c.log.Info("the cluster is connected", zap.Int("nodes", state.Nodes))
		c.connected()
	case !state.Connected && (before.Connected || before.Problem == ""):
		c.log.Warn("the cluster cannot be reached: checks run on this machine", zap.String("problem", state.Problem))
	}
}

// tell tells a client that shows more than lenses how the cluster stands.
func (c *clusterSide) tell(p wire.ClusterParams) {
	if c.client.status {
		c.notify(wire.NotificationCluster.Name, &p)
	}
}

// cache returns the memory of results on disk, and of the cluster; nil when there is none or the
// user wants none.
func (c *clusterSide) cache() verify.Cache {
	switch {
	case !c.settings.Cache:
		return nil
	case c.address.URL != "":
		return whileWanted{c.offers.Cache(c.opts.Cache), &c.wantsCache}
	case c.opts.Cache == nil:
		return nil
	}
	return whileWanted{c.opts.Cache, &c.wantsCache}
}

// whileWanted is a cache that checks under way leave alone once the user wants none.
type whileWanted struct {
	verify.Cache
	wanted *atomic.Bool
}

func (c whileWanted) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (e verify.Entry, ok bool) {
	if !c.wanted.Load() {
		return e, false
	}
	return c.Cache.Lookup(fingerprint, problem)
}

func (c whileWanted) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if c.wanted.Load() {
		c.Cache.Store(fingerprint, problem, e)
	}
}
