package engines

import (
	"context"
	"runtime"
	"sync"

	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/live"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// Portfolio is the name of the engine that takes Spec.Jobs.
const Portfolio = "portfolio"

// processors returns what a number of jobs stands for.
func processors(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return min(runtime.GOMAXPROCS(0), MaxJobs)
}

// Processors returns how many processors an engine made of s can keep busy.
func (s Spec) Processors() int {
	if s.Engine != Portfolio || s.Variant != "" {
		return 1
	}
	return processors(s.Jobs)
}

// makePortfolio returns as many engines as there are jobs, at work on one property. With
// one job that is the default engine.
func makePortfolio(c choice) verify.Engine {
	jobs := processors(c.jobs)
	if c.member > 0 {
		return &member{choice: c}
	}
	if jobs == 1 {
		return makeAuto(c)
	}
	return portfolio.New(
		func(circuit.Question) bool { return true },
		func(p circuit.Problem) []verify.Engine {
			if p.Question == circuit.Liveness {
				return livenessMembers(c, jobs)
			}
			return safetyMembers(c, jobs, p.Circuit)
		})
}

// Limits of a circuit for which a portfolio has induction over simple paths: a path takes
// gates for each pair of its states.
const (
	inductionLatches   = 200
	inductionVariables = 5_000
)

// safetyMembers returns that many engines, which share a reduction and their lemmas.
func safetyMembers(c choice, jobs int, problem *circuit.Circuit) []verify.Engine {
	shared, hub := &reduction{}, &portfolio.Hub{}
	members := make([]verify.Engine, jobs)
	for i := range members {
		members[i] = safetyMember(c, i, problem, shared, hub.Join)
	}
	return members
}

// safetyMember returns one of them. IC3 comes first, for it decides most; every seed and
// every tactic makes another run of it. Those that exchange lemmas join.
func safetyMember(c choice, i int, problem *circuit.Circuit, shared *reduction, join func() ic3.Exchange) verify.Engine {
	c.seed += uint64(i)
	variant := func(tactics string) func() verify.Engine {
		return func() verify.Engine {
			own := c
			own.tactics = append(mustTactics(tactics), c.tactics...) // the user's last, so that they count
			e := makeIC3(own).(*IC3)
			if e.shared = shared; !e.noExchange {
				e.exchange = join()
			}
			return e
		}
	}
	bounded := func(stride int) func() verify.Engine {
		return func() verify.Engine { return &Bounded{stride: stride} }
	}
	row := []func() verify.Engine{
		variant(""),
		variant("-ctg,+search"),
		bounded(1),
		variant("+infinite,+obligation-order"),
		func() verify.Engine { return makeInduction(c) },
		variant("-reduce,-lift-again"),
		bounded(32),
		variant("+prediction,-whole-states"),
	}
	if len(problem.Latches()) > inductionLatches || problem.NumVars() > inductionVariables {
		row[4] = variant("-whole-states,-extended-ctg")
	}
	if i < len(row) {
		return row[i]()
	}
	return variant([]string{"", "-ctg", "+infinite", "+prediction"}[i%4])()
}

// mustTactics reads tactics that are written here.
func mustTactics(text string) []tactic {
	if text == "" {
		return nil
	}
	tactics, err := parseTactics(text)
	if err != nil {
		panic(err)
	}
	return tactics
}

// livenessParts are the parts of package live that work by turns in each of so many
// engines. One that has nothing more to do leaves its time to the others.
var livenessParts = map[int][][]string{
	2: {{live.RLive, live.Lasso}, {live.KLiveness, live.LivenessToSafety}},
	3: {{live.RLive}, {live.KLiveness, live.LivenessToSafety}, {live.Lasso}},
	4: {{live.RLive}, {live.KLiveness}, {live.Lasso}, {live.LivenessToSafety}},
}

// livenessMembers returns that many engines. Beyond four they are those that prove, with
// other seeds and with other tactics.
func livenessMembers(c choice, jobs int) []verify.Engine {
	members := make([]verify.Engine, 0, jobs)
	add := func(own choice, names ...string) {
		own.seed = c.seed + uint64(len(members))
		members = append(members, partsOf(own, names...))
	}
	for _, names := range livenessParts[min(jobs, 4)] {
		add(c, names...)
	}
	for i := len(members); i < jobs; i++ {
		own := c
		if i%4 >= 2 {
			own.tactics = append(mustTactics("-ctg"), c.tactics...)
		}
		add(own, []string{live.RLive, live.KLiveness}[i%2])
	}
	return members
}

// reduction is the circuit made smaller, once for all engines that judge the same problem
// with the same options under one context.
type reduction struct {
	once    sync.Once
	options reduce.Options
	reduced *reduce.Reduced
	merging *merging
	err     error
}

// reduce returns the reduced circuit, and what merges signals of it.
func (r *reduction) reduce(ctx context.Context, p circuit.Problem, o reduce.Options) (*reduce.Reduced, *merging, error) {
	r.once.Do(func() {
		r.options = o
		r.reduced, r.err = reduce.Reduce(ctx, p.Circuit, p.Property(), o)
		r.merging = newMerging(r.reduced, o)
	})
	if r.options != o || r.reduced == nil && r.err == nil {
		own, err := reduce.Reduce(ctx, p.Circuit, p.Property(), o)
		return own, newMerging(own, o), err
	}
	return r.reduced, r.merging, r.err
}
