package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
)

// TestPrintStatus: what people read of a cluster names the engines of a portfolio, and what
// nodes have told each other.
func TestPrintStatus(t *testing.T) {
	var out bytes.Buffer
	printStatus(env{stdout: &out}, cluster.Status{
		Nodes: []cluster.NodeStatus{
			{Name: "first", Slots: 2, Busy: 1, Lemmas: cluster.LemmaCounts{Sent: 5, Received: 7, Refused: 1}},
			{Name: "second", Slots: 2, Busy: 0},
		},
		Jobs: []cluster.JobStatus{
			{Key: "0123456789abcdef", Node: "first", Elapsed: 3 * time.Second, Progress: verify.Progress{Depth: 8}, Circuit: "fedcba9876543210", Member: 2, Members: 4},
			{Key: "123456789abcdef0", Node: "second", Elapsed: 2 * time.Second},
		},
		Given: 5, Waiting: 6,
	}, cluster.Status{}, 0)
	for _, want := range []string{
		"2 nodes, 4 checks at a time; 2 at work, 3 given to a node that does not report on them, 6 waiting;",
		" 1 of 2 busy  ",
		"  lemmas: 5 sent, 7 received, 1 messages refused\n",
		"3 s  depth 8  engine 2 of 4 on circuit fedcba987654\n",
		"2 s  depth 0\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}
