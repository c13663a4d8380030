package classic

// candidate is what may be an invariant: no state of the cubes in F_0 … F_level.
// It is pushed forward like a lemma between major iterations, all of it or nothing.
type candidate struct {
	cubes []cube
	level int
}

// propagateCandidates pushes each candidate as far as it holds.
func (b *bradley) propagateCandidates() error {
	for i := range b.candidates {
		p := &b.candidates[i]
		for p.level <= b.k {
			holds, err := b.holdsNext(p)
			if err != nil {
				return err
			}
			if !holds {
				break
			}
			if p.level == 0 {
				b.stats.Candidates++
			}
			p.level++
			for _, c := range p.cubes {
				b.add(c, p.level)
			}
		}
	}
	return nil
}

// holdsNext reports whether no state of F_level leads to one that the candidate
// excludes.
func (b *bradley) holdsNext(p *candidate) (bool, error) {
	for _, c := range p.cubes {
		if _, ok, err := b.step(p.level, nil, c); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}
