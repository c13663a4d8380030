package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// An entry is a file:
//
//	magic with the version of the form
//	size of the head, 4 bytes, lowest first
//	head, JSON
//	cone of the property, binary AIGER
//	certificate, as in package cert
//	SHA-256 of all in front
//
// A circuit that went through AIGER may have its operands in another order and so
// another fingerprint: the cone in a file is for programs that test the file by itself.

const magic = "aiglens result 1\n"

// Bounds of what is read.
const (
	maxHead   = 4 << 10
	maxEngine = 64
	maxFile   = 64 << 20
)

// errDamage is what is wrong with a file that is not an entry.
var errDamage = errors.New("damaged")

func damage(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errDamage}, args...)...)
}

// head says what an entry claims and how that came about.
type head struct {
	Fingerprint string        `json:"fingerprint"` // in full, as in the name of the file
	Outcome     string        `json:"outcome"`     // proved or refuted
	Depth       int           `json:"depth"`
	Engine      string        `json:"engine"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	Version     string        `json:"version"` // of the program
	Found       time.Time     `json:"found"`
	Circuit     int           `json:"circuit"`     // bytes
	Certificate int           `json:"certificate"` // bytes
}

// entry is a file in parts.
type entry struct {
	head
	circuit, certificate []byte
}

func nameOf(fingerprint circuit.Fingerprint) string { return hex.EncodeToString(fingerprint[:]) }

// newEntry describes a claim on problem. It fails when the claim does not fit it.
func newEntry(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) (x entry, err error) {
	v := e.Verdict
	if v.Outcome != cert.Proved && v.Outcome != cert.Refuted {
		return x, fmt.Errorf("nothing is shown: %s", v.Outcome)
	}
	x.head = head{
		Fingerprint: nameOf(fingerprint), Outcome: v.Outcome.String(), Depth: v.Depth,
		Engine: e.Engine, Elapsed: e.Elapsed, Found: time.Now().UTC().Truncate(time.Second),
	}
	if x.certificate, err = cert.AppendBinary(nil, problem, v); err != nil {
		return x, err
	}
	x.circuit, err = aiger.FromCircuit(problem.Circuit).AppendBinary(nil)
	x.Circuit, x.Certificate = len(x.circuit), len(x.certificate)
	return x, err
}

// encode returns the bytes of the file. It fails where decode would.
func (x entry) encode() ([]byte, error) {
	text, err := json.Marshal(x.head)
	if err != nil {
		return nil, err
	}
	data := append([]byte(magic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(data[len(magic):], uint32(len(text)))
	data = append(append(append(data, text...), x.circuit...), x.certificate...)
	sum := sha256.Sum256(data)
	data = append(data, sum[:]...)
	_, err = decode(data, x.Fingerprint)
	return data, err
}

// decode reads the file called name. No size in it is believed before it is there.
func decode(data []byte, name string) (x entry, err error) {
	body := len(data) - sha256.Size
	if body < 0 {
		return x, damage("%d bytes are not an entry", len(data))
	}
	if sum := sha256.Sum256(data[:body]); !bytes.Equal(sum[:], data[body:]) {
		return x, damage("the checksum is wrong")
	}
	rest, err := x.head.read(data[:body], name)
	if err != nil {
		return x, err
	}
	if x.Circuit < 0 || x.Certificate < 0 || x.Circuit > len(rest) || x.Certificate != len(rest)-x.Circuit {
		return x, damage("it has %d bytes after its head, which announces %d and %d", len(rest), x.Circuit, x.Certificate)
	}
	x.circuit, x.certificate = rest[:x.Circuit], rest[x.Circuit:]
	return x, nil
}

// read reads the head of the file called name, or of its first bytes, and returns
// what follows.
func (h *head) read(data []byte, name string) (rest []byte, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < 4 {
		return nil, damage("it does not begin with %q", magic)
	}
	size := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	if size > maxHead || int(size) > len(rest) {
		return nil, damage("a head of %d bytes", size)
	}
	if err := json.Unmarshal(rest[:size], h); err != nil {
		return nil, damage("the head cannot be read: %v", err)
	}
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case h.Fingerprint != name:
		return nil, damage("it is the entry %.64q", h.Fingerprint)
	case h.Outcome != cert.Proved.String() && h.Outcome != cert.Refuted.String():
		return nil, damage("the outcome %.40q", h.Outcome)
	case h.Depth < 0 || h.Elapsed < 0:
		return nil, damage("depth %d, found in %d ns", h.Depth, h.Elapsed)
	case len(h.Engine) > maxEngine || strings.ContainsFunc(h.Engine, unprintable):
		return nil, damage("the engine %.64q", h.Engine)
	}
	return rest[size:], nil
}

// verdict returns the claim on a problem of this form.
func (x entry) verdict(problem circuit.Problem) (cert.Verdict, error) {
	v := cert.Verdict{Outcome: cert.Refuted, Depth: x.Depth}
	if x.Outcome == cert.Proved.String() {
		v.Outcome = cert.Proved
	}
	if err := cert.ReadBinary(x.certificate, problem, &v); err != nil {
		return v, damage("%v", err)
	}
	return v, nil
}

// problem returns the cone, with its question.
func (x entry) problem() (circuit.Problem, error) {
	p, err := aiger.ReadProblem(x.circuit)
	if err != nil {
		return p, damage("%v", err)
	}
	return p, nil
}

// readFile returns the first limit bytes of a regular file.
func readFile(path string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() { // to open a pipe would wait for its other end
		return nil, info, damage("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, info, err
	}
	defer f.Close()
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	_, err = data.ReadFrom(io.LimitReader(f, limit))
	return data.Bytes(), info, err
}

// readEntry reads the file called name at path.
func readEntry(path, name string) (x entry, info fs.FileInfo, err error) {
	data, info, err := readFile(path, maxFile+1)
	if err == nil && len(data) > maxFile {
		err = damage("it is larger than %d MB", maxFile>>20)
	}
	if err != nil {
		return x, info, err
	}
	x, err = decode(data, name)
	return x, info, err
}
