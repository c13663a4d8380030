package asking

import (
	"time"

	"aiglens/ic3/verify"
)

// Event is something that has happened to a Question.
type Event interface{ isEvent() }

// The events that come unasked.
type (
	// Begin starts the question. It is the first event.
	Begin struct{}
	// Notice: a node has said something about the check.
	Notice struct {
		Attempt int
		Node    string
		IsOut   bool // the asker has stopped asking the node, for its wrong answers
		// IsForOthers: the node says that it has taken the attempt as this question has sent it, which
		// said that the attempt is not for the node. Others may send an attempt again without saying so.
		IsForOthers bool
		Fate        Fate
		Progress    verify.Progress // with Running
		Answer      Answer          // with Done
		Reason      string          // with Died; "" if the node gives none
	}
	// Woken: the time of the last Wake is over.
	Woken struct {
		IsConnected bool
		// Connected is for how long there has been a connection, since one was lost.
		Connected time.Duration
	}
	// Stopped: a user of the cluster has ended the check for all of its askers. It takes the place
	// of the result of a call, as Cancelled does.
	Stopped struct{ By string }
	// Cancelled: the asker does not want the check any more. It takes the place of the result
	// of a call.
	Cancelled struct{}
)

// Fate is what has become of an attempt.
type Fate uint8

// The fates of an attempt.
const (
	Running Fate = iota
	Done
	Left    // the node does not go on
	Died    // likewise, and the check may be the cause
	Missing // the circuit is not in the cluster
)

// Answer is what a node says that a check came to, as far as a Question looks at it.
type Answer interface {
	// From returns the node.
	From() string
	// IsKnown reports whether the answer is a verdict, which has a certificate.
	IsKnown() bool
	// Took returns the time of the run.
	Took() time.Duration
}

// Claim says which attempt at a check is under way, as the cluster keeps it.
type Claim struct {
	Attempt int    // 0: what the cluster keeps cannot be read
	Node    string // that has taken the attempt; "" while it waits
	Deaths  int    // attempts that began and had no end
}

// Node is a node that gives signs of life.
type Node struct {
	Name  string
	IsOut bool // see Notice
	IsOld bool // its version cannot do the check
	// IsFree: it has a free slot.
	IsFree bool
	Begun  int64 // checks that it has begun since its start
}

// Call is a request to the server, or a computation, whose result is the next event.
type Call interface{ isCall() }

// The calls, each followed by its result. A result with IsFailed means that the server could
// not be asked.
type (
	// Listen: what nodes say about the check is to become a Notice from now on, and nodes are to
	// learn that the check is wanted.
	Listen    struct{}
	Listening struct{ Err error }

	// Recall: the answer that the cluster keeps is looked up, if its revision is greater than
	// After and its node is not out. An answer without its certificate is none.
	Recall   struct{ After uint64 }
	Recalled struct {
		Revision uint64 // of what is kept, whether it counts or not; 0 for nothing
		Answer   Answer // nil for none
	}

	// Send: a claim on the next attempt is made in place of the one with a revision, 0 for
	// none, and then the attempt is put into the queue.
	Send struct {
		Replaces uint64
		Attempt  int
		Deaths   int
		Avoid    []string // nodes that are not to take the attempt, beside those that are out
		Reliable bool     // only nodes that have proven reliable may take it, if there are any
		// IsLost: the queue lists the attempt before, as FindJob has found it last, and gives it to no node.
		// It is taken out.
		IsLost bool
	}
	Sent struct {
		How  Delivery
		Only []string // nodes that may take the attempt, nil for all; known from Claimed on
	}

	// ReadClaim: the claim on the check is read.
	ReadClaim struct{}
	ClaimRead struct {
		IsFailed   bool
		Revision   uint64 // 0: there is no claim
		Claim      Claim
		HasNotices bool // messages of nodes have come in the meantime
	}

	// FindJob: the attempt of a claim is sought in the queue, where it stays until its end.
	FindJob  struct{ Claimed ClaimRead }
	JobFound struct {
		Claimed  ClaimRead
		IsQueued bool
		IsFailed bool
	}

	// ListNodes: all nodes that give signs of life are listed, for an attempt that waits with a claim if
	// there is one.
	ListNodes   struct{ Claimed ClaimRead }
	NodesListed struct {
		Claimed  ClaimRead
		Nodes    []Node
		IsFailed bool
	}

	// Restore: the server may have lost its data. What is missing there is made again, and no
	// circuit counts as sent.
	Restore  struct{}
	Restored struct{ IsFailed bool }

	// Fetch: the certificate of an answer is fetched. The attempt is that of the message.
	Fetch struct {
		Attempt int
		Answer  Answer
	}
	Fetched struct {
		Attempt  int
		Answer   Answer
		IsFailed bool
	}

	// CheckAnswer: the certificate of an answer is checked. An answer that is not known counts
	// without.
	CheckAnswer   struct{ Answer Answer }
	AnswerChecked struct {
		Answer Answer
		Wrong  error // why the certificate is rejected; nil when it is not
	}
)

// Delivery says how far a Send has come.
type Delivery uint8

// The steps of a Send.
const (
	Unclaimed Delivery = iota // the server could not be asked
	Overtaken                 // another asker has made the attempt
	Claimed                   // it may be in the queue, or not
	InQueue
)

// Effect is something that is to be done, which has no result.
type Effect interface{ isEffect() }

// The effects of a Question.
type (
	// Unlisten ends what Listen began, if it has succeeded.
	Unlisten struct{}
	// Withdraw: the check is taken out of the queue, unless another asker wants it.
	Withdraw struct{}
	// Wake: Woken is due after a time, in place of an earlier one.
	Wake struct{ After time.Duration }
	// Queued: an attempt is in the queue, or it failed to get there.
	Queued struct{}
	// Begun: a node has begun with an attempt.
	Begun struct{}
	// Report: the check has come so far. Node is at work on it; "" while it waits.
	Report struct {
		Node     string
		Progress verify.Progress
	}
	// Unsend: the circuit of the check does not count as sent.
	Unsend struct{}
	// Warn tells the user.
	Warn struct{ Text string }
	// WarnAlone tells the user, once for all questions, that there is no node.
	WarnAlone struct{}
	// Reject: an answer is wrong. The cluster is not to keep it, and it counts against its node.
	Reject struct {
		Answer Answer
		Why    error
	}
	// Distrust: an early unknown counts against its node, for the node By has an answer. With By
	// "" it counts because the node has taken again what was for others.
	Distrust struct {
		Early Answer
		By    string
	}
	// GiveUp ends the question without an answer, for a reason that does not lie in the check.
	GiveUp struct {
		Reason string
		Err    error // a fault of the connection; nil for none
	}
)

func (Begin) isEvent()         {}
func (Notice) isEvent()        {}
func (Woken) isEvent()         {}
func (Stopped) isEvent()       {}
func (Cancelled) isEvent()     {}
func (Listening) isEvent()     {}
func (Recalled) isEvent()      {}
func (Sent) isEvent()          {}
func (ClaimRead) isEvent()     {}
func (JobFound) isEvent()      {}
func (NodesListed) isEvent()   {}
func (Restored) isEvent()      {}
func (Fetched) isEvent()       {}
func (AnswerChecked) isEvent() {}

func (Listen) isCall()      {}
func (Recall) isCall()      {}
func (Send) isCall()        {}
func (ReadClaim) isCall()   {}
func (FindJob) isCall()     {}
func (ListNodes) isCall()   {}
func (Restore) isCall()     {}
func (Fetch) isCall()       {}
func (CheckAnswer) isCall() {}

func (Unlisten) isEffect()  {}
func (Withdraw) isEffect()  {}
func (Wake) isEffect()      {}
func (Queued) isEffect()    {}
func (Begun) isEffect()     {}
func (Report) isEffect()    {}
func (Unsend) isEffect()    {}
func (Warn) isEffect()      {}
func (WarnAlone) isEffect() {}
func (Reject) isEffect()    {}
func (GiveUp) isEffect()    {}
func (Distrust) isEffect()  {}
