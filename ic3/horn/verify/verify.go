// Package verify holds what comes of checks of Horn clauses: whether a system is satisfiable, with the words for it. The
// checks themselves are made elsewhere: in this process by package auto, or in another one.
package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// Check answers whether a system is satisfiable. It ends soon after ctx, and then says that the answer is unknown.
type Check func(ctx context.Context, s *horn.System, o Options) Result

// Options say how to look for an answer.
type Options struct {
	Variant string // of those that package auto lists; "" for the default
	Memory  int64  // that a process of its own may take, in bytes; 0 is no limit
	// Progress is called now and then, by one goroutine at a time; nil for nothing.
	Progress func(Progress)
}

// Progress says how far a check is.
type Progress struct {
	Level  int // of the frontier
	Lemmas int
}

// Result is what was found out.
type Result struct {
	// Checked is the answer, with its certificate. Its reason is for people.
	Checked cert.Checked
	// Variant is that of the answer; "" for none.
	Variant string
	// Stats counts what was done: "predicates" and "clauses" are those of the simplified system; the others are about the
	// variant that has answered.
	Stats map[string]float64
	// Internal is a fault of this program, such as a certificate that was rejected.
	Internal error
}

// Certify has the checker test an answer about s. Where it does not pass, there is a reason for people, unless ctx has
// ended, and perhaps a fault of this program.
func Certify(ctx context.Context, s *horn.System, a cert.Answer) (c cert.Checked, reason string, fault error) {
	c, err := cert.Check(ctx, s, a)
	rejected, is := errors.AsType[*cert.RejectedError](err)
	switch {
	case !is:
		return c, "", nil
	case rejected.Obligation == "size":
		return c, "the certificate is too large to be checked", nil
	}
	return c, "certificate rejected", err
}

// Reasons of a search that has no answer because its context has ended.
const (
	ReasonTimeout   = "timeout"
	ReasonCancelled = "cancelled"
)

// ReasonFor says why a search has ended with its context.
func ReasonFor(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		return cause.Error()
	} else if errors.Is(cause, context.DeadlineExceeded) {
		return ReasonTimeout
	}
	return ReasonCancelled
}

// Words says a result as every surface does.
func (r Result) Words() string {
	switch c := r.Checked; c.Outcome() {
	case cert.Sat:
		return "safe · " + count(Lemmas(c.Model()), "lemma", "lemmas")
	case cert.Unsat:
		return "reached in " + count(len(c.Derivation()), "step", "steps")
	default:
		return "unknown: " + c.Reason()
	}
}

// WordsWithin is Words for a search that had so much time.
func (r Result) WordsWithin(wall time.Duration) string {
	if r.Checked.Outcome() == cert.Unknown && r.Checked.Reason() == ReasonTimeout && wall > 0 {
		return fmt.Sprintf("%s of %g s", r.Words(), wall.Seconds())
	}
	return r.Words()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Lemmas counts the formulas whose conjunctions the definitions of a model are.
func Lemmas(m cert.Model) (n int) {
	for _, d := range m.Definitions {
		if d.Formula != term.False {
			n += len(m.Terms.Conjuncts(d.Formula))
		}
	}
	return n
}
