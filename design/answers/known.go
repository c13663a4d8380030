package answers

import (
	"context"
	"sync"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/lazy"
)

// KnownFacts are the facts of a proof with what each latch has to do with them.
type KnownFacts struct {
	*Facts
	all   []Fact
	about map[int][]int // positions in all, by the position of a latch
}

// All returns all facts, those that say most in the fewest words first. The slice is shared.
func (k *KnownFacts) All() []Fact { return k.all }

// About returns the facts that refer to the latch at a position, in the order of All; none for −1.
func (k *KnownFacts) About(latch int) []Fact {
	var about []Fact
	for _, i := range k.about[latch] {
		about = append(about, k.all[i])
	}
	return about
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
			return knownOrNot{facts: f.known()}, nil
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

// known finds out which latches facts refer to. What a fact says of the first of equal latches it says
// of the others, too.
func (f *Facts) known() *KnownFacts {
	k := &KnownFacts{Facts: f, all: f.All(), about: map[int][]int{}}
	same := map[int][]int{}
	for _, class := range f.Equal {
		first := f.circuit.LatchIndex(class[0].Var())
		for _, l := range class[1:] {
			same[first] = append(same[first], f.circuit.LatchIndex(l.Var()))
		}
	}
	for i, fact := range k.all {
		add := func(latch int) {
			if list := k.about[latch]; latch >= 0 && (len(list) == 0 || list[len(list)-1] != i) {
				k.about[latch] = append(list, i)
			}
		}
		for _, l := range fact.Latches {
			add(l.Index)
			if fact.Kind == Clause || fact.Kind == Group {
				for _, other := range same[l.Index] {
					add(other)
				}
			}
		}
	}
	return k
}
