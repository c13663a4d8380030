package engines

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/live"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// Portfolio is the name of the engine that is several from the beginning.
const Portfolio = portfolio.Name

// processors returns what a number of jobs stands for.
func processors(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return min(runtime.GOMAXPROCS(0), MaxJobs)
}

// Processors returns how many processors an engine made of s can keep busy.
func (s Spec) Processors() int {
	switch {
	case s.Variant != "":
		return 1
	case s.Engine == Portfolio:
		return processors(s.Jobs)
	}
	return max(1, s.Jobs)
}

// makePortfolio returns as many engines as there are jobs, at work on one property. With
// one job that is the default engine.
func makePortfolio(c choice) verify.Engine {
	jobs := processors(c.jobs)
	alone := Auto().with(c).Engine()
	if c.member == 0 && jobs == 1 {
		return alone
	}
	e := verify.Engine{Name: Portfolio, Safety: true, Liveness: true, TakesSeeds: true, Alone: &alone}
	if c.member > 0 {
		e.Check = func(ctx context.Context, t verify.Task) verify.Report {
			one := member(c, t.Problem)
			r := one.Check(ctx, t)
			r.Engine = cmp.Or(r.Engine, one.Name)
			return r
		}
		return e
	}
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		return portfolio.Check(ctx, t, members(c, jobs, t.Problem))
	}
	return e
}

// joinAfter is how long the default engine works alone. What it answers in that time, as it does most
// properties, depends on no clock.
const joinAfter = time.Second

// joined returns the default engine with members of a portfolio that join it after a time, as many as there
// are other jobs. They may cost it nothing that is limited: with a limit on processor time there are none,
// and they give up at half of the memory.
func joined(c choice, alone verify.Engine, after time.Duration) verify.Engine {
	e := alone
	e.Alone = &alone
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		if t.Limits.CPU > 0 {
			return alone.Check(ctx, t)
		}
		all := []verify.Engine{alone}
		for _, m := range lateMembers(c, t.Problem) {
			m.Check = frugal(m.Check)
			all = append(all, m)
		}
		return portfolio.CheckLate(ctx, t, all, after)
	}
	return e
}

// lateMembers returns those that join: of the members for safety not the first, which runs already.
func lateMembers(c choice, p circuit.Problem) []verify.Engine {
	if p.Question == circuit.Liveness {
		c.seed++
		return livenessMembers(c, c.jobs-1)
	}
	return safetyMembers(c, c.jobs, p.Circuit)[1:]
}

// frugal makes a check give up at half of the memory that the task may take.
func frugal(check func(context.Context, verify.Task) verify.Report) func(context.Context, verify.Task) verify.Report {
	return func(ctx context.Context, t verify.Task) verify.Report {
		within, stop := verify.WithLimits(ctx, verify.Limits{Memory: t.Limits.Memory / 2})
		defer stop()
		r := check(within, t)
		if r.Err != nil && within.Err() != nil && ctx.Err() == nil { // by its own limit
			r.Verdict, r.Err = cert.Verdict{Depth: r.Verdict.Depth, Reason: verify.ReasonFor(within, r.Err)}, nil
		}
		return r
	}
}

// members returns the engines for a problem, as many as jobs says.
func members(c choice, jobs int, p circuit.Problem) []verify.Engine {
	if p.Question == circuit.Liveness {
		return livenessMembers(c, jobs)
	}
	return safetyMembers(c, jobs, p.Circuit)
}

// member returns the one engine of a portfolio that the choice asks for, whose other ones run
// elsewhere. Which it is depends on the problem.
func member(c choice, p circuit.Problem) verify.Engine {
	i := c.member - 1
	if p.Question == circuit.Liveness {
		return livenessMembers(c, c.jobs)[i]
	}
	return safetyMember(c, i, p.Circuit, nil)
}

// Limits of a circuit for which a portfolio has induction over simple paths: a path takes
// gates for each pair of its states.
const (
	inductionLatches   = 200
	inductionVariables = 5_000
)

// safetyMembers returns as many engines as jobs says, which share a reduction.
func safetyMembers(c choice, jobs int, problem *circuit.Circuit) []verify.Engine {
	shared := &reduction{}
	members := make([]verify.Engine, jobs)
	for i := range members {
		members[i] = safetyMember(c, i, problem, shared)
	}
	return members
}

// safetyMember returns one of them. IC3 comes first, because it decides most; every seed and
// every tactic makes another run of it.
func safetyMember(c choice, i int, problem *circuit.Circuit, shared *reduction) verify.Engine {
	c.seed += uint64(i)
	variant := func(tactics string) verify.Engine {
		own := c
		own.tactics = append(mustTactics(tactics), c.tactics...) // the user's last, so that they count
		e := IC3{}.with(own)
		e.shared = shared
		return e.Engine()
	}
	row := []verify.Engine{
		variant("+states"),
		variant("-ctg,+search"),
		bounded(1),
		variant("+infinite,+obligation-order"),
		induction(c, shared),
		variant("-reduce,-lift-again"),
		bounded(32),
		variant("+prediction,-whole-states"),
	}
	if len(problem.Latches()) > inductionLatches || problem.NumVars() > inductionVariables {
		row[4] = variant("-whole-states,-extended-ctg")
	}
	if i < len(row) {
		return row[i]
	}
	return variant([]string{"", "-ctg", "+infinite", "+prediction"}[i%4])
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

// livenessMembers returns as many engines as jobs says. Beyond four they are those that prove, with
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
// with the same options.
type reduction struct {
	once    sync.Once
	options reduce.Options
	reduced *reduce.Reduced
	merging *merging
	err     error
}

// reduce returns the reduced circuit, and what merges signals of it. With a nil r nothing is
// shared: the engine reduces the circuit by itself. So does one with other options, and one that goes on where the
// engine that came first was stopped or has panicked.
func (r *reduction) reduce(ctx context.Context, p circuit.Problem, o reduce.Options) (*reduce.Reduced, *merging, error) {
	alone := func() (*reduce.Reduced, *merging, error) {
		reduced, err := reduce.Reduce(ctx, p.Circuit, p.Property(), o)
		return reduced, newMerging(reduced, o), err
	}
	if r == nil {
		return alone()
	}
	r.once.Do(func() {
		r.options = o
		r.reduced, r.merging, r.err = alone()
	})
	if r.options != o || r.reduced == nil && (r.err == nil || ctx.Err() == nil) {
		return alone()
	}
	return r.reduced, r.merging, r.err
}
