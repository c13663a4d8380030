package worker

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// conversationOf returns the bytes of both sides of an honest check.
func conversationOf(c *circuit.Circuit) (server, worker []byte) {
	problem, v := solve(c)
	body, err := aiger.FromCircuit(problem.Circuit).AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	var s, w bytes.Buffer
	for _, err := range []error{
		writeFrame(&s, kindHello, Hello{program, Protocol, "test"}, nil),
		writeFrame(&s, kindRequest, Request{Number: 1, Memory: 1 << 40}, body),
		writeFrame(&s, kindCancel, Cancel{1}, nil),
		writeFrame(&w, kindHello, Hello{program, Protocol, "test"}, nil),
		writeFrame(&w, kindProgress, Progress{Number: 1, Depth: 2}, nil),
		writeFrame(&w, kindResult, Result{Number: 1, Outcome: v.Outcome.String(), Depth: v.Depth}, certificate(problem, v)),
	} {
		if err != nil {
			panic(err)
		}
	}
	return s.Bytes(), w.Bytes()
}

// requestOf returns what a server sends that asks about a circuit.
func requestOf(circuit []byte) []byte {
	var b bytes.Buffer
	_ = writeFrame(&b, kindHello, Hello{program, Protocol, "test"}, nil)
	_ = writeFrame(&b, kindRequest, Request{Number: 1}, circuit)
	return b.Bytes()
}

// requestWithClauses returns what a server sends that has an earlier result.
func requestWithClauses(c *circuit.Circuit, clauses []byte) []byte {
	body, err := aiger.FromCircuit(c).AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	_ = writeFrame(&b, kindHello, Hello{program, Protocol, "test"}, nil)
	_ = writeFrame(&b, kindRequest, Request{Number: 1, Clauses: len(clauses), Effort: 1 << 40}, append(body, clauses...))
	return b.Bytes()
}

// FuzzFrame: a frame that can be read is within bounds and made of the bytes that
// were read.
func FuzzFrame(f *testing.F) {
	server, worker := conversationOf(toggle())
	f.Add(server)
	f.Add(worker)
	f.Add([]byte("r\x7f\xff\xff\xff\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for in := bytes.NewReader(data); ; {
			start := len(data) - in.Len()
			frame, err := readFrame(in)
			if err != nil {
				return
			}
			if limit, exists := maxBody[frame.kind]; !exists || len(frame.head) > maxHead || len(frame.body) > int(limit) {
				t.Fatalf("kind %c with %d and %d bytes", frame.kind, len(frame.head), len(frame.body))
			}
			again := []byte{byte(frame.kind)}
			again = binary.BigEndian.AppendUint32(again, uint32(len(frame.head)))
			again = binary.BigEndian.AppendUint32(again, uint32(len(frame.body)))
			again = append(append(again, frame.head...), frame.body...)
			if !bytes.Equal(again, data[start:len(data)-in.Len()]) {
				t.Fatalf("%q was read as %q", data[start:], again)
			}
		}
	})
}

// question is a circuit with one property, and whether that holds.
type question struct {
	c      *circuit.Circuit
	proved bool
}

func questions() []question {
	return []question{{toggle(), false}, {ring(4), true}, {rises(false), false}, {rises(true), true}}
}

// FuzzCertificate: one that can be read is written and read again as the same,
// and passes the check only for the outcome that the circuit has.
func FuzzCertificate(f *testing.F) {
	truths := map[bool]cert.Outcome{false: cert.Refuted, true: cert.Proved}
	for i, q := range questions() {
		problem, v := solve(q.c)
		f.Add(uint8(i), q.proved, certificate(problem, v))
		f.Add(uint8(i), !q.proved, certificate(problem, v))
	}
	f.Fuzz(func(t *testing.T, which uint8, claimsProof bool, data []byte) {
		q := questions()[int(which)%len(questions())]
		cone, err := q.c.Cone(q.c.Properties()[0])
		if err != nil {
			t.Fatal(err)
		}
		p := cone.Problem
		v := cert.Verdict{Outcome: truths[claimsProof]}
		if err := cert.ReadBinary(data, p, &v); err != nil {
			return
		}
		again := cert.Verdict{Outcome: v.Outcome}
		if err := cert.ReadBinary(certificate(p, v), p, &again); err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%+v was read again as %+v, %v", v, again, err)
		}
		if checked, err := cert.Check(context.Background(), p.Circuit, p.Property(), v); err == nil && checked.Outcome() != truths[q.proved] {
			t.Fatalf("%s passes as a certificate of a wrong verdict", checked)
		}
	})
}

// FuzzServe: a worker comes to an end with any input, and says nothing but
// messages.
func FuzzServe(f *testing.F) {
	for _, q := range questions() {
		server, worker := conversationOf(q.c)
		f.Add(server)
		f.Add(worker)
	}
	f.Add(requestWithClauses(ring(4), []byte{2, 1, 3, 2, 1, 4}))
	f.Add(requestWithClauses(ring(4), []byte{1, 0}))
	f.Add(requestOf([]byte("aig 2000000000 2000000000 0 0 0 1\n2\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, toWorker := io.Pipe()
		fromWorker, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			_, _ = toWorker.Write(data)
			_ = toWorker.Close()
		}()
		go func() {
			ended <- Serve(context.Background(), in, out, Options{NewEngine: func(engines.Spec) (verify.Engine, error) { return engines.NewAuto(), nil }})
			_ = in.Close()
			_ = out.Close()
		}()
		for {
			if _, err := readFrame(fromWorker); err != nil {
				// The end of the input may cut the last message off.
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("the worker sent no message: %v", err)
				}
				<-ended
				return
			}
		}
	})
}

// FuzzWorker: whatever a worker sends, the verdict is the right one or unknown.
func FuzzWorker(f *testing.F) {
	truths := map[bool]cert.Outcome{false: cert.Refuted, true: cert.Proved}
	for i, q := range questions() {
		_, worker := conversationOf(q.c)
		f.Add(uint8(i), worker)
		f.Add(uint8(i+1), worker)
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		q := questions()[int(which)%len(questions())]
		want := truths[q.proved]
		p := pipes(t, func(in io.Reader, out io.Writer) {
			go func() { _, _ = io.Copy(io.Discard, in) }()
			_, _ = out.Write(data)
		})
		defer p.Close()
		job := verify.Job{Circuit: q.c, Property: q.c.Properties()[0], Engine: p.Engine(engines.Spec{Engine: "search"})}
		r := verify.Run(context.Background(), job, nil)
		if o := r.Checked.Outcome(); o != cert.Unknown && (o != want || !r.Checked.Certified()) {
			t.Fatalf("%s, want %s", r.Checked, want)
		}
	})
}
