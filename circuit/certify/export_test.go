package certify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// OfRanking returns the certificate of justice property 0 for an unchecked ranking.
func OfRanking(c *circuit.Circuit, r *cert.Ranking) *Certificate {
	repetition, err := c.Repetition(circuit.Property{Kind: circuit.PropertyJustice})
	if err != nil {
		panic(err)
	}
	return ofJustice(c, repetition, c.Justice()[0].Lits, r)
}

// FirstFalse returns the position of the first of some conclusions, each over the inputs of b, that is no tautology.
func FirstFalse(ctx context.Context, b *circuit.Builder, conclusions []circuit.Lit) (int, error) {
	g := &goal{b: b}
	for _, l := range conclusions {
		g.conclude(l, "")
	}
	return g.firstFalse(ctx)
}
