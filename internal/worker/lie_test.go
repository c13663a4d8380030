package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// conversation is a worker of a test up to its answer: it has read a request.
type conversation struct {
	out     io.Writer
	request Request
	problem circuit.Problem
	truth   cert.Verdict
}

// result sends one with the certificate given.
func (c *conversation) result(number uint64, outcome string, depth int, certificate []byte) {
	_ = writeFrame(c.out, kindResult, Result{Number: number, Outcome: outcome, Depth: depth, Engine: "liar"}, certificate)
}

// certificate returns the honest one of a verdict on a circuit.
func certificate(p circuit.Problem, v cert.Verdict) []byte {
	data, err := cert.AppendBinary(nil, p, v)
	if err != nil {
		panic(err)
	}
	return data
}

// liar returns a worker that reads every request and answers as it likes.
func liar(answer func(c *conversation)) func(in io.Reader, out io.Writer) {
	return func(in io.Reader, out io.Writer) {
		if writeFrame(out, kindHello, Hello{program, Protocol, "test"}, nil) != nil {
			return
		}
		if _, err := readHello(in); err != nil {
			return
		}
		for {
			f, err := readFrame(in)
			if err != nil {
				return
			}
			c := &conversation{out: out}
			if f.into(kindRequest, &c.request) != nil {
				continue // a cancellation
			}
			if c.problem, err = readProblem(f.body); err != nil {
				return
			}
			c.truth = claim(c.problem)
			answer(c)
		}
	}
}

// claim returns what the default engine says.
func claim(p circuit.Problem) cert.Verdict {
	return verify.Claim(context.Background(), engines.NewAuto(), verify.Task{Problem: p, Progress: func(verify.Progress) {}}).Verdict
}

func solve(c *circuit.Circuit) (circuit.Problem, cert.Verdict) {
	cone, err := c.Cone(c.Properties()[0])
	if err != nil {
		panic(err)
	}
	if cone.Question == circuit.Liveness {
		return cone.Problem, explicit.Answer(cone.Problem)
	}
	return cone.Problem, claim(cone.Problem)
}

// lies are answers that no verdict may come of.
var lies = map[string]func(c *conversation){
	"proved, all states":      func(c *conversation) { c.result(c.request.Number, "proved", 1, []byte{0}) },
	"proved, no state":        func(c *conversation) { c.result(c.request.Number, "proved", 1, []byte{1, 0}) },
	"proved, no certificate":  func(c *conversation) { c.result(c.request.Number, "proved", 1, nil) },
	"proved, no such latch":   func(c *conversation) { c.result(c.request.Number, "proved", 1, []byte{1, 1, 200, 1}) },
	"proved, huge number":     func(c *conversation) { c.result(c.request.Number, "proved", 1, []byte{255, 255, 255, 255, 127}) },
	"proved, endless varint":  func(c *conversation) { c.result(c.request.Number, "proved", 1, []byte(strings.Repeat("\xff", 20))) },
	"refuted, no step":        func(c *conversation) { c.result(c.request.Number, "refuted", 1, []byte{0}) },
	"refuted, no certificate": func(c *conversation) { c.result(c.request.Number, "refuted", 1, nil) },
	"refuted, many steps":     func(c *conversation) { c.result(c.request.Number, "refuted", 1, binary.AppendUvarint(nil, 1<<60)) },
	"refuted, random values":  func(c *conversation) { c.result(c.request.Number, "refuted", 1, []byte("\x01zzzzzzzzz")) },
	"refuted, all x": func(c *conversation) {
		row := strings.Repeat("x", len(c.problem.Circuit.Inputs()))
		c.result(c.request.Number, "refuted", 1, []byte("\x01"+strings.Repeat("x", len(c.problem.Circuit.Latches()))+row))
	},
	"the other outcome": func(c *conversation) {
		other := map[cert.Outcome]string{cert.Proved: "refuted", cert.Refuted: "proved"}[c.truth.Outcome]
		c.result(c.request.Number, other, 1, certificate(c.problem, c.truth))
	},
	"truncated": func(c *conversation) {
		data := certificate(c.problem, c.truth)
		c.result(c.request.Number, c.truth.Outcome.String(), 1, data[:len(data)-1])
	},
	"trailing bytes": func(c *conversation) {
		c.result(c.request.Number, c.truth.Outcome.String(), 1, append(certificate(c.problem, c.truth), 0))
	},
	"a clause or step less": func(c *conversation) {
		v := c.truth
		if v.Outcome == cert.Proved {
			v.Invariant = v.Invariant[1:]
		} else {
			v.Trace.Inputs = v.Trace.Inputs[1:]
		}
		c.result(c.request.Number, v.Outcome.String(), 1, certificate(c.problem, v))
	},
	"a foreign proof": func(c *conversation) {
		other, v := solve(ring(3))
		c.result(c.request.Number, "proved", v.Depth, certificate(other, v))
	},
	"a foreign trace": func(c *conversation) {
		b := circuit.NewBuilder(0)
		b.Bad(b.Latch(0).Not(), 0)
		b.Input(0)
		other := b.Build()
		v := cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{0}, Inputs: [][]circuit.Value{{1}}}}
		c.result(c.request.Number, "refuted", 0, certificate(circuit.Problem{Circuit: other}, v))
	},
	"another number": func(c *conversation) {
		c.result(c.request.Number+1, c.truth.Outcome.String(), 1, certificate(c.problem, c.truth))
	},
	"no such outcome":   func(c *conversation) { c.result(c.request.Number, "perhaps", 1, nil) },
	"unknown, and body": func(c *conversation) { c.result(c.request.Number, "unknown", 1, []byte{1}) },
	"negative depth": func(c *conversation) {
		c.result(c.request.Number, c.truth.Outcome.String(), -1, certificate(c.problem, c.truth))
	},
	"negative progress": func(c *conversation) {
		_ = writeFrame(c.out, kindProgress, Progress{Number: c.request.Number, Lemmas: -1}, nil)
	},
	"a share":          func(c *conversation) { _ = writeFrame(c.out, kindShare, Share{c.request.Number}, nil) },
	"a second hello":   func(c *conversation) { _ = writeFrame(c.out, kindHello, Hello{program, Protocol, ""}, nil) },
	"a request":        func(c *conversation) { _ = writeFrame(c.out, kindRequest, Request{Number: 1}, nil) },
	"no JSON":          func(c *conversation) { fmt.Fprintf(c.out, "r\x00\x00\x00\x03\x00\x00\x00\x00NaN") },
	"null":             func(c *conversation) { fmt.Fprintf(c.out, "r\x00\x00\x00\x04\x00\x00\x00\x00null") },
	"no frame":         func(c *conversation) { fmt.Fprintf(c.out, "panic: something went wrong in the engine\n") },
	"huge head":        func(c *conversation) { fmt.Fprintf(c.out, "r\x7f\xff\xff\xff\x00\x00\x00\x00") },
	"huge body":        func(c *conversation) { fmt.Fprintf(c.out, "r\x00\x00\x00\x02\xff\xff\xff\xff{}") },
	"half a frame":     func(c *conversation) { fmt.Fprintf(c.out, "r\x00\x00\x00\x08\x00\x00\x00\x00{"); c.hangUp() },
	"silence":          func(c *conversation) { c.hangUp() },
	"dies in progress": func(c *conversation) { c.flood(1000); c.hangUp() },
}

func (c *conversation) hangUp() { _ = c.out.(io.Closer).Close() }

// flood reports progress without restraint.
func (c *conversation) flood(n int) {
	for range n {
		_ = writeFrame(c.out, kindProgress, Progress{Number: c.request.Number, Depth: 1}, nil)
	}
}

// TestLies: whatever a worker says, no wrong verdict comes of it, the fault is
// reported, and the next check goes to another worker.
func TestLies(t *testing.T) {
	for name, lie := range lies {
		for circuitName, c := range map[string]*circuit.Circuit{"refuted": toggle(), "proved": ring(4)} {
			t.Run(circuitName+": "+name, func(t *testing.T) {
				starts := 0
				p := pipes(t, func(in io.Reader, out io.Writer) {
					if starts++; starts > 1 {
						honest(in, out)
						return
					}
					liar(lie)(in, out)
				})
				r := run(p, "", c, verify.Limits{})
				if r.Checked.Outcome() != cert.Unknown || r.Internal == nil && !r.Lost {
					t.Errorf("%s, lost %v, internal error %v", r.Checked, r.Lost, r.Internal)
				}
				want := cert.Refuted
				if circuitName == "proved" {
					want = cert.Proved
				}
				expect(t, run(p, "", c, verify.Limits{}), want)
				if starts != 2 {
					t.Errorf("%d workers started, want 2", starts)
				}
			})
		}
	}
}

// TestSecondResult: what comes after the result is not taken for the next one.
func TestSecondResult(t *testing.T) {
	p := pipes(t, liar(func(c *conversation) {
		data := certificate(c.problem, c.truth)
		for range 2 {
			c.result(c.request.Number, c.truth.Outcome.String(), c.truth.Depth, data)
		}
	}))
	expect(t, run(p, "", toggle(), verify.Limits{}), cert.Refuted)
	r := run(p, "", ring(4), verify.Limits{})
	if r.Checked.Outcome() != cert.Unknown || !r.Lost || r.Internal == nil {
		t.Errorf("%s, lost %v, internal error %v", r.Checked, r.Lost, r.Internal)
	}
}

// TestStrangers: what says another hello is not a worker.
func TestStrangers(t *testing.T) {
	for name, hello := range map[string]any{
		"protocol": Hello{program, Protocol + 1, "later"},
		"program":  Hello{"cat", Protocol, ""},
	} {
		p := pipes(t, func(in io.Reader, out io.Writer) {
			_ = writeFrame(out, kindHello, hello, nil)
			_, _ = io.Copy(io.Discard, in)
		})
		if r := run(p, "", toggle(), verify.Limits{}); r.Checked.Outcome() != cert.Unknown || !r.Lost {
			t.Errorf("%s: %s, lost %v", name, r.Checked, r.Lost)
		}
	}
	p := NewPool(Command("/nonexistent/aiglens", "worker"))
	defer p.Close()
	if r := run(p, "", toggle(), verify.Limits{}); !r.Lost || !strings.Contains(r.Checked.Reason(), "cannot start a worker") {
		t.Errorf("no program: %s, lost %v", r.Checked, r.Lost)
	}
}

// damaged passes on all that is written but for one byte, which is counted from
// the second message on, the hello being the first.
type damaged struct {
	io.Writer
	at       int
	value    byte
	messages int
}

func (d *damaged) Write(b []byte) (int, error) {
	if d.messages++; d.messages > 1 {
		if kind(b[0]) == kindResult {
			// A length that has grown asks for bytes that never come.
			defer d.Writer.(io.Closer).Close()
		}
		b = append([]byte(nil), b...)
		if d.at < len(b) && d.at >= 0 {
			b[d.at] ^= d.value
		}
		d.at -= len(b)
	}
	return d.Writer.Write(b)
}

// TestDamagedBytes: with any byte of the answer changed the verdict is the right
// one or unknown.
func TestDamagedBytes(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 6, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true}
	right, unknown := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(11, seed))
		c := explicit.RandomCircuit(r, shape)
		want := cert.Refuted
		if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
			want = cert.Proved
		}
		for range 5 {
			at, value := r.IntN(700), byte(1+r.IntN(255))
			p := pipes(t, func(in io.Reader, out io.Writer) { honest(in, &damaged{Writer: out, at: at, value: value}) })
			switch got := run(p, "", c, verify.Limits{}); got.Checked.Outcome() {
			case want:
				right++
			case cert.Unknown:
				unknown++
			default:
				t.Fatalf("seed %d, byte %d ^ %#x: %s, want %s", seed, at, value, got.Checked, want)
			}
			p.Close()
		}
	}
	if right < 100 || unknown < 100 {
		t.Errorf("%d right, %d unknown: the damages are one-sided", right, unknown)
	}
}
