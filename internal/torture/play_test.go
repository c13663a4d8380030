package torture

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/certify"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// difference is where the program and a referee disagree.
type difference struct {
	versions []version // the last one shows it
	property circuit.Property
	spec     engines.Spec
	what     string
}

func (d *difference) Error() string {
	return fmt.Sprintf("version %d, %s, %s: %s", len(d.versions), d.property, describe(d.spec), d.what)
}

func describe(s engines.Spec) string {
	return fmt.Sprintf("%s (seed %d, tactics %q)", label(s), s.Seed, s.Tactics)
}

// player judges versions of a file in all ways.
type player struct {
	judge func(context.Context, engines.Spec, verify.Job) verify.Result // with the engine of the spec
	// certify judges a witness circuit.
	certify func(context.Context, *certify.Pair) (certify.Findings, error)
	cache   verify.Cache
	abc     *abc // nil: does not judge
	specs   []engines.Spec
	// each says that every version is judged with all specs, instead of some that are
	// drawn by lot.
	each   bool
	counts map[string]int
}

func newPlayer(cache verify.Cache) *player {
	return &player{
		judge:   func(ctx context.Context, _ engines.Spec, j verify.Job) verify.Result { return verify.Run(ctx, j, nil) },
		certify: certify.Check,
		cache:   cache,
		specs:   allSpecs(),
		counts:  map[string]int{},
	}
}

// wall bounds a run; circuits are so small that it ends none of the default engine.
const wall = time.Minute

// wallOfVariant bounds what may run out of time.
const wallOfVariant = 5 * time.Second

// known is what earlier versions leave for a property.
type known struct {
	result verify.Result
	names  verify.Names
	c      *circuit.Circuit
}

// play judges the properties of each version and returns the first difference, or
// nil.
func (x *player) play(r *rand.Rand, versions []version) *difference {
	var before *reading
	learnt := map[circuit.Property]known{}
	for i, v := range versions {
		now, err := v.read(before)
		if err != nil {
			return &difference{versions: versions[:i+1], what: err.Error()}
		}
		if now == nil {
			x.counts["circuits too large"]++
			return nil
		}
		d := x.version(r, v, now, before, learnt)
		if d == nil && i == 0 && x.abc != nil {
			d = x.abc.compare(v, now, x.counts)
		}
		if d != nil {
			d.versions = versions[:i+1]
			return d
		}
		before = now
	}
	return nil
}

// version judges one version.
func (x *player) version(r *rand.Rand, v version, now, before *reading, learnt map[circuit.Property]known) *difference {
	x.counts["circuits"]++
	if first, violated := truths(now.circuit); v.isSound() && (!maps.Equal(first, now.truth.first) || !maps.Equal(violated, now.truth.violated)) {
		return &difference{what: fmt.Sprintf("a search of the circuit as read says %v, %v, of the numbers written %v, %v",
			first, violated, now.truth.first, now.truth.violated)}
	}
	for _, p := range now.properties() {
		x.counts["properties"]++
		if v.abstracts && before.truth.violated[p] && !now.truth.violated[p] {
			return &difference{property: p, what: "left open it holds, whole it is violated"}
		}
		if v.abstracts && before.truth.first[p] != explicit.NotViolated {
			if first, ok := now.truth.first[p]; ok && (first == explicit.NotViolated || first > before.truth.first[p]) {
				return &difference{property: p, what: fmt.Sprintf("left open it is first violated at %d, whole at %d", first, before.truth.first[p])}
			}
		}
		if fault := now.fault(p); fault != "" {
			x.counts["properties with a fault"]++
			if v.isSound() {
				return &difference{property: p, what: "fault: " + fault}
			}
			continue
		}
		if d := x.property(r, now, p, learnt); d != nil {
			d.property = p
			return d
		}
	}
	return nil
}

// truths returns the first bad steps by a search of the circuit as read, and which justice
// properties are violated.
func truths(c *circuit.Circuit) (first map[circuit.Property]int, violated map[circuit.Property]bool) {
	first, violated = map[circuit.Property]int{}, map[circuit.Property]bool{}
	for _, p := range c.Properties() {
		if _, ok := c.Bad(p); ok {
			first[p] = explicit.FirstBadStep(c, p)
		} else {
			violated[p] = explicit.Violated(c, p)
		}
	}
	return first, violated
}

// property judges one property in all ways.
func (x *player) property(r *rand.Rand, now *reading, p circuit.Property, learnt map[circuit.Property]known) *difference {
	var earlier []*verify.Earlier
	old, have := learnt[p]
	if have {
		if e := old.result.Earlier(context.Background(), old.c, old.names); e != nil {
			earlier = append(earlier, e)
		}
		if moved, ok := old.result.TransferTo(context.Background(), now.circuit, p); ok {
			x.counts["answers transferred"]++
			if what := x.wrong(r, now, p, moved); what != "" {
				return &difference{what: "transferred: " + what}
			}
		}
	}
	job := verify.Job{Circuit: now.circuit, Property: p, Limits: verify.Limits{Wall: wall}, Names: now.names}
	for _, spec := range x.chosen(r, p) {
		job.Earlier = nil
		if r.IntN(3) == 0 {
			job.Earlier = earlier
		}
		if _, d := x.run(r, now, spec, job); d != nil {
			return d
		}
	}
	job.Earlier, job.Cache = earlier, x.cache
	result, d := x.run(r, now, engines.Spec{}, job)
	if d != nil {
		return d
	}
	if !result.Checked.Certified() {
		return nil
	}
	learnt[p] = known{result, now.names, now.circuit}
	return x.recall(r, now, job)
}

// recall asks the cache alone, which has just been told, one time in three.
func (x *player) recall(r *rand.Rand, now *reading, job verify.Job) *difference {
	if x.cache == nil || r.IntN(3) != 0 {
		return nil
	}
	job.Earlier, job.Recall = nil, true
	again, d := x.run(r, now, engines.Spec{}, job)
	if d == nil && !again.Cached {
		return &difference{what: "the cache has forgotten what it was told"}
	}
	return d
}

// chosen returns the engines that judge a property.
func (x *player) chosen(r *rand.Rand, p circuit.Property) []engines.Spec {
	if p.Kind == circuit.PropertyJustice {
		return []engines.Spec{justiceSpec(r)}
	}
	if x.each {
		return x.specs
	}
	return []engines.Spec{randomSpec(r, x.specs)}
}

// run judges once and compares.
func (x *player) run(r *rand.Rand, now *reading, spec engines.Spec, job verify.Job) (verify.Result, *difference) {
	engine, err := spec.New()
	if err != nil {
		panic(err)
	}
	job.Engine = engine
	if mayRunOut(spec) {
		job.Limits.Wall = wallOfVariant
	}
	result := x.judge(context.Background(), spec, job)
	x.counts["runs"]++
	x.counts["runs of "+label(spec)]++
	x.counts["answers "+result.Checked.Outcome().String()]++
	if result.Cached {
		x.counts["answers from the cache"]++
	}
	if result.Reused != verify.ReusedNothing {
		x.counts["answers that reuse a "+string(result.Reused)]++
	}
	if mayRunOut(spec) && result.Checked.Reason() == "timeout" {
		x.counts["answers unknown: timeout of "+label(spec)]++
		return result, nil
	}
	what := x.wrong(r, now, job.Property, result)
	if what == "" && (job.Property.Kind == circuit.PropertyJustice || r.IntN(10) == 0) {
		if result.Checked.Outcome() == cert.Proved {
			what = x.certifies(r, now, result.Checked)
		} else {
			what = x.mistakes(r, now, job.Property)
		}
	}
	if what != "" {
		return result, &difference{spec: spec, what: what}
	}
	return result, nil
}

// wrong says what is wrong with a result, or "".
func (x *player) wrong(r *rand.Rand, now *reading, p circuit.Property, result verify.Result) string {
	checked := result.Checked
	first, safety := now.truth.first[p]
	switch {
	case result.Internal != nil:
		return fmt.Sprintf("internal error: %v", result.Internal)
	case result.Fault != nil:
		return fmt.Sprintf("a part of the engine failed: %v", result.Fault)
	case checked.Outcome() == cert.Unknown:
		return "unknown: " + checked.Reason()
	case !checked.Certified() || checked.Property() != p:
		return fmt.Sprintf("%s of %s without a certificate", checked, checked.Property())
	case !safety:
		if (checked.Outcome() == cert.Refuted) != now.truth.violated[p] || result.HasNoRun && !now.truth.vacuous {
			return fmt.Sprintf("%s, vacuous %v; by search violated %v, vacuous %v", checked, result.HasNoRun, now.truth.violated[p], now.truth.vacuous)
		}
		x.counts["justice properties "+checked.Outcome().String()]++
	case (checked.Outcome() == cert.Proved) != (first == explicit.NotViolated),
		checked.Outcome() == cert.Refuted && (checked.Trace().Steps() <= first || checked.Depth() > first),
		result.HasNoRun && !now.truth.vacuous:
		return fmt.Sprintf("%s, depth %d, vacuous %v; first bad step by search %d, vacuous %v", checked, checked.Depth(), result.HasNoRun, first, now.truth.vacuous)
	}
	v := cert.Verdict{Outcome: checked.Outcome(), Invariant: checked.Invariant(), Ranking: checked.Ranking(), Trace: checked.Trace()}
	if loop, ok := checked.Loop(); ok {
		v.Lasso = &cert.Lasso{Trace: v.Trace, Loop: loop}
	}
	if r.IntN(8) == 0 {
		x.counts["certificates tried on all states"]++
		if !explicit.Certifies(now.circuit, p, v) {
			return fmt.Sprintf("%s with a certificate that shows nothing: %+v", checked, v)
		}
	}
	return ""
}
