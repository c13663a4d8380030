package engines

import (
	"context"
	"runtime"
	"sync"

	"aiglens/circuit"
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

// safetyMembers returns that many engines. IC3 comes first, for it decides most; every
// seed and every tactic makes another run of it.
func safetyMembers(c choice, jobs int, problem *circuit.Circuit) []verify.Engine {
	shared, hub := &reduction{}, &portfolio.Hub{}
	variant := func(tactics string) func(seed uint64) verify.Engine {
		return func(seed uint64) verify.Engine {
			own := c
			own.tactics = append(mustTactics(tactics), c.tactics...) // the user's last, so that they count
			own.seed = seed
			e := makeIC3(own).(*IC3)
			if e.shared = shared; !e.noExchange {
				e.exchange = hub.Join()
			}
			return e
		}
	}
	bounded := func(stride int) func(uint64) verify.Engine {
		return func(uint64) verify.Engine { return &Bounded{stride: stride} }
	}
	row := []func(seed uint64) verify.Engine{
		variant(""),
		variant("-ctg,+search"),
		bounded(1),
		variant("+infinite,+obligation-order"),
		func(seed uint64) verify.Engine { own := c; own.seed = seed; return makeInduction(own) },
		variant("-reduce,-lift-again"),
		bounded(32),
		variant("+prediction,-whole-states"),
	}
	if len(problem.Latches()) > inductionLatches || problem.NumVars() > inductionVariables {
		row[4] = variant("-whole-states,-extended-ctg")
	}
	members := make([]verify.Engine, jobs)
	for i := range members {
		if seed := c.seed + uint64(i); i < len(row) {
			members[i] = row[i](seed)
		} else {
			members[i] = variant([]string{"", "-ctg", "+infinite", "+prediction"}[i%4])(seed)
		}
	}
	return members
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
	err     error
}

func (r *reduction) reduce(ctx context.Context, p circuit.Problem, o reduce.Options) (*reduce.Reduced, error) {
	r.once.Do(func() {
		r.options = o
		r.reduced, r.err = reduce.Reduce(ctx, p.Circuit, p.Property(), o)
	})
	if r.options != o || r.reduced == nil && r.err == nil {
		return reduce.Reduce(ctx, p.Circuit, p.Property(), o)
	}
	return r.reduced, r.err
}
