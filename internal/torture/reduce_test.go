package torture

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/shrink"
	"aiglens/ic3/engines"
	"aiglens/internal/minimize"
)

// reduced leaves out of the versions of a difference, as long as there is one still,
// what can be left out: versions, properties, constraints, gates, latches, inputs, names;
// statements of BLIF. It gives up nothing that it cannot repeat.
func reduced(d *difference, again func([]version, engines.Spec) *difference) *difference {
	passes := []minimize.Pass[*difference]{{
		Name:  "versions",
		Units: func(d *difference) int { return len(d.versions) },
		Without: func(d *difference, lo, hi int) *difference {
			return &difference{versions: slices.Delete(slices.Clone(d.versions), lo, hi), spec: d.spec}
		},
	}}
	if d.versions[0].model != nil {
		for _, p := range slices.Concat(shrink.Tidy(), shrink.Passes(), []minimize.Pass[*aiger.Model]{shrink.Names()}) {
			passes = append(passes, ofVersions(p))
		}
	} else {
		passes = append(passes, minimize.Pass[*difference]{
			Name:    "statements",
			Units:   func(d *difference) int { return len(statements(d.versions[0].text)) },
			Without: withoutStatements,
		})
	}
	min := minimize.Minimizer[*difference]{Passes: passes, Try: func(_ context.Context, d *difference) (*difference, bool) {
		if len(d.versions) == 0 {
			return nil, false
		}
		less := again(d.versions, d.spec)
		return less, less != nil
	}}
	less, _ := min.Run(context.Background(), d) // which does not end
	return less
}

// ofVersions makes a pass over all versions: the same elements, by their numbers, go in each.
func ofVersions(p minimize.Pass[*aiger.Model]) minimize.Pass[*difference] {
	return minimize.Pass[*difference]{
		Name:  p.Name,
		Units: func(d *difference) int { return p.Units(d.versions[0].model) },
		Without: func(d *difference, lo, hi int) *difference {
			less := &difference{spec: d.spec}
			for _, v := range d.versions {
				m := v.model
				if n := p.Units(m); lo < n {
					m = p.Without(m, lo, min(hi, n))
				}
				less.versions = append(less.versions, version{model: m, form: v.form})
			}
			return less
		},
	}
}

// withoutStatements leaves statements of BLIF out, with their rows: the same of all
// versions.
func withoutStatements(d *difference, lo, hi int) *difference {
	less := &difference{spec: d.spec}
	for _, v := range d.versions {
		all := statements(v.text)
		if lo < len(all) {
			all = slices.Delete(all, lo, min(hi, len(all)))
		}
		v.text, v.written = strings.Join(all, ""), nil
		less.versions = append(less.versions, v)
	}
	return less
}

// statements returns a text of BLIF in pieces that begin with a directive.
func statements(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if len(all) == 0 || strings.HasPrefix(line, ".") || strings.HasPrefix(line, "#") {
			all = append(all, "")
		}
		all[len(all)-1] += line
	}
	return all
}

// again judges versions in all ways with one engine beside the default one.
func (x *player) again(versions []version, spec engines.Spec) *difference {
	y := *x
	y.specs, y.each, y.counts = []engines.Spec{spec}, true, map[string]int{}
	for try := range uint64(tries) { // what is drawn by lot comes out another way
		if d := y.play(rand.New(rand.NewPCG(try, 3)), versions); d != nil {
			return d
		}
	}
	return nil
}

// tries is how often a smaller file is judged before it is given up.
const tries = 4
