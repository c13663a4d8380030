package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reduce"
)

// CheckCertificate is cert.Check, where package reduce finds the gates that are equal in a long check.
func CheckCertificate(ctx context.Context, c *circuit.Circuit, p circuit.Property, v cert.Verdict) (cert.Checked, error) {
	return cert.CheckMerging(ctx, c, p, v, func(ctx context.Context, c *circuit.Circuit) ([]cert.Merge, error) {
		found, err := reduce.Merges(ctx, c, reduce.UsualMergeOptions(c))
		return found.Merges, err
	})
}
