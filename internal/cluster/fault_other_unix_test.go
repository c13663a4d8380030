//go:build unix && !linux

package cluster

// network is one of network namespaces, which are of Linux alone.
type network struct{}

func (*network) serverFrom(string) string { return "" }
func (*network) within(string) []string   { return nil }
