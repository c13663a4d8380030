package certify

import (
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
