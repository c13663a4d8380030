package circuit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Question is what is asked of a circuit.
type Question uint8

// The questions.
const (
	Safety   Question = iota // can the bad literal become 1?
	Liveness                 // can all literals of a justice property hold infinitely often?
)

func (q Question) String() string { return [...]string{"safety", "liveness"}[q] }

// Question returns what is asked about a property of a kind.
func (k PropertyKind) Question() Question {
	if k == PropertyJustice {
		return Liveness
	}
	return Safety
}

// Problem is one question about one circuit: what an engine is given, and what a
// verdict is about.
type Problem struct {
	// Circuit has one property: bad 0 when Question is Safety; justice 0, to be
	// taken with all fairness conditions, when it is Liveness.
	Circuit  *Circuit
	Question Question
}

// Property returns the only property of the problem.
func (p Problem) Property() Property {
	if p.Question == Liveness {
		return Property{Kind: PropertyJustice}
	}
	return Property{Kind: PropertyBad}
}

// ProblemOf returns the question about the only property of a circuit; ok is false when
// it has none or several, or fairness conditions for a question of safety.
func ProblemOf(c *Circuit) (p Problem, ok bool) {
	p = Problem{Circuit: c, Question: Safety}
	if len(c.justice) > 0 {
		p.Question = Liveness
		return p, len(c.bads) == 0 && len(c.justice) == 1
	}
	return p, len(c.bads) == 1 && len(c.fairness) == 0
}

// Fingerprint identifies a problem: structure, resets, constraints, the property
// and what is asked about it; no names, no Origin. Equal fingerprints mean equal
// problems, so a verdict on one is a verdict on the other.
type Fingerprint [sha256.Size]byte

func (f Fingerprint) String() string { return hex.EncodeToString(f[:8]) }

// fingerprint hashes all that decides the verdict on a problem.
func (p Problem) fingerprint() Fingerprint {
	h := sha256.New()
	var buf []byte
	put := func(words ...uint32) {
		for _, w := range words {
			buf = binary.LittleEndian.AppendUint32(buf, w)
		}
		if len(buf) > 1<<12 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	signals := func(list []Signal) {
		for _, s := range list {
			put(uint32(s.Lit))
		}
	}
	c := p.Circuit
	if p.Question == Liveness {
		// A question of safety begins with the number of variables, which is less.
		put(^uint32(0), uint32(len(c.justice[0].Lits)), uint32(len(c.fairness)))
	}
	put(uint32(c.NumVars()), uint32(len(c.bads)), uint32(len(c.constraints)))
	for v, k := range c.kinds {
		put(uint32(k), uint32(c.fanin[v].left), uint32(c.fanin[v].right))
	}
	for _, l := range c.latches {
		put(uint32(l.Next), uint32(l.Reset))
	}
	signals(c.bads)
	signals(c.constraints)
	if p.Question == Liveness {
		for _, l := range c.justice[0].Lits {
			put(uint32(l))
		}
		signals(c.fairness)
	}
	h.Write(buf)
	var f Fingerprint
	h.Sum(f[:0])
	return f
}

// Structure identifies the circuit itself, with inputs, latches, resets, gates, constraints and
// bads in their order; no names, no Origin. Circuits of equal structure have equal runs.
func (c *Circuit) Structure() Fingerprint { return Problem{Circuit: c}.fingerprint() }
