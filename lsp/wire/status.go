package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

var (
	// NotificationStatus carries what the server knows of the properties of a file.
	NotificationStatus = ToClient[StatusParams]{"aiglens/status"}

	// NotificationCluster says how the connection to the cluster stands that is set.
	NotificationCluster = ToClient[ClusterParams]{"aiglens/cluster"}

	// NotificationCursor says where the user is: the property there is checked before others.
	NotificationCursor = ToServer[CursorParams]{"aiglens/cursor"}
)

// StatusParams are what the server knows of the properties of a file.
type StatusParams struct {
	URI        uri.URI          `json:"uri"`
	Version    *int32           `json:"version"`           // null for a file that is not open
	Whole      bool             `json:"whole"`             // these are all properties, rather than the ones that differ
	Properties []PropertyStatus `json:"properties"`        // none, with whole: the file is closed or has no property
	Without    *NoProperties    `json:"without,omitempty"` // of an open file that has no property
	// Unwritten says of an open file that its header announces properties without a row: how many.
	Unwritten string `json:"unwritten,omitempty"`
}

// NoProperties is why a file has no property.
type NoProperties struct {
	Why     string `json:"why"`               // in few words; empty where the text is too broken to say
	Setting string `json:"setting,omitempty"` // that could give it some, without aiglens in front
}

// Verdict is what was last found of a property.
type Verdict string

// The verdicts.
const (
	VerdictNone    Verdict = "none"
	VerdictProved  Verdict = "proved"
	VerdictRefuted Verdict = "refuted"
	VerdictUnknown Verdict = "unknown"
)

// Standing is what a verdict means for the design: that a cover is reached is good, and that
// it is proved never to be is not.
type Standing string

// The standings. A lemma that is refuted or not proved is useless, and fails nothing.
const (
	StandingOpen    Standing = "open"
	StandingPassed  Standing = "passed"
	StandingFailed  Standing = "failed"
	StandingUseless Standing = "useless"
)

// Freshness is whether a verdict refers to the present text, and whether a check is on
// its way.
type Freshness string

// What a verdict may be. Without one it is stale.
const (
	FreshnessFresh   Freshness = "fresh"
	FreshnessStale   Freshness = "stale"
	FreshnessQueued  Freshness = "queued"
	FreshnessRunning Freshness = "running"
)

// PropertyStatus is what is known of a property, and what is being done about it.
type PropertyStatus struct {
	Property  PropertyID     `json:"property"`
	Name      string         `json:"name"`    // from the text, else like "bad 0"
	Range     protocol.Range `json:"range"`   // its row
	Verdict   Verdict        `json:"verdict"` // of a cover: whether it is proved that it is never 1, or refuted by a run
	Standing  Standing       `json:"standing"`
	Freshness Freshness      `json:"freshness"`
	Text      string         `json:"text"`              // the words of the lens
	Message   string         `json:"message"`           // the verdict in words; empty when there is none
	Seconds   float64        `json:"seconds,omitzero"`  // of the run that found the verdict
	Depth     int            `json:"depth,omitzero"`    // while running of the run, else of the verdict
	Cached    bool           `json:"cached,omitzero"`   // the verdict was found by an earlier run of the program
	Nodes     int            `json:"nodes,omitzero"`    // other machines that run it as well
	Place     string         `json:"place,omitempty"`   // the machine of a cluster that has found the verdict
	Steps     int            `json:"steps,omitzero"`    // of the counterexample, if it is one of the present text
	Loop      int            `json:"loop,omitzero"`     // how many of these, the last ones, repeat for ever
	Circuit   string         `json:"circuit,omitempty"` // that of the present text which the verdict is about: the same for the same logic; missing for an earlier text
}

// ClusterState is how the connection to a cluster stands.
type ClusterState string

// What a connection may be.
const (
	ClusterOff        ClusterState = "off" // none is set
	ClusterConnecting ClusterState = "connecting"
	ClusterConnected  ClusterState = "connected"
	ClusterLost       ClusterState = "lost" // it is tried again
)

// ClusterParams are how the connection to the cluster stands.
type ClusterParams struct {
	State   ClusterState `json:"state"`
	Nodes   int          `json:"nodes,omitzero"`    // that work
	Problem string       `json:"problem,omitempty"` // why it is lost
}

// CursorParams are a place in a file.
type CursorParams struct {
	URI      uri.URI           `json:"uri"`
	Position protocol.Position `json:"position"`
}
