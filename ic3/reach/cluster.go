package reach

import (
	"slices"

	"aiglens/ic3/bdd"
)

// cluster is a conjunct of a relation, and the variables that no later one depends on.
type cluster struct {
	relation bdd.Ref
	done     bdd.Ref // as a conjunction
}

// clusterNodes bounds a cluster.
const clusterNodes = 2_000

// part is a conjunct while clusters are made, with the variables that it depends on.
type part struct {
	relation bdd.Ref
	support  []bool
}

// clusters returns the conjunction of some functions without the variables that leaves says,
// each done with as early as can be: Ranjan, Aziz, Brayton, Plessier and Pixley, "Efficient
// BDD Algorithms for FSM Synthesis and Verification" (IWLS 1995).
func (m *model) clusters(conjuncts []bdd.Ref, leaves func(v int) bool) []cluster {
	if len(conjuncts) == 0 {
		return nil // without latches and constraints there is nothing to leave
	}
	var parts []part
	for _, f := range conjuncts {
		parts = append(parts, part{f, m.Support(f)})
	}
	parts = m.join(m.arrange(m.withoutInputs(parts), leaves))
	parts = m.arrange(m.withoutInputs(parts), leaves)
	done := make([][]int, len(parts))
	for v := range m.now {
		if leaves(v) {
			last := 0 // of what depends on states alone, too
			for i, p := range parts {
				if p.support[v] {
					last = i
				}
			}
			done[last] = append(done[last], v)
		}
	}
	all := make([]cluster, len(parts))
	for i, p := range parts {
		all[i] = cluster{p.relation, m.Cube(done[i])}
	}
	return all
}

// readers returns the number of parts that depend on a variable.
func (m *model) readers(parts []part) []int {
	readers := make([]int, len(m.now))
	for _, p := range parts {
		for v, has := range p.support {
			if has {
				readers[v]++
			}
		}
	}
	return readers
}

// withoutInputs returns parts without the inputs that only one depends on.
func (m *model) withoutInputs(parts []part) []part {
	readers := m.readers(parts)
	for i, p := range parts {
		var own []int
		for v := 2 * len(m.c.Latches()); v < len(m.now); v++ {
			if p.support[v] && readers[v] == 1 {
				own = append(own, v)
			}
		}
		if len(own) > 0 {
			f := m.Exists(p.relation, m.Cube(own))
			parts[i] = part{f, m.Support(f)}
		}
	}
	return parts
}

// arrange orders parts so that variables to leave are done with early, and few of the others
// come in.
func (m *model) arrange(parts []part, leaves func(v int) bool) (arranged []part) {
	readers := m.readers(parts)
	parts = slices.Clone(parts)
	for len(parts) > 0 {
		m.Spend(len(parts) * len(m.now) / supportsPerStep)
		best, most := 0, 0.0
		for i, p := range parts {
			last, left, kept := 0, 0, 0
			for v, has := range p.support {
				switch {
				case !has:
				case !leaves(v):
					kept++
				default:
					left++
					if readers[v] == 1 {
						last++
					}
				}
			}
			score := 2*float64(last+1)/float64(left+1) + float64(left)/float64(len(m.now)) - float64(kept)/float64(len(m.now))
			if i == 0 || score > most {
				best, most = i, score
			}
		}
		for v, has := range parts[best].support {
			if has {
				readers[v]--
			}
		}
		arranged = append(arranged, parts[best])
		parts = slices.Delete(parts, best, best+1)
	}
	return arranged
}

// supportsPerStep is how many entries of supports are looked at in the time of a step.
const supportsPerStep = 32

// join makes the conjunction of parts that follow each other, while it is small. That of larger ones is
// not tried: on the way it may have as many nodes as their product.
func (m *model) join(parts []part) (joined []part) {
	for _, p := range parts {
		if n := len(joined); n > 0 && m.Size(joined[n-1].relation)+m.Size(p.relation) <= clusterNodes {
			if both := m.And(joined[n-1].relation, p.relation); m.Size(both) <= clusterNodes {
				joined[n-1] = part{both, m.Support(both)}
				continue
			}
		}
		joined = append(joined, p)
	}
	return joined
}
