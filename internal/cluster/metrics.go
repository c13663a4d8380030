package cluster

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/nats-io/nats.go"
)

// Metrics returns what answers at /metrics, in the text format of Prometheus (version 0.0.4), and at
// /healthz. The node is nil where there is only a server. It holds numbers, and nothing of what is checked.
func Metrics(c *Conn, node *Node) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write([]byte(c.metrics(r.Context(), node))) // the other side has gone
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if !c.nc.IsConnected() {
			http.Error(w, "not connected to the cluster", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

// metric is one number.
type metric struct {
	name, kind, help string
	value            int64
}

// metrics returns the text of all.
func (c *Conn) metrics(ctx context.Context, node *Node) string {
	all := []metric{{"aiglens_connected", "gauge", "1 where the connection to the server of the cluster is there.", toNumber(c.nc.IsConnected())}}
	if node != nil {
		all = append(all,
			metric{"aiglens_node_slots", "gauge", "Checks that the node does at a time.", int64(node.slots)},
			metric{"aiglens_node_busy", "gauge", "Checks at work on the node.", node.busy.Load()},
			metric{"aiglens_node_draining", "gauge", "1 where the node takes no more checks.", toNumber(node.taking.Err() != nil)},
			metric{"aiglens_node_begun_total", "counter", "Checks that the node has begun.", node.begun.Load()},
			metric{"aiglens_node_ended_total", "counter", "Checks that the node has ended with an answer or at a limit.", node.ended.Load()},
		)
	}
	if c.opts.Server != nil && c.nc.Status() == nats.CONNECTED {
		all = append(all, c.clusterMetrics(ctx)...)
	}
	var text strings.Builder
	for _, m := range all {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n%s %d\n", m.name, m.help, m.name, m.kind, m.name, m.value)
	}
	return text.String()
}

// clusterMetrics returns those of the whole cluster, which its server has; none where it does not answer.
func (c *Conn) clusterMetrics(ctx context.Context) []metric {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	waiting, given, err := c.queued(ctx)
	if err != nil {
		return nil
	}
	nodes, err := c.Nodes(ctx)
	if err != nil {
		return nil
	}
	slots := 0
	for _, n := range nodes {
		slots += n.Slots
	}
	return []metric{
		{"aiglens_cluster_nodes", "gauge", "Nodes that give signs of life.", int64(len(nodes))},
		{"aiglens_cluster_slots", "gauge", "Checks that all nodes do at a time.", int64(slots)},
		{"aiglens_cluster_waiting", "gauge", "Checks in the queue.", int64(waiting)},
		{"aiglens_cluster_given", "gauge", "Checks that nodes have taken and not ended.", int64(given)},
	}
}

func toNumber(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
