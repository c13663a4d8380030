package bdd

// Collect frees the nodes that none of the given functions needs.
func (d *Store) Collect(roots []Ref) {
	d.steps += int64(len(d.nodes)) / nodesPerStep
	needed := make([]bool, len(d.nodes))
	needed[0] = true
	for _, f := range roots {
		d.mark(f, needed)
	}
	for v := range d.tables {
		t := &d.tables[v]
		for c, i := range t.chains {
			t.chains[c] = 0
			for i != 0 {
				next := d.nodes[i].next
				if needed[i] {
					d.nodes[i].next, t.chains[c] = t.chains[c], i
				} else {
					d.release(t, i)
				}
				i = next
			}
		}
	}
	clear(d.cache)
}

// nodesPerStep is how many nodes are gone through in the time of a step.
const nodesPerStep = 8

func (d *Store) mark(f Ref, needed []bool) {
	if needed[f>>1] {
		return
	}
	needed[f>>1] = true
	low, high := d.children(f)
	d.mark(low, needed)
	d.mark(high, needed)
}

// release frees a node that is in no chain.
func (d *Store) release(t *table, i uint32) {
	d.nodes[i] = node{next: d.free}
	d.free = i
	t.count--
	d.live--
}

// Size returns the number of nodes that functions need together.
func (d *Store) Size(functions ...Ref) (size int) {
	d.Spend(len(d.nodes) / nodesPerStep)
	seen := make([]bool, len(d.nodes))
	seen[0] = true
	for _, f := range functions {
		d.mark(f, seen)
	}
	for _, s := range seen[1:] {
		if s {
			size++
		}
	}
	return size
}

// Support returns by variable whether a function depends on it.
func (d *Store) Support(f Ref) []bool {
	d.Spend(len(d.nodes) / nodesPerStep)
	seen := make([]bool, len(d.nodes))
	seen[0] = true
	d.mark(f, seen)
	support := make([]bool, len(d.order))
	for i, s := range seen[1:] {
		if s {
			support[d.nodes[i+1].variable] = true
		}
	}
	return support
}
