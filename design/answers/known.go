package answers

import (
	"context"
	"sync"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/lazy"
)

// KnownFacts are the facts of a proof as lists, each made once.
type KnownFacts struct {
	*Facts
	all   []Fact
	mu    sync.Mutex
	about map[int][]Fact // guarded by mu; by the position of a latch
}

// All returns all facts, those that say most in the fewest words first. The slice is shared.
func (k *KnownFacts) All() []Fact { return k.all }

// About returns all that Facts.About lists of the latch at a position; none for −1. The slice is shared.
func (k *KnownFacts) About(latch int) []Fact {
	k.mu.Lock()
	defer k.mu.Unlock()
	list, ok := k.about[latch]
	if !ok {
		list = k.Facts.About(latch).All()
		k.about[latch] = list
	}
	return list
}

// keptFacts are the facts of the proofs of a design, the newest of each property.
var keptFacts = design.NewDerived(func(context.Context, *design.Design) (*factsOfProofs, error) {
	return &factsOfProofs{of: map[circuit.Property]keptProof{}}, nil
})

type factsOfProofs struct {
	mu sync.Mutex
	of map[circuit.Property]keptProof // guarded by mu
}

type keptProof struct {
	result *verify.Result
	found  *lazy.Value[knownOrNot]
}

type knownOrNot struct {
	facts *KnownFacts
	err   error
}

// KnownFactsOf is FactsOf, worked out once for a result and a text.
func KnownFactsOf(ctx context.Context, d *design.Design, p circuit.Property, r *verify.Result) (*KnownFacts, error) {
	kept, err := keptFacts.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	kept.mu.Lock()
	own, ok := kept.of[p]
	if !ok || own.result != r {
		own = keptProof{r, lazy.New(func(ctx context.Context) (knownOrNot, error) {
			f, err := FactsOf(ctx, d, p, r)
			if ctx.Err() != nil {
				return knownOrNot{}, ctx.Err()
			}
			if err != nil {
				return knownOrNot{err: err}, nil
			}
			return knownOrNot{facts: &KnownFacts{Facts: f, all: f.All(), about: map[int][]Fact{}}}, nil
		})}
		kept.of[p] = own
	}
	kept.mu.Unlock()
	found, err := own.found.Get(ctx)
	if err != nil {
		return nil, err
	}
	return found.facts, found.err
}
