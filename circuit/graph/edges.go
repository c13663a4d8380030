package graph

// Edges are the successors of nodes that are numbered from 0.
type Edges[N ~uint32] struct {
	first []uint32 // the successors of n are list[first[n]:first[n+1]]
	list  []N
}

// NewEdges returns the edges among n nodes that each adds: twice, in the same order. That is
// the order of the successors of a node.
func NewEdges[N ~uint32](n int, each func(add func(from, to N))) Edges[N] {
	// first[n+1] is where the successors of n begin, until they are listed: then where they
	// end, which is where those of n+1 begin.
	e := Edges[N]{first: make([]uint32, n+2)}
	each(func(from, _ N) { e.first[from+2]++ })
	for i := range n {
		e.first[i+2] += e.first[i+1]
	}
	e.list = make([]N, e.first[n+1])
	each(func(from, to N) {
		e.list[e.first[from+1]] = to
		e.first[from+1]++
	})
	return e
}

// Of returns the successors of a node.
func (e Edges[N]) Of(n N) []N { return e.list[e.first[n]:e.first[n+1]] }
