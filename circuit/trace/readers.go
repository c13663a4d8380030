package trace

import "aiglens/circuit"

// readers lists, for each variable v, who reads it: list[first[v]:first[v+1]].
type readers struct {
	first []uint32
	list  []circuit.Var
}

// newReaders collects what each tells it, in the same way each time.
func newReaders(n int, each func(read func(l circuit.Lit, by circuit.Var))) readers {
	r := readers{first: make([]uint32, n+2)}
	each(func(l circuit.Lit, _ circuit.Var) { r.first[l.Var()+2]++ })
	for v := range n {
		r.first[v+2] += r.first[v+1]
	}
	r.list = make([]circuit.Var, r.first[n+1])
	each(func(l circuit.Lit, by circuit.Var) {
		r.list[r.first[l.Var()+1]] = by
		r.first[l.Var()+1]++
	})
	return r
}

func (r readers) of(v int) []circuit.Var { return r.list[r.first[v]:r.first[v+1]] }
