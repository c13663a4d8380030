package inquiry

import (
	"context"
	"errors"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// Reach is what is found of a question.
type Reach uint8

// The verdicts. The zero value claims nothing.
const (
	Unknown Reach = iota
	Reached       // some run of the circuit does it
	Never         // none does
)

func (v Reach) String() string { return [...]string{"unknown", "reached", "never"}[v] }

// LiteralReach is what is found of a literal.
type LiteralReach struct {
	Verdict Reach
	Reason  string // of Unknown
	// Trace is a run whose last step is the first one of it in which the literal is 1; of
	// Reached. It has the latches and inputs of the circuit that was asked about.
	Trace    cert.Trace
	HasNoRun bool // no initial state meets the constraints: all literals are never 1
	Engine   string
	Depth    int           // frames or bound reached
	Clauses  int           // of the invariant that proves Never
	Elapsed  time.Duration // wall time
	// Internal is a fault of this program, to be reported; nil for none.
	Internal error
}

// ReachLiterals asks whether literals of a circuit are 1 in some step of some run from reset that
// meets the constraints in all its steps. The answers are in their order. It never fails: when
// ctx ends, what is not known is unknown.
func ReachLiterals(ctx context.Context, c *circuit.Circuit, lits []circuit.Lit, terms Terms) []LiteralReach {
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	for _, l := range lits {
		b.Bad(to(l), 0)
	}
	answers := make([]LiteralReach, len(lits))
	for i, r := range judgeBads(ctx, b.Build(), terms) {
		answers[i] = answerFrom(r)
	}
	return answers
}

func answerFrom(r verify.Result) LiteralReach {
	a := LiteralReach{Engine: r.Engine, Depth: r.Checked.Depth(), Elapsed: r.Elapsed, Internal: r.Internal}
	switch r.Checked.Outcome() {
	case cert.Proved:
		a.Verdict, a.HasNoRun, a.Clauses = Never, r.HasNoRun, len(r.Checked.Invariant())
	case cert.Refuted:
		a.Verdict, a.Trace = Reached, r.Checked.Trace()
	default:
		a.Reason = r.Checked.Reason()
	}
	return a
}

// judgeBads judges the bads of a circuit, some at a time.
func judgeBads(ctx context.Context, c *circuit.Circuit, terms Terms) []verify.Result {
	results := make([]verify.Result, len(c.Bads()))
	done := make(chan struct{}, len(results))
	s := verify.NewScheduler(ctx, max(1, terms.Workers), func(e verify.Event) {
		switch {
		case e.State == verify.Done:
			results[e.ID.Property.Index] = e.Result
			done <- struct{}{}
		case e.State == verify.Running && terms.Progress != nil:
			terms.Progress(Progress{Part: e.ID.Property.Index, Run: e.Progress})
		}
	})
	common := verify.NewCommon(c)
	for i := range results {
		p := circuit.Property{Kind: circuit.PropertyBad, Index: i}
		if ctx.Err() != nil { // nothing more is begun
			results[i] = verify.Cancelled(p, terms.Engine.Name)
			done <- struct{}{}
			continue
		}
		s.Submit(verify.ID{Property: p}, verify.Job{Circuit: c, Property: p, Engine: terms.Engine, Limits: terms.Limits, Common: common})
	}
	stop := context.AfterFunc(ctx, s.Close)
	for range results {
		<-done
	}
	stop()
	s.Close()
	return results
}

// LatchReach is what is found of the values of a latch.
type LatchReach struct {
	Zero, One Reach // whether it is 0, and 1, in some step of some run
	// Change says whether it has another value than in the step before in some step of some
	// run.
	Change Reach
}

// LatchReport is what is found of all latches of a circuit.
type LatchReport struct {
	Latches   []LatchReach // in their order
	Simulated int          // answers that random runs have given, of three for each latch
	Reason    string       // why the first one of those that are unknown is so
	Internal  error        // a fault of this program, to be reported; nil for none
	Elapsed   time.Duration
}

// Both counts the latches that reach both values.
func (r *LatchReport) Both() (n int) {
	for _, l := range r.Latches {
		if l.Zero == Reached && l.One == Reached {
			n++
		}
	}
	return n
}

// ReachLatches asks of all latches of a circuit which values they reach. Random runs answer what
// they can, and engines the rest. The limits are those of all questions together, on CPU time
// and memory those of each for an engine in a process of its own. It never fails: when ctx or
// a limit ends, what is not known is unknown.
func ReachLatches(ctx context.Context, c *circuit.Circuit, terms Terms) *LatchReport {
	begin := time.Now()
	limits := terms.Limits
	if terms.Engine.Where != verify.Here {
		limits = verify.Limits{Wall: limits.Wall}
		terms.Limits.Wall = 0
	} else {
		terms.Limits = verify.Limits{}
	}
	ctx, stop := verify.WithLimits(ctx, limits)
	defer stop()
	x := &reachSearch{ctx: ctx, c: c, terms: terms, report: &LatchReport{Latches: make([]LatchReach, len(c.Latches()))}}
	for i, l := range simulateReach(ctx, c) {
		x.report.Latches[i] = l
		for _, v := range []Reach{l.Zero, l.One, l.Change} {
			if v == Reached {
				x.report.Simulated++
			}
		}
	}
	x.values()
	x.changes()
	x.report.Elapsed = time.Since(begin)
	return x.report
}

// reachSearch is a call of ReachLatches.
type reachSearch struct {
	ctx    context.Context
	c      *circuit.Circuit
	terms  Terms
	report *LatchReport
}

// values asks for the values that no run has shown.
func (x *reachSearch) values() {
	b := circuit.NewBuilder(x.c.NumVars())
	to := circuit.CopyConstrained(x.c, b)
	var asked []*Reach
	for i, l := range x.c.Latches() {
		found := &x.report.Latches[i]
		if found.Zero == Unknown {
			asked = append(asked, &found.Zero)
			b.Bad(to(l.Lit.Not()), 0)
		}
		if found.One == Unknown {
			asked = append(asked, &found.One)
			b.Bad(to(l.Lit), 0)
		}
	}
	x.settle(b.Build(), asked)
	for i := range x.report.Latches {
		if l := &x.report.Latches[i]; l.Zero == Never || l.One == Never {
			l.Change = Never
		}
	}
}

// changes asks for changes that no run has shown.
func (x *reachSearch) changes() {
	b := circuit.NewBuilder(x.c.NumVars())
	to := circuit.CopyConstrained(x.c, b)
	later := b.Latch(0) // 0 in the first step alone
	b.SetNext(later, circuit.True)
	var asked []*Reach
	for i, l := range x.c.Latches() {
		found := &x.report.Latches[i]
		if found.Change != Unknown {
			continue
		}
		before := b.Latch(0)
		b.SetNext(before, to(l.Lit))
		asked = append(asked, &found.Change)
		b.Bad(b.And(later, b.Xor(before, to(l.Lit))), 0)
	}
	x.settle(b.Build(), asked)
}

// settle answers the questions that are the bads of a circuit.
func (x *reachSearch) settle(c *circuit.Circuit, asked []*Reach) {
	if len(asked) == 0 {
		return
	}
	for i, r := range judgeBads(x.ctx, c, x.terms) {
		a := answerFrom(r)
		*asked[i] = a.Verdict
		x.report.Internal = errors.Join(x.report.Internal, a.Internal)
		if a.Verdict == Unknown && x.report.Reason == "" {
			x.report.Reason = a.Reason
			if x.ctx.Err() != nil {
				x.report.Reason = verify.ReasonFor(x.ctx, x.ctx.Err())
			}
		}
	}
}
