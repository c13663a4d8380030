package flat

import (
	"aiglens/blif"
	"aiglens/circuit/graph"
)

// recursionBelow finds the models that hold each other, of those that a model is made of:
// each of them has the number of its cycle, from 1, and one that does not hold itself
// has none.
func recursionBelow(top *blif.Model) map[*blif.Model]int {
	groups := map[*blif.Model]int{}
	for i, cycle := range graph.Cycles([]*blif.Model{top}, modelsIn) {
		for _, m := range cycle {
			groups[m] = i + 1
		}
	}
	return groups
}

// modelsIn returns the models of the instances of a model, but black boxes.
func modelsIn(m *blif.Model) []*blif.Model {
	var models []*blif.Model
	for _, call := range m.File.Resolved().Calls[m.Index] {
		if other := call.Block.Model; other != nil && !other.BlackBox {
			models = append(models, other)
		}
	}
	return models
}
