package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// job is a check that a node is to do.
type job struct {
	Protocol int           `json:"protocol"` // the lowest that a node must have
	Key      string        `json:"key"`
	Attempt  int           `json:"attempt"` // from 1
	Circuit  string        `json:"circuit"` // hash of the binary AIGER
	Size     int           `json:"size"`    // of the circuit, in bytes
	Question string        `json:"question"`
	Engine   engines.Spec  `json:"engine"`
	Wall     time.Duration `json:"wall,omitempty"` // in nanoseconds, from its beginning on; no limit: 0
	CPU      time.Duration `json:"cpu,omitempty"`
	Memory   int64         `json:"memory,omitempty"`
	Avoid    []string      `json:"avoid,omitempty"` // nodes that are not to take it
	Only     []string      `json:"only,omitempty"`  // nodes that are to take it; any: none
}

// keyOf returns the key of what a job asks.
func keyOf(j job) string {
	j.Protocol, j.Key, j.Attempt, j.Avoid, j.Only = 0, "", 0, nil, nil
	text, _ := json.Marshal(j) // strings and numbers always encode
	return hashOf(text)
}

func (j *job) limits() verify.Limits {
	return verify.Limits{Wall: j.Wall, CPU: j.CPU, Memory: j.Memory}
}

// early returns before which time an unknown comes early: far below the limits, which honest ones
// come close to, and before a node can swallow much of a queue.
func (j *job) early() time.Duration {
	early := time.Minute
	for _, limit := range []time.Duration{j.Wall, j.CPU} {
		if limit > 0 {
			early = min(early, limit/10)
		}
	}
	return early
}

// claim says which attempt at a check is under way.
type claim struct {
	Attempt int    `json:"attempt"`
	Node    string `json:"node,omitempty"` // that has taken and signed it; "" while it waits
	// Deaths are the attempts that began and had no end.
	Deaths int `json:"deaths,omitempty"`
}

// state is what has become of an attempt.
type state string

const (
	stateRunning state = "running"
	stateDone    state = "done"
	// stateLeft: the node does not go on, and another one is to take the check.
	stateLeft state = "left"
	// stateDied: as stateLeft, and the fault may lie with the check.
	stateDied state = "died"
	// stateMissing: the circuit is not where it should be.
	stateMissing state = "missing"
)

// lane is a part of the queue, which nodes take or leave as a whole.
type lane struct {
	isUrgent bool // what a user waits for in an editor
	isLive   bool // questions of liveness, not of safety
}

// lanes are all parts of the queue.
var lanes = [...]lane{{false, false}, {true, false}, {false, true}, {true, true}}

// purposeJobs is the purpose of the subjects with jobs about safety that are not urgent.
const purposeJobs = "jobs"

// purpose returns that of the subjects with the jobs of the lane.
func (l lane) purpose() string {
	switch l {
	case lane{isUrgent: true}:
		return "first"
	case lane{isLive: true}:
		return "live"
	case lane{isUrgent: true, isLive: true}:
		return "firstlive"
	}
	return purposeJobs
}

// laneOf returns the part of the queue for a question.
func laneOf(question string, isUrgent bool) lane {
	return lane{isUrgent, question == circuit.Liveness.String()}
}

// takes reports whether a node that takes only some kinds of questions, all if there are none, takes one.
func takes(only []string, question string) bool {
	return len(only) == 0 || slices.Contains(only, question)
}

// purposeNotices is the purpose of the subjects with what nodes say about checks. The others are
// those of what nodes sign in buckets, by their keys.
const (
	purposeNotices = "told"
	purposeClaims  = "claims"
	purposeAnswers = "answers"
	purposeNodes   = "nodes"
)

// notice is what a node says about an attempt.
type notice struct {
	Attempt  int             `json:"attempt"`
	Node     string          `json:"node"`
	State    state           `json:"state"`
	Elapsed  time.Duration   `json:"elapsed"` // since it began, in nanoseconds
	Progress verify.Progress `json:"progress"`
	Answer   answer          `json:"answer,omitzero"` // with stateDone
	// For people: which circuit it is about, and which engine of a portfolio it is, from 1 to
	// Members; 0 when it is none.
	Circuit string `json:"circuit,omitempty"` // hash
	Member  int    `json:"member,omitempty"`
	Members int    `json:"members,omitempty"`
	// Job is the hash of the job as the node has got it: others can send one for the same attempt that
	// leaves out for which nodes it is not.
	Job string `json:"job,omitempty"`
}

// answer is what a check came to. It is kept when it is proved or refuted.
type answer struct {
	Attempt     int                `json:"attempt"`
	Node        string             `json:"node"` // of a verdict it is only for people
	Outcome     string             `json:"outcome"`
	Depth       int                `json:"depth"`
	Reason      string             `json:"reason,omitempty"`
	Engine      string             `json:"engine"`
	Elapsed     time.Duration      `json:"elapsed"`
	Certificate string             `json:"certificate,omitempty"` // hash
	Size        int                `json:"size,omitempty"`        // of the certificate, in bytes
	Stats       map[string]float64 `json:"stats,omitempty"`
	Internal    string             `json:"internal,omitempty"` // a fault of the program
	IsOwn       bool               `json:"own,omitempty"`      // a limit of the node has ended it, which others may not have
}

// Bounds of what is read of others.
const (
	maxMessage     = 64 << 10
	maxCircuit     = 1 << 29
	maxCertificate = 1 << 26
	maxInternal    = 8 << 10
	maxStats       = 200
)

var errMessage = errors.New("not a message of the protocol")

// read decodes a message of others.
func read(data []byte, into interface{ validate() error }) error {
	if len(data) > maxMessage {
		return fmt.Errorf("%w: %d bytes", errMessage, len(data))
	}
	text, _ := unsigned(data)
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w: %v", errMessage, err)
	}
	return into.validate()
}

// written encodes a message, all of which always encode.
func written(m any) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return text
}

func (j *job) validate() error {
	switch {
	case !isHash(j.Key) || !isHash(j.Circuit):
		return fmt.Errorf("%w: the job %.64q about %.64q", errMessage, j.Key, j.Circuit)
	case j.Size < 0 || j.Size > maxCircuit:
		return fmt.Errorf("%w: a circuit of %d bytes", errMessage, j.Size)
	case j.Protocol < 1 || j.Attempt < 1 || min(int64(j.Wall), int64(j.CPU), j.Memory) < 0:
		return fmt.Errorf("%w: attempt %d with limits %d, %d, %d", errMessage, j.Attempt, j.Wall, j.CPU, j.Memory)
	case j.Protocol <= Protocol && keyOf(*j) != j.Key:
		return fmt.Errorf("%w: a job with the key of another one", errMessage)
	}
	return nil
}

func (c *claim) validate() error {
	if c.Attempt < 1 || c.Deaths < 0 || c.Node != "" && !isNode(c.Node) {
		return fmt.Errorf("%w: the claim of %.120q on attempt %d", errMessage, c.Node, c.Attempt)
	}
	return nil
}

func (t *notice) validate() error {
	p := t.Progress
	if !isNode(t.Node) || t.Attempt < 1 || t.Elapsed < 0 || min(p.Depth, p.Lemmas, p.Obligations, p.Bound) < 0 {
		return fmt.Errorf("%w: of %.120q about attempt %d", errMessage, t.Node, t.Attempt)
	}
	if t.Job != "" && !isHash(t.Job) || t.Circuit != "" && !isHash(t.Circuit) || t.Member < 0 || t.Member > max(0, t.Members) || t.Members > engines.MaxJobs {
		return fmt.Errorf("%w: engine %d of %d on %.64q", errMessage, t.Member, t.Members, t.Circuit)
	}
	switch t.State {
	case stateRunning, stateLeft, stateDied, stateMissing:
		t.Answer.Reason, t.Answer.Internal = verify.OneLine(t.Answer.Reason, verify.MaxReason), verify.OneLine(t.Answer.Internal, maxInternal)
		return nil
	case stateDone:
		return t.Answer.validate()
	}
	return fmt.Errorf("%w: state %.40q", errMessage, t.State)
}

func (a *answer) validate() error {
	isUnknown := a.Outcome == cert.Unknown.String()
	switch {
	case !isName(a.Node) && !isNode(a.Node) || a.Attempt < 1 || a.Depth < 0 || a.Elapsed < 0 || len(a.Stats) > maxStats:
		return fmt.Errorf("%w: an answer of %.120q", errMessage, a.Node)
	case !isUnknown && a.Outcome != cert.Proved.String() && a.Outcome != cert.Refuted.String():
		return fmt.Errorf("%w: outcome %.40q", errMessage, a.Outcome)
	case a.Size < 0 || a.Size > maxCertificate:
		return fmt.Errorf("%w: a certificate of %d bytes", errMessage, a.Size)
	case isUnknown != (a.Certificate == "") || !isUnknown && !isHash(a.Certificate):
		return fmt.Errorf("%w: %s with the certificate %.64q", errMessage, a.Outcome, a.Certificate)
	}
	a.Reason, a.Engine, a.Internal = verify.OneLine(a.Reason, verify.MaxReason), verify.OneLine(a.Engine, 40), verify.OneLine(a.Internal, maxInternal)
	return nil
}
