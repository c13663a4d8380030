package bdd

// Collect frees the nodes that none of the given functions needs.
func (m *Manager) Collect(roots []Ref) {
	needed := make([]bool, len(m.nodes))
	needed[0] = true
	for _, f := range roots {
		m.mark(f, needed)
	}
	for v := range m.tables {
		t := &m.tables[v]
		for c, i := range t.chains {
			t.chains[c] = 0
			for i != 0 {
				next := m.nodes[i].next
				if needed[i] {
					m.nodes[i].next, t.chains[c] = t.chains[c], i
				} else {
					m.release(t, i)
				}
				i = next
			}
		}
	}
	clear(m.cache)
}

func (m *Manager) mark(f Ref, needed []bool) {
	if needed[f>>1] {
		return
	}
	needed[f>>1] = true
	low, high := m.children(f)
	m.mark(low, needed)
	m.mark(high, needed)
}

// release frees a node that is in no chain.
func (m *Manager) release(t *table, i uint32) {
	m.nodes[i] = node{next: m.free}
	m.free = i
	t.count--
	m.live--
}

// Size returns the number of nodes that functions need together.
func (m *Manager) Size(functions ...Ref) (size int) {
	seen := make([]bool, len(m.nodes))
	seen[0] = true
	for _, f := range functions {
		m.mark(f, seen)
	}
	for _, s := range seen[1:] {
		if s {
			size++
		}
	}
	return size
}

// Support returns by variable whether a function depends on it.
func (m *Manager) Support(f Ref) []bool {
	seen := make([]bool, len(m.nodes))
	seen[0] = true
	m.mark(f, seen)
	support := make([]bool, len(m.order))
	for i, s := range seen[1:] {
		if s {
			support[m.nodes[i+1].variable] = true
		}
	}
	return support
}
