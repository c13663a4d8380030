package classic

import "aiglens/circuit/cert"

// clausewise is the algorithm of the lecture notes "The IC3 symbolic
// model-checking algorithm". N(X) are the successors of the states in X, and
// N_A(Y) the states all of whose successors lie in Y: N(X) ⊆ Y iff X ⊆ N_A(Y).
// The backward chain is T_0 = P, T_{i+1} = N_A(T_i) ∩ T_i; the frames keep
// P1 I ⊆ F_i, P2 F_i ⊆ F_{i+1}, P3 F_i ⊆ P, P4 N(F_i) ⊆ F_{i+1}.
//
// P, the states that are bad under no inputs, is not a clause here but found
// clause by clause as well, when it joins as the last frame.
type clausewise struct {
	*engine
	// exact leaves out generalisation and pushForward; then F_{k−i} = T_i.
	exact bool
	// fresh[i] holds what was excluded from F_1 … F_i at the present frontier and
	// may still have predecessors in F_{i−1}.
	fresh [][]*obligation
}

func (w *clausewise) run() (cert.Verdict, error) {
	return w.mainLoop(w.addLevel, w.pushForward)
}

// addLevel makes P the last frame and repairs P4 from there downwards. It returns
// a counterexample when a state of F_0 would have to go.
func (w *clausewise) addLevel() (cex *obligation, err error) {
	w.fresh = make([][]*obligation, w.k+1)
	for {
		o, err := w.badState(w.k)
		if err != nil {
			return nil, err
		}
		if o == nil {
			break
		}
		if cex, err := w.exclude(o); cex != nil || err != nil {
			return cex, err
		}
	}
	for i := w.k - 1; i >= 0; i-- {
		for _, o := range w.fresh[i+1] {
			if cex, err := w.intersect(i, o); cex != nil || err != nil {
				return cex, err
			}
		}
		w.report()
	}
	return nil, nil
}

// intersect takes from F_level the states with a successor in the cube of o,
// which F_{level+1} has lost: one clause of X ∩ N_A(Y).
func (w *clausewise) intersect(level int, o *obligation) (cex *obligation, err error) {
	for {
		_, ok, err := w.step(level, nil, o.cube)
		if ok || err != nil {
			return nil, err
		}
		p := w.newObligation(w.solvers[level], o, level)
		if level == 0 {
			return p, nil
		}
		if cex, err := w.exclude(p); cex != nil || err != nil {
			return cex, err
		}
	}
}

// exclude takes the cube of o from F_1 … F_level, and more if it can be shown to
// be unreachable by then. All states of the cube must go, so that one which
// holds an initial state starts a counterexample.
func (w *clausewise) exclude(o *obligation) (cex *obligation, err error) {
	if err := w.lift(o); err != nil {
		return nil, err
	}
	if w.isInitial(o.cube) {
		return o, nil
	}
	if !w.exact {
		core, ok, err := w.inductive(o.cube, o.level-1)
		if err != nil {
			return nil, err
		}
		if ok {
			core, err = w.generalize(core, o.level-1)
			if err != nil {
				return nil, err
			}
			w.learn(core, o.level)
			return nil, nil
		}
	}
	w.fresh[o.level] = append(w.fresh[o.level], o)
	w.learn(o.cube, o.level)
	return nil, nil
}

// pushForward adds to each frame the clauses of the one before that hold there.
// The lecture's getResult is the comparison of neighbours.
func (w *clausewise) pushForward() (int, error) {
	if w.exact {
		return -1, nil
	}
	return w.propagate(propagation{from: 1, subsumes: true})
}
