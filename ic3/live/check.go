package live

import (
	"context"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
	"aiglens/ic3/reduce"
)

// Check decides whether all literals of a justice property can be 1 infinitely often,
// together with the fairness conditions. The circuit has no reset functions; see
// circuit.ConstantResets. A proof is a Ranking over the latches of the Repetition of
// the circuit, a counterexample a Lasso over its own. The verdict is unknown when no
// part can answer.
//
// It calls progress, which may be nil, now and then from the calling goroutine. The
// error is that of ctx.
func Check(ctx context.Context, problem circuit.Problem, o Options, progress func(Stats)) (cert.Verdict, Stats, error) {
	r, err := problem.Circuit.RepetitionContext(ctx, problem.Property())
	if err != nil {
		return cert.Verdict{}, Stats{}, err
	}
	if o.Parts == nil {
		o.Parts = Parts()
	}
	x := &check{ctx: ctx, problem: problem, repetition: r, Options: o, stats: Stats{Parts: make([]PartStats, len(o.Parts))}, progress: progress}
	for i, p := range o.Parts {
		x.stats.Parts[i].Name = p.Name
	}
	v, err := x.run()
	if err != nil {
		v = cert.Verdict{Reason: "cancelled"}
	}
	return v, x.stats, err
}

// check is one run.
type check struct {
	Options
	ctx        context.Context
	problem    circuit.Problem
	repetition *circuit.Repetition // of problem
	stats      Stats
	progress   func(Stats) // may be nil
}

func (x *check) report() {
	if x.progress != nil {
		x.progress(x.stats)
	}
}

func (x *check) run() (cert.Verdict, error) {
	if !x.NoReduce {
		v, ok, err := x.runReduced()
		if ok || err != nil {
			return v, err
		}
		x.stats.Again = true
	}
	by, claim, err := takeTurns(x.ctx, x.repetition, x.Options, x.Parts, &x.stats, x.report)
	if by < 0 || err != nil {
		return x.undecided(), err
	}
	x.stats.By = x.Parts[by].Name
	v, _, err := x.verdict(claim)
	return v, err
}

// undecided is the verdict when all parts have ended without a claim.
func (x *check) undecided() cert.Verdict {
	var names []string
	for _, p := range x.Parts {
		if !p.OnlyRefutes {
			return cert.Verdict{Reason: "no part of the engine can answer"}
		}
		names = append(names, p.Name)
	}
	return cert.Verdict{Reason: strings.Join(names, " and ") + " found no counterexample, and cannot prove that there is none"}
}

// runReduced works on a reduced circuit. ok is false when it refutes the property by a
// lasso that cannot be closed in the circuit as it is.
func (x *check) runReduced() (v cert.Verdict, ok bool, err error) {
	options := x.Reduce
	options.NoUncovering = true // a ranking is one of all states
	red, err := reduce.Reduce(x.ctx, x.repetition.Circuit, circuit.Property{Kind: circuit.PropertyBad}, options)
	if err != nil {
		return v, false, err
	}
	x.stats.Reduced = red.Stats
	small := &circuit.Repetition{Circuit: red.Circuit, Latches: len(red.Circuit.Latches())}
	by, claim, err := takeTurns(x.ctx, small, x.Options, x.Parts, &x.stats, x.report)
	if by < 0 || err != nil {
		return x.undecided(), true, err
	}
	x.stats.By = x.Parts[by].Name
	if claim.Ranking != nil {
		lifted, err := red.LiftRanking(*claim.Ranking)
		if err != nil {
			return v, false, err
		}
		return x.verdict(Claim{Ranking: &lifted})
	}
	lifted, _, err := red.Lift(x.ctx, cert.Verdict{Outcome: cert.Refuted, Trace: claim.Lasso.Trace})
	if err != nil {
		return v, false, err
	}
	return x.verdict(Claim{Lasso: &cert.Lasso{Trace: lifted.Trace, Loop: claim.Lasso.Loop}})
}

// verdict translates a claim about the Repetition to the circuit as asked. ok is false
// for a lasso that does not close there.
func (x *check) verdict(claim Claim) (v cert.Verdict, ok bool, err error) {
	if claim.Ranking != nil {
		return cert.Verdict{Outcome: cert.Proved, Depth: len(claim.Ranking.Ranks), Ranking: claim.Ranking}, true, nil
	}
	lasso := *claim.Lasso
	lasso.Initial = lasso.Initial[:len(x.problem.Circuit.Latches())]
	lasso, ok, err = bmc.Closed(x.ctx, x.problem.Circuit, x.problem.Circuit.Goals(0), lasso)
	v = cert.Verdict{Outcome: cert.Refuted, Lasso: &lasso}
	if !ok && err == nil { // what does not come again need not matter
		_, rejected := cert.Check(x.ctx, x.problem.Circuit, x.problem.Property(), v)
		ok, err = rejected == nil, x.ctx.Err()
	}
	return v, ok, err
}
