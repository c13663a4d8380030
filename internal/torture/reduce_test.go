package torture

import (
	"math/rand/v2"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/ic3/engines"
)

// reduced leaves out of the versions of a difference, as long as there is one still,
// what can be left out: versions, properties, constraints, gates, latches, inputs;
// statements of BLIF. It gives up nothing that it cannot repeat.
func reduced(d *difference, again func([]version, engines.Spec) *difference) *difference {
	for {
		smaller := firstSmaller(d, again)
		if smaller == nil {
			return d
		}
		d = smaller
	}
}

// firstSmaller returns a difference with one thing less, or nil.
func firstSmaller(d *difference, again func([]version, engines.Spec) *difference) *difference {
	try := func(versions []version) *difference {
		if len(versions) == 0 {
			return nil
		}
		return again(versions, d.spec)
	}
	for i := range d.versions {
		if less := try(slices.Delete(slices.Clone(d.versions), i, i+1)); less != nil {
			return less
		}
	}
	if d.versions[0].model == nil {
		return smallerText(d.versions, try)
	}
	for part := range parts(d.versions[0].model) {
		var versions []version
		for _, v := range d.versions {
			m := clone(v.model)
			if ps := parts(m); part < len(ps) {
				ps[part]()
			}
			versions = append(versions, version{model: m, form: v.form})
		}
		if less := try(versions); less != nil {
			return less
		}
	}
	return nil
}

// parts returns what can be left out of a file, the largest parts first. Each may be
// called once.
func parts(m *aiger.Model) []func() {
	var all []func()
	for _, list := range []*[]uint32{&m.Outputs, &m.Bads, &m.Constraints, &m.Fairness} {
		for i := range *list {
			all = append(all, func() { *list = slices.Delete(*list, i, i+1); m.Symbols = nil })
		}
	}
	for i := range m.Justice {
		all = append(all, func() { m.Justice = slices.Delete(m.Justice, i, i+1) })
	}
	if len(m.Symbols) > 0 || m.HasComment {
		all = append(all, func() { m.Symbols, m.HasComment, m.Comment = nil, false, "" })
	}
	for i, l := range m.Latches {
		for _, by := range constants {
			all = append(all, func() {
				m.Latches = slices.Delete(m.Latches, i, i+1)
				m.Symbols = nil
				replace(m, l.Lit, by)
			})
		}
	}
	for i, g := range m.Ands {
		for _, by := range []uint32{0, 1, g.RHS0, g.RHS1} {
			all = append(all, func() {
				m.Ands = slices.Delete(m.Ands, i, i+1)
				replace(m, g.LHS, by)
			})
		}
	}
	for i, lit := range m.Inputs {
		for _, by := range constants {
			all = append(all, func() {
				m.Inputs = slices.Delete(m.Inputs, i, i+1)
				m.Symbols = nil
				replace(m, lit, by)
			})
		}
	}
	return all
}

var constants = []uint32{0, 1}

// replace puts one literal in the place of another everywhere.
func replace(m *aiger.Model, lit, by uint32) {
	eachLit(m, func(l *uint32) {
		if *l/2 == lit/2 {
			*l = by ^ *l&1
		}
	})
}

// smallerText leaves out one statement of BLIF, with its rows: the same of all
// versions.
func smallerText(versions []version, try func([]version) *difference) *difference {
	for i := range statements(versions[0].text) {
		var less []version
		for _, v := range versions {
			all := statements(v.text)
			if i < len(all) {
				all = slices.Delete(all, i, i+1)
			}
			v.text, v.written = strings.Join(all, ""), nil
			less = append(less, v)
		}
		if d := try(less); d != nil {
			return d
		}
	}
	return nil
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
