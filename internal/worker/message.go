// Package worker runs checks in processes of their own: the messages between a
// server and a worker, the worker's side, and a pool of workers that the server
// sees as engines.
//
// The worker is given the cone of one property as a circuit and answers with a
// claim and its certificate. It is trusted in nothing: verify.Run tests the
// certificate in the server's process against the circuit that the server holds,
// and the worker does not test it before, because that would decide nothing. Whatever
// else a worker may send, the worst that comes of it is "unknown".
//
// A worker ends with its input, so that none outlives its server, however that one
// dies. The package knows the messages and the processes; it knows no engine by
// name, and nothing of texts and editors.
//
// # Messages
//
// A message is a frame, its numbers big-endian:
//
//	kind    1 byte
//	head    4 bytes: length of the head
//	body    4 bytes: length of the body
//	…       the head, a JSON object, and the body
//
// Both sides first send a hello, and read nothing else before they have seen the
// other's. Then:
//
//	server → worker   request   head Request, body: the cone as binary AIGER, then the
//	                            clauses of an earlier invariant as a certificate; or a
//	                            system of Horn clauses
//	                  cancel    head Cancel
//	                  allow     head Allow: how many processors the check may use from now on
//	                  share     head Share, body: lemmas of other workers
//	worker → server   progress  head Progress, at most ten a second
//	                  share     head Share, body: lemmas for other workers
//	                  result    head Result, body: the certificate; of a check without an
//	                            answer the clauses that it leaves, as a certificate
//
// A server sends the next request when it has the result of the one before. A
// result follows every request, a cancelled one too. The server answers every share with
// one, and the worker sends the next when it has the answer; it sends none when the request
// does not say so. A cancel, an allow or a share that crosses a result means nothing.
// Members of a head that the reader does not know are skipped.
package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Protocol is the version of the messages. Both sides must have the same.
const Protocol = 7

const program = "aiglens"

// kind says what a frame holds.
type kind byte

const (
	kindHello    kind = 'h'
	kindRequest  kind = 'q'
	kindCancel   kind = 'c'
	kindAllow    kind = 'a'
	kindShare    kind = 's'
	kindProgress kind = 'p'
	kindResult   kind = 'r'
)

// Bounds of heads and bodies in bytes. A certificate takes up to 14 times as much
// when it has been read.
const (
	maxHead        = 1 << 16
	maxCircuit     = 1 << 29
	maxCertificate = 1 << 26
)

// maxBody bounds the body of each kind; a kind that is missing does not exist.
var maxBody = map[kind]uint32{
	kindHello: 0, kindRequest: maxCircuit + maxCertificate, kindCancel: 0, kindAllow: 0, kindShare: maxShare, kindProgress: 0, kindResult: maxCertificate,
}

// Hello opens the conversation.
type Hello struct {
	Program  string `json:"program"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"` // of the program, for the log
}

// Request asks for a check of the only property of the circuit in the body, or of the system of Horn clauses there.
type Request struct {
	Number uint64       `json:"number"` // not 0, and another for each request
	Engine engines.Spec `json:"engine"`
	// System says that the body has clauses, as horn.System writes them. Variant is how these are answered, and Engine means
	// nothing then. A system that is satisfiable is proved, any other refuted.
	System  bool   `json:"system,omitempty"`
	Variant string `json:"variant,omitempty"`

	Wall   time.Duration `json:"wall,omitempty"` // in nanoseconds; no limit: 0
	CPU    time.Duration `json:"cpu,omitempty"`
	Memory int64         `json:"memory,omitempty"` // of the process, in bytes
	// Clauses is the length of the earlier clauses at the end of the body, and
	// Effort that of the run that found them; see verify.Seeds.
	Clauses int   `json:"clauses,omitempty"`
	Effort  int64 `json:"effort,omitempty"`
	// Share says that other workers judge the same circuit and take lemmas.
	Share bool `json:"share,omitempty"`
	// Unfinished asks for what a check without an answer leaves; see verify.Report.
	Unfinished bool `json:"unfinished,omitempty"`
}

// Cancel asks for the end of a check.
type Cancel struct {
	Number uint64 `json:"number"`
}

// Allow says how many processors a check may use; see verify.Processors.
type Allow struct {
	Number     uint64 `json:"number"`
	Processors int    `json:"processors"`
}

// Share carries lemmas, or says that there are none.
type Share struct {
	Number uint64 `json:"number"`
}

// Progress says how far a check has come.
type Progress struct {
	Number      uint64 `json:"number"`
	Depth       int    `json:"depth"`
	Lemmas      int    `json:"lemmas"`
	Obligations int    `json:"obligations"`
	Bound       int    `json:"bound,omitempty"`
}

// Result answers a request.
type Result struct {
	Number  uint64             `json:"number"`
	Outcome string             `json:"outcome"` // proved, refuted or unknown
	Depth   int                `json:"depth"`
	Reason  string             `json:"reason,omitempty"` // of unknown
	Engine  string             `json:"engine,omitempty"` // that had the answer
	Stats   map[string]float64 `json:"stats,omitempty"`
	// Internal is set for a fault of this program; with an answer, of a part of the engine
	// that had no say in it.
	Internal string `json:"internal,omitempty"`
	// Last says that the worker ends after this result.
	Last bool `json:"last,omitempty"`
	// Unfinished says that the body holds clauses that a check without an answer leaves.
	Unfinished bool `json:"unfinished,omitempty"`
}

// errMessage is what is wrong with a message of the other side.
var errMessage = errors.New("not a message of the protocol")

// writeFrame writes a message in one piece.
func writeFrame(w io.Writer, k kind, head any, body []byte) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if len(text) > maxHead || len(body) > int(maxBody[k]) {
		return fmt.Errorf("a message of kind %c with %d and %d bytes is too large to be sent", k, len(text), len(body))
	}
	frame := make([]byte, 0, 9+len(text)+len(body))
	frame = append(frame, byte(k))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(text)))
	frame = binary.BigEndian.AppendUint32(frame, uint32(len(body)))
	_, err = w.Write(append(append(frame, text...), body...))
	return err
}

// frame is a message as it was read. Its kind and sizes are within bounds.
type frame struct {
	kind kind
	head []byte
	body []byte
}

// readFrame reads one message. The error is io.EOF when the input ends between
// two. Memory is taken as the bytes come, not as they are announced.
func readFrame(r io.Reader) (frame, error) {
	var start [9]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return frame{}, err
	}
	f := frame{kind: kind(start[0])}
	head, body := binary.BigEndian.Uint32(start[1:]), binary.BigEndian.Uint32(start[5:])
	limit, exists := maxBody[f.kind]
	if !exists || head > maxHead || body > limit {
		return frame{}, fmt.Errorf("%w: kind %#x with %d and %d bytes", errMessage, start[0], head, body)
	}
	var err error
	if f.head, err = readBytes(r, int64(head)); err != nil {
		return frame{}, err
	}
	if f.body, err = readBytes(r, int64(body)); err != nil {
		return frame{}, err
	}
	return f, nil
}

func readBytes(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, n); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b.Bytes(), nil
}

// into decodes the head of a frame that must be of a kind.
func (f frame) into(k kind, head any) error {
	if f.kind != k {
		return fmt.Errorf("%w: expected kind %c, found %c", errMessage, k, f.kind)
	}
	if err := json.Unmarshal(f.head, head); err != nil {
		return fmt.Errorf("%w: %v", errMessage, err)
	}
	return nil
}

// readHello reads the first message and says why there can be no second.
func readHello(r io.Reader) (Hello, error) {
	f, err := readFrame(r)
	if err != nil {
		return Hello{}, err
	}
	var h Hello
	if err := f.into(kindHello, &h); err != nil {
		return Hello{}, err
	}
	if h.Program != program || h.Protocol != Protocol {
		return Hello{}, fmt.Errorf("the other side is %.40q with protocol %d, expected %q with protocol %d: start it from the same build",
			h.Program, h.Protocol, program, Protocol)
	}
	return h, nil
}

// validate says what is wrong with a request and the size of its body.
func (q *Request) validate(body []byte) error {
	if q.Number == 0 || q.Wall < 0 || q.CPU < 0 || q.Memory < 0 || q.Effort < 0 {
		return fmt.Errorf("%w: request %d with limits %d, %d, %d and %d", errMessage, q.Number, q.Wall, q.CPU, q.Memory, q.Effort)
	}
	if q.Clauses < 0 || q.Clauses > min(len(body), maxCertificate) {
		return fmt.Errorf("%w: request %d with %d bytes of clauses in %d", errMessage, q.Number, q.Clauses, len(body))
	}
	return nil
}

// limits returns what package verify watches in the worker. Memory is not among
// it: it watches the heap, the worker its resident size.
func (q *Request) limits() verify.Limits { return verify.Limits{Wall: q.Wall, CPU: q.CPU} }

// finite leaves out what JSON cannot say.
func finite(stats map[string]float64) map[string]float64 {
	kept := make(map[string]float64, len(stats))
	for name, v := range stats {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			kept[name] = v
		}
	}
	return kept
}
